#include <math.h>

#include "luna-c/ops.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "tosa_to_luna.h"

// Requantisation in floating point, as readers of ONNX write it: a
// linalg.generic whose body is
//   clamp(roundeven(sitofp(sum) * scale) + zero), fptosi, trunci
// with one scale, or one per channel as a second input.

// The operand of `value` if an op called `name` computes it, else null.
static MlirValue operand_of(MlirValue value, LunaOpName name, intptr_t index) {
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, name))
    return (MlirValue){NULL};
  return mlirOperationGetOperand(op, index);
}

static bool is_f32(MlirType type) { return mlirTypeIsAF32(type); }

// Reads an f32 constant.
static bool read_float(MlirValue value, double *number) {
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, LUNA_OP_ARITH_CONSTANT) ||
      !is_f32(mlirValueGetType(value)))
    return false;
  MlirAttribute attribute = luna_attr(op, "value");
  if (!mlirAttributeIsAFloat(attribute))
    return false;
  *number = mlirFloatAttrGetValueDouble(attribute);
  return true;
}

// The operand of a binary op whose other one, the second, is a whole constant
// of at most 16 bits.
static MlirValue beside_integer(MlirValue value, LunaOpName name,
                                int32_t *integer) {
  MlirValue null = {NULL}, first = operand_of(value, name, 0);
  double number = 0;
  if (mlirValueIsNull(first) ||
      !read_float(operand_of(value, name, 1), &number) || number < INT16_MIN ||
      number > INT16_MAX || number != floor(number))
    return null;
  *integer = (int32_t)number;
  return first;
}

// What the body does.
typedef struct Body {
  MlirBlock block;
  MlirValue scale; // null where `number` is the scale
  double number;
  int32_t zero_point, low, high;
} Body;

static bool is_argument(const Body *body, MlirValue value, intptr_t index) {
  return index < mlirBlockGetNumArguments(body->block) &&
         mlirValueEqual(value, mlirBlockGetArgument(body->block, index));
}

static bool is_integer_type(MlirType type, unsigned width) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == width;
}

// Reads the body backwards from what it yields.
static bool read_body(Body *body) {
  MlirOperation yield = mlirBlockGetTerminator(body->block);
  if (mlirOperationIsNull(yield) || mlirOperationGetNumOperands(yield) != 1)
    return false;
  MlirValue value = mlirOperationGetOperand(yield, 0);
  MlirValue wide = operand_of(value, LUNA_OP_ARITH_TRUNCI, 0);
  value =
      operand_of(mlirValueIsNull(wide) ? value : wide, LUNA_OP_ARITH_FPTOSI, 0);
  if (mlirValueIsNull(value) || !is_f32(mlirValueGetType(value)))
    return false;
  value = beside_integer(value, LUNA_OP_ARITH_MINIMUMF, &body->high);
  if (!mlirValueIsNull(value))
    value = beside_integer(value, LUNA_OP_ARITH_MAXIMUMF, &body->low);
  if (mlirValueIsNull(value))
    return false;
  MlirValue sum = beside_integer(value, LUNA_OP_ARITH_ADDF, &body->zero_point);
  value =
      operand_of(mlirValueIsNull(sum) ? value : sum, LUNA_OP_MATH_ROUNDEVEN, 0);
  if (mlirValueIsNull(value))
    return false;
  MlirValue converted = operand_of(value, LUNA_OP_ARITH_MULF, 0);
  if (mlirValueIsNull(converted))
    return false;
  body->scale = operand_of(value, LUNA_OP_ARITH_MULF, 1);
  if (read_float(body->scale, &body->number))
    body->scale = (MlirValue){NULL};
  else if (!is_argument(body, body->scale, 1))
    return false;
  MlirValue argument = operand_of(converted, LUNA_OP_ARITH_SITOFP, 0);
  return !mlirValueIsNull(argument) && is_argument(body, argument, 0) &&
         is_integer_type(mlirValueGetType(argument), 32);
}

// Returns true if the map gives the last of `rank` loops.
static bool is_last(MlirAffineMap map, int64_t rank) {
  if (mlirAffineMapGetNumResults(map) != 1)
    return false;
  MlirAffineExpr expr = mlirAffineMapGetResult(map, 0);
  return mlirAffineExprIsADim(expr) &&
         mlirAffineDimExprGetPosition(expr) == rank - 1;
}

// Element by element in order; a second input goes along the last dimension.
static bool has_usual_maps(MlirOperation op, int64_t rank, bool has_scales) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  intptr_t count = has_scales ? 3 : 2;
  if (mlirAttributeIsNull(maps) || mlirArrayAttrGetNumElements(maps) != count)
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    if (mlirAffineMapGetNumDims(map) != rank ||
        !(has_scales && i == 1 ? is_last(map, rank)
                               : mlirAffineMapIsIdentity(map)))
      return false;
  }
  return true;
}

// A constant of one positive scale per channel.
static MlirAttribute read_scales(MlirValue value, int64_t channels) {
  MlirAttribute null = mlirAttributeGetNull();
  MlirAttribute scales = luna_constant_value(value);
  if (mlirAttributeIsNull(scales) || !mlirAttributeIsADenseElements(scales) ||
      !is_f32(mlirShapedTypeGetElementType(mlirAttributeGetType(scales))) ||
      mlirElementsAttrGetNumElements(scales) != channels)
    return null;
  for (int64_t c = 0; c < channels; ++c) {
    float scale = mlirDenseElementsAttrGetFloatValue(scales, (intptr_t)c);
    if (!(scale > 0.0f) || isinf(scale))
      return null;
  }
  return scales;
}

static bool read_shape(MlirOperation op, Body *body) {
  if (!luna_op_is(op, LUNA_OP_LINALG_GENERIC) ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  int64_t segments[2];
  MlirValue sums = mlirOperationGetOperand(op, 0);
  if (!luna_attr_ints(op, "operandSegmentSizes", segments, 2) ||
      segments[0] < 1 || segments[0] > 2 || luna_tosa_width(sums) != 32)
    return false;
  body->block = luna_body(op, 0);
  return has_usual_maps(op, luna_tosa_rank(sums), segments[0] == 2);
}

bool luna_tosa_float_requant(MlirOperation op, LunaRequant *requant,
                             MlirAttribute *scales) {
  Body body = {0};
  if (!read_shape(op, &body) || !read_body(&body) || body.low > body.high)
    return false;
  MlirValue sums = mlirOperationGetOperand(op, 0);
  unsigned width = luna_tosa_width(mlirOperationGetResult(op, 0));
  int32_t limit = width == 8 ? 128 : 32768;
  if ((width != 8 && width != 16) || body.low < -limit || body.high >= limit)
    return false;
  *requant = (LunaRequant){
      .mode = LUNA_REQUANT_FLOAT,
      .scale = (float)body.number,
      .per_channel = !mlirValueIsNull(body.scale),
      .zero_point = body.zero_point,
      .clamp_min = body.low,
      .clamp_max = body.high,
  };
  if (!requant->per_channel)
    return body.number > 0.0 && !isinf(body.number);
  int64_t rank = luna_tosa_rank(sums);
  *scales = read_scales(mlirOperationGetOperand(op, 1),
                        rank > 0 ? luna_tosa_dim(sums, rank - 1) : 1);
  return !mlirAttributeIsNull(*scales);
}
