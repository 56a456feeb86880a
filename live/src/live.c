// Tensors with live counts: who they are, masks, and what rules share.

#include "live_rules.h"

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"

//===----------------------------------------------------------------------===//
// Which they are
//===----------------------------------------------------------------------===//

const LunaLive *luna_live_find(const LunaLives *lives, MlirValue value) {
  uint32_t id = luna_map_find(&lives->ids, luna_map_pointer(value.ptr));
  return id == LUNA_MAP_ABSENT ? NULL : &lives->items.items[id];
}

const LunaLive *luna_live_operand(const LunaLives *lives, MlirOperation op) {
  const LunaLive *live = NULL;
  for (intptr_t i = 0; !live && i < mlirOperationGetNumOperands(op); ++i)
    live = luna_live_find(lives,
                          luna_live_now(lives, mlirOperationGetOperand(op, i)));
  return live;
}

void luna_live_set(LunaLives *lives, MlirValue value, const LunaLive *like,
                   int axis) {
  LunaLive live = *like;
  live.value = value;
  live.axis = axis;
  uint32_t id =
      luna_map_add(&lives->ids, lives->arena, luna_map_pointer(value.ptr));
  if (id == lives->items.count)
    LUNA_VECTOR_ADD(lives->arena, &lives->items);
  lives->items.items[id] = live;
}

MlirValue luna_live_now(const LunaLives *lives, MlirValue value) {
  uint32_t id = luna_map_find(&lives->replaced, luna_map_pointer(value.ptr));
  return id == LUNA_MAP_ABSENT ? value : lives->replacements.items[id];
}

int luna_live_open_axis(MlirType type) {
  int axis = -1;
  if (!mlirTypeIsARankedTensor(type))
    return -1;
  for (int d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d))
      continue;
    if (axis >= 0)
      return -1;
    axis = d;
  }
  return axis;
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

bool luna_live_refuse(LunaLives *lives, const LunaLive *live, const char *why) {
  lives->refused = *live;
  lives->other = (LunaLive){.axis = -1};
  lives->why = why;
  return false;
}

bool luna_live_refuse_axis(LunaLives *lives, int axis) {
  return luna_live_refuse(lives, &(LunaLive){.axis = axis},
                          axis < 0 ? "one size of a tensor may be"
                                   : "this operator is not supported for it");
}

bool luna_live_refuse_pair(LunaLives *lives, const LunaLive *a,
                           const LunaLive *b) {
  lives->refused = *a;
  lives->other = *b;
  lives->why = "and may differ";
  return false;
}

//===----------------------------------------------------------------------===//
// What rules share
//===----------------------------------------------------------------------===//

void luna_live_give(LunaLives *lives, MlirOperation op, intptr_t i,
                    const LunaLive *like, int axis, int64_t bound) {
  MlirValue result = mlirOperationGetResult(op, i);
  MlirType type = mlirValueGetType(result);
  LunaShape shape = {.rank = (int)mlirShapedTypeGetRank(type)};
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] = d == axis ? bound : mlirShapedTypeGetDimSize(type, d);
  mlirValueSetType(
      result, luna_tensor_type(mlirShapedTypeGetElementType(type), &shape));
  LunaLive unknown = *like;
  unknown.is_zero_behind = false;
  luna_live_set(lives, result, &unknown, axis);
}

void luna_live_replace(LunaLives *lives, MlirOperation op, intptr_t i,
                       MlirValue made) {
  MlirValue result = mlirOperationGetResult(op, i);
  mlirValueReplaceAllUsesOfWith(result, made);
  luna_map_add(&lives->replaced, lives->arena, luna_map_pointer(result.ptr));
  *LUNA_VECTOR_ADD(lives->arena, &lives->replacements) = made;
}

// A count is a number of others where a reshape multiplied it.
static MlirValue factor_of(MlirValue count, int64_t *times) {
  MlirOperation op = luna_defining_op(count);
  *times = 1;
  if (mlirOperationIsNull(op) || !luna_op_is(op, LUNA_OP_ARITH_MULI) ||
      !luna_constant_number(mlirOperationGetOperand(op, 1), times))
    return count;
  return mlirOperationGetOperand(op, 0);
}

