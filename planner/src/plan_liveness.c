// Derives lifetimes: for each buffer, one walk over the parts of the program
// tree that touch it. A subtree that does not touch it is live as a whole or
// not at all, so the cost is proportional to touches times depth.

#include <string.h>

#include "plan_problem.h"
#include "plan_sort.h"

// The effect of a part of the program on one buffer.
typedef struct Effect {
  // Some path reads contents from before it.
  bool is_exposed;
  // Every path defines the buffer.
  bool is_killed;
} Effect;

// The walk for one buffer: its touches, ascending by step, one per step, and
// the live ranges found, descending.
typedef struct Walk {
  const LunaProblem *problem;
  const LunaPlanTouch *touches;
  LUNA_VECTOR(LunaSteps) ranges;
  LunaArena *arena;
} Walk;

// A run of touches [first, end) inside one node.
typedef struct Run {
  uint32_t first, end;
} Run;

static Effect effect_of(const Walk *walk, uint32_t node, Run run);

static Effect after(Effect first, Effect second) {
  return (Effect){
      .is_exposed = first.is_exposed || (!first.is_killed && second.is_exposed),
      .is_killed = first.is_killed || second.is_killed,
  };
}

// Returns the child of `node` that contains `step`.
static uint32_t child_with(const LunaProblem *problem, uint32_t node,
                           uint32_t step) {
  uint32_t child = problem->step_nodes.items[step];
  while (problem->nodes.items[child].parent != node)
    child = problem->nodes.items[child].parent;
  return child;
}

// Returns the first touch of `run` at or after `step`.
static uint32_t first_touch_from(const Walk *walk, Run run, uint32_t step) {
  uint32_t at = run.end;
  while (at > run.first && walk->touches[at - 1].step >= step)
    --at;
  return at;
}

// Returns the combined effect of the children of `node` that the run touches.
static Effect effect_of_children(const Walk *walk, uint32_t node, Run run) {
  Effect total = {0};
  while (run.end > run.first) {
    uint32_t child =
        child_with(walk->problem, node, walk->touches[run.end - 1].step);
    uint32_t start = walk->problem->nodes.items[child].first_step;
    Run inner = {first_touch_from(walk, run, start), run.end};
    total = after(effect_of(walk, child, inner), total);
    run.end = inner.first;
  }
  return total;
}

static Effect effect_of_branches(const Walk *walk, uint32_t node, Run run) {
  const LunaPlanNode *nodes = walk->problem->nodes.items;
  Effect total = {.is_killed = true};
  uint32_t branch = nodes[node].last_child;
  for (; branch != PLAN_NONE; branch = nodes[branch].prev_sibling) {
    Run inner = {first_touch_from(walk, run, nodes[branch].first_step),
                 run.end};
    Effect effect = effect_of_children(walk, branch, inner);
    total.is_exposed |= effect.is_exposed;
    total.is_killed &= effect.is_killed;
    run.end = inner.first;
  }
  return total;
}

// Splits the touches of a loop into those before and after its exit.
static void split_loop(const Walk *walk, uint32_t node, Run run, Run *before,
                       Run *behind) {
  uint32_t exit_step = walk->problem->nodes.items[node].exit_step;
  uint32_t at = first_touch_from(walk, run, exit_step);
  *before = (Run){run.first, at};
  *behind = (Run){at, run.end};
}

static Effect effect_of_loop(const Walk *walk, uint32_t node, Run run) {
  Run before, behind;
  split_loop(walk, node, run, &before, &behind);
  Effect once = effect_of_children(walk, node, before);
  Effect again = effect_of_children(walk, node, behind);
  return (Effect){
      .is_exposed = after(once, again).is_exposed,
      .is_killed = once.is_killed,
  };
}

static Effect effect_of(const Walk *walk, uint32_t node, Run run) {
  switch (walk->problem->nodes.items[node].kind) {
  case PLAN_NODE_STEP: {
    bool is_define = walk->touches[run.first].is_define;
    return (Effect){.is_exposed = !is_define, .is_killed = is_define};
  }
  case LUNA_NODE_ALTERNATIVES:
    return effect_of_branches(walk, node, run);
  case LUNA_NODE_LOOP:
    return effect_of_loop(walk, node, run);
  default:
    return effect_of_children(walk, node, run);
  }
}

