// Loops in lockstep: the values at their headers are refined to a fixed point
// of the back edges.

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"
#include "verify_carried.h"
#include "verify_conditions.h"
#include "verify_flow.h"
#include "verify_rules.h"
#include "verify_transfers.h"

//===----------------------------------------------------------------------===//
// Before the first iteration
//===----------------------------------------------------------------------===//

static bool find_inner(MlirOperation op, void *data) {
  LunaLoop *loop = data;
  if (!luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
    return true;
  int64_t byte_count =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  *LUNA_VECTOR_ADD(loop->side->arena, &loop->inner) =
      luna_side_memory(loop->side, op.ptr, byte_count < 0 ? 0 : byte_count);
  return true;
}

// What an edge to the header brings: the entry, or the back edge.
static const LunaPointer *brought(const LunaCarried *carried, bool is_back) {
  return is_back ? carried->back.pointer : carried->initial.pointer;
}

// Renames the places of transfers for an edge to the header.
static void rename_flights(LunaLoop *loop, bool is_back) {
  LunaSide *side = loop->side;
  LunaRenaming *renamings =
      LUNA_ARENA_ARRAY(side->arena, LunaRenaming, loop->count);
  LunaEdge edge = {.renamings = renamings,
                   .leaves = is_back ? loop->op : (MlirOperation){NULL},
                   .path = loop->path};
  for (intptr_t i = 0; i < loop->count; ++i) {
    const LunaCarried *carried = &loop->carried[i];
    if (carried->is_by_value && brought(carried, is_back)->count == 1)
      renamings[edge.count++] =
          (LunaRenaming){brought(carried, is_back)->items[0].place,
                         carried->own->items[0].place};
  }
  luna_flights_rename(side, &edge);
}

// Sets the header to what is known at the entry.
static void begin_header(LunaLoop *loop) {
  LunaSide *side = loop->side;
  intptr_t first_operand = loop->is_for ? 3 : 0;
  side->state = loop->entry;
  for (intptr_t i = 0; i < loop->count; ++i)
    luna_flights_forward(side,
                         mlirOperationGetOperand(loop->op, first_operand + i),
                         luna_loop_header_argument(loop, i));
  rename_flights(loop, false);
  loop->head = side->state;
}

// Adds the transfers that the back edge brings to those at the header.
static void end_flights(LunaLoop *loop, MlirOperation yield) {
  LunaSide *side = loop->side;
  MlirValue *from = LUNA_ARENA_ARRAY(side->arena, MlirValue, loop->count);
  MlirValue *to = LUNA_ARENA_ARRAY(side->arena, MlirValue, loop->count);
  for (intptr_t i = 0; i < loop->count; ++i) {
    from[i] = mlirOperationGetOperand(yield, i);
    to[i] = luna_loop_header_argument(loop, i);
  }
  luna_flights_forward_all(side, from, to, loop->count);
  rename_flights(loop, true);
  loop->has_new_flights =
      !luna_flights_contain(loop->head.flights, side->state.flights);
  if (loop->has_new_flights)
    loop->head.flights =
        luna_flights_join(side, loop->head.flights, LUNA_TERM_TRUE,
                          side->state.flights, LUNA_TERM_TRUE);
}

static LunaLoop begin_loop(LunaSide *side, MlirOperation op) {
  bool is_for = luna_op_is(op, LUNA_OP_SCF_FOR);
  intptr_t first_operand = is_for ? 3 : 0;
  LunaLoop loop = {
      .side = side,
      .op = op,
      .is_for = is_for,
      .first = luna_body(op, 0),
      .path = side->path,
      .first_argument = is_for ? 1 : 0,
      .count = mlirOperationGetNumOperands(op) - first_operand,
  };
  loop.carried = LUNA_ARENA_ARRAY(side->arena, LunaCarried, loop.count);
  for (intptr_t i = 0; i < loop.count; ++i) {
    loop.carried[i].initial = luna_side_operand(side, op, first_operand + i);
    loop.carried[i].head = loop.carried[i].initial.term;
  }
  if (!side->is_plan)
    luna_walk(op, find_inner, &loop);
  loop.entry = side->state;
  begin_header(&loop);
  return loop;
}

// Adds the memory of a memref carried by value. False if its layout is dynamic,
// spans more than 2^63 bytes, or goes down.
static bool follow_by_value(LunaLoop *loop, intptr_t i) {
  LunaCarried *carried = &loop->carried[i];
  MlirValue argument = luna_loop_header_argument(loop, i);
  MlirType type = mlirValueGetType(argument);
  const LunaBuffer unknown = {.memory = 0};
  const LunaPlace *place = luna_side_point(loop->side, type, &unknown, 0);
  if (!place || luna_place_span(place).begin < 0)
    return false;
  const LunaBuffer *buffer =
      luna_carried_name(loop->side, loop->op, argument,
                        carried->initial.pointer, luna_place_span(place).end);
  carried->own =
      luna_pointer_to(loop->side, luna_side_point(loop->side, type, buffer, 0));
  carried->is_by_value = true;
  return true;
}

// Sets the state of the next iteration to that of the header.
static void begin_turn(LunaLoop *loop) {
  LunaSide *side = loop->side;
  side->state = loop->head;
  side->path = loop->path;
  loop->version = side->carried->version;
  loop->first_access = side->accessed.count;
  loop->has_new_flights = false;
  for (intptr_t i = 0; i < loop->count; ++i) {
    LunaCarried *carried = &loop->carried[i];
    LunaMeaning meaning = {.term = carried->head};
    if (carried->initial.pointer)
      meaning = (LunaMeaning){.pointer = carried->is_by_value
                                             ? carried->own
                                             : carried->initial.pointer};
    luna_side_set(side, luna_loop_header_argument(loop, i), meaning);
  }
}

// Moves contents to the memrefs carried by value; all are read before one is
// written.
static void carry(LunaLoop *loop, bool is_back) {
  LunaRuns *runs = LUNA_ARENA_ARRAY(loop->side->arena, LunaRuns, loop->count);
  for (intptr_t i = 0; i < loop->count; ++i)
    if (loop->carried[i].is_by_value)
      runs[i] = luna_side_read(loop->side, brought(&loop->carried[i], is_back));
  for (intptr_t i = 0; i < loop->count; ++i)
    if (loop->carried[i].is_by_value)
      luna_side_fill(loop->side, loop->carried[i].own, &runs[i]);
}

//===----------------------------------------------------------------------===//
// The back edge
//===----------------------------------------------------------------------===//

// Starts over, with more memrefs carried by value in one of the programs.
static void start_over(LunaLoop *loop) {
  LunaSide *side = loop->side;
  for (intptr_t i = 0; i < loop->count; ++i)
    loop->carried[i].head = loop->carried[i].initial.term;
  side->state = loop->entry;
  side->path = loop->path;
  carry(loop, false);
  loop->entry = side->state;
  begin_header(loop);
}

// Begins where the last run of the loop ended, if a turn of a loop around it
// reaches it again.
static void resume(LunaLoop *loop, const LunaLoopId *id) {
  const LunaLoop *last = luna_loop_last_run(loop);
  if (!last)
    return;
  for (intptr_t i = 0; i < loop->count; ++i)
    if (last->carried[i].is_by_value)
      follow_by_value(loop, i);
  start_over(loop);
  if (!last->is_void)
    luna_loop_resume(loop, last, id);
}

// The outcome of an iteration.
typedef enum Turn { TURN_DONE, TURN_STARTS_OVER, TURN_FAILED } Turn;

// Takes what the back edge carries. The loops start over if a pointer that was
// assumed to be invariant varies.
static Turn take_back(LunaLoop *loop, MlirOperation yield) {
  LunaSide *side = loop->side;
  Turn turn = TURN_DONE;
  for (intptr_t i = 0; i < loop->count; ++i) {
    LunaCarried *carried = &loop->carried[i];
    carried->back = luna_side_operand(side, yield, i);
    if (!carried->back.pointer || carried->is_by_value ||
        luna_pointer_equal(carried->back.pointer, carried->initial.pointer))
      continue;
    turn = TURN_STARTS_OVER;
    if (!follow_by_value(loop, i)) {
      luna_side_fail(side, loop->op,
                     "carries a memref of dynamic strides, which cannot be "
                     "compared with the program");
      return TURN_FAILED;
    }
  }
  return turn;
}

// A buffer from outside that an iteration accesses first is live in all: it is
// accessed before the loop, where the others have not begun. Returns true if it
// was not yet.
static bool touch_outer(LunaLoop *loop) {
  LunaSide *side = loop->side;
  uint64_t end = side->accessed.count;
  side->state = loop->entry;
  side->path = loop->path;
  for (uint64_t i = loop->first_access; i < end; ++i)
    luna_side_touch(side, side->accessed.items[i]);
  loop->entry = side->state;
  return side->accessed.count > end;
}

static Turn end_turn(LunaLoop *loop) {
  LunaSide *side = loop->side;
  loop->end = side->path;
  if (loop->end == LUNA_TERM_FALSE) {
    loop->back = loop->head;
    for (intptr_t i = 0; i < loop->count; ++i)
      loop->carried[i].back = (LunaMeaning){.term = loop->carried[i].head};
    return TURN_DONE;
  }
  MlirOperation yield =
      mlirBlockGetTerminator(luna_body(loop->op, loop->is_for ? 0 : 1));
  Turn turn = take_back(loop, yield);
  if (turn != TURN_DONE)
    return turn;
  for (intptr_t i = 0; i < loop->count; ++i)
    if (loop->carried[i].is_by_value)
      luna_carried_set_back(side, loop->carried[i].own->items[0].place->memory,
                            loop->carried[i].back.pointer);
  LunaState state = side->state;
  if (luna_carried_settle(side) != loop->version || touch_outer(loop))
    return TURN_STARTS_OVER;
  side->state = state;
  side->path = loop->end;
  carry(loop, true);
  // An allocation of this iteration cannot be accessed in the next.
  for (uint32_t i = 0; i < loop->inner.count; ++i)
    luna_state_set(side->arena, &side->state, loop->inner.items[i],
                   (LunaRuns){0});
  end_flights(loop, yield);
  loop->back = side->state;
  return TURN_DONE;
}

//===----------------------------------------------------------------------===//
// Behind the loop
//===----------------------------------------------------------------------===//

// What follows a loop: the values that its last iteration leaves, as terms that
// do not depend on how many iterations there were.

typedef struct Ending {
  LunaTerms *terms;
  const LunaLoopId *id;
  LunaTerm path; // under which the last iteration ends
} Ending;

// The path of the exit: behind a while its test does not hold.
static Ending ending_of(const LunaLoop *loop, const LunaLoopId *id) {
  Ending ending = {loop->side->terms, id, loop->path};
  if (!loop->is_for)
    ending.path = luna_condition_and(
        ending.terms, loop->turn.test_path,
        luna_condition_not(ending.terms, loop->turn.goes_on));
  return ending;
}

// What does not depend on the loop stays as it is: then it is the same term,
// whether the loop leaves it in a buffer, passes it on or has nothing to do
// with it.
static LunaByte end_value(const Ending *ending, LunaByte value) {
  return luna_term_eta(ending->terms, ending->id, value);
}

// A byte that has its value at the entry again has it in every iteration.
static LunaByte end_byte(const LunaByte *values, void *data) {
  return luna_byte_equal(values[0], values[1]) ? values[0]
                                               : end_value(data, values[1]);
}

static void end_state(LunaLoop *loop, const LunaState *exit, Ending *ending) {
  loop->side->state = *exit;
  luna_side_combine(loop->side, &loop->side->state, &loop->entry, exit,
                    end_byte, ending);
}

static const LunaPointer *
end_pointer(LunaLoop *loop, const LunaPointer *pointer, const Ending *ending) {
  LunaPointer *end = luna_pointer_to(loop->side, NULL);
  for (uint64_t i = 0; i < pointer->count; ++i)
    luna_pointer_add(
        loop->side, end, pointer->items[i].place,
        end_value(ending, (LunaByte){pointer->items[i].condition, 0}).term);
  return end;
}

static void set_result(LunaLoop *loop, intptr_t i, LunaMeaning meaning,
                       const Ending *ending) {
  if (meaning.pointer)
    meaning.pointer = end_pointer(loop, meaning.pointer, ending);
  else
    meaning.term = end_value(ending, (LunaByte){meaning.term, 0}).term;
  luna_side_set(loop->side, mlirOperationGetResult(loop->op, i), meaning);
}

static void forward_token(LunaLoop *loop, MlirValue from, intptr_t i) {
  luna_flights_forward(loop->side, from, mlirOperationGetResult(loop->op, i));
}

static void end_for(LunaLoop *loop, bool runs_once, Ending *ending) {
  end_state(loop, runs_once ? &loop->back : &loop->head, ending);
  for (intptr_t i = 0; i < loop->count; ++i) {
    const LunaCarried *carried = &loop->carried[i];
    LunaMeaning meaning = {.term =
                               runs_once ? carried->back.term : carried->head};
    if (carried->initial.pointer)
      meaning.pointer =
          carried->is_by_value ? carried->own : carried->initial.pointer;
    set_result(loop, i, meaning, ending);
    forward_token(loop, luna_loop_header_argument(loop, i), i);
  }
}

static void end_while(LunaLoop *loop, Ending *ending) {
  MlirOperation test = mlirBlockGetTerminator(loop->first);
  end_state(loop, &loop->turn.exit, ending);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop->op); ++i) {
    MlirValue value = mlirOperationGetOperand(test, i + 1);
    set_result(loop, i, luna_side_get(loop->side, value), ending);
    forward_token(loop, value, i);
  }
}

