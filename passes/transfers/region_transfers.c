#include "region_transfers.h"

#include "luna-c/ops.h"
#include "luna/cost.h"
#include "luna/model_live.h"
#include "mlir-c/BuiltinAttributes.h"
#include "step_cycles.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// Adds the scratch of operators to what is live.
static void add_scratch(const LunaModel *model, int64_t *live_bytes) {
  for (LunaModelId id = 0; id < model->steps.count; ++id) {
    const LunaModelStep *step = &model->steps.items[id];
    const LunaModelAccess *accesses = luna_model_accesses(model, step);
    int64_t bytes = 0;
    for (uint32_t i = 0; i < step->access_count; ++i) {
      LunaModelId slice = accesses[i].slice;
      const LunaModelValue *value =
          &model->values.items[model->slices.items[slice].value];
      if (value->role == LUNA_MODEL_SCRATCH && value->bytes > bytes)
        bytes = value->bytes;
    }
    live_bytes[id] += bytes;
  }
}

bool luna_transfer_program(MlirOperation func, const LunaMachine *machine,
                           LunaArena *arena, LunaTransferProgram *program) {
  *program = (LunaTransferProgram){.machine = machine, .arena = arena};
  const LunaModel *model = &program->program.model;
  LunaError error = {0};
  if (!luna_program_model_build(func, machine, arena, &program->program) ||
      !luna_add_step_cycles(&program->program, machine))
    return false;
  program->live_bytes = LUNA_ARENA_ARRAY(arena, int64_t, model->steps.count);
  LunaModelProblemOptions options = {.align_bytes =
                                         (int64_t)machine->alignment_bytes};
  if (!luna_model_live_bytes(model, &options, program->live_bytes, &error)) {
    luna_emit_error(func, "%s", error.message);
    return false;
  }
  add_scratch(model, program->live_bytes);
  return true;
}

//===----------------------------------------------------------------------===//
// A region as a block
//===----------------------------------------------------------------------===//

// Returns true if a step does more than name memory.
static bool does_something(const LunaModelStep *step) {
  return step->kind != LUNA_MODEL_SCALAR && step->kind != LUNA_MODEL_ALLOCATE &&
         step->kind != LUNA_MODEL_SELECT && step->kind != LUNA_MODEL_PASS;
}

static bool is_movable(MlirOperation op) {
  static const LunaOpName names[] = {
      LUNA_OP_MEMREF_ALLOC,        LUNA_OP_MEMREF_GET_GLOBAL,
      LUNA_OP_MEMREF_VIEW,         LUNA_OP_MEMREF_SUBVIEW,
      LUNA_OP_MEMREF_EXPAND_SHAPE, LUNA_OP_MEMREF_COLLAPSE_SHAPE,
      LUNA_OP_MEMREF_CAST,         LUNA_OP_MEMREF_REINTERPRET_CAST};
  return lunaOperationIsConstantLike(op) ||
         luna_op_is_any(op, names, sizeof names / sizeof *names);
}

// Returns true if what gives `value` in its block may precede everything.
static bool may_precede(MlirValue value, MlirBlock block) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), block))
    return true;
  bool may = is_movable(op);
  for (intptr_t i = 0; may && i < mlirOperationGetNumOperands(op); ++i)
    may = may_precede(mlirOperationGetOperand(op, i), block);
  return may;
}

typedef struct Steps {
  LunaModelId *ids;
  bool *is_transfer;
  uint32_t count;
} Steps;

static int64_t aligned(const LunaTransferProgram *program, int64_t bytes) {
  int64_t align = (int64_t)program->machine->alignment_bytes;
  return (bytes + align - 1) / align * align;
}

static LunaBlockTransfer block_transfer(const LunaTransferProgram *program,
                                        const Steps *steps, uint32_t index,
                                        const LunaTransfer *found) {
  LunaBlockTransfer transfer = {.step = index, .latest = index};
  LunaDmaDirection direction = LUNA_DMA_LOAD;
  int64_t bytes = found->byte_count;
  if (found->kind == LUNA_TRANSFER_COPY) {
    MlirBlock block = mlirOperationGetBlock(found->op);
    MlirValue source = mlirOperationGetOperand(found->op, 0);
    MlirValue target = mlirOperationGetOperand(found->op, 1);
    bool is_store =
        luna_memory_of(mlirValueGetType(target)) == LUNA_MEMORY_PSRAM;
    direction = is_store ? LUNA_DMA_STORE : LUNA_DMA_LOAD;
    transfer.kind = is_store ? LUNA_BLOCK_STORE : LUNA_BLOCK_LOAD;
    bytes = luna_shaped_bytes(mlirValueGetType(target));
    luna_transfer_span(&program->program.model, steps->ids, steps->count, index,
                       steps->is_transfer, &transfer.earliest,
                       &transfer.latest);
    if (!may_precede(source, block) || !may_precede(target, block))
      transfer.earliest = index;
  }
  transfer.bytes = aligned(program, bytes);
  transfer.cycles =
      (int64_t)luna_cost_dma(program->machine, direction, (uint64_t)bytes);
  return transfer;
}

