#include "validate_flow.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "validate_operators.h"

static bool is_loop(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_SCF_FOR) || luna_op_is(op, LUNA_OP_SCF_WHILE);
}

static bool is_branch(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_SCF_IF) ||
         luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH);
}

//===----------------------------------------------------------------------===//
// Operators that contain loops
//===----------------------------------------------------------------------===//

// Marks each loop and its ancestors by an empty memory whose key is the
// operator.
static bool mark_loops(MlirOperation op, void *data) {
  LunaSide *side = data;
  uint32_t ignored = 0;
  if (!is_loop(op))
    return true;
  while (!mlirOperationEqual(op, side->func) &&
         !luna_side_find_memory(side, op.ptr, &ignored)) {
    luna_side_memory(side, op.ptr, 0);
    op = mlirOperationGetParentOperation(op);
  }
  return true;
}

static bool holds_loop(const LunaSide *side, MlirOperation op) {
  uint32_t ignored = 0;
  return (is_loop(op) || is_branch(op)) &&
         luna_side_find_memory(side, op.ptr, &ignored);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

// The state of `side` if `condition` holds, else `other`.
static void join_states(LunaSide *side, LunaTerm condition,
                        const LunaState *holds, const LunaState *other) {
  LunaState result = *holds;
  for (uint32_t i = 0; luna_state_next_change(holds, other, &i); ++i) {
    LunaRuns a = luna_state_get(side->arena, holds, i);
    LunaRuns b = luna_state_get(side->arena, other, i);
    luna_state_set(side->arena, &result, i,
                   luna_side_join(side, condition, &a, &b));
  }
  side->state = result;
}

// The meanings of a branch's results: `holds` if the condition does, else
// `other`.
static void join_results(LunaSide *side, MlirOperation op, LunaTerm condition,
                         const LunaMeaning *holds, LunaMeaning *other) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    if (holds[i].pointer && other[i].pointer)
      other[i].pointer =
          luna_side_choose(side, condition, holds[i].pointer, other[i].pointer);
    else
      other[i].term =
          luna_term_gamma(side->terms, condition, (LunaByte){holds[i].term, 0},
                          (LunaByte){other[i].term, 0})
              .term;
  }
}

static LunaMeaning *yielded(LunaSide *side, MlirBlock block) {
  MlirOperation yield = mlirBlockGetTerminator(block);
  intptr_t count = mlirOperationGetNumOperands(yield);
  LunaMeaning *meanings = LUNA_ARENA_ARRAY(side->arena, LunaMeaning, count);
  for (intptr_t i = 0; i < count; ++i)
    meanings[i] = luna_side_get(side, mlirOperationGetOperand(yield, i));
  return meanings;
}

// The condition under which arm `arm` of a branch is taken if none before it
// is: that of the if, or that the index equals the case of the switch. Arms are
// in the order of their tests, the default last.
static LunaTerm condition_of(LunaSide *side, MlirOperation op, intptr_t arm) {
  LunaTerm value = luna_side_get(side, mlirOperationGetOperand(op, 0)).term;
  if (luna_op_is(op, LUNA_OP_SCF_IF))
    return value;
  const uint64_t words[] = {
      LUNA_TERM_SCALAR, value,
      (uint64_t)mlirDenseI64ArrayGetElement(luna_attr(op, "cases"), arm)};
  return luna_term(side->terms, words, 3, luna_term_loops(side->terms, value));
}

static intptr_t region_of_arm(MlirOperation op, intptr_t arm, intptr_t count) {
  if (luna_op_is(op, LUNA_OP_SCF_IF))
    return arm;
  return arm + 1 < count ? arm + 1 : 0;
}

// Executes the arms of a branch, each from the same state.
typedef struct Arms {
  LunaSide *side;
  MlirOperation op;
  intptr_t count;
  LunaState before;
  LunaState *after;
  LunaMeaning **results;
} Arms;

static Arms begin_arms(LunaSide *side, MlirOperation op) {
  Arms arms = {.side = side,
               .op = op,
               .count = mlirOperationGetNumRegions(op),
               .before = side->state};
  arms.after = LUNA_ARENA_ARRAY(side->arena, LunaState, arms.count);
  arms.results = LUNA_ARENA_ARRAY(side->arena, LunaMeaning *, arms.count);
  return arms;
}

static MlirBlock begin_arm(Arms *arms, intptr_t arm) {
  arms->side->state = arms->before;
  return luna_body(arms->op, region_of_arm(arms->op, arm, arms->count));
}

// An absent else has no block.
static void end_arm(Arms *arms, intptr_t arm, MlirBlock block) {
  arms->after[arm] = arms->side->state;
  if (!mlirBlockIsNull(block))
    arms->results[arm] = yielded(arms->side, block);
}

