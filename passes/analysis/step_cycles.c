#include "step_cycles.h"

#include "luna-c/ops.h"
#include "luna/core_cost.h"
#include "op_cost.h"
#include "structure.h"

static int32_t direction_of(MlirOperation start) {
  LunaMemoryKind from =
      luna_memory_of(mlirValueGetType(mlirOperationGetOperand(start, 0)));
  LunaMemoryKind to =
      luna_memory_of(mlirValueGetType(mlirOperationGetOperand(start, 1)));
  if (from == LUNA_MEMORY_SHARED && to == LUNA_MEMORY_SHARED)
    return LUNA_DMA_ON_CHIP;
  return to == LUNA_MEMORY_SHARED ? LUNA_DMA_LOAD : LUNA_DMA_STORE;
}

static bool add_cycles(const LunaProgramModel *program,
                       const LunaMachine *machine, LunaModelId id) {
  LunaModelStep *step = &program->model.steps.items[id];
  MlirOperation op = program->ops.items[id];
  LunaCost cost = {0};
  if (step->kind == LUNA_MODEL_TRANSFER) {
    uint64_t bytes = (uint64_t)luna_model_transfer_bytes(&program->model, step);
    step->dma_cycles = (int64_t)luna_cost_dma(machine, direction_of(op), bytes);
    cost.host_cycles = luna_core_cycles(machine, LUNA_HOST_TRANSFER, 1);
  } else if (step->kind < LUNA_MODEL_TRANSFER &&
             !luna_op_cost(machine, op, &cost)) {
    return false;
  }
  step->core_cycles = (int64_t)cost.host_cycles;
  step->unit_cycles = (int64_t)cost.unit_cycles;
  return true;
}

// The inputs and outputs of the function; state is one pointer of its own.
static uint64_t pointers_of(MlirOperation func) {
  intptr_t count = mlirBlockGetNumArguments(luna_entry_block(func));
  uint64_t pointers = 0;
  for (intptr_t i = 0; i < count; ++i)
    pointers +=
        mlirAttributeIsNull(luna_func_argument_attr(func, i, "luna.state"));
  return pointers;
}

bool luna_add_step_cycles(LunaProgramModel *program,
                          const LunaMachine *machine) {
  for (LunaModelId id = 0; id < program->model.steps.count; ++id)
    if (!add_cycles(program, machine, id))
      return false;
  program->model.steps.items[0].core_cycles = (int64_t)luna_core_entry_cycles(
      machine, pointers_of(program->ops.items[0]));
  return true;
}
