// Fourier transforms, as products with a matrix of cosines and sines: DFT a
// matrix product, STFT a convolution whose stride is the step between frames.
//
// Real and imaginary parts are the last dimension. Where the length is N, part
// (k, p) of the spectrum is the sum over n and the parts of x of
// x[n] * factor(k * n mod N).

#include "onnx_conv.h"

#include <math.h>

// One transform: `count` of `length` points; the signal has `parts` (1: it is
// real).
typedef struct Transform {
  int64_t length, count;
  int64_t parts;
  bool is_inverse;
} Transform;

// What part `from` of point n adds to part `to` of bin k.
static double factor(const Transform *t, int64_t n, int64_t k, int64_t from,
                     int64_t to) {
  double turn =
      6.283185307179586476925 * (double)(n * k % t->length) / (double)t->length;
  double sign = t->is_inverse ? 1.0 : -1.0;
  double scale = t->is_inverse ? 1.0 / (double)t->length : 1.0;
  if (from == to)
    return scale * cos(turn);
  return scale * sign * (from == 0 ? sin(turn) : -sin(turn));
}

// Reads `onesided`, which keeps the bins up to half the length.
static bool read_bins(LunaOnnxImport *c, const LunaOnnxNode *n, int64_t absent,
                      Transform *t) {
  bool onesided = luna_onnx_attr_int(n, "onesided", absent) != 0;
  t->is_inverse = luna_onnx_attr_int(n, "inverse", 0) != 0;
  t->count = onesided ? t->length / 2 + 1 : t->length;
  if (t->parts != 1 && t->parts != 2)
    return luna_onnx_fail(c, "last dimension is %lld, needs 1 or 2 parts",
                          (long long)t->parts);
  return !(onesided && t->is_inverse) ||
         luna_onnx_fail(c, "onesided and inverse exclude each other");
}

static bool check_float(LunaOnnxImport *c, const LunaOnnxValue *value) {
  return value->type == LUNA_ONNX_F32 ||
         luna_onnx_fail(c, "type %s is not supported",
                        luna_onnx_type_name(value->type));
}

// The constant integer of an optional input.
static bool read_length(LunaOnnxImport *c, const LunaOnnxNode *n, int index,
                        int64_t absent, int64_t *length) {
  int count = luna_onnx_input_ints(c, n, index, length, 1);
  if (count == -1)
    *length = absent;
  if (count == -2)
    return false;
  return (*length >= 1 && *length <= LUNA_ONNX_MAX_ELEMS) ||
         luna_onnx_fail(c, "length %lld, needs at least 1", (long long)*length);
}

//===----------------------------------------------------------------------===//
// DFT
//===----------------------------------------------------------------------===//

// [points * parts, count * 2] for `points` of the signal.
static LunaOnnxValue *matrix(LunaOnnxImport *c, const Transform *t,
                             int64_t points) {
  LunaShape shape = {2, {points * t->parts, t->count * 2}};
  if (!luna_onnx_check_shape(c, &shape) ||
      !luna_onnx_check_made(c, luna_onnx_elems(&shape)))
    return NULL;
  float *data = luna_onnx_new_data(c, luna_onnx_elems(&shape), sizeof *data);
  for (int64_t i = 0; i < shape.dims[0]; ++i)
    for (int64_t o = 0; o < shape.dims[1]; ++o)
      data[i * shape.dims[1] + o] =
          (float)factor(t, i / t->parts, o / 2, i % t->parts, o % 2);
  return luna_onnx_new_const(c, LUNA_ONNX_F32, &shape, data);
}

// The axis is an attribute up to opset 19, then an input.
static bool read_dft_axis(LunaOnnxImport *c, const LunaOnnxNode *n, int rank,
                          int *axis) {
  int64_t given = luna_onnx_attr_int(n, "axis", c->opset < 20 ? 1 : -2);
  if (c->opset >= 20 && luna_onnx_input_ints(c, n, 2, &given, 1) == -2)
    return false;
  if (!luna_onnx_axis(c, given, rank, axis))
    return false;
  return (*axis > 0 && *axis < rank - 1) ||
         luna_onnx_fail(c, "axis %d is that of the batch or of the parts",
                        *axis);
}

// Moves dimension `axis` before the last one.
static void axis_to_end(int rank, int axis, int *perm, int *inverse) {
  int at = 0;
  for (int i = 0; i < rank - 1; ++i)
    if (i != axis)
      perm[at++] = i;
  perm[at++] = axis;
  perm[at] = rank - 1;
  for (int i = 0; i < rank; ++i)
    inverse[perm[i]] = i;
}

