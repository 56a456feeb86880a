// Launches of products, and tiles that the core requantises.

#include "kernel_tiles.h"

static void count_launches(void) {
  const LunaRequantDesc shift = luna_bench_requant(LUNA_REQUANT_SHIFT, 0, 0);
  const LunaRequantDesc channel =
      luna_bench_requant(LUNA_REQUANT_MULTIPLIER, 0, 1);
  for (int32_t rows = 0; rows < 3; ++rows)
    for (int32_t channels = 8; channels <= 32; channels *= 4) {
      LunaBenchTiles once = {shift, LAUNCHES, rows, channels, 0, 0, 0},
                     twice = once;
      twice.count = 2 * LAUNCHES;
      luna_bench_count_tiles(rows ? "tile" : "launch", once, twice);
      once.requant = twice.requant = channel;
      luna_bench_count_tiles(rows ? "tile, per channel" : "launch", once,
                             twice);
    }
}

// From the end of a start to the await, marked by the unit.
static void count_await(void) {
  const LunaBenchTiles launch = {
      luna_bench_requant(LUNA_REQUANT_SHIFT, 0, 0), 1, 0, 8, 0, 0, 0};
  luna_bench_marks_await = 1;
  luna_bench_run_tiles(&launch);
  luna_bench_marks_await = 0;
  LUNA_BENCH_PRINT("await",
                   luna_core_cycles(&luna_bench_machine, LUNA_HOST_AWAIT, 1));
}

// One tile, beside a launch that leaves none.
static void count_operator(void) {
  for (int32_t channels = 8; channels <= 32; channels *= 2) {
    LunaBenchTiles once = {
        luna_bench_requant(LUNA_REQUANT_SHIFT, 0, 0), 1, 0, channels, 0, 0, 0};
    LunaBenchTiles twice = once;
    twice.rows = 1;
    luna_bench_run_tiles(&once);
    luna_bench_run_tiles(&twice);
    LUNA_BENCH_PRINT(
        "requantised operator",
        luna_bench_tiles_cost(&twice) - luna_bench_tiles_cost(&once) +
            luna_core_cycles(&luna_bench_machine, LUNA_HOST_REQUANT, 1));
  }
}

// Rows of tiles, long and short ones, and rows with gaps between them.
static void count_mode(const char *name, LunaRequantDesc requant) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 2)
    for (int32_t gap = 0; gap < 2; ++gap) {
      LunaBenchTiles once = {requant, 1, ROWS, channels, gap, 0, 0},
                     twice = once;
      twice.rows = 2 * ROWS;
      luna_bench_count_tiles(name, once, twice);
    }
}

// Planes, whole ones and rows with gaps between them.
static void count_planes(const char *name, LunaRequantDesc requant) {
  for (int32_t channels = 8; channels <= CHANNELS; channels *= 2)
    for (int32_t gap = 0; gap < 2; ++gap) {
      LunaBenchTiles once = {requant, 1, ROWS, channels, gap, 1, 0},
                     twice = once;
      twice.rows = 2 * ROWS;
      luna_bench_count_tiles(name, once, twice);
      once.channels /= 2;
      luna_bench_count_tiles(name, once, twice);
    }
}

static void count_modes(void) {
  const int32_t multiplier = LUNA_REQUANT_MULTIPLIER;
  LunaRequantDesc small = luna_bench_requant(multiplier, 0, 0);
  LunaRequantDesc left = luna_bench_requant(LUNA_REQUANT_SHIFT, 0, 0);
  small.shift = 32;
  left.shift = 0;
  count_mode("shift", luna_bench_requant(LUNA_REQUANT_SHIFT, 0, 0));
  count_mode("multiplier", luna_bench_requant(multiplier, 0, 0));
  count_mode("multiplier, double rounding",
             luna_bench_requant(multiplier, 1, 0));
  count_planes("planes", luna_bench_requant(multiplier, 0, 1));
  count_planes("planes, double rounding", luna_bench_requant(multiplier, 1, 1));
  count_mode("per channel", luna_bench_requant(multiplier, 0, 1));
  count_mode("per channel, double rounding",
             luna_bench_requant(multiplier, 1, 1));
  count_mode("small shift", small);
  count_mode("shift to the left", left);
  count_mode("scale", luna_bench_requant(LUNA_REQUANT_FLOAT, 0, 0));
  count_mode("unscaled", luna_bench_requant(LUNA_REQUANT_NONE, 0, 0));
}

void luna_bench_count_products(void) {
  count_launches();
  count_await();
  count_operator();
  count_modes();
}
