#ifndef LUNA_PLAN_STRATEGY_H
#define LUNA_PLAN_STRATEGY_H

#include "plan_items.h"
#include "plan_sort.h"
#include "plan_tricks.h"

/// The strategies: each places the items of one flat problem.

typedef struct LunaPlanStrategy LunaPlanStrategy;
typedef struct LunaPlanAssignment LunaPlanAssignment;

/// Reports progress and hears whether to go on.
typedef struct LunaPlanPulse {
  bool (*progress)(void *context, const LunaPlanProgress *progress);
  void *context;
  LunaPlanProgress now;
  bool is_stopped;
} LunaPlanPulse;

/// Reports progress after `steps` more steps of search. Returns false if
/// planning is to stop. `pulse` may be NULL.
static inline bool plan_pulse(LunaPlanPulse *pulse, uint64_t steps) {
  if (!pulse || !pulse->progress)
    return true;
  pulse->now.search_steps += steps;
  pulse->is_stopped |= !pulse->progress(pulse->context, &pulse->now);
  return !pulse->is_stopped;
}

/// The budget and the findings of a search.
typedef struct LunaPlanContext {
  /// The step budget; 0 means a little for each part that is searched.
  uint64_t step_budget;
  /// The size of a plan at which the search may stop; 0 for the smallest.
  int64_t enough_bytes;
  LunaPlanPulse *pulse;
  /// What is left out.
  LunaPlanWithout without;
  /// True to search for a few steps only.
  bool is_quick;
  /// The offsets of a plan to start from, by item; NULL if there is none.
  const int64_t *hint_bytes;
  /// The steps taken so far; strategies add theirs.
  uint64_t steps;
  /// The proven lower bound of the last problem; 0 if nothing was proven.
  int64_t proven_bytes;
  /// What the path cover strategy found.
  LunaPathCover cover;
} LunaPlanContext;

/// The fit: where an item is placed given the items placed before.
typedef enum LunaPlanFit {
  /// At the lowest offset with room for it.
  PLAN_FIT_LOWEST,
  /// In the smallest gap with room for it, the lowest of these; on top of all
  /// others if there is none.
  PLAN_FIT_SMALLEST,
  /// On top of all neighbours.
  PLAN_FIT_TOP,
} LunaPlanFit;

struct LunaPlanStrategy {
  const char *name;
  const char *summary;
  /// Assigns every item an offset; fixed offsets are kept. The neighbours of
  /// `items` are known. Scratch comes from `arena`.
  void (*place)(const LunaPlanStrategy *self, const LunaPlanItems *items,
                LunaPlanContext *context, int64_t *offsets, LunaArena *arena);
  /// The order in which `place` takes the items, for strategies that have one;
  /// the context is the LunaPlanItems. Ties go to the lower index.
  LunaPlanBefore before;
  /// For strategies that place one item after another.
  LunaPlanFit fit;
  /// For strategies that share objects: fills the assignment.
  void (*assign)(LunaPlanAssignment *assignment, LunaArena *arena);
  /// As what `best` tries it; PLAN_TRICK_COUNT means always.
  LunaPlanTrick trick;
  /// The number of items up to which `best` tries it; 0 means any.
  uint32_t best_limit;
};

/// All strategies but `best`, in the order in which `best` tries them.
extern const LunaPlanStrategy luna_plan_strategies[];
extern const uint32_t luna_plan_strategy_count;

/// Returns the strategy of this name, or NULL.
const LunaPlanStrategy *luna_plan_strategy_find(const char *name);

/// Returns the items that are not fixed, sorted by `before`, in `arena`; writes
/// their number to `count`.
uint32_t *luna_plan_order_items(const LunaPlanItems *items,
                                LunaPlanBefore before, const void *context,
                                uint32_t *count, LunaArena *arena);

/// Places items one by one in the given order, by `fit`, after all fixed items.
/// O(conflicts log conflicts) if neighbours are listed, else O(n^2).
void luna_plan_place_in_order(const LunaPlanItems *items, const uint32_t *order,
                              uint32_t count, LunaPlanFit fit, int64_t *offsets,
                              LunaArena *arena);

/// Places items in the order of the strategy, by its fit (Algorithm 1 of the
/// seed paper, with PLAN_FIT_LOWEST).
void luna_plan_place_sorted(const LunaPlanStrategy *self,
                            const LunaPlanItems *items,
                            LunaPlanContext *context, int64_t *offsets,
                            LunaArena *arena);

/// Places all items without overlap, above the fixed ones.
void luna_plan_place_apart(const LunaPlanStrategy *self,
                           const LunaPlanItems *items, LunaPlanContext *context,
                           int64_t *offsets, LunaArena *arena);

/// Partitions the items into the fewest groups that are never live together,
/// and places them group by group, each item on top of its neighbours. After
/// Maeda (LeapMind, 2021): the greedy minimum path cover.
void luna_plan_place_path_cover(const LunaPlanStrategy *self,
                                const LunaPlanItems *items,
                                LunaPlanContext *context, int64_t *offsets,
                                LunaArena *arena);

/// Places the items live at the heaviest point first, then those nearest to it,
/// forwards and backwards. After Niu et al. (SoD2, 2024).
void luna_plan_place_outward(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena);

#endif // LUNA_PLAN_STRATEGY_H
