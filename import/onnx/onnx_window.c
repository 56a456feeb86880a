// The windows of convolutions and pools: strides, dilations and padding.

#include "onnx_conv.h"

LunaPadding luna_onnx_padding(const LunaOnnxNode *n) {
  static const char *const names[] = {
      [LUNA_PADDING_SAME_UPPER] = "SAME_UPPER",
      [LUNA_PADDING_SAME_LOWER] = "SAME_LOWER",
      [LUNA_PADDING_VALID] = "VALID",
  };
  LunaPadding padding = LUNA_PADDING_VALID;
  while (padding != LUNA_PADDING_GIVEN &&
         !luna_onnx_attr_is(n, "auto_pad", "NOTSET", names[padding]))
    --padding;
  return padding;
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
                           LunaWindow *w) {
  int64_t pads[6];
  int rank = input->rank - 2;
  if (rank < 1 || rank > 3)
    return luna_onnx_fail(c, "input has %d dimensions, 3 to 5 are supported",
                          input->rank);
  *w = (LunaWindow){.rank = rank};
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
  int misfit = luna_window_fit(w, luna_onnx_padding(n),
                               luna_onnx_attr_int(n, "ceil_mode", 0) != 0);
  return misfit == rank ||
         luna_onnx_fail(c, "kernel of %lld does not fit into %lld elements",
                        (long long)luna_window_reach(w->kernel[misfit],
                                                     w->dilation[misfit]),
                        (long long)w->in[misfit]);
}

void luna_onnx_raise_window(LunaWindow *w) {
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

MlirValue luna_onnx_pad_missed(LunaOnnxImport *c, MlirValue value,
                               LunaWindow *w) {
  int64_t pads[2 * LUNA_ONNX_MAX_RANK] = {0};
  bool misses = false;
  for (int i = 0; i < w->rank; ++i) {
    if (luna_window_behind(w, i) > -w->in[i])
      continue;
    misses = true;
    pads[2 * i + 2] = w->low[i];
    w->in[i] += w->low[i];
    w->low[i] = 0;
  }
  return misses ? luna_onnx_pad(c, value, pads, 0) : value;
}

LunaShape luna_onnx_spatial_shape(const LunaWindow *w, const int64_t *sizes,
                                  int64_t first, int64_t second) {
  LunaShape shape = {.rank = w->rank + 2, .dims = {first, second}};
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = sizes[i];
  return shape;
}
