#include "plan_slack.h"

#include <string.h>

#include "luna/vector.h"
#include "plan_search_state.h"

#define NONE UINT32_MAX

// Sizes are scaled so that sums of them stay below 2^SCALE_BITS.
enum { SCALE_BITS = 28 };

// Neighbouring sections in which an item is live.
typedef struct Run {
  uint32_t first, end;
} Run;

// An item that could be placed, and what slack costs then: NOT_WEIGHED if that
// did not matter.
typedef struct Choice {
  uint32_t item;
  int64_t cost;
} Choice;

enum { NOT_WEIGHED = -1 };

// The decisions of a plan: decision i is between the choices from
// `starts[i]` on, and was for `items[i]`.
typedef struct Trace {
  LUNA_VECTOR(Choice) choices;
  uint64_t *starts;
  uint32_t *items;
} Trace;

// The cost of slack in steps of a 64th of the unit, from 8 units below none to
// 24 above.
enum { COST_STEPS = 64, COST_LOWEST = 8, COST_HIGHEST = 24 };
enum { COST_COUNT = COST_STEPS * (COST_LOWEST + COST_HIGHEST) };
enum { COST_SHIFT = 32 };

struct LunaPlanSlack {
  LunaArena *arena;
  const LunaPlanSections *sections;
  uint32_t count, section_count;
  int32_t *sizes;
  int64_t bound;
  // The runs of item i: runs[run_starts[i] ..].
  uint32_t *run_starts;
  Run *runs;
  // The steps of one comparison.
  uint64_t steps_each;
  int64_t costs[COST_COUNT];
  // The rules, in scaled sizes: the index of a cost is slack * factor >>
  // COST_SHIFT.
  int64_t capacity, factor;
  const int64_t *bonuses;
  // What slack costs at least by now.
  int64_t least_cost;
  // Per item: where it may lie at the lowest or lies, and the same if one more
  // item was placed.
  int32_t *offsets, *trial;
  bool *is_placed;
  uint32_t *unplaced, unplaced_count;
  // Per section: the sum of what is unplaced, where the lowest of it may lie,
  // and what its top comes to at least.
  int32_t *left, *lowest, *tops;
  Trace kept, current;
};

// e^(-1/64), e^8 and costs are fixed-point numbers.
static void make_costs(LunaPlanSlack *slack) {
  const int64_t ratio = 1057095000; // of 2^30
  int64_t cost = INT64_C(195360063) << 16;
  for (int i = 0; i < COST_COUNT; ++i) {
    slack->costs[i] = cost >> 16;
    cost = (cost >> 14) * (ratio >> 4) >> 12;
  }
}

static void make_runs(LunaPlanSlack *slack, LunaArena *arena) {
  const LunaPlanSections *sections = slack->sections;
  LUNA_VECTOR(Run) runs = {0};
  uint64_t pairs = 0;
  for (uint32_t i = 0; i < slack->count; ++i) {
    slack->run_starts[i] = (uint32_t)runs.count;
    for (uint32_t k = sections->section_starts[i];
         k < sections->section_starts[i + 1]; ++k, ++pairs) {
      uint32_t section = sections->sections_of[k];
      bool goes_on = runs.count > slack->run_starts[i] &&
                     runs.items[runs.count - 1].end == section;
      if (!goes_on)
        *LUNA_VECTOR_ADD(arena, &runs) = (Run){section, section};
      runs.items[runs.count - 1].end = section + 1;
    }
  }
  slack->run_starts[slack->count] = (uint32_t)runs.count;
  slack->runs = runs.items;
  slack->steps_each = 1 + pairs / 65536;
}

// Rounds sizes up to multiples of a power of two, in which they are counted.
static void scale_sizes(LunaPlanSlack *slack, const LunaPlanWork *work) {
  int64_t sum = work->best;
  int shift = 0;
  for (uint32_t i = 0; i < slack->count; ++i)
    sum += work->sizes[i];
  while (sum >> shift >> SCALE_BITS > 0)
    ++shift;
  for (uint32_t i = 0; i < slack->count; ++i)
    slack->sizes[i] = (int32_t)((work->sizes[i] - 1) >> shift) + 1;
  for (uint32_t i = 0; i < slack->count; ++i)
    for (uint32_t r = slack->run_starts[i]; r < slack->run_starts[i + 1]; ++r)
      for (uint32_t k = slack->runs[r].first; k < slack->runs[r].end; ++k)
        slack->left[k] += slack->sizes[i];
  for (uint32_t k = 0; k < slack->section_count; ++k)
    if (slack->bound < slack->left[k])
      slack->bound = slack->left[k];
}

