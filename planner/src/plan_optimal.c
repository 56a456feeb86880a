// The strategy `optimal`: decomposes the problem, and for each part searches at
// its lower bound first, then downwards from the best known plan.

#include "plan_optimal.h"

#include <string.h>

#include "plan_attempt.h"
#include "plan_climb.h"
#include "plan_leaf.h"

// The initial steps of one search, as multiples of the number of items: each
// kind of order has a short and a long attempt, then follow orders with noise.
enum { SHORT_TRY = 4, LONG_TRY = 40, NOISY_TRY = 8 };

// Noise increases first keys by up to a fifth.
enum { NOISE = 205 };

// Searches at one capacity with varying orders and growing step limits until
// `until` steps are taken.
static LunaPlanOutcome insist(LunaPlanWork *work, int64_t capacity,
                              uint64_t until) {
  uint64_t noisy_limit = NOISY_TRY * (uint64_t)work->count;
  LunaPlanOutcome outcome = PLAN_UNDECIDED;
  if (until > work->step_budget)
    until = work->step_budget;
  for (uint32_t round = 0; outcome == PLAN_UNDECIDED && work->steps < until;
       ++round) {
    uint64_t limit = noisy_limit;
    bool has_noise = round >= 2 * PLAN_ORDER_KINDS;
    if (!has_noise)
      limit = (round < PLAN_ORDER_KINDS ? SHORT_TRY : LONG_TRY) *
              (uint64_t)work->count;
    else
      noisy_limit += noisy_limit / 8;
    if (has_noise)
      luna_plan_draw_noise(work, NOISE);
    luna_plan_order_by_totals(work, round % PLAN_ORDER_KINDS, has_noise);
    uint64_t left = until - work->steps;
    outcome = luna_plan_attempt(work, capacity, limit < left ? limit : left);
  }
  return outcome;
}

// Bisects between the best plan and the largest capacity without a plan, with a
// few steps at each size.
static void approach(LunaPlanWork *work, int64_t enough) {
  int64_t low = work->bound > enough ? work->bound : enough;
  while (work->best - low > 1 && work->steps < work->step_budget) {
    int64_t middle = low + (work->best - low) / 2;
    uint64_t until = work->steps + 24 * (uint64_t)work->count;
    if (insist(work, middle, until) != PLAN_FOUND)
      low = middle;
  }
}

// The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 … (Luby, Sinclair and Zuckerman,
// 1993), from index 1: the factor by which a search may be longer.
static uint64_t restart_length(uint64_t index) {
  uint64_t length = 1;
  while (2 * length - 1 < index)
    length *= 2;
  while (2 * length - 1 != index) {
    index -= length - 1;
    length = 1;
    while (2 * length - 1 < index)
      length *= 2;
  }
  return length;
}

// Repeatedly searches below the best plan, by a sixteenth of the gap to the
// bound. The order of the plan itself is tried once for each length of search.
// Stops after `patience` steps without improvement.
static void descend(LunaPlanWork *work, int64_t enough, uint64_t patience) {
  uint64_t longest = 0, index = 0;
  uint64_t until = work->steps + patience;
  while (plan_should_continue(work, enough) && work->steps < until) {
    uint64_t length = restart_length(++index);
    int64_t less = (work->best - work->bound) / 16;
    if (length > longest) {
      longest = length;
      less = 1;
      luna_plan_order_by_plan(work);
    } else {
      uint32_t kind = luna_plan_draw_kind(work);
      luna_plan_draw_noise(work, NOISE);
      luna_plan_order_by_totals(work, kind, true);
    }
    int64_t capacity = work->best - (less > 1 ? less : 1);
    if (capacity < enough)
      capacity = enough;
    if (luna_plan_attempt(work, capacity, SHORT_TRY * work->count * length) !=
        PLAN_FOUND)
      continue;
    until = work->steps + patience;
    longest = 0;
    index = 0;
  }
}

// Descent and climb alternate: PATIENCE is the number of steps per item without
// a plan after which the first descent ends; it doubles each time, so that
// searches become long enough for a proof. CLIMB_SHARE is how much longer each
// climb is.
enum { PATIENCE = 550, CLIMB_SHARE = 8 };

// Plans one leaf, down to `enough`.
static void plan_leaf(LunaPlanWork *work, int64_t enough, LunaArena *arena) {
  // With unlimited capacity every order yields a plan at once.
  for (uint32_t i = 0; i < 2; ++i) {
    luna_plan_order_by_totals(work, i == 1 ? PLAN_BY_AREA : 0, false);
    luna_plan_attempt(work, INT64_MAX / 4, work->count + 1);
  }
  if (enough < work->bound)
    enough = work->bound;
  if (work->best <= enough)
    return;
  insist(work, enough, work->steps + (work->step_budget - work->steps) / 4);
  if (work->best <= enough || work->best <= work->bound)
    return;
  approach(work, enough);
  uint64_t patience = PATIENCE * (uint64_t)work->count;
  for (; plan_should_continue(work, enough); patience *= 2) {
    descend(work, enough, patience);
    luna_plan_climb(work, enough, work->steps + CLIMB_SHARE * patience, arena);
  }
}

