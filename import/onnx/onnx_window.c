// The windows of convolutions and pools: strides, dilations and padding.

#include "onnx_conv.h"

// Finds the result's size and the padding that uses exactly that much input:
// high pads may become negative, which cuts.
static bool fit_window(LunaOnnxImport *c, const LunaOnnxNode *n,
                       LunaOnnxWindow *w) {
  bool same_upper = luna_onnx_attr_is(n, "auto_pad", "NOTSET", "SAME_UPPER");
  bool same_lower = luna_onnx_attr_is(n, "auto_pad", "NOTSET", "SAME_LOWER");
  bool valid = luna_onnx_attr_is(n, "auto_pad", "NOTSET", "VALID");
  bool up = luna_onnx_attr_int(n, "ceil_mode", 0) != 0;
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
      return luna_onnx_fail(c, "kernel of %lld does not fit into %lld elements",
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

bool luna_onnx_read_sizes(LunaOnnxImport *c, const LunaOnnxNode *n,
                          const char *name, int count, int64_t absent,
                          int64_t low, int64_t high, int64_t *list) {
  for (int i = 0; i < count; ++i)
    list[i] = absent;
  int found = luna_onnx_attr_ints(c, n, name, list, count);
  if (found != -1 && found != count)
    return luna_onnx_fail(c, "'%s' must have %d entries", name, count);
  for (int i = 0; i < count; ++i)
    if (list[i] < low || list[i] > high)
      return luna_onnx_fail(
          c, "'%s' has an entry of %lld, %lld to %lld are possible", name,
          (long long)list[i], (long long)low, (long long)high);
  return true;
}

bool luna_onnx_read_window(LunaOnnxImport *c, const LunaOnnxNode *n,
                           const LunaShape *input, const int64_t *kernel,
                           LunaOnnxWindow *w) {
  int64_t pads[6];
  int rank = input->rank - 2;
  if (rank < 1 || rank > 3)
    return luna_onnx_fail(c, "input has %d dimensions, 3 to 5 are supported",
                          input->rank);
  *w = (LunaOnnxWindow){.rank = rank};
  if (!luna_onnx_check_shape(c, input))
    return false;
  enum { LIMIT = 1 << 20 };
  if (!luna_onnx_read_sizes(c, n, "strides", rank, 1, 1, LIMIT, w->stride) ||
      !luna_onnx_read_sizes(c, n, "dilations", rank, 1, 1, LIMIT,
                            w->dilation) ||
      !luna_onnx_read_sizes(c, n, "pads", 2 * rank, 0, 0, LIMIT, pads))
    return false;
  for (int i = 0; i < rank; ++i) {
    w->kernel[i] = kernel[i];
    if (kernel[i] < 1 || kernel[i] > LIMIT)
      return luna_onnx_fail(c, "kernel has a size of %lld",
                            (long long)kernel[i]);
    w->in[i] = input->dims[i + 2];
    w->low[i] = pads[i];
    w->high[i] = pads[i + rank];
  }
  return fit_window(c, n, w);
}

void luna_onnx_raise_window(LunaOnnxWindow *w) {
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

// The padding behind that the windows reach exactly.
static int64_t exact_high(const LunaOnnxWindow *w, int i) {
  return (w->out[i] - 1) * w->stride[i] + (w->kernel[i] - 1) * w->dilation[i] +
         1 - w->in[i] - w->low[i];
}

MlirValue luna_onnx_pad_missed(LunaOnnxImport *c, MlirValue value,
                               LunaShape *shape, LunaOnnxWindow *w) {
  int64_t pads[2 * LUNA_ONNX_MAX_RANK] = {0};
  bool misses = false;
  for (int i = 0; i < w->rank; ++i) {
    if (exact_high(w, i) > -w->in[i])
      continue;
    misses = true;
    pads[2 * i + 2] = w->low[i];
    w->in[i] = shape->dims[i + 1] += w->low[i];
    w->low[i] = 0;
  }
  return misses ? luna_onnx_pad(c, value, pads, 0) : value;
}

// Cuts what no window reaches off a channels-last value; `high` gets the
// padding that is left.
MlirValue luna_onnx_cut_window(LunaOnnxImport *c, MlirValue value,
                               LunaShape *shape, const LunaOnnxWindow *w,
                               int64_t *high) {
  LunaShape cut = *shape;
  int64_t starts[LUNA_ONNX_MAX_RANK] = {0};
  for (int i = 0; i < w->rank; ++i) {
    high[i] = exact_high(w, i);
    if (high[i] < 0) {
      cut.dims[i + 1] += high[i];
      high[i] = 0;
    }
  }
  *shape = cut;
  return luna_build_slice(c->b, value, starts, cut.dims);
}

LunaShape luna_onnx_spatial_shape(const LunaOnnxWindow *w, const int64_t *sizes,
                                  int64_t first, int64_t second) {
  LunaShape shape = {.rank = w->rank + 2, .dims = {first, second}};
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = sizes[i];
  return shape;
}