// Adds a range before those found so far.
static void emit(Walk *walk, uint32_t first, uint32_t end) {
  if (first == end)
    return;
  uint64_t count = walk->ranges.count;
  if (count > 0 && walk->ranges.items[count - 1].first == end)
    walk->ranges.items[count - 1].first = first;
  else
    *LUNA_VECTOR_ADD(walk->arena, &walk->ranges) = (LunaSteps){first, end};
}

static void scan(Walk *walk, uint32_t node, Run run, bool is_reached,
                 bool is_live);

// Walks the steps [first, end) of `node` backwards. `is_reached`: contents
// reach its start; `is_live`: contents at its end are used later.
static void scan_steps(Walk *walk, uint32_t node, LunaSteps steps, Run run,
                       bool is_reached, bool is_live) {
  uint32_t end = steps.end;
  while (run.end > run.first) {
    uint32_t child =
        child_with(walk->problem, node, walk->touches[run.end - 1].step);
    const LunaPlanNode *inner_node = &walk->problem->nodes.items[child];
    Run inner = {first_touch_from(walk, run, inner_node->first_step), run.end};
    if (is_live)
      emit(walk, inner_node->end_step, end);
    scan(walk, child, inner, is_reached || inner.first > run.first, is_live);
    Effect effect = effect_of(walk, child, inner);
    is_live = effect.is_exposed || (is_live && !effect.is_killed);
    end = inner_node->first_step;
    run.end = inner.first;
  }
  if (is_live && is_reached)
    emit(walk, steps.first, end);
}

static void scan_branches(Walk *walk, uint32_t node, Run run, bool is_reached,
                          bool is_live) {
  const LunaPlanNode *nodes = walk->problem->nodes.items;
  uint32_t branch = nodes[node].last_child;
  for (; branch != PLAN_NONE; branch = nodes[branch].prev_sibling) {
    LunaSteps steps = {nodes[branch].first_step, nodes[branch].end_step};
    Run inner = {first_touch_from(walk, run, steps.first), run.end};
    scan_steps(walk, branch, steps, inner, is_reached, is_live);
    run.end = inner.first;
  }
}

// A loop is live as a whole if contents are live on its back edge (some touch
// in it reaches the edge, so only a later use matters).
static void scan_loop(Walk *walk, uint32_t node, Run run, bool is_live) {
  const LunaPlanNode *loop = &walk->problem->nodes.items[node];
  Run before, behind;
  split_loop(walk, node, run, &before, &behind);
  Effect once = effect_of_children(walk, node, before);
  Effect again = effect_of_children(walk, node, behind);
  if (after(once, again).is_exposed || (is_live && !once.is_killed)) {
    emit(walk, loop->first_step, loop->end_step);
    return;
  }
  scan_steps(walk, node, (LunaSteps){loop->exit_step, loop->end_step}, behind,
             true, false);
  scan_steps(walk, node, (LunaSteps){loop->first_step, loop->exit_step}, before,
             true, is_live || again.is_exposed);
}

static void scan(Walk *walk, uint32_t node, Run run, bool is_reached,
                 bool is_live) {
  const LunaPlanNode *here = &walk->problem->nodes.items[node];
  LunaSteps steps = {here->first_step, here->end_step};
  switch (here->kind) {
  case PLAN_NODE_STEP:
    emit(walk, steps.first, steps.end);
    break;
  case LUNA_NODE_ALTERNATIVES:
    scan_branches(walk, node, run, is_reached, is_live);
    break;
  case LUNA_NODE_LOOP:
    scan_loop(walk, node, run, is_live);
    break;
  default:
    scan_steps(walk, node, steps, run, is_reached, is_live);
    break;
  }
}

static bool touch_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanTouch *touches = context;
  if (touches[a].buffer != touches[b].buffer)
    return touches[a].buffer < touches[b].buffer;
  if (touches[a].step != touches[b].step)
    return touches[a].step < touches[b].step;
  return touches[a].is_define && !touches[b].is_define;
}

