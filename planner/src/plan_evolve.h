#ifndef LUNA_PLAN_EVOLVE_H
#define LUNA_PLAN_EVOLVE_H

#include "plan_again.h"
#include "plan_slack.h"

/// Local search over the bonuses by which plan_slack.h builds plans.
typedef struct LunaPlanEvolution LunaPlanEvolution;

/// Prepares the search for smaller plans of `again` than that of `work`, in
/// `arena`.
LunaPlanEvolution *luna_plan_evolution_create(LunaPlanAgain *again,
                                              const LunaPlanWork *work,
                                              LunaArena *arena);

/// Looks for plans below the best one, down to `enough`, for `share` steps:
/// some are built by rules drawn at random, then those of the best are changed
/// a little at a time. A smaller plan becomes the best one of `work`. The next
/// call goes on where this one stopped.
void luna_plan_evolve(LunaPlanEvolution *evolution, LunaPlanWork *work,
                      int64_t enough, uint64_t share);

#endif // LUNA_PLAN_EVOLVE_H
