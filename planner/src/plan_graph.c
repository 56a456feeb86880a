#include "plan_graph.h"

typedef struct Builder {
  const LunaProblem *problem;
  LunaPlanGraph graph;
  LunaArena *arena;
} Builder;

static uint32_t add_point(Builder *builder, uint32_t step, uint32_t position) {
  *LUNA_VECTOR_ADD(builder->arena, &builder->graph.points) =
      (LunaPlanPoint){.step = step, .position = position};
  return (uint32_t)builder->graph.points.count - 1;
}

// Adds a way from `point`, whose ways are all added in a row.
static void add_way(Builder *builder, uint32_t point, LunaPlanWay way) {
  LunaPlanPoint *from = &builder->graph.points.items[point];
  if (from->way_count++ == 0)
    from->first_way = (uint32_t)builder->graph.ways.count;
  *LUNA_VECTOR_ADD(builder->arena, &builder->graph.ways) = way;
}

static void add_free_way(Builder *builder, uint32_t point, uint32_t to) {
  add_way(builder, point, (LunaPlanWay){.to = to, .condition = PLAN_NONE});
}

// Each of these builds a part of the program before `next` and returns the
// point where it begins.
static uint32_t build(Builder *builder, uint32_t node, uint32_t next);

// The children from `last` back to `first`.
static uint32_t build_children(Builder *builder, uint32_t first, uint32_t last,
                               uint32_t next) {
  const LunaPlanNode *nodes = builder->problem->nodes.items;
  for (uint32_t child = last; child != PLAN_NONE;
       child = nodes[child].prev_sibling) {
    next = build(builder, child, next);
    if (child == first)
      break;
  }
  return next;
}

static uint32_t build_alternatives(Builder *builder, uint32_t node,
                                   uint32_t next) {
  const LunaPlanNode *nodes = builder->problem->nodes.items;
  const LunaPlanNode *here = &nodes[node];
  LUNA_VECTOR(LunaPlanWay) ways = {0};
  for (uint32_t branch = here->first_child; branch != PLAN_NONE;
       branch = nodes[branch].next_sibling) {
    uint32_t number = (uint32_t)ways.count;
    uint32_t to = build(builder, branch, next);
    *LUNA_VECTOR_ADD(builder->arena, &ways) = (LunaPlanWay){
        .to = to,
        .condition = here->condition,
        .outcome = here->is_negated ? 1 - number : number,
    };
  }
  if (ways.count == 0)
    return next;
  uint32_t fork = add_point(builder, PLAN_NONE, here->first_step);
  for (uint64_t i = 0; i < ways.count; ++i)
    add_way(builder, fork, ways.items[i]);
  return fork;
}

// The first child is the header; those from `exit_step` on run after the exit.
static uint32_t build_loop(Builder *builder, uint32_t node, uint32_t next) {
  const LunaPlanNode *nodes = builder->problem->nodes.items;
  const LunaPlanNode *here = &nodes[node];
  uint32_t header = add_point(builder, here->first_step, here->first_step);
  uint32_t again = header, last = here->last_child;
  for (;
       last != here->first_child && nodes[last].first_step >= here->exit_step &&
       nodes[last].end_step > here->exit_step;
       last = nodes[last].prev_sibling)
    again = build(builder, last, again);
  uint32_t exit = add_point(builder, PLAN_NONE, here->exit_step);
  add_free_way(builder, exit, next);
  add_free_way(builder, exit, again);
  uint32_t body = exit;
  if (last != here->first_child)
    body = build_children(builder, nodes[here->first_child].next_sibling, last,
                          exit);
  add_free_way(builder, header, body);
  return header;
}

static uint32_t build(Builder *builder, uint32_t node, uint32_t next) {
  const LunaPlanNode *here = &builder->problem->nodes.items[node];
  switch (here->kind) {
  case PLAN_NODE_STEP: {
    uint32_t point = add_point(builder, here->first_step, here->first_step);
    add_free_way(builder, point, next);
    return point;
  }
  case LUNA_NODE_ALTERNATIVES:
    return build_alternatives(builder, node, next);
  case LUNA_NODE_LOOP:
    return build_loop(builder, node, next);
  default:
    return build_children(builder, here->first_child, here->last_child, next);
  }
}

// Returns the outermost loop around `node`, or PLAN_NONE.
static uint32_t outermost_loop(const LunaProblem *problem, uint32_t node) {
  uint32_t loop = PLAN_NONE;
  for (; node != PLAN_NONE; node = problem->nodes.items[node].parent)
    if (problem->nodes.items[node].kind == LUNA_NODE_LOOP)
      loop = node;
  return loop;
}

// A condition that is asked once, outside of loops, need not be remembered.
static void find_asked(Builder *builder) {
  const LunaProblem *problem = builder->problem;
  uint32_t *times =
      LUNA_ARENA_ARRAY(builder->arena, uint32_t, problem->condition_count);
  uint32_t *ends =
      LUNA_ARENA_ARRAY(builder->arena, uint32_t, problem->condition_count);
  for (uint32_t node = 0; node < problem->nodes.count; ++node) {
    const LunaPlanNode *here = &problem->nodes.items[node];
    if (here->condition == PLAN_NONE)
      continue;
    uint32_t loop = outermost_loop(problem, node);
    uint32_t end = loop == PLAN_NONE ? here->first_step + 1
                                     : problem->nodes.items[loop].end_step;
    times[here->condition] += loop == PLAN_NONE ? 1 : 2;
    if (ends[here->condition] < end)
      ends[here->condition] = end;
  }
  for (uint32_t i = 0; i < problem->condition_count; ++i)
    if (times[i] < 2)
      ends[i] = 0;
  builder->graph.asked_before = ends;
}

LunaPlanGraph luna_plan_graph_make(const LunaProblem *problem,
                                   LunaArena *arena) {
  Builder builder = {.problem = problem, .arena = arena};
  uint32_t end = add_point(&builder, PLAN_NONE, problem->step_nodes.count);
  builder.graph.entry = build(&builder, 0, end);
  find_asked(&builder);
  return builder.graph;
}
