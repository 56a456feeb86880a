// The slowest path. A point of the program is reached with pairs of clocks:
// when the core is there, and when the engine is done. Work, transfers and
// waits are monotone in both, so that a pair that another exceeds in both, with
// the same outcomes of conditions that matter later, is dropped.

#include <stdlib.h>
#include <string.h>

#include "luna/timing.h"

// A decision and those before it.
typedef struct Choice {
  const struct Choice *earlier;
  int32_t branch, way;
} Choice;

typedef struct Clocks {
  uint64_t now, engine_free; // not before now
  const Choice *choices;
  int32_t *outcomes; // of the tracked conditions, or NONE
  uint32_t order;    // of two equal ones the first stays
} Clocks;

typedef LUNA_VECTOR(Clocks) ClockSet;

// A condition that is asked more than once in its scope.
typedef struct Tracked {
  int32_t loop;      // its scope
  uint32_t last_use; // the position after which nothing asks it
} Tracked;

typedef struct Search {
  const LunaTiming *timing;
  LunaArena *arena;
  int32_t *tracked_of; // by condition, or NONE
  LUNA_VECTOR(Tracked) tracked;
  uint32_t *branch_end, *loop_end; // positions where they end, by number
} Search;

//===- Which conditions matter --------------------------------------------===//

typedef struct Survey {
  Search *search;
  uint32_t position;
  uint32_t *uses, *last_use;                 // by condition
  LUNA_VECTOR(const LunaTimingNode *) loops; // that are open
  // By condition: a use lies in a loop inside its scope. Until the loop ends.
  int32_t *outermost;
} Survey;

static void survey_block(Survey *survey, const LunaTimingBlock *block);

// The outermost open loop inside `scope`, or NULL.
static const LunaTimingNode *loop_inside(const Survey *survey, int32_t scope) {
  uint64_t depth = 0;
  if (scope != LUNA_TIMING_NONE) {
    while (depth < survey->loops.count &&
           survey->loops.items[depth]->number != scope)
      ++depth;
    ++depth;
  }
  return depth < survey->loops.count ? survey->loops.items[depth] : NULL;
}

// Notes a use. One in a loop within the condition's scope repeats until that
// loop ends.
static void survey_branch(Survey *survey, const LunaTimingNode *branch) {
  int32_t condition = branch->condition;
  const LunaTimingNode *loop = loop_inside(
      survey, survey->search->timing->conditions.items[condition].loop);
  survey->uses[condition] += loop ? 2 : 1;
  survey->last_use[condition] = survey->position;
  survey->outermost[condition] = loop ? loop->number : LUNA_TIMING_NONE;
}

static void end_loop(Survey *survey, const LunaTimingNode *loop) {
  for (uint64_t i = 0; i < survey->search->timing->conditions.count; ++i)
    if (survey->outermost[i] == loop->number)
      survey->last_use[i] = survey->position;
  survey->search->loop_end[loop->number] = survey->position;
  --survey->loops.count;
}

static void survey_node(Survey *survey, const LunaTimingNode *node) {
  ++survey->position;
  if (node->kind == LUNA_TIMING_BRANCH)
    survey_branch(survey, node);
  if (node->kind == LUNA_TIMING_LOOP)
    *LUNA_VECTOR_ADD(survey->search->arena, &survey->loops) = node;
  for (int32_t b = 0; b < node->block_count; ++b)
    survey_block(survey, &node->blocks[b]);
  ++survey->position;
  if (node->kind == LUNA_TIMING_BRANCH)
    survey->search->branch_end[node->number] = survey->position;
  if (node->kind == LUNA_TIMING_LOOP)
    end_loop(survey, node);
}

static void survey_block(Survey *survey, const LunaTimingBlock *block) {
  for (const LunaTimingNode *node = block->first; node; node = node->next)
    survey_node(survey, node);
}

