// luna-estimate-cost: estimates the cycles of every path.
//
// In: a planned function (its `luna.plan` names paths). Out: the function
// attribute `luna.cost`: for each path, path, cycles, compute, host, stall,
// dma, bound, transfers, dma_bytes and loops; and at_most, which no run
// exceeds. The same rules as the simulator: the core launches the unit and
// awaits it, one transfer engine works concurrently, and a wait ends with its
// transfer. bound is max(compute + host, dma): the least however transfers
// overlap, as long as the core awaits the unit. The slowest path of the whole
// function (luna/timing.h) is among the paths: it is added to `luna.plan`.
// Loops count by their constant trip count. Where data decides the turns, the
// figures are those of none, and `loops` has what each turn adds. Options:
// machine. Example: lit_tests/passes/luna-estimate-cost/doc.mlir

#include <string.h>

#include "conditions.h"
#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna/arena.h"
#include "luna/core_cost.h"
#include "luna/passes.h"
#include "luna/timing.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_cost.h"
#include "structure.h"

enum { OPT_MACHINE };

//===----------------------------------------------------------------------===//
// What the function does when
//===----------------------------------------------------------------------===//

typedef struct Builder {
  const LunaMachine *machine;
  LunaTiming timing;
  LunaConditions conditions;
  LunaMap loops; // by number
  bool failed;
} Builder;

static int32_t direction_of(MlirOperation start) {
  LunaMemoryKind from =
      luna_memory_of(mlirValueGetType(mlirOperationGetOperand(start, 0)));
  LunaMemoryKind to =
      luna_memory_of(mlirValueGetType(mlirOperationGetOperand(start, 1)));
  if (from == LUNA_MEMORY_SHARED && to == LUNA_MEMORY_SHARED)
    return LUNA_DMA_ON_CHIP;
  return to == LUNA_MEMORY_SHARED ? LUNA_DMA_LOAD : LUNA_DMA_STORE;
}

// What the core does for a transfer lies before its start.
static void add_transfer(Builder *builder, LunaTimingBlock *block,
                         MlirOperation start) {
  luna_timing_add(&builder->timing, block, LUNA_TIMING_WORK)->host =
      luna_core_cycles(builder->machine, LUNA_HOST_TRANSFER, 1);
  LunaTimingNode *node =
      luna_timing_add(&builder->timing, block, LUNA_TIMING_TRANSFER);
  node->bytes = (uint64_t)luna_shaped_bytes(
      mlirValueGetType(mlirOperationGetOperand(start, 0)));
  node->dma = luna_cost_dma(builder->machine, direction_of(start), node->bytes);
}

// The engine is a queue, so a token from a branch or loop completes with the
// last transfer started.
static void add_wait(Builder *builder, LunaTimingBlock *block,
                     MlirOperation wait) {
  MlirOperation source = luna_defining_op(mlirOperationGetOperand(wait, 0));
  if (mlirOperationIsNull(source) || !luna_op_is(source, LUNA_OP_LUNA_DMA_NONE))
    luna_timing_add(&builder->timing, block, LUNA_TIMING_WAIT);
}

static void add_work(Builder *builder, LunaTimingBlock *block,
                     MlirOperation op) {
  LunaCost cost;
  if (!luna_op_cost(builder->machine, op, &cost)) {
    builder->failed = true;
    return;
  }
  bool continues = block->last && block->last->kind == LUNA_TIMING_WORK;
  if (cost.unit_cycles + cost.host_cycles == 0)
    return;
  LunaTimingNode *node =
      continues ? block->last
                : luna_timing_add(&builder->timing, block, LUNA_TIMING_WORK);
  node->compute += cost.unit_cycles;
  node->host += cost.host_cycles;
}

static void add_block(Builder *builder, LunaTimingBlock *block, MlirBlock from);

static void add_region(Builder *builder, LunaTimingBlock *block,
                       MlirOperation op, intptr_t region) {
  if (!mlirBlockIsNull(luna_body(op, region)))
    add_block(builder, block, luna_body(op, region));
}

static const char *name_of(Builder *builder, MlirOperation op) {
  MlirStringRef name = luna_label_of(op);
  return luna_arena_strndup(builder->timing.arena, name.data, name.length);
}

// Returns the number of the branch's condition in the timing, which is new at
// its first branch.
static int32_t condition_of(Builder *builder, const LunaCondition *condition) {
  if (condition->number < builder->timing.conditions.count)
    return (int32_t)condition->number;
  int32_t loop = LUNA_TIMING_NONE;
  if (!mlirOperationIsNull(condition->loop))
    loop = (int32_t)luna_map_find(&builder->loops,
                                  luna_map_pointer(condition->loop.ptr));
  return luna_timing_add_condition(&builder->timing, loop);
}