static void join_arms(Arms *arms) {
  LunaSide *side = arms->side;
  intptr_t result_count = mlirOperationGetNumResults(arms->op);
  LunaState state = arms->after[arms->count - 1];
  LunaMeaning *results = arms->results[arms->count - 1];
  for (intptr_t arm = arms->count - 2; arm >= 0; --arm) {
    LunaTerm condition = condition_of(side, arms->op, arm);
    join_states(side, condition, &arms->after[arm], &state);
    state = side->state;
    if (result_count > 0)
      join_results(side, arms->op, condition, arms->results[arm], results);
  }
  side->state = state;
  for (intptr_t i = 0; i < result_count; ++i)
    luna_side_set(side, mlirOperationGetResult(arms->op, i), results[i]);
}

//===----------------------------------------------------------------------===//
// Straight-line code
//===----------------------------------------------------------------------===//

static bool run_alone(LunaSide *side, MlirBlock block);

static bool run_branch_alone(LunaSide *side, MlirOperation op) {
  Arms arms = begin_arms(side, op);
  for (intptr_t arm = 0; arm < arms.count; ++arm) {
    MlirBlock block = begin_arm(&arms, arm);
    if (!mlirBlockIsNull(block) && !run_alone(side, block))
      return false;
    end_arm(&arms, arm, block);
  }
  join_arms(&arms);
  return true;
}

static bool run_region(LunaSide *side, MlirOperation op) {
  MlirBlock block = luna_body(op, 0);
  if (!run_alone(side, block))
    return false;
  LunaMeaning *results = yielded(side, block);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    luna_side_set(side, mlirOperationGetResult(op, i), results[i]);
  return true;
}

static bool is_terminator(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

// Executes operators from `*next` to the next one that contains a loop, or the
// terminator, and sets `*next` to it.
static bool run_until_loop(LunaSide *side, MlirOperation *next) {
  for (; !is_terminator(*next); *next = mlirOperationGetNextInBlock(*next)) {
    MlirOperation op = *next;
    if (holds_loop(side, op))
      return true;
    bool is_done = is_branch(op) ? run_branch_alone(side, op)
                   : luna_op_is(op, LUNA_OP_LUNA_REGION)
                       ? run_region(side, op)
                       : luna_validate_operator(side, op);
    if (!is_done)
      return false;
  }
  return true;
}

static bool run_alone(LunaSide *side, MlirBlock block) {
  MlirOperation next = mlirBlockGetFirstOperation(block);
  return run_until_loop(side, &next);
}

//===----------------------------------------------------------------------===//
// Lockstep execution
//===----------------------------------------------------------------------===//

static bool pair_branches(LunaPair *pair, MlirOperation program,
                          MlirOperation plan) {
  Arms a = begin_arms(&pair->program, program);
  Arms b = begin_arms(&pair->plan, plan);
  if (a.count != b.count || is_loop(plan)) {
    luna_emit_error(plan, "branches other than the program does here");
    return false;
  }
  for (intptr_t arm = 0; arm < a.count; ++arm) {
    MlirBlock in_program = begin_arm(&a, arm), in_plan = begin_arm(&b, arm);
    bool is_absent = mlirBlockIsNull(in_program) || mlirBlockIsNull(in_plan);
    bool is_done = !is_absent ? luna_pair_blocks(pair, in_program, in_plan)
                   : !mlirBlockIsNull(in_program)
                       ? run_alone(&pair->program, in_program)
                   : !mlirBlockIsNull(in_plan) ? run_alone(&pair->plan, in_plan)
                                               : true;
    if (!is_done)
      return false;
    end_arm(&a, arm, in_program);
    end_arm(&b, arm, in_plan);
  }
  join_arms(&a);
  join_arms(&b);
  return true;
}

bool luna_pair_blocks(LunaPair *pair, MlirBlock program, MlirBlock plan) {
  MlirOperation a = mlirBlockGetFirstOperation(program);
  MlirOperation b = mlirBlockGetFirstOperation(plan);
  for (;;) {
    if (!run_until_loop(&pair->program, &a) || !run_until_loop(&pair->plan, &b))
      return false;
    bool ends = is_terminator(a), plan_ends = is_terminator(b);
    if (ends && plan_ends)
      return true;
    if (ends != plan_ends || is_loop(a) != is_loop(b)) {
      luna_emit_error(plan_ends ? pair->plan.func : b,
                      "loops do not correspond to those of the program");
      return false;
    }
    if (!(is_loop(a) ? luna_pair_loops(pair, a, b) : pair_branches(pair, a, b)))
      return false;
    a = mlirOperationGetNextInBlock(a);
    b = mlirOperationGetNextInBlock(b);
  }
}

bool luna_pair_run(LunaPair *pair) {
  luna_walk(pair->program.func, mark_loops, &pair->program);
  luna_walk(pair->plan.func, mark_loops, &pair->plan);
  return luna_pair_blocks(pair, luna_body(pair->program.func, 0),
                          luna_body(pair->plan.func, 0));
}
