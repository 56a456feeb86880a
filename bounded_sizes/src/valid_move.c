// Operators that move elements.

#include "valid_rules.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "luna/checked.h"

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

// Pieces one behind the other: each covers what was dead of those before.
static MlirValue append(const LunaValidLengths *lengths, LunaBuilder *b,
                        MlirOperation op, MlirType type,
                        LunaValidLength *valid) {
  MlirValue into = luna_build_splat(b, type, 0);
  int axis = valid->axis;
  valid->count = luna_scalar_index(b, 0);
  valid->stated = (MlirValue){NULL};
  valid->is_zero_behind = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    const LunaValidLength *own = luna_valid_find(lengths, piece);
    int64_t extent = luna_extent(piece, axis);
    MlirValue at =
        luna_scalar_clamp(b, valid->count, 0, luna_extent(into, axis) - extent);
    into = luna_build_insert_at(b, piece, into, axis, at);
    valid->count = luna_scalar_add(
        b, valid->count, own ? own->count : luna_scalar_index(b, extent));
    valid->is_zero_behind &= !own || own->is_zero_behind;
  }
  return into;
}

static bool concat_along(LunaValidLengths *lengths, MlirOperation op,
                         const LunaValidLength *first) {
  LunaBuilder b = luna_builder_before(op, op);
  LunaValidLength valid = *first;
  LunaShape shape = luna_shape_of(valid.value);
  shape.dims[valid.axis] = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    const LunaValidLength *own = luna_valid_find(lengths, piece);
    if (own && own->axis != valid.axis)
      return luna_valid_refuse_pair(lengths, first, own);
    if (!luna_checked_add(shape.dims[valid.axis],
                          luna_extent(piece, valid.axis),
                          &shape.dims[valid.axis]))
      return luna_valid_refuse(lengths, first, "its bounds sum to too much");
  }
  MlirType type = luna_tensor_type(luna_element_of(valid.value), &shape);
  MlirValue made = append(lengths, &b, op, type, &valid);
  luna_valid_set(lengths, made, &valid, valid.axis);
  luna_valid_replace(lengths, op, 0, made);
  return true;
}

bool luna_valid_rule_concat(LunaValidLengths *lengths, MlirOperation op) {
  int64_t axis = luna_attr_int(op, "axis", luna_attr_int(op, "dim", 0));
  const LunaValidLength *valid = luna_valid_operand(lengths, op);
  if (!valid)
    return luna_valid_refuse_axis(lengths, (int)axis);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaValidLength *own =
        luna_valid_find(lengths, mlirOperationGetOperand(op, i));
    if (own && own->axis == axis)
      return concat_along(lengths, op, own);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaValidLength *own =
        luna_valid_find(lengths, mlirOperationGetOperand(op, i));
    if (!own)
      return luna_valid_refuse(lengths, valid, "another input has a known one");
    if (own->axis != valid->axis || !luna_valid_same(own, valid))
      return luna_valid_refuse_pair(lengths, valid, own);
    if (luna_extent(own->value, own->axis) !=
        luna_extent(valid->value, valid->axis))
      return luna_valid_refuse(lengths, valid,
                               "another input has another bound");
  }
  LunaValidLength own = *valid;
  luna_valid_give(lengths, op, 0, &own, own.axis,
                  luna_extent(own.value, own.axis));
  return true;
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

static int64_t product(const LunaShape *shape, int first, int last) {
  int64_t elements = 1;
  for (int d = first; d < last; ++d)
    elements *= shape->dims[d];
  return elements;
}

// The dimension of `to` that counts what dimension `axis` of `from` counts:
// what is valid is the first part of each of the parts that the dimensions
// before it make. Of several of one index, the one at the same place from the
// end. Else the one that counts the same elements in other rows; -1 for none.
static int place_of(const LunaShape *from, int axis, const LunaShape *to) {
  int64_t before = product(from, 0, axis), extent = from->dims[axis];
  int64_t behind = product(from, axis + 1, from->rank);
  int at = -1;
  for (int d = 0; d < to->rank; ++d)
    if (product(to, 0, d) == before && to->dims[d] == extent &&
        product(to, d + 1, to->rank) == behind &&
        (at < 0 || d == axis + to->rank - from->rank))
      at = d;
  for (int d = 0; at < 0 && extent > 1 && d < to->rank; ++d)
    if (product(to, 0, d) == before && to->dims[d] > 1)
      at = d;
  return at;
}

