#define _XOPEN_SOURCE 700 // signals and processes

#include "luna/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// Exit code of a crash; its message goes through a pipe.
enum { CRASHED = 1 };

//===- The process of its own ---------------------------------------------===//

// Signals and generated code have no argument for it; one a process.
static const LunaGuard *active;
static int message_pipe = -1;
static const char *failed_check;

// A check knows its place in the model, unless operators share it.
static bool names_operator(const char *problem) {
  return strstr(problem, "operator '");
}

static _Noreturn void end(const char *problem) {
  LunaText text = {0};
  if (active && !names_operator(problem))
    active->print_operator(active->data, &text);
  luna_text_printf(&text, "%s", problem);
  if (active)
    active->print_run(active->data, &text);
  for (size_t at = 0; at < text.length;) {
    ssize_t written = write(message_pipe, text.data + at, text.length - at);
    if (written <= 0)
      break;
    at += (size_t)written;
  }
  _exit(CRASHED);
}

static void on_signal(int number) {
  LunaText problem = {0};
  luna_text_printf(&problem, "the generated code crashed: %s",
                   strsignal(number));
  end(problem.data);
}

// A failed check of upstream's lowering first prints, then aborts.
static void note_check(const char *message) { failed_check = message; }

static void stop(void) {
  end(failed_check ? failed_check : "the generated code aborted");
}

// The stack may be at its end. A crash within the handler ends the process.
static void catch_signals(void) {
  static char stack[1 << 16];
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&own, NULL);
  struct sigaction action = {.sa_handler = on_signal};
  action.sa_flags = SA_ONSTACK | (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i)
    sigaction(signals[i], &action, NULL);
}

static void end_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static LunaGuardRole begin_inside(const LunaGuard *guard, const int *ends) {
  end_with_parent();
  close(ends[0]);
  message_pipe = ends[1];
  active = guard;
  catch_signals();
  return LUNA_GUARD_INSIDE;
}

//===- This process -------------------------------------------------------===//

static void read_message(int from, LunaText *message) {
  char bytes[256];
  ssize_t count = 0;
  while ((count = read(from, bytes, sizeof bytes)) > 0 ||
         (count < 0 && errno == EINTR))
    if (count > 0)
      luna_text_append(message, bytes, (size_t)count);
}

static int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

static int finish_outside(pid_t child, int message_end, LunaError *error) {
  LunaText message = {0};
  read_message(message_end, &message);
  close(message_end);
  int status = wait_for(child);
  if (message.length == 0 && WIFSIGNALED(status))
    luna_text_printf(&message, "the run was ended: %s",
                     strsignal(WTERMSIG(status)));
  bool is_crash = message.length > 0;
  if (is_crash)
    luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                   message.data);
  luna_text_deinit(&message);
  return is_crash ? CRASHED : WEXITSTATUS(status);
}

static LunaGuardRole fail(int *code, LunaError *error) {
  luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                 "cannot start a process: %s", strerror(errno));
  *code = luna_error_exit_code(LUNA_ERROR_SETUP);
  return LUNA_GUARD_OUTSIDE;
}

LunaGuardRole luna_guard_enter(const LunaGuard *guard, int *code,
                               LunaError *error) {
  int ends[2];
  fflush(NULL); // or both processes write what is buffered
  if (pipe(ends) != 0)
    return fail(code, error);
  pid_t child = fork();
  if (child == 0)
    return begin_inside(guard, ends);
  close(ends[1]);
  if (child > 0) {
    *code = finish_outside(child, ends[0], error);
    return LUNA_GUARD_OUTSIDE;
  }
  close(ends[0]);
  return fail(code, error);
}

const LunaRuntimeSymbol *luna_guard_symbols(uint64_t *count) {
  static const LunaRuntimeSymbol symbols[] = {
      {"puts", (void (*)(void))note_check},
      {"abort", (void (*)(void))stop},
  };
  *count = sizeof symbols / sizeof symbols[0];
  return symbols;
}
