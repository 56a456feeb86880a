#include "along_axis.h"

#include "luna-c/build_generic.h"
#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinTypes.h"

// The shape without one dimension, and the loops of the others.
static LunaShape without(const LunaShape *shape, int axis, int *loops) {
  LunaShape rest = {.rank = 0};
  for (int i = 0; i < shape->rank; ++i) {
    if (i == axis)
      continue;
    loops[rest.rank] = i;
    rest.dims[rest.rank++] = shape->dims[i];
  }
  return rest;
}

static MlirValue zeros(LunaBuilder *b, MlirType element,
                       const LunaShape *shape) {
  return luna_build_splat(b, luna_tensor_type(element, shape), 0);
}

MlirValue luna_running_sum(LunaBuilder *b, MlirValue value, int axis,
                           bool is_exclusive, bool is_reverse) {
  LunaShape shape = luna_shape_of(value);
  int others[LUNA_RANK_MAX];
  LunaShape rest = without(&shape, axis, others);
  MlirType element = luna_element_of(value);
  MlirValue totals = zeros(b, element, &rest), next[2];
  if (is_reverse)
    value = luna_build_reverse(b, value, axis);
  LunaGeneric generic = luna_generic(b, &shape);
  luna_generic_in_order(&generic, axis);
  MlirValue own = luna_generic_input(&generic, value);
  luna_generic_result(&generic, element);
  MlirValue before = luna_generic_update_at(&generic, totals, others);
  next[1] = luna_scalar_add(b, before, own);
  next[0] = is_exclusive ? before : next[1];
  MlirOperation op = luna_generic_close(&generic, next);
  MlirValue sums = mlirOperationGetResult(op, 0);
  return is_reverse ? luna_build_reverse(b, sums, axis) : sums;
}

//===----------------------------------------------------------------------===//
// The first in order
//===----------------------------------------------------------------------===//

static MlirType key_type(LunaBuilder *b, MlirType element) {
  return mlirTypeIsAF32(element)   ? b->i32
         : mlirTypeIsAF64(element) ? b->i64
                                   : element;
}

// An integer in the order of a floating-point number: a core that computes
// floats in software compares integers instead, `count` times for each.
static MlirValue sort_key(LunaBuilder *b, MlirValue x) {
  MlirType type = key_type(b, mlirValueGetType(x));
  if (mlirTypeEqual(type, mlirValueGetType(x)))
    return x;
  unsigned bits = mlirIntegerTypeGetWidth(type);
  MlirValue zero = luna_scalar_int(b, type, 0);
  MlirValue most =
      luna_scalar_int(b, type, (int64_t)(UINT64_MAX >> (65 - bits)));
  MlirValue raw = luna_scalar_to(b, "arith.bitcast", x, type);
  MlirValue size = luna_scalar(b, "arith.andi", raw, most);
  MlirValue key =
      luna_scalar_select(b, luna_scalar_compare(b, LUNA_LT, raw, zero),
                         luna_scalar_sub(b, zero, size), size);
  return luna_scalar_select(b, luna_scalar_compare(b, LUNA_NE, x, x), most,
                            key);
}

MlirValue luna_sort_keys(LunaBuilder *b, MlirValue value) {
  MlirType type = key_type(b, luna_element_of(value));
  if (mlirTypeEqual(type, luna_element_of(value)))
    return value;
  MlirValue element;
  LunaGeneric generic = luna_generic_map(b, 1, &value, type, &element);
  return luna_generic_end(&generic, sort_key(b, element));
}

// Each element goes into its place among the first, and what it displaces one
// place on. Places from the number of elements on are free.
MlirValue luna_first_places(LunaBuilder *b, MlirValue value, int axis,
                            int64_t count, LunaCompare before) {
  LunaShape shape = luna_shape_of(value), first = shape, loops = shape;
  int others[LUNA_RANK_MAX], own[LUNA_RANK_MAX], at_place[LUNA_RANK_MAX];
  LunaShape rest = without(&shape, axis, others);
  MlirType type = key_type(b, luna_element_of(value));
  loops.dims[loops.rank++] = first.dims[axis] = count;
  for (int i = 0; i < shape.rank; ++i)
    own[i] = at_place[i] = i;
  at_place[axis] = shape.rank;
  MlirValue keys = zeros(b, type, &first), places = zeros(b, b->i32, &first);
  MlirValue key = zeros(b, type, &rest), place = zeros(b, b->i32, &rest);
  LunaGeneric generic = luna_generic(b, &loops);
  luna_generic_in_order(&generic, shape.rank);
  MlirValue element = sort_key(b, luna_generic_input_at(&generic, value, own));
  MlirValue old_key = luna_generic_update_at(&generic, keys, at_place);
  MlirValue old_place = luna_generic_update_at(&generic, places, at_place);
  key = luna_generic_update_at(&generic, key, others);
  place = luna_generic_update_at(&generic, place, others);
  MlirValue index = luna_generic_index(&generic, axis);
  MlirValue at = luna_generic_index(&generic, shape.rank);
  MlirValue is_new =
      luna_scalar_compare(b, LUNA_EQ, at, luna_scalar_index(b, 0));
  key = luna_scalar_select(b, is_new, element, key);
  place = luna_scalar_select(
      b, is_new, luna_scalar_to(b, "arith.index_cast", index, b->i32), place);
  MlirValue moves = luna_scalar(
      b, "arith.ori", luna_scalar_compare(b, before, element, old_key),
      luna_scalar_compare(b, LUNA_GE, at, index));
  MlirValue next[4] = {luna_scalar_select(b, moves, key, old_key),
                       luna_scalar_select(b, moves, place, old_place),
                       luna_scalar_select(b, moves, old_key, key),
                       luna_scalar_select(b, moves, old_place, place)};
  return mlirOperationGetResult(luna_generic_close(&generic, next), 1);
}

MlirValue luna_take_places(LunaBuilder *b, MlirValue value, int axis,
                           MlirValue places) {
  MlirValue at[LUNA_RANK_MAX];
  LunaGeneric generic = luna_generic_over(b, places);
  MlirValue place = luna_generic_input(&generic, places);
  luna_generic_result(&generic, luna_element_of(value));
  for (int i = 0; i < luna_rank_of(value); ++i)
    at[i] = i == axis ? luna_scalar_to(b, "arith.index_cast", place, b->index)
                      : luna_generic_index(&generic, i);
  return luna_generic_end(&generic, luna_scalar_extract(b, value, at));
}
