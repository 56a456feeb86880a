#ifndef LUNA_PLAN_SAVED_H
#define LUNA_PLAN_SAVED_H

#include "luna/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Plans as bytes, to be kept and taken up again: for a cache.

/// Bytes, in the arena of the problem that they were made from.
typedef struct LunaPlanBytes {
  const uint8_t *items;
  uint64_t count;
} LunaPlanBytes;

/// Writes all that the plan of luna_plan_solve depends on: the program with its
/// aliases and moves, the options, the version of the planner. Names and the
/// bound of the program are no part of it: they change what is said of a plan.
/// `options` may be NULL. Fails like luna_problem_lifetimes. O(size of the
/// problem).
bool luna_plan_key(const LunaProblem *problem, const LunaPlanOptions *options,
                   LunaPlanBytes *key, LunaError *error);

/// As luna_plan_solve, and writes the plan to `saved`, also one that exceeds
/// the capacity; nothing where planning fails otherwise or was stopped.
bool luna_plan_solve_saved(LunaProblem *problem, const LunaPlanOptions *options,
                           LunaSolution *solution, LunaPlanBytes *saved,
                           LunaError *error);

enum { LUNA_RESTORED_PARTS = 5 };

/// A plan that was taken up, to be checked.
typedef struct LunaRestoredPlan {
  LunaSolution solution;
  /// False if the plan exceeds the capacity, as `error` says.
  bool fits;
  LunaError error;
  /// The plans of all buffers, and of the parts that the solution has sizes of:
  /// an offset for each buffer whose kind has its bit (1 << kind) in `kinds`, 0
  /// for others; NULL for parts that were not planned.
  struct {
    unsigned kinds;
    const int64_t *offset_bytes;
  } parts[LUNA_RESTORED_PARTS];
} LunaRestoredPlan;

/// Takes up a plan that luna_plan_solve_saved wrote for the same key: the
/// solution that it gave, with sizes and bounds computed anew. What search has
/// proven counts only with `is_trusted`. Returns false if the bytes are no plan
/// of the problem. Whether buffers overlap is not checked: luna_plan_check is
/// to be called for each part, or luna_plan_solve_from.
bool luna_plan_restore(LunaProblem *problem, const LunaPlanOptions *options,
                       LunaPlanBytes saved, bool is_trusted,
                       LunaRestoredPlan *restored);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_SAVED_H
