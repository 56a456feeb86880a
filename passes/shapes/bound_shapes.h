#ifndef LUNA_BOUND_SHAPES_H
#define LUNA_BOUND_SHAPES_H

// Tensors of a size that only the running program knows, as luna-bound-shapes
// rewrites them.

#include "luna-c/builder.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/map.h"
#include "luna/vector.h"

/// A tensor that has its bound: how many indices of a dimension are live. The
/// count may be above the bound where the program goes beyond its slices.
typedef struct LunaLive {
  MlirValue value;
  int axis;
  MlirValue count; ///< an index, 0 or more
} LunaLive;

typedef struct LunaBounder {
  LunaArena *arena;
  MlirOperation func;
  LunaMap values; ///< of `lives`, by value
  LUNA_VECTOR(LunaLive) lives;
} LunaBounder;

/// Returns what is live of a value, or NULL.
const LunaLive *luna_find_live(const LunaBounder *bounder, MlirValue value);
void luna_add_live(LunaBounder *bounder, MlirValue value, int axis,
                   MlirValue count);

/// Returns the one open dimension of a type; -1 for none, or several.
int luna_open_axis(MlirType type);

/// Emits an error for an operator that is not handled, and returns false.
bool luna_refuse_open(MlirOperation op, int axis);

/// Rewrites a tensor.extract_slice with an open result, or a
/// tensor.insert_slice of what is live; false after an error (bound_slices.c).
bool luna_bound_extract_slice(LunaBounder *bounder, MlirOperation op);
bool luna_bound_insert_slice(LunaBounder *bounder, MlirOperation op);

#endif // LUNA_BOUND_SHAPES_H
