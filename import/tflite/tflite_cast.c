#include "tflite_ops.h"
#include "tflite_scalar.h"

// QUANTIZE, DEQUANTIZE, CAST.

// Between integers, a rescale; none when nothing changes.
static bool requantize(LunaTfliteNode *node, MlirValue value) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  MlirType element = mlirShapedTypeGetElementType(
      luna_tflite_tensor_type(node->builder, output));
  LunaTfliteScale in, out;
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  bool is_same = in.scale == out.scale && in.zero_point == out.zero_point &&
                 mlirTypeEqual(element, luna_element_of(value));
  if (!is_same &&
      !luna_tflite_rescale_real(node, (double)in.scale / (double)out.scale,
                                in.zero_point, out.zero_point, element, &value))
    return false;
  return luna_tflite_set(node, 0, value);
}

// Adds the ops that quantise one float as TensorFlow Lite does: divide in
// single precision, round ties away from zero, add the zero point, clamp. The
// quotient is clamped first, to integers that the result clamps anyway; then
// its distance to the integer below it is exact.
static MlirValue quantize_element(LunaBuilder *b, MlirValue x,
                                  LunaTfliteScale scale, MlirType element) {
  MlirType f32 = b->f32, i32 = b->i32;
  int64_t limit = INT64_C(1) << (mlirIntegerTypeGetWidth(element) - 1);
  int64_t low = -limit - scale.zero_point, high = limit - 1 - scale.zero_point;
  MlirValue q = luna_scalar_div(b, x, luna_scalar_f32(b, (double)scale.scale));
  q = luna_scalar_max(b, q, luna_scalar_f32(b, (double)low));
  q = luna_scalar_min(b, q, luna_scalar_f32(b, (double)high));
  MlirValue whole = luna_scalar_to(b, "arith.fptosi", q, i32);
  MlirValue rest =
      luna_scalar_sub(b, q, luna_scalar_to(b, "arith.sitofp", whole, f32));
  MlirValue up = luna_scalar_compare(b, LUNA_GE, rest, luna_scalar_f32(b, 0.5));
  MlirValue down =
      luna_scalar_compare(b, LUNA_LE, rest, luna_scalar_f32(b, -0.5));
  up = luna_scalar_to(b, "arith.extui", up, i32);
  down = luna_scalar_to(b, "arith.extui", down, i32);
  MlirValue sum = luna_scalar_add(b, whole, up);
  sum = luna_scalar_sub(b, sum, down);
  sum = luna_scalar_add(b, sum, luna_scalar_i32(b, scale.zero_point));
  return luna_scalar_resize(b, sum, element);
}

// TOSA rounds ties to even and has no division: linalg states it exactly.
static bool quantize_f32(LunaTfliteNode *node, MlirValue value) {
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  LunaTfliteScale scale;
  LunaShape shape = luna_shape_of(value);
  if (!luna_tflite_scale(node, output, &scale))
    return false;
  MlirType element =
      mlirShapedTypeGetElementType(luna_tflite_tensor_type(b, output));
  LunaGeneric generic = luna_generic(b, &shape);
  MlirValue x = luna_generic_input(&generic, value);
  luna_generic_result(&generic, element);
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic, quantize_element(b, x, scale, element)));
}

bool luna_tflite_op_quantize(LunaTfliteNode *node) {
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (!luna_tflite_is_quantized(output))
    return luna_tflite_fail(node,
                            "output '%s' is %s, supported are int8, uint8 "
                            "and int16",
                            output->name, luna_tflite_type_name(output->type));
  return luna_tflite_input(node, 0)->type == LUNA_TFLITE_F32
             ? quantize_f32(node, value)
             : requantize(node, value);
}

bool luna_tflite_op_dequantize(LunaTfliteNode *node) {
  MlirValue value;
  LunaBuilder *b = node->builder;
  LunaTfliteScale scale;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_scale(node, luna_tflite_input(node, 0), &scale))
    return false;
  // Exact: the difference is a small integer, the product rounds once.
  value = luna_build_cast(b, value, b->f32);
  if (scale.zero_point != 0)
    value = luna_build_binary(
        b, "tosa.sub", value,
        luna_build_const_like(b, value, b->f32, (double)scale.zero_point));
  value = luna_build_binary(
      b, "tosa.mul", value,
      luna_build_const_like(b, value, b->f32, (double)scale.scale));
  return luna_tflite_set(node, 0, value);
}

// From float, TensorFlow Lite cuts off, TOSA rounds: the sign is taken apart.
static MlirValue truncate_f32(LunaBuilder *b, MlirValue value) {
  MlirValue magnitude =
      luna_build_unary(b, "tosa.floor", luna_build_unary(b, "tosa.abs", value));
  MlirValue zero = luna_build_const_like(b, value, b->f32, 0);
  MlirValue operands[3] = {luna_build_compare(b, "tosa.greater", zero, value),
                           luna_build_binary(b, "tosa.sub", zero, magnitude),
                           magnitude};
  return luna_build_op(b, "tosa.select", mlirValueGetType(value), 3, operands,
                       0, NULL);
}

bool luna_tflite_op_cast(LunaTfliteNode *node) {
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (input->type == LUNA_TFLITE_U8 || output->type == LUNA_TFLITE_U8)
    return luna_tflite_fail(node, "uint8 is not supported here");
  if (input->type == LUNA_TFLITE_F32 && output->type != LUNA_TFLITE_F32 &&
      output->type != LUNA_TFLITE_BOOL)
    value = truncate_f32(node->builder, value);
  MlirType element = mlirShapedTypeGetElementType(
      luna_tflite_tensor_type(node->builder, output));
  return luna_tflite_set(node, 0,
                         luna_build_cast(node->builder, value, element));
}
