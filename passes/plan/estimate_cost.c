// luna-estimate-cost: estimates the cycles of every path.
//
// In: a planned function (its `luna.plan` names paths). Out: the function
// attribute `luna.cost`: for each path, path, cycles, compute, host, stall,
// dma, bound, transfers, dma_bytes and loops; and at_most, which no run
// exceeds. The same rules as the simulator: compute is the time of the unit,
// host that of the core alone, one transfer engine works concurrently, and a
// wait ends with its transfer. bound is max(compute + host, dma): the least
// however transfers overlap. The slowest path of the whole function
// (luna/timing.h) is among the paths: it is added to `luna.plan`. Loops count
// by their constant trip count. Where data decides the turns, the figures are
// those of none, and `loops` has what each turn adds. Options: machine.
// Example: lit_tests/passes/luna-estimate-cost/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna/arena.h"
#include "luna/model_cost.h"
#include "luna/passes.h"
#include "luna/timing.h"
#include "machine_option.h"
#include "step_cycles.h"

enum { OPT_MACHINE };

static MlirLogicalResult check_times(const LunaProgramModel *program) {
  LunaModelId loop = LUNA_MODEL_NONE;
  if (luna_timing_fits(&program->model, &loop))
    return mlirLogicalResultSuccess();
  return luna_emit_error(program->ops.items[loop == LUNA_MODEL_NONE ? 0 : loop],
                         "takes more than %lld cycles",
                         (long long)LUNA_TIMING_CYCLES_MAX);
}

static void add_path(LunaPlanRecord *plan, const char *path, LunaArena *arena) {
  LunaPathPeak *paths = luna_arena_grow(arena, plan->paths, plan->path_count,
                                        plan->path_count + 1, sizeof *paths);
  paths[plan->path_count++] = luna_record_path(plan, path, arena);
  plan->paths = paths;
}

static void write_costs(MlirOperation func, const LunaModel *model,
                        LunaPlanRecord *plan, LunaArena *arena) {
  const char **names = LUNA_ARENA_ARRAY(arena, const char *, plan->path_count);
  for (uint32_t i = 0; i < plan->path_count; ++i)
    names[i] = plan->paths[i].path;
  LunaCostRecord record =
      luna_model_cost(model, names, plan->path_count, arena);
  if (record.path_count > plan->path_count) {
    add_path(plan, record.paths[plan->path_count].path, arena);
    luna_plan_write(func, plan, arena);
  }
  luna_cost_write(func, &record, arena);
}

static MlirLogicalResult
estimate(MlirOperation func, const LunaMachine *machine, LunaArena *arena) {
  LunaPlanRecord plan;
  LunaError error = {0};
  LunaProgramModel program;
  if (!luna_plan_read(func, arena, &plan, &error))
    return luna_emit_error(func, "%s", error.message);
  if (!luna_program_model_build(func, NULL, arena, &program) ||
      !luna_add_step_cycles(&program, machine))
    return mlirLogicalResultFailure();
  MlirLogicalResult result = check_times(&program);
  if (mlirLogicalResultIsSuccess(result))
    write_costs(func, &program.model, &plan, arena);
  return result;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  if (!luna_has_plan(func))
    return luna_emit_error(func, "has no luna.plan; run luna-plan-memory "
                                 "first");
  LunaArena arena = {0};
  MlirLogicalResult result =
      estimate(func, luna_machine_of_option(&options[OPT_MACHINE]), &arena);
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
