// The strategy `optimal`: decomposes the problem, and in rounds of doubling
// length searches the part with the largest plan: at its lower bound (or the
// size asked for) first, then downwards from the best known plan.

#include "plan_optimal.h"

#include <string.h>

#include "plan_attempt.h"
#include "plan_climb.h"
#include "plan_evolve.h"
#include "plan_greedy.h"
#include "plan_leaf.h"
#include "plan_variants.h"
#include "plan_windows.h"

// Noise increases first keys by up to a fifth (in 1024ths).
enum { DESCEND_NOISE = 205 };

// The steps of the shortest search of a descent, as a multiple of the number of
// items.
enum { SHORTEST_TRY = 4 };

// Bisects between the best plan and the largest capacity without a plan, with a
// few steps at each size, down to a thousandth of the bound.
static void approach(LunaPlanWork *work, int64_t enough) {
  int64_t low = work->bound > enough ? work->bound : enough;
  while (work->best - low > 1 + work->bound / 1024 &&
         work->steps < work->step_budget) {
    int64_t middle = low + (work->best - low) / 2;
    uint64_t until = work->steps + 24 * (uint64_t)work->count;
    LunaPlanRestarts restarts = {0};
    if (luna_plan_insist(work, middle, &restarts, until) != PLAN_FOUND)
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
    if (!plan_work_tries(work, PLAN_TRICK_DESCEND_LUBY))
      length = 1;
    if (length > longest && plan_work_tries(work, PLAN_TRICK_DESCEND_OWN)) {
      longest = length;
      less = 1;
      luna_plan_order_by_plan(work);
    } else {
      uint32_t kind = luna_plan_draw_kind(work);
      luna_plan_draw_noise(work, DESCEND_NOISE);
      luna_plan_order_by_totals(work, kind, true);
    }
    int64_t capacity = work->best - (less > 1 ? less : 1);
    if (capacity < enough)
      capacity = enough;
    if (luna_plan_attempt(work, capacity,
                          SHORTEST_TRY * work->count * length) != PLAN_FOUND)
      continue;
    until = work->steps + patience;
    longest = 0;
    index = 0;
  }
}

// The phases of a round.
typedef enum Phase {
  PHASE_INSIST,
  PHASE_APPROACH,
  PHASE_VARIANTS,
  PHASE_DESCEND,
  PHASE_LOCAL,
} Phase;

// A leaf under search.
typedef struct Leaf {
  const LunaPlanItems *items; // all of the problem
  const LunaPlanLeaf *leaf;
  int64_t unit_bytes;
  LunaPlanWork work;
  LunaPlanRestarts restarts; // at the size that is enough
  uint32_t rounds;
  Phase phase;
  bool rests_variants;
  // For local search, created when it is first needed; there may be no
  // variants.
  LunaPlanAgain *again;
  LunaPlanVariants *variants;
  LunaPlanEvolution *evolution;
  LunaPlanClimb climb;
  LunaArena arena;
} Leaf;

// The steps of a first round as multiples of the number of items; each round of
// a leaf has twice as many, so that searches become long enough for a proof.
// INSIST_IF_WANTED is for a size that the caller asks for, rather than the
// bound, which may be out of reach.
enum {
  INSIST_STEPS = 192,
  FIRST_INSIST_STEPS = 24,
  MANY_ITEMS = 1024,
  INSIST_IF_WANTED_STEPS = 2048,
  VARIANT_STEPS = 300,
  DESCENT_PATIENCE = 64,
  LOCAL_STEPS = 1536,
};

// Searches the variants, but not in the round after one in which they found
// nothing.
static void take_variants(Leaf *leaf, int64_t enough, uint64_t steps) {
  if (!leaf->variants)
    return;
  int64_t before = leaf->work.best;
  if (!plan_work_tries(&leaf->work, PLAN_TRICK_VARIANTS_REST))
    leaf->rests_variants = false;
  if (!leaf->rests_variants)
    luna_plan_variants_search(leaf->variants, &leaf->work, enough, steps);
  leaf->rests_variants = !leaf->rests_variants && leaf->work.best == before;
}

