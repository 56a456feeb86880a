// LUNA's average pool: on the unit where that rounds as the runtime does.

#include "linger.h"

#include "onnx_conv.h"

#include <math.h>

// Scales, as scales[] of a LunaFixed has them: what the sum is shifted by.
enum { SHIFT };

static bool is_power_of_two(int64_t x) { return (x & (x - 1)) == 0; }

// Returns true if the value is the result of a clamp to numbers from 0 on.
static bool is_rectified(const LunaOnnxValue *value) {
  MlirValue ir = mlirValueIsNull(value->last) ? value->ir : value->last;
  MlirOperation op = luna_defining_op(ir);
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_TOSA_CLAMP) &&
         luna_attr_int(op, "min_val", -1) >= 0;
}

// The unit's own pool rounds ties away from zero, and exactly; the runtime
// rounds them up, and divides by what is not a power of two only nearly.
static bool unit_rounds_right(const LunaOnnxValue *value,
                              const LunaOnnxWindow *w) {
  int64_t area = w->kernel[0] * w->kernel[1];
  return area % 2 == 1 || (is_power_of_two(area) && is_rectified(value));
}

static LunaOnnxValue *pool_on_unit(LunaOnnxImport *c, LunaOnnxValue *value,
                                   const LunaOnnxWindow *w,
                                   const LunaShape *model) {
  int64_t high[3];
  LunaShape in = luna_onnx_shape_last(&value->shape),
            out = luna_onnx_shape_last(model);
  MlirValue operands[2] = {
      luna_onnx_cut_window(c, luna_onnx_ir_last(c, value), &in, w, high),
      luna_build_empty(c->b, luna_onnx_tensor_type(c, LUNA_ONNX_I8, &out))};
  int64_t pad[4] = {w->low[0], high[0], w->low[1], high[1]};
  LunaAttr attrs[] = {{"kernel", luna_i64s_attr(c->b->context, 2, w->kernel)},
                      {"stride", luna_i64s_attr(c->b->context, 2, w->stride)},
                      {"pad", luna_i64s_attr(c->b->context, 4, pad)}};
  return luna_onnx_from_last(
      c, LUNA_ONNX_I8, model,
      luna_build_op(c->b, "luna.avg_pool2d",
                    luna_onnx_tensor_type(c, LUNA_ONNX_I8, &out), 2, operands,
                    3, attrs));
}

// The sums of the windows: a depthwise convolution by ones. NULL after an
// error.
static LunaOnnxValue *sum_on_unit(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaOnnxWindow *w, LunaOnnxType type,
                                  int shift, const LunaShape *model) {
  int64_t high[3], channels = value->shape.dims[1];
  LunaShape in = luna_onnx_shape_last(&value->shape);
  LunaShape out = luna_onnx_shape_last(model);
  LunaShape kernel = (LunaShape){4, {w->kernel[0], w->kernel[1], channels, 1}};
  LunaUnitConv unit = {
      .stride = {w->stride[0], w->stride[1]}, .dilation = {1, 1}, .kind = 1};
  if (!luna_onnx_check_shape(c, &kernel) ||
      !luna_linger_requant(c, type, shift, &unit.requant))
    return NULL;
  unit.input =
      luna_onnx_cut_window(c, luna_onnx_ir_last(c, value), &in, w, high);
  unit.weight = luna_onnx_splat(c, LUNA_ONNX_I8, &kernel, 1);
  for (int i = 0; i < 2; ++i) {
    unit.pad[2 * i] = w->low[i];
    unit.pad[2 * i + 1] = high[i];
  }
  return luna_onnx_from_last(c, type, model,
                             luna_linger_emit_conv(c, &unit, type, &out));
}

// sum / area, times a power of two, as LUNA's division has it.
static MlirValue mean_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue x = luna_linger_wide(s, 0);
  x = luna_scalar_mul(s->b, x,
                      luna_scalar_int(s->b, s->b->i64, node->numbers[0]));
  return luna_linger_convert(
      s->c, luna_linger_round(s->c, x, node->scales[SHIFT]), LUNA_ONNX_I8);
}

// Sums on the unit; their division there if it is a shift, else on the host.
static LunaOnnxValue *pool_by_sum(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaOnnxWindow *w,
                                  const LunaShape *model, int shift) {
  int64_t area = w->kernel[0] * w->kernel[1];
  int bits = 0;
  while (INT64_C(1) << bits < area)
    ++bits;
  bool is_shift = is_power_of_two(area) && bits + shift >= 0;
  LunaOnnxValue *sum =
      sum_on_unit(c, value, w, is_shift ? LUNA_ONNX_I8 : LUNA_ONNX_I32,
                  is_shift ? bits + shift : 0, model);
  if (!sum || is_shift)
    return sum;
  LunaFixed node = {.scales = {LUNA_INVERSE_BITS + shift},
                    .numbers = {luna_inverse((int)area)}};
  return luna_onnx_map(c, &node, &sum, 1, LUNA_ONNX_I8, mean_element);
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
  LunaOnnxWindow w;
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
  else if (!padded && x == o && unit_rounds_right(value, &w))
    n->outputs[0] = pool_on_unit(c, value, &w, &model);
  else
    n->outputs[0] = pool_by_sum(c, value, &w, &model, x - o);
  return n->outputs[0] != NULL;
}
