#ifndef LUNA_BOUND_SHAPES_H
#define LUNA_BOUND_SHAPES_H

// Control flow around tensors of a size that only the running program knows, as
// luna-bound-shapes rewrites it.

#include "luna-c/bounded_sizes.h"
#include "luna-c/ops.h"

typedef struct LunaBounder {
  LunaArena *arena;
  MlirOperation func;
  LunaValidLengths lengths;
  /// Loops that were read for their bounds; `lengths` knows their values.
  LUNA_VECTOR(MlirOperation) abandoned;
  /// Rewrites the operators of a block, and those in them; false after an
  /// error.
  bool (*bound_block)(struct LunaBounder *bounder, MlirBlock block);
} LunaBounder;

/// Rewrites a branch, or a loop, with what is in it, and gives its results
/// valid counts; false after an error.
bool luna_bound_branch(LunaBounder *bounder, MlirOperation op);
bool luna_bound_loop(LunaBounder *bounder, MlirOperation op);

/// Returns true if a type leaves a dimension open.
bool luna_is_open(MlirType type);
/// Returns the static type that a value of an open type gets.
MlirType luna_bounded_type(MlirType type, int axis, int64_t bound);
/// Emits an error for an operator that is not handled, of one dimension or, if
/// that is -1, of several; returns false.
bool luna_refuse_open(MlirOperation op, int axis, const char *why);

#endif // LUNA_BOUND_SHAPES_H
