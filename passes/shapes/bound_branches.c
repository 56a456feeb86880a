// Branches whose regions yield other sizes: each yields the largest, and how
// much of that is valid.

#include "bound_shapes.h"

bool luna_bound_branch(LunaBounder *bounder, MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op);
  int *axes = LUNA_ARENA_ARRAY(bounder->arena, int, results);
  int64_t *bounds = LUNA_ARENA_ARRAY(bounder->arena, int64_t, results);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)) &&
        !bounder->bound_block(bounder, luna_body(op, r)))
      return false;
  for (intptr_t k = 0; k < results; ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, k));
    axes[k] = -1;
    if (luna_is_open(type) &&
        (luna_valid_open_axis(type) < 0 ||
         !luna_valid_merge(&bounder->lengths, op, k, &axes[k], &bounds[k])))
      return luna_refuse_open(op, -1, "");
  }
  luna_valid_join(&bounder->lengths, op, axes, bounds);
  return true;
}