LunaPlanSlack *luna_plan_slack_create(const LunaPlanWork *work,
                                      LunaArena *arena) {
  LunaPlanSlack *slack = LUNA_ARENA_ARRAY(arena, LunaPlanSlack, 1);
  const LunaPlanSections *sections = &work->search->sections;
  uint32_t count = work->count;
  slack->arena = arena;
  slack->sections = sections;
  slack->count = count;
  slack->section_count = sections->section_count;
  slack->sizes = LUNA_ARENA_ARRAY(arena, int32_t, count);
  slack->run_starts = LUNA_ARENA_ARRAY(arena, uint32_t, count + 1);
  slack->offsets = LUNA_ARENA_ARRAY(arena, int32_t, count);
  slack->trial = LUNA_ARENA_ARRAY(arena, int32_t, count);
  slack->is_placed = LUNA_ARENA_ARRAY(arena, bool, count);
  slack->unplaced = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  slack->left = LUNA_ARENA_ARRAY(arena, int32_t, slack->section_count);
  slack->lowest = LUNA_ARENA_ARRAY(arena, int32_t, slack->section_count);
  slack->tops = LUNA_ARENA_ARRAY(arena, int32_t, slack->section_count);
  Trace *traces[] = {&slack->kept, &slack->current};
  for (int i = 0; i < 2; ++i) {
    traces[i]->starts = LUNA_ARENA_ARRAY(arena, uint64_t, count + 1);
    traces[i]->items = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  }
  make_costs(slack);
  make_runs(slack, arena);
  scale_sizes(slack, work);
  return slack;
}

//===- One plan -----------------------------------------------------------===//

static void start(LunaPlanSlack *slack, const LunaPlanSlackRules *rules) {
  slack->capacity = slack->bound * rules->capacity / 1000;
  slack->factor =
      ((int64_t)COST_STEPS << COST_SHIFT) * 1000 / (slack->bound * rules->unit);
  slack->bonuses = rules->bonuses;
  slack->unplaced_count = slack->count;
  memset(slack->left, 0, sizeof(int32_t) * slack->section_count);
  memset(slack->tops, 0, sizeof(int32_t) * slack->section_count);
  for (uint32_t i = 0; i < slack->count; ++i) {
    slack->offsets[i] = 0;
    slack->is_placed[i] = false;
    slack->unplaced[i] = i;
    for (uint32_t r = slack->run_starts[i]; r < slack->run_starts[i + 1]; ++r)
      for (uint32_t k = slack->runs[r].first; k < slack->runs[r].end; ++k)
        slack->left[k] += slack->sizes[i];
  }
  slack->current.choices.count = 0;
  slack->least_cost = 0;
}

static int64_t cost_of(const LunaPlanSlack *slack, int64_t left) {
  int64_t none = COST_STEPS * COST_LOWEST;
  int64_t steps = (left < 0 ? -left : left) * slack->factor >> COST_SHIFT;
  if (left < 0)
    return slack->costs[steps < none ? none - steps : 0];
  return steps < COST_COUNT - none ? slack->costs[none + steps] : 0;
}

// Computes, for each section, the lowest of `offsets` of its unplaced items but
// one; INT32_MAX if there are none.
static void find_lowest(LunaPlanSlack *slack, const int32_t *offsets,
                        uint32_t but) {
  int32_t *lowest = slack->lowest;
  for (uint32_t k = 0; k < slack->section_count; ++k)
    lowest[k] = INT32_MAX;
  for (uint32_t i = 0; i < slack->unplaced_count; ++i) {
    uint32_t item = slack->unplaced[i];
    if (item == but)
      continue;
    int32_t low = offsets[item];
    for (uint32_t r = slack->run_starts[item]; r < slack->run_starts[item + 1];
         ++r) {
      uint32_t end = slack->runs[r].end;
      for (uint32_t k = slack->runs[r].first; k < end; ++k)
        lowest[k] = low < lowest[k] ? low : lowest[k];
    }
  }
}

