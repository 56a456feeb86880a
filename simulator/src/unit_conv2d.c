#include "sim_clock.h"
#include "sim_judge.h"
#include "sim_launch_time.h"
#include "sim_product.h"

// A convolution, launch by launch. Inputs and weights are unpacked to 16 bits
// minus their zero points; padding is then 0. An ordinary launch multiplies the
// patch of each output by the weights of each output channel; a depthwise one
// works along the channels.

static LunaProductDesc product_of(const LunaConv2dDesc *desc) {
  return (LunaProductDesc){
      .input = &desc->input,
      .weight = &desc->weight,
      .bias = &desc->bias,
      .table = &desc->table,
      .scratch = &desc->scratch,
      .output = &desc->output,
      .input_zero_point = desc->input_zero_point,
      .weight_zero_point = desc->weight_zero_point,
      .requant = &desc->requant,
      .tiling = &desc->tiling,
  };
}

static const char *judge_shape(const LunaConv2dDesc *desc) {
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  const int32_t *weight = desc->weight.dims;
  if (!luna_judge_is_between(desc->kind, LUNA_CONV_NORMAL,
                             LUNA_CONV_TRANSPOSED))
    return "unknown kind of convolution";
  if (!luna_judge_are_between(desc->stride, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->dilation, 2, 1, 1 << 10) ||
      !luna_judge_are_between(desc->pad, 4, -(1 << 20), 1 << 20))
    return "stride, dilation or padding out of range";
  if (in[0] != out[0])
    return "batches of input and output differ";
  if (desc->kind == LUNA_CONV_DEPTHWISE)
    return weight[2] != in[3] || (int64_t)weight[3] * in[3] != out[3]
               ? "channels of a depthwise convolution do not match"
               : NULL;
  return weight[3] != in[3] || weight[0] != out[3]
             ? "channels of a convolution do not match"
             : NULL;
}

const char *luna_sim_judge_conv2d(const LunaConv2dDesc *desc,
                                  const LunaKernelOperands *operands) {
  LunaProductDesc product = product_of(desc);
  const char *fault = luna_judge_product(&product);
  if (!fault)
    fault = judge_shape(desc);
  return fault ? fault : luna_judge_sums(&product, operands);
}

typedef struct Conv {
  LunaProduct product;
  const LunaConv2dDesc *desc;
  const LunaKernelOperands *operands;
  int16_t *weights;  // of a launch: [out_c][taps][in_c], depthwise [taps][c]
  LunaLaunch packed; // the launch whose weights they are
  int16_t *patch;    // [taps][in_c]
  int32_t *narrow;   // sums in 32 bits, depthwise
} Conv;

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
                         weight_at(conv, luna_range_at(launch->out_c, c),
                                   luna_range_at(launch->y.taps, v),
                                   luna_range_at(launch->x.taps, w),
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
      // Output channels one multiplier apart are adjacent input channels.
      luna_load_shorts(
          to,
          weight_at(conv, launch->out_c.start, luna_range_at(launch->y.taps, v),
                    luna_range_at(launch->x.taps, w), launch->in_c.start),
          desc->weight.type, desc->weight.strides[2], launch->in_c.count,
          desc->weight_zero_point);
      to += launch->in_c.count;
    }
}

static void pack_weights(LunaProduct *product, const LunaLaunch *launch) {
  Conv *conv = (Conv *)product;
  const LunaLaunch *packed = &conv->packed;
  if (luna_range_equal(packed->out_c, launch->out_c) &&
      luna_range_equal(packed->in_c, launch->in_c) &&
      luna_range_equal(packed->y.taps, launch->y.taps) &&
      luna_range_equal(packed->x.taps, launch->x.taps))
    return;
  if (launch->kind == LUNA_LAUNCH_DEPTHWISE)
    pack_depthwise(conv, launch);
  else
    pack_ordinary(conv, launch);
  conv->packed = *launch;
}

