// luna-insert-dma: brings weights on chip, behind the computation.
//
// In: memories assigned, weights packed, regions formed.
// Out: unit operators read their constants from staging buffers
// (luna.kind = "staging") filled by luna.dma_start and luna.dma_wait; every
// contiguous memref.copy between PSRAM and shared memory is a transfer, too,
// where its size is a multiple of the engine's granule.
// mode=ping-pong: in each region two staging buffers as large as the largest
// even and odd blob; the transfer for the next operator is started before the
// current one computes and waited for before its own use, at the latest before
// the next other transfer (the engine has one outstanding transfer). Algorithm
// 3 of "Memory optimization method for control flow computation graph"
// (J. NUDT 47(6), 2025).
// mode=sync: each blob gets a staging buffer of its own, started and waited
// for right before its operator.
// Refuses: constants of a unit operator that are not packed.
// Example: lit_tests/passes/luna-insert-dma/doc.mlir

#include <string.h>

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/machine.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

enum { OPT_MACHINE, OPT_MODE };

typedef enum TransferKind {
  TRANSFER_WEIGHTS, // the constants of a unit operator
  TRANSFER_COPY,    // a memref.copy between PSRAM and shared memory
} TransferKind;

typedef struct Transfer {
  TransferKind kind;
  MlirOperation op; // the unit operator, or the copy
  MlirValue blob;   // weights: the blob in PSRAM
  int64_t byte_count;
} Transfer;

typedef struct Inserter {
  LunaArena arena;
  LunaMachine machine;
  bool ping_pong;
  bool failed;
  Transfer *transfers; // of the region at hand
  uint64_t count, capacity;
} Inserter;

//===----------------------------------------------------------------------===//
// Collecting the transfers of a region
//===----------------------------------------------------------------------===//

static void add_transfer(Inserter *inserter, Transfer transfer) {
  if (inserter->count == inserter->capacity) {
    uint64_t capacity = inserter->capacity ? 2 * inserter->capacity : 64;
    inserter->transfers =
        luna_arena_grow(&inserter->arena, inserter->transfers, inserter->count,
                        capacity, sizeof(Transfer));
    inserter->capacity = capacity;
  }
  inserter->transfers[inserter->count++] = transfer;
}

static bool is_in_psram(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) && luna_memory_of(type) == LUNA_MEMORY_PSRAM;
}

// The memref.view that `value` is, or a null op.
static MlirOperation view_of_blob(MlirValue value) {
  MlirOperation view = luna_defining_op(value);
  if (mlirOperationIsNull(view) || !luna_op_is(view, "memref.view"))
    return (MlirOperation){NULL};
  return view;
}

static void collect_unit(Inserter *inserter, MlirOperation op) {
  Transfer transfer = {.kind = TRANSFER_WEIGHTS, .op = op};
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_in_psram(operand))
      continue;
    MlirOperation view = view_of_blob(operand);
    if (mlirOperationIsNull(view) ||
        !luna_attr_symbol(op, "luna.params").data) {
      luna_emit_error(op,
                      "operand %d lies in PSRAM and is not packed; run "
                      "luna-pack-weights first",
                      (int)i);
      inserter->failed = true;
      return;
    }
    transfer.blob = mlirOperationGetOperand(view, 0);
  }
  if (mlirValueIsNull(transfer.blob))
    return;
  transfer.byte_count = luna_shaped_bytes(mlirValueGetType(transfer.blob));
  add_transfer(inserter, transfer);
}

static bool is_transferable(const Inserter *inserter, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0);
  MlirValue target = mlirOperationGetOperand(copy, 1);
  int64_t bytes = luna_shaped_bytes(mlirValueGetType(target));
  int64_t granule = (int64_t)inserter->machine.dma_granule_bytes;
  return bytes > 0 && bytes % granule == 0 &&
         is_in_psram(source) != is_in_psram(target) &&
         luna_memref_is_contiguous(mlirValueGetType(source)) &&
         luna_memref_is_contiguous(mlirValueGetType(target));
}

