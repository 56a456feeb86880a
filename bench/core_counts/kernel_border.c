// Constants that are added to the sums of tiles at borders.

#include "kernels.h"

typedef struct Tile {
  int32_t rows, columns, channels;
  int32_t before[2], after[2]; // classes of one output, on y and x
  int32_t has_planes;
} Tile;

static struct {
  LunaProductRecord record;
  LunaLaunchRecord launch;
  LunaBorderRecord borders[BORDERS + 1]; // the origin behind them
} product;

// Returns the outputs of class `index` on an axis, beside the first of them.
static int32_t outputs_of(const Tile *tile, int axis, int32_t index) {
  int32_t extent = axis == 0 ? tile->rows : tile->columns;
  return index == tile->before[axis]
             ? extent - tile->before[axis] - tile->after[axis]
             : 1;
}

static int32_t classes_of(const Tile *tile, int axis) {
  return tile->before[axis] + 1 + tile->after[axis];
}

// Writes the borders of a tile; returns how many there are.
static int32_t set_borders(const Tile *tile) {
  int32_t count = 0, at[2] = {0, 0};
  for (int32_t y = 0; y < classes_of(tile, 0); ++y) {
    int32_t rows = outputs_of(tile, 0, y);
    at[1] = 0;
    for (int32_t x = 0; x < classes_of(tile, 1); ++x) {
      int32_t columns = outputs_of(tile, 1, x);
      if (y != tile->before[0] || x != tile->before[1])
        product.borders[count++] =
            (LunaBorderRecord){{(uint16_t)at[0], (uint16_t)at[1]},
                               {(uint16_t)rows, (uint16_t)columns},
                               CHANNELS * count};
      at[1] += columns;
    }
    at[0] += rows;
  }
  product.borders[count] = (LunaBorderRecord){{0, 0}, {0, 0}, 0};
  return count;
}

static void run(const Tile *tile, int32_t border_count) {
  product.record = (LunaProductRecord){.finish = LUNA_FINISH_FUSED,
                                       .border_count = border_count,
                                       .bias_stride = 1,
                                       .channel_step = 1,
                                       .launch_count = 1};
  int32_t *strides = product.record.output_strides;
  strides[0] = tile->columns * (tile->has_planes ? 1 : tile->channels);
  strides[1] = tile->has_planes ? 1 : tile->channels;
  strides[2] = tile->has_planes ? tile->rows * tile->columns : 1;
  product.launch = (LunaLaunchRecord){
      .tile = {(uint16_t)tile->rows, (uint16_t)tile->columns},
      .out_channels = (uint16_t)tile->channels,
      .flags = LUNA_LAUNCH_LAST | LUNA_LAUNCH_SUMS};
  const LunaProductOperands operands = {.bias = luna_bench_data.constants,
                                        .scratch = luna_bench_data.sums,
                                        .output = luna_bench_data.bytes[2]};
  luna_bench_mark();
  luna_core_product(&product.record, &operands);
  luna_bench_mark();
}

static uint64_t cost_of(const Tile *tile, int32_t count) {
  const LunaCoreTile core = {.has_planes = tile->has_planes};
  const LunaOriginRecord origin = {{0, 0}};
  const LunaCoreBorders borders = luna_core_borders(
      product.borders, count, &origin, &product.launch, tile->has_planes);
  return luna_core_border_cycles(&luna_bench_machine, &core, &borders,
                                 (uint64_t)tile->channels);
}

// What the borders of a tile take beyond the launch that leaves it.
static void count_borders(const char *name, Tile tile) {
  for (tile.channels = 8; tile.channels <= CHANNELS; tile.channels *= 2) {
    int32_t count = set_borders(&tile);
    run(&tile, 0);
    run(&tile, count);
    LUNA_BENCH_PRINT(name, cost_of(&tile, count));
  }
}

// Windows that reach padding on all sides, and on the far ones only.
void luna_bench_count_borders(void) {
  static const int32_t extents[][2] = {{3, 3},   {4, 5},  {6, 6},  {7, 7},
                                       {11, 11}, {25, 5}, {5, 25}, {10, 12}};
  for (size_t i = 0; i < sizeof extents / sizeof extents[0]; ++i) {
    Tile tile = {extents[i][0], extents[i][1], 0, {1, 1}, {1, 1}, 1};
    count_borders("borders", tile);
    tile.before[0] = tile.before[1] = 0;
    count_borders("far borders", tile);
  }
  const Tile places = {6, 6, 0, {1, 1}, {1, 1}, 0};
  count_borders("borders, channels side by side", places);
}