static Steps find_steps(const LunaTransferProgram *program, LunaModelId region,
                        const LunaTransfers *found) {
  const LunaModel *model = &program->program.model;
  LunaModelId body = region + 1, end = model->steps.items[body].end;
  Steps steps = {LUNA_ARENA_ARRAY(program->arena, LunaModelId, end - body),
                 LUNA_ARENA_ARRAY(program->arena, bool, end - body), 0};
  uint64_t next = 0;
  for (LunaModelId id = body + 1; id < end; id = model->steps.items[id].end) {
    if (!does_something(&model->steps.items[id]))
      continue;
    bool is_found = next < found->count &&
                    mlirOperationEqual(found->items[next].op,
                                       program->program.ops.items[id]);
    steps.is_transfer[steps.count] =
        is_found && found->items[next].kind == LUNA_TRANSFER_COPY;
    steps.ids[steps.count++] = id;
    next += is_found;
  }
  return steps;
}

static void fill_steps(const LunaTransferProgram *program, const Steps *steps,
                       LunaRegionTransfers *region) {
  LunaArena *arena = program->arena;
  int64_t *cycles = LUNA_ARENA_ARRAY(arena, int64_t, steps->count);
  int64_t *live_bytes = LUNA_ARENA_ARRAY(arena, int64_t, steps->count);
  for (uint32_t i = 0; i < steps->count; ++i) {
    const LunaModelStep *step =
        &program->program.model.steps.items[steps->ids[i]];
    region->anchors[i] = program->program.ops.items[steps->ids[i]];
    live_bytes[i] = program->live_bytes[steps->ids[i]];
    if (!steps->is_transfer[i])
      cycles[i] = step->core_cycles + step->unit_cycles;
  }
  region->block.step_count = steps->count;
  region->block.cycles = cycles;
  region->block.live_bytes = live_bytes;
}

bool luna_region_transfers(const LunaTransferProgram *program, LunaModelId step,
                           LunaRegionTransfers *region) {
  MlirBlock block = luna_body(program->program.ops.items[step], 0);
  *region = (LunaRegionTransfers){.found = {.arena = program->arena}};
  if (!luna_find_transfers(program->machine, block, &region->found))
    return false;
  Steps steps = find_steps(program, step, &region->found);
  region->anchors =
      LUNA_ARENA_ARRAY(program->arena, MlirOperation, steps.count + 1);
  fill_steps(program, &steps, region);
  region->anchors[steps.count] = mlirBlockGetTerminator(block);
  uint32_t index = 0;
  for (uint64_t i = 0; i < region->found.count; ++i, ++index) {
    const LunaTransfer *found = &region->found.items[i];
    while (!mlirOperationEqual(region->anchors[index], found->op))
      ++index;
    *LUNA_VECTOR_ADD(program->arena, &region->block.transfers) =
        block_transfer(program, &steps, index, found);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Inserting
//===----------------------------------------------------------------------===//

// Moves what gives `value` before `op`, if it is behind.
static void precede(MlirValue value, MlirOperation op) {
  MlirOperation giver = luna_defining_op(value);
  if (mlirOperationIsNull(giver) ||
      !mlirBlockEqual(mlirOperationGetBlock(giver),
                      mlirOperationGetBlock(op)) ||
      mlirOperationIsBeforeInBlock(giver, op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(giver); ++i)
    precede(mlirOperationGetOperand(giver, i), op);
  mlirOperationMoveBefore(giver, op);
}

static MlirValue start_copy(MlirOperation before, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0);
  MlirValue target = mlirOperationGetOperand(copy, 1);
  precede(source, before);
  precede(target, before);
  return luna_build_dma_start(before, source, target);
}

typedef struct Weights {
  const MlirValue *two; // NULL for a buffer each
  uint64_t started;
} Weights;

static MlirValue start_weights(MlirOperation before,
                               const LunaTransfer *transfer, Weights *weights,
                               MlirValue *staging) {
  *staging = weights->two ? weights->two[weights->started % 2]
                          : luna_build_staging(before, transfer->byte_count);
  ++weights->started;
  return luna_start_weights(before, transfer, *staging);
}

void luna_insert_transfers(const LunaRegionTransfers *region,
                           const MlirValue *staging, LunaArena *arena) {
  const LunaTransfer *found = region->found.items;
  uint64_t count = region->found.count;
  MlirValue *tokens = LUNA_ARENA_ARRAY(arena, MlirValue, count);
  MlirValue *buffers = LUNA_ARENA_ARRAY(arena, MlirValue, count);
  Weights weights = {.two = staging};
  for (uint64_t i = 0; i < region->block.events.count; ++i) {
    LunaTransferEvent event = region->block.events.items[i];
    MlirOperation before = region->anchors[event.step];
    uint32_t number = event.transfer;
    if (!event.is_start)
      luna_build_dma_wait(before, tokens[number]);
    else if (found[number].kind == LUNA_TRANSFER_COPY)
      tokens[number] = start_copy(before, found[number].op);
    else
      tokens[number] =
          start_weights(before, &found[number], &weights, &buffers[number]);
  }
  for (uint64_t i = 0; i < count; ++i)
    if (found[i].kind == LUNA_TRANSFER_COPY) {
      mlirOperationDestroy(found[i].op);
    } else {
      luna_read_from_staging(&found[i], buffers[i]);
      luna_erase_read(&found[i]);
    }
}