static void open_local_search(Leaf *leaf) {
  if (leaf->again)
    return;
  leaf->again =
      luna_plan_again_create(leaf->items, leaf->leaf->members, leaf->work.count,
                             leaf->unit_bytes, &leaf->arena);
  leaf->variants =
      luna_plan_variants_create(leaf->again, &leaf->work, &leaf->arena);
  if (leaf->variants)
    leaf->evolution =
        luna_plan_evolution_create(leaf->again, &leaf->work, &leaf->arena);
  else
    leaf->climb = luna_plan_climb_make(&leaf->work, &leaf->arena);
}

// Improves orders of the exact search. Where sizes have no large unit, those of
// a variant that has one, after rules of building: either finds most where the
// other fails.
static void search_locally(Leaf *leaf, int64_t enough, uint64_t steps) {
  open_local_search(leaf);
  if (!leaf->variants) {
    if (plan_work_tries(&leaf->work, PLAN_TRICK_CLIMB))
      luna_plan_climb(&leaf->climb, &leaf->work, enough,
                      leaf->work.steps + steps);
    return;
  }
  if (plan_work_tries(&leaf->work, PLAN_TRICK_EVOLVE))
    luna_plan_evolve(leaf->evolution, &leaf->work, enough, steps / 2);
  if (plan_work_tries(&leaf->work, PLAN_TRICK_CLIMB_VARIANTS))
    luna_plan_variants_climb(leaf->variants, &leaf->work, enough, steps / 2);
}

// Returns the steps for each item with which a round insists on a size: first
// few where items are many, of which hardly any has a plan at the bound.
static uint64_t insist_steps(const Leaf *leaf, bool is_wanted) {
  if (is_wanted)
    return INSIST_IF_WANTED_STEPS;
  bool is_short = leaf->rounds == 0 && leaf->work.count > MANY_ITEMS &&
                  plan_work_tries(&leaf->work, PLAN_TRICK_INSIST_FEW);
  return is_short ? FIRST_INSIST_STEPS : INSIST_STEPS;
}

// The tricks that the phases are.
static const LunaPlanTrick phase_tricks[] = {
    [PHASE_INSIST] = PLAN_TRICK_INSIST,
    [PHASE_APPROACH] = PLAN_TRICK_APPROACH,
    [PHASE_VARIANTS] = PLAN_TRICK_VARIANTS,
    [PHASE_DESCEND] = PLAN_TRICK_DESCEND,
    [PHASE_LOCAL] = PLAN_TRICK_LOCAL,
};

static void run_phase(Leaf *leaf, int64_t enough, bool is_wanted,
                      uint64_t scale) {
  LunaPlanWork *work = &leaf->work;
  switch (leaf->phase) {
  case PHASE_INSIST:
    luna_plan_insist(work, enough, &leaf->restarts,
                     work->steps + insist_steps(leaf, is_wanted) * scale);
    break;
  case PHASE_APPROACH:
    if (leaf->rounds == 0 && plan_should_continue(work, enough))
      approach(work, enough);
    break;
  case PHASE_VARIANTS:
    open_local_search(leaf);
    take_variants(leaf, enough, VARIANT_STEPS * scale);
    break;
  case PHASE_DESCEND:
    descend(work, enough, DESCENT_PATIENCE * scale);
    break;
  case PHASE_LOCAL:
    search_locally(leaf, enough, LOCAL_STEPS * scale);
    break;
  }
}

// Without a phase, a step for each item is charged in its place, so that
// rounds end.
static void skip_phase(LunaPlanWork *work, uint64_t scale) {
  uint64_t left = work->step_budget - work->steps;
  work->steps += scale < left ? scale : left;
}

