#include "plan_contents.h"

#include <string.h>

#include "luna/map.h"

// States per point, and the words of memory that they may take in all.
enum { STATES_MOST = 4096, STATES_LEAST = 4, STATE_WORDS = 1 << 23 };

// The words of a state: its point, the number of conditions, then pairs.
enum { FIRST_PAIR = 2 };

// The touches of one step: touches[starts[step] .. starts[step + 1]).
typedef struct Touches {
  const LunaPlanTouch *items;
  const uint64_t *starts;
  const LunaPlanMove *moves;
  const uint64_t *move_starts;
} Touches;

typedef struct Follower {
  const LunaProblem *problem;
  const LunaLifetime *lifetimes;
  LunaArena *arena;
  LunaArena scratch;
  Touches touches;
  LunaPlanContents contents;
  LunaMap known;           // words of states
  uint32_t *states_at;     // by point
  uint32_t states_allowed; // at each
  // Behind the step of the state at hand, by buffer: its class, or PLAN_NONE;
  // the buffers that have one.
  uint32_t *class_of;
  LUNA_VECTOR(uint32_t) held;
  // By class.
  LUNA_VECTOR(uint32_t) holders;
  LUNA_VECTOR(bool) is_read;
  LUNA_VECTOR(bool) is_made;
  LUNA_VECTOR(uint32_t) replaced;
  // By class: its number in the next state.
  LUNA_VECTOR(uint32_t) renamed;
  LUNA_VECTOR(uint32_t) words;
} Follower;

//===- The touches of a step ----------------------------------------------===//

static void sort_touches(Follower *follower) {
  const LunaProblem *problem = follower->problem;
  uint64_t steps = problem->step_nodes.count, count = problem->touches.count;
  uint64_t *starts = LUNA_ARENA_ARRAY(follower->arena, uint64_t, steps + 2);
  for (uint64_t i = 0; i < count; ++i)
    ++starts[problem->touches.items[i].step + 2];
  for (uint64_t i = 0; i < problem->pinned.count; ++i)
    for (uint32_t s = problem->pinned.items[i].steps.first;
         s < problem->pinned.items[i].steps.end; ++s)
      ++starts[s + 2];
  for (uint64_t step = 0; step < steps; ++step)
    starts[step + 2] += starts[step + 1];
  LunaPlanTouch *items =
      LUNA_ARENA_ARRAY(follower->arena, LunaPlanTouch, starts[steps + 1]);
  for (uint64_t i = 0; i < count; ++i)
    items[starts[problem->touches.items[i].step + 1]++] =
        problem->touches.items[i];
  for (uint64_t i = 0; i < problem->pinned.count; ++i)
    for (uint32_t s = problem->pinned.items[i].steps.first;
         s < problem->pinned.items[i].steps.end; ++s)
      items[starts[s + 1]++] =
          (LunaPlanTouch){.buffer = problem->pinned.items[i].buffer,
                          .step = s,
                          .access = PLAN_READS};
  follower->touches.items = items;
  follower->touches.starts = starts;
}

static void sort_moves(Follower *follower) {
  const LunaProblem *problem = follower->problem;
  uint64_t steps = problem->step_nodes.count, count = problem->moves.count;
  uint64_t *starts = LUNA_ARENA_ARRAY(follower->arena, uint64_t, steps + 2);
  for (uint64_t i = 0; i < count; ++i)
    ++starts[problem->moves.items[i].step + 2];
  for (uint64_t step = 0; step < steps; ++step)
    starts[step + 2] += starts[step + 1];
  LunaPlanMove *items = LUNA_ARENA_ARRAY(follower->arena, LunaPlanMove, count);
  for (uint64_t i = 0; i < count; ++i)
    items[starts[problem->moves.items[i].step + 1]++] = problem->moves.items[i];
  follower->touches.moves = items;
  follower->touches.move_starts = starts;
}

//===- Classes ------------------------------------------------------------===//

static uint32_t add_class(Follower *follower, uint32_t holder) {
  uint32_t number = (uint32_t)follower->holders.count;
  *LUNA_VECTOR_ADD(&follower->scratch, &follower->holders) = holder;
  *LUNA_VECTOR_ADD(&follower->scratch, &follower->is_read) = false;
  *LUNA_VECTOR_ADD(&follower->scratch, &follower->is_made) = false;
  *LUNA_VECTOR_ADD(&follower->scratch, &follower->replaced) = PLAN_NONE;
  return number;
}

