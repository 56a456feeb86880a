// Derives lifetimes: for each buffer, two passes over the parts of the program
// tree that touch it. A part that does not touch it is live as a whole or not
// at all, so the cost is proportional to touches times depth.

#include <string.h>

#include "plan_problem.h"
#include "plan_sort.h"

// What a part of the program does to one buffer.
typedef struct Effect {
  bool is_exposed; // Some path reads contents from before it.
  bool is_ended;   // Every path ends contents from before it.
  bool is_filled;  // Some path leaves contents that it touched.
  bool is_passed;  // Some path discards nothing.
} Effect;

static const Effect no_effect = {.is_passed = true};

// A node that touches the buffer.
typedef struct Part {
  uint32_t node;
  uint32_t parent;                 // the part around it
  uint32_t last_child;             // the last part directly in it, or PLAN_NONE
  uint32_t prev_sibling;           // the part before it in its parent
  uint32_t next;                   // the first part behind all parts in it
  uint32_t child_count;            // of the parts directly in it
  unsigned access;                 // steps: their touches
  Effect effect;                   // once through; loops: any number of turns
  Effect before_exit, behind_exit; // loops: what runs once more, and what not
  bool is_reached;                 // contents reach its start
  bool is_wanted;                  // contents at its end are read later
} Part;

// The parts that touch one buffer, in pre-order, and its live ranges.
typedef struct Walk {
  const LunaProblem *problem;
  LUNA_VECTOR(Part) parts;
  LUNA_VECTOR(LunaSteps) ranges;
  LunaArena *arena;
} Walk;

static const LunaPlanNode *node_of(const Walk *walk, uint32_t part) {
  return &walk->problem->nodes.items[walk->parts.items[part].node];
}

//===- Effects, from the steps up -----------------------------------------===//

static Effect then(Effect first, Effect second) {
  return (Effect){
      .is_exposed = first.is_exposed || (!first.is_ended && second.is_exposed),
      .is_ended = first.is_ended || second.is_ended,
      .is_filled = second.is_filled || (second.is_passed && first.is_filled),
      .is_passed = first.is_passed && second.is_passed,
  };
}

// A step discards first, then reads what moves away, then defines, then uses.
static Effect effect_of_step(unsigned access) {
  bool discards = (access & PLAN_DISCARDS) != 0;
  bool defines = (access & PLAN_DEFINES) != 0;
  bool reads_old = (access & PLAN_MOVES_AWAY) != 0 ||
                   ((access & PLAN_USES) != 0 && !defines);
  return (Effect){
      .is_exposed = reads_old && !discards,
      .is_ended = discards || defines,
      .is_filled = (access & ~PLAN_DISCARDS) != 0,
      .is_passed = !discards,
  };
}

// Returns the effect of the parts directly in `part` with steps in `steps`, in
// sequence.
static Effect effect_of_sequence(const Walk *walk, uint32_t part,
                                 LunaSteps steps) {
  const Part *parts = walk->parts.items;
  Effect total = no_effect;
  for (uint32_t child = part + 1; child < parts[part].next;
       child = parts[child].next) {
    uint32_t first = node_of(walk, child)->first_step;
    if (steps.first <= first && first < steps.end)
      total = then(total, parts[child].effect);
  }
  return total;
}

static Effect effect_of_branches(const Walk *walk, uint32_t part) {
  const Part *parts = walk->parts.items;
  bool is_touched_by_all =
      parts[part].child_count == node_of(walk, part)->child_count;
  Effect total = {.is_ended = is_touched_by_all,
                  .is_passed = !is_touched_by_all};
  for (uint32_t child = part + 1; child < parts[part].next;
       child = parts[child].next) {
    total.is_exposed |= parts[child].effect.is_exposed;
    total.is_ended &= parts[child].effect.is_ended;
    total.is_filled |= parts[child].effect.is_filled;
    total.is_passed |= parts[child].effect.is_passed;
  }
  return total;
}

// What precedes the exit runs once more than what follows it.
static Effect effect_of_loop(Walk *walk, uint32_t part) {
  const LunaPlanNode *loop = node_of(walk, part);
  Effect before = effect_of_sequence(
      walk, part, (LunaSteps){loop->first_step, loop->exit_step});
  Effect behind = effect_of_sequence(
      walk, part, (LunaSteps){loop->exit_step, loop->end_step});
  walk->parts.items[part].before_exit = before;
  walk->parts.items[part].behind_exit = behind;
  Effect again = then(behind, before);
  return (Effect){
      .is_exposed = then(before, again).is_exposed,
      .is_ended = before.is_ended,
      .is_filled = then(before, again).is_filled || before.is_filled,
      .is_passed = before.is_passed,
  };
}

