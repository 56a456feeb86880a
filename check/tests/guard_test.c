#define _XOPEN_SOURCE 700 // raise, strsignal

// Generated code in a process of its own: how it ends, and what is said.

#include "luna/guard.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void print_operator(void *data, LunaText *text) {
  luna_text_printf(text, "operator '%s': ", (const char *)data);
}

static void print_run(void *data, LunaText *text) {
  (void)data;
  luna_text_printf(text, " (case 7)");
}

static void (*symbol(const char *name))(void) {
  uint64_t count = 0;
  const LunaRuntimeSymbol *symbols = luna_guard_symbols(&count);
  for (uint64_t i = 0; i < count; ++i)
    if (strcmp(symbols[i].name, name) == 0)
      return symbols[i].function;
  return NULL;
}

static void abort_without_a_check(void) { symbol("abort")(); }

static void fail(const char *message) {
  ((void (*)(const char *))symbol("puts"))(message);
  abort_without_a_check();
}

static void fail_a_check(void) {
  fail("m.mlir:3:5: operator 'pick': index out of bounds");
}

static void fail_a_shared_check(void) { fail("index out of bounds"); }

static void divide_by_zero(void) { raise(SIGFPE); }
static void access_nothing(void) { raise(SIGSEGV); }
static void be_killed(void) { raise(SIGKILL); }
static void succeed(void) { _exit(0); }
static void differ(void) { _exit(3); }

static void check_end(void (*work)(void), int expected_code,
                      const char *expected) {
  static char op[] = "conv.3";
  const LunaGuard guard = {print_operator, print_run, op};
  LunaError error = {0};
  int code = -1;
  if (luna_guard_enter(&guard, &code, &error) == LUNA_GUARD_INSIDE) {
    work();
    _exit(99);
  }
  CHECK(code == expected_code);
  CHECK_STR(error.message, expected);
}

static void exit_codes_are_passed_on(void) {
  check_end(succeed, 0, "");
  check_end(differ, 3, "");
}

static void a_failed_check_names_its_own_operator(void) {
  check_end(fail_a_check, 1,
            "m.mlir:3:5: operator 'pick': index out of bounds (case 7)");
  check_end(fail_a_shared_check, 1,
            "operator 'conv.3': index out of bounds (case 7)");
}

static void a_crash_names_the_operator_under_execution(void) {
  check_end(divide_by_zero, 1,
            "operator 'conv.3': the generated code crashed: Floating point "
            "exception (case 7)");
  check_end(access_nothing, 1,
            "operator 'conv.3': the generated code crashed: Segmentation fault "
            "(case 7)");
  check_end(abort_without_a_check, 1,
            "operator 'conv.3': the generated code aborted (case 7)");
}

static void an_end_from_outside_is_reported(void) {
  check_end(be_killed, 1, "the run was ended: Killed");
}

int main(void) {
  RUN_TEST(exit_codes_are_passed_on);
  RUN_TEST(a_failed_check_names_its_own_operator);
  RUN_TEST(a_crash_names_the_operator_under_execution);
  RUN_TEST(an_end_from_outside_is_reported);
  return 0;
}
