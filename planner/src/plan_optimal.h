#ifndef LUNA_PLAN_OPTIMAL_H
#define LUNA_PLAN_OPTIMAL_H

#include "plan_strategy.h"

/// The default step budget of `optimal`.
enum { PLAN_OPTIMAL_STEPS = 2000000 };

/// Returns the default step budget of search for `best`: fewer for more items,
/// whose steps take longer.
static inline uint64_t plan_best_steps(uint32_t item_count) {
  return item_count <= 400 ? 50000 : 20000000 / item_count;
}

/// The number of items above which no search is tried.
enum { PLAN_OPTIMAL_MAX_ITEMS = 4096 };

/// Finds the smallest plan by exact search within the step budget of the
/// context, starting from the greedy strategies. Writes what was proven to the
/// context.
void luna_plan_place_optimal(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena);

#endif // LUNA_PLAN_OPTIMAL_H
