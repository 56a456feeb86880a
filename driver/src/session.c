#include "session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnostics.h"
#include "dimensions.h"
#include "luna-c/run_passes.h"
#include "luna/cache.h"
#include "luna/context.h"
#include "progress.h"
#include "shared_cache.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"

//===- Versions -----------------------------------------------------------===//

const char *luna_llvm_version(LunaArena *arena) {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return luna_arena_printf(arena, "%u.%u.%u", major, minor, patch);
}

bool luna_check_llvm(LunaArena *arena, LunaError *error) {
  unsigned major = 0;
  LLVMGetVersion(&major, NULL, NULL);
  if (major == LLVM_VERSION_MAJOR)
    return true;
  return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "runs on LLVM %s, was built for %d",
                        luna_llvm_version(arena), LLVM_VERSION_MAJOR);
}

//===- Opening ------------------------------------------------------------===//

// A machine's file is part of a textual pipeline.
static bool is_quotable(const char *path) { return !strpbrk(path, "{}\"'"); }

static const char *choose_cache(const LunacOptions *options, LunaArena *arena) {
  char *folder = luna_cache_choose_folder(options->cache);
  const char *copy = luna_arena_printf(arena, "%s", folder ? folder : "");
  free(folder);
  return copy;
}

static LunaMemory *memory_named(LunaMachine *machine, const char *name) {
  if (strcmp(name, "shared") == 0)
    return &machine->shared;
  return strcmp(name, "psram") == 0 ? &machine->psram : NULL;
}

// Takes the addresses of --base-address in place of the machine file's.
static bool place_memories(LunacSession *session, LunaError *error) {
  const LunaStrings *given = &session->options->base_addresses;
  for (uint64_t i = 0; i < given->count; ++i) {
    const char *name = NULL;
    const char *text =
        luna_split_setting(given->items[i], session->arena, &name);
    LunaMemory *memory = text ? memory_named(&session->machine, name) : NULL;
    char *end = NULL;
    uint64_t address = memory && *text != '-' ? strtoull(text, &end, 0) : 0;
    if (!end || end == text || *end || address > UINT32_MAX ||
        address % session->machine.alignment_bytes != 0)
      return luna_error_set(error, LUNA_ERROR_INPUT, i,
                            "--base-address=%s: not of the form MEMORY=ADDRESS "
                            "with memory shared or psram and a multiple of "
                            "%" PRIu64 " below 2^32",
                            given->items[i], session->machine.alignment_bytes);
    memory->base_address = address;
  }
  return true;
}

bool luna_session_open(LunacSession *session, const LunacOptions *options,
                       LunaArena *arena, LunaError *error) {
  *session = (LunacSession){
      .options = options,
      .arena = arena,
      .cache_folder = choose_cache(options, arena),
      .wants_transient = isatty(STDERR_FILENO),
  };
  if (!is_quotable(options->machine))
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "machine file '%s' has a brace or quote in its name",
                          options->machine);
  if (*session->cache_folder && !luna_shared_cache_set_up(options, error))
    return false;
  if (!luna_check_llvm(arena, error) ||
      !luna_machine_load(options->machine, NULL, &session->machine, error) ||
      !place_memories(session, error))
    return false;
  if (!luna_context_create(options->plugin, arena, &session->context, error))
    return false;
  luna_diagnostics_attach(session);
  return true;
}

void luna_session_close(LunacSession *session) {
  luna_progress_end(session);
  if (!mlirContextIsNull(session->context))
    mlirContextDestroy(session->context);
  luna_text_deinit(&session->words);
}

//===- Pipelines ----------------------------------------------------------===//

typedef bool (*RunPasses)(MlirModule module, const char *passes,
                          const char *otherwise, LunaError *error);

static bool run(LunacSession *session, RunPasses run_passes, MlirModule module,
                const char *pipeline, const char *otherwise) {
  LunaError error = {0};
  session->has_diagnosed = false;
  bool is_done = run_passes(module, pipeline, otherwise, &error);
  if (!is_done && !session->has_diagnosed)
    luna_diagnose(session, error.message);
  return is_done;
}

bool luna_session_run(LunacSession *session, MlirModule module,
                      const char *pipeline, const char *otherwise) {
  return run(session, luna_run_passes, module, pipeline, otherwise);
}

bool luna_session_check(LunacSession *session, MlirModule module,
                        const char *pipeline, const char *otherwise) {
  return run(session, luna_run_checks, module, pipeline, otherwise);
}
