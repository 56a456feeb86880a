// The strategy `optimal`: takes the problem apart, and for each part searches
// at its lower bound first, then downwards from the best plan known.

#include "plan_optimal.h"

#include <string.h>

#include "luna/checked.h"
#include "plan_leaf.h"
#include "plan_search.h"

// One leaf while it is being planned. Sizes are in units.
typedef struct Work {
  PlanSearch *search;
  uint32_t count;
  int64_t *sizes;
  // By which orders are made, scaled so that their products stay small.
  int64_t *small_sizes, *lengths, *section_counts;
  // Nothing below `bound` exists; `best` is the plan in `offsets`.
  int64_t bound, best;
  int64_t *offsets, *trial;
  PlanOrder order;
  int64_t *first_keys, *second_keys;
  uint64_t random;
  uint64_t steps, step_budget;
} Work;

static uint32_t random_below(Work *work, uint32_t limit) {
  work->random = work->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(work->random >> 33) % limit;
}

// The orders that are tried in turn: items in the heaviest sections first,
// then the longest, or those of the largest area (size times length), where
// length is time or the number of sections.
enum { BY_AREA = 1, BY_SECTIONS = 2, ORDER_KINDS = 4 };

// Makes an order of one of the kinds; `with_noise` makes the first key up to
// a fifth larger at random.
static void order_by_totals(Work *work, uint32_t kind, bool with_noise) {
  const int64_t *lengths =
      (kind & BY_SECTIONS) != 0 ? work->section_counts : work->lengths;
  for (uint32_t i = 0; i < work->count; ++i) {
    int64_t area = work->small_sizes[i] * lengths[i];
    int64_t factor = with_noise ? 1024 + random_below(work, 205) : 1024;
    bool by_area = (kind & BY_AREA) != 0;
    work->first_keys[i] = (by_area ? area : lengths[i]) * factor;
    work->second_keys[i] = by_area ? lengths[i] : area;
  }
  work->order.is_by_total = true;
}

// Orders items as they lie in the best plan, lowest first.
static void order_by_plan(Work *work) {
  for (uint32_t i = 0; i < work->count; ++i) {
    work->first_keys[i] = -work->offsets[i];
    work->second_keys[i] = work->lengths[i];
  }
  work->order.is_by_total = false;
}

// One search; a plan found becomes the best one.
static PlanOutcome attempt(Work *work, int64_t capacity, uint64_t limit) {
  uint64_t left = work->step_budget - work->steps;
  PlanOutcome outcome =
      plan_search_run(work->search, capacity, &work->order,
                      limit < left ? limit : left, &work->steps, work->trial);
  if (outcome == PLAN_IMPOSSIBLE && capacity >= work->bound)
    work->bound = capacity + 1;
  if (outcome != PLAN_FOUND)
    return outcome;
  int64_t height = 0;
  for (uint32_t i = 0; i < work->count; ++i)
    if (work->trial[i] + work->sizes[i] > height)
      height = work->trial[i] + work->sizes[i];
  if (height < work->best) {
    memcpy(work->offsets, work->trial, sizeof(int64_t) * work->count);
    work->best = height;
  }
  return outcome;
}

// Steps of one search at first, as multiples of the number of items: each kind
// of order has a short try and a long one, then come orders with noise.
enum { SHORT_TRY = 4, LONG_TRY = 40, NOISY_TRY = 8 };

// Searches at one capacity with orders that change, in time with more steps,
// until the steps `until` are taken.
static PlanOutcome insist(Work *work, int64_t capacity, uint64_t until) {
  uint64_t noisy_limit = NOISY_TRY * (uint64_t)work->count;
  PlanOutcome outcome = PLAN_UNDECIDED;
  if (until > work->step_budget)
    until = work->step_budget;
  for (uint32_t round = 0; outcome == PLAN_UNDECIDED && work->steps < until;
       ++round) {
    uint64_t limit = noisy_limit;
    bool has_noise = round >= 2 * ORDER_KINDS;
    if (!has_noise)
      limit =
          (round < ORDER_KINDS ? SHORT_TRY : LONG_TRY) * (uint64_t)work->count;
    else
      noisy_limit += noisy_limit / 8;
    order_by_totals(work, round % ORDER_KINDS, has_noise);
    uint64_t left = until - work->steps;
    outcome = attempt(work, capacity, limit < left ? limit : left);
  }
  return outcome;
}

