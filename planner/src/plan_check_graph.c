#include "plan_check_graph.h"

#include <stdlib.h>

LunaCheckGraph luna_plan_check_graph_make(const LunaProblem *problem,
                                          LunaArena *arena) {
  return (LunaCheckGraph){
      .problem = problem,
      .arena = arena,
      .slots = LUNA_ARENA_ARRAY(arena, uint32_t, problem->nodes.count),
  };
}

//===- Nodes --------------------------------------------------------------===//

static bool is_kept(const LunaCheckGraph *graph, uint32_t id) {
  uint32_t slot = graph->slots[id];
  return slot < graph->kept.count && graph->kept.items[slot].id == id;
}

// Keeps a node and what it lies in.
static void keep(LunaCheckGraph *graph, uint32_t id) {
  for (; id != PLAN_NONE && !is_kept(graph, id);
       id = graph->problem->nodes.items[id].parent) {
    graph->slots[id] = (uint32_t)graph->kept.count;
    *LUNA_VECTOR_ADD(graph->arena, &graph->kept) =
        (LunaCheckNode){id, PLAN_NONE, PLAN_NONE};
  }
}

static int compare(const void *a, const void *b) {
  uint32_t x = ((const LunaCheckNode *)a)->id;
  uint32_t y = ((const LunaCheckNode *)b)->id;
  return (x > y) - (x < y);
}

// Sorts the nodes, which no two have alike, and links those of one parent.
static void link_nodes(LunaCheckGraph *graph) {
  LunaCheckNode *kept = graph->kept.items;
  uint32_t count = (uint32_t)graph->kept.count;
  qsort(kept, count, sizeof *kept, compare);
  for (uint32_t i = 0; i < count; ++i)
    graph->slots[kept[i].id] = i;
  for (uint32_t i = count; i-- > 1;) {
    uint32_t parent = graph->problem->nodes.items[kept[i].id].parent;
    LunaCheckNode *above = &kept[graph->slots[parent]];
    kept[i].next_sibling = above->first_child;
    above->first_child = i;
  }
}

static const LunaPlanNode *node_of(const LunaCheckGraph *graph, uint32_t node) {
  return &graph->problem->nodes.items[graph->kept.items[node].id];
}

// The root is never closed.
static uint32_t end_of(const LunaCheckGraph *graph, uint32_t node) {
  return node == 0 ? (uint32_t)graph->problem->step_nodes.count
                   : node_of(graph, node)->end_step;
}

//===- Edges --------------------------------------------------------------===//

static void add_edge(LunaCheckGraph *graph, uint32_t from, uint32_t to) {
  *LUNA_VECTOR_ADD(graph->arena, &graph->edges) = (LunaCheckEdge){from, to};
}

static void add_run(LunaCheckGraph *graph, uint32_t first, uint32_t end,
                    uint32_t node) {
  *LUNA_VECTOR_ADD(graph->arena, &graph->runs) =
      (LunaCheckRun){first, end, node};
  add_edge(graph, plan_check_entry(node), plan_check_exit(node));
}

// Leads from a point through the steps [first, end), which touch nothing.
// Returns the point after them.
static uint32_t pass(LunaCheckGraph *graph, uint32_t at, uint32_t first,
                     uint32_t end) {
  if (first >= end)
    return at;
  uint32_t node = graph->node_count++;
  add_edge(graph, at, plan_check_entry(node));
  add_run(graph, first, end, node);
  return plan_check_exit(node);
}

static void connect(LunaCheckGraph *graph, uint32_t node);

static uint32_t connect_child(LunaCheckGraph *graph, uint32_t at,
                              uint32_t child) {
  add_edge(graph, at, plan_check_entry(child));
  connect(graph, child);
  return plan_check_exit(child);
}

// Branches that touch nothing are alike, also those without steps.
static void connect_branches(LunaCheckGraph *graph, uint32_t node) {
  const LunaPlanNode *all = node_of(graph, node);
  uint32_t entry = plan_check_entry(node), exit = plan_check_exit(node);
  uint32_t step = all->first_step, count = 0;
  for (uint32_t branch = graph->kept.items[node].first_child;
       branch != PLAN_NONE; branch = graph->kept.items[branch].next_sibling) {
    uint32_t first = node_of(graph, branch)->first_step;
    if (step < first)
      add_edge(graph, pass(graph, entry, step, first), exit);
    add_edge(graph, connect_child(graph, entry, branch), exit);
    step = node_of(graph, branch)->end_step;
    ++count;
  }
  if (step < all->end_step)
    add_edge(graph, pass(graph, entry, step, all->end_step), exit);
  if (count < all->child_count || count == 0)
    add_edge(graph, entry, exit);
}

// Leads through a sequence, or through a loop, which is left where the steps
// before `exit_step` have run.
static void connect_sequence(LunaCheckGraph *graph, uint32_t node,
                             uint32_t exit_step) {
  uint32_t at = plan_check_entry(node), leaving = at;
  uint32_t step = node_of(graph, node)->first_step;
  uint32_t child = graph->kept.items[node].first_child;
  for (bool is_last = false; !is_last;) {
    is_last = child == PLAN_NONE;
    uint32_t next =
        is_last ? end_of(graph, node) : node_of(graph, child)->first_step;
    if (step < exit_step) {
      uint32_t stop = next < exit_step ? next : exit_step;
      at = leaving = pass(graph, at, step, stop);
      step = stop;
    }
    at = pass(graph, at, step, next);
    if (is_last)
      break;
    at = connect_child(graph, at, child);
    step = node_of(graph, child)->end_step;
    if (step <= exit_step)
      leaving = at;
    child = graph->kept.items[child].next_sibling;
  }
  add_edge(graph, leaving, plan_check_exit(node));
  if (node_of(graph, node)->kind == LUNA_NODE_LOOP)
    add_edge(graph, at, plan_check_entry(node));
}

static void connect(LunaCheckGraph *graph, uint32_t node) {
  const LunaPlanNode *it = node_of(graph, node);
  switch (it->kind) {
  case PLAN_NODE_STEP:
    add_run(graph, it->first_step, it->end_step, node);
    break;
  case LUNA_NODE_ALTERNATIVES:
    connect_branches(graph, node);
    break;
  case LUNA_NODE_LOOP:
    connect_sequence(graph, node, it->exit_step);
    break;
  default:
    connect_sequence(graph, node, end_of(graph, node));
    break;
  }
}

void luna_plan_check_graph_build(LunaCheckGraph *graph, const uint32_t *steps,
                                 uint32_t count) {
  graph->kept.count = graph->runs.count = graph->edges.count = 0;
  for (uint32_t i = 0; i < count; ++i)
    keep(graph, graph->problem->step_nodes.items[steps[i]]);
  link_nodes(graph);
  graph->node_count = (uint32_t)graph->kept.count;
  connect(graph, 0);
}

uint32_t luna_plan_check_graph_entry(const LunaCheckGraph *graph,
                                     uint32_t step) {
  return plan_check_entry(graph->slots[graph->problem->step_nodes.items[step]]);
}