static void add_branch(Builder *builder, LunaTimingBlock *block,
                       MlirOperation op) {
  LunaArena *arena = builder->timing.arena;
  intptr_t count = mlirOperationGetNumRegions(op);
  const char **ways = LUNA_ARENA_ARRAY(arena, const char *, count);
  for (intptr_t r = 0; r < count; ++r) {
    char name[32];
    luna_branch_name(op, r, name);
    ways[r] = luna_arena_strndup(arena, name, strlen(name));
  }
  LunaCondition condition = luna_condition_of(&builder->conditions, op, arena);
  LunaTimingNode *node = luna_timing_add_branch(
      &builder->timing, block, name_of(builder, op), ways, (int32_t)count,
      condition_of(builder, &condition));
  node->is_negated = condition.is_negated;
  for (intptr_t r = 0; r < count; ++r)
    add_region(builder, &node->blocks[r], op, r);
}

static void add_loop(Builder *builder, LunaTimingBlock *block,
                     MlirOperation op) {
  bool is_while = luna_op_is(op, LUNA_OP_SCF_WHILE);
  luna_map_add(&builder->loops, builder->timing.arena,
               luna_map_pointer(op.ptr));
  LunaTimingNode *node = luna_timing_add_loop(
      &builder->timing, block, name_of(builder, op),
      luna_trip_count(op, LUNA_TURNS_UNKNOWN), is_while ? 2 : 1);
  for (int32_t r = 0; r < node->block_count; ++r)
    add_region(builder, &node->blocks[r], op, r);
}

static void add_op(Builder *builder, LunaTimingBlock *block, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_START))
    add_transfer(builder, block, op);
  else if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT))
    add_wait(builder, block, op);
  else if (luna_op_is(op, LUNA_OP_LUNA_REGION))
    add_region(builder, block, op, 0);
  else if (luna_is_branch(op))
    add_branch(builder, block, op);
  else if (luna_is_loop(op))
    add_loop(builder, block, op);
  else
    add_work(builder, block, op);
}

static void add_block(Builder *builder, LunaTimingBlock *block,
                      MlirBlock from) {
  for (MlirOperation op = mlirBlockGetFirstOperation(from);
       !mlirOperationIsNull(op) && !builder->failed;
       op = mlirOperationGetNextInBlock(op))
    add_op(builder, block, op);
}

//===----------------------------------------------------------------------===//
// The cost of a path
//===----------------------------------------------------------------------===//

// A loop within `node` that is loop `number`, and the turns of those around it.
static bool enter_loops(const LunaTimingBlock *block, const LunaTimingWay *ways,
                        int32_t number, int64_t *turns) {
  for (const LunaTimingNode *node = block->first; node; node = node->next) {
    bool is_loop = node->kind == LUNA_TIMING_LOOP;
    if (is_loop && node->number == number)
      return true;
    for (int32_t b = 0; b < node->block_count; ++b)
      if ((is_loop || ways[node->number] == b) &&
          enter_loops(&node->blocks[b], ways, number, turns)) {
        if (is_loop)
          turns[node->number] = 1;
        return true;
      }
  }
  return false;
}

// Sets the turns that data decides to 0; those of loops around loop `number`,
// all of them, to 1. Returns false if the path has no such loop.
static bool choose_turns(const LunaTiming *timing, const LunaTimingWay *ways,
                         int32_t number, int64_t *turns) {
  for (uint64_t i = 0; i < timing->loops.count; ++i) {
    int64_t known = timing->loops.items[i]->turns;
    turns[i] = known == LUNA_TURNS_UNKNOWN ? 0 : known;
  }
  return number == LUNA_TIMING_NONE ||
         enter_loops(&timing->body, ways, number, turns);
}

// Returns what a turn of loop `number` adds behind its first.
static uint64_t cycles_of_turn(const LunaTiming *timing,
                               const LunaTimingWay *ways, int32_t number,
                               int64_t *turns) {
  turns[number] = 1;
  uint64_t one = luna_timing_path(timing, ways, turns).cycles;
  turns[number] = 2;
  return luna_timing_path(timing, ways, turns).cycles - one;
}

