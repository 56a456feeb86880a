#include "brute_force.h"

#include <string.h>

#include "luna/checked.h"
#include "plan_problem.h"

enum { BUFFERS = 8, STEPS = 256, DECISIONS = 64, TURNS = 5, PATHS = 5000 };

//===- Paths --------------------------------------------------------------===//

// One path: the steps that run. The decisions are the digits of a number that
// counts up; each digit is below its radix.
typedef struct Walk {
  const LunaProblem *problem;
  uint32_t steps[STEPS], step_count;
  uint32_t digits[DECISIONS], radix[DECISIONS], decision_count;
  uint32_t outcomes[BUFFERS];
  bool is_impossible, is_too_long;
} Walk;

static uint32_t decide(Walk *walk, uint32_t radix) {
  if (walk->decision_count == DECISIONS) {
    walk->is_too_long = true;
    return 0;
  }
  walk->radix[walk->decision_count] = radix;
  return walk->digits[walk->decision_count++];
}

static void walk_node(Walk *walk, uint32_t node);

static void walk_branch(Walk *walk, const LunaPlanNode *node) {
  uint32_t count = 0;
  for (uint32_t child = node->first_child; child != PLAN_NONE;
       child = walk->problem->nodes.items[child].next_sibling)
    ++count;
  if (count == 0)
    return;
  uint32_t number = decide(walk, count), child = node->first_child;
  for (uint32_t i = 0; i < number; ++i)
    child = walk->problem->nodes.items[child].next_sibling;
  if (node->condition != PLAN_NONE) {
    uint32_t outcome = node->is_negated ? 1 - number : number;
    uint32_t *known = &walk->outcomes[node->condition];
    walk->is_impossible |= *known != PLAN_NONE && *known != outcome;
    *known = outcome;
  }
  walk_node(walk, child);
}

static void walk_loop(Walk *walk, const LunaPlanNode *node) {
  const LunaPlanNode *nodes = walk->problem->nodes.items;
  for (uint32_t turn = 0;; ++turn) {
    uint32_t child = node->first_child;
    for (; child != PLAN_NONE && nodes[child].end_step <= node->exit_step;
         child = nodes[child].next_sibling)
      walk_node(walk, child);
    if (decide(walk, turn < TURNS ? 2 : 1) == 0 || walk->is_too_long)
      return;
    for (; child != PLAN_NONE; child = nodes[child].next_sibling)
      walk_node(walk, child);
  }
}

static void walk_node(Walk *walk, uint32_t node) {
  const LunaPlanNode *here = &walk->problem->nodes.items[node];
  if (here->kind == PLAN_NODE_STEP) {
    walk->is_too_long |= walk->step_count == STEPS;
    if (!walk->is_too_long)
      walk->steps[walk->step_count++] = here->first_step;
  } else if (here->kind == LUNA_NODE_ALTERNATIVES) {
    walk_branch(walk, here);
  } else if (here->kind == LUNA_NODE_LOOP) {
    walk_loop(walk, here);
  } else {
    for (uint32_t child = here->first_child; child != PLAN_NONE;
         child = walk->problem->nodes.items[child].next_sibling)
      walk_node(walk, child);
  }
}

// Counts the decisions up. Returns false after the last path.
static bool count_up(Walk *walk) {
  while (walk->decision_count > 0) {
    uint32_t last = --walk->decision_count;
    if (++walk->digits[last] < walk->radix[last])
      return true;
    walk->digits[last] = 0;
  }
  return false;
}

//===- What may lie where -------------------------------------------------===//

// What two buffers may not do, in bits.
enum { MAY_NOT_BE_EQUAL = 1, MAY_NOT_OVERLAP = 2, LIE_APART = 3 };

typedef struct Rules {
  unsigned pairs[BUFFERS][BUFFERS];
  bool is_needed[BUFFERS];
  // By step and target of a move: some path reads what it moves.
  bool is_copied[STEPS][BUFFERS];
} Rules;

