#ifndef LUNA_PLAN_OPTIMAL_H
#define LUNA_PLAN_OPTIMAL_H

#include "plan_strategy.h"

/// Steps of search when the caller names none: for `optimal`, and for the
/// part that `best` gives to it.
enum {
  PLAN_OPTIMAL_STEPS = 2000000,
  PLAN_BEST_STEPS = 50000,
};

/// Items of one problem above which no search is tried.
enum { PLAN_OPTIMAL_MAX_ITEMS = 4096 };

/// Looks for the smallest plan by exact search, for as long as the context has
/// steps, starting from the greedy strategies; tells the context what was
/// proven.
void plan_place_optimal(const PlanStrategy *self, const PlanItems *items,
                        PlanContext *context, int64_t *offsets,
                        LunaArena *arena);

#endif // LUNA_PLAN_OPTIMAL_H
