// Transposed convolutions.

#include "onnx_conv.h"

#include <string.h>

typedef struct Deconv {
  LunaWindow window;
  int64_t groups, in_channels, out_channels;
} Deconv;

static bool fit_transposed(LunaOnnxImport *c, const LunaOnnxNode *n, Deconv *d,
                           const int64_t *more) {
  LunaWindow *w = &d->window;
  int64_t shape[3];
  int given = luna_onnx_attr_ints(c, n, "output_shape", shape, 3);
  if (given == -2 || (given >= 0 && given != w->rank))
    return luna_onnx_fail(c, "output_shape needs %d entries", w->rank);
  LunaPadding padding = luna_onnx_padding(n);
  for (int i = 0; given > 0 && i < w->rank; ++i)
    w->out[i] = shape[i] > 0 ? shape[i] : -1;
  luna_window_fit_transposed(
      w, padding == LUNA_PADDING_VALID ? LUNA_PADDING_GIVEN : padding, more);
  for (int i = 0; i < w->rank; ++i)
    if (w->out[i] < 1 || w->out[i] > LUNA_ONNX_MAX_ELEMS)
      return luna_onnx_fail(c, "result has a dimension of %lld",
                            (long long)(given > 0 ? shape[i] : w->out[i]));
  return true;
}

static bool read_transposed(LunaOnnxImport *c, LunaOnnxNode *n, Deconv *d) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t pads[6], more[3];
  int rank = in->rank - 2;
  LunaWindow *w = &d->window;
  if (rank < 1 || rank > 3 || weight->rank != in->rank)
    return luna_onnx_fail(c,
                          "input has %d and weight %d dimensions, 3 to 5 are "
                          "supported",
                          in->rank, weight->rank);
  w->rank = rank;
  enum { LIMIT = 1 << 16 };
  if (!luna_onnx_check_shape(c, in) || !luna_onnx_check_shape(c, weight) ||
      !luna_onnx_read_sizes(c, n, "strides", rank, 1, 1, LIMIT, w->stride) ||
      !luna_onnx_read_sizes(c, n, "dilations", rank, 1, 1, LIMIT,
                            w->dilation) ||
      !luna_onnx_read_sizes(c, n, "pads", 2 * rank, 0, 0, LIMIT, pads) ||
      !luna_onnx_read_sizes(c, n, "output_padding", rank, 0, 0, LIMIT, more))
    return false;
  d->groups = luna_onnx_attr_int(n, "group", 1);
  d->in_channels = in->dims[1];
  if (d->groups < 1 || d->groups > d->in_channels ||
      d->in_channels % d->groups != 0 || weight->dims[0] != d->in_channels)
    return luna_onnx_fail(c, "%lld input channels do not fit the weight",
                          (long long)d->in_channels);
  d->out_channels = weight->dims[1] * d->groups;
  for (int i = 0; i < rank; ++i) {
    w->in[i] = in->dims[i + 2];
    w->kernel[i] = weight->dims[i + 2];
    w->low[i] = pads[i];
    w->high[i] = pads[i + rank];
  }
  return fit_transposed(c, n, d, more);
}

//===----------------------------------------------------------------------===//
// As TOSA has it
//===----------------------------------------------------------------------===//

// TOSA's form: the result grows by `pad` (top, bottom, left, right) beyond what
// the kernels reach, or shrinks by less than a kernel.
static bool fits_tosa(const Deconv *d, int64_t pad[4]) {
  const LunaWindow *w = &d->window;
  if (w->rank != 2 || d->groups != 1)
    return false;
  for (int i = 0; i < 2; ++i) {
    pad[2 * i] = -w->low[i];
    pad[2 * i + 1] = -w->high[i];
    if (w->dilation[i] != 1 || pad[2 * i] <= -w->kernel[i] ||
        pad[2 * i + 1] <= -w->kernel[i] || pad[2 * i + 1] > w->kernel[i])
      return false;
  }
  return true;
}

