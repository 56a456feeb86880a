// Convolutions of floats become TOSA's, channels last.

#include "onnx.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// Finds the result's size and the padding that uses exactly that much input:
// high pads may become negative, which cuts.
static bool fit_window(OnnxImport *c, const OnnxNode *n, OnnxWindow *w) {
  bool same_upper = onnx_attr_is(n, "auto_pad", "NOTSET", "SAME_UPPER");
  bool same_lower = onnx_attr_is(n, "auto_pad", "NOTSET", "SAME_LOWER");
  bool valid = onnx_attr_is(n, "auto_pad", "NOTSET", "VALID");
  bool up = onnx_attr_int(n, "ceil_mode", 0) != 0;
  for (int i = 0; i < w->rank; ++i) {
    int64_t span = (w->kernel[i] - 1) * w->dilation[i] + 1;
    if (same_upper || same_lower) {
      w->out[i] = (w->in[i] + w->stride[i] - 1) / w->stride[i];
      int64_t total = (w->out[i] - 1) * w->stride[i] + span - w->in[i];
      total = total < 0 ? 0 : total;
      w->low[i] = same_upper ? total / 2 : total - total / 2;
      w->high[i] = total - w->low[i];
    } else if (valid) {
      w->low[i] = w->high[i] = 0;
    }
    int64_t room = w->in[i] + w->low[i] + w->high[i] - span;
    if (room < 0)
      return onnx_fail(c, "kernel of %lld does not fit into %lld elements",
                       (long long)span, (long long)w->in[i]);
    int64_t steps = room / w->stride[i];
    // A window that starts in the padding behind the input does not count.
    if (up && room % w->stride[i] != 0 &&
        (steps + 1) * w->stride[i] < w->in[i] + w->low[i])
      ++steps;
    w->out[i] = steps + 1;
  }
  return true;
}

static bool read_list(OnnxImport *c, const OnnxNode *n, const char *name,
                      int count, int64_t absent, int64_t low, int64_t high,
                      int64_t *list) {
  for (int i = 0; i < count; ++i)
    list[i] = absent;
  int found = onnx_attr_ints(c, n, name, list, count);
  if (found != -1 && found != count)
    return onnx_fail(c, "'%s' must have %d entries", name, count);
  for (int i = 0; i < count; ++i)
    if (list[i] < low || list[i] > high)
      return onnx_fail(
          c, "'%s' has an entry of %lld, %lld to %lld are possible", name,
          (long long)list[i], (long long)low, (long long)high);
  return true;
}

bool onnx_read_window(OnnxImport *c, const OnnxNode *n, const OnnxShape *input,
                      const int64_t *kernel, OnnxWindow *w) {
  int64_t pads[6];
  int rank = input->rank - 2;
  if (rank < 1 || rank > 3)
    return onnx_fail(c, "input has %d dimensions, 3 to 5 are supported",
                     input->rank);
  *w = (OnnxWindow){.rank = rank};
  if (!onnx_check_shape(c, input))
    return false;
  enum { LIMIT = 1 << 20 };
  if (!read_list(c, n, "strides", rank, 1, 1, LIMIT, w->stride) ||
      !read_list(c, n, "dilations", rank, 1, 1, LIMIT, w->dilation) ||
      !read_list(c, n, "pads", 2 * rank, 0, 0, LIMIT, pads))
    return false;
  for (int i = 0; i < rank; ++i) {
    w->kernel[i] = kernel[i];
    if (kernel[i] < 1 || kernel[i] > LIMIT)
      return onnx_fail(c, "kernel has a size of %lld", (long long)kernel[i]);
    w->in[i] = input->dims[i + 2];
    w->low[i] = pads[i];
    w->high[i] = pads[i + rank];
  }
  return fit_window(c, n, w);
}

// The padding behind that the windows reach exactly.
static int64_t exact_high(const OnnxWindow *w, int i) {
  return (w->out[i] - 1) * w->stride[i] + (w->kernel[i] - 1) * w->dilation[i] +
         1 - w->in[i] - w->low[i];
}