static void leave_loop(LunaLoop *loop, bool runs_once, const LunaLoopId *id) {
  Ending ending = ending_of(loop, id);
  loop->side->path = loop->path;
  if (loop->is_for) {
    end_for(loop, runs_once, &ending);
    return;
  }
  end_while(loop, &ending);
  // What follows a loop that ends is executed wherever the loop is. That the
  // last test does not hold is part of the values at the exit; of the path it
  // is a part if it says something about values from outside.
  if (!(luna_term_loops(ending.terms, ending.path) & id->level_bit))
    loop->side->path = ending.path;
}

//===----------------------------------------------------------------------===//
// A loop of each program
//===----------------------------------------------------------------------===//

enum { COMPARISON = 3 };

static bool is_unsigned(MlirOperation loop) {
  return !mlirAttributeIsNull(luna_attr(loop, "unsignedCmp"));
}

// The first bound that differs, or COMPARISON if one loop compares as unsigned
// and the other does not; -1 if they are equal.
static intptr_t other_bound(const LunaPair *pair, MlirOperation program,
                            MlirOperation plan) {
  if (is_unsigned(program) != is_unsigned(plan))
    return COMPARISON;
  for (intptr_t i = 0; luna_op_is(program, LUNA_OP_SCF_FOR) && i < 3; ++i)
    if (luna_side_term(&pair->program, program, i) !=
        luna_side_term(&pair->plan, plan, i))
      return i;
  return -1;
}

