// Branches whose regions yield other sizes: each yields the same bound, and how
// much of that is live.

#include "luna-c/build_scalar.h"
#include "luna-c/live.h"

static MlirValue yield_of(const LunaLives *lives, MlirOperation op, intptr_t r,
                          intptr_t k) {
  MlirOperation end = mlirBlockGetTerminator(luna_body(op, r));
  return luna_live_now(lives, mlirOperationGetOperand(end, k));
}

// Notes that dimension `d` is live; false if another one is.
static bool set_axis(int *axis, int d) {
  bool is_same = *axis < 0 || *axis == d;
  *axis = d;
  return is_same;
}

bool luna_live_merge(const LunaLives *lives, MlirOperation op, intptr_t k,
                     int *axis, int64_t *most) {
  MlirValue first = yield_of(lives, op, 0, k);
  MlirType type = mlirValueGetType(first);
  *axis = luna_live_open_axis(mlirValueGetType(mlirOperationGetResult(op, k)));
  *most = 1;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirValue value = yield_of(lives, op, r, k);
    const LunaLive *live = luna_live_find(lives, value);
    if (live && !set_axis(axis, live->axis))
      return false;
    if (mlirTypeEqual(mlirValueGetType(value), type))
      continue;
    if (!mlirTypeIsARankedTensor(type) ||
        !mlirTypeIsARankedTensor(mlirValueGetType(value)) ||
        luna_rank_of(value) != luna_rank_of(first))
      return false;
    for (int d = 0; d < luna_rank_of(value); ++d)
      if (luna_extent(value, d) != luna_extent(first, d) && !set_axis(axis, d))
        return false;
  }
  for (intptr_t r = 0; *axis >= 0 && r < mlirOperationGetNumRegions(op); ++r) {
    int64_t extent = luna_extent(yield_of(lives, op, r, k), *axis);
    *most = extent > *most ? extent : *most;
  }
  return true;
}

MlirValue luna_live_count(const LunaLives *lives, LunaBuilder *b,
                          MlirValue value, int axis) {
  const LunaLive *live = luna_live_find(lives, value);
  return live ? live->count : luna_scalar_index(b, luna_extent(value, axis));
}

// Has each region yield `bound` indices of result `k`, and how many are live.
static void yield_bound(const LunaLives *lives, MlirOperation op, intptr_t k,
                        int axis, int64_t bound, MlirValue *count) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirValue value = yield_of(lives, op, r, k);
    MlirOperation end = mlirBlockGetTerminator(luna_body(op, r));
    LunaBuilder b = luna_builder_before(end, end);
    *count = luna_live_count(lives, &b, value, axis);
    mlirOperationSetOperand(end, k, luna_live_fit(&b, value, axis, bound));
    luna_add_yields(lives->arena, luna_body(op, r), count, 1);
  }
}

MlirOperation luna_live_join(LunaLives *lives, MlirOperation op,
                             const int *axes, const int64_t *bounds) {
  intptr_t results = mlirOperationGetNumResults(op), count = 0;
  MlirValue *counts = LUNA_ARENA_ARRAY(lives->arena, MlirValue, results);
  for (intptr_t k = 0; k < results; ++k) {
    if (axes[k] < 0)
      continue;
    MlirValue result = mlirOperationGetResult(op, k);
    LunaShape shape = luna_shape_of(yield_of(lives, op, 0, k));
    shape.dims[axes[k]] = bounds[k];
    yield_bound(lives, op, k, axes[k], bounds[k], &counts[count++]);
    mlirValueSetType(result, luna_tensor_type(luna_element_of(result), &shape));
  }
  if (count == 0)
    return op;
  op = luna_add_results(lives->arena, op, counts, count);
  intptr_t at = results;
  for (intptr_t k = 0; k < results; ++k)
    if (axes[k] >= 0) {
      LunaLive live = {.count = mlirOperationGetResult(op, at++)};
      luna_live_set(lives, mlirOperationGetResult(op, k), &live, axes[k]);
    }
  return op;
}
