#include "validate_inert.h"

#include "luna-c/ops.h"
#include "structure.h"
#include "validate_flow.h"
#include "validate_hazards.h"

//===----------------------------------------------------------------------===//
// Operators without effects
//===----------------------------------------------------------------------===//

// Visits what has no effect.
static bool is_silent(MlirOperation op, void *data) {
  static const LunaOpName names[] = {
      LUNA_OP_MEMREF_ALLOC, LUNA_OP_MEMREF_LOAD, LUNA_OP_MEMREF_GET_GLOBAL,
      LUNA_OP_LUNA_LABEL,   LUNA_OP_LUNA_REGION, LUNA_OP_LUNA_YIELD,
  };
  (void)data;
  return luna_op_is_any(op, names, sizeof names / sizeof names[0]) ||
         luna_side_is_view(op) || luna_op_in_dialect(op, LUNA_DIALECT_SCF) ||
         luna_op_in_dialect(op, LUNA_DIALECT_ARITH) ||
         luna_op_in_dialect(op, LUNA_DIALECT_MATH) ||
         luna_op_in_dialect(op, LUNA_DIALECT_INDEX);
}

static bool copies_or_is_silent(MlirOperation op, void *data) {
  return luna_op_is(op, LUNA_OP_MEMREF_COPY) || is_silent(op, data);
}

// True if an iteration forwards another memref than that which it was given.
static bool exchanges_memrefs(MlirOperation loop) {
  bool is_for = luna_op_is(loop, LUNA_OP_SCF_FOR);
  MlirBlock header = luna_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(luna_body(loop, is_for ? 0 : 1));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    if (luna_is_memref(mlirValueGetType(value)) &&
        !mlirValueEqual(value,
                        mlirBlockGetArgument(header, is_for ? i + 1 : i)))
      return true;
  }
  return false;
}

// Visits what carries no memref.
static bool carries_none(MlirOperation op, void *data) {
  (void)data;
  if (!luna_is_loop(op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  return true;
}

static bool may_take_copies(MlirOperation loop) {
  return exchanges_memrefs(loop) || !luna_walk(loop, carries_none, NULL);
}

bool luna_inert_matches(MlirOperation program, MlirOperation plan) {
  return luna_walk(
      plan, may_take_copies(program) ? copies_or_is_silent : is_silent, NULL);
}

//===----------------------------------------------------------------------===//
// Loops that the program does not have
//===----------------------------------------------------------------------===//

enum { EXECUTIONS_MAX = 1 << 20 };

// Counts the operators that the regions of `op` execute, every branch included.
// False above EXECUTIONS_MAX, and if the trip count of a loop is unknown.
static bool count_executions(MlirOperation op, uint64_t *count) {
  uint64_t inner = 0, trips = 1;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirOperation at = mlirBlockGetFirstOperation(luna_body(op, r));
         !mlirOperationIsNull(at); at = mlirOperationGetNextInBlock(at))
      if (!count_executions(at, &inner))
        return false;
  if (luna_op_is(op, LUNA_OP_SCF_WHILE) ||
      (luna_op_is(op, LUNA_OP_SCF_FOR) && !luna_flow_trips(op, &trips)) ||
      trips > EXECUTIONS_MAX)
    return false;
  *count += (inner + 1) * trips; // both at most 2^20 + 1
  return *count <= EXECUTIONS_MAX;
}

bool luna_inert_ends(MlirOperation loop) {
  uint64_t count = 0;
  return count_executions(loop, &count);
}

static bool has_used_results(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// One turn
//===----------------------------------------------------------------------===//

static bool is_same(LunaUnitSemantics a, LunaUnitSemantics b) {
  return a.pointer && b.pointer ? luna_pointer_equal(a.pointer, b.pointer)
                                : !a.pointer && !b.pointer && a.term == b.term;
}

// An induction variable has a term that nothing else has.
static void set_counter(LunaSide *side, MlirOperation loop) {
  const uint64_t words[] = {LUNA_TERM_CLOBBER, (uint64_t)(uintptr_t)loop.ptr, 0,
                            side->is_plan};
  luna_side_set(
      side, mlirBlockGetArgument(luna_body(loop, 0), 0),
      (LunaUnitSemantics){.term = luna_term(side->terms, words, 4, 0)});
}

static bool gives_back(const LunaSide *side, MlirOperation loop,
                       intptr_t first_operand, MlirOperation yield) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    if (!is_same(luna_side_operand(side, yield, i),
                 luna_side_operand(side, loop, first_operand + i)))
      return false;
  return true;
}

static void set_results(LunaSide *side, MlirOperation loop, bool is_for) {
  MlirOperation test = mlirBlockGetTerminator(luna_body(loop, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    luna_side_set(
        side, mlirOperationGetResult(loop, i),
        luna_side_get(side, is_for ? mlirOperationGetOperand(loop, 3 + i)
                                   : mlirOperationGetOperand(test, 1 + i)));
}

// Executes a turn. A while of a plan may not end, and is not skipped.
static bool run_turn(LunaFlow *flow) {
  LunaTerm ignored;
  while (luna_flow_run(flow)) {
    if (luna_flow_ends(flow))
      return true;
    if ((flow->side->is_plan && !luna_op_is(flow->next, LUNA_OP_SCF_FOR)) ||
        !luna_inert_skip(flow->side, flow->next, &ignored))
      return false;
    luna_flow_skip(flow);
  }
  return false;
}

bool luna_inert_skip(LunaSide *side, MlirOperation loop, LunaTerm *goes_on) {
  bool is_for = luna_op_is(loop, LUNA_OP_SCF_FOR);
  intptr_t first_operand = is_for ? 3 : 0;
  if (!luna_walk(loop, is_silent, NULL))
    return false;
  LunaState state = side->state;
  LunaTerm path = side->path;
  uint64_t notes = side->hazards.count;
  luna_flow_set_arguments(side, loop);
  if (is_for)
    set_counter(side, loop);
  LunaFlow flow = luna_flow_begin(side, loop);
  bool ends = run_turn(&flow);
  *goes_on = flow.goes_on;
  bool is_over = side->path == LUNA_TERM_FALSE;
  side->state = state;
  side->path = path;
  // One iteration says nothing about the others.
  bool may_trap = side->is_plan && side->hazards.count > notes;
  side->hazards.count = notes;
  if (!ends || may_trap ||
      (has_used_results(loop) && !is_over &&
       !gives_back(side, loop, first_operand, flow.next)))
    return false;
  set_results(side, loop, is_for);
  return true;
}
