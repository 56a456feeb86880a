#ifndef LUNA_MEMORY_PROBLEM_H
#define LUNA_MEMORY_PROBLEM_H

// A function as a planning problem: one step per op that touches memory.

#include "buffer_roots.h"
#include "luna/machine.h"
#include "luna/plan.h"
#include "luna/vector.h"
#include "mlir-c/IR.h"

/// An op, and the first of its steps.
typedef struct LunaMemoryStep {
  MlirOperation op;
  LunaStepId step;
} LunaMemoryStep;

/// What gives a root the contents of another, or may be taken to: a copy, or an
/// operator that may write its output over an operand.
typedef struct LunaMemoryMove {
  MlirOperation op;
  uint32_t from_root, to_root;
} LunaMemoryMove;

/// A function and its planning problem.
typedef struct LunaMemoryProblem {
  LunaArena *arena;
  LunaProblem *problem;
  LunaRoots *roots;
  /// For each root: its buffer in the problem, or LUNA_NO_BUFFER if it is not
  /// in shared memory.
  LunaBufferId *buffer_of_root;
  /// For each root: the id that all its aliases share.
  uint32_t *place_of_root;
  /// The ops that touch shared memory, in program order.
  LUNA_VECTOR(LunaMemoryStep) steps;
  /// The moves of the problem, by LunaMoveId.
  LUNA_VECTOR(LunaMemoryMove) moves;
} LunaMemoryProblem;

#define LUNA_NO_BUFFER UINT32_MAX

/// Builds the planning problem of `func` in `arena`.
///
/// Buffers are the shared-memory allocations, aligned to `align_bytes`, named
/// after the first op that touches them. The values of the branches of one
/// result are aliases if they were allocated in the branches. A copy of all of
/// one to all of another is a move. Emits an error and returns false for an
/// allocation of dynamic shape and for unstructured control flow.
bool luna_memory_problem_create(MlirOperation func, int64_t align_bytes,
                                LunaArena *arena, LunaMemoryProblem *memory);

/// Builds the problem of a block of `func` as if it were the program. Sets
/// `is_apart` if it touches no buffer that is allocated outside.
bool luna_memory_problem_create_part(MlirOperation func, MlirBlock block,
                                     int64_t align_bytes, LunaArena *arena,
                                     LunaMemoryProblem *memory, bool *is_apart);

/// Builds the problem of the function for luna_plan_coalesce, on `machine`: an
/// operator that may write its output over an operand has a move from it, too,
/// which takes no time. With `has_staging`, the least is in it, too.
bool luna_memory_problem_create_in_place(MlirOperation func,
                                         const LunaMachine *machine,
                                         bool has_staging, LunaArena *arena,
                                         LunaMemoryProblem *memory);

/// Builds the same problem with the least staging, before there is any: each
/// operator of the unit has a buffer of its own for the weights that it reads
/// from PSRAM.
bool luna_memory_problem_create_staged(MlirOperation func, int64_t align_bytes,
                                       LunaArena *arena,
                                       LunaMemoryProblem *memory);

#endif // LUNA_MEMORY_PROBLEM_H
