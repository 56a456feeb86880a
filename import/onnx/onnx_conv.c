// Convolutions become TOSA's, channels last.

#include "onnx_conv.h"

#include <string.h>

// The kernel as [first, second, kernel…] with rank at least 4.
static LunaOnnxValue *weight_as(LunaOnnxImport *c, LunaOnnxValue *weight,
                                const LunaWindow *w, int64_t first,
                                int64_t second) {
  LunaShape shape = luna_onnx_spatial_shape(w, w->kernel, first, second);
  return luna_onnx_reshape_value(c, weight, &shape);
}

static MlirValue emit_conv(LunaOnnxImport *c, const char *name,
                           const LunaOnnxConv *conv, MlirValue input,
                           MlirValue weight, MlirValue bias) {
  LunaWindow w = conv->window;
  LunaConvSpec spec = {.weight = weight, .bias = bias};
  input = luna_onnx_pad_missed(c, input, &w);
  spec.input = luna_build_cut(c->b, input, &w, spec.pad);
  memcpy(spec.stride, w.stride, sizeof w.stride);
  memcpy(spec.dilation, w.dilation, sizeof w.dilation);
  return luna_build_conv(c->b, name, &spec);
}

static LunaOnnxValue *bias_or_zero(LunaOnnxImport *c,
                                   const LunaOnnxConv *conv) {
  LunaShape shape = luna_onnx_shape(1, &conv->out_channels);
  if (conv->bias)
    return conv->bias;
  return luna_onnx_from_ir(c, LUNA_ONNX_F32, &shape,
                           luna_onnx_splat(c, LUNA_ONNX_F32, &shape, 0));
}

static MlirValue depthwise(LunaOnnxImport *c, const LunaOnnxConv *conv,
                           MlirValue input) {
  static const int perm[4] = {2, 3, 0, 1};
  const LunaWindow *w = &conv->window;
  int64_t multiplier = conv->out_channels / conv->in_channels;
  LunaOnnxValue *weight =
      weight_as(c, conv->weight, w, conv->in_channels, multiplier);
  MlirValue moved = luna_build_transpose(c->b, luna_onnx_ir(c, weight), perm);
  return emit_conv(c, "tosa.depthwise_conv2d", conv, input, moved,
                   luna_onnx_conv_bias(c, conv));
}

// Rows [first, first + count) of a value of `shape`.
static MlirValue take_rows(LunaOnnxImport *c, LunaOnnxValue *value,
                           LunaShape shape, int64_t first, int64_t count) {
  int64_t starts[LUNA_ONNX_MAX_RANK] = {first};
  shape.dims[0] = count;
  return luna_build_slice(c->b, luna_onnx_ir(c, value), starts, shape.dims);
}

// The weight as [OC, kernel…, IC].
static LunaOnnxValue *weight_last(LunaOnnxImport *c, const LunaOnnxConv *conv,
                                  int64_t ic) {
  LunaOnnxValue *weight =
      weight_as(c, conv->weight, &conv->window, conv->out_channels, ic);
  LunaShape shape = luna_onnx_shape_last(&weight->shape);
  return luna_onnx_from_ir(c, weight->type, &shape,
                           luna_onnx_ir_last(c, weight));
}

static MlirValue grouped(LunaOnnxImport *c, const LunaOnnxConv *conv,
                         MlirValue input) {
  const LunaWindow *w = &conv->window;
  const char *name = w->rank == 3 ? "tosa.conv3d" : "tosa.conv2d";
  int64_t groups = conv->groups, ic = conv->in_channels / groups,
          oc = conv->out_channels / groups;
  if (groups == 1) {
    MlirValue weight = luna_onnx_ir_last(
        c, weight_as(c, conv->weight, w, conv->out_channels, ic));
    return emit_conv(c, name, conv, input, weight,
                     luna_onnx_conv_bias(c, conv));
  }
  LunaOnnxValue *weight = weight_last(c, conv, ic),
                *bias = bias_or_zero(c, conv);
  MlirValue *parts = LUNA_ARENA_ARRAY(c->arena, MlirValue, groups);
  LunaShape part = luna_shape_of(input);
  part.dims[w->rank + 1] = ic;
  for (int64_t g = 0; g < groups; ++g) {
    int64_t at_in[LUNA_ONNX_MAX_RANK] = {0};
    at_in[w->rank + 1] = g * ic;
    parts[g] = emit_conv(c, name, conv,
                         luna_build_slice(c->b, input, at_in, part.dims),
                         take_rows(c, weight, weight->shape, g * oc, oc),
                         take_rows(c, bias, bias->shape, g * oc, oc));
  }
  return luna_build_concat(c->b, (int)groups, parts, w->rank + 1);
}