// Returns the input of output `out_index` and tap `tap_index` of an axis, by
// the unit's formula on its view; -1 for padding. The taps of a transposed
// convolution are reversed.
static int32_t input_at(const Conv *conv, const LunaLaunchAxis *axis,
                        int32_t out_index, int32_t tap_index) {
  if (conv->desc->kind == LUNA_CONV_TRANSPOSED)
    tap_index = axis->taps.count - 1 - tap_index;
  int32_t view =
      out_index * axis->stride + tap_index * axis->dilation - axis->pad_before;
  return view >= 0 && view < axis->in.count ? luna_range_at(axis->in, view)
                                            : -1;
}

// Reads the input channels of one tap. Returns false for padding.
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
    conv->product.sums[c] =
        conv->product.is_wide
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
  memset(conv->product.sums, 0, (size_t)depth * sizeof *conv->product.sums);
  for (int32_t v = 0; v < launch->y.taps.count; ++v)
    for (int32_t w = 0; w < launch->x.taps.count; ++w, weights += depth) {
      if (!load_tap(conv, launch, input_at(conv, &launch->y, row, v),
                    input_at(conv, &launch->x, column, w), conv->patch))
        continue;
      if (conv->product.is_wide)
        add_products_wide(conv->product.sums, conv->patch, weights, depth);
      else
        add_products(conv->narrow, conv->patch, weights, depth);
    }
  if (!conv->product.is_wide)
    for (int32_t c = 0; c < depth; ++c)
      conv->product.sums[c] = conv->narrow[c];
}

static void sum_products(LunaProduct *product, const LunaLaunch *launch,
                         int32_t row, int32_t column) {
  Conv *conv = (Conv *)product;
  if (launch->kind == LUNA_LAUNCH_DEPTHWISE)
    sum_depthwise(conv, launch, row, column);
  else
    sum_ordinary(conv, launch, row, column);
}

void luna_kernel_conv2d(const LunaConv2dDesc *desc,
                        const LunaKernelOperands *operands) {
  LunaArena arena = {0};
  const int32_t *dims = desc->weight.dims;
  int64_t weights = (int64_t)dims[0] * dims[1] * dims[2] * dims[3];
  LunaProductDesc product = product_of(desc);
  Conv conv = {
      .product = luna_product_begin(&arena, &product, operands),
      .desc = desc,
      .operands = operands,
      .weights = LUNA_ARENA_ARRAY(&arena, int16_t, weights),
      .patch = LUNA_ARENA_ARRAY(&arena, int16_t, weights + desc->input.dims[3]),
      .narrow = LUNA_ARENA_ARRAY(&arena, int32_t, desc->output.dims[3]),
  };
  conv.product.pack = pack_weights;
  conv.product.sum = sum_products;
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    luna_product_launch(&conv.product, &launch);
  luna_arena_destroy(&arena);
}

static void pass_time(LunaSimulator *sim, const LunaConv2dDesc *desc) {
  luna_sim_clock_core(sim, sim->machine.host_cycles_per_operator);
  luna_sim_conv2d_launches(sim, desc);
}

void luna_rt_conv2d(const LunaConv2dDesc *desc, const void *input,
                    const void *weight, const void *bias, const void *table,
                    void *scratch, void *output) {
  LunaKernelOperands operands = {input, weight, bias, table, scratch, output};
  LunaProductDesc product = product_of(desc);
  LunaTiles tiles;
  luna_tiles_conv2d_begin(&tiles, desc);
  LunaSimCall call = {0};
  if (luna_sim_product_begin(&call, LUNA_UNIT_CONV2D, &desc->op, &product,
                             &operands) &&
      luna_sim_call_accept(&call, luna_sim_judge_conv2d(desc, &operands)) &&
      luna_sim_product_fits(&call, &product, &operands, &tiles)) {
    luna_kernel_conv2d(desc, &operands);
    pass_time(call.sim, desc);
  }
  luna_sim_call_finish(&call);
}
