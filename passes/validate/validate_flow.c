#include "validate_flow.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "validate_conditions.h"
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

// A choice of several buffers that is used keeps all of them from here on, also
// those that the arms that were taken have not accessed.
static bool is_used_choice(MlirValue result, const LunaPointer *pointer) {
  return pointer && pointer->condition &&
         !mlirOpOperandIsNull(mlirValueGetFirstUse(result));
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
  for (intptr_t i = 0; i < result_count; ++i) {
    MlirValue result = mlirOperationGetResult(arms->op, i);
    luna_side_set(side, result, results[i]);
    if (is_used_choice(result, results[i].pointer))
      luna_side_touch(side, results[i].pointer);
  }
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

// A branch or a loop of which one block is executed once, in line with what is
// around it.
typedef struct Inlined {
  MlirOperation op;
  struct Inlined *outer;
} Inlined;

// Where the execution of a block is.
typedef struct Cursor {
  MlirOperation next;
  Inlined *inlined; // innermost; NULL for none
} Cursor;

static Cursor start_of(MlirBlock block) {
  return (Cursor){.next = mlirBlockGetFirstOperation(block)};
}

static bool ends(const Cursor *cursor) {
  return !cursor->inlined && is_terminator(cursor->next);
}

// What is executed in place of an operator.
typedef enum Choice { CHOICE_OPEN, CHOICE_BLOCK, CHOICE_NOTHING } Choice;

// The arm that is taken, if that is known.
static Choice decide_branch(LunaSide *side, MlirOperation op,
                            MlirBlock *block) {
  int64_t number = 0;
  if (luna_op_is(op, LUNA_OP_SCF_IF)) {
    LunaTerm condition = luna_condition_restrict(
        side->terms, luna_side_get(side, mlirOperationGetOperand(op, 0)).term);
    if (condition != LUNA_TERM_TRUE && condition != LUNA_TERM_FALSE)
      return CHOICE_OPEN;
    *block = luna_body(op, condition == LUNA_TERM_TRUE ? 0 : 1);
    return mlirBlockIsNull(*block) ? CHOICE_NOTHING : CHOICE_BLOCK;
  }
  if (!luna_constant_number(mlirOperationGetOperand(op, 0), &number))
    return CHOICE_OPEN;
  MlirAttribute cases = luna_attr(op, "cases");
  intptr_t region = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(cases); ++i)
    if (mlirDenseI64ArrayGetElement(cases, i) == number)
      region = i + 1;
  *block = luna_body(op, region);
  return CHOICE_BLOCK;
}

// The body of a loop of one turn; nothing for one of none.
static Choice decide_for(LunaSide *side, MlirOperation op, MlirBlock *block) {
  int64_t low = 0, high = 0, step = 0;
  if (!luna_constant_number(mlirOperationGetOperand(op, 0), &low) ||
      !luna_constant_number(mlirOperationGetOperand(op, 1), &high) ||
      !luna_constant_number(mlirOperationGetOperand(op, 2), &step) ||
      step <= 0 || (low < high && high - low > step))
    return CHOICE_OPEN;
  *block = luna_body(op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    LunaMeaning initial =
        luna_side_get(side, mlirOperationGetOperand(op, 3 + i));
    luna_side_set(side, mlirBlockGetArgument(*block, 1 + i), initial);
    luna_side_set(side, mlirOperationGetResult(op, i), initial);
  }
  luna_side_set(side, mlirBlockGetArgument(*block, 0),
                luna_side_get(side, mlirOperationGetOperand(op, 0)));
  return low < high ? CHOICE_BLOCK : CHOICE_NOTHING;
}

static Choice decide(LunaSide *side, MlirOperation op, MlirBlock *block) {
  if (luna_op_is(op, LUNA_OP_SCF_FOR))
    return decide_for(side, op, block);
  return is_branch(op) ? decide_branch(side, op, block) : CHOICE_OPEN;
}

static void enter(LunaSide *side, Cursor *cursor, MlirBlock block) {
  Inlined *inlined = LUNA_ARENA_ARRAY(side->arena, Inlined, 1);
  *inlined = (Inlined){cursor->next, cursor->inlined};
  cursor->inlined = inlined;
  cursor->next = mlirBlockGetFirstOperation(block);
}

static void leave(LunaSide *side, Cursor *cursor) {
  MlirOperation op = cursor->inlined->op;
  LunaMeaning *results = yielded(side, mlirOperationGetBlock(cursor->next));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    luna_side_set(side, mlirOperationGetResult(op, i), results[i]);
  cursor->inlined = cursor->inlined->outer;
  cursor->next = mlirOperationGetNextInBlock(op);
}

static bool run_one(LunaSide *side, MlirOperation op) {
  if (is_branch(op))
    return run_branch_alone(side, op);
  return luna_op_is(op, LUNA_OP_LUNA_REGION) ? run_region(side, op)
                                             : luna_validate_operator(side, op);
}

