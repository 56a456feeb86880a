#include <stdbool.h>

#include "check.h"
#include "luna/tiles.h"
#include "tile_random.h"

// The input that output `out` and tap `tap` of an axis meet at, or -1.
static int32_t met_input(const LunaConv2dDesc *desc, int axis, int32_t out,
                         int32_t tap) {
  int32_t stride = desc->stride[axis], pad = desc->pad[2 * axis];
  int32_t extent = desc->input.dims[1 + axis], at = 0;
  if (desc->kind == LUNA_CONV_TRANSPOSED) {
    if ((out - pad - tap) % stride != 0)
      return -1;
    at = (out - pad - tap) / stride;
  } else {
    at = out * stride - pad + tap * desc->dilation[axis];
  }
  return at >= 0 && at < extent ? at : -1;
}

static bool in_range(LunaRange range, int32_t value) {
  int32_t offset = value - range.start;
  return offset >= 0 && offset % range.step == 0 &&
         offset / range.step < range.count;
}

static int32_t at(LunaRange range, int32_t index) {
  return range.start + index * range.step;
}

static void see_axis(const LunaConv2dDesc *desc, int axis,
                     const LunaLaunchAxis *launch) {
  for (int32_t u = 0; u < launch->out.count; ++u)
    for (int32_t v = 0; v < launch->taps.count; ++v) {
      int32_t input =
          met_input(desc, axis, at(launch->out, u), at(launch->taps, v));
      CHECK(input < 0 || in_range(launch->in, input));
    }
  CHECK(launch->in.start >= 0);
  if (launch->in.count > 0)
    CHECK(at(launch->in, launch->in.count - 1) < desc->input.dims[1 + axis]);
  CHECK(launch->pad_before >= 0 && launch->pad_after >= 0);
}

// The view, with its padding, is what the unit's own formula needs.
static void view_has_the_right_extent(const LunaLaunchAxis *launch) {
  int32_t needed = (launch->out.count - 1) * launch->stride +
                   (launch->taps.count - 1) * launch->dilation + 1;
  CHECK_EQ(launch->in.count + launch->pad_before + launch->pad_after, needed);
}

typedef struct Coverage {
  int32_t *products; // by output element, tap, input channel
  int32_t *outputs;  // tiles that hold the output element
  size_t per_output;
  bool is_open; // between the first and the last launch of a tile
  bool has_sums;
} Coverage;

static size_t output_index(const LunaConv2dDesc *desc, int32_t y, int32_t x,
                           int32_t c) {
  return ((size_t)y * (size_t)desc->output.dims[2] + (size_t)x) *
             (size_t)desc->output.dims[3] +
         (size_t)c;
}

static void see_output(Coverage *coverage, const LunaConv2dDesc *desc,
                       const LunaLaunch *launch, const int32_t output[2],
                       int32_t c_index) {
  size_t element =
      output_index(desc, output[0], output[1], at(launch->out_c, c_index));
  bool is_depthwise = launch->kind == LUNA_LAUNCH_DEPTHWISE;
  bool is_hwcm = desc->kind == LUNA_CONV_DEPTHWISE;
  int32_t kernel_w = desc->weight.dims[is_hwcm ? 1 : 2];
  for (int32_t v = 0; v < launch->y.taps.count; ++v)
    for (int32_t w = 0; w < launch->x.taps.count; ++w) {
      int32_t ky = at(launch->y.taps, v), kx = at(launch->x.taps, w);
      if (met_input(desc, 0, output[0], ky) < 0 ||
          met_input(desc, 1, output[1], kx) < 0)
        continue;
      for (int32_t k = 0; k < (is_depthwise ? 1 : launch->in_c.count); ++k) {
        int32_t ic = at(launch->in_c, is_depthwise ? c_index : k);
        size_t tap = (size_t)ky * (size_t)kernel_w + (size_t)kx;
        coverage->products[element * coverage->per_output +
                           tap * (size_t)desc->input.dims[3] + (size_t)ic]++;
      }
    }
}

