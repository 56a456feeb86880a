#ifndef LUNA_TIMING_H
#define LUNA_TIMING_H

// When a program does what: work of core and unit, transfers beside it, waits,
// branches and loops, with the cycles of each but without its operators. The
// core launches the unit and awaits it; one engine transfers, in order of
// start; a wait ends with the last transfer started.
//
//   LunaTiming timing = {.arena = &arena};
//   LunaTimingNode *branch = luna_timing_branch(&timing, &timing.body, …);
//   luna_timing_add(&timing, &branch->blocks[0], LUNA_TIMING_WORK)->host = 7;
//   LunaSlowestPath slowest = luna_timing_slowest(&timing);

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LunaTimingKind {
  LUNA_TIMING_WORK,
  LUNA_TIMING_TRANSFER,
  LUNA_TIMING_WAIT,
  LUNA_TIMING_BRANCH,
  LUNA_TIMING_LOOP,
} LunaTimingKind;

/// The turns of a loop that data decides.
#define LUNA_TURNS_UNKNOWN (-1)
/// No branch, loop, condition or way.
#define LUNA_TIMING_NONE (-1)

/// What runs one after another.
typedef struct LunaTimingBlock {
  struct LunaTimingNode *first, *last;
} LunaTimingBlock;

typedef struct LunaTimingNode {
  LunaTimingKind kind;
  struct LunaTimingNode *next;
  uint64_t compute, host; ///< cycles of work
  uint64_t dma, bytes;    ///< cycles and bytes of a transfer
  const char *name;       ///< of a branch or loop
  int32_t number;         ///< among the branches, or among the loops
  /// Branch: one for each way. Loop: its body; of a loop with two, the first
  /// runs before each turn and once more at the end.
  LunaTimingBlock *blocks;
  int32_t block_count;
  const char *const *ways; ///< names of a branch's blocks
  int32_t condition;       ///< of a branch
  bool is_negated;         ///< an if that goes the other way
  int64_t turns;           ///< of a loop, or LUNA_TURNS_UNKNOWN
} LunaTimingNode;

/// What one or several branches decide by.
typedef struct LunaTimingCondition {
  int32_t loop; ///< the innermost loop that computes it anew, or NONE
} LunaTimingCondition;

/// Zero-initialise but for the arena, which has all of it.
typedef struct LunaTiming {
  LunaArena *arena;
  LunaTimingBlock body;
  LUNA_VECTOR(LunaTimingNode *) branches; ///< by number, in program order
  LUNA_VECTOR(LunaTimingNode *) loops;
  LUNA_VECTOR(LunaTimingCondition) conditions;
} LunaTiming;

/// Appends a node to a block and returns it.
LunaTimingNode *luna_timing_add(LunaTiming *timing, LunaTimingBlock *block,
                                LunaTimingKind kind);
/// Adds a condition that loop `loop` computes anew, and returns its number.
int32_t luna_timing_add_condition(LunaTiming *timing, int32_t loop);
/// Appends a branch on `condition` with `ways`, whose names are borrowed.
LunaTimingNode *luna_timing_add_branch(LunaTiming *timing,
                                       LunaTimingBlock *block, const char *name,
                                       const char *const *ways,
                                       int32_t way_count, int32_t condition);
/// Appends a loop with one or two blocks.
LunaTimingNode *luna_timing_add_loop(LunaTiming *timing, LunaTimingBlock *block,
                                     const char *name, int64_t turns,
                                     int32_t block_count);

/// The cycles that a program may take: bytes and sums of them fit in 64 bits.
#define LUNA_TIMING_CYCLES_MAX (INT64_MAX / 64)

/// Returns true if no run takes more than LUNA_TIMING_CYCLES_MAX cycles, loops
/// whose turns data decides taken once. Counts all ways of a branch, and
/// nothing as concurrent. If not, `*loop` is the innermost loop that takes
/// more, or NULL.
bool luna_timing_fits(const LunaTiming *timing, const LunaTimingNode **loop);

/// The decisions of a path: the way of each branch by number, NONE for those
/// that the path does not reach. A path decides a branch in a loop alike in
/// every turn.
typedef int32_t LunaTimingWay;

/// Returns the decisions in the name of a path, "if0=then/if1=else"; branches
/// that it does not name take no way.
const LunaTimingWay *luna_timing_read_path(const LunaTiming *timing,
                                           const char *path, LunaArena *arena);
/// Returns the name of a path, "straight" without branches.
const char *luna_timing_path_name(const LunaTiming *timing,
                                  const LunaTimingWay *ways, LunaArena *arena);

/// cycles = compute + host + stall; dma is beside them.
typedef struct LunaPathTimes {
  uint64_t cycles, compute, host, stall, dma, transfers, bytes;
} LunaPathTimes;

/// Returns the times of a path. `turns` has the turns of each loop by number,
/// or is NULL: as they are, once where data decides. O(nodes), times the turns
/// of a loop until one repeats the one before it.
LunaPathTimes luna_timing_path(const LunaTiming *timing,
                               const LunaTimingWay *ways, const int64_t *turns);

/// The slowest path.
typedef struct LunaSlowestPath {
  const LunaTimingWay *ways;
  uint64_t cycles;
  /// No run takes more, loops whose turns data decides taken once. Larger than
  /// `cycles` if a run is thinkable that decides a branch in a loop anew in
  /// each turn and is slower than every path, or if the search met its limit.
  uint64_t at_most_cycles;
} LunaSlowestPath;

/// The most pairs of clocks that the search keeps at one point of the program.
enum { LUNA_TIMING_CLOCKS_MAX = 256 };
/// The most turns of a loop that it walks before one repeats the last.
enum { LUNA_TIMING_TURNS_MAX = 4096 };

/// Finds the slowest path. Walks the program with the pairs of clocks (of the
/// core and of the engine) that no other pair exceeds in both; pairs for each
/// outcome of conditions that later branches ask again. Beyond
/// LUNA_TIMING_CLOCKS_MAX pairs, outcomes are forgotten, then pairs joined to
/// their maximum. The result is from the arena of `timing`.
LunaSlowestPath luna_timing_slowest(const LunaTiming *timing);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TIMING_H
