#include "kernel_numbers.h"
#include "kernels.h"
#include "luna/tiles.h"

// A convolution, launch by launch. Inputs and weights are unpacked to 16 bits
// less their zero points; padding is then 0. An ordinary launch multiplies the
// patch under each output with the weights of each output channel; a depthwise
// one works along the channels.

typedef struct Conv {
  const LunaConv2dDesc *desc;
  const LunaKernelOperands *operands;
  LunaRequant requant;
  bool is_wide;      // int16: sums of 64 bits
  int16_t *weights;  // of a launch: [out_c][taps][in_c], depthwise [taps][c]
  LunaLaunch packed; // the launch whose weights they are
  int16_t *patch;    // [taps][in_c]
  int64_t *biases;   // by output channel
  int64_t *sums;     // of one output element, by output channel of the launch
  int32_t *narrow;   // the same in 32 bits, depthwise
} Conv;

static int32_t at(LunaRange range, int32_t index) {
  return range.start + index * range.step;
}

static bool same(LunaRange a, LunaRange b) {
  return a.start == b.start && a.count == b.count && a.step == b.step;
}

static const void *weight_at(const Conv *conv, int32_t out_c, int32_t ky,
                             int32_t kx, int32_t in_c) {
  const LunaTensorDesc *weight = &conv->desc->weight;
  const void *data = conv->operands->weight;
  if (conv->desc->kind != LUNA_CONV_DEPTHWISE)
    return luna_element(data, weight, out_c, ky, kx, in_c);
  int32_t multiplier = weight->dims[3];
  return luna_element(data, weight, ky, kx, out_c / multiplier,
                      out_c % multiplier);
}

static void pack_ordinary(Conv *conv, const LunaLaunch *launch) {
  const LunaConv2dDesc *desc = conv->desc;
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE; // of one channel
  int64_t stride = is_depthwise ? 1 : desc->weight.strides[3];
  int16_t *to = conv->weights;
  for (int32_t c = 0; c < launch->out_c.count; ++c)
    for (int32_t v = 0; v < launch->y.taps.count; ++v)
      for (int32_t w = 0; w < launch->x.taps.count; ++w) {
        luna_load_shorts(to,
                         weight_at(conv, at(launch->out_c, c),
                                   at(launch->y.taps, v), at(launch->x.taps, w),
                                   launch->in_c.start),
                         desc->weight.type, stride, launch->in_c.count,
                         desc->weight_zero_point);
        to += launch->in_c.count;
      }
}

static void pack_depthwise(Conv *conv, const LunaLaunch *launch) {
  const LunaConv2dDesc *desc = conv->desc;
  int16_t *to = conv->weights;
  for (int32_t v = 0; v < launch->y.taps.count; ++v)
    for (int32_t w = 0; w < launch->x.taps.count; ++w) {
      // Output channels a multiplier apart are neighbours along the input's.
      luna_load_shorts(to,
                       weight_at(conv, launch->out_c.start,
                                 at(launch->y.taps, v), at(launch->x.taps, w),
                                 launch->in_c.start),
                       desc->weight.type, desc->weight.strides[2],
                       launch->in_c.count, desc->weight_zero_point);
      to += launch->in_c.count;
    }
}

static void pack_weights(Conv *conv, const LunaLaunch *launch) {
  const LunaLaunch *packed = &conv->packed;
  if (same(packed->out_c, launch->out_c) && same(packed->in_c, launch->in_c) &&
      same(packed->y.taps, launch->y.taps) &&
      same(packed->x.taps, launch->x.taps))
    return;
  if (launch->kind == LUNA_LAUNCH_DEPTHWISE)
    pack_depthwise(conv, launch);
  else
    pack_ordinary(conv, launch);
  conv->packed = *launch;
}

// The input that output `out_index` and tap `tap_index` of an axis meet at, by
// the unit's own formula on its view; -1 for padding. The taps of a transposed
// convolution lie the other way round.
static int32_t input_at(const Conv *conv, const LunaLaunchAxis *axis,
                        int32_t out_index, int32_t tap_index) {
  if (conv->desc->kind == LUNA_CONV_TRANSPOSED)
    tap_index = axis->taps.count - 1 - tap_index;
  int32_t view =
      out_index * axis->stride + tap_index * axis->dilation - axis->pad_before;
  return view >= 0 && view < axis->in.count ? at(axis->in, view) : -1;
}

