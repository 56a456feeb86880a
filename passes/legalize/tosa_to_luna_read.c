#include "tosa_to_luna.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static unsigned element_width(MlirType shaped) {
  MlirType element = mlirShapedTypeGetElementType(shaped);
  if (mlirTypeIsAIndex(element))
    return 64;
  if (!mlirTypeIsAInteger(element) || !mlirIntegerTypeIsSignless(element))
    return 0;
  return mlirIntegerTypeGetWidth(element);
}

bool luna_tosa_const(MlirValue value, LunaTosaConst *ints) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op))
    return false;
  if (LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_CONST, LUNA_OP_TOSA_CONST_SHAPE))
    ints->attribute = luna_attr(op, "values");
  else if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    ints->attribute = luna_attr(op, "value");
  else
    return false;
  if (mlirAttributeIsNull(ints->attribute) ||
      !mlirAttributeIsADenseElements(ints->attribute))
    return false;
  MlirType type = mlirAttributeGetType(ints->attribute);
  ints->width = element_width(type);
  ints->count = mlirElementsAttrGetNumElements(ints->attribute);
  return ints->width == 8 || ints->width == 16 || ints->width == 32 ||
         ints->width == 48 ||
         mlirTypeIsAIndex(mlirShapedTypeGetElementType(type));
}

// mlir-c has no reader for 48 bits: six little-endian bytes per element.
static int64_t read_i48(MlirAttribute attribute, int64_t i) {
  const uint8_t *bytes = mlirDenseElementsAttrGetRawData(attribute);
  if (!mlirDenseElementsAttrIsSplat(attribute))
    bytes += 6 * i;
  uint64_t bits = 0;
  for (int b = 0; b < 6; ++b)
    bits |= (uint64_t)bytes[b] << (8 * b);
  return (int64_t)(bits ^ (UINT64_C(1) << 47)) - (INT64_C(1) << 47);
}

int64_t luna_tosa_const_at(const LunaTosaConst *ints, int64_t i) {
  switch (ints->width) {
  case 8:
    return mlirDenseElementsAttrGetInt8Value(ints->attribute, (intptr_t)i);
  case 16:
    return mlirDenseElementsAttrGetInt16Value(ints->attribute, (intptr_t)i);
  case 32:
    return mlirDenseElementsAttrGetInt32Value(ints->attribute, (intptr_t)i);
  case 48:
    return read_i48(ints->attribute, i);
  default: // index
    return (int64_t)mlirDenseElementsAttrGetIndexValue(ints->attribute,
                                                       (intptr_t)i);
  }
}

bool luna_tosa_scalar(MlirValue value, int64_t *scalar) {
  return luna_tosa_list(value, scalar, 1);
}

bool luna_tosa_list(MlirValue value, int64_t *list, int64_t count) {
  LunaTosaConst ints;
  if (!luna_tosa_const(value, &ints) || ints.count != count)
    return false;
  for (int64_t i = 0; i < count; ++i)
    list[i] = luna_tosa_const_at(&ints, i);
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

unsigned luna_tosa_width(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirTypeIsAIndex(mlirShapedTypeGetElementType(type)))
    return 0;
  return element_width(type);
}

int64_t luna_tosa_rank(MlirValue value) {
  return mlirShapedTypeGetRank(mlirValueGetType(value));
}

int64_t luna_tosa_dim(MlirValue value, int64_t d) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(value), (intptr_t)d);
}

//===----------------------------------------------------------------------===//
// LunaTosaRescale
//===----------------------------------------------------------------------===//

static bool has_rounding(MlirOperation op, const char *text) {
  MlirAttribute expected =
      mlirAttributeParseGet(mlirOperationGetContext(op), luna_str(text));
  return mlirAttributeEqual(luna_attr(op, "rounding_mode"), expected);
}

// TOSA rounds twice only with 32-bit multipliers.
static bool has_usable_rounding(MlirOperation op) {
  if (has_rounding(op, "#tosa.rounding_mode<DOUBLE_ROUND>"))
    return luna_attr_int(op, "scale32", 0) != 0;
  return has_rounding(op, "#tosa.rounding_mode<SINGLE_ROUND>");
}