// Raises neighbours of an item above it.
static void raise_neighbours(const LunaPlanSlack *slack, uint32_t item,
                             int32_t *offsets) {
  const LunaPlanSections *sections = slack->sections;
  int32_t top = slack->offsets[item] + slack->sizes[item];
  for (uint32_t i = sections->neighbour_starts[item];
       i < sections->neighbour_starts[item + 1]; ++i) {
    uint32_t other = sections->neighbours_of[i];
    if (!slack->is_placed[other] && offsets[other] < top)
      offsets[other] = top;
  }
}

// Removes an item from the sums of what is unplaced. Where nothing else is, its
// top is the lowest place.
static void take_out(LunaPlanSlack *slack, uint32_t item) {
  int32_t top = slack->offsets[item] + slack->sizes[item];
  for (uint32_t r = slack->run_starts[item]; r < slack->run_starts[item + 1];
       ++r)
    for (uint32_t k = slack->runs[r].first; k < slack->runs[r].end; ++k) {
      slack->left[k] -= slack->sizes[item];
      if (slack->left[k] == 0)
        slack->lowest[k] = top;
    }
}

static void put_back(LunaPlanSlack *slack, uint32_t item) {
  for (uint32_t r = slack->run_starts[item]; r < slack->run_starts[item + 1];
       ++r)
    for (uint32_t k = slack->runs[r].first; k < slack->runs[r].end; ++k)
      slack->left[k] += slack->sizes[item];
}

// Returns what slack costs if an item is placed, which is no less than before.
// A section that is complete costs what it did when its last item was placed.
static int64_t cost_with(LunaPlanSlack *slack, uint32_t item) {
  int64_t cost = 0;
  memcpy(slack->trial, slack->offsets, sizeof(int32_t) * slack->count);
  raise_neighbours(slack, item, slack->trial);
  find_lowest(slack, slack->trial, item);
  take_out(slack, item);
  for (uint32_t k = 0; k < slack->section_count; ++k) {
    int64_t top = slack->lowest[k] != INT32_MAX
                      ? slack->lowest[k] + slack->left[k]
                      : slack->tops[k];
    cost += cost_of(slack, slack->capacity - top);
  }
  put_back(slack, item);
  return cost;
}

static void place(LunaPlanSlack *slack, uint32_t item) {
  int32_t top = slack->offsets[item] + slack->sizes[item];
  uint32_t at = 0;
  while (slack->unplaced[at] != item)
    ++at;
  slack->unplaced[at] = slack->unplaced[--slack->unplaced_count];
  slack->is_placed[item] = true;
  raise_neighbours(slack, item, slack->offsets);
  take_out(slack, item);
  for (uint32_t r = slack->run_starts[item]; r < slack->run_starts[item + 1];
       ++r)
    for (uint32_t k = slack->runs[r].first; k < slack->runs[r].end; ++k)
      if (slack->tops[k] < top)
        slack->tops[k] = top;
}

static void add_choice(LunaPlanSlack *slack, uint32_t item) {
  *LUNA_VECTOR_ADD(slack->arena, &slack->current.choices) =
      (Choice){.item = item, .cost = NOT_WEIGHED};
}

// Lists what could lie at the lowest place that is left: the item that may, and
// those of its neighbours below which nothing else would fit.
static void list_choices(LunaPlanSlack *slack) {
  const LunaPlanSections *sections = slack->sections;
  uint32_t lowest = slack->unplaced[0];
  for (uint32_t i = 1; i < slack->unplaced_count; ++i) {
    uint32_t item = slack->unplaced[i];
    if (slack->offsets[item] < slack->offsets[lowest] ||
        (slack->offsets[item] == slack->offsets[lowest] && item < lowest))
      lowest = item;
  }
  int32_t top = slack->offsets[lowest] + slack->sizes[lowest];
  const uint32_t *end =
      sections->neighbours_of + sections->neighbour_starts[lowest + 1];
  const uint32_t *begin =
      sections->neighbours_of + sections->neighbour_starts[lowest];
  for (const uint32_t *other = begin; other < end; ++other)
    if (!slack->is_placed[*other] &&
        slack->offsets[*other] + slack->sizes[*other] < top)
      top = slack->offsets[*other] + slack->sizes[*other];
  add_choice(slack, lowest);
  for (const uint32_t *other = begin; other < end; ++other)
    if (!slack->is_placed[*other] && slack->offsets[*other] < top)
      add_choice(slack, *other);
}