// Cuts what no window reaches off a channels-last value; `high` gets the
// padding that is left.
MlirValue onnx_cut_window(OnnxImport *c, MlirValue value, OnnxType type,
                          OnnxShape *shape, const OnnxWindow *w,
                          int64_t *high) {
  OnnxShape cut = *shape;
  int64_t starts[ONNX_MAX_RANK] = {0};
  for (int i = 0; i < w->rank; ++i) {
    high[i] = exact_high(w, i);
    if (high[i] < 0) {
      cut.dims[i + 1] += high[i];
      high[i] = 0;
    }
  }
  *shape = cut;
  return onnx_slice(c, value, type, &cut, starts, NULL);
}

//===----------------------------------------------------------------------===//
// TOSA convolutions
//===----------------------------------------------------------------------===//

// Rank-1 windows are computed as rank-2 ones of height 1.
static void raise_window(OnnxWindow *w) {
  if (w->rank != 1)
    return;
  w->rank = 2;
  w->kernel[1] = w->kernel[0];
  w->stride[1] = w->stride[0];
  w->dilation[1] = w->dilation[0];
  w->low[1] = w->low[0];
  w->high[1] = w->high[0];
  w->in[1] = w->in[0];
  w->out[1] = w->out[0];
  w->kernel[0] = w->stride[0] = w->dilation[0] = w->in[0] = w->out[0] = 1;
  w->low[0] = w->high[0] = 0;
}

static OnnxShape spatial_shape(const OnnxWindow *w, const int64_t *sizes,
                               int64_t first, int64_t last) {
  OnnxShape shape = {.rank = w->rank + 2};
  shape.dims[0] = first;
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 1] = sizes[i];
  shape.dims[w->rank + 1] = last;
  return shape;
}

// The kernel as [first, second, kernel…] with rank at least 4.
static OnnxValue *weight_as(OnnxImport *c, OnnxValue *weight,
                            const OnnxWindow *w, int64_t first,
                            int64_t second) {
  OnnxShape shape = {.rank = w->rank + 2};
  shape.dims[0] = first;
  shape.dims[1] = second;
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->kernel[i];
  return onnx_reshape_value(c, weight, &shape);
}

static MlirAttribute pad_attr(OnnxImport *c, const OnnxWindow *w,
                              const int64_t *high) {
  int64_t pads[6];
  for (int i = 0; i < w->rank; ++i) {
    pads[2 * i] = w->low[i];
    pads[2 * i + 1] = high[i];
  }
  return onnx_i64s_attr(c, pads, 2 * w->rank);
}

static MlirValue emit_conv(OnnxImport *c, const char *name,
                           const OnnxConv *conv, MlirValue input,
                           OnnxShape in_shape, MlirValue weight, MlirValue bias,
                           const OnnxShape *out) {
  const OnnxWindow *w = &conv->window;
  OnnxType type = conv->input->type, sums = conv->sum_type;
  int64_t high[3];
  OnnxShape one = onnx_shape(1, (int64_t[]){1});
  input = onnx_cut_window(c, input, type, &in_shape, w, high);
  MlirValue operands[5] = {
      input, weight, bias, onnx_splat(c, type, &one, (double)conv->input_zero),
      onnx_splat(c, type, &one, (double)conv->weight_zero)};
  OnnxAttr attrs[] = {
      {"pad", pad_attr(c, w, high)},
      {"stride", onnx_i64s_attr(c, w->stride, w->rank)},
      {"dilation", onnx_i64s_attr(c, w->dilation, w->rank)},
      {"acc_type", mlirTypeAttrGet(onnx_element_type(c, sums))},
  };
  return onnx_emit(c, name, onnx_tensor_type(c, sums, out), operands, 5, attrs,
                   4);
}

static MlirValue finish(OnnxImport *c, const OnnxConv *conv, MlirValue sums,
                        const OnnxShape *shape, int64_t first_channel) {
  return conv->finish
             ? conv->finish(c, sums, shape, first_channel, conv->finish_data)
             : sums;
}

static OnnxType out_type(const OnnxConv *conv) {
  return conv->finish ? conv->out_type : conv->sum_type;
}

