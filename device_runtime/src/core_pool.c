#include "core_numbers.h"
#include "luna/core.h"

// A pooling; of an average, the sums of a piece of the channels of one window,
// which the stack holds, scaled by the reciprocal of the window's elements.

enum { PIECE = 64 };

typedef struct Average {
  const LunaPoolDesc *desc;
  const uint8_t *input;
  uint8_t *output;
  LunaCoreRequant requant; // for windows of `count` elements
  int32_t count;
} Average;

// The part of a window that lies in the input: [first, end).
typedef struct Window {
  int32_t first[2], end[2];
} Window;

static Window window_at(const LunaPoolDesc *desc, const int32_t at[4]) {
  Window window;
  for (int axis = 0; axis < 2; ++axis) {
    int32_t extent = desc->input.dims[1 + axis];
    int32_t start = at[1 + axis] * desc->stride[axis] - desc->pad[2 * axis];
    int32_t end = start + desc->kernel[axis];
    window.first[axis] = start > 0 ? start : 0;
    window.end[axis] = end < extent ? end : extent;
  }
  return window;
}

// TOSA 1.0 reciprocal_scale: ((2^30 + 1) << k) / count, where 2^k is the least
// power of two that is not below `count`, by long division.
static void set_count(Average *average, int32_t count) {
  int32_t k = 0;
  while (k < 31 && (UINT32_C(1) << k) < (uint32_t)count)
    ++k;
  const uint32_t numerator = (UINT32_C(1) << 30) + 1;
  uint32_t quotient = numerator / (uint32_t)count;
  uint32_t rest = numerator % (uint32_t)count;
  for (int32_t i = 0; i < k; ++i) {
    rest *= 2;
    quotient *= 2;
    if (rest >= (uint32_t)count) {
      rest -= (uint32_t)count;
      ++quotient;
    }
  }
  average->count = count;
  average->requant.multiplier = (int32_t)quotient;
  average->requant.shift = 30 + k;
}

static void add_values(int32_t *sums, const void *from, int32_t type,
                       int32_t stride, int32_t count, int32_t zero_point) {
  if (type == LUNA_TYPE_I8) {
    const int8_t *bytes = from;
    for (int32_t *end = sums + count; sums != end; ++sums, bytes += stride)
      *sums = luna_core_add(*sums, luna_core_sub(*bytes, zero_point));
    return;
  }
  for (int32_t i = 0; i < count; ++i) {
    int32_t value = luna_core_load(from, type, i * stride);
    sums[i] = luna_core_add(sums[i], luna_core_sub(value, zero_point));
  }
}

static void sum_window(const Average *average, const Window *window,
                       const int32_t at[4], int32_t *sums, int32_t count) {
  const LunaTensorDesc *in = &average->desc->input;
  int32_t bytes = luna_element_bytes(in->type);
  for (int32_t i = 0; i < count; ++i)
    sums[i] = 0;
  for (int32_t y = window->first[0]; y < window->end[0]; ++y)
    for (int32_t x = window->first[1]; x < window->end[1]; ++x) {
      const int32_t place[4] = {at[0], y, x, at[3]};
      add_values(sums, average->input + luna_core_element(in, place) * bytes,
                 in->type, in->strides[3], count,
                 average->desc->input_zero_point);
    }
}

static void run_window(Average *average, int32_t at[4]) {
  const LunaTensorDesc *out = &average->desc->output;
  const LunaCoreChannels no_channels = {0};
  Window window = window_at(average->desc, at);
  int32_t rows = window.end[0] - window.first[0];
  int32_t columns = window.end[1] - window.first[1];
  int32_t elements = rows > 0 && columns > 0 ? rows * columns : 1;
  if (elements != average->count)
    set_count(average, elements);
  for (int32_t first = 0; first < out->dims[3]; first += PIECE) {
    int32_t left = out->dims[3] - first, count = left < PIECE ? left : PIECE;
    int32_t sums[PIECE];
    at[3] = first;
    sum_window(average, &window, at, sums, count);
    luna_core_requant_row(&average->requant, &no_channels, sums, count,
                          average->output + luna_core_element(out, at) *
                                                luna_element_bytes(out->type),
                          out->type, out->strides[3]);
  }
}

static void run_windows(const LunaPoolDesc *desc, const void *input,
                        void *output) {
  int32_t high = INT32_MAX >> (32 - 8 * luna_element_bytes(desc->output.type));
  const LunaRequantDesc requant = {
      .mode = LUNA_REQUANT_MULTIPLIER,
      .output_zero_point = desc->output_zero_point,
      .clamp_min = -high - 1,
      .clamp_max = high,
  };
  Average average = {.desc = desc,
                     .input = input,
                     .output = output,
                     .requant = luna_core_requant_of(&requant)};
  const int32_t *dims = desc->output.dims;
  int32_t at[4];
  for (at[0] = 0; at[0] < dims[0]; ++at[0])
    for (at[1] = 0; at[1] < dims[1]; ++at[1])
      for (at[2] = 0; at[2] < dims[2]; ++at[2])
        run_window(&average, at);
}

// The unit has no place for sums of 32 bits, so the core adds them up, too.
void luna_core_pool(const LunaPoolDesc *desc, const void *input, void *output) {
  if (desc->tiling.finish == LUNA_FINISH_CORE) {
    run_windows(desc, input, output);
    return;
  }
  luna_unit_start_pool(desc, input, output);
  luna_unit_await();
}
