// luna-verify-plan: checks a planned function independently.
//
// In: a func.func after luna-plan-memory (docs/architecture.md). Out: the same,
// or one error. Shares no code with the planner nor with the alias and liveness
// modules of the passes it checks, save tables (docs/verification.md): it
// executes the plan in its arena on an abstract machine, all paths at once, and
// compares the value of each byte with that of the program: the record, or
// without one the plan itself with a memory for each execution of an
// allocation.
//
// It refuses placements outside the arena, the arena outside the machine;
// tilings that the machine does not allow; results that the program does not
// have; reads of bytes that nothing wrote; writes to constants; accesses to
// either end of a transfer in flight, and to what another operand writes;
// tokens not awaited exactly once on each path; and more transfers in flight
// than the machine has.
//
// Options: machine, capacity-bytes, alignment-bytes.
// Example: lit_tests/passes/luna-verify-plan/doc.mlir

#include <string.h>

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "verify_plan.h"

enum {
  OPT_MACHINE,
  OPT_CAPACITY_BYTES,
  OPT_ALIGNMENT_BYTES,
  OPT_RECORD,
  OPT_COUNT
};

static const LunaOptionDesc options[] = {
    LUNA_MACHINE_OPTION,
    {.name = "capacity-bytes",
     .help = "shared memory, if not the machine's",
     .kind = LUNA_OPTION_INT64},
    {.name = "alignment-bytes",
     .help = "alignment of buffers, if not the machine's",
     .kind = LUNA_OPTION_INT64},
    {.name = "record",
     .help =
         "what is to be there of the program (luna-record-program): "
         "required, wanted (without one memory safety alone is checked, with "
         "a warning) or optional (without a warning)",
     .kind = LUNA_OPTION_STRING,
     .string_default = "optional"},
};

static bool read_limits(MlirOperation func, const LunaOptionValue *values,
                        LunaVerifyLimits *limits) {
  const LunaMachine *machine = luna_machine_of_option(&values[OPT_MACHINE]);
  *limits = (LunaVerifyLimits){
      .machine = machine,
      .capacity_bytes = (int64_t)machine->shared.bytes,
      .alignment_bytes = (int64_t)machine->alignment_bytes,
      .granule_bytes = (int64_t)machine->dma_granule_bytes,
      .outstanding = machine->dma_outstanding,
  };
  int64_t capacity = values[OPT_CAPACITY_BYTES].integer;
  int64_t alignment = values[OPT_ALIGNMENT_BYTES].integer;
  if (capacity < 0 || alignment < 0)
    return luna_verify_error(func, "option %s is negative, needs at least 0",
                             capacity < 0 ? "capacity-bytes"
                                          : "alignment-bytes");
  if (capacity > 0)
    limits->capacity_bytes = capacity;
  if (alignment > 0)
    limits->alignment_bytes = alignment;
  return true;
}

// Writes the recorded function, or a null operation. False if there are two.
static bool find_program(MlirOperation func, MlirOperation *program) {
  *program = (MlirOperation){NULL};
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(func));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirOperation found = {NULL};
    if (luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
      found = luna_verify_function_named(luna_body(op, 0),
                                         luna_attr_string(func, "sym_name"));
    if (!mlirOperationIsNull(found) && !mlirOperationIsNull(*program))
      return luna_verify_error(func,
                               "is recorded twice, needs one luna.program");
    *program = mlirOperationIsNull(found) ? *program : found;
  }
  return true;
}

// Returns true if the record is there, or need not be.
static bool check_record(MlirOperation func, MlirOperation program,
                         const char *wanted) {
  if (!mlirOperationIsNull(program))
    return luna_verify_globals(mlirOperationGetBlock(program));
  if (strcmp(wanted, "wanted") == 0)
    lunaEmitWarning(func, "there is no luna.program to compare with: memory "
                          "safety alone is checked");
  return strcmp(wanted, "required") != 0 ||
         luna_verify_error(func, "there is no luna.program to compare with; "
                                 "run luna-record-program before memories are "
                                 "assigned");
}

static bool verify(MlirOperation func, const LunaVerifyLimits *limits,
                   const char *wanted, LunaArena *arena) {
  MlirOperation program;
  return find_program(func, &program) &&
         luna_verify_globals(mlirOperationGetBlock(func)) &&
         luna_verify_tilings(func, limits->machine) &&
         luna_verify_placement(func, limits, arena) &&
         check_record(func, program, wanted) &&
         luna_verify_plan(program, func, limits);
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *option_values) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0));
  if (mlirBlockIsNull(body))
    return mlirLogicalResultSuccess();
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return luna_emit_error(func, "has several blocks, needs structured control "
                                 "flow");
  LunaVerifyLimits limits;
  if (!read_limits(func, option_values, &limits))
    return mlirLogicalResultFailure();
  LunaArena arena = {0};
  bool is_ok = verify(func, &limits, option_values[OPT_RECORD].string, &arena);
  luna_arena_destroy(&arena);
  return is_ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

const LunaPassDesc luna_pass_verify_plan = {
    .argument = "luna-verify-plan",
    .summary = "Check a memory plan and its transfers on every path",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .run = run,
};