static bool check_bounds(LunaPair *pair, MlirOperation program,
                         MlirOperation plan) {
  static const char *const names[] = {"lower bound", "upper bound", "step",
                                      "signedness"};
  intptr_t other = other_bound(pair, program, plan);
  return other < 0 ||
         luna_side_fail(&pair->plan, plan,
                        "%s of the loop differs from that of the program",
                        names[other]);
}

static bool check_tests(const LunaLoop *program, const LunaLoop *plan) {
  return program->turn.goes_on == plan->turn.goes_on ||
         luna_side_fail(plan->side, mlirBlockGetTerminator(plan->first),
                        "the loop goes on under another condition than in the "
                        "program");
}

static bool run_turn(LunaPair *pair, LunaLoop *program, LunaLoop *plan,
                     const LunaLoopId *id) {
  LunaMeaning counter = {.term = luna_term_counter(pair->terms, id)};
  begin_turn(program);
  begin_turn(plan);
  if (program->is_for) {
    luna_side_set(program->side, mlirBlockGetArgument(program->first, 0),
                  counter);
    luna_side_set(plan->side, mlirBlockGetArgument(plan->first, 0), counter);
  }
  program->turn = luna_flow_begin(program->side, program->op);
  plan->turn = luna_flow_begin(plan->side, plan->op);
  return luna_pair_run(pair, &program->turn, &plan->turn) &&
         (program->is_for || check_tests(program, plan));
}

