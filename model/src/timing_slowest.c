// The slowest path. A point of the program is reached with clocks: when the
// core is there, and when the engine is done with each transfer. Work,
// transfers and waits are monotone in all, so that clocks that others exceed,
// with the same outcomes of conditions that matter later, are dropped.

#include <stdlib.h>
#include <string.h>

#include "luna/timing.h"
#include "timing_flights.h"

// A decision and those before it.
typedef struct Choice {
  const struct Choice *earlier;
  LunaModelId branch;
  LunaTimingWay way;
} Choice;

typedef struct Clocks {
  uint64_t now, engine_free; // not before now
  const LunaTimingFlight *flights;
  const Choice *choices;
  LunaTimingWay *outcomes; // of the tracked conditions, or NO_WAY
  uint32_t order;          // of two equal ones the first stays
} Clocks;

typedef LUNA_VECTOR(Clocks) ClockSet;

// A condition that is asked more than once in its scope.
typedef struct Tracked {
  LunaModelId loop;     // its scope
  LunaModelId last_use; // the branch or loop after which nothing asks it
} Tracked;

typedef struct Search {
  const LunaModel *model;
  const LunaModelStep *steps;
  LunaArena *arena;
  uint32_t *tracked_of; // by condition, or LUNA_MODEL_NONE
  LUNA_VECTOR(Tracked) tracked;
} Search;

//===- Which conditions matter --------------------------------------------===//

// Returns the outermost loop around a branch within the scope of its condition,
// or LUNA_MODEL_NONE.
static LunaModelId loop_inside(const LunaModelStep *steps, LunaModelId branch) {
  LunaModelId loop = LUNA_MODEL_NONE, scope = steps[branch].condition_loop;
  for (LunaModelId id = steps[branch].parent;
       id != LUNA_MODEL_NONE && id != scope; id = steps[id].parent)
    loop = steps[id].kind == LUNA_MODEL_LOOP ? id : loop;
  return loop;
}

// A use in a loop within the condition's scope repeats until that loop ends.
static void track_conditions(Search *search) {
  uint64_t count = search->model->steps.count;
  const LunaModelStep *steps = search->steps;
  uint32_t *uses = LUNA_ARENA_ARRAY(search->arena, uint32_t, count);
  Tracked *conditions = LUNA_ARENA_ARRAY(search->arena, Tracked, count);
  search->tracked_of = LUNA_ARENA_ARRAY(search->arena, uint32_t, count);
  for (LunaModelId id = 0; id < count; ++id) {
    if (steps[id].kind != LUNA_MODEL_BRANCHES)
      continue;
    LunaModelId loop = loop_inside(steps, id);
    bool repeats = loop != LUNA_MODEL_NONE;
    uses[steps[id].condition] += repeats ? 2 : 1;
    conditions[steps[id].condition] =
        (Tracked){steps[id].condition_loop, repeats ? loop : id};
  }
  for (uint64_t i = 0; i < count; ++i) {
    search->tracked_of[i] = LUNA_MODEL_NONE;
    if (uses[i] < 2)
      continue;
    search->tracked_of[i] = (uint32_t)search->tracked.count;
    *LUNA_VECTOR_ADD(search->arena, &search->tracked) = conditions[i];
  }
}

// Returns true if nothing asks a condition after the branch or loop `id`.
static bool is_dead(const Search *search, const Tracked *tracked,
                    LunaModelId id) {
  LunaModelId last = tracked->last_use;
  bool repeats = search->steps[last].kind == LUNA_MODEL_LOOP && last < id &&
                 search->steps[last].end > id;
  return last < search->steps[id].end && !repeats;
}

//===- Sets of clocks -----------------------------------------------------===//

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_outcomes(const Search *search, const Clocks *a,
                            const Clocks *b) {
  return memcmp(a->outcomes, b->outcomes,
                search->tracked.count * sizeof *a->outcomes);
}

// Larger clocks first.
static int by_time(const void *left, const void *right) {
  const Clocks *a = left, *b = right;
  int order = compare_numbers(b->now, a->now);
  if (order == 0)
    order = compare_numbers(b->engine_free, a->engine_free);
  return order != 0 ? order : compare_numbers(a->order, b->order);
}

