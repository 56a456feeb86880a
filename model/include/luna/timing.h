#ifndef LUNA_TIMING_H
#define LUNA_TIMING_H

// How long a model takes. A step is work of the unit and of the core alone; one
// engine makes transfers, one by one in the order in which they are started; a
// wait ends with the transfer that it is for.
//
//   LunaSlowestPath slowest = luna_timing_slowest(&model, &arena);
//   LunaPathTimes times = luna_timing_path(&model, slowest.ways, NULL);

#include "luna/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The cycles that a program may take: bytes and sums of them fit in 64 bits.
#define LUNA_TIMING_CYCLES_MAX (INT64_MAX / 64)

/// Returns true if no run takes more than LUNA_TIMING_CYCLES_MAX cycles, loops
/// whose trip count data decides taken once. Counts all bodies of BRANCHES, and
/// nothing as concurrent. If not, `*loop` is the innermost loop that takes
/// more, or LUNA_MODEL_NONE.
bool luna_timing_fits(const LunaModel *model, LunaModelId *loop);

/// The decisions of a path, by step: the index of the body that BRANCHES take,
/// LUNA_TIMING_NO_WAY where the path does not reach them. A path decides a
/// branch in a loop alike in every iteration.
typedef int32_t LunaTimingWay;
#define LUNA_TIMING_NO_WAY (-1)

/// Returns the decisions in the name of a path, "if0=then/if1=else"; branches
/// that it does not name take no way.
const LunaTimingWay *luna_timing_read_path(const LunaModel *model,
                                           const char *path, LunaArena *arena);
/// Returns the name of a path, "straight" without branches.
const char *luna_timing_path_name(const LunaModel *model,
                                  const LunaTimingWay *ways, LunaArena *arena);

/// cycles = compute + host + stall; dma is beside them.
typedef struct LunaPathTimes {
  uint64_t cycles, compute, host, stall, dma, transfers, bytes;
} LunaPathTimes;

/// Returns the times of a path. `trips` has the trip counts of the loops, by
/// step, or is NULL: as they are, once where data decides. O(steps), times the
/// iterations of a loop until one repeats the one before it.
LunaPathTimes luna_timing_path(const LunaModel *model,
                               const LunaTimingWay *ways, const int64_t *trips);

/// The slowest path.
typedef struct LunaSlowestPath {
  const LunaTimingWay *ways;
  uint64_t cycles;
  /// No run takes more, loops whose trip count data decides taken once. Larger
  /// than `cycles` if a run is thinkable that decides a branch in a loop anew
  /// in each iteration and is slower than every path, or if the search met its
  /// limit.
  uint64_t at_most_cycles;
} LunaSlowestPath;

/// The most clocks that the search keeps at one point of the program.
enum { LUNA_TIMING_CLOCKS_MAX = 256 };
/// The most iterations of a loop that it walks before one repeats the last.
enum { LUNA_TIMING_TRIPS_MAX = 4096 };

/// Finds the slowest path, in `arena`. Walks the program with the clocks (of
/// the core, of the engine and of each transfer in flight) that no others
/// exceed in all; one set for each outcome of conditions that later branches
/// ask again. Beyond LUNA_TIMING_CLOCKS_MAX of them, outcomes are forgotten,
/// then clocks joined to their maximum.
LunaSlowestPath luna_timing_slowest(const LunaModel *model, LunaArena *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TIMING_H
