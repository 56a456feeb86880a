#ifndef LUNA_PLAN_ATTEMPT_H
#define LUNA_PLAN_ATTEMPT_H

#include "plan_search.h"

/// One leaf while `optimal` plans it, and one attempt to plan it in less: what
/// its phases (plan_optimal.c, plan_climb.c) have in common.

typedef struct PlanWork {
  PlanSearch *search;
  uint32_t count;
  /// In units.
  int64_t *sizes;
  /// By which orders are made, scaled so that their products stay small.
  int64_t *small_sizes, *lengths, *section_counts;
  /// Nothing below `bound` exists; `best` is the plan in `offsets`.
  int64_t bound, best;
  int64_t *offsets, *trial;
  PlanOrder order;
  int64_t *first_keys, *second_keys;
  /// By how much, in 1024ths, the first key of each item is made larger.
  uint32_t *noise;
  uint64_t random;
  uint64_t steps, step_budget;
} PlanWork;

/// Prepares a leaf whose items lie as in `start`, all of it in `arena`. Sizes
/// are counted in `unit_bytes`; no plan is smaller than `bound_bytes`.
PlanWork plan_work_make(const PlanItems *items, const uint32_t *members,
                        uint32_t member_count, const int64_t *start,
                        int64_t unit_bytes, int64_t bound_bytes,
                        LunaArena *arena);

/// Gives a number below `limit` (> 0), the same on every machine.
uint32_t plan_random_below(PlanWork *work, uint32_t limit);

/// Draws the noise of every item anew, each below `limit`.
void plan_draw_noise(PlanWork *work, uint32_t limit);

/// The kinds of order, by two bits: items in the heaviest sections first, then
/// the longest or those of the largest area (size times length), where length
/// is time or the number of sections.
enum { PLAN_BY_AREA = 1, PLAN_BY_SECTIONS = 2, PLAN_ORDER_KINDS = 4 };

/// Draws a kind: mostly the heaviest sections and the longest lives first,
/// which is what finds most plans; the others for problems where it does not.
uint32_t plan_draw_kind(PlanWork *work);

/// Makes an order of one of the kinds, with the noise of the work if asked.
void plan_order_by_totals(PlanWork *work, uint32_t kind, bool with_noise);

/// Orders items as they lie in the best plan, lowest first.
void plan_order_by_plan(PlanWork *work);

/// One search of at most `limit` steps, in the order of the work. A plan found
/// becomes the best one; a capacity proven too small raises the bound.
PlanOutcome plan_attempt(PlanWork *work, int64_t capacity, uint64_t limit);

/// Whether search is to go on: above `enough` and the bound, with steps left.
static inline bool plan_has_to_go_on(const PlanWork *work, int64_t enough) {
  return work->best > work->bound && work->best > enough &&
         work->steps < work->step_budget;
}

#endif // LUNA_PLAN_ATTEMPT_H
