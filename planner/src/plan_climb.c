// Local search over the orders of the exact search. A search that succeeds
// close to the bound mostly does so within a few steps per item: the order
// decides. So the order is improved, as in random-key genetic algorithms (Bean,
// 1994), where a decoder interprets a vector of keys. Here the noise of each
// item is its key, the decoder is a short exact search, and the fitness is the
// amount of memory filled before the steps run out. Instead of a population
// there is one vector, and a change that is not worse is kept: the (1+1)
// evolution strategy (Rechenberg, 1973), restarted when it stagnates.

#include "plan_climb.h"

#include <string.h>

enum {
  // The steps of one search, as a multiple of the number of items; without
  // progress, it is given up after that number by PATIENCE.
  STEPS_PER_ITEM = 2,
  PATIENCE = 2,
  // The limit of keys: the first key of an order grows by up to three fifths.
  KEY_LIMIT = 600,
  // The most keys that change at once.
  MAX_CHANGES = 32,
  // Of the changes, those in the section where the last search failed.
  FAILED_PERCENT = 50,
  // The number of consecutive changes without improvement before a restart.
  MAX_IDLE = 300,
};

// Draws an item: often one of the section where the last search failed, since
// what is live elsewhere hardly matters to it.
static uint32_t draw_item(LunaPlanWork *work) {
  const uint32_t *members = NULL;
  uint32_t count = luna_plan_search_failed(work->search, &members);
  uint32_t any = luna_plan_random_below(work, work->count);
  if (count == 0 || !plan_work_tries(work, PLAN_TRICK_CLIMB_FAILED) ||
      luna_plan_random_below(work, 100) >= FAILED_PERCENT)
    return any;
  return members[luna_plan_random_below(work, count)];
}

static void change_keys(LunaPlanWork *work) {
  uint32_t changes = 1 + luna_plan_random_below(work, MAX_CHANGES);
  for (uint32_t i = 0; i < changes; ++i) {
    uint32_t item = draw_item(work);
    work->noise[item] = luna_plan_random_below(work, KEY_LIMIT);
  }
}

// Draws the keys of the next search: all of them, or some of the kept ones.
// After a plan was found, the same keys are first evaluated at the new
// capacity.
static void draw_keys(LunaPlanWork *work, const uint32_t *kept, bool is_new,
                      bool has_found) {
  if (is_new) {
    luna_plan_draw_noise(work, KEY_LIMIT);
  } else if (!has_found) {
    memcpy(work->noise, kept, sizeof *kept * work->count);
    change_keys(work);
  }
}

// Keeps the order of the last search if that was no worse.
static void keep(LunaPlanClimb *climb, const LunaPlanWork *work,
                 bool has_found) {
  int64_t reach = has_found ? 0 : luna_plan_search_reach(work->search);
  climb->idle = has_found || reach > climb->reach ? 0 : climb->idle + 1;
  if (!has_found && reach < climb->reach)
    return;
  memcpy(climb->kept, work->noise, sizeof *climb->kept * work->count);
  climb->reach = reach;
}

LunaPlanClimb luna_plan_climb_make(const LunaPlanWork *work, LunaArena *arena) {
  return (LunaPlanClimb){
      .kept = LUNA_ARENA_ARRAY(arena, uint32_t, work->count),
      .idle = MAX_IDLE,
  };
}

void luna_plan_climb(LunaPlanClimb *climb, LunaPlanWork *work, int64_t enough,
                     uint64_t until) {
  uint64_t limit = STEPS_PER_ITEM * (uint64_t)work->count;
  // The progress at one capacity is not comparable with another.
  bool has_found = climb->best != work->best;
  if (has_found) {
    memcpy(work->noise, climb->kept, sizeof *climb->kept * work->count);
    climb->reach = 0;
  }
  while (plan_should_continue(work, enough) && work->steps < until) {
    bool is_new = climb->idle >= MAX_IDLE;
    if (is_new) {
      climb->kind = luna_plan_draw_kind(work);
      climb->reach = 0;
      climb->idle = 0;
    }
    draw_keys(work, climb->kept, is_new, has_found);
    luna_plan_order_by_totals(work, climb->kind, true);
    work->order.patience = plan_work_tries(work, PLAN_TRICK_CLIMB_PATIENCE)
                               ? work->count / PATIENCE
                               : 0;
    has_found = luna_plan_attempt(work, work->best - 1, limit) == PLAN_FOUND;
    work->order.patience = 0;
    keep(climb, work, has_found);
  }
  climb->best = has_found ? 0 : work->best;
}