bool luna_live_same(const LunaLive *a, const LunaLive *b) {
  int64_t of_a, of_b;
  return luna_same_value(a->count, b->count) ||
         (!mlirValueIsNull(a->stated) &&
          luna_same_value(a->stated, b->stated)) ||
         (luna_same_value(factor_of(a->count, &of_a),
                          factor_of(b->count, &of_b)) &&
          of_a == of_b);
}

bool luna_live_shared(LunaLives *lives, MlirOperation op, intptr_t first,
                      const LunaLive **live) {
  *live = NULL;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaLive *own = luna_live_find(lives, mlirOperationGetOperand(op, i));
    if (own && *live &&
        (own->axis != (*live)->axis || !luna_live_same(own, *live)))
      return luna_live_refuse_pair(lives, *live, own);
    *live = own ? own : *live;
  }
  return true;
}

bool luna_live_fits_any(MlirValue value) {
  MlirAttribute constant = luna_constant_value(value);
  return !mlirAttributeIsNull(constant) &&
         mlirAttributeIsADenseElements(constant) &&
         mlirDenseElementsAttrIsSplat(constant);
}

bool luna_live_list(MlirOperation op, intptr_t i, int64_t *list, int count) {
  MlirOperation shape = luna_defining_op(mlirOperationGetOperand(op, i));
  MlirAttribute values = mlirOperationIsNull(shape)
                             ? mlirAttributeGetNull()
                             : luna_attr(shape, "values");
  if (mlirAttributeIsNull(values) ||
      !mlirAttributeIsADenseIntElements(values) ||
      mlirElementsAttrGetNumElements(values) != count)
    return false;
  // Of any width if all are equal, else the sizes and places of a shape.
  bool is_splat = mlirDenseElementsAttrIsSplat(values);
  if (!is_splat && !mlirTypeIsAIndex(mlirShapedTypeGetElementType(
                       mlirAttributeGetType(values))))
    return false;
  for (int d = 0; d < count; ++d)
    list[d] = is_splat ? mlirIntegerAttrGetValueInt(
                             mlirDenseElementsAttrGetSplatValue(values))
                       : mlirDenseElementsAttrGetInt64Value(values, d);
  return true;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

MlirValue luna_live_mask(LunaBuilder *b, const LunaLive *live, double neutral) {
  if (neutral == 0 && live->is_zero_behind)
    return live->value;
  MlirType type = luna_element_of(live->value);
  LunaGeneric generic = luna_generic_over(b, live->value);
  MlirValue element = luna_generic_input(&generic, live->value);
  luna_generic_result(&generic, type);
  MlirValue is_live = luna_scalar_compare(
      b, LUNA_LT, luna_generic_index(&generic, live->axis), live->count);
  return luna_generic_end(
      &generic, luna_scalar_select(b, is_live, element,
                                   luna_scalar_float(b, type, neutral)));
}

void luna_live_mask_operand(LunaLives *lives, MlirOperation op, intptr_t i,
                            double neutral) {
  LunaBuilder b = luna_builder_before(op, op);
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, i));
  mlirOperationSetOperand(op, i, luna_live_mask(&b, live, neutral));
}

MlirValue luna_live_fit(LunaBuilder *b, MlirValue value, int axis,
                        int64_t bound) {
  LunaShape shape = luna_shape_of(value);
  int64_t extent = shape.dims[axis];
  int64_t pads[2 * LUNA_RANK_MAX] = {0}, start[LUNA_RANK_MAX] = {0};
  shape.dims[axis] = bound;
  if (extent == 0)
    return luna_build_splat(b, luna_tensor_type(luna_element_of(value), &shape),
                            0);
  if (extent >= bound)
    return luna_build_slice(b, value, start, shape.dims);
  pads[2 * axis + 1] = bound - extent;
  return luna_build_pad(b, value, pads,
                        luna_build_const_one(b, luna_element_of(value), 0));
}
