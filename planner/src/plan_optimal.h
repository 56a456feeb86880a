#ifndef LUNA_PLAN_OPTIMAL_H
#define LUNA_PLAN_OPTIMAL_H

#include "plan_strategy.h"

/// The default step budget of `optimal`.
enum { PLAN_OPTIMAL_STEPS = 2000000 };

/// Finds the smallest plan by exact search within the step budget of the
/// context, starting from the greedy strategies. Writes what was proven to the
/// context.
void luna_plan_place_optimal(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena);

#endif // LUNA_PLAN_OPTIMAL_H
