// What follows a loop: the values that its last iteration leaves, as terms that
// do not depend on how many iterations there were.

#include "validate_conditions.h"
#include "validate_flights.h"
#include "validate_loop.h"

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

static LunaByte where_ends(const Ending *ending, LunaByte value) {
  return luna_condition_restrict(ending->terms, ending->id->level_bit,
                                 ending->path, value);
}

// What does not depend on the loop stays as it is: then it is the same term,
// whether the loop leaves it in a buffer, passes it on or has nothing to do
// with it.
static LunaByte end_value(const Ending *ending, LunaByte value) {
  if (!(luna_term_loops(ending->terms, value.term) & ending->id->level_bit))
    return value;
  return luna_term_eta(ending->terms, ending->id, where_ends(ending, value));
}

// A byte that has its value at the entry again has it in every iteration.
static LunaByte end_byte(const LunaByte *values, void *data) {
  const Ending *ending = data;
  LunaByte first = where_ends(ending, values[0]);
  LunaByte last = where_ends(ending, values[1]);
  return luna_byte_equal(first, last) ? values[0]
                                      : end_value(ending, values[1]);
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

static void set_result(LunaLoop *loop, intptr_t i, LunaUnitSemantics meaning,
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
    LunaUnitSemantics meaning = {.term = runs_once ? carried->back.term
                                                   : carried->head};
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

void luna_loop_leave(LunaLoop *loop, bool runs_once, const LunaLoopId *id) {
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
