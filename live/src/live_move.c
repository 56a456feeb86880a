// Operators that move elements.

#include "live_rules.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "luna/checked.h"

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

// Pieces one behind the other: each covers what was dead of those before.
static MlirValue append(const LunaLives *lives, LunaBuilder *b,
                        MlirOperation op, MlirType type, LunaLive *live) {
  MlirValue into = luna_build_splat(b, type, 0);
  int axis = live->axis;
  live->count = luna_scalar_index(b, 0);
  live->stated = (MlirValue){NULL};
  live->is_zero_behind = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    const LunaLive *own = luna_live_find(lives, piece);
    int64_t extent = luna_extent(piece, axis);
    MlirValue at =
        luna_scalar_clamp(b, live->count, 0, luna_extent(into, axis) - extent);
    into = luna_build_insert_at(b, piece, into, axis, at);
    live->count = luna_scalar_add(
        b, live->count, own ? own->count : luna_scalar_index(b, extent));
    live->is_zero_behind &= !own || own->is_zero_behind;
  }
  return into;
}

static bool concat_along(LunaLives *lives, MlirOperation op,
                         const LunaLive *first) {
  LunaBuilder b = luna_builder_before(op, op);
  LunaLive live = *first;
  LunaShape shape = luna_shape_of(live.value);
  shape.dims[live.axis] = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    const LunaLive *own = luna_live_find(lives, piece);
    if (own && own->axis != live.axis)
      return luna_live_refuse_pair(lives, first, own);
    if (!luna_checked_add(shape.dims[live.axis], luna_extent(piece, live.axis),
                          &shape.dims[live.axis]))
      return luna_live_refuse(lives, first, "its bounds sum to too much");
  }
  MlirType type = luna_tensor_type(luna_element_of(live.value), &shape);
  MlirValue made = append(lives, &b, op, type, &live);
  luna_live_set(lives, made, &live, live.axis);
  luna_live_replace(lives, op, 0, made);
  return true;
}

bool luna_live_rule_concat(LunaLives *lives, MlirOperation op) {
  int64_t axis = luna_attr_int(op, "axis", luna_attr_int(op, "dim", 0));
  const LunaLive *live = luna_live_operand(lives, op);
  if (!live)
    return luna_live_refuse_axis(lives, (int)axis);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaLive *own = luna_live_find(lives, mlirOperationGetOperand(op, i));
    if (own && own->axis == axis)
      return concat_along(lives, op, own);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaLive *own = luna_live_find(lives, mlirOperationGetOperand(op, i));
    if (!own)
      return luna_live_refuse(lives, live, "another input has a known one");
    if (own->axis != live->axis || !luna_live_same(own, live))
      return luna_live_refuse_pair(lives, live, own);
    if (luna_extent(own->value, own->axis) !=
        luna_extent(live->value, live->axis))
      return luna_live_refuse(lives, live, "another input has another bound");
  }
  LunaLive own = *live;
  luna_live_give(lives, op, 0, &own, own.axis,
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
// what is live is the first part of each of the parts that the dimensions
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
  if (from % to != 0 && !mlirOperationIsNull(op) &&
      luna_op_is(op, LUNA_OP_ARITH_MULI) &&
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
  int open = luna_live_open_axis(type);
  *shape = luna_shape_of(result);
  if (open < 0)
    return mlirShapedTypeHasStaticShape(type);
  shape->dims[open] = 1;
  int64_t others = product(shape, 0, shape->rank);
  shape->dims[open] = others > 0 ? elements / others : 0;
  return others > 0 && elements % others == 0;
}

// Gives the result what is live of operand 0, whose elements it has.
static void give_moved(LunaLives *lives, MlirOperation op, const LunaLive *live,
                       int axis, int64_t bound) {
  luna_live_give(lives, op, 0, live, axis, bound);
  luna_live_set(lives, mlirOperationGetResult(op, 0), live, axis);
}

// Makes the result one of shape `to`.
static void reshape(LunaLives *lives, MlirOperation op, LunaBuilder *b,
                    const LunaLive *live, const LunaShape *to, int axis) {
  if (luna_op_is(op, LUNA_OP_TOSA_RESHAPE)) {
    mlirOperationSetOperand(op, 1,
                            luna_build_const_shape(b, to->rank, to->dims));
    give_moved(lives, op, live, axis, to->dims[axis]);
    return;
  }
  MlirValue made = luna_build_reshape(b, live->value, to);
  luna_live_set(lives, made, live, axis);
  luna_live_replace(lives, op, 0, made);
}

bool luna_live_rule_reshape(LunaLives *lives, MlirOperation op) {
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  MlirValue result = mlirOperationGetResult(op, 0);
  int axis = luna_live_open_axis(mlirValueGetType(result));
  LunaBuilder b = luna_builder_before(op, op);
  LunaShape to;
  if (!live)
    return luna_live_refuse_axis(lives, axis);
  LunaLive own = *live;
  MlirValue count = own.count;
  LunaShape from = luna_shape_of(own.value);
  bool is_kept = static_shape(result, product(&from, 0, from.rank), &to);
  if (is_kept && axis < 0)
    axis = place_of(&from, own.axis, &to);
  if (!is_kept || axis < 0 ||
      product(&from, 0, own.axis) != product(&to, 0, axis) ||
      !scale_count(&b, product(&from, own.axis + 1, from.rank),
                   product(&to, axis + 1, to.rank), &own.count))
    return luna_live_refuse(lives, live, "a reshape must keep it as it is");
  if (!luna_same_value(count, own.count))
    own.stated = (MlirValue){NULL};
  reshape(lives, op, &b, &own, &to, axis);
  return true;
}

//===----------------------------------------------------------------------===//
// Transpose, gather
//===----------------------------------------------------------------------===//

bool luna_live_rule_transpose(LunaLives *lives, MlirOperation op) {
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  int64_t perms[LUNA_RANK_MAX];
  if (!live)
    return luna_live_refuse_axis(lives, 0);
  LunaLive own = *live;
  int rank = luna_rank_of(own.value), to = 0;
  if (!luna_attr_ints(op, "perms", perms, rank))
    return luna_live_refuse(lives, live,
                            "this operator is not supported for it");
  while (to + 1 < rank && perms[to] != own.axis)
    ++to;
  give_moved(lives, op, &own, to, luna_extent(own.value, own.axis));
  return true;
}

// Values [N, K, C], indices [N, W], result [N, W, C]. Dead indices pick what is
// there.
bool luna_live_rule_gather(LunaLives *lives, MlirOperation op) {
  const LunaLive *values =
      luna_live_find(lives, mlirOperationGetOperand(op, 0));
  const LunaLive *indices =
      luna_live_find(lives, mlirOperationGetOperand(op, 1));
  if (!values && !indices)
    return luna_live_refuse_axis(lives, 0);
  if (values && indices)
    return luna_live_refuse_pair(lives, values, indices);
  const LunaLive *live = values ? values : indices;
  if (live->axis != (values ? 2 : 1))
    return luna_live_refuse(lives, live,
                            values && live->axis == 1
                                ? "an index into it cannot be checked"
                                : "the other operand has a known one");
  LunaLive own = *live;
  if (indices)
    luna_live_mask_operand(lives, op, 1, 0);
  luna_live_give(lives, op, 0, &own, own.axis,
                 luna_extent(own.value, own.axis));
  return true;
}
