// Convolutions of int8 and uint8 with zero points: one linalg.generic in int32,
// in the model's layout. The input is padded with its zero point first.

#include "onnx_conv.h"

#include "mlir-c/AffineExpr.h"

// Channels are split into groups: loops are n, g, oc, out..., ic, kernel....
typedef struct Grouped {
  int rank, loops;
  LunaShape input, weight, output;
} Grouped;

static Grouped group_shapes(const LunaOnnxConv *conv) {
  const LunaWindow *w = &conv->window;
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

static MlirAffineExpr scaled(LunaOnnxImport *c, int loop, int64_t factor) {
  return mlirAffineMulExprGet(mlirAffineDimExprGet(c->b->context, loop),
                              mlirAffineConstantExprGet(c->b->context, factor));
}

// Where the input is read.
static MlirAffineMap input_map(LunaOnnxImport *c, const LunaWindow *w,
                               const Grouped *s) {
  int r = s->rank;
  MlirAffineExpr in[LUNA_ONNX_MAX_RANK];
  in[0] = mlirAffineDimExprGet(c->b->context, 0);
  in[1] = mlirAffineDimExprGet(c->b->context, 1);
  in[2] = mlirAffineDimExprGet(c->b->context, r + 3);
  for (int i = 0; i < r; ++i)
    in[i + 3] = mlirAffineAddExprGet(scaled(c, i + 3, w->stride[i]),
                                     scaled(c, r + 4 + i, w->dilation[i]));
  return mlirAffineMapGet(c->b->context, s->loops, 0, r + 3, in);
}

static MlirValue pad_input(LunaOnnxImport *c, LunaOnnxValue *x,
                           const LunaWindow *w, LunaOnnxValue *x_zero) {
  int64_t pads[2 * LUNA_ONNX_MAX_RANK] = {0};
  for (int i = 0; i < w->rank; ++i) {
    pads[2 * i + 4] = w->low[i];
    pads[2 * i + 5] = w->high[i];
  }
  double fill = luna_onnx_float_at(x_zero, 0);
  if (luna_onnx_is_unsigned(x->type) && fill > 127)
    fill -= 256; // The bits of a signless i8.
  return luna_onnx_pad(c, luna_onnx_ir(c, x), pads, fill);
}

static bool check_zeros(LunaOnnxImport *c, const LunaOnnxConv *conv,
                        const LunaOnnxValue *x_zero,
                        const LunaOnnxValue *w_zero) {
  if (luna_onnx_elems(&x_zero->shape) != 1 || x_zero->type != conv->input->type)
    return luna_onnx_fail(c,
                          "input's zero point must be one number of its type");
  if (w_zero->shape.rank > 1 || w_zero->type != conv->weight->type)
    return luna_onnx_fail(c,
                          "weight's zero points must be numbers of its type");
  int64_t count = luna_onnx_elems(&w_zero->shape);
  if (count != 1 && (conv->groups != 1 || count != conv->out_channels))
    return luna_onnx_fail(c, "weight's zero points do not fit its channels");
  return true;
}

static MlirValue centre_element(const LunaOnnxScalar *s) {
  return luna_scalar_sub(
      s->b, luna_onnx_cast(s->c, s->args[0], s->type, LUNA_ONNX_I32),
      luna_onnx_cast(s->c, s->args[1], s->type, LUNA_ONNX_I32));
}

// x less a zero point that is only known at run time: padded with 0 from then
// on.
static LunaOnnxValue *centre(LunaOnnxImport *c, const LunaOnnxNode *n,
                             LunaOnnxValue *x, LunaOnnxValue **zero) {
  LunaShape scalar = {.rank = 0};
  LunaOnnxValue *inputs[2] = {x, luna_onnx_reshape_value(c, *zero, &scalar)};
  *zero = luna_onnx_scalar(c, LUNA_ONNX_I32, 0);
  return inputs[1]
             ? luna_onnx_map(c, n, inputs, 2, LUNA_ONNX_I32, centre_element)
             : NULL;
}

LunaOnnxValue *luna_onnx_conv_int(LunaOnnxImport *c, const LunaOnnxNode *n,
                                  LunaOnnxValue *x, LunaOnnxValue *w,
                                  LunaOnnxValue *x_zero,
                                  LunaOnnxValue *w_zero) {
  LunaOnnxConv conv = {.input = x, .weight = w};
  if (!luna_onnx_read_conv(c, n, &conv) ||
      !check_zeros(c, &conv, x_zero, w_zero))
    return NULL;
  if (!luna_onnx_evaluate(c, x_zero) && !(x = centre(c, n, x, &x_zero)))
    return NULL;
  LunaShape model = luna_onnx_spatial_shape(&conv.window, conv.window.out,
                                            conv.batch, conv.out_channels);
  if (!luna_onnx_check_shape(c, &model))
    return NULL;
  Grouped s = group_shapes(&conv);
  MlirValue input =
      luna_build_reshape(c->b, pad_input(c, x, &conv.window, x_zero), &s.input);
  MlirValue weight = luna_build_reshape(c->b, luna_onnx_ir(c, w), &s.weight);
  MlirValue weight_zero = luna_onnx_ir(c, w_zero);
  MlirValue start = luna_onnx_splat(c, LUNA_ONNX_I32, &s.output, 0);
  int r = s.rank, zero_loop = luna_onnx_elems(&w_zero->shape) > 1 ? 2 : -1;
  int weight_loops[6] = {1, 2, r + 3, r + 4, r + 5, r + 6};
  LunaGeneric generic = luna_generic(c->b, &(LunaShape){.rank = s.loops});
  MlirValue a =
      luna_generic_input_map(&generic, input, input_map(c, &conv.window, &s));
  MlirValue b = luna_generic_input_at(&generic, weight, weight_loops);
  MlirValue b_zero = luna_generic_input_at(&generic, weight_zero, &zero_loop);
  MlirValue sum = luna_generic_update(&generic, start);
  a = luna_scalar_sub(c->b, luna_onnx_cast(c, a, x->type, LUNA_ONNX_I32),
                      luna_scalar_i32(c->b, luna_onnx_int_at(x_zero, 0)));
  b = luna_scalar_sub(c->b, luna_onnx_cast(c, b, w->type, LUNA_ONNX_I32),
                      luna_onnx_cast(c, b_zero, w->type, LUNA_ONNX_I32));
  sum = luna_scalar_add(c->b, sum, luna_scalar_mul(c->b, a, b));
  MlirValue made = luna_generic_end(&generic, sum);

  return luna_onnx_from_ir(c, LUNA_ONNX_I32, &model,
                           luna_build_reshape(c->b, made, &model));
}
