// Tensors with valid lengths: who they are, masks, and what rules share.

#include "valid_rules.h"

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"

//===----------------------------------------------------------------------===//
// Which they are
//===----------------------------------------------------------------------===//

const LunaValidLength *luna_valid_find(const LunaValidLengths *lengths,
                                       MlirValue value) {
  uint32_t id = luna_map_find(&lengths->ids, luna_map_pointer(value.ptr));
  return id == LUNA_MAP_ABSENT ? NULL : &lengths->items.items[id];
}

const LunaValidLength *luna_valid_operand(const LunaValidLengths *lengths,
                                          MlirOperation op) {
  const LunaValidLength *valid = NULL;
  for (intptr_t i = 0; !valid && i < mlirOperationGetNumOperands(op); ++i)
    valid = luna_valid_find(
        lengths, luna_valid_now(lengths, mlirOperationGetOperand(op, i)));
  return valid;
}

void luna_valid_set(LunaValidLengths *lengths, MlirValue value,
                    const LunaValidLength *like, int axis) {
  LunaValidLength valid = *like;
  valid.value = value;
  valid.axis = axis;
  uint32_t id =
      luna_map_add(&lengths->ids, lengths->arena, luna_map_pointer(value.ptr));
  if (id == lengths->items.count)
    LUNA_VECTOR_ADD(lengths->arena, &lengths->items);
  lengths->items.items[id] = valid;
}

MlirValue luna_valid_now(const LunaValidLengths *lengths, MlirValue value) {
  uint32_t id = luna_map_find(&lengths->replaced, luna_map_pointer(value.ptr));
  return id == LUNA_MAP_ABSENT ? value : lengths->replacements.items[id];
}

int luna_valid_open_axis(MlirType type) {
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

bool luna_valid_refuse(LunaValidLengths *lengths, const LunaValidLength *valid,
                       const char *why) {
  lengths->refused = *valid;
  lengths->other = (LunaValidLength){.axis = -1};
  lengths->why = why;
  return false;
}

bool luna_valid_refuse_axis(LunaValidLengths *lengths, int axis) {
  return luna_valid_refuse(lengths, &(LunaValidLength){.axis = axis},
                           axis < 0 ? "one size of a tensor may be"
                                    : "this operator is not supported for it");
}

bool luna_valid_refuse_pair(LunaValidLengths *lengths, const LunaValidLength *a,
                            const LunaValidLength *b) {
  lengths->refused = *a;
  lengths->other = *b;
  lengths->why = "and may differ";
  return false;
}

//===----------------------------------------------------------------------===//
// What rules share
//===----------------------------------------------------------------------===//

void luna_valid_give(LunaValidLengths *lengths, MlirOperation op, intptr_t i,
                     const LunaValidLength *like, int axis, int64_t bound) {
  MlirValue result = mlirOperationGetResult(op, i);
  MlirType type = mlirValueGetType(result);
  LunaShape shape = {.rank = (int)mlirShapedTypeGetRank(type)};
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] = d == axis ? bound : mlirShapedTypeGetDimSize(type, d);
  mlirValueSetType(
      result, luna_tensor_type(mlirShapedTypeGetElementType(type), &shape));
  LunaValidLength unknown = *like;
  unknown.is_zero_behind = false;
  luna_valid_set(lengths, result, &unknown, axis);
}

void luna_valid_replace(LunaValidLengths *lengths, MlirOperation op, intptr_t i,
                        MlirValue made) {
  MlirValue result = mlirOperationGetResult(op, i);
  mlirValueReplaceAllUsesOfWith(result, made);
  luna_map_add(&lengths->replaced, lengths->arena,
               luna_map_pointer(result.ptr));
  *LUNA_VECTOR_ADD(lengths->arena, &lengths->replacements) = made;
}

// A count is a number of others where a reshape multiplied it.
static MlirValue factor_of(MlirValue count, int64_t *times) {
  MlirOperation op = luna_defining_op(count);
  *times = 1;
  if (!luna_op_is(op, LUNA_OP_ARITH_MULI) ||
      !luna_constant_number(mlirOperationGetOperand(op, 1), times))
    return count;
  return mlirOperationGetOperand(op, 0);
}

bool luna_valid_same(const LunaValidLength *a, const LunaValidLength *b) {
  int64_t of_a, of_b;
  return luna_same_value(a->count, b->count) ||
         (!mlirValueIsNull(a->stated) &&
          luna_same_value(a->stated, b->stated)) ||
         (luna_same_value(factor_of(a->count, &of_a),
                          factor_of(b->count, &of_b)) &&
          of_a == of_b);
}

bool luna_valid_shared(LunaValidLengths *lengths, MlirOperation op,
                       intptr_t first, const LunaValidLength **valid) {
  *valid = NULL;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i) {
    const LunaValidLength *own =
        luna_valid_find(lengths, mlirOperationGetOperand(op, i));
    if (own && *valid &&
        (own->axis != (*valid)->axis || !luna_valid_same(own, *valid)))
      return luna_valid_refuse_pair(lengths, *valid, own);
    *valid = own ? own : *valid;
  }
  return true;
}

bool luna_valid_fits_any(MlirValue value) {
  MlirAttribute constant = luna_constant_value(value);
  return !mlirAttributeIsNull(constant) &&
         mlirAttributeIsADenseElements(constant) &&
         mlirDenseElementsAttrIsSplat(constant);
}

bool luna_valid_list(MlirOperation op, intptr_t i, int64_t *list, int count) {
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

MlirValue luna_valid_mask(LunaBuilder *b, const LunaValidLength *valid,
                          double neutral) {
  if (neutral == 0 && valid->is_zero_behind)
    return valid->value;
  MlirType type = luna_element_of(valid->value);
  LunaGeneric generic = luna_generic_over(b, valid->value);
  MlirValue element = luna_generic_input(&generic, valid->value);
  luna_generic_result(&generic, type);
  MlirValue is_valid = luna_scalar_compare(
      b, LUNA_LT, luna_generic_index(&generic, valid->axis), valid->count);
  return luna_generic_end(
      &generic, luna_scalar_select(b, is_valid, element,
                                   luna_scalar_float(b, type, neutral)));
}

void luna_valid_mask_operand(LunaValidLengths *lengths, MlirOperation op,
                             intptr_t i, double neutral) {
  LunaBuilder b = luna_builder_before(op, op);
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, i));
  mlirOperationSetOperand(op, i, luna_valid_mask(&b, valid, neutral));
}

MlirValue luna_valid_fit(LunaBuilder *b, MlirValue value, int axis,
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
