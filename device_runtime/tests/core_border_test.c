#include "../src/core_border.h"

#include <stdlib.h>

#include "check.h"
#include "luna/border.h"
#include "luna/launches.h"
#include "luna/tiles.h"
#include "tile_random.h"

// Constants that are added to the sums of tiles, against the class of each
// output.

// A tile of the output, its sums and the constants of all channels.
typedef struct Tile {
  const LunaConv2dDesc *desc;
  const LunaLaunch *launch;
  int32_t *sums, *before, *bias;
} Tile;

static int32_t any_number(Random *random) {
  return random_in(random, -(1 << 29), (1 << 29) - 1) * 4 +
         random_in(random, 0, 3);
}

static int32_t row_at(const LunaBorderAxis *border, int32_t out) {
  const LunaBorderRun *run = border->runs;
  while (out >= run->first + run->count)
    ++run;
  return run->row;
}

// Returns what the sum of an output lacks.
static int32_t constant_at(const Tile *tile, int32_t y, int32_t x, int32_t c) {
  LunaBorderAxis rows, columns;
  luna_border_axis(tile->desc, 0, &rows);
  luna_border_axis(tile->desc, 1, &columns);
  int32_t row =
      row_at(&rows, tile->launch->y.tile.start + y) * columns.class_count +
      row_at(&columns, tile->launch->x.tile.start + x);
  LunaRange channels = tile->launch->out_c;
  int32_t channel = channels.start + c * channels.step;
  return row == 0 ? 0 : tile->bias[row * tile->desc->output.dims[3] + channel];
}

static void check_tile(const Tile *tile, bool has_planes) {
  int32_t rows = tile->launch->y.tile.count;
  int32_t columns = tile->launch->x.tile.count;
  int32_t channels = tile->launch->out_c.count;
  for (int32_t y = 0; y < rows; ++y)
    for (int32_t x = 0; x < columns; ++x)
      for (int32_t c = 0; c < channels; ++c) {
        int32_t at = has_planes ? (c * rows + y) * columns + x
                                : (y * columns + x) * channels + c;
        uint32_t sum =
            (uint32_t)tile->before[at] + (uint32_t)constant_at(tile, y, x, c);
        CHECK_EQ((uint32_t)tile->sums[at], sum);
      }
}

static void check_launch(Random *random, const LunaProductRecord *record,
                         int32_t index, const Tile *tile) {
  const LunaConv2dDesc *desc = tile->desc;
  int32_t count =
      desc->output.dims[1] * desc->output.dims[2] * desc->output.dims[3];
  for (int32_t i = 0; i < count; ++i)
    tile->sums[i] = tile->before[i] = any_number(random);
  const LunaProductOperands operands = {.bias = tile->bias,
                                        .scratch = tile->sums};
  luna_core_add_borders(record, &luna_record_launches(record)[index],
                        &operands);
  check_tile(tile, luna_strides_have_planes(record->output_strides));
}

static void check_conv(Random *random, const LunaConv2dDesc *desc,
                       LunaArena *arena) {
  int32_t words = 0, classes = desc->bias.dims[2];
  int32_t channels = desc->output.dims[3];
  int32_t count = desc->output.dims[1] * desc->output.dims[2] * channels;
  LunaTiles tiles;
  LunaLaunch launch;
  const Tile tile = {.desc = desc,
                     .launch = &launch,
                     .sums = LUNA_ARENA_ARRAY(arena, int32_t, count),
                     .before = LUNA_ARENA_ARRAY(arena, int32_t, count),
                     .bias =
                         LUNA_ARENA_ARRAY(arena, int32_t, classes *channels)};
  for (int32_t i = 0; i < classes * channels; ++i)
    tile.bias[i] = any_number(random);
  const LunaProductRecord *record =
      luna_launches_conv2d(desc, arena, &words, NULL);
  luna_tiles_conv2d_begin(&tiles, desc);
  for (int32_t at = 0; luna_tiles_next(&tiles, &launch); ++at)
    if (launch.is_last)
      check_launch(random, record, at, &tile);
}

static void set_planes(LunaTensorDesc *desc) {
  desc->strides[1] = desc->dims[2];
  desc->strides[2] = 1;
  desc->strides[3] = desc->dims[1] * desc->dims[2];
}

static void each_sum_gets_the_constant_of_its_class(void) {
  Random random = {.state = 41};
  for (int i = 0; i < 2000; ++i) {
    LunaArena arena = {0};
    LunaConv2dDesc desc = random_conv(&random, 12);
    int32_t classes = luna_border_classes(&desc);
    if (random_in(&random, 0, 2) > 0)
      desc.tiling = random_tiling(&random, &desc);
    desc.tiling.finish = LUNA_FINISH_CORE;
    desc.bias = tensor_desc(LUNA_TYPE_I32, 1, 1, classes, desc.output.dims[3]);
    if (random_in(&random, 0, 3) > 0)
      set_planes(&desc.output);
    if (classes > 1)
      check_conv(&random, &desc, &arena);
    luna_arena_destroy(&arena);
  }
}

int main(void) {
  RUN_TEST(each_sum_gets_the_constant_of_its_class);
  return 0;
}
