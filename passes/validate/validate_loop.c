// Loops in lockstep: the values at their headers are refined to a fixed point
// of the back edges.

#include "validate_loop.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "validate_conditions.h"

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

static bool is_inside(MlirValue value, MlirOperation loop) {
  MlirOperation op =
      mlirValueIsAOpResult(value)
          ? mlirOpResultGetOwner(value)
          : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return luna_loop_is_around(loop, op);
}

// A buffer from outside that the loop accesses is live in all iterations.
static bool touch_outer(MlirOperation op, void *data) {
  LunaLoop *loop = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    const LunaPointer *pointer = luna_side_get(loop->side, operand).pointer;
    if (pointer && !is_inside(operand, loop->op))
      luna_side_touch(loop->side, pointer);
  }
  return true;
}

static MlirValue argument_of(const LunaLoop *loop, intptr_t i) {
  return mlirBlockGetArgument(loop->first, loop->first_argument + i);
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
    loop.carried[i].initial =
        luna_side_get(side, mlirOperationGetOperand(op, first_operand + i));
    loop.carried[i].head = loop.carried[i].initial.term;
  }
  luna_walk(op, side->is_plan ? touch_outer : find_inner, &loop);
  loop.entry = side->state;
  loop.head = loop.entry;
  return loop;
}

// The number of bytes from the first element of a memref to its last.
static int64_t span_bytes(MlirType type) {
  int64_t offset = 0, strides[LUNA_RANK_MAX], last = 0;
  luna_memref_strides(type, &offset, strides);
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    last += (mlirShapedTypeGetDimSize(type, i) - 1) * strides[i];
  return (last + 1) *
         luna_element_type_bytes(mlirShapedTypeGetElementType(type));
}

// Adds the memory of a memref carried by value. False if its layout is dynamic.
static bool follow_by_value(LunaLoop *loop, intptr_t i) {
  LunaCarried *carried = &loop->carried[i];
  MlirValue argument = argument_of(loop, i);
  MlirType type = mlirValueGetType(argument);
  const LunaPointer *own = luna_side_point(loop->side, type, 0, 0);
  if (!own)
    return false;
  uint32_t memory =
      luna_side_memory(loop->side, argument.ptr, span_bytes(type));
  carried->own = luna_side_point(loop->side, type, memory, 0);
  carried->is_by_value = true;
  return true;
}

static const LunaRuns *own_runs(const LunaLoop *loop,
                                const LunaCarried *carried) {
  return luna_trie_get(loop->side->state.maps, carried->own->place.memory);
}

// Sets the state of the next iteration to that of the header.
static void begin_turn(LunaLoop *loop) {
  LunaSide *side = loop->side;
  side->state = loop->head;
  side->path = loop->path;
  for (intptr_t i = 0; i < loop->count; ++i) {
    LunaCarried *carried = &loop->carried[i];
    LunaMeaning meaning = {.term = carried->head};
    if (carried->initial.pointer)
      meaning = (LunaMeaning){.pointer = carried->is_by_value
                                             ? carried->own
                                             : carried->initial.pointer};
    if (carried->is_by_value)
      carried->filled = own_runs(loop, carried);
    luna_side_set(side, argument_of(loop, i), meaning);
  }
}

// The contents of the memrefs carried by value; all are read before one is
// written.
static LunaRuns *read_back(LunaLoop *loop, const LunaMeaning *from) {
  LunaRuns *runs = LUNA_ARENA_ARRAY(loop->side->arena, LunaRuns, loop->count);
  for (intptr_t i = 0; i < loop->count; ++i)
    if (loop->carried[i].is_by_value)
      runs[i] = luna_side_read(loop->side, from[i].pointer);
  return runs;
}

static void write_own(LunaLoop *loop, const LunaRuns *runs) {
  for (intptr_t i = 0; i < loop->count; ++i)
    if (loop->carried[i].is_by_value)
      luna_side_write(loop->side, loop->carried[i].own, &runs[i]);
}

//===----------------------------------------------------------------------===//
// The back edge
//===----------------------------------------------------------------------===//

static MlirBlock last_block(const LunaLoop *loop) {
  return luna_body(loop->op, loop->is_for ? 0 : 1);
}

static bool is_own(const LunaLoop *loop, const LunaPlace *place, intptr_t i) {
  return loop->carried[i].is_by_value &&
         place->memory == loop->carried[i].own->place.memory;
}

// Marks the memrefs carried by value whose buffers the next turn has at `back`.
// Returns true if one was not marked yet.
static bool mark_sources(LunaLoop *loop, const LunaPointer *back,
                         bool *is_marked) {
  LunaOptions options = luna_pointer_options(loop->side, back);
  bool has_changed = false;
  for (uint64_t k = 0; k < options.count; ++k)
    for (intptr_t i = 0; i < loop->count; ++i)
      if (!is_marked[i] && is_own(loop, options.items[k].place, i))
        is_marked[i] = has_changed = true;
  return has_changed;
}