static bool is_exceeded(const Search *search, const ClockSet *set,
                        uint64_t kept, const Clocks *clocks) {
  for (uint64_t i = 0; i < kept; ++i)
    if (set->items[i].engine_free >= clocks->engine_free &&
        luna_timing_exceeds(set->items[i].flights, clocks->flights) &&
        compare_outcomes(search, &set->items[i], clocks) == 0)
      return true;
  return false;
}

static void drop_exceeded(const Search *search, ClockSet *set) {
  uint64_t kept = 0;
  for (uint32_t i = 0; i < set->count; ++i)
    set->items[i].order = i;
  if (set->count > 1)
    qsort(set->items, set->count, sizeof *set->items, by_time);
  for (uint64_t i = 0; i < set->count; ++i)
    if (!is_exceeded(search, set, kept, &set->items[i]))
      set->items[kept++] = set->items[i];
  set->count = kept;
}

static void forget(const Search *search, ClockSet *set, uint64_t tracked) {
  for (uint64_t i = 0; i < set->count; ++i) {
    LunaTimingWay *outcomes =
        LUNA_ARENA_ARRAY(search->arena, LunaTimingWay, search->tracked.count);
    memcpy(outcomes, set->items[i].outcomes,
           search->tracked.count * sizeof *outcomes);
    outcomes[tracked] = LUNA_TIMING_NO_WAY;
    set->items[i].outcomes = outcomes;
  }
}

// Joins neighbours to their maximum, which is an upper bound of both.
static void join_neighbours(ClockSet *set) {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < set->count; i += 2) {
    Clocks joined = set->items[i];
    if (i + 1 < set->count &&
        set->items[i + 1].engine_free > joined.engine_free)
      joined.engine_free = set->items[i + 1].engine_free;
    set->items[kept++] = joined;
  }
  set->count = kept;
}

static void reduce(const Search *search, ClockSet *set) {
  drop_exceeded(search, set);
  for (uint64_t i = 0;
       i < search->tracked.count && set->count > LUNA_TIMING_CLOCKS_MAX; ++i) {
    forget(search, set, i);
    drop_exceeded(search, set);
  }
  while (set->count > LUNA_TIMING_CLOCKS_MAX)
    join_neighbours(set);
}

//===- Walking ------------------------------------------------------------===//

static void walk_within(Search *search, LunaModelId outer, ClockSet *set);

// Forgets the outcomes that nothing asks after the branch or loop `id`.
static void forget_dead(Search *search, ClockSet *set, LunaModelId id) {
  bool has_dead = false;
  for (uint64_t i = 0; i < search->tracked.count; ++i)
    for (uint64_t k = 0;
         is_dead(search, &search->tracked.items[i], id) && k < set->count; ++k)
      if (set->items[k].outcomes[i] != LUNA_TIMING_NO_WAY) {
        forget(search, set, i);
        has_dead = true;
      }
  if (has_dead)
    reduce(search, set);
}

// Adds the clocks that may go this way, with the decision.
static void take_way(Search *search, LunaModelId branch, LunaTimingWay way,
                     const ClockSet *from, ClockSet *to) {
  const LunaModelStep *step = &search->steps[branch];
  uint32_t tracked = search->tracked_of[step->condition];
  LunaTimingWay outcome = step->is_negated ? 1 - way : way;
  for (uint64_t i = 0; i < from->count; ++i) {
    Clocks clocks = from->items[i];
    Choice *choice = LUNA_ARENA_ARRAY(search->arena, Choice, 1);
    *choice = (Choice){clocks.choices, branch, way};
    clocks.choices = choice;
    if (tracked != LUNA_MODEL_NONE) {
      LunaTimingWay known = clocks.outcomes[tracked];
      if (known != LUNA_TIMING_NO_WAY && known != outcome)
        continue;
      ClockSet one = {.items = &clocks, .count = 1};
      forget(search, &one, tracked);
      clocks.outcomes[tracked] = outcome;
    }
    *LUNA_VECTOR_ADD(search->arena, to) = clocks;
  }
}

static void walk_branches(Search *search, LunaModelId id, ClockSet *set) {
  const LunaModelStep *steps = search->steps;
  ClockSet joined = {0};
  LunaTimingWay way = 0;
  for (LunaModelId body = id + 1; body < steps[id].end;
       body = steps[body].end) {
    ClockSet one = {0};
    take_way(search, id, way++, set, &one);
    walk_within(search, body, &one);
    for (uint64_t i = 0; i < one.count; ++i)
      *LUNA_VECTOR_ADD(search->arena, &joined) = one.items[i];
  }
  *set = joined;
  reduce(search, set);
  forget_dead(search, set, id);
}

