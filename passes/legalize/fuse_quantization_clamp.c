// Clamps of floats: TOSA's, and min and max in a linalg.generic.

#include "fuse_quantization.h"

#include <math.h>

#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Clamp {
  float low, high;
} Clamp;

static bool read_tosa_clamp(MlirOperation op, Clamp *clamp) {
  MlirAttribute low = luna_attr(op, "min_val"), high = luna_attr(op, "max_val");
  if (!luna_op_is(op, LUNA_OP_TOSA_CLAMP) || !mlirAttributeIsAFloat(low) ||
      !mlirAttributeIsAFloat(high))
    return false;
  clamp->low = (float)mlirFloatAttrGetValueDouble(low);
  clamp->high = (float)mlirFloatAttrGetValueDouble(high);
  return true;
}

// A number in the body of `op`: a constant, or an input of one number.
static bool read_number(MlirOperation op, MlirValue value, float *number) {
  MlirOperation maker = luna_defining_op(value);
  if (mlirOperationIsNull(maker)) {
    intptr_t input = mlirBlockArgumentGetArgNumber(value);
    return luna_literal_number(mlirOperationGetOperand(op, input), number);
  }
  MlirAttribute attribute = luna_attr(maker, "value");
  if (!luna_op_is(maker, LUNA_OP_ARITH_CONSTANT) ||
      !mlirAttributeIsAFloat(attribute))
    return false;
  *number = (float)mlirFloatAttrGetValueDouble(attribute);
  return true;
}

// Steps from a bounded value of the body to what is bounded.
static bool read_bound(MlirOperation op, MlirValue *value, LunaOpName name,
                       float *bound) {
  MlirOperation step = luna_defining_op(*value);
  if (!luna_op_is(step, name) ||
      !read_number(op, mlirOperationGetOperand(step, 1), bound))
    return false;
  *value = mlirOperationGetOperand(step, 0);
  return true;
}

// min(max(x, low), high), or only one of these, of the first input.
static bool read_generic_clamp(MlirOperation op, Clamp *clamp) {
  if (!luna_op_is(op, LUNA_OP_LINALG_GENERIC) ||
      mlirOperationGetNumOperands(op) < 2 ||
      mlirOperationGetNumResults(op) != 1 || !luna_reads_in_order(op))
    return false;
  MlirBlock body = luna_body(op, 0);
  MlirValue value = mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
  if (!mlirTypeIsAF32(mlirValueGetType(value)))
    return false;
  *clamp = (Clamp){-INFINITY, INFINITY};
  bool has_high = read_bound(op, &value, LUNA_OP_ARITH_MINIMUMF, &clamp->high);
  bool has_low = read_bound(op, &value, LUNA_OP_ARITH_MAXIMUMF, &clamp->low);
  return (has_low || has_high) && clamp->low <= clamp->high &&
         mlirValueEqual(value, mlirBlockGetArgument(body, 0));
}

static bool read_clamp(MlirOperation op, Clamp *clamp) {
  return !mlirOperationIsNull(op) &&
         (read_tosa_clamp(op, clamp) || read_generic_clamp(op, clamp));
}

bool luna_fuse_sink_relu(MlirOperation op) {
  Clamp clamp;
  LunaQuant quant;
  if (!read_clamp(op, &clamp) ||
      !luna_quant_source(mlirOperationGetOperand(op, 0), &quant) ||
      !luna_quant_is_int8(&quant) || clamp.low != 0.0f ||
      clamp.high < (float)(INT8_MAX - quant.zero) * quant.scale)
    return false;
  LunaBuilder b = luna_builder_before(op, op);
  MlirValue ints =
      luna_build_clamp_int(&b, luna_quant_ints(&quant), quant.zero, INT8_MAX);
  luna_quant_replace(
      op, luna_quant_make_floats(&b, ints, &quant, mlirAttributeGetNull()));
  return true;
}

static void set_bound(MlirOperation quantize, const char *name, int64_t bound) {
  luna_set_attr(
      quantize, name,
      luna_i32_attr(mlirOperationGetContext(quantize), (int32_t)bound));
}

// Quantising is monotone, so that a clamp of floats is one of integers.
void luna_fuse_absorb_clamps(MlirOperation quantize) {
  LunaQuantTarget target;
  Clamp clamp;
  MlirValue value = mlirOperationGetOperand(quantize, 0);
  MlirOperation op = luna_defining_op(value);
  while (luna_is_used_once(value) && read_clamp(op, &clamp) &&
         luna_quant_target(quantize, &target)) {
    int64_t low = luna_quant_number(&target, clamp.low);
    int64_t high = luna_quant_number(&target, clamp.high);
    if (low > INT8_MIN)
      set_bound(quantize, "clamp_min", low);
    if (high < INT8_MAX)
      set_bound(quantize, "clamp_max", high);
    value = mlirOperationGetOperand(op, 0);
    mlirOperationSetOperand(quantize, 0, value);
    luna_quant_erase_dead(op);
    op = luna_defining_op(value);
  }
}
