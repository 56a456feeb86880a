// LUNA's average pool: on the unit where that rounds as linger does.

#include "onnx_luna.h"

#include <math.h>

// Averages of what may be negative round ties up, as the unit does not.
static bool unit_rounds_right(const OnnxValue *value, const OnnxWindow *w) {
  return (value->has_requant && value->low >= 0) ||
         (w->kernel[0] * w->kernel[1]) % 2 == 1;
}

static OnnxValue *pool_on_unit(OnnxImport *c, OnnxValue *value,
                               const OnnxWindow *w, const OnnxShape *model) {
  int64_t high[3];
  OnnxShape in = onnx_shape_last(&value->shape), out = onnx_shape_last(model);
  MlirValue operands[2] = {
      onnx_cut_window(c, onnx_ir_last(c, value), ONNX_I8, &in, w, high),
      onnx_empty(c, ONNX_I8, &out)};
  int64_t pad[4] = {w->low[0], high[0], w->low[1], high[1]};
  OnnxAttr attrs[3] = {{"kernel", onnx_i64s_attr(c, w->kernel, 2)},
                       {"stride", onnx_i64s_attr(c, w->stride, 2)},
                       {"pad", onnx_i64s_attr(c, pad, 4)}};
  MlirValue made =
      onnx_emit(c, "luna.avg_pool2d", onnx_tensor_type(c, ONNX_I8, &out),
                operands, 2, attrs, 3);
  OnnxValue *result = onnx_from_last(c, ONNX_I8, model, made);
  result->low = value->low;
  return result;
}

// On the host: the float average pool, which is exact for sums below 2^24,
// then one rounding.
static OnnxValue *pool_on_host(OnnxImport *c, OnnxNode *n, int x, int o) {
  OnnxNode node = *n;
  Onnx__NodeProto proto = *n->proto;
  OnnxValue *input = onnx_luna_dequantize(c, n, n->inputs[0], 0),
            *output = NULL;
  char name[] = "AveragePool";
  if (!input)
    return NULL;
  proto.op_type = name;
  node.proto = &proto;
  node.inputs = &input;
  node.outputs = &output;
  if (!onnx_op_pool(c, &node))
    return NULL;
  return onnx_luna_quantize(c, n, output, ldexp(1.0, o - x), ONNX_I8);
}

ONNX_HANDLER(luna_avg_pool) {
  OnnxValue *value = n->inputs[0];
  int64_t kernel[2];
  int x, o;
  OnnxWindow w;
  if (!onnx_luna_needs_i8(c, n, 1) || !onnx_luna_scale(c, n, "scale_x", &x) ||
      !onnx_luna_scale(c, n, "scale_o", &o))
    return false;
  if (value->shape.rank != 4 ||
      onnx_attr_ints(c, n, "kernel_shape", kernel, 2) != 2)
    return onnx_fail(c, "needs an input [1, C, H, W] and a kernel of 2 sizes");
  if (!onnx_read_window(c, n, &value->shape, kernel, &w))
    return false;
  OnnxShape model = value->shape;
  model.dims[2] = w.out[0];
  model.dims[3] = w.out[1];
  bool plain = x == o && w.low[0] == 0 && w.low[1] == 0 && w.high[0] == 0 &&
               w.high[1] == 0 && !onnx_attr_int(n, "ceil_mode", 0);
  n->outputs[0] = plain && unit_rounds_right(value, &w)
                      ? pool_on_unit(c, value, &w, &model)
                      : pool_on_host(c, n, x, o);
  return n->outputs[0] != NULL;
}