static MlirValue depthwise(OnnxImport *c, const OnnxConv *conv, MlirValue input,
                           MlirValue bias, const OnnxShape *in,
                           const OnnxShape *out) {
  static const int perm[4] = {2, 3, 0, 1};
  const OnnxWindow *w = &conv->window;
  int64_t multiplier = conv->out_channels / conv->in_channels;
  OnnxValue *weight =
      weight_as(c, conv->weight, w, conv->in_channels, multiplier);
  MlirValue moved = onnx_permuted_ir(c, weight, perm);
  MlirValue sums =
      emit_conv(c, "tosa.depthwise_conv2d", conv, input, *in, moved, bias, out);
  return finish(c, conv, sums, out, 0);
}

// Rows [first, first + count) of a constant or other value of `shape`.
static MlirValue take_rows(OnnxImport *c, OnnxValue *value, OnnxShape shape,
                           int64_t first, int64_t count) {
  int64_t starts[ONNX_MAX_RANK] = {first};
  int64_t row = onnx_elems(&shape) / shape.dims[0];
  shape.dims[0] = count;
  if (value->data)
    return onnx_const(c, value->type, &shape,
                      value->data + first * row * onnx_type_bytes(value->type));
  return onnx_slice(c, onnx_ir(c, value), value->type, &shape, starts, NULL);
}

// The weight as [OC, kernel…, IC].
static OnnxValue *weight_last(OnnxImport *c, const OnnxConv *conv, int64_t ic) {
  int perm[ONNX_MAX_RANK] = {0}, rank = conv->window.rank + 2;
  OnnxValue *weight =
      weight_as(c, conv->weight, &conv->window, conv->out_channels, ic);
  for (int i = 1; i < rank; ++i)
    perm[i] = i + 1 == rank ? 1 : i + 1;
  if (weight->data)
    return onnx_permute(c, weight, perm);
  OnnxShape shape = onnx_shape_last(&weight->shape);
  return onnx_from_ir(c, weight->type, &shape, onnx_ir_last(c, weight));
}

static MlirValue grouped(OnnxImport *c, const OnnxConv *conv, MlirValue input,
                         OnnxValue *bias, const OnnxShape *in,
                         const OnnxShape *out) {
  const OnnxWindow *w = &conv->window;
  const char *name = w->rank == 3 ? "tosa.conv3d" : "tosa.conv2d";
  int64_t groups = conv->groups, ic = conv->in_channels / groups,
          oc = conv->out_channels / groups;
  if (groups == 1) {
    MlirValue weight =
        onnx_ir_last(c, weight_as(c, conv->weight, w, conv->out_channels, ic));
    MlirValue sums =
        emit_conv(c, name, conv, input, *in, weight, onnx_ir(c, bias), out);
    return finish(c, conv, sums, out, 0);
  }
  OnnxValue *weight = weight_last(c, conv, ic);
  MlirValue *parts = LUNA_ARENA_ARRAY(c->arena, MlirValue, groups);
  OnnxShape in_part = *in, out_part = *out;
  in_part.dims[w->rank + 1] = ic;
  out_part.dims[w->rank + 1] = oc;
  for (int64_t g = 0; g < groups; ++g) {
    int64_t at_in[ONNX_MAX_RANK] = {0};
    at_in[w->rank + 1] = g * ic;
    MlirValue sums = emit_conv(
        c, name, conv,
        onnx_slice(c, input, conv->input->type, &in_part, at_in, NULL), in_part,
        take_rows(c, weight, weight->shape, g * oc, oc),
        take_rows(c, bias, bias->shape, g * oc, oc), &out_part);
    parts[g] = finish(c, conv, sums, &out_part, g * oc);
  }
  return onnx_concat(c, parts, (int)groups, out_type(conv), out, w->rank + 1);
}