static Effect effect_of(Walk *walk, uint32_t part) {
  switch (node_of(walk, part)->kind) {
  case PLAN_NODE_STEP:
    return effect_of_step(walk->parts.items[part].access);
  case LUNA_NODE_ALTERNATIVES:
    return effect_of_branches(walk, part);
  case LUNA_NODE_LOOP:
    return effect_of_loop(walk, part);
  default:
    return effect_of_sequence(walk, part, (LunaSteps){0, PLAN_NONE});
  }
}

//===- Live ranges, from the program down ---------------------------------===//

static void emit(Walk *walk, uint32_t first, uint32_t end) {
  if (first < end)
    *LUNA_VECTOR_ADD(walk->arena, &walk->ranges) = (LunaSteps){first, end};
}

// Says of each part directly in `part` with steps in `steps` what reaches it
// and what is wanted behind it, and emits what lies between them.
static void flow_through(Walk *walk, uint32_t part, LunaSteps steps,
                         bool is_reached, bool is_wanted) {
  Part *parts = walk->parts.items;
  uint32_t last = PLAN_NONE;
  for (uint32_t child = part + 1; child < parts[part].next;
       child = parts[child].next) {
    uint32_t first = node_of(walk, child)->first_step;
    if (first < steps.first || first >= steps.end)
      continue;
    parts[child].is_reached = is_reached;
    is_reached = parts[child].effect.is_filled ||
                 (is_reached && parts[child].effect.is_passed);
    last = child;
  }
  uint32_t end = steps.end;
  for (uint32_t child = last;
       child != PLAN_NONE && node_of(walk, child)->first_step >= steps.first;
       child = parts[child].prev_sibling) {
    if (is_reached && is_wanted)
      emit(walk, node_of(walk, child)->end_step, end);
    parts[child].is_wanted = is_wanted;
    is_reached = parts[child].is_reached;
    is_wanted = parts[child].effect.is_exposed ||
                (is_wanted && !parts[child].effect.is_ended);
    end = node_of(walk, child)->first_step;
  }
  if (is_reached && is_wanted)
    emit(walk, steps.first, end);
}

// Branches that do not touch the buffer are live as a whole or not at all.
static void flow_through_branches(Walk *walk, uint32_t part) {
  Part *parts = walk->parts.items;
  bool is_live = parts[part].is_reached && parts[part].is_wanted;
  uint32_t end = node_of(walk, part)->end_step;
  for (uint32_t child = parts[part].last_child; child != PLAN_NONE;
       child = parts[child].prev_sibling) {
    parts[child].is_reached = parts[part].is_reached;
    parts[child].is_wanted = parts[part].is_wanted;
    if (is_live)
      emit(walk, node_of(walk, child)->end_step, end);
    end = node_of(walk, child)->first_step;
  }
  if (is_live)
    emit(walk, node_of(walk, part)->first_step, end);
}

static void flow_through_loop(Walk *walk, uint32_t part) {
  const LunaPlanNode *loop = node_of(walk, part);
  const Part *here = &walk->parts.items[part];
  Effect before = here->before_exit, behind = here->behind_exit;
  bool is_reached = here->is_reached || then(before, behind).is_filled;
  bool is_reached_behind = before.is_filled || (is_reached && before.is_passed);
  bool is_wanted_around =
      then(before, behind).is_exposed || (here->is_wanted && !before.is_ended);
  bool is_wanted_at_exit = here->is_wanted || behind.is_exposed ||
                           (is_wanted_around && !behind.is_ended);
  flow_through(walk, part, (LunaSteps){loop->first_step, loop->exit_step},
               is_reached, is_wanted_at_exit);
  flow_through(walk, part, (LunaSteps){loop->exit_step, loop->end_step},
               is_reached_behind, is_wanted_around);
}

static void flow_into(Walk *walk, uint32_t part) {
  const LunaPlanNode *node = node_of(walk, part);
  const Part *here = &walk->parts.items[part];
  switch (node->kind) {
  case PLAN_NODE_STEP:
    if (here->access != PLAN_DISCARDS)
      emit(walk, node->first_step, node->end_step);
    break;
  case LUNA_NODE_ALTERNATIVES:
    flow_through_branches(walk, part);
    break;
  case LUNA_NODE_LOOP:
    flow_through_loop(walk, part);
    break;
  default:
    flow_through(walk, part,
                 (LunaSteps){node->first_step,
                             part == 0 ? walk->problem->step_nodes.count
                                       : node->end_step},
                 here->is_reached, here->is_wanted);
    break;
  }
}

//===- The parts that touch a buffer --------------------------------------===//

