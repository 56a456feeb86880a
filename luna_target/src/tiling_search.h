#ifndef LUNA_TILING_SEARCH_H
#define LUNA_TILING_SEARCH_H

// The search for the cheapest legal tiling of one operator.
//
// The family searched: each extent is divided into pieces of nearly equal size
// (luna_tiling_sizes), kernels into blocks of taps. It always has a legal
// member: single taps and single outputs obey every limit except that of the
// scratch.

#include <stdbool.h>
#include <stdint.h>

#include "launch_cost.h"

/// One operator to tile. The tile and block extents of its axes and channels
/// are ignored.
typedef struct LunaTilingProblem {
  LunaLaunchContext context; ///< has_sums is ignored
  LunaAxis y, x;
  LunaChannels channels;
  uint64_t batches;
  int64_t scratch_limit_bytes;
  bool has_planes; ///< calls of the vendor's library take its operands whole
  const int32_t *weight_layout; ///< of packed weights; else NULL or 0, 0
  /// Calls that finish the sums of tiles of several such calls, where one alone
  /// would finish its own (LUNA_FINISH_UNIT); NULL if none do.
  const LunaVectorChain *sums_chain;
} LunaTilingProblem;

/// The tiling found.
typedef struct LunaTilingAnswer {
  int32_t tile_y, tile_x, block_y, block_x, out_c, in_c, row_strips, slots;
  LunaFinish finish;
  int64_t scratch_bytes;
  LunaCost cost;
} LunaTilingAnswer;

enum { LUNA_TILING_SIZES_MAX = 256 };

/// The most tiles of an operator that two slots of scratch are tried for: more
/// hide hardly more of the core's part, and each is a launch.
enum { LUNA_SLOTS_TILES_MAX = 16 };

/// Writes the piece sizes tried for `extent`, descending and unique, and
/// returns their number: extent / n rounded up, for n = 1, 2, … (in growing
/// steps from 12), as they are and rounded up to `align`; down to 1, or to
/// `align` if `only_aligned`.
uint32_t luna_tiling_sizes(int32_t extent, int32_t align, bool only_aligned,
                           int32_t sizes[LUNA_TILING_SIZES_MAX]);

/// The same for the blocks of a kernel: as luna_tiling_sizes if it is within
/// `kernel_max` (0: no limit), else every size up to the limit, since a rest
/// that is smaller than the stride is not legal.
uint32_t luna_tiling_blocks(int32_t taps, uint32_t kernel_max,
                            int32_t sizes[LUNA_TILING_SIZES_MAX]);

/// Finds the tiling whose launches are calls of the vendor's library on whole
/// planes, if `has_planes` and there is one with a scratch within the limit;
/// else the legal tiling of the family, with the least scratch of those that
/// take at most a hundredth more cycles than the cheapest, then the fewest
/// cycles, then the largest pieces. Returns false if none keeps the scratch
/// within its limit; answer->scratch_bytes is then the least possible.
bool luna_tiling_search(const LunaTilingProblem *problem,
                        LunaTilingAnswer *answer);

#endif // LUNA_TILING_SEARCH_H
