#include "late_weights.h"

#include "luna-c/ops.h"
#include "luna/cost.h"
#include "luna/model_live.h"
#include "mlir-c/BuiltinAttributes.h"
#include "program_model.h"
#include "step_cycles.h"
#include "structure.h"
#include "transfer.h"

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static int64_t scratch_bytes(const LunaModel *model,
                             const LunaModelStep *step) {
  const LunaModelAccess *accesses = luna_model_accesses(model, step);
  int64_t bytes = 0;
  for (uint32_t i = 0; i < step->access_count; ++i) {
    LunaModelId slice = accesses[i].slice;
    const LunaModelValue *value =
        &model->values.items[model->slices.items[slice].value];
    if (value->role == LUNA_MODEL_SCRATCH && value->bytes > bytes)
      bytes = value->bytes;
  }
  return bytes;
}

// The steps since the last operator with weights, from it on: meanwhile the
// next weights are loaded.
typedef struct Since {
  int64_t live_bytes;
  uint64_t cycles;
} Since;

static bool find(const LunaProgramModel *program, const LunaMachine *machine,
                 const int64_t *live_bytes, LunaLateWeights *weights) {
  const LunaModel *model = &program->model;
  Since since = {0};
  for (LunaModelId id = 0; id < model->steps.count; ++id) {
    const LunaModelStep *step = &model->steps.items[id];
    LunaTransfer load = {.blob = {NULL}};
    if (step->kind == LUNA_MODEL_UNIT &&
        !luna_read_weights(program->ops.items[id], &load))
      return false;
    if (!mlirValueIsNull(load.blob)) {
      uint64_t cycles =
          luna_cost_dma(machine, LUNA_DMA_LOAD, (uint64_t)load.byte_count);
      *LUNA_VECTOR_ADD(weights->arena, weights) = (LunaWeights){
          .live_bytes = since.live_bytes,
          .byte_count = load.byte_count,
          .hidden_cycles = cycles < since.cycles ? cycles : since.cycles,
      };
      since = (Since){0};
    }
    int64_t bytes = live_bytes[id] + scratch_bytes(model, step);
    since.live_bytes = bytes > since.live_bytes ? bytes : since.live_bytes;
    since.cycles += (uint64_t)(step->core_cycles + step->unit_cycles);
  }
  return true;
}

bool luna_find_weights(MlirOperation func, const LunaMachine *machine,
                       LunaLateWeights *weights) {
  LunaProgramModel program;
  LunaError error = {0};
  if (!luna_program_model_build(func, machine, weights->arena, &program) ||
      !luna_add_step_cycles(&program, machine))
    return false;
  int64_t *live_bytes =
      LUNA_ARENA_ARRAY(weights->arena, int64_t, program.model.steps.count);
  if (!luna_model_live_bytes(&program.model, (int64_t)machine->alignment_bytes,
                             live_bytes, &error)) {
    luna_emit_error(func, "%s", error.message);
    return false;
  }
  return find(&program, machine, live_bytes, weights);
}

//===----------------------------------------------------------------------===//
// Marking
//===----------------------------------------------------------------------===//

typedef struct Marker {
  const LunaLateWeights *weights;
  uint64_t next;
} Marker;

static bool mark(MlirOperation op, void *data) {
  Marker *marker = data;
  LunaTransfer load;
  if (!luna_op_is_unit(op) || !luna_read_weights(op, &load) ||
      mlirValueIsNull(load.blob))
    return true;
  luna_set_late(op, marker->weights->items[marker->next++].is_late);
  return true;
}

void luna_mark_late(MlirOperation func, const LunaLateWeights *weights) {
  luna_walk(func, mark, &(Marker){.weights = weights});
}
