// Quantised operators of ONNX: linear scales and zero points.

#include "onnx_conv.h"

#include <string.h>

typedef struct QuantNode {
  OnnxNode node;
  OnnxType to;
} QuantNode;

static OnnxType target(const OnnxNode *n) {
  return ((const QuantNode *)(const void *)n)->to;
}

// A scale or zero point, shaped to broadcast along `axis`.
static OnnxValue *along_axis(OnnxImport *c, OnnxValue *value, int rank,
                             int axis, int64_t size) {
  if (onnx_elems(&value->shape) == 1) {
    LunaShape scalar = {.rank = 0};
    return onnx_reshape_value(c, value, &scalar);
  }
  LunaShape shape = onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = i == axis ? size : 1;
  return onnx_reshape_value(c, value, &shape);
}

// saturate(round(x / scale) + zero): x is float, ties go to even.
static MlirValue quantize_element(OnnxImport *c, const OnnxNode *n,
                                  OnnxType type, const MlirValue *args,
                                  int count) {
  MlirValue x = onnx_cast(c, args[0], type, ONNX_F32);
  x = luna_scalar_div(c->b, x, args[1]);
  x = luna_scalar_unary(c->b, "math.roundeven", x);
  if (count > 2)
    x = luna_scalar_add(c->b, x, onnx_cast(c, args[2], target(n), ONNX_F32));
  return onnx_saturate(c, x, target(n));
}

static bool read_axis(OnnxImport *c, const OnnxNode *n, int *axis) {
  int rank = n->inputs[0]->shape.rank;
  int64_t given = onnx_attr_int(n, "axis", rank > 1 ? 1 : 0);
  if (rank == 0) {
    *axis = 0;
    return true;
  }
  return onnx_axis(c, given, rank, axis);
}

static OnnxValue *quantize(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                           OnnxValue *scale, OnnxValue *zero, int axis) {
  int rank = value->shape.rank;
  int64_t size = rank > 0 ? value->shape.dims[axis] : 1;
  QuantNode node = {*n, zero ? zero->type : ONNX_U8};
  if (!onnx_is_int(node.to) || onnx_type_bytes(node.to) > 2 ||
      scale->type != ONNX_F32) {
    onnx_fail(c, "needs a float scale and a zero point of 8 or 16 bits");
    return NULL;
  }
  OnnxValue *inputs[3] = {value, along_axis(c, scale, rank, axis, size),
                          zero ? along_axis(c, zero, rank, axis, size) : NULL};
  if (!inputs[1] || (zero && !inputs[2]))
    return NULL;
  return onnx_map(c, &node.node, inputs, zero ? 3 : 2, node.to,
                  quantize_element);
}

ONNX_HANDLER(quantize) {
  int axis;
  OnnxType type = n->inputs[0]->type;
  if ((type != ONNX_F32 && type != ONNX_I32) || !read_axis(c, n, &axis))
    return onnx_fail(c, "type %s is not supported", onnx_type_name(type));
  n->outputs[0] =
      quantize(c, n, n->inputs[0], n->inputs[1], onnx_input(n, 2), axis);
  return n->outputs[0] != NULL;
}

static MlirValue dequantize_element(OnnxImport *c, const OnnxNode *n,
                                    OnnxType type, const MlirValue *args,
                                    int count) {
  (void)n;
  MlirValue x = onnx_cast(c, args[0], type, ONNX_I32);
  if (count > 2)
    x = luna_scalar_sub(c->b, x, onnx_cast(c, args[2], type, ONNX_I32));
  return luna_scalar_mul(c->b, onnx_cast(c, x, ONNX_I32, ONNX_F32), args[1]);
}

ONNX_HANDLER(dequantize) {
  OnnxValue *value = n->inputs[0], *zero = onnx_input(n, 2);
  int axis, rank = value->shape.rank;
  if (!onnx_is_int(value->type) || onnx_type_bytes(value->type) > 4 ||
      n->inputs[1]->type != ONNX_F32 || (zero && zero->type != value->type))
    return onnx_fail(c, "type %s is not supported",
                     onnx_type_name(value->type));
  if (!read_axis(c, n, &axis))
    return false;
  int64_t size = rank > 0 ? value->shape.dims[axis] : 1;
  OnnxValue *inputs[3] = {value, along_axis(c, n->inputs[1], rank, axis, size),
                          zero ? along_axis(c, zero, rank, axis, size) : NULL};
  if (!inputs[1] || (zero && !inputs[2]))
    return false;
  n->outputs[0] =
      onnx_map(c, n, inputs, zero ? 3 : 2, ONNX_F32, dequantize_element);
  return n->outputs[0] != NULL;
}

static MlirValue zero_point_element(OnnxImport *c, const OnnxNode *n,
                                    OnnxType type, const MlirValue *args,
                                    int count) {
  (void)n, (void)count;
  MlirValue x = onnx_div(
      c, type, luna_scalar_sub(c->b, onnx_lit(c, type, 0.0), args[0]), args[1]);
  x = onnx_max(c, type, onnx_min(c, type, x, onnx_lit(c, type, 255.0)),
               onnx_lit(c, type, 0.0));
  return onnx_saturate(c, luna_scalar_unary(c->b, "math.roundeven", x),
                       ONNX_U8);
}

