#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"
#include "verify_carried.h"
#include "verify_conditions.h"
#include "verify_flow.h"
#include "verify_operators.h"
#include "verify_plan.h"
#include "verify_report.h"
#include "verify_rules.h"

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

static bool count_products(MlirOperation op, void *data) {
  intptr_t *count = data;
  *count += LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_CONV2D, LUNA_OP_LUNA_MATMUL);
  return true;
}

static intptr_t products_in(MlirOperation func) {
  intptr_t count = 0;
  luna_walk(func, count_products, &count);
  return count;
}

// The argument that holds the old value of a state variable: the first with its
// name. The other receives the new value; in a plan both are one memory.
static intptr_t source_of(MlirOperation func, intptr_t argument) {
  MlirAttribute name = luna_func_argument_attr(func, argument, "luna.state");
  intptr_t first = 0;
  while (first < argument &&
         (mlirAttributeIsNull(name) ||
          !mlirAttributeEqual(
              name, luna_func_argument_attr(func, first, "luna.state"))))
    ++first;
  return first;
}

static bool set_memref(LunaSide *side, intptr_t i, MlirValue argument,
                       LunaTerm term) {
  MlirType type = mlirValueGetType(argument);
  MlirBlock body = luna_body(side->func, 0);
  intptr_t source = side->is_plan ? source_of(side->func, i) : i;
  int64_t byte_count = luna_shaped_bytes(type);
  uint32_t memory =
      luna_side_memory(side, mlirBlockGetArgument(body, source).ptr,
                       byte_count < 0 ? 0 : byte_count);
  LunaBuffer buffer = {
      .memory = memory, .size_bytes = byte_count, .argument = i};
  const LunaPlace *place =
      luna_side_point(side, type, luna_side_buffer(side, buffer), 0);
  if (!place)
    return luna_side_fail(side, side->func,
                          "argument %d has no static shape and strides",
                          (int)i);
  luna_state_set(side->arena, &side->state, memory,
                 luna_runs_of(side->arena, (LunaByte){term, 0}, byte_count));
  luna_side_set(side, argument,
                (LunaMeaning){.pointer = luna_pointer_to(side, place)});
  return true;
}

static bool set_argument(LunaSide *side, intptr_t i) {
  MlirValue argument = mlirBlockGetArgument(luna_body(side->func, 0), i);
  const uint64_t words[] = {LUNA_TERM_ARGUMENT,
                            (uint64_t)source_of(side->func, i)};
  LunaTerm term = luna_term(side->terms, words, 2, 0);
  if (luna_is_memref(mlirValueGetType(argument)))
    return set_memref(side, i, argument, term);
  luna_side_set(side, argument, (LunaMeaning){.term = term});
  return true;
}

static intptr_t argument_count(const LunaSide *side) {
  return mlirBlockGetNumArguments(luna_body(side->func, 0));
}

static bool set_up(LunaPair *pair, LunaSide *side) {
  side->terms = pair->terms;
  side->symbols = mlirOperationGetParentOperation(side->func);
  side->state.memories = &side->memories;
  side->path = LUNA_TERM_TRUE;
  side->limits = pair->limits;
  side->reads = &pair->reads;
  side->is_self = pair->is_self;
  side->carried = LUNA_ARENA_ARRAY(side->arena, LunaCarriedNames, 1);
  if (side->is_plan)
    side->arena_memory = luna_memories_add_paged(
        side->arena, &side->memories,
        luna_attr_int(side->func, "luna.arena_bytes", 0));
  for (intptr_t i = 0; i < argument_count(side); ++i)
    if (!set_argument(side, i))
      return false;
  luna_constants_load(side);
  return true;
}

//===----------------------------------------------------------------------===//
// Comparison of arguments and results
//===----------------------------------------------------------------------===//

// An argument or result of the function.
typedef struct Port {
  const char *what;
  intptr_t index;
} Port;

static void report(LunaPair *pair, Port port, int64_t begin, int64_t end,
                   LunaByte plan) {
  LunaSide *side = &pair->plan;
  luna_side_fail(side, side->func,
                 "%s %d: bytes [%lld, %lld) end up as %s, unlike in the "
                 "program",
                 port.what, (int)port.index, (long long)begin, (long long)end,
                 luna_pair_value_name(pair, plan, end - begin));
  if (!mlirOperationIsNull(side->first_unknown))
    luna_side_note(side, side->first_unknown, luna_pair_cause(pair));
}

static LunaRuns final_runs(LunaSide *side, intptr_t i) {
  MlirValue argument = mlirBlockGetArgument(luna_body(side->func, 0), i);
  return luna_side_read(side, luna_side_get(side, argument).pointer);
}

// True if argument `i` is the old value of a state variable.
static bool is_replaced(MlirOperation func, intptr_t i) {
  intptr_t count = mlirBlockGetNumArguments(luna_body(func, 0));
  for (intptr_t later = i + 1; later < count; ++later)
    if (source_of(func, later) == i)
      return true;
  return false;
}

static bool compare_runs(LunaPair *pair, Port port, const LunaRuns *program,
                         const LunaRuns *plan) {
  for (LunaZip zip = luna_runs_zip(program, plan); luna_zip_next(&zip);)
    if (luna_condition_differs(pair->terms, zip.values[0], zip.values[1],
                               zip.end - zip.begin) != LUNA_TERM_FALSE) {
      report(pair, port, zip.begin, zip.end, zip.values[1]);
      return false;
    }
  return true;
}

