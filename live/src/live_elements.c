// Operators whose dimensions stay what they are.

#include "live_rules.h"

// The first operand that is not as live as `live`: one of a known size, which
// must broadcast along that dimension, or of another bound.
static bool fits(const LunaLives *lives, MlirValue operand,
                 const LunaLive *live, int64_t bound) {
  MlirType type = mlirValueGetType(operand);
  if (!mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeGetRank(type) != luna_rank_of(live->value))
    return true;
  int64_t extent = luna_extent(operand, live->axis);
  return luna_live_find(lives, operand)
             ? extent == bound
             : extent == 1 || luna_live_fits_any(operand);
}

bool luna_live_rule_broadcast(LunaLives *lives, MlirOperation op) {
  const LunaLive *live;
  if (!luna_live_shared(lives, op, 0, &live))
    return false;
  if (!live)
    return luna_live_refuse_axis(lives, 0);
  int64_t bound = luna_extent(live->value, live->axis);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!fits(lives, mlirOperationGetOperand(op, i), live, bound))
      return luna_live_refuse(lives, live,
                              "it does not broadcast to a known one");
  LunaLive own = *live;
  // What is dead may be 0.
  if (luna_op_is(op, LUNA_OP_TOSA_INTDIV) &&
      luna_live_find(lives, mlirOperationGetOperand(op, 1)))
    luna_live_mask_operand(lives, op, 1, 1);
  luna_live_give(lives, op, 0, &own, own.axis, bound);
  return true;
}

// Follows the live count of operand 0 to the same dimension of the result.
static bool keep(LunaLives *lives, MlirOperation op, bool is_possible,
                 const char *why) {
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  const LunaLive *any = luna_live_operand(lives, op);
  if (!any)
    return luna_live_refuse_axis(lives, 0);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_live_find(lives, mlirOperationGetOperand(op, i)))
      live = NULL;
  if (!live)
    return luna_live_refuse(lives, any,
                            "this operator takes no such input here");
  if (!is_possible)
    return luna_live_refuse(lives, live, why);
  LunaLive own = *live;
  luna_live_give(lives, op, 0, &own, own.axis,
                 luna_extent(own.value, own.axis));
  return true;
}

// The live dimension of operand 0, -1 for none.
static int axis_of(const LunaLives *lives, MlirOperation op) {
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  return live ? live->axis : -1;
}

bool luna_live_rule_same(LunaLives *lives, MlirOperation op) {
  return keep(lives, op, true, NULL);
}

bool luna_live_rule_across(LunaLives *lives, MlirOperation op) {
  return keep(lives, op, luna_attr_int(op, "axis", 0) != axis_of(lives, op),
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

bool luna_live_rule_batch(LunaLives *lives, MlirOperation op) {
  int axis = axis_of(lives, op);
  return keep(lives, op, axis == 0 || is_pointwise(op, axis),
              "only that of the first may be");
}

bool luna_live_rule_resize(LunaLives *lives, MlirOperation op) {
  int axis = axis_of(lives, op);
  return keep(lives, op, axis == 0 || axis == 3, "the operator works along it");
}

bool luna_live_rule_pad(LunaLives *lives, MlirOperation op) {
  int64_t pads[2 * LUNA_RANK_MAX];
  int axis = axis_of(lives, op);
  int rank = luna_rank_of(mlirOperationGetOperand(op, 0));
  return keep(lives, op,
              axis >= 0 && luna_live_list(op, 1, pads, 2 * rank) &&
                  pads[2 * axis] == 0 && pads[2 * axis + 1] == 0,
              "the operator works along it");
}

bool luna_live_rule_slice(LunaLives *lives, MlirOperation op) {
  int64_t starts[LUNA_RANK_MAX], sizes[LUNA_RANK_MAX];
  int axis = axis_of(lives, op);
  MlirValue source = mlirOperationGetOperand(op, 0);
  int rank = luna_rank_of(source);
  return keep(lives, op,
              axis >= 0 && luna_live_list(op, 1, starts, rank) &&
                  luna_live_list(op, 2, sizes, rank) && starts[axis] == 0 &&
                  (sizes[axis] == luna_extent(source, axis) || sizes[axis] < 0),
              "a part of it is taken");
}

bool luna_live_rule_tile(LunaLives *lives, MlirOperation op) {
  int64_t times[LUNA_RANK_MAX];
  int axis = axis_of(lives, op);
  int rank = luna_rank_of(mlirOperationGetOperand(op, 0));
  return keep(lives, op,
              axis >= 0 && luna_live_list(op, 1, times, rank) &&
                  times[axis] == 1,
              "the operator works along it");
}