static void see_launch(Coverage *coverage, const LunaConv2dDesc *desc,
                       const LunaLaunch *launch) {
  CHECK_EQ(launch->is_first, !coverage->is_open);
  coverage->is_open = !launch->is_last;
  if (!launch->is_first || !launch->is_last || !launch->covers_tile)
    coverage->has_sums = true;
  if (launch->is_first)
    for (int32_t y = 0; y < launch->y.tile.count; ++y)
      for (int32_t x = 0; x < launch->x.tile.count; ++x)
        for (int32_t c = 0; c < launch->out_c.count; ++c)
          coverage->outputs[output_index(desc, at(launch->y.tile, y),
                                         at(launch->x.tile, x),
                                         at(launch->out_c, c))]++;
  if (launch->is_empty) {
    CHECK(launch->y.in.count == 0 && launch->x.out.count == 0);
    return;
  }
  see_axis(desc, 0, &launch->y);
  see_axis(desc, 1, &launch->x);
  view_has_the_right_extent(&launch->y);
  view_has_the_right_extent(&launch->x);
  for (int32_t y = 0; y < launch->y.out.count; ++y)
    for (int32_t x = 0; x < launch->x.out.count; ++x)
      for (int32_t c = 0; c < launch->out_c.count; ++c) {
        int32_t output[2] = {at(launch->y.out, y), at(launch->x.out, x)};
        see_output(coverage, desc, launch, output, c);
      }
}

// Each product that the operator sums up, exactly once; all others never.
static void check_products(const Coverage *coverage,
                           const LunaConv2dDesc *desc) {
  bool is_hwcm = desc->kind == LUNA_CONV_DEPTHWISE;
  int32_t kernel_w = desc->weight.dims[is_hwcm ? 1 : 2];
  int32_t in_c = desc->input.dims[3];
  int32_t multiplier = is_hwcm ? desc->weight.dims[3] : 1;
  for (int32_t y = 0; y < desc->output.dims[1]; ++y)
    for (int32_t x = 0; x < desc->output.dims[2]; ++x)
      for (int32_t c = 0; c < desc->output.dims[3]; ++c) {
        size_t element = output_index(desc, y, x, c);
        CHECK_EQ(coverage->outputs[element], 1);
        for (size_t i = 0; i < coverage->per_output; ++i) {
          int32_t tap = (int32_t)i / in_c, ic = (int32_t)i % in_c;
          bool counts = met_input(desc, 0, y, tap / kernel_w) >= 0 &&
                        met_input(desc, 1, x, tap % kernel_w) >= 0 &&
                        (!is_hwcm || ic == c / multiplier);
          CHECK_EQ(coverage->products[element * coverage->per_output + i],
                   counts);
        }
      }
}

static void check_coverage(const LunaConv2dDesc *desc) {
  bool is_hwcm = desc->kind == LUNA_CONV_DEPTHWISE;
  const int32_t *weight = desc->weight.dims + (is_hwcm ? 0 : 1);
  size_t outputs = (size_t)desc->output.dims[1] * (size_t)desc->output.dims[2] *
                   (size_t)desc->output.dims[3];
  Coverage coverage = {
      .per_output = (size_t)(weight[0] * weight[1] * desc->input.dims[3])};
  coverage.products = calloc(outputs * coverage.per_output, sizeof(int32_t));
  coverage.outputs = calloc(outputs, sizeof(int32_t));
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, desc);
  while (luna_tiles_next(&tiles, &launch))
    see_launch(&coverage, desc, &launch);
  CHECK(!coverage.is_open);
  check_products(&coverage, desc);
  CHECK_EQ(coverage.has_sums, luna_tiles_conv2d_need_sums(desc));
  free(coverage.products);
  free(coverage.outputs);
}

static void every_product_of_a_random_tiling_is_summed_once(void) {
  Random random = {.state = 1};
  for (int i = 0; i < 1500; ++i) {
    LunaConv2dDesc desc = random_conv(&random, 8);
    desc.tiling = random_tiling(&random, &desc);
    check_coverage(&desc);
  }
}

