// lunac: the compiler driver.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "cache_command.h"
#include "compile.h"
#include "complete.h"
#include "diagnostics.h"
#include "luna/machine.h"
#include "luna/plan.h"
#include "options.h"
#include "run.h"
#include "session.h"
#include "verify.h"

static int fail(const LunaError *error) {
  fprintf(stderr, "lunac: error: %s\n", error->message);
  return luna_error_exit_code(error->code);
}

static int print_text(LunaText *text) {
  fwrite(text->data, 1, text->length, stdout);
  luna_text_deinit(text);
  return 0;
}

static int print_help(const LunacOptions *options) {
  LunaText text = {0};
  luna_options_help(options->help_on, &text);
  return print_text(&text);
}

static int print_version(LunaArena *arena) {
  LunaError error = {0};
  printf("lunac %s, LLVM %s\n", LUNA_VERSION, luna_llvm_version(arena));
  return luna_check_llvm(arena, &error) ? 0 : fail(&error);
}

static int print_machines(LunaArena *arena) {
  const char **names = NULL;
  uint64_t count = 0;
  LunaError error = {0};
  LunaText text = {0};
  if (!luna_machine_list(NULL, arena, &names, &count, &error))
    return fail(&error);
  for (uint64_t i = 0; i < count; ++i) {
    LunaMachine machine;
    if (!luna_machine_load(names[i], NULL, &machine, &error)) {
      luna_text_deinit(&text);
      return fail(&error);
    }
    luna_machine_describe(&machine, &text);
    luna_text_printf(&text, i + 1 < count ? "\n" : "");
  }
  return count > 0 ? print_text(&text) : 0;
}

static int print_strategies(void) {
  for (uint32_t i = 0; i < luna_strategy_count(); ++i)
    printf("%-30s%s\n", luna_strategy_name(i), luna_strategy_summary(i));
  return 0;
}

static int run_cache(const LunacOptions *options) {
  LunaText text = {0};
  LunaError error = {0};
  bool ok = luna_cache_command(options, &text, &error);
  if (text.length > 0)
    print_text(&text);
  return ok ? 0 : fail(&error);
}

static int run_batch(const LunacOptions *options, LunaArena *arena) {
  LunaError error = {0};
  int code = 0;
  return luna_batch(options, arena, &code, &error) ? code : fail(&error);
}

static int print_completions(const LunacOptions *options, LunaArena *arena) {
  LunaText text = {0};
  luna_complete(options->words, options->word_count, arena, &text);
  return text.length > 0 ? print_text(&text) : 0;
}

static const char *unknown_strategy(LunaArena *arena, const char *name) {
  LunaText known = {0};
  for (uint32_t i = 0; i < luna_strategy_count(); ++i)
    luna_text_printf(&known, "%s%s", i > 0 ? ", " : "", luna_strategy_name(i));
  const char *message =
      luna_arena_printf(arena, "unknown strategy '%s', allowed are %s", name,
                        known.data ? known.data : "");
  luna_text_deinit(&known);
  return message;
}

static int run_session(const LunacOptions *options, LunaArena *arena) {
  LunaError error = {0};
  LunacSession session;
  if (!luna_strategy_exists(options->strategy)) {
    luna_error_set(&error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM, "%s",
                   unknown_strategy(arena, options->strategy));
    return fail(&error);
  }
  int code = 0;
  if (!luna_session_open(&session, options, arena, &error))
    code = fail(&error);
  else if (options->command == LUNAC_COMPILE)
    code = luna_compile(&session);
  else if (options->command == LUNAC_IMPORT)
    code = luna_import_model(&session);
  else if (options->command == LUNAC_VERIFY)
    code = luna_verify_file(&session);
  else
    code = luna_run(&session);
  luna_session_close(&session);
  return code;
}

static int run(const LunacOptions *options, LunaArena *arena) {
  switch (options->command) {
  case LUNAC_HELP:
    return print_help(options);
  case LUNAC_VERSION:
    return print_version(arena);
  case LUNAC_MACHINES:
    return print_machines(arena);
  case LUNAC_STRATEGIES:
    return print_strategies();
  case LUNAC_CACHE:
    return run_cache(options);
  case LUNAC_BATCH:
    return run_batch(options, arena);
  case LUNAC_COMPLETE:
    return print_completions(options, arena);
  case LUNAC_COMPILE:
  case LUNAC_RUN:
  case LUNAC_IMPORT:
  case LUNAC_VERIFY:
    return run_session(options, arena);
  }
  return 2;
}

// What went to standard output may not have arrived.
static int finish_output(int code) {
  LunaError error = {0};
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  luna_error_set(&error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                 "cannot write 'standard output': %s", strerror(errno));
  return code == 0 ? fail(&error) : code;
}

int main(int argc, char **argv) {
  LunaArena arena = {0};
  LunacOptions options;
  LunaError error = {0};
  int code = luna_options_read(argc, argv, &arena, &options, &error)
                 ? run(&options, &arena)
                 : fail(&error);
  luna_arena_destroy(&arena);
  return finish_output(code);
}