// Searches below the best plan of a leaf, down to `enough`, for one phase of a
// round. Rounds do not depend on the budget, which only breaks the last one
// off: with more steps the plan is never larger.
static void take_phase(Leaf *leaf, int64_t enough, bool is_wanted) {
  uint64_t scale = (uint64_t)leaf->work.count << leaf->rounds;
  if (enough < leaf->work.bound)
    enough = leaf->work.bound;
  if (plan_work_tries(&leaf->work, phase_tricks[leaf->phase]))
    run_phase(leaf, enough, is_wanted, scale);
  else
    skip_phase(&leaf->work, scale);
  leaf->phase = leaf->phase == PHASE_LOCAL ? PHASE_INSIST : leaf->phase + 1;
  leaf->rounds += leaf->phase == PHASE_INSIST;
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

// The most items of a leaf that is searched: the depth of the recursion.
enum { MAX_SEARCHED_ITEMS = 16384 };

static bool are_searchable(const LunaPlanLeaves *parts) {
  for (uint32_t i = 0; i < parts->count; ++i)
    if (parts->leaves[i].member_count > MAX_SEARCHED_ITEMS)
      return false;
  return true;
}

// The steps without a budget, for `best`: less for larger leaves, whose steps
// take longer, but enough to try a few orders.
enum {
  LEAF_STEPS = 50000,
  LARGE_LEAF = 400,
  STEPS_IN_WINDOWS = 4,
  MAX_STEPS = 1000000
};

// The steps of a quick search: enough to exhaust a handful of items.
enum { QUICK_STEPS = 30000 };

static uint64_t usual_steps(const LunaPlanLeaves *parts) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < parts->count; ++i) {
    uint64_t count = parts->leaves[i].member_count;
    uint64_t few = 4 * count, steps = LEAF_STEPS;
    if (count > LARGE_LEAF)
      steps = (uint64_t)LEAF_STEPS * LARGE_LEAF / count;
    total += steps > few ? steps : few;
  }
  return total < MAX_STEPS ? total : MAX_STEPS;
}

// The leaves of a problem under search.
typedef struct Leaves {
  Leaf *items;
  uint32_t count;
  int64_t unit_bytes;
} Leaves;

static int64_t height_of(const Leaves *leaves, const Leaf *leaf) {
  return leaf->leaf->base_bytes + leaf->work.best * leaves->unit_bytes;
}

static int64_t bound_of(const Leaves *leaves, const Leaf *leaf) {
  return leaf->leaf->base_bytes + leaf->work.bound * leaves->unit_bytes;
}

// Returns the leaf with the largest plan, the first of several.
static Leaf *highest_leaf(const Leaves *leaves) {
  Leaf *highest = &leaves->items[0];
  for (uint32_t i = 1; i < leaves->count; ++i)
    if (height_of(leaves, &leaves->items[i]) > height_of(leaves, highest))
      highest = &leaves->items[i];
  return highest;
}

// Plans by length and by area: with unlimited capacity every order yields a
// plan.
static void plan_first(LunaPlanWork *work) {
  static const uint32_t kinds[] = {PLAN_BY_LENGTH, PLAN_BY_AREA};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (kinds[i] == PLAN_BY_AREA &&
        !plan_work_tries(work, PLAN_TRICK_START_AREA))
      continue;
    luna_plan_order_by_totals(work, kinds[i], false);
    luna_plan_attempt(work, INT64_MAX / 4, work->count + 1);
  }
}

// Prepares the search of all leaves, each of which has a plan at once.
static Leaves open_leaves(const LunaPlanItems *items,
                          const LunaPlanLeaves *parts, const int64_t *start,
                          int64_t unit_bytes, LunaPlanContext *context,
                          LunaArena *arena) {
  Leaves leaves = {.count = parts->count, .unit_bytes = unit_bytes};
  leaves.items = LUNA_ARENA_ARRAY(arena, Leaf, parts->count);
  for (uint32_t i = 0; i < leaves.count; ++i) {
    Leaf *leaf = &leaves.items[i];
    leaf->leaf = &parts->leaves[i];
    leaf->work = luna_plan_work_make(
        items, leaf->leaf->members, leaf->leaf->member_count, start, unit_bytes,
        bound_of_leaf(items, leaf->leaf, &leaf->arena), &leaf->arena);
    leaf->items = items;
    leaf->unit_bytes = unit_bytes;
    leaf->work.step_budget = UINT64_MAX;
    leaf->work.pulse = context->pulse;
    leaf->work.order.without = context->without;
    leaf->phase = context->is_quick ? PHASE_DESCEND : PHASE_INSIST;
    plan_first(&leaf->work);
    context->steps += leaf->work.steps;
  }
  return leaves;
}

