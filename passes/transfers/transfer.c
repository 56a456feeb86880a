#include "transfer.h"

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static void add(LunaTransfers *transfers, LunaTransfer transfer) {
  *LUNA_VECTOR_ADD(transfers->arena, transfers) = transfer;
}

static bool is_in_psram(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) && luna_memory_of(type) == LUNA_MEMORY_PSRAM;
}

// Returns the memref.view that `value` is, or a null op: upstream folds a view
// of a whole blob to the blob.
static MlirOperation view_of_blob(MlirValue value) {
  MlirOperation view = luna_defining_op(value);
  if (mlirOperationIsNull(view) || !luna_op_is(view, LUNA_OP_MEMREF_VIEW))
    return (MlirOperation){NULL};
  return view;
}

// Returns the packed constants that an operand lies in, or a null value.
static MlirValue blob_of(MlirOperation op, MlirValue operand) {
  MlirOperation view = view_of_blob(operand);
  MlirValue blob =
      mlirOperationIsNull(view) ? operand : mlirOperationGetOperand(view, 0);
  MlirStringRef params = luna_attr_symbol(op, "params");
  MlirOperation get = luna_defining_op(blob);
  bool is_packed = params.data && !mlirOperationIsNull(get) &&
                   luna_op_is(get, LUNA_OP_MEMREF_GET_GLOBAL) &&
                   mlirStringRefEqual(luna_attr_symbol(get, "name"), params);
  return is_packed ? blob : (MlirValue){NULL};
}

bool luna_read_weights(MlirOperation op, LunaTransfer *transfer) {
  *transfer = (LunaTransfer){.kind = LUNA_TRANSFER_WEIGHTS, .op = op};
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_in_psram(operand))
      continue;
    transfer->blob = blob_of(op, operand);
    if (mlirValueIsNull(transfer->blob)) {
      luna_emit_error(op,
                      "operand %d is in PSRAM and is not packed; run "
                      "luna-pack-weights first",
                      (int)i);
      return false;
    }
  }
  if (!mlirValueIsNull(transfer->blob))
    transfer->byte_count = luna_shaped_bytes(mlirValueGetType(transfer->blob));
  return true;
}

static bool add_unit(LunaTransfers *transfers, MlirOperation op) {
  LunaTransfer transfer;
  if (!luna_read_weights(op, &transfer))
    return false;
  if (!mlirValueIsNull(transfer.blob))
    add(transfers, transfer);
  return true;
}

// Returns true if the engine can transfer the memref: it is contiguous and
// starts on a granule.
static bool is_reachable(const LunaMachine *machine, MlirType type) {
  int64_t offset = 0, strides[LUNA_RANK_MAX];
  return luna_memref_is_contiguous(type) &&
         luna_memref_layout(type, &offset, strides) &&
         offset * luna_element_type_bytes(mlirShapedTypeGetElementType(type)) %
                 (int64_t)machine->dma_granule_bytes ==
             0;
}

static bool is_transferable(const LunaMachine *machine, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0);
  MlirValue target = mlirOperationGetOperand(copy, 1);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(target));
  int64_t granule = (int64_t)machine->dma_granule_bytes;
  return bytes > 0 && bytes % granule == 0 &&
         is_in_psram(source) != is_in_psram(target) &&
         is_reachable(machine, mlirValueGetType(source)) &&
         is_reachable(machine, mlirValueGetType(target));
}

bool luna_find_transfers(const LunaMachine *machine, MlirBlock block,
                         LunaTransfers *transfers) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (luna_op_is_unit(op)) {
      if (!add_unit(transfers, op))
        return false;
    } else if (luna_op_is(op, LUNA_OP_MEMREF_COPY) &&
               is_transferable(machine, op)) {
      add(transfers, (LunaTransfer){.kind = LUNA_TRANSFER_COPY, .op = op});
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

MlirValue luna_build_staging(MlirOperation before, int64_t byte_count) {
  MlirType type = luna_byte_memref(mlirOperationGetContext(before), byte_count,
                                   LUNA_MEMORY_SHARED);
  return luna_build_alloc(before, type, "staging");
}

MlirValue luna_build_dma_start(MlirOperation before, MlirValue source,
                               MlirValue target) {
  MlirType token = lunaTokenTypeGet(mlirOperationGetContext(before));
  MlirValue operands[] = {source, target};
  MlirOperation start = luna_build_before(
      before, &(LunaOpSpec){.name = "luna.dma_start",
                            .location = mlirOperationGetLocation(before),
                            .operands = operands,
                            .operand_count = 2,
                            .results = &token,
                            .result_count = 1});
  return mlirOperationGetResult(start, 0);
}

void luna_build_dma_wait(MlirOperation before, MlirValue token) {
  luna_build_before(before,
                    &(LunaOpSpec){.name = "luna.dma_wait",
                                  .location = mlirOperationGetLocation(before),
                                  .operands = &token,
                                  .operand_count = 1});
}

MlirValue luna_start_weights(MlirOperation before, const LunaTransfer *transfer,
                             MlirValue staging) {
  MlirContext context = mlirOperationGetContext(before);
  MlirOperation get = mlirOperationClone(luna_defining_op(transfer->blob));
  luna_insert_before(before, get);
  MlirType type =
      luna_byte_memref(context, transfer->byte_count, LUNA_MEMORY_SHARED);
  MlirValue target = staging;
  if (!mlirTypeEqual(mlirValueGetType(staging), type))
    target =
        luna_build_view(before, staging, luna_build_index(before, 0), type);
  return luna_build_dma_start(before, mlirOperationGetResult(get, 0), target);
}

void luna_read_from_staging(const LunaTransfer *transfer, MlirValue staging) {
  MlirAttribute shared = lunaMemoryAttrGet(
      mlirOperationGetContext(transfer->op), LUNA_MEMORY_SHARED);
  intptr_t count = mlirOperationGetNumOperands(transfer->op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(transfer->op, i);
    if (!is_in_psram(operand))
      continue;
    MlirOperation view = view_of_blob(operand);
    MlirType type = luna_memref_with_space(mlirValueGetType(operand), shared);
    MlirValue shift = mlirOperationIsNull(view)
                          ? luna_build_index(transfer->op, 0)
                          : mlirOperationGetOperand(view, 1);
    MlirValue moved = luna_build_view(transfer->op, staging, shift, type);
    mlirOperationSetOperand(transfer->op, i, moved);
    if (!mlirOperationIsNull(view) &&
        mlirOpOperandIsNull(mlirValueGetFirstUse(operand)))
      mlirOperationDestroy(view);
  }
}

void luna_erase_read(const LunaTransfer *transfer) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(transfer->blob)))
    mlirOperationDestroy(luna_defining_op(transfer->blob));
}
