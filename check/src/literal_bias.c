#include "literal_bias.h"

#include <math.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { INPUT, WEIGHT, BIAS };
enum { SCALE = 1 };

// What is looked at for one value, so that no model takes long.
enum { VALUES_MAX = 4096, MOVES_MAX = 64 };

// The scales of a dequantised value: constants, or a constant times others.
typedef struct Scales {
  const float *values;
  int64_t count;
  double factor;
} Scales;

static const Scales no_scales = {NULL, 0, 1};

//===- Scales -------------------------------------------------------------===//

// The floats of a constant, one if they are alike; none if it is not constant.
static Scales read_floats(MlirValue value) {
  MlirAttribute values = luna_constant_value(value);
  if (mlirAttributeIsNull(values) || !mlirAttributeIsADenseElements(values) ||
      !mlirTypeIsAF32(
          mlirShapedTypeGetElementType(mlirAttributeGetType(values))))
    return no_scales;
  return (Scales){.values = mlirDenseElementsAttrGetRawData(values),
                  .count = mlirDenseElementsAttrIsSplat(values)
                               ? 1
                               : mlirElementsAttrGetNumElements(values),
                  .factor = 1};
}

static double at(Scales scales, int64_t i) {
  return scales.factor * (double)scales.values[scales.count == 1 ? 0 : i];
}

// The same, also of a product of two constants, as ONNX's QLinearConv has them
// for its bias.
static Scales read_scales(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, LUNA_OP_TOSA_MUL))
    return read_floats(value);
  Scales one = read_floats(mlirOperationGetOperand(op, 0));
  Scales other = read_floats(mlirOperationGetOperand(op, 1));
  Scales many = one.count > 1 ? one : other;
  Scales single = one.count > 1 ? other : one;
  if (single.count != 1 || many.count == 0)
    return no_scales;
  many.factor = at(single, 0);
  return many;
}

// What makes a value, behind operators that move the elements of their first
// operand.
static MlirOperation source_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  for (int i = 0; i < MOVES_MAX && !mlirOperationIsNull(op) &&
                  !luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE) &&
                  mlirOperationGetNumOperands(op) > 0;
       ++i)
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return op;
}

static Scales scales_of(MlirValue value) {
  MlirOperation op = source_of(value);
  return luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE)
             ? read_scales(mlirOperationGetOperand(op, SCALE))
             : no_scales;
}

//===- Biases -------------------------------------------------------------===//

// As near as f32 has the product of two scales.
static const double f32_error = 1e-5;

// Returns by how much, in units, a bias of `number` units is rounded.
static double rounding_of(double number) {
  return number == 0 ? 0 : fmin(fabs(number - rint(number)) + f32_error, 0.5);
}

// The same of integers of a scale of `number` units, whatever they are.
static double rounding_of_scale(double number) {
  return fabs(number - 1) <= f32_error ? 0 : 0.5;
}

// The most that a channel's bias is rounded by: its floats, or its scales.
static double largest_rounding(Scales bias, Scales x, Scales w,
                               double (*rounding)(double number)) {
  int64_t count = bias.count > w.count ? bias.count : w.count;
  double most = 0;
  for (int64_t i = 0; i < count; ++i) {
    double unit = at(x, 0) * at(w, w.count == count ? i : 0);
    double number = at(bias, bias.count == count ? i : 0) / unit;
    most = fmax(most, rounding(number) * unit);
  }
  return most;
}

// Biases that are computed are summed up in float.
static double slack_of_bias(MlirOperation product, MlirValue bias) {
  Scales x = scales_of(mlirOperationGetOperand(product, INPUT));
  Scales w = scales_of(mlirOperationGetOperand(product, WEIGHT));
  MlirOperation op = source_of(bias);
  if (x.count == 0 || w.count == 0 || mlirOperationIsNull(op) ||
      mlirOperationGetNumResults(op) != 1)
    return 0;
  bool is_quantised = luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE);
  Scales own = is_quantised ? scales_of(bias)
                            : read_floats(mlirOperationGetResult(op, 0));
  return own.count == 0
             ? 0
             : largest_rounding(own, x, w,
                                is_quantised ? rounding_of_scale : rounding_of);
}

// A sum of a matrix product, behind reshapes, and a constant.
static double slack_of_sum(MlirOperation sum, intptr_t i) {
  MlirOperation op = luna_defining_op(mlirOperationGetOperand(sum, i));
  for (int k = 0; k < MOVES_MAX && luna_op_is(op, LUNA_OP_TOSA_RESHAPE); ++k)
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return luna_op_is(op, LUNA_OP_TOSA_MATMUL)
             ? slack_of_bias(op, mlirOperationGetOperand(sum, 1 - i))
             : 0;
}

static double slack_at(MlirOperation op) {
  if (LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_CONV2D, LUNA_OP_TOSA_CONV3D,
                     LUNA_OP_TOSA_DEPTHWISE_CONV2D,
                     LUNA_OP_TOSA_TRANSPOSE_CONV2D))
    return slack_of_bias(op, mlirOperationGetOperand(op, BIAS));
  if (luna_op_is(op, LUNA_OP_TOSA_ADD))
    return fmax(slack_of_sum(op, 0), slack_of_sum(op, 1));
  return 0;
}

//===- What makes a value -------------------------------------------------===//

static double slack_of(MlirValue value, int *budget);

// What the branches of an op yield for one of its results.
static double slack_of_yields(MlirOperation op, intptr_t result, int *budget) {
  double slack = 0;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    MlirOperation end = mlirBlockIsNull(block) ? (MlirOperation){NULL}
                                               : mlirBlockGetTerminator(block);
    if (luna_op_is(end, LUNA_OP_SCF_YIELD) &&
        result < mlirOperationGetNumOperands(end))
      slack =
          fmax(slack, slack_of(mlirOperationGetOperand(end, result), budget));
  }
  return slack;
}

// The largest among the operators between the value and what is dequantised.
static double slack_of(MlirValue value, int *budget) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op) || --*budget < 0 ||
      luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE))
    return 0;
  double slack = slack_at(op);
  if (luna_op_in_dialect(op, LUNA_DIALECT_SCF))
    slack = slack_of_yields(op, mlirOpResultGetResultNumber(value), budget);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    slack = fmax(slack, slack_of(mlirOperationGetOperand(op, i), budget));
  return slack;
}

double luna_literal_bias_slack(MlirValue value) {
  int budget = VALUES_MAX;
  return slack_of(value, &budget);
}