bool onnx_read_conv(OnnxImport *c, const OnnxNode *n, OnnxConv *conv) {
  const OnnxShape *in = &conv->input->shape, *weight = &conv->weight->shape;
  int64_t kernel[3];
  conv->groups = onnx_attr_int(n, "group", 1);
  if (in->rank < 3 || in->rank > 5 || weight->rank != in->rank)
    return onnx_fail(c,
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
    return onnx_fail(c,
                     "%lld input channels in %lld groups do not fit a "
                     "weight for %lld",
                     (long long)conv->in_channels, (long long)conv->groups,
                     (long long)weight->dims[1]);
  if (conv->bias && (conv->bias->shape.rank != 1 ||
                     conv->bias->shape.dims[0] != conv->out_channels))
    return onnx_fail(c, "bias must have %lld elements",
                     (long long)conv->out_channels);
  return onnx_check_shape(c, weight) &&
         onnx_read_window(c, n, in, kernel, &conv->window);
}

OnnxShape onnx_conv_shape(const OnnxWindow *w, int64_t batch,
                          int64_t channels) {
  OnnxShape shape = {.rank = w->rank + 2};
  shape.dims[0] = batch;
  shape.dims[1] = channels;
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->out[i];
  return shape;
}

static OnnxValue *bias_or_zero(OnnxImport *c, const OnnxConv *conv) {
  OnnxShape shape = onnx_shape(1, &conv->out_channels);
  if (conv->bias)
    return conv->bias;
  return onnx_from_ir(c, conv->sum_type, &shape,
                      onnx_splat(c, conv->sum_type, &shape, 0));
}

OnnxValue *onnx_conv_tosa(OnnxImport *c, const OnnxConv *read) {
  OnnxConv conv = *read;
  OnnxWindow *w = &conv.window;
  OnnxShape model = onnx_conv_shape(w, conv.batch, conv.out_channels);
  if (!onnx_check_shape(c, &model))
    return NULL;
  OnnxShape model_last = onnx_shape_last(&model);
  raise_window(w);
  OnnxShape in = spatial_shape(w, w->in, conv.batch, conv.in_channels);
  OnnxShape out = spatial_shape(w, w->out, conv.batch, conv.out_channels);
  MlirValue input =
      onnx_reshape(c, onnx_ir_last(c, conv.input), conv.input->type, &in);
  OnnxValue *bias = bias_or_zero(c, &conv);
  bool is_depthwise =
      conv.groups == conv.in_channels && conv.groups > 1 && w->rank == 2;
  MlirValue made = is_depthwise
                       ? depthwise(c, &conv, input, onnx_ir(c, bias), &in, &out)
                       : grouped(c, &conv, input, bias, &in, &out);
  OnnxType type = out_type(&conv);
  return onnx_from_last(c, type, &model,
                        onnx_reshape(c, made, type, &model_last));
}

MlirValue onnx_conv_rows(OnnxImport *c, const OnnxConv *conv) {
  OnnxConv rows = *conv;
  rows.window = (OnnxWindow){.rank = 2};
  for (int i = 0; i < 2; ++i)
    rows.window.kernel[i] = rows.window.stride[i] = rows.window.dilation[i] =
        rows.window.in[i] = rows.window.out[i] = 1;
  OnnxShape in =
      onnx_shape(4, (int64_t[]){conv->batch, 1, 1, conv->in_channels});
  OnnxShape out =
      onnx_shape(4, (int64_t[]){conv->batch, 1, 1, conv->out_channels});
  OnnxShape weight =
      onnx_shape(4, (int64_t[]){conv->out_channels, 1, 1, conv->in_channels});
  OnnxType type = conv->input->type;
  MlirValue sums =
      emit_conv(c, "tosa.conv2d", &rows,
                onnx_reshape(c, onnx_ir(c, conv->input), type, &in), in,
                onnx_ir(c, onnx_reshape_value(c, conv->weight, &weight)),
                onnx_ir(c, bias_or_zero(c, &rows)), &out);
  return finish(c, &rows, sums, &out, 0);
}

ONNX_HANDLER(conv) {
  OnnxConv conv = {.input = n->inputs[0],
                   .weight = n->inputs[1],
                   .bias = onnx_input(n, 2),
                   .sum_type = ONNX_F32};
  if (conv.input->type != ONNX_F32 || conv.weight->type != ONNX_F32)
    return onnx_fail(c, "type %s is not supported",
                     onnx_type_name(conv.input->type));
  if (!onnx_read_conv(c, n, &conv))
    return false;
  n->outputs[0] = onnx_conv_tosa(c, &conv);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

typedef struct Deconv {
  OnnxWindow window;
  int64_t output_padding[3];
  int64_t groups, in_channels, out_channels;
} Deconv;

static bool fit_transposed(OnnxImport *c, const OnnxNode *n, Deconv *d) {
  OnnxWindow *w = &d->window;
  int64_t shape[3];
  int given = onnx_attr_ints(c, n, "output_shape", shape, 3);
  bool lower = onnx_attr_is(n, "auto_pad", "NOTSET", "SAME_LOWER");
  bool same = lower || onnx_attr_is(n, "auto_pad", "NOTSET", "SAME_UPPER");
  if (given == -2 || (given >= 0 && given != w->rank))
    return onnx_fail(c, "output_shape needs %d entries", w->rank);
  for (int i = 0; i < w->rank; ++i) {
    int64_t span = (w->kernel[i] - 1) * w->dilation[i] + 1;
    int64_t full = (w->in[i] - 1) * w->stride[i] + d->output_padding[i] + span;
    if (given > 0 || same) {
      w->out[i] = given > 0 ? shape[i] : w->in[i] * w->stride[i];
      int64_t total = full - w->out[i];
      if (total < 0) { // The result is larger: nothing is cut.
        d->output_padding[i] -= total;
        total = 0;
      }
      w->low[i] = lower ? total - total / 2 : total / 2;
      w->high[i] = total - w->low[i];
    } else {
      w->out[i] = full - w->low[i] - w->high[i];
    }
    if (w->out[i] < 1 || w->out[i] > ONNX_MAX_ELEMS)
      return onnx_fail(c, "result has a dimension of %lld",
                       (long long)w->out[i]);
  }
  return true;
}

// Spreads the input by the strides with zeros between, pads, and convolves
// with the kernel turned around.
typedef struct Spread {
  MlirValue source;
  OnnxShape from;
  const OnnxWindow *w;
  int64_t low[3];
} Spread;

static MlirValue spread_element(OnnxImport *c, const MlirValue *index,
                                void *data) {
  const Spread *s = data;
  MlirValue at[ONNX_MAX_RANK] = {index[0]}, zero = onnx_lit_index(c, 0);
  MlirValue inside = onnx_compare_index(c, ONNX_EQ, zero, zero);
  int rank = s->w->rank;
  for (int i = 0; i < rank; ++i) {
    MlirValue stride = onnx_lit_index(c, s->w->stride[i]);
    MlirValue from =
        onnx_s2(c, "arith.subi", index[i + 1], onnx_lit_index(c, s->low[i]));
    MlirValue row = onnx_s2(c, "arith.divsi", from, stride);
    MlirValue exact = onnx_compare_index(
        c, ONNX_EQ, onnx_s2(c, "arith.muli", row, stride), from);
    MlirValue above = onnx_compare_index(c, ONNX_GE, from, zero);
    MlirValue below = onnx_compare_index(
        c, ONNX_LT, row, onnx_lit_index(c, s->from.dims[i + 1]));
    inside = onnx_s2(c, "arith.andi", inside, exact);
    inside = onnx_s2(c, "arith.andi", inside, above);
    inside = onnx_s2(c, "arith.andi", inside, below);
    at[i + 1] = onnx_s2(c, "arith.minsi", onnx_s2(c, "arith.maxsi", row, zero),
                        onnx_lit_index(c, s->from.dims[i + 1] - 1));
  }
  at[rank + 1] = index[rank + 1];
  MlirValue value = onnx_tensor_extract(c, s->source, at, rank + 2,
                                        onnx_element_type(c, ONNX_F32));
  return onnx_select(c, inside, value, onnx_lit(c, ONNX_F32, 0.0));
}

typedef struct Turn {
  OnnxValue *weight;
  int rank;
  int64_t groups, ic, oc;
} Turn;

// Element [oc, kernel…, ic] of the turned kernel from [ic, oc, kernel…].
static MlirValue turned_element(OnnxImport *c, const MlirValue *index,
                                void *data) {
  const Turn *t = data;
  MlirValue at[ONNX_MAX_RANK];
  MlirValue oc = onnx_lit_index(c, t->oc), ic = onnx_lit_index(c, t->ic);
  MlirValue group = onnx_s2(c, "arith.divui", index[0], oc);
  at[0] = onnx_s2(c, "arith.addi", onnx_s2(c, "arith.muli", group, ic),
                  index[t->rank + 1]);
  at[1] = onnx_s2(c, "arith.remui", index[0], oc);
  for (int i = 0; i < t->rank; ++i)
    at[i + 2] = onnx_s2(c, "arith.subi",
                        onnx_lit_index(c, t->weight->shape.dims[i + 2] - 1),
                        index[i + 1]);
  return onnx_tensor_extract(c, t->weight->ir, at, t->rank + 2,
                             onnx_element_type(c, ONNX_F32));
}

static bool read_transposed(OnnxImport *c, OnnxNode *n, Deconv *d) {
  const OnnxShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t pads[6];
  int rank = in->rank - 2;
  OnnxWindow *w = &d->window;
  if (rank < 1 || rank > 3 || weight->rank != in->rank)
    return onnx_fail(c,
                     "input has %d and weight %d dimensions, 3 to 5 are "
                     "supported",
                     in->rank, weight->rank);
  w->rank = rank;
  enum { LIMIT = 1 << 16 };
  if (!onnx_check_shape(c, in) || !onnx_check_shape(c, weight) ||
      !read_list(c, n, "strides", rank, 1, 1, LIMIT, w->stride) ||
      !read_list(c, n, "dilations", rank, 1, 1, LIMIT, w->dilation) ||
      !read_list(c, n, "pads", 2 * rank, 0, 0, LIMIT, pads) ||
      !read_list(c, n, "output_padding", rank, 0, 0, LIMIT, d->output_padding))
    return false;
  d->groups = onnx_attr_int(n, "group", 1);
  d->in_channels = in->dims[1];
  if (d->groups < 1 || d->groups > d->in_channels ||
      d->in_channels % d->groups != 0 || weight->dims[0] != d->in_channels)
    return onnx_fail(c, "%lld input channels do not fit the weight",
                     (long long)d->in_channels);
  d->out_channels = weight->dims[1] * d->groups;
  for (int i = 0; i < rank; ++i) {
    w->in[i] = in->dims[i + 2];
    w->kernel[i] = weight->dims[i + 2];
    w->low[i] = pads[i];
    w->high[i] = pads[i + rank];
  }
  return fit_transposed(c, n, d);
}

// TOSA's form: the result grows by `pad` (top, bottom, left, right) beyond what
// the kernels reach, or shrinks by less than a kernel.
static bool fits_tosa(const Deconv *d, int64_t pad[4]) {
  const OnnxWindow *w = &d->window;
  if (w->rank != 2 || d->groups != 1)
    return false;
  for (int i = 0; i < 2; ++i) {
    int64_t reach = (w->in[i] - 1) * w->stride[i] + w->kernel[i];
    pad[2 * i] = -w->low[i];
    pad[2 * i + 1] = w->out[i] - reach + w->low[i];
    if (w->dilation[i] != 1 || pad[2 * i] <= -w->kernel[i] ||
        pad[2 * i + 1] <= -w->kernel[i] || pad[2 * i + 1] > w->kernel[i])
      return false;
  }
  return true;
}

bool onnx_conv_transpose_tosa(OnnxImport *c, OnnxNode *n, const OnnxConv *conv,
                              OnnxValue **made) {
  static const int perm[4] = {1, 2, 3, 0};
  Deconv d = {.groups = 1};
  int64_t pad[4];
  *made = NULL;
  if (!read_transposed(c, n, &d))
    return false;
  if (!fits_tosa(&d, pad))
    return true;
  OnnxConv whole = *conv;
  whole.out_channels = d.out_channels;
  OnnxShape model =
      onnx_conv_shape(&d.window, conv->input->shape.dims[0], d.out_channels);
  OnnxShape out = onnx_shape_last(&model), one = onnx_shape(1, (int64_t[]){1});
  if (!onnx_check_shape(c, &model))
    return false;
  OnnxType type = conv->input->type;
  MlirValue operands[5] = {
      onnx_ir_last(c, conv->input), onnx_permuted_ir(c, conv->weight, perm),
      onnx_ir(c, bias_or_zero(c, &whole)),
      onnx_splat(c, type, &one, (double)conv->input_zero),
      onnx_splat(c, type, &one, (double)conv->weight_zero)};
  OnnxAttr attrs[] = {
      {"out_pad", onnx_i64s_attr(c, pad, 4)},
      {"stride", onnx_i64s_attr(c, d.window.stride, 2)},
      {"acc_type", mlirTypeAttrGet(onnx_element_type(c, conv->sum_type))},
  };
  MlirValue sums = onnx_emit(c, "tosa.transpose_conv2d",
                             onnx_tensor_type(c, conv->sum_type, &out),
                             operands, 5, attrs, 3);
  *made = onnx_from_last(c, out_type(&whole), &model,
                         finish(c, &whole, sums, &out, 0));
  return true;
}

ONNX_HANDLER(conv_transpose) {
  Deconv d = {.groups = 1};
  OnnxValue *value = n->inputs[0], *bias = onnx_input(n, 2);
  if (value->type != ONNX_F32 || n->inputs[1]->type != ONNX_F32)
    return onnx_fail(c, "type %s is not supported",
                     onnx_type_name(value->type));
  if (!read_transposed(c, n, &d))
    return false;
  OnnxWindow *w = &d.window;
  if (bias && (bias->shape.rank != 1 || bias->shape.dims[0] != d.out_channels))
    return onnx_fail(c, "bias must have %lld elements",
                     (long long)d.out_channels);
  OnnxShape model = onnx_conv_shape(w, value->shape.dims[0], d.out_channels);
  OnnxShape spread_shape = onnx_shape_last(&value->shape);
  Spread spread = {
      .source = onnx_ir_last(c, value), .from = spread_shape, .w = w};
  OnnxWindow plain = {.rank = w->rank};
  for (int i = 0; i < w->rank; ++i) {
    int64_t span = (w->kernel[i] - 1) * w->dilation[i];
    spread.low[i] = span - w->low[i];
    plain.in[i] = spread_shape.dims[i + 1] = w->out[i] + span;
    plain.kernel[i] = w->kernel[i];
    plain.dilation[i] = w->dilation[i];
    plain.stride[i] = 1;
    plain.out[i] = w->out[i];
  }
  if (!onnx_check_shape(c, &model) || !onnx_check_shape(c, &spread_shape))
    return false;
  Turn turn = {.rank = w->rank,
               .groups = d.groups,
               .ic = d.in_channels / d.groups,
               .oc = d.out_channels / d.groups};
  OnnxValue weight = *n->inputs[1];
  weight.ir = onnx_ir(c, n->inputs[1]);
  turn.weight = &weight;
  OnnxShape turned = spatial_shape(w, w->kernel, d.out_channels, turn.ic);
  OnnxValue *kernel = onnx_from_last(
      c, ONNX_F32, &turned,
      onnx_generate(c, ONNX_F32, &turned, turned_element, &turn));
  // The kernel's model shape is [OC, IC, kernel…].
  kernel->shape = onnx_conv_shape(w, d.out_channels, turn.ic);
  for (int i = 0; i < w->rank; ++i)
    kernel->shape.dims[i + 2] = w->kernel[i];
  OnnxConv conv = {.window = plain,
                   .batch = value->shape.dims[0],
                   .in_channels = d.in_channels,
                   .out_channels = d.out_channels,
                   .groups = d.groups,
                   .input = value,
                   .weight = kernel,
                   .bias = bias,
                   .sum_type = ONNX_F32};
  MlirValue input =
      onnx_generate(c, ONNX_F32, &spread_shape, spread_element, &spread);
  raise_window(&conv.window);
  w = &conv.window;
  OnnxShape in = spatial_shape(w, w->in, conv.batch, d.in_channels);
  OnnxShape out = spatial_shape(w, w->out, conv.batch, d.out_channels);
  MlirValue made = grouped(c, &conv, onnx_reshape(c, input, ONNX_F32, &in),
                           bias_or_zero(c, &conv), &in, &out);
  OnnxShape model_last = onnx_shape_last(&model);
  n->outputs[0] = onnx_from_last(c, ONNX_F32, &model,
                                 onnx_reshape(c, made, ONNX_F32, &model_last));
  return true;
}