static ClockSet copy_of(Search *search, const ClockSet *set) {
  ClockSet copy = {0};
  for (uint64_t i = 0; i < set->count; ++i)
    *LUNA_VECTOR_ADD(search->arena, &copy) = set->items[i];
  return copy;
}

// Returns true if a turn moved all clocks by `*step` and changed nothing else.
static bool repeats(const Search *search, const ClockSet *before,
                    const ClockSet *after, uint64_t *step) {
  if (before->count != after->count || after->count == 0)
    return false;
  *step = after->items[0].now - before->items[0].now;
  for (uint64_t i = 0; i < after->count; ++i) {
    const Clocks *a = &before->items[i], *b = &after->items[i];
    if (b->now - a->now != *step || b->engine_free - a->engine_free != *step ||
        !luna_timing_repeats(a->flights, b->flights, *step) ||
        compare_outcomes(search, a, b) != 0)
      return false;
  }
  return true;
}

static void advance(const Search *search, ClockSet *set, uint64_t cycles) {
  for (uint64_t i = 0; i < set->count; ++i) {
    Clocks *clocks = &set->items[i];
    clocks->now += cycles;
    clocks->engine_free += cycles;
    clocks->flights =
        luna_timing_advance(clocks->flights, cycles, search->arena);
  }
}

// The conditions that the loop computes are unknown again.
static void begin_iteration(Search *search, LunaModelId loop, ClockSet *set) {
  for (uint64_t i = 0; i < search->tracked.count; ++i)
    if (search->tracked.items[i].loop == loop)
      forget(search, set, i);
  reduce(search, set);
}

static uint64_t work_of(const LunaModelStep *step) {
  return (uint64_t)(step->unit_cycles + step->core_cycles);
}

// Returns the cycles of what lies in a step if nothing runs beside anything
// else.
static uint64_t longest(const LunaModelStep *steps, LunaModelId outer) {
  uint64_t sum = 0;
  for (LunaModelId id = outer + 1; id < steps[outer].end; id = steps[id].end) {
    bool is_loop = steps[id].kind == LUNA_MODEL_LOOP;
    uint64_t trips =
        is_loop && steps[id].trips > 0 ? (uint64_t)steps[id].trips : 1;
    uint64_t most = 0, all = 0;
    for (LunaModelId body = id + 1; body < steps[id].end;
         body = steps[body].end) {
      uint64_t one = longest(steps, body);
      most = one > most ? one : most;
      all += one;
    }
    sum += work_of(&steps[id]) + (uint64_t)steps[id].dma_cycles +
           (is_loop ? (trips + 1) * all : most);
  }
  return sum;
}

// An upper bound of `trips` more iterations.
static void skip_trips(const Search *search, LunaModelId loop, uint64_t trips,
                       ClockSet *set) {
  uint64_t each = 0;
  for (LunaModelId body = loop + 1; body < search->steps[loop].end;
       body = search->steps[body].end)
    each += longest(search->steps, body);
  for (uint64_t i = 0; i < set->count; ++i)
    set->items[i].now = set->items[i].engine_free += each * trips;
}

static void walk_loop(Search *search, LunaModelId loop, ClockSet *set) {
  const LunaModelStep *steps = search->steps;
  int64_t trips = luna_model_trips(&steps[loop], 1);
  uint64_t step = 0;
  for (int64_t i = 0; i < trips && set->count > 0; ++i) {
    if (i == LUNA_TIMING_TRIPS_MAX) {
      skip_trips(search, loop, (uint64_t)(trips - i), set);
      break;
    }
    begin_iteration(search, loop, set);
    ClockSet before = copy_of(search, set);
    walk_within(search, loop, set);
    begin_iteration(search, loop, set);
    if (!repeats(search, &before, set, &step))
      continue;
    advance(search, set, step * (uint64_t)(trips - i - 1));
    break;
  }
  if (steps[loop + 1].end < steps[loop].end)
    walk_within(search, loop + 1, set);
  begin_iteration(search, loop, set);
  forget_dead(search, set, loop);
}

