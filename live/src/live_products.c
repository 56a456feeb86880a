// Sums, and what else takes part as a whole: it ends at what is live.

#include "live_rules.h"

#include <math.h>

// The lowest or highest number of a type.
static double extreme(MlirType type, bool is_high) {
  if (!mlirTypeIsAInteger(type))
    return is_high ? INFINITY : -INFINITY;
  double half = ldexp(1, (int)mlirIntegerTypeGetWidth(type) - 1);
  return is_high ? half - 1 : -half;
}

static double neutral_of(MlirOperation op, MlirType type) {
  static const LunaOpName ones[] = {LUNA_OP_TOSA_REDUCE_ALL,
                                    LUNA_OP_TOSA_REDUCE_PRODUCT};
  if (luna_op_is_any(op, ones, sizeof ones / sizeof *ones))
    return 1;
  if (luna_op_is(op, LUNA_OP_TOSA_REDUCE_MAX) ||
      luna_op_is(op, LUNA_OP_TOSA_ARGMAX))
    return extreme(type, false);
  return luna_op_is(op, LUNA_OP_TOSA_REDUCE_MIN) ? extreme(type, true) : 0;
}

// Masks operand 0 along `axis`, which is live.
static bool end_at(LunaLives *lives, MlirOperation op) {
  MlirType type = luna_element_of(mlirOperationGetOperand(op, 0));
  luna_live_mask_operand(lives, op, 0, neutral_of(op, type));
  return true;
}

bool luna_live_rule_reduce(LunaLives *lives, MlirOperation op) {
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  if (live && luna_attr_int(op, "axis", 0) == live->axis)
    return end_at(lives, op);
  return luna_live_rule_same(lives, op);
}

// The dimension that is searched goes.
bool luna_live_rule_argmax(LunaLives *lives, MlirOperation op) {
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  int axis = (int)luna_attr_int(op, "axis", 0);
  if (!live)
    return luna_live_refuse_axis(lives, 0);
  if (axis == live->axis)
    return end_at(lives, op);
  LunaLive own = *live;
  luna_live_give(lives, op, 0, &own, own.axis - (own.axis > axis),
                 luna_extent(own.value, own.axis));
  return true;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

enum { BATCH, ROW, COLUMN };

// What is behind the live part of the sum is multiplied by 0: it is the zero
// point, of a dimension of both.
static bool end_sum(LunaLives *lives, MlirOperation op) {
  int64_t zeros[2];
  for (int i = 0; i < 2; ++i)
    if (!luna_live_list(op, i + 2, &zeros[i], 1))
      zeros[i] = 0;
  for (int i = 0; i < 2; ++i)
    luna_live_mask_operand(lives, op, i, (double)zeros[i]);
  return true;
}

bool luna_live_rule_matmul(LunaLives *lives, MlirOperation op) {
  const LunaLive *a = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  const LunaLive *b = luna_live_find(lives, mlirOperationGetOperand(op, 1));
  bool is_summed = (a && a->axis == COLUMN) || (b && b->axis == ROW);
  bool is_batch = (a && a->axis == BATCH) || (b && b->axis == BATCH);
  if (!a && !b)
    return luna_live_refuse_axis(lives, 0);
  if (a && b && !luna_live_same(a, b))
    return luna_live_refuse_pair(lives, a, b);
  if (a && b && is_summed && a->axis == COLUMN && b->axis == ROW)
    return end_sum(lives, op);
  if (is_summed || (is_batch && !(a && b && a->axis == b->axis)))
    return luna_live_refuse(lives, a ? a : b,
                            "the other operand has a known one");
  if (a && b && !is_batch)
    return luna_live_refuse(lives, a,
                            "another dimension of the result is, too");
  LunaLive own = a ? *a : *b;
  luna_live_give(lives, op, 0, &own, own.axis,
                 luna_extent(own.value, own.axis));
  return true;
}