static LunaOnnxValue *transposed_tosa(LunaOnnxImport *c,
                                      const LunaOnnxConv *conv, const Deconv *d,
                                      const int64_t pad[4]) {
  static const int perm[4] = {1, 2, 3, 0};
  LunaShape model = luna_onnx_spatial_shape(&d->window, d->window.out,
                                            conv->batch, d->out_channels);
  if (!luna_onnx_check_shape(c, &model))
    return NULL;
  LunaConvSpec spec = {.input = luna_onnx_ir_last(c, conv->input)};
  spec.weight = luna_build_transpose(c->b, luna_onnx_ir(c, conv->weight), perm);
  spec.bias = luna_onnx_conv_bias(c, conv);
  memcpy(spec.pad, pad, 4 * sizeof *pad);
  memcpy(spec.stride, d->window.stride, sizeof spec.stride);
  return luna_onnx_from_last(
      c, LUNA_ONNX_F32, &model,
      luna_build_conv(c->b, "tosa.transpose_conv2d", &spec));
}

//===----------------------------------------------------------------------===//
// As a plain convolution
//===----------------------------------------------------------------------===//

// Spreads the input by the strides with zeros between, pads, and convolves
// with the kernel turned around.
typedef struct Spread {
  MlirValue source;
  LunaShape from;
  const LunaWindow *w;
  int64_t low[3];
} Spread;

static MlirValue spread_element(LunaOnnxImport *c, const MlirValue *index,
                                void *data) {
  const Spread *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK] = {index[0]},
            zero = luna_scalar_index(c->b, 0);
  MlirValue inside = luna_scalar_compare(c->b, LUNA_EQ, zero, zero);
  int rank = s->w->rank;
  for (int i = 0; i < rank; ++i) {
    MlirValue stride = luna_scalar_index(c->b, s->w->stride[i]);
    MlirValue from =
        luna_scalar_sub(c->b, index[i + 1], luna_scalar_index(c->b, s->low[i]));
    MlirValue row = luna_scalar_div(c->b, from, stride);
    MlirValue exact = luna_scalar_compare(
        c->b, LUNA_EQ, luna_scalar_mul(c->b, row, stride), from);
    MlirValue above = luna_scalar_compare(c->b, LUNA_GE, from, zero);
    MlirValue below = luna_scalar_compare(
        c->b, LUNA_LT, row, luna_scalar_index(c->b, s->from.dims[i + 1]));
    inside = luna_scalar(c->b, "arith.andi", inside, exact);
    inside = luna_scalar(c->b, "arith.andi", inside, above);
    inside = luna_scalar(c->b, "arith.andi", inside, below);
    at[i + 1] =
        luna_scalar_min(c->b, luna_scalar_max(c->b, row, zero),
                        luna_scalar_index(c->b, s->from.dims[i + 1] - 1));
  }
  at[rank + 1] = index[rank + 1];
  MlirValue value = luna_scalar_extract(c->b, s->source, at);
  return luna_scalar_select(c->b, inside, value, luna_scalar_f32(c->b, 0.0));
}

static MlirValue spread_input(LunaOnnxImport *c, LunaOnnxValue *value,
                              const Deconv *d, const LunaShape *shape) {
  const LunaWindow *w = &d->window;
  Spread spread = {.source = luna_onnx_ir_last(c, value),
                   .from = luna_onnx_shape_last(&value->shape),
                   .w = w};
  for (int i = 0; i < w->rank; ++i)
    spread.low[i] = (w->kernel[i] - 1) * w->dilation[i] - w->low[i];
  return luna_onnx_generate(c, LUNA_ONNX_F32, shape, spread_element, &spread);
}

// A kernel [IC, OC / groups, kernel…] to be turned around: [OC, IC / groups,
// kernel…] with every window backwards.
typedef struct Turn {
  MlirValue source;
  LunaShape shape;
  int64_t groups, ic, oc; // Channels of one group.
} Turn;