// The count in rows of `to` elements where it was one in rows of `from`; false
// where that may be no whole number.
static bool scale_count(LunaBuilder *b, int64_t from, int64_t to,
                        MlirValue *count) {
  MlirOperation op = luna_defining_op(*count);
  int64_t times = 1;
  MlirValue base = *count;
  if (from == to)
    return true;
  if (from % to != 0 && luna_op_is(op, LUNA_OP_ARITH_MULI) &&
      luna_constant_number(mlirOperationGetOperand(op, 1), &times))
    base = mlirOperationGetOperand(op, 0);
  if (!luna_checked_mul(times, from, &times) || times % to != 0)
    return false;
  times /= to;
  *count = times == 1 ? base : luna_scalar_with(b, "arith.muli", base, times);
  return true;
}

// Of a result with an open dimension, the static shape.
static bool static_shape(MlirValue result, int64_t elements, LunaShape *shape) {
  MlirType type = mlirValueGetType(result);
  int open = luna_valid_open_axis(type);
  *shape = luna_shape_of(result);
  if (open < 0)
    return mlirShapedTypeHasStaticShape(type);
  shape->dims[open] = 1;
  int64_t others = product(shape, 0, shape->rank);
  shape->dims[open] = others > 0 ? elements / others : 0;
  return others > 0 && elements % others == 0;
}

// Gives the result what is valid of operand 0, whose elements it has.
static void give_moved(LunaValidLengths *lengths, MlirOperation op,
                       const LunaValidLength *valid, int axis, int64_t bound) {
  luna_valid_give(lengths, op, 0, valid, axis, bound);
  luna_valid_set(lengths, mlirOperationGetResult(op, 0), valid, axis);
}

// Makes the result one of shape `to`.
static void reshape(LunaValidLengths *lengths, MlirOperation op, LunaBuilder *b,
                    const LunaValidLength *valid, const LunaShape *to,
                    int axis) {
  if (luna_op_is(op, LUNA_OP_TOSA_RESHAPE)) {
    mlirOperationSetOperand(op, 1,
                            luna_build_const_shape(b, to->rank, to->dims));
    give_moved(lengths, op, valid, axis, to->dims[axis]);
    return;
  }
  MlirValue made = luna_build_reshape(b, valid->value, to);
  luna_valid_set(lengths, made, valid, axis);
  luna_valid_replace(lengths, op, 0, made);
}

bool luna_valid_rule_reshape(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  MlirValue result = mlirOperationGetResult(op, 0);
  int axis = luna_valid_open_axis(mlirValueGetType(result));
  LunaBuilder b = luna_builder_before(op, op);
  LunaShape to;
  if (!valid)
    return luna_valid_refuse_axis(lengths, axis);
  LunaValidLength own = *valid;
  MlirValue count = own.count;
  LunaShape from = luna_shape_of(own.value);
  bool is_kept = static_shape(result, product(&from, 0, from.rank), &to);
  if (is_kept && axis < 0)
    axis = place_of(&from, own.axis, &to);
  if (!is_kept || axis < 0 ||
      product(&from, 0, own.axis) != product(&to, 0, axis) ||
      !scale_count(&b, product(&from, own.axis + 1, from.rank),
                   product(&to, axis + 1, to.rank), &own.count))
    return luna_valid_refuse(lengths, valid, "a reshape must keep it as it is");
  if (!luna_same_value(count, own.count))
    own.stated = (MlirValue){NULL};
  reshape(lengths, op, &b, &own, &to, axis);
  return true;
}

//===----------------------------------------------------------------------===//
// Transpose, gather
//===----------------------------------------------------------------------===//

bool luna_valid_rule_transpose(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  int64_t perms[LUNA_RANK_MAX];
  if (!valid)
    return luna_valid_refuse_axis(lengths, 0);
  LunaValidLength own = *valid;
  int rank = luna_rank_of(own.value), to = 0;
  if (!luna_attr_ints(op, "perms", perms, rank))
    return luna_valid_refuse(lengths, valid,
                             "this operator is not supported for it");
  while (to + 1 < rank && perms[to] != own.axis)
    ++to;
  give_moved(lengths, op, &own, to, luna_extent(own.value, own.axis));
  return true;
}

// Values [N, K, C], indices [N, W], result [N, W, C]. Dead indices pick what is
// there.
bool luna_valid_rule_gather(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *values =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  const LunaValidLength *indices =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 1));
  if (!values && !indices)
    return luna_valid_refuse_axis(lengths, 0);
  if (values && indices)
    return luna_valid_refuse_pair(lengths, values, indices);
  const LunaValidLength *valid = values ? values : indices;
  if (valid->axis != (values ? 2 : 1))
    return luna_valid_refuse(lengths, valid,
                             values && valid->axis == 1
                                 ? "an index into it cannot be checked"
                                 : "the other operand has a known one");
  LunaValidLength own = *valid;
  if (indices)
    luna_valid_mask_operand(lengths, op, 1, 0);
  luna_valid_give(lengths, op, 0, &own, own.axis,
                  luna_extent(own.value, own.axis));
  return true;
}