bool luna_onnx_op_dft(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *signal = n->inputs[0];
  int rank = signal->shape.rank, axis, perm[LUNA_ONNX_MAX_RANK],
      inverse[LUNA_ONNX_MAX_RANK];
  if (!check_float(c, signal))
    return false;
  if (rank < 3)
    return luna_onnx_fail(c, "signal has %d dimensions, needs at least 3",
                          rank);
  if (!read_dft_axis(c, n, rank, &axis))
    return false;
  int64_t points = signal->shape.dims[axis];
  Transform t = {.parts = signal->shape.dims[rank - 1]};
  if (!read_length(c, n, 1, points, &t.length) || !read_bins(c, n, 0, &t))
    return false;
  int64_t used = points < t.length ? points : t.length;
  axis_to_end(rank, axis, perm, inverse);
  LunaOnnxValue *moved = luna_onnx_permute(c, signal, perm);
  LunaShape rows = moved->shape, starts = {.rank = rank}, out = moved->shape;
  // Points beyond the length are cut; those missing are zero.
  rows.dims[rank - 2] = used;
  moved = luna_onnx_from_ir(
      c, LUNA_ONNX_F32, &rows,
      luna_build_slice(c->b, luna_onnx_ir(c, moved), starts.dims, rows.dims));
  LunaShape flat =
      luna_onnx_shape(2, (int64_t[]){luna_onnx_elems(&rows) / (used * t.parts),
                                     used * t.parts});
  LunaOnnxValue *factors = matrix(c, &t, used);
  LunaOnnxValue *product =
      factors ? luna_onnx_matmul(c, luna_onnx_reshape_value(c, moved, &flat),
                                 factors)
              : NULL;
  out.dims[rank - 2] = t.count;
  out.dims[rank - 1] = 2;
  if (!product || !luna_onnx_check_shape(c, &out))
    return false;
  n->outputs[0] =
      luna_onnx_permute(c, luna_onnx_reshape_value(c, product, &out), inverse);
  return true;
}

//===----------------------------------------------------------------------===//
// STFT
//===----------------------------------------------------------------------===//

// [count * 2, parts, length], times the window where there is one.
static LunaOnnxValue *kernel(LunaOnnxImport *c, const Transform *t,
                             LunaOnnxValue *window) {
  LunaShape shape = (LunaShape){3, {t->count * 2, t->parts, t->length}};
  if (!luna_onnx_check_shape(c, &shape) ||
      !luna_onnx_check_made(c, luna_onnx_elems(&shape)))
    return NULL;
  bool known = window && luna_onnx_evaluate(c, window);
  float *data = luna_onnx_new_data(c, luna_onnx_elems(&shape), sizeof *data);
  float *at = data;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t p = 0; p < t->parts; ++p)
      for (int64_t i = 0; i < t->length; ++i)
        *at++ = (float)(factor(t, i, o / 2, p, o % 2) *
                        (known ? luna_onnx_float_at(window, i) : 1.0));
  LunaOnnxValue *value = luna_onnx_new_const(c, LUNA_ONNX_F32, &shape, data);
  return window && !known ? luna_onnx_apply(c, "Mul", value, window) : value;
}

// Reads the window, and the length of frames from it or an input.
static bool read_frames(LunaOnnxImport *c, const LunaOnnxNode *n, LunaWindow *w,
                        LunaOnnxValue **window) {
  *window = luna_onnx_input(n, 2);
  if (*window && (!check_float(c, *window) || (*window)->shape.rank != 1))
    return luna_onnx_fail(c, "window must be a list of floats");
  int64_t absent = *window ? (*window)->shape.dims[0] : -1;
  if (!read_length(c, n, 1, -1, &w->stride[0]) ||
      !read_length(c, n, 3, absent, &w->kernel[0]))
    return false;
  if (*window && w->kernel[0] != absent)
    return luna_onnx_fail(c, "window has %lld points, frames have %lld",
                          (long long)absent, (long long)w->kernel[0]);
  return w->kernel[0] <= w->in[0] ||
         luna_onnx_fail(c, "frames of %lld points, the signal has %lld",
                        (long long)w->kernel[0], (long long)w->in[0]);
}

bool luna_onnx_op_stft(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *signal = n->inputs[0], *window;
  if (!check_float(c, signal))
    return false;
  if (signal->shape.rank != 3)
    return luna_onnx_fail(c, "signal has %d dimensions, needs 3",
                          signal->shape.rank);
  LunaWindow w = {.rank = 1, .dilation = {1}, .in = {signal->shape.dims[1]}};
  if (!read_frames(c, n, &w, &window))
    return false;
  luna_window_fit(&w, LUNA_PADDING_GIVEN, false);
  Transform t = {.length = w.kernel[0], .parts = signal->shape.dims[2]};
  if (!read_bins(c, n, 1, &t))
    return false;
  LunaOnnxConv conv = {.window = w,
                       .batch = signal->shape.dims[0],
                       .in_channels = t.parts,
                       .out_channels = t.count * 2,
                       .groups = 1,
                       .input = signal,
                       .weight = kernel(c, &t, window)};
  LunaShape out = {4, {conv.batch, w.out[0], t.count, 2}};
  if (!conv.weight || !luna_onnx_check_shape(c, &out))
    return false;
  LunaOnnxValue *made = luna_onnx_conv_of(c, &conv, luna_onnx_ir(c, signal));
  if (!made)
    return false;
  n->outputs[0] = luna_onnx_from_ir(
      c, LUNA_ONNX_F32, &out,
      luna_build_reshape(c->b, luna_onnx_ir_last(c, made), &out));
  return true;
}
