#ifndef LUNA_MEMORY_PROBLEM_H
#define LUNA_MEMORY_PROBLEM_H

// A function as the planner's problem: one step per op that touches memory.

#include "buffer_roots.h"
#include "luna/plan.h"
#include "mlir-c/IR.h"

/// A function and the planning problem made of it.
typedef struct LunaMemoryProblem {
  LunaArena *arena;
  LunaProblem *problem;
  LunaRoots *roots;
  /// For each root: its buffer in the problem, or LUNA_NO_BUFFER for one that
  /// does not lie in shared memory.
  LunaBufferId *buffer_of_root;
  /// For each root: the id that all roots in the same place share.
  uint32_t *place_of_root;
} LunaMemoryProblem;

enum { LUNA_NO_BUFFER = UINT32_MAX };

/// Builds the planning problem of `func` in `arena`.
///
/// Buffers are the shared-memory allocations, aligned to `align_bytes`, named
/// after what first touches them. Results of branches that were made in the
/// branches share one place. Emits an error and gives false for an allocation
/// of dynamic shape and for unstructured control flow.
bool luna_memory_problem_create(MlirOperation func, int64_t align_bytes,
                                LunaArena *arena, LunaMemoryProblem *memory);

#endif // LUNA_MEMORY_PROBLEM_H