static void collect_region(Inserter *inserter, MlirBlock block) {
  inserter->count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !inserter->failed;
       op = mlirOperationGetNextInBlock(op)) {
    if (luna_op_is_unit(op))
      collect_unit(inserter, op);
    else if (luna_op_is(op, "memref.copy") && is_transferable(inserter, op))
      add_transfer(inserter, (Transfer){.kind = TRANSFER_COPY, .op = op});
  }
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static MlirValue build_staging(MlirOperation before, int64_t byte_count) {
  MlirType type = luna_byte_memref(mlirOperationGetContext(before), byte_count,
                                   LUNA_MEMORY_SHARED);
  return luna_build_alloc(before, type, "staging");
}

static MlirValue build_start(MlirOperation before, MlirValue source,
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

static void build_wait(MlirOperation before, MlirValue token) {
  luna_build_before(before,
                    &(LunaOpSpec){.name = "luna.dma_wait",
                                  .location = mlirOperationGetLocation(before),
                                  .operands = &token,
                                  .operand_count = 1});
}

// Starts the transfer of a blob into the front of `staging`. The blob's
// get_global is rebuilt here, since the start may stand before it.
static MlirValue start_weights(MlirOperation before, const Transfer *transfer,
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
  return build_start(before, mlirOperationGetResult(get, 0), target);
}

// Lets the operator read its constants from `staging`.
static void read_from_staging(const Transfer *transfer, MlirValue staging) {
  MlirAttribute shared = lunaMemoryAttrGet(
      mlirOperationGetContext(transfer->op), LUNA_MEMORY_SHARED);
  intptr_t count = mlirOperationGetNumOperands(transfer->op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(transfer->op, i);
    if (!is_in_psram(operand))
      continue;
    MlirOperation view = view_of_blob(operand);
    MlirType type = luna_memref_with_space(mlirValueGetType(operand), shared);
    MlirValue moved = luna_build_view(transfer->op, staging,
                                      mlirOperationGetOperand(view, 1), type);
    mlirOperationSetOperand(transfer->op, i, moved);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(operand)))
      mlirOperationDestroy(view);
  }
}

// Erases the read of a blob that only starts of transfers replaced.
static void erase_read(const Transfer *transfer) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(transfer->blob)))
    mlirOperationDestroy(luna_defining_op(transfer->blob));
}

static void transfer_copy(const Transfer *transfer) {
  MlirOperation copy = transfer->op;
  MlirValue token = build_start(copy, mlirOperationGetOperand(copy, 0),
                                mlirOperationGetOperand(copy, 1));
  build_wait(copy, token);
  mlirOperationDestroy(copy);
}

//===----------------------------------------------------------------------===//
// The two modes
//===----------------------------------------------------------------------===//

static void insert_sync(const Inserter *inserter) {
  for (uint64_t i = 0; i < inserter->count; ++i) {
    const Transfer *transfer = &inserter->transfers[i];
    if (transfer->kind == TRANSFER_COPY) {
      transfer_copy(transfer);
      continue;
    }
    MlirValue staging = build_staging(transfer->op, transfer->byte_count);
    build_wait(transfer->op, start_weights(transfer->op, transfer, staging));
    read_from_staging(transfer, staging);
    erase_read(transfer);
  }
}

// The two staging buffers of a region, made before its first op; the odd one
// is null where no odd transfer exists.
static void build_ping_pong(const Inserter *inserter, MlirOperation first,
                            MlirValue staging[2]) {
  int64_t bytes[2] = {0, 0};
  int parity = 0;
  for (uint64_t i = 0; i < inserter->count; ++i) {
    const Transfer *transfer = &inserter->transfers[i];
    if (transfer->kind != TRANSFER_WEIGHTS)
      continue;
    if (transfer->byte_count > bytes[parity])
      bytes[parity] = transfer->byte_count;
    parity ^= 1;
  }
  for (int i = 0; i < 2; ++i)
    staging[i] =
        bytes[i] > 0 ? build_staging(first, bytes[i]) : (MlirValue){NULL};
}