static void track_conditions(Search *search) {
  uint64_t count = search->timing->conditions.count;
  Survey survey = {
      .search = search,
      .uses = LUNA_ARENA_ARRAY(search->arena, uint32_t, count),
      .last_use = LUNA_ARENA_ARRAY(search->arena, uint32_t, count),
      .outermost = LUNA_ARENA_ARRAY(search->arena, int32_t, count),
  };
  search->tracked_of = LUNA_ARENA_ARRAY(search->arena, int32_t, count);
  for (uint64_t i = 0; i < count; ++i)
    survey.outermost[i] = LUNA_TIMING_NONE;
  survey_block(&survey, &search->timing->body);
  for (uint64_t i = 0; i < count; ++i) {
    search->tracked_of[i] = LUNA_TIMING_NONE;
    if (survey.uses[i] < 2)
      continue;
    search->tracked_of[i] = (int32_t)search->tracked.count;
    *LUNA_VECTOR_ADD(search->arena, &search->tracked) =
        (Tracked){search->timing->conditions.items[i].loop, survey.last_use[i]};
  }
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
    int32_t *outcomes =
        LUNA_ARENA_ARRAY(search->arena, int32_t, search->tracked.count);
    memcpy(outcomes, set->items[i].outcomes,
           search->tracked.count * sizeof *outcomes);
    outcomes[tracked] = LUNA_TIMING_NONE;
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

static void walk_block(Search *search, const LunaTimingBlock *block,
                       ClockSet *set);

// Forgets the outcomes that nothing asks behind `position`.
static void forget_dead(Search *search, ClockSet *set, uint32_t position) {
  bool has_dead = false;
  for (uint64_t i = 0; i < search->tracked.count; ++i)
    for (uint64_t k = 0;
         search->tracked.items[i].last_use <= position && k < set->count; ++k)
      if (set->items[k].outcomes[i] != LUNA_TIMING_NONE) {
        forget(search, set, i);
        has_dead = true;
      }
  if (has_dead)
    reduce(search, set);
}

// Adds the clocks that may go this way, with the decision.
static void take_way(Search *search, const LunaTimingNode *branch, int32_t way,
                     const ClockSet *from, ClockSet *to) {
  int32_t tracked = search->tracked_of[branch->condition];
  int32_t outcome = branch->is_negated ? 1 - way : way;
  for (uint64_t i = 0; i < from->count; ++i) {
    Clocks clocks = from->items[i];
    Choice *choice = LUNA_ARENA_ARRAY(search->arena, Choice, 1);
    *choice = (Choice){clocks.choices, branch->number, way};
    clocks.choices = choice;
    if (tracked != LUNA_TIMING_NONE) {
      int32_t known = clocks.outcomes[tracked];
      if (known != LUNA_TIMING_NONE && known != outcome)
        continue;
      ClockSet one = {.items = &clocks, .count = 1};
      forget(search, &one, (uint64_t)tracked);
      clocks.outcomes[tracked] = outcome;
    }
    *LUNA_VECTOR_ADD(search->arena, to) = clocks;
  }
}

static void walk_branch(Search *search, const LunaTimingNode *branch,
                        ClockSet *set) {
  ClockSet joined = {0};
  for (int32_t way = 0; way < branch->block_count; ++way) {
    ClockSet one = {0};
    take_way(search, branch, way, set, &one);
    walk_block(search, &branch->blocks[way], &one);
    for (uint64_t i = 0; i < one.count; ++i)
      *LUNA_VECTOR_ADD(search->arena, &joined) = one.items[i];
  }
  *set = joined;
  reduce(search, set);
  forget_dead(search, set, search->branch_end[branch->number]);
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
        compare_outcomes(search, a, b) != 0)
      return false;
  }
  return true;
}

static void advance(ClockSet *set, uint64_t cycles) {
  for (uint64_t i = 0; i < set->count; ++i) {
    set->items[i].now += cycles;
    set->items[i].engine_free += cycles;
  }
}

// The conditions that the loop computes are unknown again.
static void begin_turn(Search *search, const LunaTimingNode *loop,
                       ClockSet *set) {
  for (uint64_t i = 0; i < search->tracked.count; ++i)
    if (search->tracked.items[i].loop == loop->number)
      forget(search, set, i);
  reduce(search, set);
}

// Returns the cycles of a block if nothing runs beside anything else.
static uint64_t longest(const LunaTimingBlock *block) {
  uint64_t sum = 0;
  for (const LunaTimingNode *node = block->first; node; node = node->next) {
    uint64_t most = 0, all = 0;
    for (int32_t b = 0; b < node->block_count; ++b) {
      uint64_t one = longest(&node->blocks[b]);
      most = one > most ? one : most;
      all += one;
    }
    uint64_t turns = node->turns > 0 ? (uint64_t)node->turns : 1;
    sum += node->compute + node->host + node->dma +
           (node->kind == LUNA_TIMING_LOOP ? (turns + 1) * all : most);
  }
  return sum;
}

// An upper bound of `turns` more turns.
static void skip_turns(const LunaTimingNode *loop, uint64_t turns,
                       ClockSet *set) {
  uint64_t each = 0;
  for (int32_t b = 0; b < loop->block_count; ++b)
    each += longest(&loop->blocks[b]);
  for (uint64_t i = 0; i < set->count; ++i)
    set->items[i].now = set->items[i].engine_free += each * turns;
}