static void add_loop_costs(const LunaTiming *timing, const LunaTimingWay *ways,
                           LunaArena *arena, LunaPathCost *cost) {
  uint64_t count = timing->loops.count;
  int64_t *turns = LUNA_ARENA_ARRAY(arena, int64_t, count);
  LunaLoopCost *loops = LUNA_ARENA_ARRAY(arena, LunaLoopCost, count);
  for (uint64_t i = 0; i < count; ++i) {
    const LunaTimingNode *loop = timing->loops.items[i];
    if (loop->turns == LUNA_TURNS_UNKNOWN &&
        choose_turns(timing, ways, (int32_t)i, turns))
      loops[cost->loop_count++] = (LunaLoopCost){
          loop->name, cycles_of_turn(timing, ways, (int32_t)i, turns)};
  }
  cost->loops = loops;
}

static LunaPathCost cost_of(const LunaTiming *timing, const char *path,
                            LunaArena *arena) {
  const LunaTimingWay *ways = luna_timing_read_path(timing, path, arena);
  int64_t *turns = LUNA_ARENA_ARRAY(arena, int64_t, timing->loops.count);
  choose_turns(timing, ways, LUNA_TIMING_NONE, turns);
  LunaPathTimes times = luna_timing_path(timing, ways, turns);
  uint64_t busy = times.compute + times.host;
  LunaPathCost cost = {
      .path = path,
      .cycles = times.cycles,
      .compute = times.compute,
      .host = times.host,
      .stall = times.stall,
      .dma = times.dma,
      .bound = busy > times.dma ? busy : times.dma,
      .transfers = times.transfers,
      .dma_bytes = times.bytes,
  };
  add_loop_costs(timing, ways, arena, &cost);
  return cost;
}

//===----------------------------------------------------------------------===//
// All paths
//===----------------------------------------------------------------------===//

static bool has_path(const LunaPlanRecord *plan, const char *path) {
  for (uint32_t i = 0; i < plan->path_count; ++i)
    if (strcmp(plan->paths[i].path, path) == 0)
      return true;
  return false;
}

// Adds a path to the plan, unless it is there.
static void add_path(MlirOperation func, LunaPlanRecord *plan, const char *path,
                     LunaArena *arena) {
  if (has_path(plan, path))
    return;
  LunaPathPeak *paths = luna_arena_grow(arena, plan->paths, plan->path_count,
                                        plan->path_count + 1, sizeof *paths);
  paths[plan->path_count++] = luna_record_path(plan, path, arena);
  plan->paths = paths;
  luna_plan_write(func, plan, arena);
}

static bool has_unknown_turns(const LunaTiming *timing) {
  for (uint64_t i = 0; i < timing->loops.count; ++i)
    if (timing->loops.items[i]->turns == LUNA_TURNS_UNKNOWN)
      return true;
  return false;
}

static void estimate(MlirOperation func, const LunaTiming *timing,
                     LunaPlanRecord *plan, LunaArena *arena) {
  LunaSlowestPath slowest = luna_timing_slowest(timing);
  add_path(func, plan, luna_timing_path_name(timing, slowest.ways, arena),
           arena);
  LunaPathCost *costs = LUNA_ARENA_ARRAY(arena, LunaPathCost, plan->path_count);
  for (uint32_t i = 0; i < plan->path_count; ++i)
    costs[i] = cost_of(timing, plan->paths[i].path, arena);
  LunaCostRecord record = {.paths = costs, .path_count = plan->path_count};
  if (!has_unknown_turns(timing))
    record.at_most_cycles = slowest.at_most_cycles;
  luna_cost_write(func, &record, arena);
}

static MlirLogicalResult check_times(MlirOperation func,
                                     const Builder *builder) {
  const LunaTimingNode *loop = NULL;
  if (luna_timing_fits(&builder->timing, &loop))
    return mlirLogicalResultSuccess();
  if (loop)
    func.ptr =
        (void *)(uintptr_t)builder->loops.keys.items[loop->number].number;
  return luna_emit_error(func, "takes more than %lld cycles",
                         (long long)LUNA_TIMING_CYCLES_MAX);
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
  Builder builder = {
      .machine = luna_machine_of_option(&options[OPT_MACHINE]),
      .timing = {.arena = &arena},
  };
  if (!luna_plan_read(func, &arena, &plan, &error)) {
    result = luna_emit_error(func, "%s", error.message);
  } else {
    add_block(&builder, &builder.timing.body, luna_entry_block(func));
    result = builder.failed ? mlirLogicalResultFailure()
                            : check_times(func, &builder);
    if (mlirLogicalResultIsSuccess(result))
      estimate(func, &builder.timing, &plan, &arena);
  }
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
