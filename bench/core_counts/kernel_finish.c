#include "kernel_tiles.h"

static void count_calls_of(const char *name, LunaBenchTiles once) {
  LunaBenchTiles twice = once;
  twice.count = 2 * LAUNCHES;
  luna_bench_count_tiles(name, once, twice);
}

// LunaBenchTiles that vector calls finish, in one run of results and in
// several.
void luna_bench_count_finishes(void) {
  const LunaRequantDesc tensor =
      luna_bench_requant(LUNA_REQUANT_MULTIPLIER, 1, 0);
  const LunaRequantDesc channel =
      luna_bench_requant(LUNA_REQUANT_MULTIPLIER, 1, 1);
  for (int32_t rows = 1; rows < 3; ++rows)
    for (int32_t channels = 8; channels <= 32; channels *= 2)
      for (int32_t gap = 0; gap < 2; ++gap) {
        LunaBenchTiles once = {tensor, LAUNCHES,        rows, channels, gap,
                               0,      LUNA_FINISH_UNIT};
        count_calls_of("tile by vector calls", once);
        once.requant = channel;
        count_calls_of("tile by vector calls, per channel", once);
        once.has_planes = 1;
        once.by_calls = LUNA_FINISH_PLANES;
        count_calls_of("planes by vector calls", once);
        once.by_calls = LUNA_FINISH_STRIPS;
        count_calls_of("strips by vector calls", once);
      }
}
