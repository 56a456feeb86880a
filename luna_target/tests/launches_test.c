#include "luna/launches.h"

#include "check.h"
#include "luna/border.h"
#include "luna/vector_chain.h"
#include "tile_random.h"

// The records of random convolutions against the launches that they stand for,
// and the numbers that do not fit.

static int64_t element_at(const LunaTensorDesc *desc, int32_t i, int32_t j,
                          int32_t k, int32_t l) {
  const int32_t *strides = desc->strides;
  return (int64_t)i * strides[0] + j * strides[1] + k * strides[2] +
         l * strides[3];
}

static void check_launch(const LunaConv2dDesc *desc, const LunaLaunch *launch,
                         const LunaLaunchRecord *record) {
  const LunaLaunchAxis *axes[] = {&launch->y, &launch->x};
  for (int i = 0; i < 2; ++i) {
    CHECK_EQ(record->tile[i], axes[i]->tile.count);
    CHECK_EQ(record->out[i], axes[i]->out.count);
    CHECK_EQ(record->in[i], axes[i]->in.count);
    CHECK_EQ(record->taps[i], axes[i]->taps.count);
    CHECK_EQ(record->pad_before[i], axes[i]->pad_before);
    CHECK_EQ(record->pad_after[i], axes[i]->pad_after);
  }
  CHECK_EQ(record->channel, launch->out_c.start);
  CHECK_EQ(record->input_offset,
           element_at(&desc->input, launch->batch, launch->y.in.start,
                      launch->x.in.start, launch->in_c.start));
  CHECK_EQ(record->output_offset,
           4 * element_at(&desc->output, launch->batch, launch->y.tile.start,
                          launch->x.tile.start, launch->out_c.start));
  CHECK_EQ((record->flags & LUNA_LAUNCH_LAST) != 0, launch->is_last);
  CHECK_EQ((record->flags & LUNA_LAUNCH_SUMS) != 0,
           luna_launch_leaves_sums(&desc->tiling, launch));
}

static void records_are_those_of_the_launches(void) {
  Random random = {.state = 29};
  for (int i = 0; i < 500; ++i) {
    LunaArena arena = {0};
    LunaConv2dDesc desc = random_conv(&random, 12);
    desc.tiling = random_tiling(&random, &desc);
    int32_t words = 0, at = 0;
    const LunaProductRecord *record =
        luna_launches_conv2d(&desc, &arena, &words, NULL);
    CHECK(record);
    LunaTiles tiles;
    LunaLaunch launch;
    luna_tiles_conv2d_begin(&tiles, &desc);
    while (luna_tiles_next(&tiles, &launch))
      check_launch(&desc, &launch, &luna_record_launches(record)[at++]);
    CHECK_EQ(record->launch_count, at);
    CHECK_EQ(words * 4ll, (int64_t)sizeof *record + at * 64ll);
    luna_arena_destroy(&arena);
  }
}

// A pointwise convolution of a row.
static LunaConv2dDesc row_desc(int32_t columns) {
  return conv_desc(LUNA_CONV_NORMAL, (int32_t[]){1, columns, 1, 1, 1, 1}, 1, 1,
                   1, 1, (int32_t[]){0, 0, 0, 0});
}

