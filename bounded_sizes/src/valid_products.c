// Sums, and what else takes part as a whole: it ends at what is valid.

#include "valid_rules.h"

#include <math.h>

// The lowest or highest number of a type.
static double extreme(MlirType type, bool is_high) {
  if (!mlirTypeIsAInteger(type))
    return is_high ? INFINITY : -INFINITY;
  double half = ldexp(1, (int)mlirIntegerTypeGetWidth(type) - 1);
  return is_high ? half - 1 : -half;
}

static double neutral_of(MlirOperation op, MlirType type) {
  if (LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_REDUCE_ALL, LUNA_OP_TOSA_REDUCE_PRODUCT))
    return 1;
  if (LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_REDUCE_MAX, LUNA_OP_TOSA_ARGMAX))
    return extreme(type, false);
  return luna_op_is(op, LUNA_OP_TOSA_REDUCE_MIN) ? extreme(type, true) : 0;
}

// Masks operand 0 along `axis`, which is valid.
static bool end_at(LunaValidLengths *lengths, MlirOperation op) {
  MlirType type = luna_element_of(mlirOperationGetOperand(op, 0));
  luna_valid_mask_operand(lengths, op, 0, neutral_of(op, type));
  return true;
}

bool luna_valid_rule_reduce(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  if (valid && luna_attr_int(op, "axis", 0) == valid->axis)
    return end_at(lengths, op);
  return luna_valid_rule_same(lengths, op);
}

// The dimension that is searched goes.
bool luna_valid_rule_argmax(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  int axis = (int)luna_attr_int(op, "axis", 0);
  if (!valid)
    return luna_valid_refuse_axis(lengths, 0);
  if (axis == valid->axis)
    return end_at(lengths, op);
  LunaValidLength own = *valid;
  luna_valid_give(lengths, op, 0, &own, own.axis - (own.axis > axis),
                  luna_extent(own.value, own.axis));
  return true;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

enum { BATCH, ROW, COLUMN };

// What is behind the valid part of the sum is multiplied by 0: it is the zero
// point, of a dimension of both.
static bool end_sum(LunaValidLengths *lengths, MlirOperation op) {
  int64_t zeros[2];
  for (int i = 0; i < 2; ++i)
    if (!luna_valid_list(op, i + 2, &zeros[i], 1))
      zeros[i] = 0;
  for (int i = 0; i < 2; ++i)
    luna_valid_mask_operand(lengths, op, i, (double)zeros[i]);
  return true;
}

bool luna_valid_rule_matmul(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *a =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  const LunaValidLength *b =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 1));
  bool is_summed = (a && a->axis == COLUMN) || (b && b->axis == ROW);
  bool is_batch = (a && a->axis == BATCH) || (b && b->axis == BATCH);
  if (!a && !b)
    return luna_valid_refuse_axis(lengths, 0);
  if (a && b && !luna_valid_same(a, b))
    return luna_valid_refuse_pair(lengths, a, b);
  if (a && b && is_summed && a->axis == COLUMN && b->axis == ROW)
    return end_sum(lengths, op);
  if (is_summed || (is_batch && !(a && b && a->axis == b->axis)))
    return luna_valid_refuse(lengths, a ? a : b,
                             "the other operand has a known one");
  if (a && b && !is_batch)
    return luna_valid_refuse(lengths, a,
                             "another dimension of the result is, too");
  LunaValidLength own = a ? *a : *b;
  luna_valid_give(lengths, op, 0, &own, own.axis,
                  luna_extent(own.value, own.axis));
  return true;
}