static void add_part(Walk *walk, uint32_t node, uint32_t parent) {
  uint32_t part = (uint32_t)walk->parts.count;
  *LUNA_VECTOR_ADD(walk->arena, &walk->parts) =
      (Part){.node = node,
             .parent = parent,
             .last_child = PLAN_NONE,
             .prev_sibling = PLAN_NONE};
  if (parent == PLAN_NONE)
    return;
  Part *above = &walk->parts.items[parent];
  walk->parts.items[part].prev_sibling = above->last_child;
  above->last_child = part;
  ++above->child_count;
}

// Closes the open parts, innermost `open`, that end before `step`. Returns the
// one that contains it.
static uint32_t close_until(Walk *walk, uint32_t open, uint32_t step) {
  for (; open != 0 && node_of(walk, open)->end_step <= step;
       open = walk->parts.items[open].parent)
    walk->parts.items[open].next = (uint32_t)walk->parts.count;
  return open;
}

// Adds the parts around a step, and the step, to the innermost open one.
// Returns the part of the step.
static uint32_t open_parts(Walk *walk, uint32_t open, uint32_t step) {
  const LunaPlanNode *nodes = walk->problem->nodes.items;
  uint32_t chain[PLAN_MAX_DEPTH + 2], length = 0;
  for (uint32_t node = walk->problem->step_nodes.items[step];
       node != walk->parts.items[open].node; node = nodes[node].parent)
    chain[length++] = node;
  while (length-- > 0) {
    add_part(walk, chain[length], open);
    open = (uint32_t)walk->parts.count - 1;
  }
  return open;
}

// Finds the parts for touches of one buffer, ascending by step.
static void find_parts(Walk *walk, const LunaPlanTouch *touches,
                       uint32_t count) {
  walk->parts.count = 0;
  add_part(walk, 0, PLAN_NONE);
  uint32_t open = 0;
  for (uint32_t i = 0; i < count; ++i) {
    open = close_until(walk, open, touches[i].step);
    open = open_parts(walk, open, touches[i].step);
    walk->parts.items[open].access = touches[i].access;
  }
  close_until(walk, open, PLAN_NONE);
  walk->parts.items[0].next = (uint32_t)walk->parts.count;
}

static void find_ranges(Walk *walk, const LunaPlanTouch *touches,
                        uint32_t count) {
  walk->ranges.count = 0;
  if (count == 0)
    return;
  find_parts(walk, touches, count);
  for (uint32_t part = (uint32_t)walk->parts.count; part-- > 0;)
    walk->parts.items[part].effect = effect_of(walk, part);
  for (uint32_t part = 0; part < walk->parts.count; ++part)
    flow_into(walk, part);
}

//===- All buffers --------------------------------------------------------===//

static bool touch_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanTouch *touches = context;
  if (touches[a].buffer != touches[b].buffer)
    return touches[a].buffer < touches[b].buffer;
  return touches[a].step < touches[b].step;
}

// Returns all touches by buffer and step, those of one step in one.
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
      sorted[*count - 1].access |= next.access;
    else
      sorted[(*count)++] = next;
  }
  return sorted;
}

static bool pinned_before(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanPinned *pinned = context;
  return pinned[a].buffer < pinned[b].buffer;
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
  Walk walk = {.problem = problem, .arena = scratch};
  uint32_t touch = 0, pin = 0;
  for (uint32_t id = 0; id < problem->buffers.count; ++id) {
    uint32_t first = touch;
    while (touch < touch_count && touches[touch].buffer == id)
      ++touch;
    find_ranges(&walk, touches + first, touch - first);
    for (; pin < problem->pinned.count &&
           problem->pinned.items[pins[pin]].buffer == id;
         ++pin)
      *LUNA_VECTOR_ADD(scratch, &walk.ranges) =
          problem->pinned.items[pins[pin]].steps;
    lifetimes[id] =
        luna_plan_unite_ranges(walk.ranges.items, (uint32_t)walk.ranges.count,
                               scratch, problem->arena);
  }
  return lifetimes;
}

static bool find_lifetimes(void *context, LunaError *error) {
  LunaProblem *problem = context;
  if (!luna_plan_problem_validate(problem, error))
    return false;
  if (!problem->lifetimes) {
    LunaArena scratch = {0};
    problem->lifetimes = derive(problem, &scratch);
    luna_arena_destroy(&scratch);
  }
  return true;
}

bool luna_problem_lifetimes(LunaProblem *problem,
                            const LunaLifetime **lifetimes, LunaError *error) {
  if (!luna_arena_guard(problem->arena, NULL, "lifetimes were derived",
                        find_lifetimes, problem, error))
    return false;
  *lifetimes = problem->lifetimes;
  return true;
}