// Returns all touches by buffer and step; of several at one step, the
// definition.
static LunaPlanTouch *sorted_touches(const LunaProblem *problem,
                                     LunaArena *arena, uint32_t *count) {
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, problem->touches.count);
  for (uint32_t i = 0; i < problem->touches.count; ++i)
    order[i] = i;
  luna_plan_sort(order, problem->touches.count, touch_before,
                 problem->touches.items, arena);
  LunaPlanTouch *sorted =
      LUNA_ARENA_ARRAY(arena, LunaPlanTouch, problem->touches.count);
  *count = 0;
  for (uint32_t i = 0; i < problem->touches.count; ++i) {
    LunaPlanTouch next = problem->touches.items[order[i]];
    if (*count > 0 && sorted[*count - 1].buffer == next.buffer &&
        sorted[*count - 1].step == next.step)
      continue;
    sorted[(*count)++] = next;
  }
  return sorted;
}

static bool pinned_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanPinned *pinned = context;
  return pinned[a].buffer < pinned[b].buffer;
}

static LunaSteps steps_of_pinned(const LunaProblem *problem,
                                 const LunaPlanPinned *pinned) {
  if (pinned->node == PLAN_NONE)
    return pinned->steps;
  const LunaPlanNode *node = &problem->nodes.items[pinned->node];
  bool is_root = node->parent == PLAN_NONE;
  return (LunaSteps){node->first_step,
                     is_root ? problem->step_nodes.count : node->end_step};
}

static bool range_before(const void *context, uint32_t a, uint32_t b) {
  const LunaSteps *ranges = context;
  return ranges[a].first < ranges[b].first;
}

// Returns the ranges in ascending order, with adjacent and overlapping ones
// merged.
static LunaLifetime joined(const LunaSteps *ranges, uint32_t count,
                           LunaArena *scratch, LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(scratch, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i] = count - 1 - i;
  luna_plan_sort(order, count, range_before, ranges, scratch);
  LunaSteps *result = LUNA_ARENA_ARRAY(arena, LunaSteps, count);
  uint32_t out = 0;
  for (uint32_t i = 0; i < count; ++i) {
    LunaSteps next = ranges[order[i]];
    if (next.first == next.end)
      continue;
    if (out > 0 && result[out - 1].end >= next.first) {
      if (result[out - 1].end < next.end)
        result[out - 1].end = next.end;
    } else {
      result[out++] = next;
    }
  }
  return (LunaLifetime){.ranges = result, .range_count = out};
}

static const LunaLifetime *derive(const LunaProblem *problem,
                                  LunaArena *scratch) {
  uint32_t touch_count = 0;
  const LunaPlanTouch *touches = sorted_touches(problem, scratch, &touch_count);
  uint32_t *pins = LUNA_ARENA_ARRAY(scratch, uint32_t, problem->pinned.count);
  for (uint32_t i = 0; i < problem->pinned.count; ++i)
    pins[i] = i;
  luna_plan_sort(pins, problem->pinned.count, pinned_before,
                 problem->pinned.items, scratch);
  LunaLifetime *lifetimes =
      LUNA_ARENA_ARRAY(problem->arena, LunaLifetime, problem->buffers.count);
  Walk walk = {.problem = problem, .touches = touches, .arena = scratch};
  LunaSteps program = {0, problem->step_nodes.count};
  uint32_t touch = 0, pin = 0;
  for (uint32_t id = 0; id < problem->buffers.count; ++id) {
    Run run = {touch, touch};
    while (run.end < touch_count && touches[run.end].buffer == id)
      ++run.end;
    touch = run.end;
    walk.ranges.count = 0;
    scan_steps(&walk, 0, program, run, false, false);
    for (; pin < problem->pinned.count &&
           problem->pinned.items[pins[pin]].buffer == id;
         ++pin)
      *LUNA_VECTOR_ADD(scratch, &walk.ranges) =
          steps_of_pinned(problem, &problem->pinned.items[pins[pin]]);
    lifetimes[id] =
        joined(walk.ranges.items, walk.ranges.count, scratch, problem->arena);
  }
  return lifetimes;
}

bool luna_problem_lifetimes(LunaProblem *problem,
                            const LunaLifetime **lifetimes, LunaError *error) {
  if (!luna_plan_problem_validate(problem, error))
    return false;
  if (!problem->lifetimes) {
    LunaArena scratch = {0};
    problem->lifetimes = derive(problem, &scratch);
    luna_arena_destroy(&scratch);
  }
  *lifetimes = problem->lifetimes;
  return true;
}
