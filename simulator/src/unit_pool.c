#include "kernel_numbers.h"
#include "luna/core_cost.h"
#include "luna/tiling.h"
#include "sim_active.h"
#include "sim_clock.h"
#include "sim_judge.h"
#include "sim_launch_time.h"
#include "sim_place.h"

// Pooling, along the channels, so that the compiler vectorises it.

const char *luna_sim_judge_pool(const LunaPoolDesc *desc,
                                const LunaKernelOperands *operands) {
  (void)operands;
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  if (!luna_judge_is_between(desc->kind, LUNA_POOL_MAX, LUNA_POOL_AVERAGE))
    return "unknown kind of pooling";
  if (!luna_judge_is_integer(&desc->input) ||
      desc->output.type != desc->input.type)
    return "operand is not int8, int16 or int32, or types differ";
  if (!luna_judge_has_extents(&desc->input, 1) ||
      !luna_judge_has_extents(&desc->output, 1))
    return "operand with an empty or huge extent";
  if (!luna_judge_are_between(desc->kernel, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->stride, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->pad, 4, 0, 1 << 10))
    return "kernel, stride or padding out of range";
  for (int i = 0; i < 2; ++i)
    if ((int64_t)out[1 + i] * desc->stride[i] > 1 << 30)
      return "window beyond 2^30 rows or columns";
  return in[0] != out[0] || in[3] != out[3]
             ? "batches or channels of input and output differ"
             : NULL;
}

typedef struct Pool {
  const LunaPoolDesc *desc;
  int64_t *values; // the channels of one input element
  int64_t *sums;   // the channels of one output element
} Pool;

// The part of a window that lies in the input: [first, end).
static void clip_window(const LunaPoolDesc *desc, int axis, int32_t out,
                        int32_t *first, int32_t *end) {
  int64_t start = (int64_t)out * desc->stride[axis] - desc->pad[2 * axis];
  int64_t stop = start + desc->kernel[axis];
  int32_t extent = desc->input.dims[1 + axis];
  *first = (int32_t)(start > 0 ? start : 0);
  *end = (int32_t)(stop < extent ? stop : extent);
}

static void take_maximum(int64_t *restrict best, const int64_t *restrict values,
                         int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    best[i] = values[i] > best[i] ? values[i] : best[i];
}

static void add_values(int64_t *restrict sums, const int64_t *restrict values,
                       int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    sums[i] += values[i];
}

// TOSA 1.0 reciprocal_scale and apply_scale_32: the mean of `count` values.
static int64_t mean(int64_t sum, int32_t count) {
  int32_t k = 0;
  while (((int64_t)1 << k) < count)
    ++k;
  int64_t numerator = (((int64_t)1 << 30) + 1) << k;
  return luna_apply_scale(luna_wrap_i32(sum), (int32_t)(numerator / count),
                          30 + k, LUNA_ROUND_SINGLE);
}

static void pool_output(Pool *pool, const void *input, int32_t batch, int32_t y,
                        int32_t x) {
  const LunaPoolDesc *desc = pool->desc;
  bool is_max = desc->kind == LUNA_POOL_MAX;
  int32_t channels = desc->input.dims[3], y0, y1, x0, x1;
  int64_t low, high;
  luna_type_range(desc->output.type, &low, &high);
  clip_window(desc, 0, y, &y0, &y1);
  clip_window(desc, 1, x, &x0, &x1);
  for (int32_t c = 0; c < channels; ++c)
    pool->sums[c] = is_max ? low : 0;
  for (int32_t iy = y0; iy < y1; ++iy)
    for (int32_t ix = x0; ix < x1; ++ix) {
      luna_load_longs(pool->values,
                      luna_element(input, &desc->input, batch, iy, ix, 0),
                      desc->input.type, desc->input.strides[3], channels,
                      is_max ? 0 : desc->input_zero_point);
      if (is_max)
        take_maximum(pool->sums, pool->values, channels);
      else
        add_values(pool->sums, pool->values, channels);
    }
  int32_t count = y1 > y0 && x1 > x0 ? (y1 - y0) * (x1 - x0) : 1;
  for (int32_t c = 0; c < channels && !is_max; ++c)
    pool->sums[c] = luna_clamp(
        mean(pool->sums[c], count) + desc->output_zero_point, low, high);
}

void luna_kernel_pool(const LunaPoolDesc *desc,
                      const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  const LunaTensorDesc *out = &desc->output;
  Pool pool = {
      .desc = desc,
      .values = LUNA_ARENA_ARRAY(&arena, int64_t, out->dims[3]),
      .sums = LUNA_ARENA_ARRAY(&arena, int64_t, out->dims[3]),
  };
  for (int32_t n = 0; n < out->dims[0]; ++n)
    for (int32_t y = 0; y < out->dims[1]; ++y)
      for (int32_t x = 0; x < out->dims[2]; ++x) {
        pool_output(&pool, operands->input, n, y, x);
        luna_store_longs((uint8_t *)operands->output +
                             luna_element_offset(out, n, y, x, 0),
                         pool.sums, out->type, out->strides[3], out->dims[3]);
      }
  luna_arena_destroy(&arena);
}

const char *luna_sim_judge_pool_place(const LunaSimulator *sim,
                                      const LunaPoolDesc *desc) {
  if (desc->tiling.finish == LUNA_FINISH_CORE)
    return desc->kind == LUNA_POOL_AVERAGE ? NULL
                                           : "the core computes no maximum";
  if (sim->options.only_calls && (desc->input.type != LUNA_TYPE_I8 ||
                                  !luna_tensor_has_planes(&desc->input) ||
                                  !luna_tensor_has_planes(&desc->output)))
    return "there is no call for a pooling but of int8 planes";
  return desc->kind == LUNA_POOL_MAX || sim->machine.requant_multiplier
             ? NULL
             : "the unit cannot compute so, and the core is not told to";
}

void luna_sim_pass_core_pool(LunaSimulator *sim, const LunaPoolDesc *desc) {
  luna_sim_clock_core(sim, luna_core_average_cycles(&sim->machine, desc));
}

// The unit pools as a depthwise convolution of ones.
static void pass_unit_time(LunaSimulator *sim, const LunaPoolDesc *desc) {
  LunaConv2dDesc conv = luna_pool_conv2d(desc);
  if (desc->tiling.out_h == 0)
    return;
  luna_sim_clock_call(sim, LUNA_HOST_POOL);
  luna_sim_pool_launches(sim, &conv);
}

void luna_unit_start_pool(const LunaPoolDesc *desc, const void *input,
                          void *output) {
  const LunaKernelOperands operands = {.input = input, .output = output};
  LunaSimulator *sim = luna_sim_any_active();
  bool is_alone = luna_sim_clock_join(sim);
  luna_kernel_pool(desc, &operands);
  pass_unit_time(sim, desc);
  luna_sim_clock_leave(sim, is_alone);
}
