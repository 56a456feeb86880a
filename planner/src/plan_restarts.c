#include "plan_restarts.h"

// Noise increases first keys by up to a tenth (in 1024ths).
enum { INSIST_NOISE = 100 };

// The steps of a search, as multiples of the number of items.
enum { SHORT_TRY = 4, LONG_TRY = 40, NOISY_TRY = 12 };

// Sets the order of the next search and returns its steps.
static uint64_t next_restart(LunaPlanWork *work, LunaPlanRestarts *restarts) {
  if (restarts->done == 0 && !plan_work_tries(work, PLAN_TRICK_INSIST_SHORT))
    restarts->done = PLAN_ORDER_KINDS;
  if (restarts->done == PLAN_ORDER_KINDS &&
      !plan_work_tries(work, PLAN_TRICK_INSIST_LONG))
    restarts->done = 2 * PLAN_ORDER_KINDS;
  uint32_t index = restarts->done++;
  if (index < 2 * PLAN_ORDER_KINDS) {
    luna_plan_order_by_totals(work, index % PLAN_ORDER_KINDS, false);
    return (index < PLAN_ORDER_KINDS ? SHORT_TRY : LONG_TRY) *
           (uint64_t)work->count;
  }
  luna_plan_draw_noise(work, INSIST_NOISE);
  luna_plan_order_by_totals(work, luna_plan_draw_kind(work), true);
  return NOISY_TRY * (uint64_t)work->count;
}

LunaPlanOutcome luna_plan_insist(LunaPlanWork *work, int64_t capacity,
                                 LunaPlanRestarts *restarts, uint64_t until) {
  LunaPlanOutcome outcome = PLAN_UNDECIDED;
  while (outcome == PLAN_UNDECIDED && work->steps < until &&
         work->steps < work->step_budget) {
    uint64_t limit = next_restart(work, restarts);
    uint64_t left = until - work->steps;
    outcome = luna_plan_attempt(work, capacity, limit < left ? limit : left);
  }
  return outcome;
}
