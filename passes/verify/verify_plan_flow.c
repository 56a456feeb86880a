// Control flow on the abstract machine: branches run on clones that are
// joined, loops until the state at their head no longer changes.

#include "verify_plan_flow.h"

#include "luna-c/ops.h"
#include "verify_plan_ops.h"
#include "verify_plan_report.h"
#include "verify_plan_state.h"

typedef LunaVerifyMachine Machine;
typedef LunaVerifyState State;

static bool run_region(const Machine *machine, State *state, MlirOperation op,
                       intptr_t region);

static MlirBlock first_block(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

typedef struct Values {
  MlirValue *values;
  intptr_t count;
} Values;

static Values operands(const Machine *machine, MlirOperation op, intptr_t first,
                       intptr_t count) {
  Values list = {LUNA_ARENA_ARRAY(machine->states.arena, MlirValue, count),
                 count};
  for (intptr_t i = 0; i < count; ++i)
    list.values[i] = mlirOperationGetOperand(op, first + i);
  return list;
}

static Values results(const Machine *machine, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  Values list = {LUNA_ARENA_ARRAY(machine->states.arena, MlirValue, count),
                 count};
  for (intptr_t i = 0; i < count; ++i)
    list.values[i] = mlirOperationGetResult(op, i);
  return list;
}

static Values arguments(const Machine *machine, MlirBlock block,
                        intptr_t first) {
  intptr_t count = mlirBlockGetNumArguments(block) - first;
  Values list = {LUNA_ARENA_ARRAY(machine->states.arena, MlirValue, count),
                 count};
  for (intptr_t i = 0; i < count; ++i)
    list.values[i] = mlirBlockGetArgument(block, first + i);
  return list;
}

// An edge out of block `leaves` (null for none) into block `enters`.
typedef struct Edge {
  MlirOperation op;
  Values from, to;
  MlirBlock leaves, enters;
} Edge;

static bool follow(const Machine *machine, State *state, const Edge *edge) {
  LunaVerifyToken token;
  bool is_cut = edge->to.count < edge->from.count;
  LunaVerifyEdge passed = {
      .op = edge->op,
      .from = edge->from.values,
      .to = edge->to.values,
      .count = is_cut ? edge->to.count : edge->from.count,
      .leaves = edge->leaves,
      .enters = edge->enters,
  };
  switch (luna_verify_state_follow(&machine->states, state, &passed, &token)) {
  case LUNA_VERIFY_EDGE_OK:
    return true;
  case LUNA_VERIFY_EDGE_SPENT:
    return luna_verify_fail(
        edge->op, "forwards a token that was already awaited or forwarded",
        token.spent_by, "awaited or forwarded here");
  case LUNA_VERIFY_EDGE_HELD:
    break;
  }
  return luna_verify_fail(
      token.origin,
      luna_arena_printf(machine->states.arena, "is never awaited%s",
                        luna_verify_path(machine->states.arena, edge->op,
                                         token.origin, NULL)),
      edge->op, "still in flight here");
}

// The targets of the values that a region forwards.
typedef struct Target {
  Values values;
  MlirBlock block;
} Target;

// Leaves a region of `op` with the operands of its terminator; an empty region
// forwards none.
static bool leave(const Machine *machine, State *state, MlirOperation op,
                  intptr_t region, Target to) {
  LunaVerifyForward forward = luna_verify_forward(op, region);
  if (mlirOperationIsNull(forward.terminator))
    return true;
  Edge edge = {
      .op = forward.terminator,
      .from =
          operands(machine, forward.terminator, forward.first, forward.count),
      .to = to.values,
      .leaves = first_block(op, region),
      .enters = to.block,
  };
  return follow(machine, state, &edge);
}

// Enters a loop with its operands from `first` on.
static bool enter(const Machine *machine, State *state, MlirOperation op,
                  intptr_t first, Target to) {
  Edge edge = {
      .op = op,
      .from = operands(machine, op, first, to.values.count),
      .to = to.values,
      .enters = to.block,
  };
  return follow(machine, state, &edge);
}

static Target to_results(const Machine *machine, MlirOperation op) {
  return (Target){results(machine, op), mlirOperationGetBlock(op)};
}

static Target to_arguments(const Machine *machine, MlirBlock block,
                           intptr_t first) {
  return (Target){arguments(machine, block, first), block};
}

static Target to_nowhere(void) { return (Target){{NULL, 0}, {NULL}}; }

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static bool join_branch(const Machine *machine, State *joined,
                        const State *side, MlirOperation op, intptr_t region) {
  LunaVerifyDecision decision = {op, region, NULL};
  LunaVerifyToken conflict;
  if (luna_verify_state_join(&machine->states, joined, side, &decision,
                             &conflict))
    return true;
  return luna_verify_fail(op, "a transfer is awaited in some branches only",
                          conflict.spent_by, "awaited or forwarded here");
}

// scf.if, scf.index_switch, and luna.region as a branch of one.
static bool run_branches(const Machine *machine, State *state,
                         MlirOperation op) {
  State joined = *state;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    State side = luna_verify_state_clone(&machine->states, state);
    LunaVerifyDecision decision = {op, r, NULL};
    if (luna_op_is(op, LUNA_OP_SCF_IF))
      luna_verify_state_assume(
          &machine->states, &side,
          luna_verify_condition(mlirOperationGetOperand(op, 0)), r);
    if (!run_region(machine, &side, op, r) ||
        !leave(machine, &side, op, r, to_results(machine, op)))
      return false;
    if (mlirOperationGetNumRegions(op) > 1)
      luna_verify_state_mark_new(&machine->states, &side, state, &decision);
    if (r == 0)
      joined = side;
    else if (!join_branch(machine, &joined, &side, op, r))
      return false;
  }
  *state = joined;
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// Begins a loop that a turn of a loop around it reaches again where its last
// run ended: only more is lost now. So a nest is executed once for each loss,
// and not once for each turn of each loop around it. Returns the state as it
// was.
static State resume(const Machine *machine, State *state, MlirOperation loop) {
  State entry = luna_verify_state_clone(&machine->states, state);
  uint32_t index =
      luna_map_find(&machine->runs->loops, luna_map_pointer(loop.ptr));
  if (index != LUNA_MAP_ABSENT) {
    const LunaVerifyRun *last = &machine->runs->items[index];
    luna_verify_state_resume(&machine->states, state, &last->entry,
                             &last->head);
  }
  return entry;
}

static void keep(const Machine *machine, MlirOperation loop, State entry,
                 const State *head) {
  LunaArena *arena = machine->states.arena;
  uint32_t index =
      luna_map_add(&machine->runs->loops, arena, luna_map_pointer(loop.ptr));
  if (index == machine->runs->count)
    LUNA_VECTOR_ADD(arena, machine->runs);
  machine->runs->items[index] =
      (LunaVerifyRun){entry, luna_verify_state_clone(&machine->states, head)};
}

// Joins the back edge into the head; sets `has_changed` if the body must run
// again.
static bool join_back_edge(const Machine *machine, State *head, State *back,
                           MlirOperation op, bool *has_changed) {
  LunaVerifyToken conflict;
  State next = luna_verify_state_clone(&machine->states, head);
  luna_verify_state_forget_paths(back);
  if (!luna_verify_state_join(&machine->states, &next, back, NULL, &conflict))
    return luna_verify_fail(
        op,
        "a transfer started before this loop is awaited in it, once "
        "per iteration",
        conflict.spent_by, "awaited or forwarded here");
  *has_changed = !luna_verify_state_equal(&next, head);
  *head = next;
  return true;
}

static bool run_for(const Machine *machine, State *state, MlirOperation op) {
  MlirBlock body = first_block(op, 0);
  Target carried = to_arguments(machine, body, 1),
         after = to_results(machine, op);
  if (!enter(machine, state, op, 3, carried))
    return false;
  State entry = resume(machine, state, op);
  for (bool has_changed = true; has_changed;) {
    State side = luna_verify_state_clone(&machine->states, state);
    if (!run_region(machine, &side, op, 0) ||
        !leave(machine, &side, op, 0, carried) ||
        !join_back_edge(machine, state, &side, op, &has_changed))
      return false;
    if (has_changed)
      continue;
    keep(machine, op, entry, state);
    luna_verify_state_credit(&machine->states, state, &side);
  }
  Edge exit = {op, carried.values, after.values, body, after.block};
  return follow(machine, state, &exit);
}

static bool run_while(const Machine *machine, State *state, MlirOperation op) {
  Target carried = to_arguments(machine, first_block(op, 0), 0);
  Target passed = to_arguments(machine, first_block(op, 1), 0);
  if (!enter(machine, state, op, 0, carried))
    return false;
  State entry = resume(machine, state, op);
  for (;;) {
    State head = luna_verify_state_clone(&machine->states, state);
    if (!run_region(machine, &head, op, 0))
      return false;
    State exit = luna_verify_state_clone(&machine->states, &head);
    bool has_changed = false;
    if (!leave(machine, &head, op, 0, passed) ||
        !run_region(machine, &head, op, 1) ||
        !leave(machine, &head, op, 1, carried) ||
        !join_back_edge(machine, state, &head, op, &has_changed))
      return false;
    if (has_changed)
      continue;
    keep(machine, op, entry, state);
    luna_verify_state_credit(&machine->states, &exit, &head);
    *state = exit;
    return leave(machine, state, op, 0, to_results(machine, op));
  }
}

// Any other op with regions: each may run any number of times.
static bool run_regions(const Machine *machine, State *state,
                        MlirOperation op) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      State side = luna_verify_state_clone(&machine->states, state);
      bool changes = false;
      if (!run_region(machine, &side, op, r) ||
          !leave(machine, &side, op, r, to_nowhere()) ||
          !join_back_edge(machine, state, &side, op, &changes))
        return false;
      has_changed = has_changed || changes;
      if (!changes)
        luna_verify_state_credit(&machine->states, state, &side);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool run_op(const Machine *machine, State *state, MlirOperation op) {
  if (mlirOperationGetNumRegions(op) == 0 ||
      luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return luna_verify_run_op(machine, state, op);
  if (luna_op_is(op, LUNA_OP_SCF_IF) ||
      luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH) ||
      luna_op_is(op, LUNA_OP_LUNA_REGION))
    return run_branches(machine, state, op);
  if (luna_op_is(op, LUNA_OP_SCF_FOR))
    return run_for(machine, state, op);
  if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    return run_while(machine, state, op);
  return run_regions(machine, state, op);
}

static bool run_region(const Machine *machine, State *state, MlirOperation op,
                       intptr_t region) {
  MlirBlock block = first_block(op, region);
  if (mlirBlockIsNull(block))
    return true;
  for (MlirOperation child = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(child); child = mlirOperationGetNextInBlock(child))
    if (!run_op(machine, state, child))
      return false;
  return true;
}

bool luna_verify_flow(MlirOperation func, const LunaVerifyLimits *limits,
                      const LunaVerifyValues *values, LunaArena *arena) {
  LunaMap tokens = {0};
  LunaVerifyRuns runs = {0};
  Machine machine = {.states = {.arena = arena,
                                .values = values,
                                .ranks = luna_verify_rank_slots(arena, values),
                                .tokens = &tokens},
                     .limits = limits,
                     .runs = &runs};
  State state = {0};
  return run_region(&machine, &state, func, 0) &&
         leave(&machine, &state, func, 0, to_nowhere());
}
