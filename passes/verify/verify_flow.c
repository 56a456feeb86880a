#include "verify_flow.h"

#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"
#include "verify_conditions.h"
#include "verify_operators.h"
#include "verify_rules.h"
#include "verify_transfers.h"

//===----------------------------------------------------------------------===//
// What is executed between an operator and the next in its block
//===----------------------------------------------------------------------===//

// One arm of a branch.
typedef struct Arm {
  MlirBlock block; // null for an absent else
  LunaTerm path;   // where execution is, or at the end
  LunaState state; // the same
  LunaMeaning *results;
  bool is_done;
  // Where the execution goes on.
  MlirOperation next;
  struct LunaFrame *frames;
} Arm;

// One block of an operator, executed once, in line with what is around it; or
// the arms of a branch, each from the same state.
typedef struct LunaFrame {
  struct LunaFrame *outer;
  MlirOperation op;
  intptr_t count; // of arms; 0 for one block
  intptr_t current;
  Arm *arms;
} Frame;

static Frame *push_frame(LunaFlow *flow) {
  Frame *frame = LUNA_ARENA_ARRAY(flow->side->arena, Frame, 1);
  *frame = (Frame){.outer = flow->frames, .op = flow->next};
  flow->frames = frame;
  return frame;
}

static void pop_frame(LunaFlow *flow) {
  flow->next = mlirOperationGetNextInBlock(flow->frames->op);
  flow->frames = flow->frames->outer;
}

static void enter_block(LunaFlow *flow, MlirBlock block) {
  push_frame(flow);
  flow->next = mlirBlockGetFirstOperation(block);
}

static LunaMeaning *yielded(LunaSide *side, MlirOperation yield) {
  intptr_t count = mlirOperationGetNumOperands(yield);
  LunaMeaning *meanings = LUNA_ARENA_ARRAY(side->arena, LunaMeaning, count);
  for (intptr_t i = 0; i < count; ++i)
    meanings[i] = luna_side_operand(side, yield, i);
  return meanings;
}

// Gives `to` what `from` is, and a token its transfers.
static void forward(LunaSide *side, MlirValue from, MlirValue to) {
  luna_side_set(side, to, luna_side_get(side, from));
  luna_flights_forward(side, from, to);
}

static void leave_block(LunaFlow *flow) {
  MlirOperation op = flow->frames->op;
  intptr_t first = luna_op_is(flow->next, LUNA_OP_SCF_CONDITION) ? 1 : 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    forward(flow->side, mlirOperationGetOperand(flow->next, first + i),
            mlirOperationGetResult(op, i));
  pop_frame(flow);
}

//===----------------------------------------------------------------------===//
// Joining the arms of a branch
//===----------------------------------------------------------------------===//

// The condition under which arm `arm` of a branch is taken if none before it
// is: that of the if, or that the index equals the case of the switch. Arms are
// in the order of their tests, the default last.
static LunaTerm condition_of(LunaSide *side, MlirOperation op, intptr_t arm) {
  LunaTerm value = luna_side_term(side, op, 0);
  if (luna_op_is(op, LUNA_OP_SCF_IF))
    return value;
  const uint64_t words[] = {
      LUNA_TERM_SCALAR, value,
      (uint64_t)mlirDenseI64ArrayGetElement(luna_attr(op, "cases"), arm)};
  LunaTerm atom =
      luna_term(side->terms, words, 3, luna_term_loops(side->terms, value));
  return luna_term_test(side->terms, atom);
}

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

// What is undefined in a choice of buffers that is used is so from here on: one
// by one, what the branches that exchange them have accessed would be a diagram
// of all of them.
static void touch_used_choice(LunaSide *side, MlirValue result) {
  const LunaPointer *pointer = luna_side_get(side, result).pointer;
  bool is_used = pointer && pointer->count > 1 &&
                 !mlirOpOperandIsNull(mlirValueGetFirstUse(result));
  for (uint64_t i = 0; is_used && i < pointer->count; ++i)
    luna_side_touch(side, pointer->items[i].place->buffer);
}