// The range always holds 0, so that 0 is exact.
ONNX_HANDLER(dynamic_quantize) {
  OnnxValue *value = n->inputs[0];
  LunaShape scalar = {.rank = 0};
  bool axes[ONNX_MAX_RANK];
  for (int i = 0; i < ONNX_MAX_RANK; ++i)
    axes[i] = true;
  if (value->type != ONNX_F32 || n->output_count != 3)
    return onnx_fail(c, "needs a float input and three outputs");
  OnnxValue *zero = onnx_scalar(c, ONNX_F32, 0);
  OnnxValue *low =
      onnx_reshape_value(c, onnx_reduce(c, value, axes, ONNX_MIN), &scalar);
  OnnxValue *high =
      onnx_reshape_value(c, onnx_reduce(c, value, axes, ONNX_MAX), &scalar);
  low = onnx_apply(c, n, "Min", low, zero);
  high = onnx_apply(c, n, "Max", high, zero);
  OnnxValue *scale = onnx_apply(c, n, "Div", onnx_apply(c, n, "Sub", high, low),
                                onnx_scalar(c, ONNX_F32, 255));
  OnnxValue *pair[2] = {low, scale};
  if (!scale)
    return false;
  n->outputs[1] = scale;
  n->outputs[2] = onnx_map(c, n, pair, 2, ONNX_U8, zero_point_element);
  if (!n->outputs[2])
    return false;
  n->outputs[0] = quantize(c, n, value, scale, n->outputs[2], 0);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Products of quantised tensors
//===----------------------------------------------------------------------===//

// saturate(round(acc * x_scale * w_scale / y_scale) + zero).
static MlirValue requantize_element(OnnxImport *c, const OnnxNode *n,
                                    OnnxType type, const MlirValue *args,
                                    int count) {
  (void)count;
  MlirValue x = onnx_cast(c, args[0], type, ONNX_F32);
  MlirValue scale =
      luna_scalar_div(c->b, luna_scalar_mul(c->b, args[1], args[2]), args[3]);
  x = luna_scalar_unary(c->b, "math.roundeven",
                        luna_scalar_mul(c->b, x, scale));
  x = luna_scalar_add(c->b, x, onnx_cast(c, args[4], target(n), ONNX_F32));
  return onnx_saturate(c, x, target(n));
}

static bool requantize(OnnxImport *c, OnnxNode *n, OnnxValue *sum, int axis,
                       int w_axis) {
  QuantNode node = {*n, n->inputs[7]->type};
  int rank = sum->shape.rank;
  int where[5] = {0, axis, w_axis, w_axis, w_axis};
  int from[5] = {0, 1, 4, 6, 7};
  OnnxValue *inputs[5] = {sum};
  if (!onnx_is_int(node.to) || onnx_type_bytes(node.to) != 1)
    return onnx_fail(c, "result must be int8 or uint8");
  for (int i = 1; i < 5; ++i) {
    OnnxValue *value = n->inputs[from[i]];
    if (i < 4 && value->type != ONNX_F32)
      return onnx_fail(c, "scales must be float");
    inputs[i] = along_axis(c, value, rank, where[i],
                           rank > 0 ? sum->shape.dims[where[i]] : 1);
    if (!inputs[i])
      return false;
  }
  n->outputs[0] =
      onnx_map(c, &node.node, inputs, 5, node.to, requantize_element);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(qlinear_conv) {
  OnnxValue *bias = onnx_input(n, 8);
  for (int i = 0; i < 8; ++i)
    if (!n->inputs[i])
      return onnx_fail(c, "input %d is left out", i);
  // The window is read by the plain node: input, weight and its attributes.
  OnnxValue *x = n->inputs[0], *w = n->inputs[3];
  if (!onnx_is_int(x->type) || onnx_type_bytes(x->type) != 1 ||
      !onnx_is_int(w->type) || onnx_type_bytes(w->type) != 1)
    return onnx_fail(c, "operands must be int8 or uint8");
  OnnxValue *sum = onnx_conv_int(c, n, x, w, n->inputs[2], n->inputs[5]);
  if (!sum)
    return false;
  if (bias) {
    if (bias->type != ONNX_I32 || bias->shape.rank != 1)
      return onnx_fail(c, "bias must be a list of int32");
    sum = onnx_apply(
        c, n, "Add", sum,
        along_axis(c, bias, sum->shape.rank, 1, bias->shape.dims[0]));
  }
  return sum && requantize(c, n, sum, 1, 1);
}

ONNX_HANDLER(qlinear_matmul) {
  for (int i = 0; i < 8; ++i)
    if (!n->inputs[i])
      return onnx_fail(c, "input %d is left out", i);
  OnnxValue *sum = onnx_matmul_int(c, n->inputs[0], n->inputs[3], n->inputs[2],
                                   n->inputs[5]);
  if (!sum)
    return false;
  int rank = sum->shape.rank;
  return requantize(c, n, sum, rank > 1 ? rank - 2 : 0,
                    rank > 0 ? rank - 1 : 0);
}

ONNX_HANDLER(conv_integer) {
  OnnxValue *x = n->inputs[0], *w = n->inputs[1];
  OnnxValue *x_zero = onnx_input(n, 2), *w_zero = onnx_input(n, 3);
  if (!onnx_is_int(x->type) || onnx_type_bytes(x->type) != 1 ||
      !onnx_is_int(w->type) || onnx_type_bytes(w->type) != 1)
    return onnx_fail(c, "operands must be int8 or uint8");
  n->outputs[0] =
      onnx_conv_int(c, n, x, w, x_zero ? x_zero : onnx_scalar(c, x->type, 0),
                    w_zero ? w_zero : onnx_scalar(c, w->type, 0));
  return n->outputs[0] != NULL;
}