// Reads the input channels under one tap; false for padding.
static bool load_tap(const Conv *conv, const LunaLaunch *launch, int32_t y,
                     int32_t x, int16_t *to) {
  const LunaConv2dDesc *desc = conv->desc;
  if (y < 0 || x < 0)
    return false;
  luna_load_shorts(to,
                   luna_element(conv->operands->input, &desc->input,
                                launch->batch, y, x, launch->in_c.start),
                   desc->input.type, desc->input.strides[3], launch->in_c.count,
                   desc->input_zero_point);
  return true;
}

static void sum_ordinary(Conv *conv, const LunaLaunch *launch, int32_t row,
                         int32_t column) {
  int64_t depth = launch->in_c.count;
  int64_t taps = (int64_t)launch->y.taps.count * launch->x.taps.count;
  int16_t *to = conv->patch;
  for (int32_t v = 0; v < launch->y.taps.count; ++v)
    for (int32_t w = 0; w < launch->x.taps.count; ++w, to += depth)
      if (!load_tap(conv, launch, input_at(conv, &launch->y, row, v),
                    input_at(conv, &launch->x, column, w), to))
        memset(to, 0, (size_t)depth * sizeof *to);
  const int16_t *weights = conv->weights;
  for (int32_t c = 0; c < launch->out_c.count; ++c, weights += taps * depth)
    conv->sums[c] = conv->is_wide
                        ? luna_dot_wide(conv->patch, weights, taps * depth)
                        : luna_dot(conv->patch, weights, taps * depth);
}

static void add_products(int32_t *restrict sums, const int16_t *restrict a,
                         const int16_t *restrict b, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    sums[i] = (int32_t)((uint32_t)sums[i] + (uint32_t)(a[i] * b[i]));
}

static void add_products_wide(int64_t *restrict sums, const int16_t *restrict a,
                              const int16_t *restrict b, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    sums[i] += (int64_t)(a[i] * b[i]);
}

static void sum_depthwise(Conv *conv, const LunaLaunch *launch, int32_t row,
                          int32_t column) {
  int32_t depth = launch->in_c.count;
  const int16_t *weights = conv->weights;
  memset(conv->narrow, 0, (size_t)depth * sizeof *conv->narrow);
  memset(conv->sums, 0, (size_t)depth * sizeof *conv->sums);
  for (int32_t v = 0; v < launch->y.taps.count; ++v)
    for (int32_t w = 0; w < launch->x.taps.count; ++w, weights += depth) {
      if (!load_tap(conv, launch, input_at(conv, &launch->y, row, v),
                    input_at(conv, &launch->x, column, w), conv->patch))
        continue;
      if (conv->is_wide)
        add_products_wide(conv->sums, conv->patch, weights, depth);
      else
        add_products(conv->narrow, conv->patch, weights, depth);
    }
  if (!conv->is_wide)
    for (int32_t c = 0; c < depth; ++c)
      conv->sums[c] = conv->narrow[c];
}

static void sum_products(Conv *conv, const LunaLaunch *launch, int32_t row,
                         int32_t column) {
  if (launch->kind == LUNA_LAUNCH_DEPTHWISE)
    sum_depthwise(conv, launch, row, column);
  else
    sum_ordinary(conv, launch, row, column);
}

// Stores the sums of the output at (y, x).
static void store_output(Conv *conv, const LunaLaunch *launch, int32_t y,
                         int32_t x) {
  const LunaTensorDesc *output = &conv->desc->output;
  LunaRange channels = launch->out_c;
  luna_requant_sums(&conv->requant, conv->sums, channels.start, channels.step,
                    channels.count);
  void *to = (uint8_t *)conv->operands->output +
             luna_element_offset(output, launch->batch, y, x, channels.start);
  luna_store_longs(to, conv->sums, output->type,
                   (int64_t)output->strides[3] * channels.step, channels.count);
}

static void run_direct(Conv *conv, const LunaLaunch *launch) {
  for (int32_t i = 0; i < launch->y.out.count; ++i)
    for (int32_t k = 0; k < launch->x.out.count; ++k) {
      sum_products(conv, launch, i, k);
      for (int32_t c = 0; c < launch->out_c.count; ++c) {
        int64_t sum =
            luna_wrap_add(conv->sums[c], conv->biases[at(launch->out_c, c)]);
        conv->sums[c] = conv->is_wide ? sum : luna_wrap_i32(sum);
      }
      store_output(conv, launch, at(launch->y.out, i), at(launch->x.out, k));
    }
}

