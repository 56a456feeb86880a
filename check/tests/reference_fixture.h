#ifndef LUNA_REFERENCE_FIXTURE_H
#define LUNA_REFERENCE_FIXTURE_H

// Runs modules on this computer, by the upstream lowering alone.

#include <stdio.h>
#include <stdlib.h>

#include "luna/context.h"
#include "luna/reference.h"

/// Returns a context that knows all dialects and passes.
static inline MlirContext reference_context(void) {
  MlirContext context = {NULL};
  LunaArena arena = {0};
  LunaError error = {0};
  if (!luna_context_create(NULL, &arena, &context, &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  luna_arena_destroy(&arena);
  return context;
}

/// Compiles a module, which is changed; false, with the reason printed, where
/// that failed.
static inline bool open_reference(LunaReference *reference, MlirModule module) {
  enum { OPTIMISATION_LEVEL = 2 };
  LunaError error = {0};
  bool is_open =
      luna_reference_create(module, OPTIMISATION_LEVEL, reference, &error);
  if (!is_open)
    printf("%s\n", error.message);
  return is_open;
}

/// Runs once on the data of the arguments and fills that of the results.
static inline void run_reference(LunaReference *reference) {
  if (!luna_reference_run(reference, NULL, 0)) {
    fprintf(stderr, "cannot call the function\n");
    exit(1);
  }
}

#endif // LUNA_REFERENCE_FIXTURE_H