static void join_arms(LunaSide *side, const Frame *frame) {
  intptr_t result_count = mlirOperationGetNumResults(frame->op);
  const Arm *last = &frame->arms[frame->count - 1];
  side->state = last->state;
  side->path = last->path;
  for (const Arm *arm = last; arm-- > frame->arms;) {
    LunaState state = side->state;
    LunaTerm condition = condition_of(side, frame->op, arm - frame->arms);
    join_states(side, condition, &arm->state, &state);
    side->state.flights = luna_flights_join(side, arm->state.flights, arm->path,
                                            state.flights, side->path);
    side->path = luna_condition_or(side->terms, arm->path, side->path);
    if (result_count > 0)
      join_results(side, frame->op, condition, arm->results, last->results);
  }
  for (intptr_t i = 0; i < result_count; ++i) {
    MlirValue result = mlirOperationGetResult(frame->op, i);
    luna_side_set(side, result, last->results[i]);
    touch_used_choice(side, result);
  }
}

//===----------------------------------------------------------------------===//
// Executing the arms
//===----------------------------------------------------------------------===//

static intptr_t region_of_arm(const Frame *frame, intptr_t arm) {
  if (luna_op_is(frame->op, LUNA_OP_SCF_IF))
    return arm;
  return arm + 1 < frame->count ? arm + 1 : 0;
}

static void begin_arms(LunaSide *side, Frame *frame) {
  LunaTerm path = side->path; // where no arm before is taken
  for (intptr_t i = 0; i < frame->count; ++i) {
    intptr_t region = region_of_arm(frame, i);
    MlirBlock block = luna_body(frame->op, region);
    bool is_absent = mlirBlockIsNull(block), is_last = i == frame->count - 1;
    LunaTerm condition =
        is_last ? LUNA_TERM_TRUE : condition_of(side, frame->op, i);
    frame->arms[i] = (Arm){
        .block = block,
        .path = luna_condition_and(side->terms, path, condition),
        .state = side->state,
        .is_done = is_absent,
        .next = is_absent ? (MlirOperation){NULL}
                          : mlirBlockGetFirstOperation(block),
        .frames = frame,
    };
    luna_side_set_arm(side, frame->op, region, frame->arms[i].path);
    if (!is_last)
      path = luna_condition_and(side->terms, path,
                                luna_condition_not(side->terms, condition));
  }
}

static void resume_arm(LunaFlow *flow, Frame *frame, intptr_t number) {
  const Arm *arm = &frame->arms[number];
  frame->current = number;
  flow->side->state = arm->state;
  flow->side->path = arm->path;
  flow->next = arm->next;
  flow->frames = arm->frames;
}

static void suspend_arm(LunaFlow *flow, Frame *frame) {
  Arm *arm = &frame->arms[frame->current];
  arm->state = flow->side->state;
  arm->path = flow->side->path;
  arm->next = flow->next;
  arm->frames = flow->frames;
}

// Goes on in an arm that is not done, or joins all.
static void next_arm(LunaFlow *flow) {
  Frame *frame = flow->frames;
  for (intptr_t i = 0; i < frame->count; ++i)
    if (!frame->arms[i].is_done) {
      resume_arm(flow, frame, i);
      return;
    }
  join_arms(flow->side, frame);
  pop_frame(flow);
}

static void enter_arms(LunaFlow *flow) {
  Frame *frame = push_frame(flow);
  frame->count = mlirOperationGetNumRegions(frame->op);
  frame->arms = LUNA_ARENA_ARRAY(flow->side->arena, Arm, frame->count);
  begin_arms(flow->side, frame);
  next_arm(flow);
}