static void numbers_have_16_bits(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  int32_t words = 0;
  LunaConv2dDesc desc = row_desc(65535);
  CHECK(luna_launches_conv2d(&desc, &arena, &words, &error));
  desc = row_desc(65536);
  CHECK(!luna_launches_conv2d(&desc, &arena, &words, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  CHECK_STR(error.message,
            "a launch has an extent, stride or dilation above 65535, padding "
            "above 32767 or an offset of 2 GiB");
  desc.tiling.out_w = 32768; // two tiles
  CHECK(luna_launches_conv2d(&desc, &arena, &words, &error));
  luna_arena_destroy(&arena);
}

// The calls lie behind the launches; without a chain there is no record.
static void calls_finish_the_sums(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  int32_t words = 0;
  LunaConv2dDesc desc = row_desc(8);
  desc.output.type = LUNA_TYPE_I8;
  desc.tiling.finish = LUNA_FINISH_UNIT;
  desc.requant = (LunaRequantDesc){.mode = LUNA_REQUANT_MULTIPLIER,
                                   .rounding = LUNA_ROUND_DOUBLE,
                                   .multiplier = 1 << 30,
                                   .shift = 40,
                                   .output_zero_point = 5,
                                   .clamp_min = -128,
                                   .clamp_max = 127};
  const LunaProductRecord *record =
      luna_launches_conv2d(&desc, &arena, &words, &error);
  CHECK(record);
  CHECK_EQ(record->call_count, 4);
  CHECK_EQ(words * 4ll, (int64_t)sizeof *record + 64 + 4 * 12);
  const LunaVectorCall *calls = luna_record_calls(record);
  CHECK_EQ(calls[0].name, LUNA_CALL_SCALE);
  CHECK_EQ(calls[3].name, LUNA_CALL_OFFSET);
  CHECK_EQ(calls[3].scalar, 5 << 9);
  desc.requant.mode = LUNA_REQUANT_FLOAT;
  CHECK(!luna_launches_conv2d(&desc, &arena, &words, &error));
  CHECK_STR(error.message, "no vector calls requantise so, and the tiling "
                           "leaves it to them");
  luna_arena_destroy(&arena);
}

// The row of the bias that a record adds to an output of the tile of a launch.
static int32_t row_added(const LunaProductRecord *record, int32_t index,
                         int32_t y, int32_t x, int32_t channels) {
  const LunaLaunchRecord *launch = &luna_record_launches(record)[index];
  const LunaOriginRecord *origin = &luna_record_origins(record)[index];
  int32_t row = 0, first[2], count[2];
  for (int32_t i = 0; i < record->border_count; ++i) {
    const LunaBorderRecord *border = &luna_record_borders(record)[i];
    if (!luna_border_in_tile(border, origin, launch, first, count) ||
        y < first[0] || y >= first[0] + count[0] || x < first[1] ||
        x >= first[1] + count[1])
      continue;
    CHECK_EQ(row, 0); // once
    row = border->bias / channels;
  }
  return row;
}

static int32_t row_at(const LunaBorderAxis *border, int32_t out) {
  const LunaBorderRun *run = border->runs;
  while (out >= run->first + run->count)
    ++run;
  return run->row;
}

static void check_borders(const LunaConv2dDesc *desc,
                          const LunaProductRecord *record) {
  LunaBorderAxis y, x;
  LunaTiles tiles;
  LunaLaunch launch;
  luna_border_axis(desc, 0, &y);
  luna_border_axis(desc, 1, &x);
  luna_tiles_conv2d_begin(&tiles, desc);
  for (int32_t at = 0; luna_tiles_next(&tiles, &launch); ++at)
    for (int32_t i = 0; i < launch.y.tile.count; ++i)
      for (int32_t k = 0; k < launch.x.tile.count; ++k)
        CHECK_EQ(row_added(record, at, i, k, desc->output.dims[3]),
                 row_at(&y, launch.y.tile.start + i) * x.class_count +
                     row_at(&x, launch.x.tile.start + k));
}

// Every output of every tile gets the constant of its class, in cut tiles, too.
static void borders_are_those_of_the_classes(void) {
  Random random = {.state = 37};
  for (int i = 0; i < 500; ++i) {
    LunaArena arena = {0};
    LunaConv2dDesc desc = random_conv(&random, 12);
    int32_t words = 0, classes = luna_border_classes(&desc);
    desc.tiling = random_tiling(&random, &desc);
    desc.tiling.finish = LUNA_FINISH_CORE;
    if (classes > 0)
      desc.bias =
          tensor_desc(LUNA_TYPE_I32, 1, 1, classes, desc.output.dims[3]);
    const LunaProductRecord *record =
        luna_launches_conv2d(&desc, &arena, &words, NULL);
    CHECK(record);
    CHECK_EQ(record->border_count, classes > 0 ? classes - 1 : 0);
    CHECK_EQ(words * 4ll,
             (int64_t)sizeof *record + luna_record_tail_bytes(record));
    if (record->border_count > 0)
      check_borders(&desc, record);
    luna_arena_destroy(&arena);
  }
}

int main(void) {
  RUN_TEST(borders_are_those_of_the_classes);
  RUN_TEST(records_are_those_of_the_launches);
  RUN_TEST(numbers_have_16_bits);
  RUN_TEST(calls_finish_the_sums);
  return 0;
}
