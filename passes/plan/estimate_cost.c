// luna-estimate-cost: estimates the cycles of every path.
//
// In: a planned function (its `luna.plan` names the paths). Out: the function
// attribute `luna.cost`, one dictionary per path: path, cycles, compute, host,
// stall, dma, bound, transfers, dma_bytes. The same rules as the simulator: the
// core launches the unit and awaits it, one transfer engine works concurrently,
// and a wait ends with its transfer. bound is max(compute + host, dma). Loops
// count by their constant trip count, else once. Options: machine. Example:
// lit_tests/passes/luna-estimate-cost/doc.mlir

#include <stdlib.h>
#include <string.h>

#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_cost.h"
#include "structure.h"

enum { OPT_MACHINE };

typedef struct Clock {
  const LunaMachine *machine;
  LunaPathCost cost; // so far; `cycles` is now
  uint64_t engine_free;
  bool failed;
} Clock;

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

static int32_t direction_of(MlirOperation start) {
  LunaMemoryKind from =
      luna_memory_of(mlirValueGetType(mlirOperationGetOperand(start, 0)));
  LunaMemoryKind to =
      luna_memory_of(mlirValueGetType(mlirOperationGetOperand(start, 1)));
  if (from == LUNA_MEMORY_SHARED && to == LUNA_MEMORY_SHARED)
    return LUNA_DMA_ON_CHIP;
  return to == LUNA_MEMORY_SHARED ? LUNA_DMA_LOAD : LUNA_DMA_STORE;
}

static void start_transfer(Clock *clock, MlirOperation start) {
  uint64_t bytes = (uint64_t)luna_shaped_bytes(
      mlirValueGetType(mlirOperationGetOperand(start, 0)));
  uint64_t cycles = luna_cost_dma(clock->machine, direction_of(start), bytes);
  uint64_t begin = clock->cost.cycles > clock->engine_free ? clock->cost.cycles
                                                           : clock->engine_free;
  clock->engine_free = begin + cycles;
  clock->cost.dma += cycles;
  clock->cost.dma_bytes += bytes;
  ++clock->cost.transfers;
}

// The engine is a queue, so a token from a branch or loop completes with the
// last transfer started.
static void wait_for_transfer(Clock *clock, MlirOperation wait) {
  MlirOperation source = luna_defining_op(mlirOperationGetOperand(wait, 0));
  if (!mlirOperationIsNull(source) && luna_op_is(source, LUNA_OP_LUNA_DMA_NONE))
    return;
  if (clock->engine_free > clock->cost.cycles) {
    clock->cost.stall += clock->engine_free - clock->cost.cycles;
    clock->cost.cycles = clock->engine_free;
  }
}

//===----------------------------------------------------------------------===//
// One path
//===----------------------------------------------------------------------===//

static void run_block(Clock *clock, MlirBlock block);

// Returns true if the path takes branch `region` of `op`.
static bool is_taken(const Clock *clock, MlirOperation op, intptr_t region) {
  MlirStringRef name = luna_label_of(op);
  char branch[32];
  luna_branch_name(op, region, branch);
  for (const char *at = clock->cost.path; at && *at;) {
    const char *end = strchr(at, '/');
    size_t length = end ? (size_t)(end - at) : strlen(at);
    if (length == name.length + 1 + strlen(branch) &&
        strncmp(at, name.data, name.length) == 0 && at[name.length] == '=' &&
        strncmp(at + name.length + 1, branch, strlen(branch)) == 0)
      return true;
    at = end ? end + 1 : NULL;
  }
  return false;
}

// The region before the condition of a while loop runs once more than its body.
static void run_loop(Clock *clock, MlirOperation op) {
  int64_t trips = luna_trip_count(op, 1);
  bool is_while = luna_op_is(op, LUNA_OP_SCF_WHILE);
  for (int64_t i = 0; i < trips && !clock->failed; ++i) {
    run_block(clock, luna_body(op, 0));
    if (is_while)
      run_block(clock, luna_body(op, 1));
  }
  if (is_while)
    run_block(clock, luna_body(op, 0));
}

static void run_op(Clock *clock, MlirOperation op) {
  LunaCost cost;
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_START)) {
    start_transfer(clock, op);
  } else if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT)) {
    wait_for_transfer(clock, op);
  } else if (luna_op_is(op, LUNA_OP_LUNA_REGION)) {
    run_block(clock, luna_body(op, 0));
  } else if (luna_is_branch(op)) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (is_taken(clock, op, r) && !mlirBlockIsNull(luna_body(op, r)))
        run_block(clock, luna_body(op, r));
  } else if (luna_is_loop(op)) {
    run_loop(clock, op);
  } else if (luna_op_cost(clock->machine, op, &cost)) {
    clock->cost.compute += cost.unit_cycles;
    clock->cost.host += cost.host_cycles;
    clock->cost.cycles += cost.unit_cycles + cost.host_cycles;
  } else {
    clock->failed = true;
  }
}

static void run_block(Clock *clock, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !clock->failed;
       op = mlirOperationGetNextInBlock(op))
    run_op(clock, op);
}

//===----------------------------------------------------------------------===//
// All paths
//===----------------------------------------------------------------------===//

static bool estimate(MlirOperation func, const LunaMachine *machine,
                     const LunaPlanRecord *plan, LunaArena *arena) {
  LunaPathCost *costs = LUNA_ARENA_ARRAY(arena, LunaPathCost, plan->path_count);
  for (uint32_t i = 0; i < plan->path_count; ++i) {
    Clock clock = {.machine = machine, .cost.path = plan->paths[i].path};
    run_block(&clock, luna_entry_block(func));
    if (clock.failed)
      return false;
    uint64_t busy = clock.cost.compute + clock.cost.host;
    clock.cost.bound = busy > clock.cost.dma ? busy : clock.cost.dma;
    costs[i] = clock.cost;
  }
  luna_cost_write(func, &(LunaCostRecord){costs, plan->path_count}, arena);
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  LunaArena arena = {0};
  LunaPlanRecord plan;
  LunaError error = {0};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (mlirBlockIsNull(luna_entry_block(func)))
    return result;
  if (!luna_has_plan(func))
    return luna_emit_error(func, "has no luna.plan; run luna-plan-memory "
                                 "first");
  if (!luna_plan_read(func, &arena, &plan, &error))
    result = luna_emit_error(func, "%s", error.message);
  else if (!estimate(func, luna_machine_of_option(&options[OPT_MACHINE]), &plan,
                     &arena))
    result = mlirLogicalResultFailure();
  luna_arena_destroy(&arena);
  return result;
}

static const LunaOptionDesc options[] = {
    LUNA_MACHINE_OPTION,
};

const LunaPassDesc luna_pass_estimate_cost = {
    .argument = "luna-estimate-cost",
    .summary = "Predict the cycles of every path",
    .anchor = "func.func",
    .options = options,
    .option_count = 1,
    .run = run,
};