// Partial sums: the tile lies in the scratch, [y][x][c].
static int32_t *scratch_at(const Conv *conv, const LunaLaunch *launch,
                           int32_t row, int32_t column) {
  int64_t element = (int64_t)row * launch->x.tile.count + column;
  return (int32_t *)conv->operands->scratch + element * launch->out_c.count;
}

static void start_tile(Conv *conv, const LunaLaunch *launch) {
  for (int32_t i = 0; i < launch->y.tile.count; ++i)
    for (int32_t k = 0; k < launch->x.tile.count; ++k) {
      int32_t *sums = scratch_at(conv, launch, i, k);
      for (int32_t c = 0; c < launch->out_c.count; ++c)
        sums[c] = luna_wrap_i32(conv->biases[at(launch->out_c, c)]);
    }
}

static void add_to_tile(Conv *conv, const LunaLaunch *launch) {
  const LunaLaunchAxis *y = &launch->y, *x = &launch->x;
  int32_t first_row = (y->out.start - y->tile.start) / y->tile.step;
  int32_t first_column = (x->out.start - x->tile.start) / x->tile.step;
  for (int32_t i = 0; i < y->out.count; ++i)
    for (int32_t k = 0; k < x->out.count; ++k) {
      sum_products(conv, launch, i, k);
      int32_t *sums = scratch_at(conv, launch, first_row + i, first_column + k);
      for (int32_t c = 0; c < launch->out_c.count; ++c)
        sums[c] = luna_wrap_i32(luna_wrap_add(sums[c], conv->sums[c]));
    }
}

static void finish_tile(Conv *conv, const LunaLaunch *launch) {
  for (int32_t i = 0; i < launch->y.tile.count; ++i)
    for (int32_t k = 0; k < launch->x.tile.count; ++k) {
      const int32_t *sums = scratch_at(conv, launch, i, k);
      for (int32_t c = 0; c < launch->out_c.count; ++c)
        conv->sums[c] = sums[c];
      store_output(conv, launch, at(launch->y.tile, i), at(launch->x.tile, k));
    }
}

static void run_launch(Conv *conv, const LunaLaunch *launch) {
  if (!launch->is_empty)
    pack_weights(conv, launch);
  bool is_whole = launch->is_first && launch->is_last && launch->covers_tile &&
                  !launch->is_empty;
  if (is_whole && !conv->desc->tiling.host_requant) {
    run_direct(conv, launch);
    return;
  }
  if (launch->is_first)
    start_tile(conv, launch);
  if (!launch->is_empty)
    add_to_tile(conv, launch);
  if (launch->is_last)
    finish_tile(conv, launch);
}

static int64_t *load_biases(LunaArena *arena, const LunaConv2dDesc *desc,
                            const void *bias) {
  int32_t channels = desc->output.dims[3];
  int64_t *biases = LUNA_ARENA_ARRAY(arena, int64_t, channels);
  if (bias)
    luna_load_longs(biases, bias, desc->bias.type,
                    desc->bias.dims[3] == 1 ? 0 : desc->bias.strides[3],
                    channels, 0);
  return biases;
}

void luna_kernel_conv2d(const LunaConv2dDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  const int32_t *dims = desc->weight.dims;
  int64_t weights = (int64_t)dims[0] * dims[1] * dims[2] * dims[3];
  int32_t channels = desc->output.dims[3], depth = desc->input.dims[3];
  Conv conv = {
      .desc = desc,
      .operands = operands,
      .requant = luna_requant_prepare(&arena, &desc->requant, &desc->table,
                                      operands->table, channels),
      .is_wide = desc->input.type == LUNA_TYPE_I16,
      .weights = LUNA_ARENA_ARRAY(&arena, int16_t, weights),
      .patch = LUNA_ARENA_ARRAY(&arena, int16_t, weights + depth),
      .biases = load_biases(&arena, desc, operands->bias),
      .sums = LUNA_ARENA_ARRAY(&arena, int64_t, channels),
      .narrow = LUNA_ARENA_ARRAY(&arena, int32_t, channels),
  };
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    run_launch(&conv, &launch);
  luna_arena_destroy(&arena);
}