// Searches until the steps `end` are taken or no plan can be smaller: the leaf
// with the largest plan decides the size, so it has the next phase. Raises the
// proven bound.
static void search_leaves(const Leaves *leaves, LunaPlanContext *context,
                          uint64_t end) {
  for (uint32_t i = 0; i < leaves->count; ++i)
    if (context->proven_bytes < bound_of(leaves, &leaves->items[i]))
      context->proven_bytes = bound_of(leaves, &leaves->items[i]);
  bool is_stopped = context->pulse && context->pulse->is_stopped;
  while (leaves->count > 0 && context->steps < end && !is_stopped) {
    Leaf *leaf = highest_leaf(leaves);
    bool is_wanted = context->enough_bytes >= context->proven_bytes;
    int64_t enough_bytes =
        is_wanted ? context->enough_bytes : context->proven_bytes;
    if (height_of(leaves, leaf) <= enough_bytes)
      return;
    uint64_t before = leaf->work.steps;
    leaf->work.step_budget = before + (end - context->steps);
    take_phase(leaf,
               (enough_bytes - leaf->leaf->base_bytes) / leaves->unit_bytes,
               is_wanted);
    context->steps += leaf->work.steps - before;
    is_stopped = context->pulse && context->pulse->is_stopped;
    if (context->proven_bytes < bound_of(leaves, leaf))
      context->proven_bytes = bound_of(leaves, leaf);
  }
}

// Writes the plans of all leaves and frees them.
static void close_leaves(const Leaves *leaves, int64_t *offsets) {
  for (uint32_t i = 0; i < leaves->count; ++i) {
    Leaf *leaf = &leaves->items[i];
    for (uint32_t k = 0; k < leaf->work.count; ++k)
      offsets[leaf->leaf->members[k]] =
          leaf->leaf->base_bytes + leaf->work.offsets[k] * leaves->unit_bytes;
    luna_arena_destroy(&leaf->arena);
  }
}

// Returns the step at which a search ends that would take so many steps without
// a budget.
static uint64_t end_of(const LunaPlanContext *context, uint64_t usual) {
  return context->steps + (context->is_quick          ? QUICK_STEPS
                           : context->step_budget > 0 ? context->step_budget
                                                      : usual);
}

// Searches the parts of a problem; `offsets` becomes the smallest plan.
static void search_parts(const LunaPlanItems *items,
                         const LunaPlanLeaves *parts, int64_t unit_bytes,
                         int64_t *searched, LunaPlanContext *context,
                         int64_t *offsets, LunaArena *arena) {
  uint64_t end = end_of(context, usual_steps(parts));
  Leaves leaves =
      open_leaves(items, parts, offsets, unit_bytes, context, arena);
  search_leaves(&leaves, context, end);
  close_leaves(&leaves, searched);
  if (luna_plan_items_peak(items, searched) <
      luna_plan_items_peak(items, offsets))
    memcpy(offsets, searched, sizeof(int64_t) * items->count);
}

// Improves a plan of more items than are searched at once.
static void search_windows(const LunaPlanItems *items, int64_t unit_bytes,
                           LunaPlanContext *context, int64_t *offsets,
                           LunaArena *arena) {
  uint64_t usual = STEPS_IN_WINDOWS * (uint64_t)items->count;
  int64_t enough = context->enough_bytes > context->proven_bytes
                       ? context->enough_bytes
                       : context->proven_bytes;
  luna_plan_lower_in_windows(
      items, unit_bytes, enough,
      end_of(context, usual < MAX_STEPS ? usual : MAX_STEPS), context, offsets,
      arena);
}

void luna_plan_place_optimal(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena) {
  (void)self;
  context->proven_bytes = luna_plan_items_bound(items).bytes;
  int64_t enough = context->enough_bytes > context->proven_bytes
                       ? context->enough_bytes
                       : context->proven_bytes;
  int64_t best =
      luna_plan_place_greedily(items, enough, context, offsets, arena);
  if (best <= enough)
    return;
  int64_t unit_bytes = luna_plan_unit_bytes(items);
  LunaPlanLeaves parts = {0};
  int64_t *searched = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  if (items->neighbour_starts)
    parts = luna_plan_decompose(items, unit_bytes, &context->without, searched,
                                arena);
  if (context->proven_bytes < parts.clique_bytes)
    context->proven_bytes = parts.clique_bytes;
  if (items->neighbour_starts && are_searchable(&parts))
    search_parts(items, &parts, unit_bytes, searched, context, offsets, arena);
  else if (plan_tries(&context->without, PLAN_TRICK_WINDOWS))
    search_windows(items, unit_bytes, context, offsets, arena);
}