static void leave_arm(LunaFlow *flow) {
  Frame *frame = flow->frames;
  Arm *arm = &frame->arms[frame->current];
  for (intptr_t i = 0; i < mlirOperationGetNumResults(frame->op); ++i)
    luna_flights_forward(flow->side, mlirOperationGetOperand(flow->next, i),
                         mlirOperationGetResult(frame->op, i));
  suspend_arm(flow, frame);
  arm->results = yielded(flow->side, flow->next);
  arm->is_done = true;
  next_arm(flow);
}

// An arm that is not done and may be executed where `path` holds; -1 if there
// is none.
static intptr_t find_arm(LunaTerms *terms, const Frame *frame, LunaTerm path) {
  for (intptr_t i = 0; i < frame->count; ++i)
    if (i != frame->current && !frame->arms[i].is_done &&
        !luna_condition_excludes(terms, frame->arms[i].path, path))
      return i;
  return -1;
}

bool luna_flow_switch(LunaFlow *flow, LunaTerm path) {
  LunaTerms *terms = flow->side->terms;
  if (!luna_condition_excludes(terms, flow->side->path, path))
    return false;
  for (Frame *frame = flow->frames; frame; frame = frame->outer) {
    intptr_t arm = find_arm(terms, frame, path);
    if (arm >= 0) {
      suspend_arm(flow, frame);
      resume_arm(flow, frame, arm);
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Branches and loops that are decided
//===----------------------------------------------------------------------===//

// What is executed in place of an operator.
typedef enum Choice { CHOICE_OPEN, CHOICE_BLOCK, CHOICE_NOTHING } Choice;

// The arm that is taken, if that is known.
static Choice decide_branch(LunaSide *side, MlirOperation op,
                            MlirBlock *block) {
  int64_t number = 0;
  if (luna_op_is(op, LUNA_OP_SCF_IF)) {
    LunaTerm condition = luna_condition_where(side->terms, side->path,
                                              condition_of(side, op, 0));
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

// Gives the arguments that a loop carries their values in its first turn.
static void set_arguments(LunaSide *side, MlirOperation loop) {
  bool is_for = luna_op_is(loop, LUNA_OP_SCF_FOR);
  MlirBlock block = luna_body(loop, 0);
  for (intptr_t i = is_for ? 1 : 0; i < mlirBlockGetNumArguments(block); ++i)
    forward(side, mlirOperationGetOperand(loop, is_for ? 2 + i : i),
            mlirBlockGetArgument(block, i));
}

bool luna_flow_trips(MlirOperation loop, uint64_t *trips) {
  int64_t low = 0, high = 0, step = 0;
  bool is_known =
      luna_constant_number(mlirOperationGetOperand(loop, 0), &low) &&
      luna_constant_number(mlirOperationGetOperand(loop, 1), &high) &&
      luna_constant_number(mlirOperationGetOperand(loop, 2), &step) &&
      step >= 1 && mlirAttributeIsNull(luna_attr(loop, "unsignedCmp"));
  if (is_known)
    *trips = luna_trips(low, high, step);
  return is_known;
}

// The body of a loop of one turn; nothing for one of none, or one that is never
// reached.
static Choice decide_for(LunaSide *side, MlirOperation op, MlirBlock *block) {
  uint64_t trips = 0;
  if (side->path != LUNA_TERM_FALSE &&
      (!luna_flow_trips(op, &trips) || trips > 1))
    return CHOICE_OPEN;
  set_arguments(side, op);
  *block = luna_body(op, 0);
  for (intptr_t i = 0; trips != 1 && i < mlirOperationGetNumResults(op); ++i)
    forward(side, mlirBlockGetArgument(*block, 1 + i),
            mlirOperationGetResult(op, i));
  luna_side_set(side, mlirBlockGetArgument(*block, 0),
                luna_side_operand(side, op, 0));
  return trips == 1 ? CHOICE_BLOCK : CHOICE_NOTHING;
}

// The test of a while that is never reached.
static Choice decide_while(LunaSide *side, MlirOperation op, MlirBlock *block) {
  if (side->path != LUNA_TERM_FALSE)
    return CHOICE_OPEN;
  set_arguments(side, op);
  *block = luna_body(op, 0);
  return CHOICE_BLOCK;
}

static Choice decide(LunaSide *side, MlirOperation op, MlirBlock *block) {
  if (luna_op_is(op, LUNA_OP_SCF_FOR))
    return decide_for(side, op, block);
  if (luna_op_is(op, LUNA_OP_SCF_WHILE))
    return decide_while(side, op, block);
  if (luna_is_branch(op))
    return decide_branch(side, op, block);
  if (!luna_op_is(op, LUNA_OP_LUNA_REGION))
    return CHOICE_OPEN;
  *block = luna_body(op, 0);
  return CHOICE_BLOCK;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

LunaFlow luna_flow_begin(LunaSide *side, MlirOperation op) {
  return (LunaFlow){
      .side = side,
      .op = op,
      .next = mlirBlockGetFirstOperation(luna_body(op, 0)),
  };
}

static bool is_terminator(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

bool luna_flow_ends(const LunaFlow *flow) {
  return !flow->frames && is_terminator(flow->next) &&
         !luna_op_is(flow->next, LUNA_OP_SCF_CONDITION);
}

void luna_flow_skip(LunaFlow *flow) {
  flow->next = mlirOperationGetNextInBlock(flow->next);
}

// Goes on with what a while runs after its test, where the test holds.
static void pass_test(LunaFlow *flow) {
  LunaSide *side = flow->side;
  MlirOperation test = flow->next;
  MlirBlock body = luna_body(flow->op, 1);
  LunaTerm condition = luna_side_term(side, test, 0);
  flow->goes_on =
      side->path == LUNA_TERM_FALSE // the test is never reached
          ? LUNA_TERM_FALSE
          : luna_condition_where(side->terms, side->path, condition);
  flow->test_path = side->path;
  flow->exit = side->state;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    forward(side, mlirOperationGetOperand(test, i + 1),
            mlirBlockGetArgument(body, i));
  side->path = luna_condition_and(side->terms, side->path, flow->goes_on);
  flow->next = mlirBlockGetFirstOperation(body);
}

static void leave(LunaFlow *flow) {
  if (!flow->frames)
    pass_test(flow);
  else if (flow->frames->count > 0)
    leave_arm(flow);
  else
    leave_block(flow);
}

// Executes an operator, or enters it.
static bool step(LunaFlow *flow) {
  MlirBlock block;
  Choice choice = decide(flow->side, flow->next, &block);
  if (choice == CHOICE_BLOCK) {
    enter_block(flow, block);
    return true;
  }
  if (choice == CHOICE_OPEN && luna_is_branch(flow->next)) {
    enter_arms(flow);
    return true;
  }
  bool is_executed = choice != CHOICE_NOTHING;
  if (is_executed && !luna_verify_operator(flow->side, flow->next))
    return false;
  if (is_executed)
    luna_hazards_note(flow->side, flow->next);
  luna_flow_skip(flow);
  return true;
}

// A loop that is not decided.
static bool is_open_loop(LunaSide *side, MlirOperation op) {
  MlirBlock block;
  return luna_is_loop(op) && decide(side, op, &block) == CHOICE_OPEN;
}

// Tokens that control flow takes are awaited by whoever has them then.
static bool check_tokens(LunaSide *side, MlirOperation op) {
  return is_terminator(op)  ? luna_tokens_end(side, op)
         : luna_is_loop(op) ? luna_tokens_spend(side, op)
                            : true;
}

bool luna_flow_run(LunaFlow *flow) {
  for (;;) {
    if (!check_tokens(flow->side, flow->next))
      return false;
    if (luna_flow_ends(flow) || is_open_loop(flow->side, flow->next))
      return true;
    if (is_terminator(flow->next))
      leave(flow);
    else if (!step(flow))
      return false;
  }
}
