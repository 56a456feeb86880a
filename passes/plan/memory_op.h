#ifndef LUNA_MEMORY_OP_H
#define LUNA_MEMORY_OP_H

// One op of a function as steps of its planning problem.

#include "memory_problem.h"
#include "touches.h"

/// What an op does to a root.
typedef struct LunaRootTouch {
  uint32_t root;
  LunaTouch touch;
  uint32_t
      value_count; ///< of its operands and captured values that point to it
} LunaRootTouch;

/// The op that is being built, and what is built of every op.
typedef struct LunaMemoryOp {
  LunaMemoryProblem *memory;
  const LunaMachine *machine; ///< whose operators may work in place, or NULL
  bool has_staging;           ///< weights lie in shared memory while in use
  int64_t align_bytes;        ///< of staging
  MlirOperation op;
  uint32_t number; ///< of the op, in program order
  LUNA_VECTOR(LunaRootTouch) touches;
  uint32_t *touch_of_root; ///< by root: its index in `touches`, if it is there
} LunaMemoryOp;

/// Returns the name that the location of `op` gives it, or a null string.
MlirStringRef luna_given_name(MlirOperation op);

/// Sets `op`, and finds what it touches.
void luna_memory_op_read(LunaMemoryOp *self, MlirOperation op, uint32_t number);

/// Adds the steps of the op to the problem: none if it touches no buffer, a
/// move for a copy of all of one buffer to all of another, steps around moves
/// if it may work in place, else one.
void luna_memory_op_build(const LunaMemoryOp *self);

#endif // LUNA_MEMORY_OP_H