// Index of the first weights at or after `from`; the count if there is none.
static uint64_t next_weights(const Inserter *inserter, uint64_t from) {
  while (from < inserter->count &&
         inserter->transfers[from].kind != TRANSFER_WEIGHTS)
    ++from;
  return from;
}

// wait(i); start(i+1); compute(i). A copy between two operators takes the
// engine: what is in flight is waited for before it. The first transfer starts
// at the front of the region, or after the copies before its operator.
static void insert_ping_pong(const Inserter *inserter, MlirBlock block) {
  const Transfer *transfers = inserter->transfers;
  MlirOperation front = mlirBlockGetFirstOperation(block);
  MlirValue staging[2], token = {NULL};
  uint64_t first = next_weights(inserter, 0);
  int parity = 0;
  build_ping_pong(inserter, front, staging);
  if (first == 0 && inserter->count > 0)
    token = start_weights(front, &transfers[0], staging[0]);
  for (uint64_t i = 0; i < inserter->count; ++i) {
    MlirOperation op = transfers[i].op;
    if (!mlirValueIsNull(token))
      build_wait(op, token);
    token = (MlirValue){NULL};
    if (transfers[i].kind == TRANSFER_COPY) {
      MlirOperation after = mlirOperationGetNextInBlock(op);
      transfer_copy(&transfers[i]);
      if (i + 1 == first && first < inserter->count)
        token = start_weights(after, &transfers[first], staging[0]);
      continue;
    }
    uint64_t next = next_weights(inserter, i + 1);
    if (next < inserter->count)
      token = start_weights(op, &transfers[next], staging[parity ^ 1]);
    read_from_staging(&transfers[i], staging[parity]);
    parity ^= 1;
  }
  for (uint64_t i = 0; i < inserter->count; ++i)
    if (transfers[i].kind == TRANSFER_WEIGHTS)
      erase_read(&transfers[i]);
}

static bool visit_op(MlirOperation op, void *data) {
  Inserter *inserter = data;
  if (!luna_op_is(op, "luna.region"))
    return true;
  MlirBlock block = luna_body(op, 0);
  collect_region(inserter, block);
  if (inserter->failed)
    return false;
  if (inserter->ping_pong)
    insert_ping_pong(inserter, block);
  else
    insert_sync(inserter);
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const char *mode = options[OPT_MODE].string;
  Inserter inserter = {.ping_pong = strcmp(mode, "ping-pong") == 0};
  LunaError error = {0};
  if (!inserter.ping_pong && strcmp(mode, "sync") != 0)
    return luna_emit_error(func, "mode is '%s', allowed are sync and ping-pong",
                           mode);
  if (!luna_machine_load(options[OPT_MACHINE].string, luna_machine_dir(),
                         &inserter.machine, &error))
    return luna_emit_error(func, "%s", error.message);
  luna_walk(func, visit_op, &inserter);
  luna_arena_destroy(&inserter.arena);
  return inserter.failed ? mlirLogicalResultFailure()
                         : mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[] = {
    {.name = "machine",
     .help = "name of a machine or path of its XML file",
     .kind = LUNA_OPTION_STRING,
     .string_default = "venus"},
    {.name = "mode",
     .help = "sync or ping-pong",
     .kind = LUNA_OPTION_STRING,
     .string_default = "ping-pong"},
};
static const char *const dialects[] = {"arith", "luna", "memref", NULL};

const LunaPassDesc luna_pass_insert_dma = {
    .argument = "luna-insert-dma",
    .summary = "Stream weights on chip, behind the computation",
    .anchor = "func.func",
    .options = options,
    .option_count = 2,
    .dependent_dialects = dialects,
    .run = run,
};