// Halves the gap between what is known to be enough and what was not found,
// a few steps at each size.
static void approach(Work *work, int64_t enough) {
  int64_t low = work->bound > enough ? work->bound : enough;
  while (work->best - low > 1 && work->steps < work->step_budget) {
    int64_t middle = low + (work->best - low) / 2;
    uint64_t until = work->steps + 24 * (uint64_t)work->count;
    if (insist(work, middle, until) != PLAN_FOUND)
      low = middle;
  }
}

// The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 … (Luby, Sinclair and Zuckerman,
// 1993), from index 1: how much longer than usual a search may be.
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

// An order for one more try below the best plan: mostly the heaviest sections
// and the longest lives first with other noise each time, which is what finds
// most plans; the others for problems where it does not.
static void order_for_descent(Work *work) {
  uint32_t choice = random_below(work, 16);
  uint32_t kind = choice < 13    ? 0
                  : choice == 13 ? BY_AREA
                  : choice == 14 ? BY_SECTIONS
                                 : BY_AREA | BY_SECTIONS;
  order_by_totals(work, kind, true);
}

// Asks for less than the best plan, again and again: by a sixteenth of the gap
// to the bound. The plan itself is the guide once for every length of search.
static void descend(Work *work, int64_t enough) {
  uint64_t longest = 0, index = 0;
  while (work->best > work->bound && work->best > enough &&
         work->steps < work->step_budget) {
    uint64_t length = restart_length(++index);
    int64_t less = (work->best - work->bound) / 16;
    if (length > longest) {
      longest = length;
      less = 1;
      order_by_plan(work);
    } else {
      order_for_descent(work);
    }
    int64_t capacity = work->best - (less > 1 ? less : 1);
    if (capacity < enough)
      capacity = enough;
    if (attempt(work, capacity, SHORT_TRY * work->count * length) != PLAN_FOUND)
      continue;
    longest = 0;
    index = 0;
  }
}

// Plans one leaf, down to `enough`.
static void plan_leaf(Work *work, int64_t enough) {
  // At a capacity without end every order gives a plan at once.
  for (uint32_t i = 0; i < 2; ++i) {
    order_by_totals(work, i == 1 ? BY_AREA : 0, false);
    attempt(work, INT64_MAX / 4, work->count + 1);
  }
  if (enough < work->bound)
    enough = work->bound;
  if (work->best <= enough)
    return;
  insist(work, enough, work->steps + (work->step_budget - work->steps) / 4);
  if (work->best <= enough || work->best <= work->bound)
    return;
  approach(work, enough);
  descend(work, enough);
}

// The items of a leaf as a problem of their own, for its bound.
static int64_t bound_of_leaf(const PlanItems *items, const PlanLeaf *leaf,
                             LunaArena *arena) {
  PlanItems own = {.count = leaf->member_count,
                   .point_count = items->point_count};
  own.items = LUNA_ARENA_ARRAY(arena, PlanItem, own.count);
  for (uint32_t i = 0; i < own.count; ++i)
    own.items[i] = items->items[leaf->members[i]];
  return plan_items_bound(&own).bytes;
}

// Copies numbers, halved as often as makes the largest fit in `bits` bits.
static int64_t *scaled(const int64_t *numbers, uint32_t count, int bits,
                       LunaArena *arena) {
  int64_t *small = LUNA_ARENA_ARRAY(arena, int64_t, count);
  int shift = 0;
  for (uint32_t i = 0; i < count; ++i)
    while (numbers[i] >> shift >> bits > 0)
      ++shift;
  for (uint32_t i = 0; i < count; ++i)
    small[i] = numbers[i] >> shift;
  return small;
}

static void measure_items(Work *work, const PlanItems *items,
                          const PlanLeaf *leaf, int64_t unit_bytes,
                          LunaArena *arena) {
  uint32_t count = leaf->member_count;
  int64_t *lengths = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work->sizes = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work->section_counts = LUNA_ARENA_ARRAY(arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t member = leaf->members[i];
    work->sizes[i] = items->items[member].size_bytes / unit_bytes;
    work->section_counts[i] = plan_search_sections(work->search, i);
    lengths[i] = plan_item_length(items, member);
  }
  work->small_sizes = scaled(work->sizes, count, 28, arena);
  work->lengths = scaled(lengths, count, 22, arena);
}

