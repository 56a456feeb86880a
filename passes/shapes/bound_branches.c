// Branches whose regions yield other sizes: each yields the largest, and how
// much of that is live.

#include "bound_shapes.h"

#include "luna-c/build_tosa.h"

// The bound of result `k`, the largest that a region yields.
static int64_t bound_of_yields(const LunaBounder *bounder, MlirOperation op,
                               intptr_t k, int axis) {
  int64_t bound = 1;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirOperation end = mlirBlockGetTerminator(luna_body(op, r));
    MlirValue value =
        luna_live_now(&bounder->lives, mlirOperationGetOperand(end, k));
    int64_t extent = luna_extent(value, axis);
    bound = extent > bound ? extent : bound;
  }
  return bound;
}

// Has each region yield `bound` indices of result `k`, and how many are live.
static bool yield_bound(LunaBounder *bounder, MlirOperation op, intptr_t k,
                        int axis, int64_t bound, MlirValue *count) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    MlirOperation end = mlirBlockGetTerminator(block);
    LunaBuilder b = luna_builder_before(end, end);
    MlirValue value =
        luna_live_now(&bounder->lives, mlirOperationGetOperand(end, k));
    const LunaLive *live = luna_live_find(&bounder->lives, value);
    if (!live || live->axis != axis)
      return luna_refuse_open(op, axis, "a region yields another one");
    *count = live->count;
    mlirOperationSetOperand(end, k, luna_live_fit(&b, value, axis, bound));
    luna_add_yields(bounder->arena, block, count, 1);
  }
  return true;
}

// The counts are further results, which all come at once: op is another one
// then.
bool luna_bound_branch(LunaBounder *bounder, MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op), count = 0;
  MlirValue *counts = LUNA_ARENA_ARRAY(bounder->arena, MlirValue, results);
  int *axes = LUNA_ARENA_ARRAY(bounder->arena, int, results);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)) &&
        !bounder->bound_block(bounder, luna_body(op, r)))
      return false;
  for (intptr_t k = 0; k < results; ++k) {
    MlirValue result = mlirOperationGetResult(op, k);
    MlirType type = mlirValueGetType(result);
    axes[k] = luna_live_open_axis(type);
    if (!luna_is_open(type))
      continue;
    if (axes[k] < 0)
      return luna_refuse_open(op, axes[k], "");
    int64_t bound = bound_of_yields(bounder, op, k, axes[k]);
    if (!yield_bound(bounder, op, k, axes[k], bound, &counts[count++]))
      return false;
    mlirValueSetType(result, luna_bounded_type(type, axes[k], bound));
  }
  if (count == 0)
    return true;
  op = luna_add_results(bounder->arena, op, counts, count);
  intptr_t at = results;
  for (intptr_t k = 0; k < results; ++k)
    if (axes[k] >= 0) {
      LunaLive live = {.count = mlirOperationGetResult(op, at++)};
      luna_live_set(&bounder->lives, mlirOperationGetResult(op, k), &live,
                    axes[k]);
    }
  return true;
}
