#include "simulate.h"

#include <string.h>

#include "plan_problem.h"

enum { MAX_BUFFERS = 16, MAX_BYTES = 256, MAX_TURNS = 4 };

typedef struct Machine {
  const LunaProblem *problem;
  const int64_t *offsets;
  Random *random;
  // Every byte holds the number of its contents and its place in them.
  uint32_t memory[MAX_BYTES];
  // By buffer: the number of the contents that it should hold, 0 for none.
  uint32_t expected[MAX_BUFFERS];
  uint32_t next_number;
  bool is_right;
} Machine;

static uint32_t byte_of(uint32_t number, uint32_t at) {
  return number * MAX_BYTES + at;
}

static void write(Machine *machine, uint32_t buffer, uint32_t number) {
  int64_t size = machine->problem->buffers.items[buffer].size_bytes;
  machine->expected[buffer] = number;
  for (uint32_t at = 0; at < size; ++at)
    machine->memory[machine->offsets[buffer] + at] = byte_of(number, at);
}

static void read(Machine *machine, uint32_t buffer) {
  int64_t size = machine->problem->buffers.items[buffer].size_bytes;
  uint32_t number = machine->expected[buffer];
  for (uint32_t at = 0; number != 0 && at < size; ++at)
    machine->is_right &=
        machine->memory[machine->offsets[buffer] + at] == byte_of(number, at);
}

static unsigned access_of(const Machine *machine, uint32_t step,
                          uint32_t buffer) {
  unsigned access = 0;
  for (uint32_t i = 0; i < machine->problem->touches.count; ++i) {
    LunaPlanTouch touch = machine->problem->touches.items[i];
    if (touch.step == step && touch.buffer == buffer)
      access |= touch.access;
  }
  return access;
}

// All moves read before any writes: `values` are the contents by move.
static void run_moves(Machine *machine, uint32_t step, const bool *is_made) {
  const LunaProblem *problem = machine->problem;
  uint32_t values[MAX_BUFFERS];
  memcpy(values, machine->expected, sizeof values);
  for (uint32_t i = 0; i < problem->moves.count; ++i) {
    LunaPlanMove move = problem->moves.items[i];
    if (move.step != step || move.from == move.to || is_made[move.to])
      continue;
    uint32_t number = values[move.from];
    if (number != 0 && machine->offsets[move.from] != machine->offsets[move.to])
      write(machine, move.to, number);
    machine->expected[move.to] = number;
  }
}

static void run_step(Machine *machine, uint32_t step) {
  uint32_t count = (uint32_t)machine->problem->buffers.count;
  bool is_made[MAX_BUFFERS] = {false};
  unsigned accesses[MAX_BUFFERS];
  for (uint32_t buffer = 0; buffer < count; ++buffer) {
    unsigned access = accesses[buffer] = access_of(machine, step, buffer);
    if ((access & PLAN_DISCARDS) != 0)
      machine->expected[buffer] = 0;
    if ((access & PLAN_MOVES_AWAY) != 0 ||
        ((access & PLAN_USES) != 0 && (access & PLAN_DEFINES) == 0))
      read(machine, buffer);
    is_made[buffer] = (access & PLAN_MAKES) != 0;
  }
  run_moves(machine, step, is_made);
  for (uint32_t buffer = 0; buffer < count; ++buffer)
    if (is_made[buffer] || ((accesses[buffer] & PLAN_MODIFIES) != 0 &&
                            (machine->expected[buffer] == 0 ||
                             random_below(machine->random, 2) == 0)))
      write(machine, buffer, machine->next_number++);
  // What the step reads it may read until its end.
  for (uint32_t buffer = 0; buffer < count; ++buffer)
    if ((accesses[buffer] & ~(unsigned)PLAN_DISCARDS) != 0)
      read(machine, buffer);
}

static void run_node(Machine *machine, uint32_t node);

// Runs the children whose first step is in `steps`.
static void run_children(Machine *machine, uint32_t node, LunaSteps steps) {
  const LunaPlanNode *nodes = machine->problem->nodes.items;
  for (uint32_t child = nodes[node].first_child; child != PLAN_NONE;
       child = nodes[child].next_sibling) {
    bool is_empty = nodes[child].first_step == nodes[child].end_step;
    if (!is_empty && steps.first <= nodes[child].first_step &&
        nodes[child].first_step < steps.end)
      run_node(machine, child);
  }
}

static void run_loop(Machine *machine, uint32_t node) {
  const LunaPlanNode *loop = &machine->problem->nodes.items[node];
  uint32_t turns = random_below(machine->random, MAX_TURNS);
  run_children(machine, node, (LunaSteps){loop->first_step, loop->exit_step});
  for (uint32_t i = 0; i < turns; ++i) {
    run_children(machine, node, (LunaSteps){loop->exit_step, loop->end_step});
    run_children(machine, node, (LunaSteps){loop->first_step, loop->exit_step});
  }
}

static void run_branch(Machine *machine, uint32_t node) {
  const LunaPlanNode *nodes = machine->problem->nodes.items;
  uint32_t branch = nodes[node].first_child;
  uint32_t number = random_below(machine->random, nodes[node].child_count);
  for (; number > 0; --number)
    branch = nodes[branch].next_sibling;
  run_node(machine, branch);
}

static void run_node(Machine *machine, uint32_t node) {
  const LunaPlanNode *here = &machine->problem->nodes.items[node];
  if (here->kind == PLAN_NODE_STEP)
    run_step(machine, here->first_step);
  else if (here->kind == LUNA_NODE_LOOP)
    run_loop(machine, node);
  else if (here->kind == LUNA_NODE_ALTERNATIVES && here->child_count > 0)
    run_branch(machine, node);
  else
    run_children(machine, node, (LunaSteps){0, UINT32_MAX});
}

bool simulate(const LunaProblem *problem, const int64_t *offset_bytes,
              Random *random) {
  Machine machine = {.problem = problem,
                     .offsets = offset_bytes,
                     .random = random,
                     .next_number = 1,
                     .is_right = true};
  run_node(&machine, 0);
  return machine.is_right;
}