// Held buffers are ascending.
static void hold(Follower *follower, uint32_t buffer, uint32_t number) {
  if (follower->class_of[buffer] == PLAN_NONE) {
    *LUNA_VECTOR_ADD(&follower->scratch, &follower->held) = buffer;
    uint32_t *held = follower->held.items;
    for (uint64_t i = follower->held.count - 1; i > 0 && held[i - 1] > buffer;
         --i) {
      held[i] = held[i - 1];
      held[i - 1] = buffer;
    }
  }
  follower->class_of[buffer] = number;
}

static void drop(Follower *follower, uint32_t buffer) {
  if (follower->class_of[buffer] == PLAN_NONE)
    return;
  follower->class_of[buffer] = PLAN_NONE;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < follower->held.count; ++i)
    if (follower->held.items[i] != buffer)
      follower->held.items[kept++] = follower->held.items[i];
  follower->held.count = kept;
}

static void make(Follower *follower, uint32_t buffer, uint32_t replaced) {
  uint32_t number = add_class(follower, buffer);
  follower->is_made.items[number] = true;
  follower->replaced.items[number] = replaced;
  hold(follower, buffer, number);
}

// The moves of a step happen at once: what is there before it is read first.
static void move(Follower *follower, uint32_t step) {
  const Touches *touches = &follower->touches;
  uint64_t first = touches->move_starts[step];
  uint64_t count = touches->move_starts[step + 1] - first;
  uint32_t *classes = LUNA_ARENA_ARRAY(&follower->scratch, uint32_t, count);
  for (uint64_t i = 0; i < count; ++i)
    classes[i] = follower->class_of[touches->moves[first + i].from];
  for (uint64_t i = 0; i < count; ++i) {
    if (classes[i] == PLAN_NONE)
      drop(follower, touches->moves[first + i].to);
    else
      hold(follower, touches->moves[first + i].to, classes[i]);
  }
}

// A buffer that is both defined and modified by the step holds new contents
// once. Contents that no step made are none.
static void run_step(Follower *follower, uint32_t step) {
  const Touches *touches = &follower->touches;
  uint64_t first = touches->starts[step], end = touches->starts[step + 1];
  for (uint64_t i = first; i < end; ++i)
    if (touches->items[i].access & PLAN_DISCARDS)
      drop(follower, touches->items[i].buffer);
  move(follower, step);
  for (uint64_t i = first; i < end; ++i)
    if (touches->items[i].access & PLAN_MAKES)
      make(follower, touches->items[i].buffer, PLAN_NONE);
  for (uint64_t i = first; i < end; ++i) {
    if (!(touches->items[i].access & PLAN_USES))
      continue;
    uint32_t number = follower->class_of[touches->items[i].buffer];
    if (number != PLAN_NONE)
      follower->is_read.items[number] = true;
    bool is_new = number != PLAN_NONE && follower->is_made.items[number];
    if (touches->items[i].access & PLAN_MODIFIES && !is_new)
      make(follower, touches->items[i].buffer, number);
  }
}

//===- States -------------------------------------------------------------===//

static bool is_live_at(LunaLifetime lifetime, uint32_t step) {
  uint32_t low = 0, high = lifetime.range_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lifetime.ranges[middle].end <= step)
      low = middle + 1;
    else
      high = middle;
  }
  return low < lifetime.range_count && lifetime.ranges[low].first <= step;
}

static void add_word(Follower *follower, uint32_t word) {
  *LUNA_VECTOR_ADD(&follower->scratch, &follower->words) = word;
}

static void add_condition(Follower *follower, uint32_t condition,
                          uint32_t outcome) {
  add_word(follower, condition);
  add_word(follower, outcome);
  uint32_t *words = follower->words.items;
  for (uint64_t i = follower->words.count - 2;
       i > FIRST_PAIR && words[i - 2] > words[i]; i -= 2) {
    words[i] = words[i - 2];
    words[i + 1] = words[i - 1];
    words[i - 2] = condition;
    words[i - 1] = outcome;
  }
}

