// Branches whose regions yield other sizes: each yields the same bound, and how
// much of that is valid.

#include "luna-c/bounded_sizes.h"
#include "luna-c/build_scalar.h"

static MlirValue yield_of(const LunaValidLengths *lengths, MlirOperation op,
                          intptr_t r, intptr_t k) {
  MlirOperation end = mlirBlockGetTerminator(luna_body(op, r));
  return luna_valid_now(lengths, mlirOperationGetOperand(end, k));
}

// Notes that dimension `d` is valid; false if another one is.
static bool set_axis(int *axis, int d) {
  bool is_same = *axis < 0 || *axis == d;
  *axis = d;
  return is_same;
}

bool luna_valid_merge(const LunaValidLengths *lengths, MlirOperation op,
                      intptr_t k, int *axis, int64_t *most) {
  MlirValue first = yield_of(lengths, op, 0, k);
  MlirType type = mlirValueGetType(first);
  *axis = luna_valid_open_axis(mlirValueGetType(mlirOperationGetResult(op, k)));
  *most = 1;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirValue value = yield_of(lengths, op, r, k);
    const LunaValidLength *valid = luna_valid_find(lengths, value);
    if (valid && !set_axis(axis, valid->axis))
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
    int64_t extent = luna_extent(yield_of(lengths, op, r, k), *axis);
    *most = extent > *most ? extent : *most;
  }
  return true;
}

MlirValue luna_valid_count(const LunaValidLengths *lengths, LunaBuilder *b,
                           MlirValue value, int axis) {
  const LunaValidLength *valid = luna_valid_find(lengths, value);
  return valid ? valid->count : luna_scalar_index(b, luna_extent(value, axis));
}

// Has each region yield `bound` indices of result `k`, and how many are valid.
static void yield_bound(const LunaValidLengths *lengths, MlirOperation op,
                        intptr_t k, int axis, int64_t bound, MlirValue *count) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirValue value = yield_of(lengths, op, r, k);
    MlirOperation end = mlirBlockGetTerminator(luna_body(op, r));
    LunaBuilder b = luna_builder_before(end, end);
    *count = luna_valid_count(lengths, &b, value, axis);
    mlirOperationSetOperand(end, k, luna_valid_fit(&b, value, axis, bound));
    luna_add_yields(lengths->arena, luna_body(op, r), count, 1);
  }
}

MlirOperation luna_valid_join(LunaValidLengths *lengths, MlirOperation op,
                              const int *axes, const int64_t *bounds) {
  intptr_t results = mlirOperationGetNumResults(op), count = 0;
  MlirValue *counts = LUNA_ARENA_ARRAY(lengths->arena, MlirValue, results);
  for (intptr_t k = 0; k < results; ++k) {
    if (axes[k] < 0)
      continue;
    MlirValue result = mlirOperationGetResult(op, k);
    LunaShape shape = luna_shape_of(yield_of(lengths, op, 0, k));
    shape.dims[axes[k]] = bounds[k];
    yield_bound(lengths, op, k, axes[k], bounds[k], &counts[count++]);
    mlirValueSetType(result, luna_tensor_type(luna_element_of(result), &shape));
  }
  if (count == 0)
    return op;
  op = luna_add_results(lengths->arena, op, counts, count);
  intptr_t at = results;
  for (intptr_t k = 0; k < results; ++k)
    if (axes[k] >= 0) {
      LunaValidLength valid = {.count = mlirOperationGetResult(op, at++)};
      luna_valid_set(lengths, mlirOperationGetResult(op, k), &valid, axes[k]);
    }
  return op;
}
