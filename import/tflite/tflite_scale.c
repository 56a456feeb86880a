#include <math.h>

#include "tflite_import.h"
#include "tflite_node.h"
#include "tflite_ops.h"

//===- Scales -------------------------------------------------------------===//

bool luna_tflite_is_quantized(const LunaTfliteTensor *tensor) {
  return tensor->type == LUNA_TFLITE_I8 || tensor->type == LUNA_TFLITE_U8 ||
         tensor->type == LUNA_TFLITE_I16;
}

bool luna_tflite_channel_scale(const LunaTfliteNode *node,
                               const LunaTfliteTensor *tensor, int64_t i,
                               float *scale) {
  const LunaTfliteQuant *quant = &tensor->quant;
  if (quant->scales.count == 0)
    return luna_tflite_fail(node, "'%s' is %s without a scale", tensor->name,
                            luna_tflite_type_name(tensor->type));
  uint32_t k = quant->scales.count == 1 ? 0 : (uint32_t)i;
  if (k >= quant->scales.count)
    return luna_tflite_fail(node, "'%s' has %u scales, needs one per channel",
                            tensor->name, quant->scales.count);
  *scale = luna_flat_f32_at(&node->import->model->flat, quant->scales, k);
  if (!(*scale > 0) || isinf(*scale))
    return luna_tflite_fail(node,
                            "'%s' has the scale %g, which is not a "
                            "positive number",
                            tensor->name, (double)*scale);
  return true;
}

bool luna_tflite_same_scale(LunaTfliteScale a, LunaTfliteScale b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

bool luna_tflite_output_scale(const LunaTfliteNode *node,
                              LunaTfliteScale *out) {
  return luna_tflite_scale(node, luna_tflite_output(node, 0), out);
}

bool luna_tflite_scales(const LunaTfliteNode *node, LunaTfliteScale *in,
                        LunaTfliteScale *out) {
  return luna_tflite_scale(node, luna_tflite_input(node, 0), in) &&
         luna_tflite_output_scale(node, out);
}

bool luna_tflite_need_same_scale(const LunaTfliteNode *node, int64_t i) {
  const LunaTfliteTensor *input = luna_tflite_input(node, i);
  LunaTfliteScale in, out;
  if (!luna_tflite_is_quantized(input))
    return true;
  if (!luna_tflite_scale(node, input, &in) ||
      !luna_tflite_output_scale(node, &out))
    return false;
  if (luna_tflite_same_scale(in, out))
    return true;
  return luna_tflite_fail(node, "input and output must have the same scale and "
                                "zero point");
}

bool luna_tflite_zero_point(const LunaTfliteNode *node,
                            const LunaTfliteTensor *tensor,
                            int64_t *zero_point) {
  const LunaTfliteQuant *quant = &tensor->quant;
  const LunaFlat *flat = &node->import->model->flat;
  bool is_unsigned = tensor->type == LUNA_TFLITE_U8;
  *zero_point = quant->zero_points.count > 0
                    ? luna_flat_i64_at(flat, quant->zero_points, 0)
                    : 0;
  for (uint32_t i = 1; i < quant->zero_points.count; ++i)
    if (luna_flat_i64_at(flat, quant->zero_points, i) != *zero_point)
      return luna_tflite_fail(node,
                              "'%s' has several zero points, only one is "
                              "supported",
                              tensor->name);
  int64_t lowest = tensor->type == LUNA_TFLITE_I8 ? -128 : 0;
  int64_t highest = is_unsigned                      ? 255
                    : tensor->type == LUNA_TFLITE_I8 ? 127
                                                     : 0;
  if (*zero_point < lowest || *zero_point > highest)
    return luna_tflite_fail(
        node, "'%s' is %s with zero point %lld, allowed are %lld to %lld",
        tensor->name, luna_tflite_type_name(tensor->type),
        (long long)*zero_point, (long long)lowest, (long long)highest);
  *zero_point -= is_unsigned ? 128 : 0;
  return true;
}

bool luna_tflite_scale(const LunaTfliteNode *node,
                       const LunaTfliteTensor *tensor, LunaTfliteScale *scale) {
  if (tensor->quant.scales.count > 1)
    return luna_tflite_fail(node,
                            "'%s' has %u scales, only one is supported "
                            "here",
                            tensor->name, tensor->quant.scales.count);
  return luna_tflite_channel_scale(node, tensor, 0, &scale->scale) &&
         luna_tflite_zero_point(node, tensor, &scale->zero_point);
}

bool luna_tflite_multiplier(const LunaTfliteNode *node, double real,
                            LunaMultiplier *multiplier) {
  *multiplier = luna_quantize_multiplier(real);
  if (luna_tflite_can_rescale(*multiplier))
    return true;
  return luna_tflite_fail(node,
                          "its scales ask for a factor of %g, at most 2^29 "
                          "is supported",
                          real);
}

bool luna_tflite_rescale_real(LunaTfliteNode *node, double real,
                              int64_t input_zp, int64_t output_zp,
                              MlirType element, MlirValue *value) {
  LunaMultiplier multiplier;
  if (!luna_tflite_multiplier(node, real, &multiplier))
    return false;
  *value = luna_tflite_rescale_by(node->builder, *value, multiplier, input_zp,
                                  output_zp, element);
  return true;
}

//===- Fused activations --------------------------------------------------===//

// The bounds of an activation as real numbers; false for one without.
static bool activation_bounds(int64_t activation, double *min, double *max) {
  *min = activation == LUNA_TFLITE_ACTIVATION_RELU_N1_TO_1 ? -1 : 0;
  *max = activation == LUNA_TFLITE_ACTIVATION_RELU6          ? 6
         : activation == LUNA_TFLITE_ACTIVATION_RELU_N1_TO_1 ? 1
                                                             : INFINITY;
  return activation >= LUNA_TFLITE_ACTIVATION_RELU &&
         activation <= LUNA_TFLITE_ACTIVATION_RELU6;
}

// Quantises a bound as TensorFlow Lite does, in single precision.
static int64_t quantize_bound(double bound, LunaTfliteScale scale,
                              int64_t limit) {
  double steps = round((double)((float)bound / scale.scale));
  double value = steps + (double)scale.zero_point;
  if (value > (double)limit - 1)
    return limit - 1;
  return value < (double)-limit ? -limit : (int64_t)value;
}

bool luna_tflite_activate(LunaTfliteNode *node, const LunaTfliteTensor *tensor,
                          int64_t activation, MlirValue *value) {
  double min = 0, max = 0;
  if (activation == LUNA_TFLITE_ACTIVATION_NONE)
    return true;
  if (!luna_tflite_need_element(node, tensor, *value))
    return false;
  if (!activation_bounds(activation, &min, &max))
    return luna_tflite_fail(node, "fused activation %lld is not supported",
                            (long long)activation);
  if (tensor->type == LUNA_TFLITE_F32) {
    *value = luna_build_clamp_float(node->builder, *value, min, max);
    return true;
  }
  if (!luna_tflite_is_quantized(tensor)) {
    int64_t high = isinf(max) ? INT32_MAX : (int64_t)max;
    *value = luna_build_clamp_int(node->builder, *value, (int64_t)min, high);
    return true;
  }
  LunaTfliteScale scale;
  if (!luna_tflite_scale(node, tensor, &scale))
    return false;
  int64_t limit = tensor->type == LUNA_TFLITE_I16 ? 32768 : 128;
  *value = luna_build_clamp_int(
      node->builder, *value, quantize_bound(min, scale, limit),
      isinf(max) ? limit - 1 : quantize_bound(max, scale, limit));
  return true;
}