// Adds the conditions that are decided and still asked behind `way`. Returns
// false if its own has the other outcome.
static bool add_conditions(Follower *follower, const LunaPlanState *state,
                           const LunaPlanWay *way) {
  const LunaPlanGraph *graph = &follower->contents.graph;
  uint32_t position = graph->points.items[way->to].position;
  for (uint32_t i = 0; i < state->condition_count; ++i) {
    uint32_t condition = state->words[FIRST_PAIR + 2 * i];
    uint32_t outcome = state->words[FIRST_PAIR + 2 * i + 1];
    if (condition == way->condition && outcome != way->outcome)
      return false;
    if (condition != way->condition &&
        graph->asked_before[condition] > position)
      add_condition(follower, condition, outcome);
  }
  if (way->condition != PLAN_NONE &&
      graph->asked_before[way->condition] > position)
    add_condition(follower, way->condition, way->outcome);
  return true;
}

// Adds what is held and live at `point`, by classes numbered in the order in
// which they come. Returns their number.
static uint32_t add_buffers(Follower *follower, const LunaPlanPoint *point) {
  uint32_t count = 0;
  for (uint64_t i = 0; i < follower->renamed.count; ++i)
    follower->renamed.items[i] = PLAN_NONE;
  for (uint64_t i = 0; i < follower->held.count; ++i) {
    uint32_t buffer = follower->held.items[i];
    uint32_t number = follower->class_of[buffer];
    if (point->step != PLAN_NONE &&
        !is_live_at(follower->lifetimes[buffer], point->step))
      continue;
    if (follower->renamed.items[number] == PLAN_NONE)
      follower->renamed.items[number] = count++;
    add_word(follower, buffer);
    add_word(follower, follower->renamed.items[number]);
  }
  return count;
}

// Returns the state that `words` spell, PLAN_NONE if there are too many.
static uint32_t find_state(Follower *follower, LunaPlanState next) {
  LunaPlanContents *contents = &follower->contents;
  uint64_t bytes = follower->words.count * sizeof(uint32_t);
  LunaMapKey key = luna_map_bytes(follower->words.items, bytes);
  uint32_t found = luna_map_find(&follower->known, key);
  if (found != LUNA_MAP_ABSENT)
    return found;
  if (follower->states_at[next.point] >= follower->states_allowed) {
    contents->is_complete = false;
    return PLAN_NONE;
  }
  ++follower->states_at[next.point];
  uint32_t *words =
      LUNA_ARENA_ARRAY(follower->arena, uint32_t, follower->words.count);
  memcpy(words, follower->words.items, bytes);
  next.words = words;
  found = luna_map_add(&follower->known, follower->arena,
                       luna_map_bytes(words, bytes));
  *LUNA_VECTOR_ADD(follower->arena, &contents->states) = next;
  return found;
}

static const uint32_t *classes_behind(const Follower *follower,
                                      uint32_t count) {
  uint32_t *classes = LUNA_ARENA_ARRAY(follower->arena, uint32_t, count);
  for (uint32_t i = 0; i < follower->renamed.count; ++i)
    if (follower->renamed.items[i] != PLAN_NONE)
      classes[follower->renamed.items[i]] = i;
  return classes;
}

// Follows one way from state `at`. Returns false if no path takes it, or too
// many states are there.
static bool follow_way(Follower *follower, uint32_t at, uint32_t way,
                       LunaPlanPassage *passage) {
  const LunaPlanGraph *graph = &follower->contents.graph;
  const LunaPlanWay *taken = &graph->ways.items[way];
  LunaPlanState next = {.point = taken->to, .previous = at, .way = way};
  follower->words.count = 0;
  add_word(follower, taken->to);
  add_word(follower, 0);
  if (!add_conditions(follower, &follower->contents.states.items[at], taken))
    return false;
  next.condition_count = (uint32_t)(follower->words.count - FIRST_PAIR) / 2;
  follower->words.items[1] = next.condition_count;
  next.class_count = add_buffers(follower, &graph->points.items[taken->to]);
  next.buffer_count =
      (uint32_t)(follower->words.count - FIRST_PAIR) / 2 - next.condition_count;
  passage->state = find_state(follower, next);
  if (passage->state == PLAN_NONE)
    return false;
  passage->classes = classes_behind(follower, next.class_count);
  return true;
}

//===- One state ----------------------------------------------------------===//

static void load(Follower *follower, const LunaPlanState *state) {
  const uint32_t *pairs =
      state->words + FIRST_PAIR + 2 * (uint64_t)state->condition_count;
  for (uint32_t i = 0; i < state->buffer_count; ++i) {
    if (pairs[2 * i + 1] == follower->holders.count)
      add_class(follower, pairs[2 * i]);
    hold(follower, pairs[2 * i], pairs[2 * i + 1]);
  }
}

