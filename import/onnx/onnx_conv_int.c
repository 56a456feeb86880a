// Convolutions of int8 and uint8 with zero points: one linalg.generic in int32,
// in the model's layout. The input is padded with its zero point first.

#include "onnx_conv.h"

#include "mlir-c/AffineExpr.h"

// Channels are split into groups: loops are n, g, oc, out..., ic, kernel....
typedef struct Grouped {
  int rank, loops;
  OnnxShape input, weight, output;
} Grouped;

static Grouped group_shapes(const OnnxConv *conv) {
  const OnnxWindow *w = &conv->window;
  int64_t g = conv->groups;
  Grouped s = {.rank = w->rank, .loops = 2 * w->rank + 4};
  s.input.rank = s.weight.rank = s.output.rank = w->rank + 3;
  s.input.dims[0] = s.output.dims[0] = conv->batch;
  s.input.dims[1] = s.weight.dims[0] = s.output.dims[1] = g;
  s.input.dims[2] = s.weight.dims[2] = conv->in_channels / g;
  s.weight.dims[1] = s.output.dims[2] = conv->out_channels / g;
  for (int i = 0; i < w->rank; ++i) {
    s.input.dims[i + 3] = w->in[i] + w->low[i] + w->high[i];
    s.weight.dims[i + 3] = w->kernel[i];
    s.output.dims[i + 3] = w->out[i];
  }
  return s;
}

static MlirAffineExpr scaled(OnnxImport *c, int loop, int64_t factor) {
  return mlirAffineMulExprGet(mlirAffineDimExprGet(c->context, loop),
                              mlirAffineConstantExprGet(c->context, factor));
}

static void set_maps(OnnxImport *c, const OnnxWindow *w, const Grouped *s,
                     OnnxLoop *loop) {
  int r = s->rank;
  MlirAffineExpr in[ONNX_MAX_RANK];
  int weight[ONNX_MAX_RANK] = {1, 2, r + 3}, out[ONNX_MAX_RANK] = {0, 1, 2};
  in[0] = mlirAffineDimExprGet(c->context, 0);
  in[1] = mlirAffineDimExprGet(c->context, 1);
  in[2] = mlirAffineDimExprGet(c->context, r + 3);
  for (int i = 0; i < r; ++i) {
    weight[i + 3] = r + 4 + i;
    out[i + 3] = i + 3;
    in[i + 3] = mlirAffineAddExprGet(scaled(c, i + 3, w->stride[i]),
                                     scaled(c, r + 4 + i, w->dilation[i]));
  }
  loop->loop_count = s->loops;
  loop->maps[0] = mlirAffineMapGet(c->context, s->loops, 0, r + 3, in);
  loop->maps[1] = onnx_select_map(c, s->loops, weight, r + 3);
  loop->init_maps[0] = onnx_select_map(c, s->loops, out, r + 3);
  for (int i = r + 3; i < s->loops; ++i)
    loop->reduces[i] = true;
}

static MlirValue pad_input(OnnxImport *c, OnnxValue *x, const OnnxWindow *w,
                           OnnxValue *x_zero) {
  int64_t low[ONNX_MAX_RANK] = {0}, high[ONNX_MAX_RANK] = {0};
  for (int i = 0; i < w->rank; ++i) {
    low[i + 2] = w->low[i];
    high[i + 2] = w->high[i];
  }
  double fill = onnx_float_at(x_zero, 0);
  if (onnx_is_unsigned(x->type) && fill > 127)
    fill -= 256; // The bits of a signless i8.
  return onnx_pad(c, onnx_ir(c, x), x->type, &x->shape, low, high, fill);
}

static bool check_zeros(OnnxImport *c, const OnnxConv *conv,
                        const OnnxValue *x_zero, const OnnxValue *w_zero) {
  if (onnx_elems(&x_zero->shape) != 1 || x_zero->type != conv->input->type)
    return onnx_fail(c, "input's zero point must be one number of its type");
  if (w_zero->shape.rank > 1 || w_zero->type != conv->weight->type)
    return onnx_fail(c, "weight's zero points must be numbers of its type");
  int64_t count = onnx_elems(&w_zero->shape);
  if (count != 1 && (conv->groups != 1 || count != conv->out_channels))
    return onnx_fail(c, "weight's zero points do not fit its channels");
  return true;
}

static MlirValue centre_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                                const MlirValue *args, int count) {
  (void)n, (void)count;
  return onnx_sub(c, ONNX_I32, onnx_cast(c, args[0], type, ONNX_I32),
                  onnx_cast(c, args[1], type, ONNX_I32));
}

// x less a zero point that is only known at run time: padded with 0 from then
// on.
static OnnxValue *centre(OnnxImport *c, const OnnxNode *n, OnnxValue *x,
                         OnnxValue **zero) {
  OnnxShape scalar = {.rank = 0};
  OnnxValue *inputs[2] = {x, onnx_reshape_value(c, *zero, &scalar)};
  *zero = onnx_scalar(c, ONNX_I32, 0);
  return inputs[1] ? onnx_map(c, n, inputs, 2, ONNX_I32, centre_element) : NULL;
}

OnnxValue *onnx_conv_int(OnnxImport *c, const OnnxNode *n, OnnxValue *x,
                         OnnxValue *w, OnnxValue *x_zero, OnnxValue *w_zero) {
  OnnxConv conv = {.input = x, .weight = w};
  if (!onnx_read_conv(c, n, &conv) || !check_zeros(c, &conv, x_zero, w_zero))
    return NULL;
  if (!x_zero->data && !(x = centre(c, n, x, &x_zero)))
    return NULL;
  OnnxShape model = onnx_spatial_shape(&conv.window, conv.window.out,
                                       conv.batch, conv.out_channels);
  if (!onnx_check_shape(c, &model))
    return NULL;
  Grouped s = group_shapes(&conv);
  int zero_list[1] = {onnx_elems(&w_zero->shape) > 1 ? 2 : -1};
  OnnxLoop loop = {
      .input_count = 3,
      .result_count = 1,
      .inputs = {onnx_reshape(c, pad_input(c, x, &conv.window, x_zero), x->type,
                              &s.input),
                 onnx_reshape(c, onnx_ir(c, w), w->type, &s.weight),
                 onnx_ir(c, w_zero)},
      .inits = {onnx_splat(c, ONNX_I32, &s.output, 0)},
  };
  set_maps(c, &conv.window, &s, &loop);
  loop.maps[2] = onnx_select_map(c, s.loops, zero_list, w_zero->shape.rank);
  onnx_loop_begin(c, &loop);
  MlirValue a =
      onnx_sub(c, ONNX_I32, onnx_cast(c, loop.args[0], x->type, ONNX_I32),
               onnx_lit_int(c, ONNX_I32, onnx_int_at(x_zero, 0)));
  MlirValue b =
      onnx_sub(c, ONNX_I32, onnx_cast(c, loop.args[1], w->type, ONNX_I32),
               onnx_cast(c, loop.args[2], w->type, ONNX_I32));
  MlirValue sum =
      onnx_add(c, ONNX_I32, loop.args[3], onnx_mul(c, ONNX_I32, a, b));
  MlirValue made = mlirOperationGetResult(onnx_loop_end(c, &loop, &sum), 0);
  return onnx_from_ir(c, ONNX_I32, &model,
                      onnx_reshape(c, made, ONNX_I32, &model));
}