bool luna_onnx_read_conv(LunaOnnxImport *c, const LunaOnnxNode *n,
                         LunaOnnxConv *conv) {
  const LunaShape *in = &conv->input->shape, *weight = &conv->weight->shape;
  int64_t kernel[3];
  conv->groups = luna_onnx_attr_int(n, "group", 1);
  if (in->rank < 3 || in->rank > 5 || weight->rank != in->rank)
    return luna_onnx_fail(c,
                          "input has %d and weight %d dimensions, 3 to 5 are "
                          "supported",
                          in->rank, weight->rank);
  for (int i = 0; i < in->rank - 2; ++i)
    kernel[i] = weight->dims[i + 2];
  conv->batch = in->dims[0];
  conv->in_channels = in->dims[1];
  conv->out_channels = weight->dims[0];
  if (conv->groups < 1 || conv->groups > conv->in_channels ||
      conv->in_channels % conv->groups != 0 ||
      conv->out_channels % conv->groups != 0 ||
      weight->dims[1] != conv->in_channels / conv->groups)
    return luna_onnx_fail(c,
                          "%lld input channels in %lld groups do not fit a "
                          "weight for %lld",
                          (long long)conv->in_channels, (long long)conv->groups,
                          (long long)weight->dims[1]);
  if (conv->bias && (conv->bias->shape.rank != 1 ||
                     conv->bias->shape.dims[0] != conv->out_channels))
    return luna_onnx_fail(c, "bias must have %lld elements",
                          (long long)conv->out_channels);
  return luna_onnx_check_shape(c, weight) &&
         luna_onnx_read_window(c, n, in, kernel, &conv->window);
}

MlirValue luna_onnx_conv_bias(LunaOnnxImport *c, const LunaOnnxConv *conv) {
  return luna_onnx_ir(c, bias_or_zero(c, conv));
}

LunaOnnxValue *luna_onnx_conv_of(LunaOnnxImport *c, const LunaOnnxConv *read,
                                 MlirValue input) {
  LunaOnnxConv conv = *read;
  LunaWindow *w = &conv.window;
  LunaShape model =
      luna_onnx_spatial_shape(w, w->out, conv.batch, conv.out_channels);
  if (!luna_onnx_check_shape(c, &model))
    return NULL;
  LunaShape model_last = luna_onnx_shape_last(&model);
  luna_onnx_raise_window(w);
  LunaShape in =
      luna_onnx_spatial_shape(w, w->in, conv.batch, conv.in_channels);
  in = luna_onnx_shape_last(&in);
  input = luna_build_reshape(c->b, input, &in);
  bool is_depthwise =
      conv.groups == conv.in_channels && conv.groups > 1 && w->rank == 2;
  MlirValue made =
      is_depthwise ? depthwise(c, &conv, input) : grouped(c, &conv, input);
  return luna_onnx_from_last(c, LUNA_ONNX_F32, &model,
                             luna_build_reshape(c->b, made, &model_last));
}

bool luna_onnx_op_conv(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxConv conv = {.input = n->inputs[0],
                       .weight = n->inputs[1],
                       .bias = luna_onnx_input(n, 2)};
  if (conv.input->type != LUNA_ONNX_F32 || conv.weight->type != LUNA_ONNX_F32)
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(conv.input->type));
  if (!luna_onnx_read_conv(c, n, &conv))
    return false;
  n->outputs[0] = luna_onnx_conv_of(c, &conv, luna_onnx_ir_last(c, conv.input));
  return n->outputs[0] != NULL;
}
