#include "kernel_tiles.h"

// Tiles that vector calls finish.

static void count_calls_of(const char *name, LunaBenchTiles once) {
  LunaBenchTiles twice = once;
  twice.count = 2 * LAUNCHES;
  luna_bench_count_tiles(name, once, twice);
}

// Tiles that lie in one run of results and in several.
static void count_finish(const char *name, LunaBenchTiles tiles) {
  for (tiles.rows = 1; tiles.rows < 3; ++tiles.rows)
    for (tiles.channels = 4; tiles.channels <= CHANNELS; tiles.channels *= 4)
      for (tiles.gap = 0; tiles.gap < 2; ++tiles.gap)
        count_calls_of(name, tiles);
}

// By numbers of the tensor and of the channels, whole ones and planes.
static void count_forms(int32_t clamp_min, int32_t clamp_max) {
  LunaBenchTiles tiles = {.requant =
                              luna_bench_requant(LUNA_REQUANT_MULTIPLIER, 1, 0),
                          .count = LAUNCHES,
                          .by_calls = LUNA_FINISH_UNIT};
  tiles.requant.clamp_min = clamp_min;
  tiles.requant.clamp_max = clamp_max;
  count_finish("tile by vector calls", tiles);
  tiles.has_planes = 1;
  count_finish("tile of planes by vector calls", tiles);
  tiles.requant.per_channel = 1;
  tiles.by_calls = LUNA_FINISH_PLANES;
  count_finish("planes by vector calls", tiles);
  tiles.by_calls = LUNA_FINISH_STRIPS;
  count_finish("strips by vector calls", tiles);
  tiles.has_planes = 0;
  tiles.by_calls = LUNA_FINISH_UNIT;
  count_finish("tile by vector calls, per channel", tiles);
}

void luna_bench_count_finishes(void) {
  count_forms(-128, 127);
  count_forms(-3, 127);
  count_forms(-3, 100);
}
