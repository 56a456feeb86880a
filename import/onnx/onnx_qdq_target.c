// What a QuantizeLinear makes, and which one lies ahead of an operator.

#include "onnx_qdq.h"

#include <math.h>
#include <string.h>

enum { MAX_CLAMPS = 4 };

bool onnx_qdq_read_target(OnnxImport *c, const OnnxValue *scale,
                          const OnnxValue *zero, OnnxTarget *target) {
  const float *scales = onnx_qdq_scales(c, scale);
  *target = (OnnxTarget){
      .type = zero ? zero->type : ONNX_U8, .low = INT8_MIN, .high = INT8_MAX};
  if (!scales || onnx_elems(&scale->shape) != 1 ||
      (target->type != ONNX_I8 && target->type != ONNX_U8) ||
      (zero && onnx_elems(&zero->shape) != 1) ||
      !onnx_qdq_zero(zero, target->type, &target->zero))
    return false;
  target->scale = scales[0];
  return true;
}

int64_t onnx_quantize_number(const OnnxTarget *target, float number) {
  float value = rintf(number / target->scale) + (float)target->zero;
  float low = (float)target->low, high = (float)target->high;
  return (int64_t)(value > high ? high : value > low ? value : low);
}

MlirValue onnx_round_to(OnnxImport *c, MlirValue x, const OnnxTarget *target) {
  x = luna_scalar_unary(c->b, "math.roundeven", x);
  if (target->zero != 0)
    x = luna_scalar_add(c->b, x, luna_scalar_f32(c->b, (double)target->zero));
  x = luna_scalar_max(c->b, x, luna_scalar_f32(c->b, (double)target->low));
  x = luna_scalar_min(c->b, x, luna_scalar_f32(c->b, (double)target->high));
  return onnx_cast(c, x, ONNX_F32, ONNX_I8);
}

//===----------------------------------------------------------------------===//
// What lies ahead
//===----------------------------------------------------------------------===//

static bool is_op(const Onnx__NodeProto *node, const char *name) {
  return node->op_type && strcmp(node->op_type, name) == 0;
}

// A constant of one number, or `absent` where the input is left out.
static bool read_bound(OnnxImport *c, const Onnx__NodeProto *node, size_t index,
                       float absent, float *bound) {
  *bound = absent;
  if (index >= node->n_input || !node->input[index][0])
    return true;
  OnnxValue *value = onnx_find_value(c, node->input[index]);
  if (!value || !value->data || value->type != ONNX_F32 ||
      onnx_elems(&value->shape) != 1)
    return false;
  *bound = (float)onnx_float_at(value, 0);
  return true;
}

// The bounds of Relu and Clip.
static bool read_clamp(OnnxImport *c, const Onnx__NodeProto *node, float *low,
                       float *high) {
  *low = 0.0f;
  *high = INFINITY;
  if (is_op(node, "Relu"))
    return true;
  OnnxNode plain = {.proto = node};
  if (!is_op(node, "Clip"))
    return false;
  float min = (float)onnx_attr_float(&plain, "min", -INFINITY);
  float max = (float)onnx_attr_float(&plain, "max", INFINITY);
  return read_bound(c, node, 1, min, low) && read_bound(c, node, 2, max, high);
}

// Quantising is monotone, so that a clamp of floats is one of integers.
bool onnx_qdq_find_target(OnnxImport *c, const char *name, OnnxTarget *target) {
  float low = -INFINITY, high = INFINITY;
  const Onnx__NodeProto *node = onnx_sole_user(c, name);
  for (int i = 0; node && i < MAX_CLAMPS; ++i) {
    float min, max;
    if (node->n_output != 1 || !read_clamp(c, node, &min, &max))
      break;
    low = fminf(fmaxf(low, min), max);
    high = fminf(fmaxf(high, min), max);
    name = node->output[0];
    node = onnx_sole_user(c, name);
  }
  if (!node || !is_op(node, "QuantizeLinear") || node->n_input < 2 ||
      strcmp(node->input[0], name) != 0)
    return false;
  OnnxValue *zero = NULL;
  bool has_zero = node->n_input > 2 && node->input[2][0];
  if (has_zero && !(zero = onnx_find_value(c, node->input[2])))
    return false;
  if (!onnx_qdq_read_target(c, onnx_find_value(c, node->input[1]), zero,
                            target))
    return false;
  OnnxTarget free = *target;
  if (low > -INFINITY)
    target->low = onnx_quantize_number(&free, low);
  if (high < INFINITY)
    target->high = onnx_quantize_number(&free, high);
  return true;
}