// What a step of a path does, by buffer.
typedef struct Moment {
  bool reads[BUFFERS], makes[BUFFERS], discards[BUFFERS], moves_in[BUFFERS];
  uint32_t from[BUFFERS];
  // Behind it: the number of the contents, 0 if no step made any; whether the
  // path reads them.
  uint32_t contents[BUFFERS];
  bool is_live[BUFFERS];
} Moment;

static void forbid(Rules *rules, uint32_t a, uint32_t b, unsigned what) {
  rules->pairs[a][b] |= what;
  rules->pairs[b][a] |= what;
}

static Moment moment_of(const LunaProblem *problem, uint32_t step) {
  Moment moment = {0};
  for (uint64_t i = 0; i < problem->touches.count; ++i) {
    LunaPlanTouch touch = problem->touches.items[i];
    if (touch.step != step)
      continue;
    moment.reads[touch.buffer] |= (touch.access & PLAN_USES) != 0;
    moment.makes[touch.buffer] |=
        (touch.access & (PLAN_MAKES | PLAN_MODIFIES)) != 0;
    moment.discards[touch.buffer] |= (touch.access & PLAN_DISCARDS) != 0;
  }
  for (uint64_t i = 0; i < problem->moves.count; ++i)
    if (problem->moves.items[i].step == step) {
      moment.moves_in[problem->moves.items[i].to] = true;
      moment.from[problem->moves.items[i].to] = problem->moves.items[i].from;
    }
  return moment;
}

static bool is_overwritten(const LunaProblem *problem, uint32_t step,
                           uint32_t buffer) {
  for (uint64_t i = 0; i < problem->touches.count; ++i)
    if (problem->touches.items[i].step == step &&
        problem->touches.items[i].buffer == buffer &&
        problem->touches.items[i].access & PLAN_DEFINES)
      return true;
  return false;
}

static void number_contents(const LunaProblem *problem, const Walk *walk,
                            Moment *moments) {
  uint32_t count = (uint32_t)problem->buffers.count, next = 1;
  uint32_t now[BUFFERS] = {0};
  for (uint32_t i = 0; i < walk->step_count; ++i) {
    Moment *moment = &moments[i];
    uint32_t before[BUFFERS];
    for (uint32_t b = 0; b < count; ++b)
      now[b] = before[b] = moment->discards[b] ? 0 : now[b];
    for (uint32_t b = 0; b < count; ++b) {
      if (moment->moves_in[b])
        now[b] = before[moment->from[b]];
      if (moment->makes[b])
        now[b] = next++;
    }
    memcpy(moment->contents, now, sizeof now);
  }
}

static void find_live(const LunaProblem *problem, const Walk *walk,
                      Moment *moments) {
  bool is_live[BUFFERS] = {false};
  for (uint32_t i = walk->step_count; i-- > 0;) {
    Moment *moment = &moments[i];
    bool before[BUFFERS];
    memcpy(moment->is_live, is_live, sizeof is_live);
    for (uint32_t b = 0; b < problem->buffers.count; ++b) {
      moment->is_live[b] &= moment->contents[b] != 0;
      before[b] = !is_overwritten(problem, walk->steps[i], b) &&
                  (is_live[b] || moment->reads[b]);
    }
    for (uint32_t b = 0; b < problem->buffers.count; ++b)
      if (moment->moves_in[b] && (is_live[b] || moment->reads[b]))
        before[moment->from[b]] = true;
    for (uint32_t b = 0; b < problem->buffers.count; ++b)
      is_live[b] = before[b] && !moment->discards[b];
  }
}

// A move happens if any path reads what it moves, since no path knows how it
// goes on.
static void add_copies(const LunaProblem *problem, const Walk *walk,
                       const Moment *moments, Rules *rules) {
  for (uint32_t i = 0; i < walk->step_count; ++i)
    for (uint32_t a = 0; a < problem->buffers.count; ++a)
      rules->is_copied[walk->steps[i]][a] |=
          moments[i].moves_in[a] &&
          (moments[i].is_live[a] || moments[i].reads[a]);
}

