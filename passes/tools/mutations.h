#ifndef LUNA_MUTATIONS_H
#define LUNA_MUTATIONS_H

// Faults injected into planned functions, to test the checkers. Each one is
// wrong by construction: a transfer not awaited exactly once, bytes used before
// their wait, a second transfer in flight on a machine with one, a buffer moved
// onto one that is read later, a transfer larger than its target, a branch that
// yields another buffer.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"

typedef enum LunaMutationKind {
  LUNA_MUTATION_WAIT_DELETED,
  LUNA_MUTATION_WAIT_DOUBLED,
  LUNA_MUTATION_WAIT_MOVED,
  LUNA_MUTATION_START_MOVED,
  LUNA_MUTATION_OFFSET_MOVED,
  LUNA_MUTATION_STAGING_SHRUNK,
  LUNA_MUTATION_YIELD_REDIRECTED,
  LUNA_MUTATION_KIND_COUNT,
} LunaMutationKind;

/// Returns the name of a kind, such as "wait-deleted".
const char *luna_mutation_name(LunaMutationKind kind);

/// Returns the number of possible faults of this kind in `func`.
uint32_t luna_mutation_count(MlirOperation func, LunaMutationKind kind);

/// Injects fault `index` of a kind into `func`. Returns the path that shows it,
/// as `if0=then,if1=else` (empty if every path does), from `arena`.
const char *luna_mutation_apply(MlirOperation func, LunaMutationKind kind,
                                uint32_t index, LunaArena *arena);

#endif // LUNA_MUTATIONS_H
