#include "literal_bias.h"

#include <math.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { INPUT, WEIGHT, BIAS };
enum { SCALE = 1 };

// What is looked at for one value, so that no model takes long.
enum { VALUES_MAX = 4096, MOVES_MAX = 64 };

// The scales of a dequantised value.
typedef struct Scales {
  const float *values;
  int64_t count;
} Scales;

//===- Scales -------------------------------------------------------------===//

// The floats of a constant, one if they are alike; none if it is not constant.
static Scales read_floats(MlirValue value) {
  MlirAttribute values = luna_constant_value(value);
  if (mlirAttributeIsNull(values) || !mlirAttributeIsADenseElements(values) ||
      !mlirTypeIsAF32(
          mlirShapedTypeGetElementType(mlirAttributeGetType(values))))
    return (Scales){NULL, 0};
  return (Scales){mlirDenseElementsAttrGetRawData(values),
                  mlirDenseElementsAttrIsSplat(values)
                      ? 1
                      : mlirElementsAttrGetNumElements(values)};
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
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE)
             ? read_floats(mlirOperationGetOperand(op, SCALE))
             : (Scales){NULL, 0};
}

static double largest(Scales scales) {
  double most = 0;
  for (int64_t i = 0; i < scales.count; ++i)
    most = fmax(most, fabs((double)scales.values[i]));
  return most;
}

static double at(Scales scales, int64_t i) {
  return (double)scales.values[scales.count == 1 ? 0 : i];
}

//===- Biases -------------------------------------------------------------===//

// True if the scales are the products of the others, as near as f32 has them.
static bool is_product(Scales bias, Scales x, Scales w) {
  bool is_same = w.count == 1 || bias.count == w.count;
  for (int64_t i = 0; is_same && i < bias.count; ++i) {
    double unit = at(x, 0) * at(w, i);
    is_same = fabs(at(bias, i) - unit) <= 1e-5 * unit;
  }
  return is_same;
}

static bool is_multiple(MlirValue bias, Scales x, Scales w) {
  MlirOperation op = source_of(bias);
  if (mlirOperationIsNull(op))
    return true;
  if (luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE))
    return is_product(scales_of(bias), x, w);
  return mlirOperationGetNumResults(op) != 1 ||
         largest(read_floats(mlirOperationGetResult(op, 0))) == 0;
}

// Half a unit of the sums of a product, if that bias is not a multiple of it.
static double half_unit(MlirOperation product, MlirValue bias) {
  Scales x = scales_of(mlirOperationGetOperand(product, INPUT));
  Scales w = scales_of(mlirOperationGetOperand(product, WEIGHT));
  if (x.count == 0 || w.count == 0 || is_multiple(bias, x, w))
    return 0;
  return largest(x) * largest(w) / 2;
}

// A sum of a matrix product, behind reshapes, and a constant.
static double half_unit_of_sum(MlirOperation sum, intptr_t i) {
  MlirOperation op = luna_defining_op(mlirOperationGetOperand(sum, i));
  for (int k = 0; k < MOVES_MAX && !mlirOperationIsNull(op) &&
                  luna_op_is(op, LUNA_OP_TOSA_RESHAPE);
       ++k)
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_TOSA_MATMUL)
             ? half_unit(op, mlirOperationGetOperand(sum, 1 - i))
             : 0;
}

static double slack_at(MlirOperation op) {
  static const LunaOpName products[] = {
      LUNA_OP_TOSA_CONV2D, LUNA_OP_TOSA_CONV3D, LUNA_OP_TOSA_DEPTHWISE_CONV2D,
      LUNA_OP_TOSA_TRANSPOSE_CONV2D};
  if (luna_op_is_any(op, products, sizeof products / sizeof products[0]))
    return half_unit(op, mlirOperationGetOperand(op, BIAS));
  if (luna_op_is(op, LUNA_OP_TOSA_ADD))
    return fmax(half_unit_of_sum(op, 0), half_unit_of_sum(op, 1));
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
    if (!mlirOperationIsNull(end) && luna_op_is(end, LUNA_OP_SCF_YIELD) &&
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
