#include "luna-c/ir_util.h"
#include "tflite_ops.h"

// QUANTIZE, DEQUANTIZE, CAST.

// Between integers, a rescale; none when nothing changes.
static bool requantize(LunaTfliteNode *node, MlirValue value) {
  const LunaTfliteTensor *input = luna_node_input(node, 0);
  const LunaTfliteTensor *output = luna_node_output(node, 0);
  MlirType element =
      mlirShapedTypeGetElementType(luna_tfl_tensor_type(node->builder, output));
  LunaTfliteScale in, out;
  if (!luna_node_scale(node, input, &in) ||
      !luna_node_scale(node, output, &out))
    return false;
  bool is_same = in.scale == out.scale && in.zero_point == out.zero_point &&
                 mlirTypeEqual(element, luna_tosa_element(value));
  if (!is_same &&
      !luna_node_rescale(node, (double)in.scale / (double)out.scale,
                         in.zero_point, out.zero_point, element, &value))
    return false;
  return luna_node_set(node, 0, value);
}

static MlirValue constant(LunaTosaBuilder *builder, MlirType type,
                          MlirAttribute value) {
  (void)type;
  MlirNamedAttribute attribute = luna_tosa_named(builder, "value", value);
  return luna_tosa_op(builder, "arith.constant", mlirAttributeGetType(value), 0,
                      NULL, 1, &attribute);
}

static MlirValue const_f32(LunaTosaBuilder *builder, double value) {
  return constant(
      builder, builder->f32,
      mlirFloatAttrDoubleGet(builder->context, builder->f32, value));
}

static MlirValue const_i32(LunaTosaBuilder *builder, int64_t value) {
  return constant(builder, builder->i32,
                  mlirIntegerAttrGet(builder->i32, value));
}

static MlirValue apply(LunaTosaBuilder *builder, const char *name,
                       MlirType type, MlirValue a, MlirValue b) {
  MlirValue operands[2] = {a, b};
  return luna_tosa_op(builder, name, type, 2, operands, 0, NULL);
}

static MlirValue compare_f32(LunaTosaBuilder *builder, int64_t predicate,
                             MlirValue a, MlirValue b) {
  MlirValue operands[2] = {a, b};
  MlirNamedAttribute attribute = luna_tosa_named(
      builder, "predicate",
      mlirIntegerAttrGet(mlirIntegerTypeGet(builder->context, 64), predicate));
  return luna_tosa_op(builder, "arith.cmpf", builder->i1, 2, operands, 1,
                      &attribute);
}

// Adds the body that quantises one element as TensorFlow Lite does: divide in
// single precision, round ties away from zero, add the zero point, clamp. The
// quotient is clamped first, to integers that the result clamps anyway; then
// its distance to the integer below it is exact.
static void quantize_body(LunaTosaBuilder *builder, LunaTfliteScale scale,
                          int64_t low, int64_t high, MlirType element) {
  enum { OGE = 3, OLE = 5 };
  MlirType f32 = builder->f32, i32 = builder->i32;
  MlirValue x = mlirBlockGetArgument(builder->block, 0);
  MlirValue q = apply(builder, "arith.divf", f32, x,
                      const_f32(builder, (double)scale.scale));
  q = apply(builder, "arith.maximumf", f32, q,
            const_f32(builder, (double)(low - scale.zero_point)));
  q = apply(builder, "arith.minimumf", f32, q,
            const_f32(builder, (double)(high - scale.zero_point)));
  MlirValue whole = luna_tosa_op(builder, "arith.fptosi", i32, 1, &q, 0, NULL);
  MlirValue back =
      luna_tosa_op(builder, "arith.sitofp", f32, 1, &whole, 0, NULL);
  MlirValue rest = apply(builder, "arith.subf", f32, q, back);
  MlirValue up = compare_f32(builder, OGE, rest, const_f32(builder, 0.5));
  MlirValue down = compare_f32(builder, OLE, rest, const_f32(builder, -0.5));
  up = luna_tosa_op(builder, "arith.extui", i32, 1, &up, 0, NULL);
  down = luna_tosa_op(builder, "arith.extui", i32, 1, &down, 0, NULL);
  MlirValue sum = apply(builder, "arith.addi", i32, whole, up);
  sum = apply(builder, "arith.subi", i32, sum, down);
  sum = apply(builder, "arith.addi", i32, sum,
              const_i32(builder, scale.zero_point));
  sum = luna_tosa_op(builder, "arith.trunci", element, 1, &sum, 0, NULL);
  LunaOpSpec yield = {.name = "linalg.yield",
                      .location = builder->location,
                      .operands = &sum,
                      .operand_count = 1};
  mlirBlockAppendOwnedOperation(builder->block, luna_build(&yield));
}

// Says that all dimensions are parallel, twice the identity map.
static void generic_attributes(const LunaTosaBuilder *builder, int64_t rank,
                               MlirNamedAttribute attributes[3]) {
  MlirContext context = builder->context;
  MlirAttribute identity = mlirAffineMapAttrGet(
      mlirAffineMapMultiDimIdentityGet(context, (intptr_t)rank));
  MlirAttribute maps[2] = {identity, identity};
  MlirAttribute iterators[LUNA_TOSA_MAX_RANK];
  for (int64_t d = 0; d < rank; ++d)
    iterators[d] = luna_tosa_parse(builder, "#linalg.iterator_type<parallel>");
  static const int32_t segments[2] = {1, 1};
  attributes[0] = luna_tosa_named(builder, "indexing_maps",
                                  mlirArrayAttrGet(context, 2, maps));
  attributes[1] =
      luna_tosa_named(builder, "iterator_types",
                      mlirArrayAttrGet(context, (intptr_t)rank, iterators));
  attributes[2] = luna_tosa_named(builder, "operandSegmentSizes",
                                  mlirDenseI32ArrayGet(context, 2, segments));
}