// Repeats until the back edges carry one value to each class of bytes. Each
// round but the last splits a class, so that there are at most as many as
// bytes.
static bool run_rounds(LunaPair *pair, LunaLoop *program, LunaLoop *plan,
                       const LunaLoopId *id) {
  uint64_t a_notes = pair->program.hazards.count;
  uint64_t b_notes = pair->plan.hazards.count;
  LunaChoices choices = {.count = 0};
  for (;;) {
    pair->program.hazards.count = a_notes;
    pair->plan.hazards.count = b_notes;
    if (!run_turn(pair, program, plan, id))
      return false;
    Turn a = end_turn(program), b = end_turn(plan);
    if (a == TURN_FAILED || b == TURN_FAILED)
      return false;
    LunaRefinement refinement = LUNA_REFINEMENT_STARTS_OVER;
    if (a == TURN_DONE && b == TURN_DONE)
      refinement = luna_loop_refine(pair, program, plan, id, &choices);
    if (refinement == LUNA_REFINEMENT_STARTS_OVER) {
      // The values at both headers correspond: the other one starts over, too.
      start_over(program);
      start_over(plan);
      luna_loop_void_inner(program);
      luna_loop_void_inner(plan);
    } else if (refinement == LUNA_REFINEMENT_DONE && !plan->has_new_flights) {
      luna_hazards_compare(pair, a_notes, b_notes);
      return true;
    }
  }
}

static bool runs_once(MlirOperation loop) {
  uint64_t trips = 0;
  return luna_op_is(loop, LUNA_OP_SCF_FOR) && luna_flow_trips(loop, &trips) &&
         trips > 0;
}

bool luna_pair_loops(LunaPair *pair, MlirOperation program,
                     MlirOperation plan) {
  if (!check_bounds(pair, program, plan))
    return false;
  LunaLoop a = begin_loop(&pair->program, program);
  LunaLoop b = begin_loop(&pair->plan, plan);
  LunaLoopId id = {.number = (uint64_t)(uintptr_t)program.ptr,
                   .level_bit = luna_level_bit(pair->level++)};
  resume(&a, &id);
  resume(&b, &id);
  bool is_done = run_rounds(pair, &a, &b, &id);
  --pair->level;
  if (!is_done)
    return false;
  luna_loop_keep(&a);
  luna_loop_keep(&b);
  leave_loop(&a, runs_once(program), &id);
  leave_loop(&b, runs_once(program), &id);
  return true;
}
