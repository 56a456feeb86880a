// Operators whose dimensions stay what they are.

#include "valid_rules.h"

// The first operand that is not as valid as `valid`: one of a known size, which
// must broadcast along that dimension, or of another bound.
static bool fits(const LunaValidLengths *lengths, MlirValue operand,
                 const LunaValidLength *valid, int64_t bound) {
  MlirType type = mlirValueGetType(operand);
  if (!mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeGetRank(type) != luna_rank_of(valid->value))
    return true;
  int64_t extent = luna_extent(operand, valid->axis);
  return luna_valid_find(lengths, operand)
             ? extent == bound
             : extent == 1 || luna_valid_fits_any(operand);
}

bool luna_valid_rule_broadcast(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *valid;
  if (!luna_valid_shared(lengths, op, 0, &valid))
    return false;
  if (!valid)
    return luna_valid_refuse_axis(lengths, 0);
  int64_t bound = luna_extent(valid->value, valid->axis);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!fits(lengths, mlirOperationGetOperand(op, i), valid, bound))
      return luna_valid_refuse(lengths, valid,
                               "it does not broadcast to a known one");
  LunaValidLength own = *valid;
  // What is dead may be 0.
  if (luna_op_is(op, LUNA_OP_TOSA_INTDIV) &&
      luna_valid_find(lengths, mlirOperationGetOperand(op, 1)))
    luna_valid_mask_operand(lengths, op, 1, 1);
  luna_valid_give(lengths, op, 0, &own, own.axis, bound);
  return true;
}

// Follows the valid length of operand 0 to the same dimension of the result.
static bool keep(LunaValidLengths *lengths, MlirOperation op, bool is_possible,
                 const char *why) {
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  const LunaValidLength *any = luna_valid_operand(lengths, op);
  if (!any)
    return luna_valid_refuse_axis(lengths, 0);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_valid_find(lengths, mlirOperationGetOperand(op, i)))
      valid = NULL;
  if (!valid)
    return luna_valid_refuse(lengths, any,
                             "this operator takes no such input here");
  if (!is_possible)
    return luna_valid_refuse(lengths, valid, why);
  LunaValidLength own = *valid;
  luna_valid_give(lengths, op, 0, &own, own.axis,
                  luna_extent(own.value, own.axis));
  return true;
}

// The valid dimension of operand 0, -1 for none.
static int axis_of(const LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  return valid ? valid->axis : -1;
}

bool luna_valid_rule_same(LunaValidLengths *lengths, MlirOperation op) {
  return keep(lengths, op, true, NULL);
}

bool luna_valid_rule_across(LunaValidLengths *lengths, MlirOperation op) {
  return keep(lengths, op, luna_attr_int(op, "axis", 0) != axis_of(lengths, op),
              "the operator works along it");
}

// How many positions of dimension `axis` of the image one of the result is of.
static int64_t window_of(MlirOperation op, int axis) {
  int rank = luna_rank_of(mlirOperationGetOperand(op, 0));
  int64_t kernel[3];
  if (luna_attr_ints(op, "kernel", kernel, rank - 2))
    return kernel[axis - 1];
  bool is_depthwise = luna_op_is(op, LUNA_OP_TOSA_DEPTHWISE_CONV2D);
  return luna_extent(mlirOperationGetOperand(op, 1),
                     is_depthwise ? axis - 1 : axis);
}

// Returns true if each position of dimension `axis` is one of the result.
static bool is_pointwise(MlirOperation op, int axis) {
  int rank = luna_rank_of(mlirOperationGetOperand(op, 0));
  int64_t strides[3], pads[6];
  return axis > 0 && axis < rank - 1 &&
         luna_attr_ints(op, "stride", strides, rank - 2) &&
         luna_attr_ints(op, "pad", pads, 2 * (rank - 2)) &&
         window_of(op, axis) == 1 && strides[axis - 1] == 1 &&
         pads[2 * axis - 2] == 0 && pads[2 * axis - 1] == 0;
}

bool luna_valid_rule_batch(LunaValidLengths *lengths, MlirOperation op) {
  int axis = axis_of(lengths, op);
  return keep(lengths, op, axis == 0 || is_pointwise(op, axis),
              "only that of the first may be");
}

bool luna_valid_rule_resize(LunaValidLengths *lengths, MlirOperation op) {
  int axis = axis_of(lengths, op);
  return keep(lengths, op, axis == 0 || axis == 3,
              "the operator works along it");
}

bool luna_valid_rule_pad(LunaValidLengths *lengths, MlirOperation op) {
  int64_t pads[2 * LUNA_RANK_MAX];
  int axis = axis_of(lengths, op);
  int rank = luna_rank_of(mlirOperationGetOperand(op, 0));
  return keep(lengths, op,
              axis >= 0 && luna_valid_list(op, 1, pads, 2 * rank) &&
                  pads[2 * axis] == 0 && pads[2 * axis + 1] == 0,
              "the operator works along it");
}

bool luna_valid_rule_slice(LunaValidLengths *lengths, MlirOperation op) {
  int64_t starts[LUNA_RANK_MAX], sizes[LUNA_RANK_MAX];
  int axis = axis_of(lengths, op);
  MlirValue source = mlirOperationGetOperand(op, 0);
  int rank = luna_rank_of(source);
  return keep(lengths, op,
              axis >= 0 && luna_valid_list(op, 1, starts, rank) &&
                  luna_valid_list(op, 2, sizes, rank) && starts[axis] == 0 &&
                  (sizes[axis] == luna_extent(source, axis) || sizes[axis] < 0),
              "a part of it is taken");
}

bool luna_valid_rule_tile(LunaValidLengths *lengths, MlirOperation op) {
  int64_t times[LUNA_RANK_MAX];
  int axis = axis_of(lengths, op);
  int rank = luna_rank_of(mlirOperationGetOperand(op, 0));
  return keep(lengths, op,
              axis >= 0 && luna_valid_list(op, 1, times, rank) &&
                  times[axis] == 1,
              "the operator works along it");
}
