#ifndef LUNA_PLAN_STRATEGY_H
#define LUNA_PLAN_STRATEGY_H

#include "plan_items.h"
#include "plan_sort.h"

/// The strategies: each places the items of one flat problem.

typedef struct PlanStrategy PlanStrategy;

/// What a search may do, and what it found out.
typedef struct PlanContext {
  /// Steps it may take.
  uint64_t step_budget;
  /// A plan of this size is good enough; 0 asks for the smallest.
  int64_t enough_bytes;
  /// Steps taken so far; strategies add theirs.
  uint64_t steps;
  /// No plan of the items placed last is smaller; 0 if nothing was proven.
  int64_t proven_bytes;
} PlanContext;

struct PlanStrategy {
  const char *name;
  const char *summary;
  /// Gives every item its offset. Items with a fixed offset keep it; the
  /// neighbours of `items` are known. Scratch comes from `arena`.
  void (*place)(const PlanStrategy *self, const PlanItems *items,
                PlanContext *context, int64_t *offsets, LunaArena *arena);
  /// The order in which `place` takes the items, for those that go by one;
  /// the context is the PlanItems. Ties go to the lower index.
  PlanBefore before;
};

/// All strategies but `best`, in the order in which `best` tries them.
extern const PlanStrategy plan_strategies[];
extern const uint32_t plan_strategy_count;

/// Finds a strategy by name; NULL when there is none.
const PlanStrategy *plan_strategy_find(const char *name);

/// Gives the items that are not fixed in the order of `before`, in `arena`,
/// their number in `count`.
uint32_t *plan_order_items(const PlanItems *items, PlanBefore before,
                           uint32_t *count, LunaArena *arena);

/// Places items one by one, each at the lowest offset at which it meets no
/// neighbour placed before; fixed items first (Algorithm 1).
/// O(conflicts log conflicts).
void plan_place_first_fit(const PlanStrategy *self, const PlanItems *items,
                          PlanContext *context, int64_t *offsets,
                          LunaArena *arena);

/// Gives every item a place of its own, above the fixed ones.
void plan_place_apart(const PlanStrategy *self, const PlanItems *items,
                      PlanContext *context, int64_t *offsets, LunaArena *arena);

#endif // LUNA_PLAN_STRATEGY_H
