#ifndef LUNA_PLAN_ATTEMPT_H
#define LUNA_PLAN_ATTEMPT_H

#include "plan_search.h"
#include "plan_strategy.h"

/// The state of `optimal` for one leaf, and one attempt to find a smaller plan
/// of it: shared by the phases (plan_optimal.c, plan_climb.c).

typedef struct LunaPlanWork {
  LunaPlanSearch *search;
  uint32_t count;
  /// In units.
  int64_t *sizes;
  /// The keys of orders, scaled so that their products stay small.
  int64_t *small_sizes, *lengths, *section_counts;
  /// No plan is smaller than `bound`; `best` is the size of the plan in
  /// `offsets`.
  int64_t bound, best;
  int64_t *offsets, *trial;
  LunaPlanOrder order;
  int64_t *first_keys, *second_keys;
  /// The increase of the first key of each item, in 1024ths.
  uint32_t *noise;
  uint64_t random;
  uint64_t steps, step_budget;
  /// NULL if nobody listens.
  LunaPlanPulse *pulse;
} LunaPlanWork;

/// Prepares a leaf with the plan `start`, in `arena`. Sizes are in
/// `unit_bytes`; no plan is smaller than `bound_bytes`.
LunaPlanWork luna_plan_work_make(const LunaPlanItems *items,
                                 const uint32_t *members, uint32_t member_count,
                                 const int64_t *start, int64_t unit_bytes,
                                 int64_t bound_bytes, LunaArena *arena);

/// Returns true if a trick is not left out.
static inline bool plan_work_tries(const LunaPlanWork *work,
                                   LunaPlanTrick trick) {
  return plan_tries(&work->order.without, trick);
}

/// Returns a pseudo-random number below `limit` (> 0).
uint32_t luna_plan_random_below(LunaPlanWork *work, uint32_t limit);

/// Draws new noise below `limit` for every item.
void luna_plan_draw_noise(LunaPlanWork *work, uint32_t limit);

/// The kinds of order, in two bits: items in the heaviest sections first, then
/// by length or by area (size times length), where length is the time or the
/// number of sections.
enum {
  PLAN_BY_LENGTH = 0,
  PLAN_BY_AREA = 1,
  PLAN_BY_SECTIONS = 2,
  PLAN_ORDER_KINDS = 4,
  /// Totals that differ by less than a 300th, or a 30th, of the bound are
  /// equal.
  PLAN_BY_CLOSE_TOTALS = 4,
  PLAN_BY_COARSE_TOTALS = 8,
};

/// Draws a kind: mostly the heaviest sections and the longest lifetimes first,
/// which finds most plans; the others for problems where it does not.
uint32_t luna_plan_draw_kind(LunaPlanWork *work);

/// Computes an order of one of the kinds, with the noise of `work` if
/// requested.
void luna_plan_order_by_totals(LunaPlanWork *work, uint32_t kind,
                               bool with_noise);

/// Orders items by their offset in the best plan, lowest first.
void luna_plan_order_by_plan(LunaPlanWork *work);

/// Searches for at most `limit` steps in the current order. A plan found
/// becomes the best one; a capacity proven too small raises the bound. Where
/// planning is to stop, no steps are left.
LunaPlanOutcome luna_plan_attempt(LunaPlanWork *work, int64_t capacity,
                                  uint64_t limit);

/// Returns true if the search continues: the best plan exceeds `enough` and the
/// bound, and steps are left.
static inline bool plan_should_continue(const LunaPlanWork *work,
                                        int64_t enough) {
  return work->best > work->bound && work->best > enough &&
         work->steps < work->step_budget;
}

#endif // LUNA_PLAN_ATTEMPT_H
