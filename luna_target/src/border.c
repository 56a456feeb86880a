#include "luna/border.h"

#include "luna/weight_layout.h"

// The taps of an output that meet the input, and nothing else of a run.
static LunaBorderRun taps_of(const LunaConv2dDesc *desc, int axis,
                             int32_t kernel, int32_t out) {
  LunaBorderRun run = {.first = out, .count = 1};
  int64_t at = (int64_t)out * desc->stride[axis] - desc->pad[2 * axis];
  for (int32_t tap = 0; tap < kernel; ++tap, at += desc->dilation[axis]) {
    if (at < 0 || at >= desc->input.dims[1 + axis])
      continue;
    if (run.tap_count == 0)
      run.first_tap = tap;
    ++run.tap_count;
  }
  return run;
}

static bool is_same_class(const LunaBorderRun *a, const LunaBorderRun *b) {
  return a->first_tap == b->first_tap && a->tap_count == b->tap_count;
}

// Numbers the classes: the largest is 0.
static void number(LunaBorderAxis *border) {
  LunaBorderRun *runs = border->runs;
  int32_t largest = 0, next = 1;
  for (int32_t i = 1; i < border->class_count; ++i)
    if (runs[i].count > runs[largest].count)
      largest = i;
  for (int32_t i = 0; i < border->class_count; ++i)
    runs[i].row = i == largest ? 0 : next++;
}

bool luna_border_axis(const LunaConv2dDesc *desc, int axis,
                      LunaBorderAxis *border) {
  int32_t kernel = luna_conv2d_taps(desc, axis);
  *border = (LunaBorderAxis){.class_count = 0};
  for (int32_t out = 0; out < desc->output.dims[1 + axis]; ++out) {
    const LunaBorderRun run = taps_of(desc, axis, kernel, out);
    int32_t count = border->class_count;
    if (count > 0 && is_same_class(&border->runs[count - 1], &run)) {
      ++border->runs[count - 1].count;
      continue;
    }
    if (count == LUNA_BORDER_CLASSES_MAX)
      return false;
    border->runs[border->class_count++] = run;
  }
  number(border);
  return true;
}

int32_t luna_border_classes(const LunaConv2dDesc *desc) {
  LunaBorderAxis y, x;
  if (desc->kind == LUNA_CONV_TRANSPOSED || !luna_border_axis(desc, 0, &y) ||
      !luna_border_axis(desc, 1, &x))
    return 0;
  return y.class_count * x.class_count;
}
