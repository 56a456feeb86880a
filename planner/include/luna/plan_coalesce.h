#ifndef LUNA_PLAN_COALESCE_H
#define LUNA_PLAN_COALESCE_H

#include "luna/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Decides which moves of a program copy, and which do nothing because their
/// buffers share a place.
///
/// Two buffers may share a place if they have one size and kind, and hold the
/// same contents wherever both are live: one is never overwritten by other
/// contents while the other is live. Contents are followed through moves, along
/// all paths and iterations of loops; a step that uses a buffer (rather than
/// reads it) gives it new contents.

/// Zero-initialised: every move costs one cycle, no step does, no limit.
typedef struct LunaCoalesceOptions {
  /// The cycles that each move takes if it copies, by id, for all iterations of
  /// the loops around it; NULL means 1 each.
  const uint64_t *move_cycles;
  /// The cycles that each step takes besides, likewise: which path is the
  /// slowest. NULL means 0.
  const uint64_t *step_cycles;
  /// The capacity of the memory; 0 means no limit.
  int64_t capacity_bytes;
  /// The budget in steps: those of the search for plans, and one per buffer for
  /// each plan tried. 0 means the default.
  uint64_t step_budget;
  /// As in LunaPlanOptions.
  const char *without;
} LunaCoalesceOptions;

/// The cycles of a program; less is better, member by member.
typedef struct LunaProgramCycles {
  uint64_t slowest; ///< of the path that takes most
  uint64_t all;     ///< of all paths together, each as much as another
} LunaProgramCycles;

/// Returns the cycles of `problem` if all of its moves copy.
///
/// Paths are counted as if all alternatives were decided on their own; where
/// there are more than 2^20, parts below a 2^20th count as none, and more than
/// 2^32 through a branch are as many. Scratch comes from `arena`.
LunaProgramCycles luna_plan_cycles(const LunaProblem *problem,
                                   const LunaCoalesceOptions *options,
                                   LunaArena *arena);

/// Returns true if `a` is less than `b`.
bool luna_plan_cycles_are_less(LunaProgramCycles a, LunaProgramCycles b);

/// Two buffers that share a place.
typedef struct LunaBufferPair {
  LunaBufferId a, b;
} LunaBufferPair;

/// A decision. All pointers point into the problem's arena.
typedef struct LunaCoalescing {
  /// What to unify, by luna_problem_alias; each pair has its own move.
  const LunaBufferPair *pairs;
  uint32_t pair_count;
  /// Of each move: whether it copies.
  const bool *is_copy;
  /// The cycles of the slowest path; those of all moves that copy.
  uint64_t slowest_cycles, copy_cycles;
  /// The size of the smallest plan found with these pairs.
  int64_t bytes;
  /// True if every other decision was ruled out: of the sets that conflicts
  /// allow, none fits with fewer cycles, nor, with as many, in fewer bytes.
  bool is_exhausted;
  uint64_t search_steps;
} LunaCoalescing;

/// Finds the decision with the fewest cycles, as luna_plan_cycles counts them,
/// then with the smallest plan, among those whose plan fits the capacity; if
/// none is found that fits, the one with the smallest plan.
///
/// The planner is the oracle: the sizes are those of plans. Aliases that the
/// problem has are kept. `options` may be NULL. Deterministic. Fails like
/// luna_problem_lifetimes.
bool luna_plan_coalesce(LunaProblem *problem,
                        const LunaCoalesceOptions *options,
                        LunaCoalescing *coalescing, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_COALESCE_H