static void add_rules(const LunaProblem *problem, const Walk *walk,
                      const Moment *moments, Rules *rules) {
  uint32_t count = (uint32_t)problem->buffers.count;
  for (uint32_t i = 0; i < walk->step_count; ++i) {
    const Moment *moment = &moments[i];
    for (uint32_t a = 0; a < count; ++a) {
      bool is_copied =
          rules->is_copied[walk->steps[i]][a] && moment->contents[a] != 0;
      rules->is_needed[a] |= moment->makes[a] || is_copied;
      for (uint32_t b = 0; b < count; ++b) {
        bool is_there = (moment->is_live[b] || moment->reads[b]) &&
                        moment->contents[b] != 0;
        if (a == b || (!is_there && !moment->makes[b]))
          continue;
        if (moment->makes[a])
          forbid(rules, a, b, LIE_APART);
        else if (is_copied && is_there)
          forbid(rules, a, b,
                 moment->contents[a] == moment->contents[b] ? MAY_NOT_OVERLAP
                                                            : LIE_APART);
      }
    }
  }
}

// Calls `visit` for every path. Returns false if there are too many.
static bool for_each_path(const LunaProblem *problem,
                          void (*visit)(const LunaProblem *problem,
                                        const Walk *walk, const Moment *moments,
                                        Rules *rules),
                          Rules *rules) {
  static Moment moments[STEPS];
  Walk walk = {.problem = problem};
  for (uint32_t paths = 0; paths == 0 || count_up(&walk); ++paths) {
    walk.decision_count = walk.step_count = 0;
    walk.is_impossible = false;
    memset(walk.outcomes, 0xff, sizeof walk.outcomes);
    walk_node(&walk, 0);
    if (walk.is_too_long || paths == PATHS)
      return false;
    if (walk.is_impossible)
      continue;
    for (uint32_t i = 0; i < walk.step_count; ++i)
      moments[i] = moment_of(problem, walk.steps[i]);
    number_contents(problem, &walk, moments);
    find_live(problem, &walk, moments);
    visit(problem, &walk, moments, rules);
  }
  return true;
}

//===- All offsets --------------------------------------------------------===//

typedef struct Placing {
  const LunaProblem *problem;
  const Rules *rules;
  int64_t limit, offsets[BUFFERS];
} Placing;

static bool may_lie(const Placing *placing, uint32_t a, uint32_t b) {
  const LunaBuffer *buffers = placing->problem->buffers.items;
  unsigned rule = placing->rules->pairs[a][b];
  int64_t at = placing->offsets[a], other = placing->offsets[b];
  if (!placing->rules->is_needed[b] || buffers[a].size_bytes == 0 ||
      buffers[b].size_bytes == 0)
    return true;
  if (at == other)
    return !(rule & MAY_NOT_BE_EQUAL);
  bool is_apart = at + buffers[a].size_bytes <= other ||
                  other + buffers[b].size_bytes <= at;
  return is_apart || !(rule & MAY_NOT_OVERLAP);
}

static bool place_from(Placing *placing, uint32_t id) {
  if (id == placing->problem->buffers.count)
    return true;
  if (!placing->rules->is_needed[id])
    return place_from(placing, id + 1);
  const LunaBuffer *buffer = &placing->problem->buffers.items[id];
  int64_t *offset = &placing->offsets[id];
  for (*offset = 0; *offset + buffer->size_bytes <= placing->limit;
       *offset += buffer->align_bytes) {
    bool is_free = true;
    for (uint32_t other = 0; other < id && is_free; ++other)
      is_free = may_lie(placing, id, other);
    if (is_free && place_from(placing, id + 1))
      return true;
  }
  return false;
}

int64_t brute_force_smallest(const LunaProblem *problem) {
  Rules rules = {0};
  if (!for_each_path(problem, add_copies, &rules) ||
      !for_each_path(problem, add_rules, &rules))
    return -1;
  Placing placing = {.problem = problem, .rules = &rules};
  while (!place_from(&placing, 0))
    ++placing.limit;
  return placing.limit;
}
