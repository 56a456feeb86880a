#include "plan_copy_price.h"

#include <string.h>

// Up to so many, paths are counted one by one; beyond, as so many parts of all.
enum { PARTS_MAX = 1 << 20 };

uint64_t luna_plan_add_cycles(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t product_of(uint64_t a, uint64_t b) {
  return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

// Returns the number of paths through each node, as if all alternatives were
// decided on their own, up to what 32 bits count, per alternative. Nodes are in
// pre-order: in descending order, children precede their parent.
static uint64_t *count_paths(const LunaProblem *problem, LunaArena *arena) {
  uint64_t *paths = LUNA_ARENA_ARRAY(arena, uint64_t, problem->nodes.count);
  for (uint32_t node = (uint32_t)problem->nodes.count; node-- > 0;) {
    const LunaPlanNode *here = &problem->nodes.items[node];
    bool is_choice = here->kind == LUNA_NODE_ALTERNATIVES;
    uint64_t count = is_choice ? 0 : 1;
    for (uint32_t child = here->first_child; child != PLAN_NONE;
         child = problem->nodes.items[child].next_sibling) {
      count =
          is_choice ? count + paths[child] : product_of(count, paths[child]);
      count = is_choice || count < UINT32_MAX ? count : UINT32_MAX;
    }
    paths[node] = count > 0 ? count : 1;
  }
  return paths;
}

// Divides the part of alternatives among their branches by their paths.
static void part_branches(const LunaProblem *problem, const uint64_t *paths,
                          uint32_t alternatives, uint64_t *parts) {
  const LunaPlanNode *here = &problem->nodes.items[alternatives];
  uint64_t left = parts[alternatives];
  for (uint32_t child = here->first_child; child != PLAN_NONE;
       child = problem->nodes.items[child].next_sibling) {
    uint64_t own = parts[alternatives] * paths[child] / paths[alternatives];
    parts[child] = child == here->last_child ? left : own;
    left -= parts[child];
  }
}

// Returns how many of the paths, or of their parts, take each node.
static uint64_t *part_paths(const LunaProblem *problem, LunaArena *arena) {
  const uint64_t *paths = count_paths(problem, arena);
  uint64_t *parts = LUNA_ARENA_ARRAY(arena, uint64_t, problem->nodes.count);
  parts[0] = paths[0] < PARTS_MAX ? paths[0] : PARTS_MAX;
  for (uint32_t node = 0; node < problem->nodes.count; ++node) {
    const LunaPlanNode *here = &problem->nodes.items[node];
    if (node > 0 && here->kind != LUNA_NODE_BRANCH)
      parts[node] = parts[here->parent];
    if (here->kind == LUNA_NODE_ALTERNATIVES)
      part_branches(problem, paths, node, parts);
  }
  return parts;
}

LunaPlanCopies luna_plan_copies_make(const LunaProblem *problem,
                                     const LunaCoalesceOptions *options,
                                     LunaArena *arena) {
  return (LunaPlanCopies){
      .problem = problem,
      .options = options,
      .parts = part_paths(problem, arena),
      .cycles = LUNA_ARENA_ARRAY(arena, uint64_t, problem->nodes.count)};
}

uint64_t luna_plan_copy_cycles(const LunaCoalesceOptions *options,
                               LunaMoveId move) {
  return options->move_cycles ? options->move_cycles[move] : 1;
}

static uint32_t node_of(const LunaProblem *problem, LunaMoveId move) {
  return problem->step_nodes.items[problem->moves.items[move].step];
}

// Writes what each node takes without its children.
static void fill_cycles(const LunaPlanCopies *copies, const bool *is_copy) {
  const LunaProblem *problem = copies->problem;
  const uint64_t *steps = copies->options->step_cycles;
  memset(copies->cycles, 0, sizeof *copies->cycles * problem->nodes.count);
  for (uint32_t step = 0; steps && step < problem->step_nodes.count; ++step)
    copies->cycles[problem->step_nodes.items[step]] = steps[step];
  for (LunaMoveId move = 0; move < problem->moves.count; ++move) {
    uint64_t *cycles = &copies->cycles[node_of(problem, move)];
    if (!is_copy || is_copy[move])
      *cycles = luna_plan_add_cycles(
          *cycles, luna_plan_copy_cycles(copies->options, move));
  }
}

LunaProgramCycles luna_plan_copies_price(const LunaPlanCopies *copies,
                                         const bool *is_copy) {
  const LunaProblem *problem = copies->problem;
  LunaProgramCycles price = {0};
  fill_cycles(copies, is_copy);
  for (uint32_t node = 0; node < problem->nodes.count; ++node)
    price.all = luna_plan_add_cycles(
        price.all, product_of(copies->parts[node], copies->cycles[node]));
  for (uint32_t node = (uint32_t)problem->nodes.count; node-- > 1;) {
    uint64_t *above = &copies->cycles[problem->nodes.items[node].parent];
    if (problem->nodes.items[node].kind != LUNA_NODE_BRANCH)
      *above = luna_plan_add_cycles(*above, copies->cycles[node]);
    else if (*above < copies->cycles[node])
      *above = copies->cycles[node];
  }
  price.slowest = copies->cycles[0];
  return price;
}

LunaProgramCycles luna_plan_cycles(const LunaProblem *problem,
                                   const LunaCoalesceOptions *options,
                                   LunaArena *arena) {
  LunaPlanCopies copies = luna_plan_copies_make(problem, options, arena);
  return luna_plan_copies_price(&copies, NULL);
}

bool luna_plan_cycles_are_less(LunaProgramCycles a, LunaProgramCycles b) {
  return a.slowest != b.slowest ? a.slowest < b.slowest : a.all < b.all;
}
