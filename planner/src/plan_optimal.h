#ifndef LUNA_PLAN_OPTIMAL_H
#define LUNA_PLAN_OPTIMAL_H

#include "plan_strategy.h"

/// Steps of search that `optimal` takes when the caller names none.
enum { PLAN_OPTIMAL_STEPS = 2000000 };

/// Steps that `best` gives to search when the caller names none: fewer for
/// more items, whose steps take longer.
static inline uint64_t plan_best_steps(uint32_t item_count) {
  return item_count <= 400 ? 50000 : 20000000 / item_count;
}

/// Items of one problem above which no search is tried.
enum { PLAN_OPTIMAL_MAX_ITEMS = 4096 };

/// Looks for the smallest plan by exact search, for as long as the context has
/// steps, starting from the greedy strategies; tells the context what was
/// proven.
void plan_place_optimal(const PlanStrategy *self, const PlanItems *items,
                        PlanContext *context, int64_t *offsets,
                        LunaArena *arena);

#endif // LUNA_PLAN_OPTIMAL_H