static void walk_loop(Search *search, const LunaTimingNode *loop,
                      ClockSet *set) {
  int64_t turns = loop->turns == LUNA_TURNS_UNKNOWN ? 1 : loop->turns;
  uint64_t step = 0;
  for (int64_t i = 0; i < turns && set->count > 0; ++i) {
    if (i == LUNA_TIMING_TURNS_MAX) {
      skip_turns(loop, (uint64_t)(turns - i), set);
      break;
    }
    begin_turn(search, loop, set);
    ClockSet before = copy_of(search, set);
    for (int32_t b = 0; b < loop->block_count; ++b)
      walk_block(search, &loop->blocks[b], set);
    begin_turn(search, loop, set);
    if (!repeats(search, &before, set, &step))
      continue;
    advance(set, step * (uint64_t)(turns - i - 1));
    break;
  }
  if (loop->block_count == 2)
    walk_block(search, &loop->blocks[0], set);
  begin_turn(search, loop, set);
  forget_dead(search, set, search->loop_end[loop->number]);
}

static void walk_step(const LunaTimingNode *node, Clocks *clocks) {
  if (node->kind == LUNA_TIMING_TRANSFER)
    clocks->engine_free += node->dma;
  else if (node->kind == LUNA_TIMING_WAIT)
    clocks->now = clocks->engine_free;
  else
    clocks->now += node->compute + node->host;
  if (clocks->engine_free < clocks->now)
    clocks->engine_free = clocks->now;
}

static void walk_block(Search *search, const LunaTimingBlock *block,
                       ClockSet *set) {
  for (const LunaTimingNode *node = block->first; node; node = node->next)
    if (node->kind == LUNA_TIMING_BRANCH)
      walk_branch(search, node, set);
    else if (node->kind == LUNA_TIMING_LOOP)
      walk_loop(search, node, set);
    else
      for (uint64_t i = 0; i < set->count; ++i)
        walk_step(node, &set->items[i]);
}

//===- The path -----------------------------------------------------------===//

typedef struct Naming {
  const LunaTiming *timing;
  int32_t *wanted;  // by branch
  int32_t *outcome; // by condition
  LunaTimingWay *ways;
} Naming;

// Decides every branch that the path reaches as wanted, unless an earlier
// branch on the condition went another way.
static void decide_block(Naming *naming, const LunaTimingBlock *block) {
  for (const LunaTimingNode *node = block->first; node; node = node->next) {
    for (int32_t b = 0; node->kind == LUNA_TIMING_LOOP && b < node->block_count;
         ++b)
      decide_block(naming, &node->blocks[b]);
    if (node->kind != LUNA_TIMING_BRANCH)
      continue;
    int32_t *outcome = &naming->outcome[node->condition];
    int32_t wanted = naming->wanted[node->number];
    if (*outcome == LUNA_TIMING_NONE)
      *outcome = node->is_negated ? 1 - wanted : wanted;
    int32_t way = node->is_negated ? 1 - *outcome : *outcome;
    naming->ways[node->number] = way;
    decide_block(naming, &node->blocks[way]);
  }
}

static const LunaTimingWay *ways_of(Search *search, const Choice *choices) {
  const LunaTiming *timing = search->timing;
  uint64_t branches = timing->branches.count;
  uint64_t conditions = timing->conditions.count;
  Naming naming = {
      .timing = timing,
      .wanted = LUNA_ARENA_ARRAY(search->arena, int32_t, branches),
      .outcome = LUNA_ARENA_ARRAY(search->arena, int32_t, conditions),
      .ways = LUNA_ARENA_ARRAY(timing->arena, LunaTimingWay, branches),
  };
  for (; choices; choices = choices->earlier) // the first decision counts
    naming.wanted[choices->branch] = choices->way;
  for (uint64_t i = 0; i < branches; ++i)
    naming.ways[i] = LUNA_TIMING_NONE;
  for (uint64_t i = 0; i < conditions; ++i)
    naming.outcome[i] = LUNA_TIMING_NONE;
  decide_block(&naming, &timing->body);
  return naming.ways;
}

LunaSlowestPath luna_timing_slowest(const LunaTiming *timing) {
  LunaArena arena = {0};
  Search search = {.timing = timing, .arena = &arena};
  search.branch_end =
      LUNA_ARENA_ARRAY(&arena, uint32_t, timing->branches.count);
  search.loop_end = LUNA_ARENA_ARRAY(&arena, uint32_t, timing->loops.count);
  track_conditions(&search);
  ClockSet set = {0};
  Clocks *first = LUNA_VECTOR_ADD(&arena, &set);
  first->outcomes = LUNA_ARENA_ARRAY(&arena, int32_t, search.tracked.count);
  for (uint64_t i = 0; i < search.tracked.count; ++i)
    first->outcomes[i] = LUNA_TIMING_NONE;
  walk_block(&search, &timing->body, &set);
  reduce(&search, &set);
  const LunaTimingWay *ways = ways_of(&search, set.items[0].choices);
  LunaSlowestPath slowest = {
      .ways = ways,
      .cycles = luna_timing_path(timing, ways, NULL).cycles,
      .at_most_cycles = set.items[0].now,
  };
  luna_arena_destroy(&arena);
  return slowest;
}
