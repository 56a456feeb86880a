// luna-estimate-cost: predicts the cycles of every path.
//
// In: a planned function (its `luna.plan` names the paths).
// Out: the function attribute `luna.cost`, one dictionary per path: path,
// cycles, compute, host, stall, dma, bound, transfers, dma_bytes. The same
// rules as the simulator: the core launches the unit and waits for it, one
// transfer engine works beside them, a wait ends when its transfer does. bound
// is max(compute + host, dma). Loops count as often as their constant bounds
// say, else once.
// Options: machine.
// Example: lit_tests/passes/luna-estimate-cost/doc.mlir

#include <stdlib.h>
#include <string.h>

#include "luna-c/pass.h"
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
  const char *path;
  uint64_t now, compute, host, stall, dma;
  uint64_t engine_free;
  uint64_t transfers, dma_bytes;
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
  uint64_t begin =
      clock->now > clock->engine_free ? clock->now : clock->engine_free;
  clock->engine_free = begin + cycles;
  clock->dma += cycles;
  clock->dma_bytes += bytes;
  ++clock->transfers;
}

// The engine works off its transfers in order, so that a token that comes from
// elsewhere (a branch, a loop) ends with the last one started.
static void wait_for_transfer(Clock *clock, MlirOperation wait) {
  MlirOperation source = luna_defining_op(mlirOperationGetOperand(wait, 0));
  if (!mlirOperationIsNull(source) && luna_op_is(source, "luna.dma_none"))
    return;
  if (clock->engine_free > clock->now) {
    clock->stall += clock->engine_free - clock->now;
    clock->now = clock->engine_free;
  }
}

//===----------------------------------------------------------------------===//
// One path
//===----------------------------------------------------------------------===//

static void run_block(Clock *clock, MlirBlock block);

// Whether the path says that branch `region` of `op` is taken.
static bool is_taken(const Clock *clock, MlirOperation op, intptr_t region) {
  MlirStringRef name = luna_structure_name(op);
  char branch[32];
  luna_branch_name(op, region, branch);
  for (const char *at = clock->path; at && *at;) {
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

// What runs before a while loop's condition runs once more than what follows.
static void run_loop(Clock *clock, MlirOperation op) {
  int64_t trips = luna_trip_count(op, 1);
  bool is_while = luna_op_is(op, "scf.while");
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
  if (luna_op_is(op, "luna.dma_start")) {
    start_transfer(clock, op);
  } else if (luna_op_is(op, "luna.dma_wait")) {
    wait_for_transfer(clock, op);
  } else if (luna_op_is(op, "luna.region")) {
    run_block(clock, luna_body(op, 0));
  } else if (luna_is_branch(op)) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (is_taken(clock, op, r) && !mlirBlockIsNull(luna_body(op, r)))
        run_block(clock, luna_body(op, r));
  } else if (luna_is_loop(op)) {
    run_loop(clock, op);
  } else if (luna_op_cost(clock->machine, op, &cost)) {
    clock->compute += cost.unit_cycles;
    clock->host += cost.host_cycles;
    clock->now += cost.unit_cycles + cost.host_cycles;
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

static MlirAttribute clock_attr(MlirContext context, const Clock *clock) {
  uint64_t busy = clock->compute + clock->host;
  const struct {
    const char *key;
    uint64_t value;
  } fields[] = {
      {"cycles", clock->now},
      {"compute", clock->compute},
      {"host", clock->host},
      {"stall", clock->stall},
      {"dma", clock->dma},
      {"bound", busy > clock->dma ? busy : clock->dma},
      {"transfers", clock->transfers},
      {"dma_bytes", clock->dma_bytes},
  };
  enum { COUNT = sizeof fields / sizeof fields[0] };
  MlirNamedAttribute entries[COUNT + 1];
  for (int i = 0; i < COUNT; ++i)
    entries[i] = luna_named(context, fields[i].key,
                            luna_i64_attr(context, (int64_t)fields[i].value));
  entries[COUNT] =
      luna_named(context, "path", luna_string_attr(context, clock->path));
  return mlirDictionaryAttrGet(context, COUNT + 1, entries);
}

static bool estimate(MlirOperation func, const LunaMachine *machine,
                     MlirAttribute paths, LunaArena *arena) {
  MlirContext context = mlirOperationGetContext(func);
  intptr_t count = mlirArrayAttrGetNumElements(paths);
  MlirAttribute *costs = LUNA_ARENA_ARRAY(arena, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute name = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(paths, i), luna_str("path"));
    MlirStringRef text = mlirStringAttrGetValue(name);
    Clock clock = {.machine = machine,
                   .path = luna_arena_strndup(arena, text.data, text.length)};
    run_block(&clock, luna_entry_block(func));
    if (clock.failed)
      return false;
    costs[i] = clock_attr(context, &clock);
  }
  luna_set_attr(func, "luna.cost", mlirArrayAttrGet(context, count, costs));
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  if (mlirBlockIsNull(luna_entry_block(func)))
    return mlirLogicalResultSuccess();
  MlirAttribute plan = luna_attr(func, "luna.plan");
  if (mlirAttributeIsNull(plan) || !mlirAttributeIsADictionary(plan))
    return luna_emit_error(func, "has no luna.plan; run luna-plan-memory "
                                 "first");
  LunaArena arena = {0};
  bool done = estimate(
      func, luna_machine_of_option(&options[OPT_MACHINE]),
      mlirDictionaryAttrGetElementByName(plan, luna_str("paths")), &arena);
  luna_arena_destroy(&arena);
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
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
