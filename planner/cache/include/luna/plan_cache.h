#ifndef LUNA_PLAN_CACHE_H
#define LUNA_PLAN_CACHE_H

#include "luna/cache.h"
#include "luna/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// As luna_plan_solve, and keeps the plan: what was planned before, with these
/// options by this version of the planner, is looked up, with the solution that
/// it had.
///
/// What is found is believed in nothing: luna_plan_check runs on the plan and
/// on those of its parts, sizes and bounds are computed anew, and an entry that
/// fails is rejected. What search has proven counts from trusted entries alone.
/// Without a cache, or with `progress`, which would not be called, it is
/// luna_plan_solve.
bool luna_plan_solve_cached(LunaCache *cache, LunaProblem *problem,
                            const LunaPlanOptions *options,
                            LunaSolution *solution, LunaError *error);

/// As luna_plan_solve_cached, from the best plan of this problem and treatment
/// of branches that was found with any options by any version: it is what
/// `best` and `optimal` start from, is replaced where they find a smaller one,
/// and the solution is no larger. So the plan depends on what the cache holds.
/// With another strategy, or a hint of the caller's, it is
/// luna_plan_solve_cached.
bool luna_plan_solve_best(LunaCache *cache, LunaProblem *problem,
                          const LunaPlanOptions *options,
                          LunaSolution *solution, LunaError *error);

/// Where plans come from; zero-initialised: from the planner.
typedef struct LunaPlanSource {
  LunaCache *cache;
  /// True for luna_plan_solve_best, else luna_plan_solve_cached.
  bool takes_best;
} LunaPlanSource;

/// Solves by what the source says.
bool luna_plan_solve_from(LunaPlanSource source, LunaProblem *problem,
                          const LunaPlanOptions *options,
                          LunaSolution *solution, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_CACHE_H
