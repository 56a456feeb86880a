#ifndef LUNA_PLAN_SOURCE_H
#define LUNA_PLAN_SOURCE_H

#include "luna/arena.h"
#include "luna/plan.h"
#include "luna/plan_saved.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is kept of plans.
typedef enum LunaPlanKept {
  LUNA_PLAN_EXACT, ///< what luna_plan_solve_saved wrote, by luna_plan_key
  LUNA_PLAN_BEST,  ///< the smallest plan so far, by program and merge
} LunaPlanKept;

/// Plans that are known, and a place for new ones: a cache, or an attribute of
/// a function. Zero-initialised, there are none and none is kept.
typedef struct LunaPlanSource {
  void *data;
  /// Returns true and sets the plan, in the arena, and whether what search has
  /// proven of it counts; false if none is known under the key.
  bool (*find)(void *data, LunaPlanKept kept, LunaPlanBytes key,
               LunaArena *arena, LunaPlanBytes *plan, bool *is_trusted);
  /// A plan that was found does not hold.
  void (*reject)(void *data, LunaPlanKept kept, LunaPlanBytes key);
  /// Keeps a plan in place of any other of this key.
  void (*keep)(void *data, LunaPlanKept kept, LunaPlanBytes key,
               LunaPlanBytes plan);
  /// True to start from the best plan of any options: see
  /// luna_plan_solve_from.
  bool takes_best;
} LunaPlanSource;

/// As luna_plan_solve, from a source: a plan of this problem with these options
/// by this version of the planner is found, with the solution that it had, or
/// made and kept.
///
/// What is found is believed in nothing: luna_plan_check runs on the plan and
/// on those of its parts, sizes and bounds are computed anew, and what fails is
/// rejected. With `progress`, which would not be called, it is luna_plan_solve.
///
/// With `takes_best`, the strategies `best` and `optimal` start from the best
/// plan of this problem and treatment of branches that was found with any
/// options by any version; it is replaced where they find a smaller one, and
/// the solution is not larger. So the plan depends on what the source has.
bool luna_plan_solve_from(const LunaPlanSource *source, LunaProblem *problem,
                          const LunaPlanOptions *options,
                          LunaSolution *solution, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_SOURCE_H