static bool read_scales(MlirOperation op, LunaTosaRescale *rescale) {
  bool per_channel = luna_attr_int(op, "per_channel", 0) != 0;
  int64_t rank = luna_tosa_rank(rescale->input);
  int64_t count =
      per_channel && rank > 0 ? luna_tosa_dim(rescale->input, rank - 1) : 1;
  if (!luna_tosa_const(mlirOperationGetOperand(op, 1), &rescale->multiplier) ||
      !luna_tosa_const(mlirOperationGetOperand(op, 2), &rescale->shift) ||
      rescale->multiplier.count != count || rescale->shift.count != count)
    return false;
  int64_t largest_shift = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t multiplier = luna_tosa_const_at(&rescale->multiplier, i);
    int64_t shift = luna_tosa_const_at(&rescale->shift, i);
    if (multiplier < 0 || shift < 2 || shift > 62)
      return false;
    if (multiplier != luna_tosa_const_at(&rescale->multiplier, 0) ||
        shift != luna_tosa_const_at(&rescale->shift, 0))
      rescale->per_channel = true;
    largest_shift = shift > largest_shift ? shift : largest_shift;
  }
  // Double rounding adds its extra term to shifts above 31 only.
  rescale->rounding =
      largest_shift > 31 &&
              has_rounding(op, "#tosa.rounding_mode<DOUBLE_ROUND>")
          ? 1
          : 0;
  return true;
}

bool luna_tosa_rescale(MlirOperation op, LunaTosaRescale *rescale) {
  if (!luna_op_is(op, LUNA_OP_TOSA_RESCALE))
    return false;
  *rescale = (LunaTosaRescale){.input = mlirOperationGetOperand(op, 0)};
  rescale->input_width = luna_tosa_width(rescale->input);
  rescale->output_width = luna_tosa_width(mlirOperationGetResult(op, 0));
  if (rescale->input_width == 0 || rescale->output_width == 0 ||
      rescale->output_width > 32 || luna_attr_int(op, "input_unsigned", 1) ||
      luna_attr_int(op, "output_unsigned", 1) || !has_usable_rounding(op))
    return false;
  return luna_tosa_scalar(mlirOperationGetOperand(op, 3), &rescale->input_zp) &&
         luna_tosa_scalar(mlirOperationGetOperand(op, 4),
                          &rescale->output_zp) &&
         read_scales(op, rescale);
}

// Returns `value` truncated to 32 bits in two's complement.
static int32_t wrap32(int64_t value) {
  int64_t low = value & INT64_C(0xFFFFFFFF);
  return (int32_t)(low > INT32_MAX ? low - (INT64_C(1) << 32) : low);
}

int32_t luna_tosa_apply_scale(int32_t value, int32_t multiplier, int32_t shift,
                              int32_t rounding) {
  int64_t round = INT64_C(1) << (shift - 1);
  if (rounding == LUNA_ROUND_DOUBLE && shift > 31)
    round += value >= 0 ? INT64_C(1) << 30 : -(INT64_C(1) << 30);
  int64_t scaled = (int64_t)value * multiplier + round;
  // An arithmetic shift, written as a floor division.
  int64_t divisor = INT64_C(1) << shift;
  int64_t quotient = scaled / divisor;
  if (scaled % divisor < 0)
    --quotient;
  return wrap32(quotient);
}

int64_t luna_tosa_rescale_value(const LunaTosaRescale *rescale, int64_t value) {
  int64_t limit = INT64_C(1) << (rescale->output_width - 1);
  int32_t scaled = luna_tosa_apply_scale(
      wrap32(value - rescale->input_zp),
      (int32_t)luna_tosa_const_at(&rescale->multiplier, 0),
      (int32_t)luna_tosa_const_at(&rescale->shift, 0), rescale->rounding);
  int64_t result = wrap32(scaled + rescale->output_zp);
  if (result < -limit)
    return -limit;
  return result > limit - 1 ? limit - 1 : result;
}

bool luna_tosa_clamp(MlirOperation op, int64_t *min, int64_t *max) {
  if (!luna_op_is(op, LUNA_OP_TOSA_CLAMP) ||
      luna_tosa_width(mlirOperationGetOperand(op, 0)) == 0)
    return false;
  MlirAttribute low = luna_attr(op, "min_val");
  MlirAttribute high = luna_attr(op, "max_val");
  if (!mlirAttributeIsAInteger(low) || !mlirAttributeIsAInteger(high))
    return false;
  *min = mlirIntegerAttrGetValueInt(low);
  *max = mlirIntegerAttrGetValueInt(high);
  return *min <= *max;
}