// What the core does for a transfer lies before its start.
static void walk_step(const Search *search, const LunaModelStep *step,
                      ClockSet *set) {
  for (uint64_t i = 0; i < set->count; ++i) {
    Clocks *clocks = &set->items[i];
    clocks->now += work_of(step);
    if (clocks->engine_free < clocks->now)
      clocks->engine_free = clocks->now;
    clocks->engine_free += (uint64_t)step->dma_cycles;
    if (step->kind == LUNA_MODEL_TRANSFER)
      clocks->flights = luna_timing_start(search->model, step, clocks->flights,
                                          clocks->engine_free, search->arena);
    uint64_t end =
        luna_timing_await(search->model, step, &clocks->flights, search->arena);
    clocks->now = end > clocks->now ? end : clocks->now;
  }
}

static void walk_within(Search *search, LunaModelId outer, ClockSet *set) {
  const LunaModelStep *steps = search->steps;
  for (LunaModelId id = outer + 1; id < steps[outer].end; id = steps[id].end)
    if (steps[id].kind == LUNA_MODEL_BRANCHES)
      walk_branches(search, id, set);
    else if (steps[id].kind == LUNA_MODEL_LOOP)
      walk_loop(search, id, set);
    else if (steps[id].end > id + 1)
      walk_within(search, id, set);
    else
      walk_step(search, &steps[id], set);
}

//===- The path -----------------------------------------------------------===//

typedef struct Naming {
  const LunaModel *model;
  LunaTimingWay *wanted;  // by branch
  LunaTimingWay *outcome; // by condition
  LunaTimingWay *ways;
} Naming;

static void decide_within(Naming *naming, LunaModelId outer);

// Decides branches as wanted, unless an earlier branch on the condition went
// another way.
static void decide(Naming *naming, LunaModelId branch) {
  const LunaModelStep *step = &naming->model->steps.items[branch];
  LunaTimingWay *outcome = &naming->outcome[step->condition];
  LunaTimingWay wanted = naming->wanted[branch];
  if (*outcome == LUNA_TIMING_NO_WAY)
    *outcome = step->is_negated ? 1 - wanted : wanted;
  LunaTimingWay way = step->is_negated ? 1 - *outcome : *outcome;
  naming->ways[branch] = way;
  decide_within(naming, luna_model_body(naming->model, branch, (uint32_t)way));
}

// Decides all branches that the path reaches.
static void decide_within(Naming *naming, LunaModelId outer) {
  const LunaModelStep *steps = naming->model->steps.items;
  for (LunaModelId id = outer + 1; id < steps[outer].end; id = steps[id].end)
    if (steps[id].kind == LUNA_MODEL_BRANCHES)
      decide(naming, id);
    else
      decide_within(naming, id);
}

static const LunaTimingWay *ways_of(Search *search, const Choice *choices,
                                    LunaArena *arena) {
  uint64_t count = search->model->steps.count;
  Naming naming = {
      .model = search->model,
      .wanted = LUNA_ARENA_ARRAY(search->arena, LunaTimingWay, count),
      .outcome = LUNA_ARENA_ARRAY(search->arena, LunaTimingWay, count),
      .ways = LUNA_ARENA_ARRAY(arena, LunaTimingWay, count),
  };
  for (; choices; choices = choices->earlier) // the first decision counts
    naming.wanted[choices->branch] = choices->way;
  for (uint64_t i = 0; i < count; ++i)
    naming.ways[i] = naming.outcome[i] = LUNA_TIMING_NO_WAY;
  decide_within(&naming, 0);
  return naming.ways;
}

LunaSlowestPath luna_timing_slowest(const LunaModel *model, LunaArena *arena) {
  LunaArena scratch = {0};
  Search search = {
      .model = model, .steps = model->steps.items, .arena = &scratch};
  track_conditions(&search);
  ClockSet set = {0};
  Clocks *first = LUNA_VECTOR_ADD(&scratch, &set);
  first->outcomes =
      LUNA_ARENA_ARRAY(&scratch, LunaTimingWay, search.tracked.count);
  for (uint64_t i = 0; i < search.tracked.count; ++i)
    first->outcomes[i] = LUNA_TIMING_NO_WAY;
  advance(&search, &set, work_of(search.steps));
  walk_within(&search, 0, &set);
  reduce(&search, &set);
  const LunaTimingWay *ways = ways_of(&search, set.items[0].choices, arena);
  LunaSlowestPath slowest = {
      .ways = ways,
      .cycles = luna_timing_path(model, ways, NULL).cycles,
      .at_most_cycles = set.items[0].now,
  };
  luna_arena_destroy(&scratch);
  return slowest;
}