// Returns, per memref carried by value, whether its buffer is written in some
// turn: through itself in this one, or through one that has it in another.
static bool *find_written(LunaLoop *loop, const LunaMeaning *back) {
  bool *is_written = LUNA_ARENA_ARRAY(loop->side->arena, bool, loop->count);
  for (intptr_t i = 0; i < loop->count; ++i)
    is_written[i] =
        loop->carried[i].is_by_value &&
        own_runs(loop, &loop->carried[i]) != loop->carried[i].filled;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (intptr_t i = 0; i < loop->count; ++i)
      if (is_written[i])
        has_changed |= mark_sources(loop, back[i].pointer, is_written);
  }
  return is_written;
}

static void lose(LunaSide *side, const LunaPointer *pointer, LunaByte lost) {
  LunaRuns runs = {0};
  luna_runs_append(side->arena, &runs, luna_pointer_bytes(pointer), lost);
  luna_side_write(side, pointer, &runs);
}

// An iteration that writes through a memref carried by value also changes the
// buffer it was carried from. That is not modelled: nothing may read it.
static void clobber_sources(LunaLoop *loop, const LunaMeaning *back) {
  LunaSide *side = loop->side;
  const bool *is_written = find_written(loop, back);
  for (intptr_t i = 0; i < loop->count; ++i) {
    if (!is_written[i])
      continue;
    const uint64_t words[] = {LUNA_TERM_CLOBBER,
                              (uint64_t)(uintptr_t)loop->op.ptr, (uint64_t)i,
                              side->is_plan};
    LunaByte lost = {luna_term(side->terms, words, 4, 0), 0};
    lose(side, loop->carried[i].initial.pointer, lost);
    lose(side, back[i].pointer, lost);
  }
}

// Starts over with one more memref carried by value.
static void start_over(LunaLoop *loop) {
  LunaSide *side = loop->side;
  LunaMeaning *initial =
      LUNA_ARENA_ARRAY(side->arena, LunaMeaning, loop->count);
  for (intptr_t i = 0; i < loop->count; ++i) {
    initial[i] = loop->carried[i].initial;
    loop->carried[i].head = initial[i].term;
  }
  side->state = loop->entry;
  side->path = loop->path;
  write_own(loop, read_back(loop, initial));
  loop->entry = side->state;
  loop->head = side->state;
}

// Begins where the last run of the loop ended, if a turn of a loop around it
// reaches it again.
static void resume(LunaLoop *loop, const LunaLoopId *id) {
  const LunaLoop *last = luna_loop_last_run(loop);
  if (!last)
    return;
  for (intptr_t i = 0; i < loop->count; ++i) {
    loop->carried[i].is_by_value = last->carried[i].is_by_value;
    loop->carried[i].own = last->carried[i].own;
  }
  start_over(loop);
  if (!last->is_void)
    luna_loop_resume(loop, last, id);
}

// The outcome of an iteration.
typedef enum Turn { TURN_DONE, TURN_STARTS_OVER, TURN_FAILED } Turn;

// Ends an iteration. Starts over if a pointer that was assumed to be invariant
// varies.
static Turn end_turn(LunaLoop *loop) {
  LunaSide *side = loop->side;
  loop->end = side->path;
  if (loop->end == LUNA_TERM_FALSE) {
    loop->back = loop->head;
    for (intptr_t i = 0; i < loop->count; ++i)
      loop->carried[i].back = loop->carried[i].head;
    return TURN_DONE;
  }
  MlirOperation yield = mlirBlockGetTerminator(last_block(loop));
  LunaMeaning *back = LUNA_ARENA_ARRAY(side->arena, LunaMeaning, loop->count);
  Turn turn = TURN_DONE;
  for (intptr_t i = 0; i < loop->count; ++i) {
    LunaCarried *carried = &loop->carried[i];
    back[i] = luna_side_get(side, mlirOperationGetOperand(yield, i));
    carried->back = back[i].pointer ? LUNA_TERM_UNDEFINED : back[i].term;
    if (!back[i].pointer || carried->is_by_value ||
        luna_pointer_equal(back[i].pointer, carried->initial.pointer))
      continue;
    turn = TURN_STARTS_OVER;
    if (!follow_by_value(loop, i)) {
      luna_emit_error(loop->op, "carries a memref of dynamic strides, which "
                                "cannot be compared with the program");
      return TURN_FAILED;
    }
  }
  if (turn == TURN_STARTS_OVER) {
    start_over(loop);
    return turn;
  }
  LunaRuns *held = read_back(loop, back);
  clobber_sources(loop, back);
  write_own(loop, held);
  // An allocation of this iteration cannot be accessed in the next.
  for (uint32_t i = 0; i < loop->inner.count; ++i)
    luna_state_set(side->arena, &side->state, loop->inner.items[i],
                   (LunaRuns){0});
  loop->back = side->state;
  return turn;
}

//===----------------------------------------------------------------------===//
// After the last iteration
//===----------------------------------------------------------------------===//

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

static LunaByte end_value(const Ending *ending, LunaByte value) {
  return luna_term_eta(ending->terms, ending->id,
                       luna_term_where(ending->terms, ending->path, value));
}