// Element [oc, ic, kernel…] of the turned kernel.
static MlirValue turned_element(LunaOnnxImport *c, const MlirValue *index,
                                void *data) {
  const Turn *t = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  MlirValue oc = luna_scalar_index(c->b, t->oc),
            ic = luna_scalar_index(c->b, t->ic);
  MlirValue group = luna_scalar(c->b, "arith.divui", index[0], oc);
  at[0] = luna_scalar_add(c->b, luna_scalar_mul(c->b, group, ic), index[1]);
  at[1] = luna_scalar(c->b, "arith.remui", index[0], oc);
  for (int i = 2; i < t->shape.rank; ++i)
    at[i] = luna_scalar_sub(c->b, luna_scalar_index(c->b, t->shape.dims[i] - 1),
                            index[i]);
  return luna_scalar_extract(c->b, t->source, at);
}

static LunaOnnxValue *turned_kernel(LunaOnnxImport *c, LunaOnnxValue *weight,
                                    const Deconv *d) {
  Turn turn = {.source = luna_onnx_ir(c, weight),
               .shape = weight->shape,
               .groups = d->groups,
               .ic = d->in_channels / d->groups,
               .oc = d->out_channels / d->groups};
  LunaShape shape = weight->shape;
  shape.dims[0] = d->out_channels;
  shape.dims[1] = turn.ic;
  return luna_onnx_from_ir(
      c, LUNA_ONNX_F32, &shape,
      luna_onnx_generate(c, LUNA_ONNX_F32, &shape, turned_element, &turn));
}

// The convolution over the spread input: strides of 1, no padding.
static LunaWindow plain_window(const LunaWindow *w) {
  LunaWindow plain = {.rank = w->rank};
  for (int i = 0; i < w->rank; ++i) {
    plain.kernel[i] = w->kernel[i];
    plain.dilation[i] = w->dilation[i];
    plain.stride[i] = 1;
    plain.out[i] = w->out[i];
    plain.in[i] = luna_window_cover(
        w->out[i], luna_window_reach(w->kernel[i], w->dilation[i]), 1);
  }
  return plain;
}

// The convolution that computes it, over the input spread.
static LunaOnnxValue *as_convolution(LunaOnnxImport *c,
                                     const LunaOnnxConv *conv, const Deconv *d,
                                     const LunaShape *spread) {
  LunaOnnxConv plain = *conv;
  plain.window = plain_window(&d->window);
  plain.weight = turned_kernel(c, conv->weight, d);
  return luna_onnx_conv_of(c, &plain, spread_input(c, conv->input, d, spread));
}

bool luna_onnx_op_conv_transpose(LunaOnnxImport *c, LunaOnnxNode *n) {
  Deconv d = {.groups = 1};
  LunaOnnxValue *value = n->inputs[0], *weight = n->inputs[1];
  LunaOnnxValue *bias = luna_onnx_input(n, 2);
  int64_t pad[4];
  if (value->type != LUNA_ONNX_F32 || weight->type != LUNA_ONNX_F32)
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(value->type));
  if (!read_transposed(c, n, &d))
    return false;
  if (bias && (bias->shape.rank != 1 || bias->shape.dims[0] != d.out_channels))
    return luna_onnx_fail(c, "bias must have %lld elements",
                          (long long)d.out_channels);
  LunaOnnxConv conv = {.input = value,
                       .weight = weight,
                       .bias = bias,
                       .batch = value->shape.dims[0],
                       .in_channels = d.in_channels,
                       .out_channels = d.out_channels,
                       .groups = d.groups};
  LunaShape spread = luna_onnx_shape_last(&value->shape);
  LunaWindow plain = plain_window(&d.window);
  for (int i = 0; i < plain.rank; ++i)
    spread.dims[i + 1] = plain.in[i];
  if (!luna_onnx_check_shape(c, &spread))
    return false;
  n->outputs[0] = fits_tosa(&d, pad) ? transposed_tosa(c, &conv, &d, pad)
                                     : as_convolution(c, &conv, &d, &spread);
  return n->outputs[0] != NULL;
}