static bool compare_argument(LunaPair *pair, intptr_t i) {
  MlirValue argument =
      mlirBlockGetArgument(luna_body(pair->program.func, 0), i);
  if (!luna_is_memref(mlirValueGetType(argument)) ||
      is_replaced(pair->program.func, i))
    return true;
  LunaRuns program = final_runs(&pair->program, i);
  LunaRuns plan = final_runs(&pair->plan, i);
  return compare_runs(pair, (Port){"argument", i}, &program, &plan);
}

// What result `i` of the function holds: a scalar is one byte.
static LunaRuns result_runs(LunaSide *side, intptr_t i) {
  MlirOperation end = mlirBlockGetTerminator(luna_body(side->func, 0));
  LunaMeaning meaning = luna_side_operand(side, end, i);
  return meaning.pointer
             ? luna_side_read(side, meaning.pointer)
             : luna_runs_of(side->arena, (LunaByte){meaning.term, 0}, 1);
}

static bool compare_result(LunaPair *pair, intptr_t i) {
  LunaRuns program = result_runs(&pair->program, i);
  LunaRuns plan = result_runs(&pair->plan, i);
  return compare_runs(pair, (Port){"result", i}, &program, &plan);
}

static bool compare_ports(LunaPair *pair) {
  MlirOperation end = mlirBlockGetTerminator(luna_body(pair->plan.func, 0));
  for (intptr_t i = 0; i < argument_count(&pair->program); ++i)
    if (!compare_argument(pair, i))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    if (!compare_result(pair, i))
      return false;
  return true;
}

static bool run(LunaPair *pair) {
  LunaFlow program = luna_flow_begin(&pair->program, pair->program.func);
  LunaFlow plan = luna_flow_begin(&pair->plan, pair->plan.func);
  return luna_pair_run(pair, &program, &plan) && luna_hazards_check(pair);
}

static bool is_equal(LunaPair *pair) {
  pair->program.fault = pair->plan.fault = &pair->fault;
  pair->program.arena = pair->plan.arena = pair->arena;
  bool cuts_channels =
      products_in(pair->program.func) != products_in(pair->plan.func);
  pair->program.cuts_channels = pair->plan.cuts_channels = cuts_channels;
  bool is_equal = luna_verify_interface(pair) && set_up(pair, &pair->program) &&
                  set_up(pair, &pair->plan) && run(pair) && compare_ports(pair);
  return is_equal;
}

// Runs both; writes the fault if there is one.
static bool compare(MlirOperation program, MlirOperation plan,
                    const LunaVerifyLimits *limits, LunaArena *arena,
                    LunaFault *fault) {
  LunaTerms terms;
  luna_terms_init(&terms, arena);
  LunaPair pair = {
      .arena = arena,
      .terms = &terms,
      .limits = limits,
      .is_self = mlirOperationEqual(program, plan),
      .program = {.func = program},
      .plan = {.func = plan, .is_plan = true},
  };
  if (is_equal(&pair))
    return true;
  *fault = pair.fault;
  return false;
}

bool luna_verify_plan(MlirOperation program, MlirOperation plan,
                      const LunaVerifyLimits *limits) {
  bool has_program = !mlirOperationIsNull(program);
  LunaArena arena = {0};
  LunaFault fault, own;
  bool is_ok =
      compare(has_program ? program : plan, plan, limits, &arena, &fault);
  // What is wrong with the plan by itself is refused at its operator.
  if (!is_ok && has_program && !compare(plan, plan, limits, &arena, &own) &&
      !mlirOperationEqual(own.op, plan))
    fault = own;
  if (!is_ok) {
    LunaNote note = {fault.other, fault.note};
    lunaEmitErrorWithNotesAt(fault.op, fault.message, &note,
                             mlirOperationIsNull(fault.other) ? 0 : 1);
  }
  luna_arena_destroy(&arena);
  return is_ok;
}

// Loops of one kind that are reached under one condition.
static bool corresponds(const LunaPair *pair, const LunaFlow *program,
                        const LunaFlow *plan) {
  return !luna_flow_ends(program) && !luna_flow_ends(plan) &&
         pair->program.path == pair->plan.path &&
         luna_op_is(program->next, LUNA_OP_SCF_FOR) ==
             luna_op_is(plan->next, LUNA_OP_SCF_FOR);
}

// Arms exclude each other, and may be executed in another order.
static bool switch_arms(const LunaPair *pair, const LunaFlow *program,
                        LunaFlow *plan) {
  return !luna_flow_ends(program) && !luna_flow_ends(plan) &&
         luna_flow_switch(plan, pair->program.path);
}

static bool fail(LunaPair *pair, const LunaFlow *program,
                 const LunaFlow *plan) {
  bool has_loop = !luna_flow_ends(plan);
  bool is_same_kind = has_loop && !luna_flow_ends(program) &&
                      luna_op_is(program->next, LUNA_OP_SCF_FOR) ==
                          luna_op_is(plan->next, LUNA_OP_SCF_FOR);
  return luna_side_fail(
      &pair->plan, has_loop ? plan->next : pair->plan.func, "%s",
      is_same_kind ? "the loop runs under another condition than in "
                     "the program"
                   : "loops do not correspond to those of the "
                     "program");
}

bool luna_pair_run(LunaPair *pair, LunaFlow *program, LunaFlow *plan) {
  for (;;) {
    if (!luna_flow_run(program) || !luna_flow_run(plan))
      return false;
    if (luna_flow_ends(program) && luna_flow_ends(plan))
      return true;
    if (switch_arms(pair, program, plan))
      continue;
    if (!corresponds(pair, program, plan))
      return fail(pair, program, plan);
    if (!luna_pair_loops(pair, program->next, plan->next))
      return false;
    luna_flow_skip(program);
    luna_flow_skip(plan);
  }
}
