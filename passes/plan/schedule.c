// luna-schedule: how each value that control flow merges is passed on.
//
// In: a bufferised function, before luna-form-regions. Out: for each result of
// a branch, each value that a loop carries, and each copy of a whole buffer,
// one of these. The buffers are one (coalesced), where neither is overwritten
// while the other's contents are still read; so are the operand and the result
// of an elementwise operator. Or one is copied to the other, in a branch or at
// the back edge. Or control flow passes on a base pointer: that of the buffer
// with the value, or two of them, exchanged where the value was recomputed, so
// that the free buffer is written next; the values of loops take turns, those
// that are shifted turn all their buffers. Of the plans that fit the memory,
// with the least staging, it is the one found with the fewest cycles on the
// slowest path, then on all paths, then in the fewest bytes. What nobody wrote
// is not copied. `luna.joins_tried` says how many drafts of the model and plans
// of them that took, where any. Refuses: allocations of dynamic shape. Options:
// machine, capacity-bytes, only-loops. Example:
// lit_tests/passes/luna-schedule/doc.mlir

#include "apply_schedule.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "op_cost.h"
#include "step_cycles.h"

//===----------------------------------------------------------------------===//
// What things cost
//===----------------------------------------------------------------------===//

typedef struct Costs {
  const LunaMachine *machine;
  const LunaProgramModel *program;
} Costs;

// Returns the cycles of a copy that is made to find out.
static uint64_t copy_cycles(uint32_t from_type, uint32_t to_type, void *data) {
  const Costs *costs = data;
  MlirLocation location =
      mlirOperationGetLocation(costs->program->ops.items[0]);
  MlirType types[] = {costs->program->types.items[from_type],
                      costs->program->types.items[to_type]};
  MlirLocation locations[] = {location, location};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  MlirValue operands[] = {mlirBlockGetArgument(block, 0),
                          mlirBlockGetArgument(block, 1)};
  MlirOperation copy = luna_build(&(LunaOpSpec){.name = "memref.copy",
                                                .location = location,
                                                .operands = operands,
                                                .operand_count = 2});
  LunaCost cost = {0};
  mlirBlockAppendOwnedOperation(block, copy);
  luna_op_cost(costs->machine, copy, &cost);
  mlirBlockDestroy(block);
  return luna_cost_cycles(cost);
}

static bool count_op(MlirOperation op, void *data) {
  (void)op;
  ++*(int64_t *)data;
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

enum { OPT_MACHINE, OPT_CAPACITY_BYTES, OPT_ONLY_LOOPS, OPT_COUNT };

// Returns the bytes that no plan of the tensors takes less than, as
// luna-order left them, or 0.
static int64_t bound_of(MlirOperation func, LunaArena *arena) {
  LunaBoundRecord bound;
  LunaError error = {0};
  return luna_bound_read(func, arena, &bound, &error) ? bound.tensor_bytes : 0;
}

bool luna_find_schedule(MlirOperation func, const LunaMachine *machine,
                        int64_t capacity_bytes, LunaProgramModel *program,
                        LunaArena *arena, LunaSchedule *schedule) {
  if (!luna_add_step_cycles(program, machine))
    return false;
  Costs costs = {machine, program};
  LunaScheduleTarget target = {
      .capacity_bytes =
          capacity_bytes > 0 ? capacity_bytes : (int64_t)machine->shared.bytes,
      .align_bytes = (int64_t)machine->alignment_bytes,
      .least_bytes = bound_of(func, arena),
      .copy_cycles = copy_cycles,
      .data = &costs,
  };
  luna_walk(func, count_op, &target.op_count);
  LunaJoinEffort effort = {0};
  LunaError error = {.item = LUNA_ERROR_NO_ITEM};
  if (luna_schedule_joins(&program->model, &target, arena, schedule, &effort,
                          &error)) {
    if (effort.plans > 0)
      luna_join_effort_write(func, &effort, arena);
    return true;
  }
  luna_emit_error(
      error.item < program->ops.count ? program->ops.items[error.item] : func,
      "%s", error.message);
  return false;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  LunaArena arena = {0};
  LunaProgramModel program;
  LunaSchedule schedule;
  bool is_found = luna_program_model_build(func, machine, &arena, &program);
  if (is_found && options[OPT_ONLY_LOOPS].integer)
    luna_schedule_loops(&program.model, &arena, &schedule);
  else
    is_found =
        is_found &&
        luna_find_schedule(func, machine, options[OPT_CAPACITY_BYTES].integer,
                           &program, &arena, &schedule);
  if (is_found)
    luna_apply_schedule(&program, &schedule);
  luna_arena_destroy(&arena);
  return is_found ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_CAPACITY_BYTES] = {.name = "capacity-bytes",
                            .help =
                                "size of the shared memory; 0 is that of the "
                                "machine's",
                            .kind = LUNA_OPTION_INT64},
    [OPT_ONLY_LOOPS] = {.name = "only-loops",
                        .help = "coalesce what loops carry, and decide nothing "
                                "else",
                        .kind = LUNA_OPTION_BOOL},
};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_schedule = {
    .argument = "luna-schedule",
    .summary = "Decide how values that control flow merges are passed on",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