// Returns the bound of a leaf as a problem of its own.
static int64_t bound_of_leaf(const LunaPlanItems *items,
                             const LunaPlanLeaf *leaf, LunaArena *arena) {
  LunaPlanItems own = {.count = leaf->member_count,
                       .point_count = items->point_count};
  own.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, own.count);
  for (uint32_t i = 0; i < own.count; ++i)
    own.items[i] = items->items[leaf->members[i]];
  return luna_plan_items_bound(&own).bytes;
}

// Writes the best greedy plan to `offsets` and returns its size.
static int64_t place_greedily(const LunaPlanItems *items,
                              LunaPlanContext *context, int64_t *offsets,
                              LunaArena *arena) {
  static const char *const names[] = {"large-first", "sequential",
                                      "short-first"};
  int64_t *trial = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  int64_t best = INT64_MAX;
  for (uint32_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const LunaPlanStrategy *strategy = luna_plan_strategy_find(names[i]);
    strategy->place(strategy, items, context, trial, arena);
    int64_t bytes = luna_plan_items_peak(items, trial);
    if (bytes >= best)
      continue;
    memcpy(offsets, trial, sizeof(int64_t) * items->count);
    best = bytes;
  }
  return best;
}

typedef struct LeafBounds {
  const LunaPlanLeaf *leaves;
  int64_t *bounds;
} LeafBounds;

static bool is_heavier(const void *context, uint32_t a, uint32_t b) {
  const LeafBounds *all = context;
  return all->leaves[a].base_bytes + all->bounds[a] >
         all->leaves[b].base_bytes + all->bounds[b];
}

// Returns the leaves by descending bound.
static uint32_t *order_leaves(const LunaPlanItems *items,
                              const LunaPlanLeaves *leaves, LunaArena *arena) {
  LeafBounds all = {.leaves = leaves->leaves};
  all.bounds = LUNA_ARENA_ARRAY(arena, int64_t, leaves->count);
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, leaves->count);
  for (uint32_t i = 0; i < leaves->count; ++i) {
    all.bounds[i] = bound_of_leaf(items, &leaves->leaves[i], arena);
    order[i] = i;
  }
  luna_plan_sort(order, leaves->count, is_heavier, &all, arena);
  return order;
}

// Plans all leaves into `offsets`, the heaviest first: the others need not be
// smaller than it. Raises `*proven_bytes` to the proven bound.
static void plan_leaves(const LunaPlanItems *items,
                        const LunaPlanLeaves *leaves, const int64_t *start,
                        int64_t unit_bytes, LunaPlanContext *context,
                        int64_t *offsets, int64_t *proven_bytes,
                        LunaArena *leaf_arena) {
  const uint32_t *order = order_leaves(items, leaves, leaf_arena);
  int64_t enough_bytes = context->enough_bytes > *proven_bytes
                             ? context->enough_bytes
                             : *proven_bytes;
  uint64_t end = context->steps + context->step_budget;
  for (uint32_t i = 0; i < leaves->count; ++i) {
    const LunaPlanLeaf *leaf = &leaves->leaves[order[i]];
    LunaArena arena = {0};
    LunaPlanWork work = luna_plan_work_make(
        items, leaf->members, leaf->member_count, start, unit_bytes,
        bound_of_leaf(items, leaf, &arena), &arena);
    work.step_budget = (end - context->steps) / (leaves->count - i);
    plan_leaf(&work, (enough_bytes - leaf->base_bytes) / unit_bytes, &arena);
    context->steps += work.steps;
    int64_t proven = leaf->base_bytes + work.bound * unit_bytes;
    int64_t height = leaf->base_bytes + work.best * unit_bytes;
    if (*proven_bytes < proven)
      *proven_bytes = proven;
    if (enough_bytes < height)
      enough_bytes = height;
    for (uint32_t k = 0; k < leaf->member_count; ++k)
      offsets[leaf->members[k]] =
          leaf->base_bytes + work.offsets[k] * unit_bytes;
    luna_arena_destroy(&arena);
  }
}

void luna_plan_place_optimal(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena) {
  (void)self;
  int64_t best = place_greedily(items, context, offsets, arena);
  context->proven_bytes = luna_plan_items_bound(items).bytes;
  if (best <= context->proven_bytes || best <= context->enough_bytes ||
      items->count > PLAN_OPTIMAL_MAX_ITEMS)
    return;
  int64_t unit_bytes = luna_plan_unit_bytes(items);
  int64_t *searched = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  LunaPlanLeaves leaves =
      luna_plan_decompose(items, unit_bytes, searched, arena);
  if (context->proven_bytes < leaves.clique_bytes)
    context->proven_bytes = leaves.clique_bytes;
  plan_leaves(items, &leaves, offsets, unit_bytes, context, searched,
              &context->proven_bytes, arena);
  if (luna_plan_items_peak(items, searched) < best)
    memcpy(offsets, searched, sizeof(int64_t) * items->count);
}