static void a_tiling_left_out_is_one_launch(void) {
  int32_t shape[6] = {8, 8, 3, 5, 3, 3}, pad[4] = {1, 1, 1, 1};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, pad);
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, &desc);
  CHECK(luna_tiles_next(&tiles, &launch));
  CHECK(launch.is_first && launch.is_last && launch.covers_tile);
  CHECK_EQ(launch.x.in.count, 8);
  CHECK_EQ(launch.x.pad_before, 1);
  CHECK_EQ(launch.x.pad_after, 1);
  CHECK_EQ(launch.out_c.count, 5);
  CHECK(!luna_tiles_next(&tiles, &launch));
  CHECK(!luna_tiles_conv2d_need_sums(&desc));
}

static void a_single_tap_reads_every_stride_th_input(void) {
  int32_t shape[6] = {8, 9, 4, 4, 1, 1}, pad[4] = {0, 0, 0, 0};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 2, 3, 1, 1, pad);
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, &desc);
  CHECK(luna_tiles_next(&tiles, &launch));
  CHECK_EQ(launch.y.stride, 1);
  CHECK_EQ(launch.y.in.step, 2);
  CHECK_EQ(launch.y.in.count, 4);
  CHECK_EQ(launch.x.in.step, 3);
  CHECK_EQ(launch.x.in.count, 3);
}

static void a_tile_of_padding_alone_starts_no_unit(void) {
  int32_t shape[6] = {1, 1, 1, 1, 1, 1}, pad[4] = {2, 0, 0, 0};
  LunaConv2dDesc desc = conv_desc(LUNA_CONV_NORMAL, shape, 1, 1, 1, 1, pad);
  desc.tiling.out_h = 1;
  LunaTiles tiles;
  LunaLaunch launch;
  luna_tiles_conv2d_begin(&tiles, &desc);
  for (int i = 0; i < 3; ++i) {
    CHECK(luna_tiles_next(&tiles, &launch));
    CHECK_EQ(launch.is_empty, i < 2);
    CHECK(launch.is_first && launch.is_last);
  }
  CHECK(!luna_tiles_next(&tiles, &launch));
  CHECK(luna_tiles_conv2d_need_sums(&desc));
}

static void matrix_launches_cover_rows_columns_and_depth(void) {
  LunaMatmulDesc desc = {.lhs = tensor_desc(LUNA_TYPE_I8, 1, 2, 5, 20),
                         .rhs = tensor_desc(LUNA_TYPE_I8, 1, 2, 20, 7),
                         .output = tensor_desc(LUNA_TYPE_I32, 1, 2, 5, 7),
                         .tiling = {.out_h = 2, .out_w = 3, .in_c = 8}};
  int32_t products[2][5][7][20] = {0};
  LunaTiles tiles;
  LunaLaunch launch;
  int64_t launches = 0;
  luna_tiles_matmul_begin(&tiles, &desc);
  for (; luna_tiles_next(&tiles, &launch); ++launches)
    for (int32_t r = 0; r < launch.y.out.count; ++r)
      for (int32_t c = 0; c < launch.x.out.count; ++c)
        for (int32_t k = 0; k < launch.in_c.count; ++k)
          products[launch.batch][at(launch.y.out, r)][at(launch.x.out, c)]
                  [at(launch.in_c, k)]++;
  CHECK_EQ(launches, 2 * 3 * 3 * 3);
  for (int32_t i = 0; i < 2 * 5 * 7 * 20; ++i)
    CHECK_EQ((&products[0][0][0][0])[i], 1);
  CHECK(luna_tiles_matmul_need_sums(&desc));
}

int main(void) {
  RUN_TEST(every_product_of_a_random_tiling_is_summed_once);
  RUN_TEST(a_tiling_left_out_is_one_launch);
  RUN_TEST(a_single_tap_reads_every_stride_th_input);
  RUN_TEST(a_tile_of_padding_alone_starts_no_unit);
  RUN_TEST(matrix_launches_cover_rows_columns_and_depth);
  return 0;
}