static void unload(Follower *follower) {
  for (uint64_t i = 0; i < follower->held.count; ++i)
    follower->class_of[follower->held.items[i]] = PLAN_NONE;
  follower->held.count = follower->holders.count = 0;
  follower->is_read.count = follower->is_made.count = 0;
  follower->replaced.count = follower->renamed.count = 0;
}

// Keeps what the step did to each class.
static void keep_classes(Follower *follower, LunaPlanState *state) {
  uint32_t count = (uint32_t)follower->holders.count;
  uint32_t *holders = LUNA_ARENA_ARRAY(follower->arena, uint32_t, count);
  uint32_t *replaced = LUNA_ARENA_ARRAY(follower->arena, uint32_t, count);
  bool *is_read = LUNA_ARENA_ARRAY(follower->arena, bool, count);
  bool *is_made = LUNA_ARENA_ARRAY(follower->arena, bool, count);
  for (uint32_t i = 0; i < count; ++i) {
    holders[i] = follower->holders.items[i];
    replaced[i] = follower->replaced.items[i];
    is_read[i] = follower->is_read.items[i];
    is_made[i] = follower->is_made.items[i];
    *LUNA_VECTOR_ADD(&follower->scratch, &follower->renamed) = PLAN_NONE;
  }
  state->end_class = count;
  state->holders = holders;
  state->replaced = replaced;
  state->is_read = is_read;
  state->is_made = is_made;
}

static void follow_state(Follower *follower, uint32_t at) {
  LunaPlanState state = follower->contents.states.items[at];
  const LunaPlanPoint *point =
      &follower->contents.graph.points.items[state.point];
  load(follower, &state);
  if (point->step != PLAN_NONE)
    run_step(follower, point->step);
  keep_classes(follower, &state);
  LunaPlanPassage *passages =
      LUNA_ARENA_ARRAY(follower->arena, LunaPlanPassage, point->way_count);
  for (uint32_t i = 0; i < point->way_count; ++i)
    state.passage_count += follow_way(follower, at, point->first_way + i,
                                      &passages[state.passage_count]);
  state.passages = passages;
  follower->contents.states.items[at] = state;
  unload(follower);
}

// A state has a pair of words for each buffer that is live at its point.
static uint32_t states_allowed(const LunaProblem *problem,
                               const LunaLifetime *lifetimes, uint64_t points) {
  uint64_t words = FIRST_PAIR * points;
  for (uint32_t id = 0; id < problem->buffers.count; ++id)
    for (uint32_t i = 0; i < lifetimes[id].range_count; ++i)
      words += 2 * (uint64_t)(lifetimes[id].ranges[i].end -
                              lifetimes[id].ranges[i].first);
  uint64_t allowed = STATE_WORDS / words;
  return allowed > STATES_MOST    ? STATES_MOST
         : allowed < STATES_LEAST ? STATES_LEAST
                                  : (uint32_t)allowed;
}

LunaPlanContents luna_plan_contents_follow(const LunaProblem *problem,
                                           const LunaLifetime *lifetimes,
                                           LunaArena *arena) {
  Follower follower = {
      .problem = problem, .lifetimes = lifetimes, .arena = arena};
  LunaPlanContents *contents = &follower.contents;
  contents->graph = luna_plan_graph_make(problem, arena);
  contents->is_complete = true;
  sort_touches(&follower);
  sort_moves(&follower);
  uint64_t points = contents->graph.points.count;
  follower.states_allowed = states_allowed(problem, lifetimes, points);
  follower.states_at = LUNA_ARENA_ARRAY(arena, uint32_t, points);
  follower.class_of = LUNA_ARENA_ARRAY(arena, uint32_t, problem->buffers.count);
  memset(follower.class_of, 0xff, problem->buffers.count * sizeof(uint32_t));
  add_word(&follower, contents->graph.entry);
  add_word(&follower, 0);
  find_state(&follower, (LunaPlanState){.point = contents->graph.entry,
                                        .previous = PLAN_NONE,
                                        .way = PLAN_NONE});
  for (uint32_t at = 0; at < contents->states.count; ++at)
    follow_state(&follower, at);
  luna_arena_destroy(&follower.scratch);
  return *contents;
}