// Returns what speaks for a choice if slack costs nothing more, or what it is
// known to cost.
static int64_t value_of(const LunaPlanSlack *slack, const Choice *choice) {
  int64_t cost = choice->cost == NOT_WEIGHED ? slack->least_cost : choice->cost;
  return slack->bonuses[choice->item] - cost;
}

// Returns the best of the choices from `start` on. Those that could not be the
// best are not weighed. Returns NULL at the steps `until`.
static Choice *best_choice(LunaPlanSlack *slack, uint64_t start,
                           LunaPlanWork *work, uint64_t until) {
  Choice *end = slack->current.choices.items + slack->current.choices.count;
  Choice *begin = slack->current.choices.items + start;
  for (;;) {
    Choice *best = begin;
    for (Choice *choice = begin + 1; choice < end; ++choice)
      if (value_of(slack, choice) > value_of(slack, best))
        best = choice;
    if (best->cost != NOT_WEIGHED || end - begin == 1)
      return best;
    if (until - work->steps < slack->steps_each)
      return NULL;
    work->steps += slack->steps_each;
    best->cost = cost_with(slack, best->item);
  }
}

// Returns the sum of the fourth powers of what is above the bound, for the
// tops that sections come to at least.
static uint64_t excess_of(LunaPlanSlack *slack) {
  uint64_t sum = 0;
  find_lowest(slack, slack->offsets, NONE);
  for (uint32_t k = 0; k < slack->section_count; ++k) {
    if (slack->lowest[k] != INT32_MAX &&
        slack->tops[k] < slack->lowest[k] + slack->left[k])
      slack->tops[k] = slack->lowest[k] + slack->left[k];
    if (slack->tops[k] <= slack->bound)
      continue;
    uint64_t excess = ((uint64_t)(slack->tops[k] - slack->bound) << 14) /
                      (uint64_t)slack->bound;
    excess = excess > 4096 ? 4096 : excess;
    sum += excess * excess * excess * excess;
  }
  return sum;
}

// Copies the choices of a decision of the kept plan.
static void copy_choices(LunaPlanSlack *slack, uint32_t decision) {
  const Trace *kept = &slack->kept;
  for (uint64_t i = kept->starts[decision]; i < kept->starts[decision + 1]; ++i)
    *LUNA_VECTOR_ADD(slack->arena, &slack->current.choices) =
        kept->choices.items[i];
}

// The decisions from one look at the excess to the next.
enum { LOOK_EACH = 4 };

uint64_t luna_plan_slack_build(LunaPlanSlack *slack,
                               const LunaPlanSlackRules *rules, bool follows,
                               uint64_t limit, LunaPlanWork *work,
                               uint64_t until) {
  Trace *trace = &slack->current;
  start(slack, rules);
  for (uint32_t i = 0; i < slack->count; ++i) {
    uint64_t start = trace->choices.count;
    trace->starts[i] = start;
    if (follows)
      copy_choices(slack, i);
    else
      list_choices(slack);
    const Choice *best = best_choice(slack, start, work, until);
    if (!best)
      return PLAN_SLACK_NONE;
    if (best->cost != NOT_WEIGHED)
      slack->least_cost = best->cost;
    trace->items[i] = best->item;
    follows = follows && trace->items[i] == slack->kept.items[i];
    place(slack, trace->items[i]);
    if (!follows && i % LOOK_EACH == 0 &&
        plan_work_tries(work, PLAN_TRICK_EVOLVE_LOOK) &&
        excess_of(slack) > limit)
      return PLAN_SLACK_NONE;
  }
  trace->starts[slack->count] = trace->choices.count;
  uint64_t excess = follows ? PLAN_SLACK_NONE : excess_of(slack);
  return excess > limit ? PLAN_SLACK_NONE : excess;
}

void luna_plan_slack_keep(LunaPlanSlack *slack) {
  Trace kept = slack->kept;
  slack->kept = slack->current;
  slack->current = kept;
}

int64_t luna_plan_slack_length(const LunaPlanSlack *slack, uint32_t item) {
  const uint32_t *starts = slack->sections->section_starts;
  return ((int64_t)(starts[item + 1] - starts[item]) << 16) /
         slack->section_count;
}

int64_t luna_plan_slack_size(const LunaPlanSlack *slack, uint32_t item) {
  return ((int64_t)slack->sizes[item] << 16) / slack->bound;
}

const int32_t *luna_plan_slack_offsets(const LunaPlanSlack *slack) {
  return slack->offsets;
}
