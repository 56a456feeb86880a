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
  // The steps of one search, as a multiple of the number of items.
  STEPS_PER_ITEM = 2,
  // The limit of keys: the first key of an order grows by up to three fifths.
  KEY_LIMIT = 600,
  // The most keys that change at once.
  MAX_CHANGES = 32,
  // The number of consecutive changes without improvement before a restart.
  MAX_IDLE = 300,
};

static void change_keys(LunaPlanWork *work) {
  uint32_t changes = 1 + luna_plan_random_below(work, MAX_CHANGES);
  for (uint32_t i = 0; i < changes; ++i) {
    uint32_t item = luna_plan_random_below(work, work->count);
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

void luna_plan_climb(LunaPlanWork *work, int64_t enough, uint64_t until,
                     LunaArena *arena) {
  uint32_t *kept = LUNA_ARENA_ARRAY(arena, uint32_t, work->count);
  uint64_t limit = STEPS_PER_ITEM * (uint64_t)work->count;
  uint32_t kind = 0, idle = MAX_IDLE;
  int64_t kept_reach = 0;
  bool has_found = false;
  while (plan_should_continue(work, enough) && work->steps < until) {
    bool is_new = idle >= MAX_IDLE;
    if (is_new) {
      kind = luna_plan_draw_kind(work);
      kept_reach = 0;
      idle = 0;
    }
    draw_keys(work, kept, is_new, has_found);
    luna_plan_order_by_totals(work, kind, true);
    has_found = luna_plan_attempt(work, work->best - 1, limit) == PLAN_FOUND;
    // The progress at one capacity is not comparable with another.
    int64_t reach = has_found ? 0 : luna_plan_search_reach(work->search);
    idle = has_found || reach > kept_reach ? 0 : idle + 1;
    if (has_found || reach >= kept_reach) {
      memcpy(kept, work->noise, sizeof *kept * work->count);
      kept_reach = reach;
    }
  }
}
