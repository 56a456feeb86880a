#include "luna/ties.h"
#include "mlir-c/BuiltinAttributes.h"
#include "tflite_ops.h"

// QUANTIZE, DEQUANTIZE, CAST.

// Between integers, a rescale; none when nothing changes.
static bool requantize(LunaTfliteNode *node, MlirValue value) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  MlirType element = mlirShapedTypeGetElementType(
      luna_tflite_tensor_type(node->builder, output));
  LunaTfliteScale in, out;
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  bool is_same = luna_tflite_same_scale(in, out) &&
                 mlirTypeEqual(element, luna_element_of(value));
  if (!is_same &&
      !luna_tflite_rescale_real(node, (double)in.scale / (double)out.scale,
                                in.zero_point, out.zero_point, element, &value))
    return false;
  return luna_tflite_set(node, 0, value);
}

// Adds luna.quantize (`is_quantize`) or luna.dequantize, with the scale of the
// tensor that has the integers.
static bool convert(LunaTfliteNode *node, bool is_quantize, MlirValue value) {
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  const LunaTfliteTensor *ints =
      is_quantize ? output : luna_tflite_input(node, 0);
  LunaTfliteScale scale;
  if (!luna_tflite_scale(node, ints, &scale))
    return false;
  MlirType integer =
      mlirShapedTypeGetElementType(luna_tflite_tensor_type(b, ints));
  MlirType type = luna_with_element(mlirValueGetType(value),
                                    is_quantize ? integer : b->f32);
  MlirValue operands[3] = {
      value, luna_build_const_one(b, b->f32, (double)scale.scale),
      luna_build_const_one(b, integer, (double)scale.zero_point)};
  LunaAttr rounding = {"rounding", luna_i32_attr(b->context, LUNA_TIES_AWAY)};
  const char *name = is_quantize ? "luna.quantize" : "luna.dequantize";
  return luna_tflite_set(
      node, 0,
      luna_build_op(b, name, type, 3, operands, is_quantize, &rounding));
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
             ? convert(node, true, value)
             : requantize(node, value);
}

bool luna_tflite_op_dequantize(LunaTfliteNode *node) {
  MlirValue value;
  return luna_tflite_value(node, 0, &value) && convert(node, false, value);
}

// From float, TensorFlow Lite cuts off, TOSA rounds: the sign is taken apart.
static MlirValue truncate_f32(LunaBuilder *b, MlirValue value) {
  MlirValue magnitude =
      luna_build_unary(b, "tosa.floor", luna_build_unary(b, "tosa.abs", value));
  MlirValue zero = luna_build_const_like(b, value, b->f32, 0);
  return luna_build_select(
      b, luna_build_compare(b, "tosa.greater", zero, value),
      luna_build_binary(b, "tosa.sub", zero, magnitude), magnitude);
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
