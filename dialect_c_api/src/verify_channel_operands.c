// Bias and table of products, and zero points that biases have taken up.

#include "luna-c/ops.h"
#include "verify_shapes.h"

static MlirLogicalResult success(void) { return mlirLogicalResultSuccess(); }

// A bias that has taken up a zero point has a row for each class of borders, if
// there are several.
static MlirLogicalResult verify_bias(MlirOperation op, int64_t channels,
                                     int64_t classes) {
  MlirValue bias = luna_unit_operand(op, LUNA_ROLE_BIAS);
  if (mlirValueIsNull(bias))
    return success();
  MlirType type = mlirValueGetType(bias);
  bool is_folded = !mlirAttributeIsNull(luna_attr(op, "folded_zp"));
  if (is_folded && classes != 1) {
    if (has_rank(type, 2) && dim(type, 0) == classes &&
        dim(type, 1) == channels && is_integer_of(type, 32))
      return success();
    return luna_emit_error(op,
                           "bias needs the type %lldx%lldxi32, with folded_zp "
                           "one value per class of borders and output channel",
                           (long long)classes, (long long)channels);
  }
  if (has_rank(type, 1) && dim(type, 0) == channels)
    return success();
  return luna_emit_error(op,
                         "bias needs the shape [%lld], one value per output "
                         "channel",
                         (long long)channels);
}

// Bias and table against the number of output channels.
MlirLogicalResult luna_verify_channel_operands(MlirOperation op,
                                               int64_t channels,
                                               int64_t classes) {
  if (mlirLogicalResultIsFailure(verify_bias(op, channels, classes)))
    return mlirLogicalResultFailure();
  LunaRequant requant = lunaRequantAttrGetValue(luna_attr(op, "requant"));
  MlirValue table = luna_unit_operand(op, LUNA_ROLE_TABLE);
  if (requant.per_channel != !mlirValueIsNull(table))
    return luna_emit_error(op, "a table goes with a per-channel requant and "
                               "only with one");
  if (mlirValueIsNull(table))
    return success();
  MlirType type = mlirValueGetType(table);
  if (requant.mode == LUNA_REQUANT_FLOAT) {
    if (has_rank(type, 1) && dim(type, 0) == channels &&
        mlirTypeIsAF32(mlirShapedTypeGetElementType(type)))
      return success();
    return luna_emit_error(op, "table needs the type %lldxf32",
                           (long long)channels);
  }
  if (!has_rank(type, 2) || dim(type, 0) != 2 || dim(type, 1) != channels ||
      !is_integer_of(type, 32))
    return luna_emit_error(op, "table needs the type 2x%lldxi32",
                           (long long)channels);
  return success();
}

// An operator whose bias has taken up its zero point has none.
MlirLogicalResult luna_verify_fold(MlirOperation op, const char *input_zp,
                                   const char *weight_zp) {
  if (mlirAttributeIsNull(luna_attr(op, "folded_zp")))
    return success();
  if (luna_attr_int(op, input_zp, 0) != 0 ||
      luna_attr_int(op, weight_zp, 0) != 0)
    return luna_emit_error(op,
                           "folded_zp leaves no zero point: %s and %s must "
                           "be 0",
                           input_zp, weight_zp);
  if (mlirValueIsNull(luna_unit_operand(op, LUNA_ROLE_BIAS)))
    return luna_emit_error(op, "folded_zp needs a bias");
  return success();
}