// A byte that has its value at the entry again has it in every iteration.
static LunaByte end_byte(const LunaByte *values, void *data) {
  const Ending *ending = data;
  LunaByte first = luna_term_where(ending->terms, ending->path, values[0]);
  LunaByte last = luna_term_where(ending->terms, ending->path, values[1]);
  return luna_byte_equal(first, last) ? values[0]
                                      : end_value(ending, values[1]);
}

static void end_state(LunaLoop *loop, const LunaState *exit, Ending *ending) {
  LunaSide *side = loop->side;
  LunaState result = *exit;
  for (uint32_t i = 0; luna_state_next_change(&loop->entry, exit, &i); ++i) {
    LunaRuns entry = luna_side_page(side, &loop->entry, i);
    LunaRuns last = luna_side_page(side, exit, i);
    const LunaRuns *maps[] = {&entry, &last};
    luna_state_set(side->arena, &result, i,
                   luna_runs_combine(side->arena, maps, 2, end_byte, ending));
  }
  side->state = result;
}

static const LunaPointer *
end_pointer(LunaLoop *loop, const LunaPointer *pointer, const Ending *ending) {
  if (pointer->condition == LUNA_TERM_UNDEFINED)
    return pointer;
  LunaByte condition = {pointer->condition, 0};
  return luna_side_choose(loop->side, end_value(ending, condition).term,
                          end_pointer(loop, pointer->sides[0], ending),
                          end_pointer(loop, pointer->sides[1], ending));
}

static void set_result(LunaLoop *loop, intptr_t i, LunaMeaning meaning,
                       const Ending *ending) {
  if (meaning.pointer)
    meaning.pointer = end_pointer(loop, meaning.pointer, ending);
  else
    meaning.term = end_value(ending, (LunaByte){meaning.term, 0}).term;
  luna_side_set(loop->side, mlirOperationGetResult(loop->op, i), meaning);
}

static void end_for(LunaLoop *loop, bool runs_once, Ending *ending) {
  end_state(loop, runs_once ? &loop->back : &loop->head, ending);
  for (intptr_t i = 0; i < loop->count; ++i) {
    const LunaCarried *carried = &loop->carried[i];
    LunaMeaning meaning = {.term = runs_once ? carried->back : carried->head};
    if (carried->initial.pointer)
      meaning.pointer =
          carried->is_by_value ? carried->own : carried->initial.pointer;
    set_result(loop, i, meaning, ending);
  }
}

static void end_while(LunaLoop *loop, Ending *ending) {
  MlirOperation test = mlirBlockGetTerminator(loop->first);
  end_state(loop, &loop->turn.exit, ending);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop->op); ++i)
    set_result(loop, i,
               luna_side_get(loop->side, mlirOperationGetOperand(test, i + 1)),
               ending);
}

static void end_loop(LunaLoop *loop, bool runs_once, const LunaLoopId *id) {
  Ending ending = ending_of(loop, id);
  loop->side->path = loop->path;
  if (loop->is_for) {
    end_for(loop, runs_once, &ending);
    return;
  }
  end_while(loop, &ending);
  LunaByte path = {ending.path, 0};
  loop->side->path = luna_term_eta(ending.terms, id, path).term;
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
    if (luna_side_get(&pair->program, mlirOperationGetOperand(program, i))
            .term !=
        luna_side_get(&pair->plan, mlirOperationGetOperand(plan, i)).term)
      return i;
  return -1;
}

bool luna_pair_has_equal_bounds(const LunaPair *pair, MlirOperation program,
                                MlirOperation plan) {
  return other_bound(pair, program, plan) < 0;
}

static bool check_bounds(const LunaPair *pair, MlirOperation program,
                         MlirOperation plan) {
  static const char *const names[] = {"lower bound", "upper bound", "step",
                                      "signedness"};
  intptr_t other = other_bound(pair, program, plan);
  if (other >= 0)
    luna_emit_error(plan, "%s of the loop differs from that of the program",
                    names[other]);
  return other < 0;
}

static bool check_tests(const LunaLoop *program, const LunaLoop *plan) {
  bool is_equal = program->turn.goes_on == plan->turn.goes_on;
  if (!is_equal)
    luna_emit_error(mlirBlockGetTerminator(plan->first),
                    "the loop goes on under another condition than in the "
                    "program");
  return is_equal;
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
  for (;;) {
    if (!run_turn(pair, program, plan, id))
      return false;
    Turn a = end_turn(program), b = end_turn(plan);
    if (a == TURN_FAILED || b == TURN_FAILED)
      return false;
    if (a == TURN_STARTS_OVER || b == TURN_STARTS_OVER) {
      luna_loop_void_inner(program);
      luna_loop_void_inner(plan);
    } else if (!luna_loop_refine(pair, program, plan, id)) {
      return true;
    }
  }
}

static bool runs_once(MlirOperation loop) {
  int64_t low = 0, high = 0;
  return luna_op_is(loop, LUNA_OP_SCF_FOR) &&
         luna_constant_number(mlirOperationGetOperand(loop, 0), &low) &&
         luna_constant_number(mlirOperationGetOperand(loop, 1), &high) &&
         low < high;
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
  end_loop(&a, runs_once(program), &id);
  end_loop(&b, runs_once(program), &id);
  return true;
}
