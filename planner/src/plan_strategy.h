#ifndef LUNA_PLAN_STRATEGY_H
#define LUNA_PLAN_STRATEGY_H

#include "plan_items.h"
#include "plan_sort.h"

/// The strategies: each places the items of one flat problem.

typedef struct PlanStrategy PlanStrategy;
typedef struct PlanAssignment PlanAssignment;

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
  /// Groups of the path cover, by the strategy of that name.
  uint32_t group_count;
} PlanContext;

/// Where an item goes beside those placed before.
typedef enum PlanFit {
  /// To the lowest offset with room for it.
  PLAN_FIT_LOWEST,
  /// To the smallest gap with room for it, the lowest of these; on top of all
  /// others where there is none.
  PLAN_FIT_SMALLEST,
  /// On top of all others that it meets.
  PLAN_FIT_TOP,
} PlanFit;

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
  /// For those that fit one item after another.
  PlanFit fit;
  /// For those that share objects: fills the assignment.
  void (*assign)(PlanAssignment *assignment, LunaArena *arena);
  /// Items up to which `best` tries it; 0 means any number.
  uint32_t best_limit;
};

/// All strategies but `best`, in the order in which `best` tries them.
extern const PlanStrategy plan_strategies[];
extern const uint32_t plan_strategy_count;

/// Finds a strategy by name; NULL when there is none.
const PlanStrategy *plan_strategy_find(const char *name);

/// Gives the items that are not fixed in the order of `before`, in `arena`,
/// their number in `count`.
uint32_t *plan_order_items(const PlanItems *items, PlanBefore before,
                           const void *context, uint32_t *count,
                           LunaArena *arena);

/// Places items one by one in the order given, by `fit`; fixed items lie
/// where they are before it begins.
/// O(conflicts log conflicts) where neighbours are listed, else O(n^2).
void plan_place_in_order(const PlanItems *items, const uint32_t *order,
                         uint32_t count, PlanFit fit, int64_t *offsets,
                         LunaArena *arena);

/// Places items in the order of the strategy, by its fit (Algorithm 1 of the
/// seed paper, with PLAN_FIT_LOWEST).
void plan_place_sorted(const PlanStrategy *self, const PlanItems *items,
                       PlanContext *context, int64_t *offsets,
                       LunaArena *arena);

/// Gives every item a place of its own, above the fixed ones.
void plan_place_apart(const PlanStrategy *self, const PlanItems *items,
                      PlanContext *context, int64_t *offsets, LunaArena *arena);

/// Groups items that are never live together, as few groups as can be, and
/// places them group by group, each on top of those it meets. After Maeda
/// (LeapMind, 2021): the greedy minimum path cover.
void plan_place_path_cover(const PlanStrategy *self, const PlanItems *items,
                           PlanContext *context, int64_t *offsets,
                           LunaArena *arena);

/// Places what is live at the heaviest point first, then what lives nearest to
/// it, forwards and backwards. After Niu et al. (SoD2, 2024).
void plan_place_outward(const PlanStrategy *self, const PlanItems *items,
                        PlanContext *context, int64_t *offsets,
                        LunaArena *arena);

#endif // LUNA_PLAN_STRATEGY_H