static Work make_work(const PlanItems *items, const PlanLeaf *leaf,
                      const int64_t *start, int64_t unit_bytes,
                      LunaArena *arena) {
  uint32_t count = leaf->member_count;
  Work work = {.count = count, .random = 1};
  work.search =
      plan_search_create(items, leaf->members, count, unit_bytes, arena);
  measure_items(&work, items, leaf, unit_bytes, arena);
  work.offsets = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.trial = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.first_keys = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.second_keys = LUNA_ARENA_ARRAY(arena, int64_t, count);
  work.order = (PlanOrder){.first_keys = work.first_keys,
                           .second_keys = work.second_keys};
  work.bound = luna_ceil_div(bound_of_leaf(items, leaf, arena), unit_bytes);
  for (uint32_t i = 0; i < count; ++i) {
    work.offsets[i] = start[leaf->members[i]] / unit_bytes;
    if (work.best < work.offsets[i] + work.sizes[i])
      work.best = work.offsets[i] + work.sizes[i];
  }
  return work;
}

// The best of the greedy plans, in `offsets`; gives its size.
static int64_t place_greedily(const PlanItems *items, PlanContext *context,
                              int64_t *offsets, LunaArena *arena) {
  static const char *const names[] = {"large-first", "sequential",
                                      "short-first"};
  int64_t *trial = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  int64_t best = INT64_MAX;
  for (uint32_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const PlanStrategy *strategy = plan_strategy_find(names[i]);
    strategy->place(strategy, items, context, trial, arena);
    int64_t bytes = plan_items_peak(items, trial);
    if (bytes >= best)
      continue;
    memcpy(offsets, trial, sizeof(int64_t) * items->count);
    best = bytes;
  }
  return best;
}

typedef struct LeafBounds {
  const PlanLeaf *leaves;
  int64_t *bounds;
} LeafBounds;

static bool is_heavier(const void *context, uint32_t a, uint32_t b) {
  const LeafBounds *all = context;
  return all->leaves[a].base_bytes + all->bounds[a] >
         all->leaves[b].base_bytes + all->bounds[b];
}

// The leaves, that with the largest bound first.
static uint32_t *order_leaves(const PlanItems *items, const PlanLeaves *leaves,
                              LunaArena *arena) {
  LeafBounds all = {.leaves = leaves->leaves};
  all.bounds = LUNA_ARENA_ARRAY(arena, int64_t, leaves->count);
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, leaves->count);
  for (uint32_t i = 0; i < leaves->count; ++i) {
    all.bounds[i] = bound_of_leaf(items, &leaves->leaves[i], arena);
    order[i] = i;
  }
  plan_sort(order, leaves->count, is_heavier, &all, arena);
  return order;
}

// Plans all leaves into `offsets`, the heaviest first: the others need not be
// smaller than it. Raises `*proven_bytes` to what was proven.
static void plan_leaves(const PlanItems *items, const PlanLeaves *leaves,
                        const int64_t *start, int64_t unit_bytes,
                        PlanContext *context, int64_t *offsets,
                        int64_t *proven_bytes, LunaArena *leaf_arena) {
  const uint32_t *order = order_leaves(items, leaves, leaf_arena);
  int64_t enough_bytes = context->enough_bytes > *proven_bytes
                             ? context->enough_bytes
                             : *proven_bytes;
  uint64_t end = context->steps + context->step_budget;
  for (uint32_t i = 0; i < leaves->count; ++i) {
    const PlanLeaf *leaf = &leaves->leaves[order[i]];
    LunaArena arena = {0};
    Work work = make_work(items, leaf, start, unit_bytes, &arena);
    work.step_budget = (end - context->steps) / (leaves->count - i);
    plan_leaf(&work, (enough_bytes - leaf->base_bytes) / unit_bytes);
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

void plan_place_optimal(const PlanStrategy *self, const PlanItems *items,
                        PlanContext *context, int64_t *offsets,
                        LunaArena *arena) {
  (void)self;
  int64_t best = place_greedily(items, context, offsets, arena);
  context->proven_bytes = plan_items_bound(items).bytes;
  if (best <= context->proven_bytes || best <= context->enough_bytes ||
      items->count > PLAN_OPTIMAL_MAX_ITEMS)
    return;
  int64_t unit_bytes = plan_unit_bytes(items);
  int64_t *searched = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  PlanLeaves leaves = plan_take_apart(items, unit_bytes, searched, arena);
  if (context->proven_bytes < leaves.clique_bytes)
    context->proven_bytes = leaves.clique_bytes;
  plan_leaves(items, &leaves, offsets, unit_bytes, context, searched,
              &context->proven_bytes, arena);
  if (plan_items_peak(items, searched) < best)
    memcpy(offsets, searched, sizeof(int64_t) * items->count);
}
