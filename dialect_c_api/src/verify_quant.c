// Verifiers of luna.quantize and luna.dequantize.

#include "luna-c/ops.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify.h"

static MlirLogicalResult success(void) { return mlirLogicalResultSuccess(); }

static bool is_integer_of(MlirType element, unsigned most_bits) {
  if (!mlirTypeIsAInteger(element) || !mlirIntegerTypeIsSignless(element))
    return false;
  unsigned width = mlirIntegerTypeGetWidth(element);
  return (width == 8 || width == 16 || width == 32) && width <= most_bits;
}

static bool has_equal_shape(MlirType a, MlirType b) {
  if (mlirShapedTypeGetRank(a) != mlirShapedTypeGetRank(b))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(a); ++i)
    if (mlirShapedTypeGetDimSize(a, i) != mlirShapedTypeGetDimSize(b, i))
      return false;
  return true;
}

static bool has_one_element(MlirType type) {
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (mlirShapedTypeGetDimSize(type, i) != 1)
      return false;
  return true;
}

// One element for all, or one per index of some dimensions of `input`.
static bool goes_along(MlirType type, MlirType input) {
  if (has_one_element(type))
    return true;
  if (mlirShapedTypeGetRank(type) != mlirShapedTypeGetRank(input))
    return false;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    if (size != 1 && size != mlirShapedTypeGetDimSize(input, i))
      return false;
  }
  return true;
}

// Checks input, scale, zero point and result, whose integers have at most
// `most_bits` bits.
static MlirLogicalResult verify_quant(MlirOperation op, MlirType ints,
                                      MlirType floats, unsigned most_bits) {
  MlirType element = mlirShapedTypeGetElementType(ints);
  if (!is_integer_of(element, most_bits) ||
      !mlirTypeIsAF32(mlirShapedTypeGetElementType(floats)))
    return luna_emit_error(op, "needs f32 and signless integers of 8%s bits",
                           most_bits > 16 ? ", 16 or 32" : " or 16");
  if (mlirIntegerTypeGetWidth(element) > 16 &&
      !mlirAttributeIsNull(luna_attr(op, "is_unsigned")))
    return luna_emit_error(op, "unsigned integers have at most 16 bits");
  if (!has_equal_shape(ints, floats))
    return luna_emit_error(op, "input and result differ in shape");
  static const char *const names[] = {"input", "scale", "zero point"};
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    if (!goes_along(mlirValueGetType(mlirOperationGetOperand(op, i)), ints))
      return luna_emit_error(op,
                             "%s needs one element, or the input's rank with "
                             "each dimension 1 or the input's",
                             names[i]);
  if (mlirOperationGetNumOperands(op) < 3)
    return success();
  MlirType zero = mlirValueGetType(mlirOperationGetOperand(op, 2));
  if (!mlirTypeEqual(mlirShapedTypeGetElementType(zero), element))
    return luna_emit_error(op, "zero point and integers differ in type");
  return success();
}

static MlirType operand_type(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetOperand(op, 0));
}

static MlirType result_type(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

// The bounds lie in the range of the result's type.
static MlirLogicalResult verify_clamp(MlirOperation op) {
  MlirType element = mlirShapedTypeGetElementType(result_type(op));
  int64_t count = INT64_C(1) << mlirIntegerTypeGetWidth(element);
  bool is_unsigned = !mlirAttributeIsNull(luna_attr(op, "is_unsigned"));
  int64_t low = is_unsigned ? 0 : -count / 2, high = low + count - 1;
  int64_t min = luna_attr_int(op, "clamp_min", low);
  int64_t max = luna_attr_int(op, "clamp_max", high);
  if (min < low || max > high || min > max)
    return luna_emit_error(op,
                           "clamps to [%lld, %lld], the result's type has "
                           "%lld to %lld",
                           (long long)min, (long long)max, (long long)low,
                           (long long)high);
  return success();
}

MlirLogicalResult luna_verify_quantize(MlirOperation op) {
  if (mlirLogicalResultIsFailure(
          verify_quant(op, result_type(op), operand_type(op), 16)))
    return mlirLogicalResultFailure();
  return verify_clamp(op);
}

MlirLogicalResult luna_verify_dequantize(MlirOperation op) {
  return verify_quant(op, operand_type(op), result_type(op), 32);
}