// Executes operators up to the next one that contains a loop and is not
// decided, or to the end.
static bool run_until_loop(LunaSide *side, Cursor *cursor) {
  while (!ends(cursor)) {
    MlirBlock block;
    if (is_terminator(cursor->next)) {
      leave(side, cursor);
      continue;
    }
    Choice choice = holds_loop(side, cursor->next)
                        ? decide(side, cursor->next, &block)
                        : CHOICE_NOTHING;
    if (choice == CHOICE_OPEN)
      return true;
    if (choice == CHOICE_BLOCK) {
      enter(side, cursor, block);
      continue;
    }
    if (!holds_loop(side, cursor->next) && !run_one(side, cursor->next))
      return false;
    cursor->next = mlirOperationGetNextInBlock(cursor->next);
  }
  return true;
}

static bool fail_loops(MlirOperation op) {
  luna_emit_error(op, "loops do not correspond to those of the program");
  return false;
}

static bool run_alone(LunaSide *side, MlirBlock block) {
  Cursor cursor = start_of(block);
  return run_until_loop(side, &cursor) &&
         (ends(&cursor) || fail_loops(cursor.next));
}

//===----------------------------------------------------------------------===//
// Lockstep execution
//===----------------------------------------------------------------------===//

static LunaTerm tested_by(const LunaSide *side, MlirOperation op) {
  return luna_condition_restrict(
      side->terms, luna_side_get(side, mlirOperationGetOperand(op, 0)).term);
}

// How the arms of two branches correspond.
typedef enum Match { MATCH_NONE, MATCH_SAME, MATCH_CROSSED } Match;

static Match match_branches(const LunaPair *pair, MlirOperation program,
                            MlirOperation plan) {
  bool is_if = luna_op_is(program, LUNA_OP_SCF_IF);
  if (is_loop(plan) || is_if != luna_op_is(plan, LUNA_OP_SCF_IF))
    return MATCH_NONE;
  LunaTerm a = tested_by(&pair->program, program);
  LunaTerm b = tested_by(&pair->plan, plan);
  if (!is_if)
    return a == b && mlirAttributeEqual(luna_attr(program, "cases"),
                                        luna_attr(plan, "cases"))
               ? MATCH_SAME
               : MATCH_NONE;
  if (a == b)
    return MATCH_SAME;
  return luna_term_either(pair->terms, a, LUNA_TERM_FALSE, LUNA_TERM_TRUE) == b
             ? MATCH_CROSSED
             : MATCH_NONE;
}

// An arm that the other program's branch does not have holds no loop.
static bool run_arm(LunaSide *side, MlirBlock block, MlirOperation plan) {
  if (mlirBlockIsNull(block))
    return true;
  Cursor cursor = start_of(block);
  return run_until_loop(side, &cursor) && (ends(&cursor) || fail_loops(plan));
}

static bool pair_arms(LunaPair *pair, MlirOperation plan, MlirBlock in_program,
                      MlirBlock in_plan) {
  if (!mlirBlockIsNull(in_program) && !mlirBlockIsNull(in_plan))
    return luna_pair_blocks(pair, in_program, in_plan);
  return run_arm(&pair->program, in_program, plan) &&
         run_arm(&pair->plan, in_plan, plan);
}

static bool pair_branches(LunaPair *pair, MlirOperation program,
                          MlirOperation plan) {
  Match match = match_branches(pair, program, plan);
  if (match == MATCH_NONE) {
    luna_emit_error(plan, "branches other than the program does here");
    return false;
  }
  Arms a = begin_arms(&pair->program, program);
  Arms b = begin_arms(&pair->plan, plan);
  LunaTerm condition = tested_by(&pair->program, program);
  for (intptr_t arm = 0; arm < a.count; ++arm) {
    intptr_t other = match == MATCH_CROSSED ? 1 - arm : arm;
    MlirBlock in_program = begin_arm(&a, arm), in_plan = begin_arm(&b, other);
    uint64_t mark =
        luna_op_is(program, LUNA_OP_SCF_IF)
            ? luna_condition_assume(pair->terms, condition, arm == 0)
            : pair->terms->facts.count;
    bool is_done = pair_arms(pair, plan, in_program, in_plan);
    luna_condition_forget(pair->terms, mark);
    if (!is_done)
      return false;
    end_arm(&a, arm, in_program);
    end_arm(&b, other, in_plan);
  }
  join_arms(&a);
  join_arms(&b);
  return true;
}

bool luna_pair_blocks(LunaPair *pair, MlirBlock program, MlirBlock plan) {
  Cursor a = start_of(program), b = start_of(plan);
  for (;;) {
    if (!run_until_loop(&pair->program, &a) || !run_until_loop(&pair->plan, &b))
      return false;
    if (ends(&a) && ends(&b))
      return true;
    if (ends(&a) || ends(&b) || is_loop(a.next) != is_loop(b.next))
      return fail_loops(ends(&b) ? pair->plan.func : b.next);
    bool is_done = is_loop(a.next) ? luna_pair_loops(pair, a.next, b.next)
                                   : pair_branches(pair, a.next, b.next);
    if (!is_done)
      return false;
    a.next = mlirOperationGetNextInBlock(a.next);
    b.next = mlirOperationGetNextInBlock(b.next);
  }
}

bool luna_pair_run(LunaPair *pair) {
  luna_walk(pair->program.func, mark_loops, &pair->program);
  luna_walk(pair->plan.func, mark_loops, &pair->plan);
  return luna_pair_blocks(pair, luna_body(pair->program.func, 0),
                          luna_body(pair->plan.func, 0));
}
