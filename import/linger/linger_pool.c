// LUNA's average pool: sums of the unit, divided as LUNA divides.

#include "linger.h"

#include "onnx_conv.h"

#include <math.h>

// What makes sum / area * 2^-shift of a sum, as LUNA's division has it: exact
// where the area is a power of two.
static bool mean_of(LunaOnnxImport *c, int64_t area, int shift,
                    MlirAttribute *requant) {
  int bits = 0;
  while (INT64_C(1) << bits < area)
    ++bits;
  if (INT64_C(1) << bits == area && bits + shift >= 0)
    return luna_linger_requant(c, LUNA_ONNX_I8, bits + shift, requant);
  int64_t inverse = luna_inverse((int)area);
  // Of its bits behind the point those that a multiplier lacks are 0.
  for (bits = LUNA_INVERSE_BITS; inverse > INT32_MAX; inverse /= 2)
    --bits;
  *requant = luna_parse_attr(
      c->b->context,
      luna_arena_printf(c->arena,
                        "#luna.requant<mode = multiplier, rounding = single, "
                        "multiplier = %d, shift = %d>",
                        (int)inverse, bits + shift));
  return true;
}

// The sums of the windows, a depthwise convolution by ones, and their mean.
// NULL after an error.
static LunaOnnxValue *pool_by_sum(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaWindow *w, const LunaShape *model,
                                  int shift) {
  int64_t channels = value->shape.dims[1];
  LunaShape out = luna_onnx_shape_last(model);
  LunaShape kernel = (LunaShape){4, {w->kernel[0], w->kernel[1], channels, 1}};
  LunaUnitConv unit = {
      .stride = {w->stride[0], w->stride[1]},
      .dilation = {1, 1},
      .kind = LUNA_LINGER_DEPTHWISE,
  };
  if (!luna_onnx_check_shape(c, &kernel) ||
      !mean_of(c, w->kernel[0] * w->kernel[1], shift, &unit.requant))
    return NULL;
  unit.input = luna_build_cut(c->b, luna_onnx_ir_last(c, value), w, unit.pad);
  unit.weight = luna_onnx_splat(c, LUNA_ONNX_I8, &kernel, 1);
  return luna_onnx_from_last(
      c, LUNA_ONNX_I8, model,
      luna_linger_emit_conv(c, &unit, LUNA_ONNX_I8, &out));
}

// Windows that leave the padding out differ in size: the float average pool,
// which is exact for sums below 2^24, then one rounding.
static LunaOnnxValue *pool_on_host(LunaOnnxImport *c, LunaOnnxNode *n,
                                   int shift) {
  LunaOnnxNode node = *n;
  Onnx__NodeProto proto = *n->proto;
  LunaOnnxValue *input = luna_linger_dequantize(c, n->inputs[0], 0),
                *output = NULL;
  char name[] = "AveragePool";
  if (!input)
    return NULL;
  proto.op_type = name;
  node.proto = &proto;
  node.inputs = &input;
  node.outputs = &output;
  if (!luna_onnx_op_pool(c, &node))
    return NULL;
  return luna_linger_quantize(c, output, ldexp(1.0, -shift), LUNA_ONNX_I8);
}

bool luna_linger_op_avg_pool(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int64_t kernel[2];
  int x, o;
  LunaWindow w;
  if (!luna_linger_needs_i8(c, n, 1) ||
      !luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_o", &o))
    return false;
  if (value->shape.rank != 4 || value->shape.dims[0] != 1 ||
      luna_onnx_attr_ints(c, n, "kernel_shape", kernel, 2) != 2)
    return luna_onnx_fail(
        c, "needs an input [1, C, H, W] and a kernel of 2 sizes");
  if (!luna_onnx_read_window(c, n, &value->shape, kernel, &w))
    return false;
  if (kernel[0] * kernel[1] > 1 << 16 || x - o < -16 || x - o > 15)
    return luna_onnx_fail(c, "kernel is too large or scales are too far apart");
  if (w.dilation[0] != 1 || w.dilation[1] != 1)
    return luna_onnx_fail(c, "dilations are not supported");
  LunaShape model = value->shape;
  model.dims[2] = w.out[0];
  model.dims[3] = w.out[1];
  bool padded = w.low[0] || w.low[1] || w.high[0] || w.high[1] ||
                luna_onnx_attr_int(n, "ceil_mode", 0);
  if (padded && !luna_onnx_attr_int(n, "count_include_pad", 1))
    n->outputs[0] = pool_on_host(c, n, x - o);
  else
    n->outputs[0] = pool_by_sum(c, value, &w, &model, x - o);
  return n->outputs[0] != NULL;
}
