#include "luna/shape_window.h"

int64_t luna_window_reach(int64_t kernel, int64_t dilation) {
  return (kernel - 1) * dilation + 1;
}

int64_t luna_window_count(int64_t extent, int64_t reach, int64_t stride) {
  return extent < reach ? 0 : (extent - reach) / stride + 1;
}

int64_t luna_window_cover(int64_t count, int64_t reach, int64_t stride) {
  return (count - 1) * stride + reach;
}

static int64_t reach_of(const LunaWindow *w, int i) {
  return luna_window_reach(w->kernel[i], w->dilation[i]);
}

int64_t luna_window_behind(const LunaWindow *w, int i) {
  return luna_window_cover(w->out[i], reach_of(w, i), w->stride[i]) - w->in[i] -
         w->low[i];
}

// How much of `total`, if that is above 0, lies ahead.
static int64_t ahead(int64_t total, LunaPadding padding) {
  if (total <= 0 || padding == LUNA_PADDING_VALID)
    return 0;
  return padding == LUNA_PADDING_SAME_UPPER ? total / 2 : total - total / 2;
}

static void choose_padding(LunaWindow *w, int i, LunaPadding padding) {
  int64_t count = (w->in[i] + w->stride[i] - 1) / w->stride[i];
  int64_t total =
      luna_window_cover(count, reach_of(w, i), w->stride[i]) - w->in[i];
  bool is_none = total < 0 || padding == LUNA_PADDING_VALID;
  w->low[i] = ahead(total, padding);
  w->high[i] = is_none ? 0 : total - w->low[i];
}

int luna_window_fit(LunaWindow *w, LunaPadding padding, bool rounds_up) {
  for (int i = 0; i < w->rank; ++i) {
    int64_t reach = reach_of(w, i), stride = w->stride[i];
    if (padding != LUNA_PADDING_GIVEN)
      choose_padding(w, i, padding);
    int64_t end = w->low[i] + w->in[i], padded = end + w->high[i];
    w->out[i] = luna_window_count(padded, reach, stride);
    if (w->out[i] == 0)
      return i;
    if (rounds_up && luna_window_cover(w->out[i], reach, stride) < padded &&
        w->out[i] * stride < end)
      ++w->out[i];
  }
  return w->rank;
}

void luna_window_fit_transposed(LunaWindow *w, LunaPadding padding,
                                const int64_t *more) {
  bool is_same =
      padding == LUNA_PADDING_SAME_UPPER || padding == LUNA_PADDING_SAME_LOWER;
  for (int i = 0; i < w->rank; ++i) {
    int64_t all = luna_window_cover(w->in[i], reach_of(w, i), w->stride[i]);
    if (w->out[i] == 0 && !is_same) {
      w->out[i] = all + more[i] - w->low[i] - w->high[i];
    } else {
      if (w->out[i] == 0)
        w->out[i] = w->in[i] * w->stride[i];
      w->low[i] = ahead(all + more[i] - w->out[i], padding);
    }
    w->high[i] = all - w->low[i] - w->out[i];
  }
}
