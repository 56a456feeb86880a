// A clamp after an operator of the unit that a reader made becomes that
// operator's own. Clamps after TOSA's operators are absorbed by their chain
// (tosa_to_luna_match.c).

#include "luna-c/ops.h"
#include "tosa_to_luna.h"

static bool moves_elements(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_RESHAPE, LUNA_OP_TOSA_REVERSE,
                        LUNA_OP_TOSA_TRANSPOSE);
}

// Returns the unit operator that `clamp` alone uses, after moves of elements,
// or a null op.
static MlirOperation find_producer(MlirOperation clamp) {
  MlirOperation op = clamp, null = {NULL};
  do {
    MlirValue value = mlirOperationGetOperand(op, 0);
    op = luna_defining_op(value);
    if (mlirOperationIsNull(op) || !luna_is_used_once(value) ||
        !mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(clamp)))
      return null;
  } while (moves_elements(op));
  return luna_op_is_unit(op) ? op : null;
}

static int32_t bound(int64_t value, int64_t min, int64_t max) {
  return (int32_t)(value < min ? min : value > max ? max : value);
}

bool luna_tosa_fuse_clamp(MlirOperation clamp) {
  int64_t min, max;
  if (!luna_tosa_clamp(clamp, &min, &max))
    return false;
  MlirOperation op = find_producer(clamp);
  if (mlirOperationIsNull(op) ||
      !lunaAttributeIsARequant(luna_attr(op, "requant")))
    return false;
  LunaRequant requant = lunaRequantAttrGetValue(luna_attr(op, "requant"));
  if (requant.mode == LUNA_REQUANT_NONE) // 32-bit results have no bounds.
    return false;
  requant.clamp_min = bound(requant.clamp_min, min, max);
  requant.clamp_max = bound(requant.clamp_max, min, max);
  luna_set_attr(op, "requant",
                lunaRequantAttrGet(mlirOperationGetContext(op), requant));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(clamp, 0),
                                mlirOperationGetOperand(clamp, 0));
  return true;
}