// TOSA rounds ties to even and has no division: linalg states it exactly.
static bool quantize_f32(LunaTfliteNode *node, MlirValue value) {
  LunaTosaBuilder *builder = node->builder;
  const LunaTfliteTensor *output = luna_node_output(node, 0);
  LunaTfliteScale scale;
  if (!luna_node_scale(node, output, &scale))
    return false;
  MlirType element =
      mlirShapedTypeGetElementType(luna_tfl_tensor_type(builder, output));
  MlirType type = luna_tosa_with_element(mlirValueGetType(value), element);
  int64_t limit = INT64_C(1) << (mlirIntegerTypeGetWidth(element) - 1);
  MlirValue operands[2] = {
      value, luna_tosa_op(builder, "tensor.empty", type, 0, NULL, 0, NULL)};
  MlirNamedAttribute attributes[3];
  generic_attributes(builder, luna_tosa_rank_of(value), attributes);
  MlirType types[2] = {builder->f32, element};
  MlirLocation locations[2] = {builder->location, builder->location};
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(2, types, locations);
  mlirRegionAppendOwnedBlock(region, body);
  MlirBlock outer = builder->block;
  builder->block = body;
  quantize_body(builder, scale, -limit, limit - 1, element);
  builder->block = outer;
  LunaOpSpec spec = {.name = "linalg.generic",
                     .location = builder->location,
                     .operands = operands,
                     .operand_count = 2,
                     .results = &type,
                     .result_count = 1,
                     .attributes = attributes,
                     .attribute_count = 3,
                     .owned_regions = &region,
                     .region_count = 1};
  MlirOperation op = luna_build(&spec);
  mlirBlockAppendOwnedOperation(builder->block, op);
  return luna_node_set(node, 0, mlirOperationGetResult(op, 0));
}

bool luna_tfl_quantize(LunaTfliteNode *node) {
  MlirValue value;
  if (!luna_node_value(node, 0, &value))
    return false;
  const LunaTfliteTensor *output = luna_node_output(node, 0);
  if (!luna_tfl_is_quantized(output))
    return luna_node_fail(node,
                          "output '%s' is %s, supported are int8, uint8 "
                          "and int16",
                          output->name, luna_tflite_type_name(output->type));
  return luna_node_input(node, 0)->type == LUNA_TFLITE_F32
             ? quantize_f32(node, value)
             : requantize(node, value);
}

bool luna_tfl_dequantize(LunaTfliteNode *node) {
  MlirValue value;
  LunaTosaBuilder *builder = node->builder;
  LunaTfliteScale scale;
  if (!luna_node_value(node, 0, &value) ||
      !luna_node_scale(node, luna_node_input(node, 0), &scale))
    return false;
  // Exact: the difference is a small integer, the product rounds once.
  value = luna_tosa_cast(builder, value, builder->f32);
  if (scale.zero_point != 0)
    value = luna_tosa_binary(builder, "tosa.sub", value,
                             luna_tosa_scalar_like(builder, value, builder->f32,
                                                   (double)scale.zero_point),
                             builder->f32);
  value = luna_tosa_binary(
      builder, "tosa.mul", value,
      luna_tosa_scalar_like(builder, value, builder->f32, (double)scale.scale),
      builder->f32);
  return luna_node_set(node, 0, value);
}

// From float, TensorFlow Lite cuts off, TOSA rounds: the sign is taken apart.
static MlirValue truncate_f32(LunaTosaBuilder *builder, MlirValue value) {
  MlirValue magnitude = luna_tosa_unary(
      builder, "tosa.floor", luna_tosa_unary(builder, "tosa.abs", value));
  MlirValue zero = luna_tosa_scalar_like(builder, value, builder->f32, 0);
  MlirValue operands[3] = {
      luna_tosa_binary(builder, "tosa.greater", zero, value, builder->i1),
      luna_tosa_binary(builder, "tosa.sub", zero, magnitude, builder->f32),
      magnitude};
  return luna_tosa_op(builder, "tosa.select", mlirValueGetType(value), 3,
                      operands, 0, NULL);
}

bool luna_tfl_cast(LunaTfliteNode *node) {
  MlirValue value;
  if (!luna_node_value(node, 0, &value))
    return false;
  const LunaTfliteTensor *input = luna_node_input(node, 0);
  const LunaTfliteTensor *output = luna_node_output(node, 0);
  if (input->type == LUNA_TFLITE_U8 || output->type == LUNA_TFLITE_U8)
    return luna_node_fail(node, "uint8 is not supported here");
  if (input->type == LUNA_TFLITE_F32 && output->type != LUNA_TFLITE_BOOL)
    value = truncate_f32(node->builder, value);
  MlirType element =
      mlirShapedTypeGetElementType(luna_tfl_tensor_type(node->builder, output));
  return luna_node_set(node, 0, luna_tosa_cast(node->builder, value, element));
}
