#ifndef KERNEL_TILES_H
#define KERNEL_TILES_H

// Launches of a product that each leave a tile of sums.

#include "kernels.h"

/// Tiles of `rows` * COLUMNS * `channels`, with a `gap` between rows of
/// channels, or, of planes, between rows.
typedef struct LunaBenchTiles {
  LunaRequantDesc requant;
  int32_t count, rows, channels, gap;
  int32_t has_planes;
  int32_t by_calls; ///< LunaFinish of vector calls, or 0
} LunaBenchTiles;

/// Runs a product of these tiles, between marks.
void luna_bench_run_tiles(const LunaBenchTiles *tiles);

/// Returns what the tiles cost, beside the operator.
uint64_t luna_bench_tiles_cost(const LunaBenchTiles *tiles);

/// Counts what `twice` takes beyond `once`.
void luna_bench_count_tiles(const char *name, LunaBenchTiles once,
                            LunaBenchTiles twice);

#endif // KERNEL_TILES_H
