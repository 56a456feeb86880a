// luna-insert-dma: inserts transfers of weights, overlapped with computation.
//
// In: memories assigned, weights packed, regions formed. Out: unit operators
// read their constants from staging buffers (luna.kind = "staging") filled by
// luna.dma_start and luna.dma_wait; every contiguous memref.copy between PSRAM
// and shared memory becomes a transfer, too, if its size is a multiple of the
// engine's granule. mode=ping-pong: each region has two staging buffers, as
// large as its largest even and odd blob. The transfer for the next operator
// starts before the current one computes and is awaited before its use, at the
// latest before the next other transfer (the engine has one outstanding
// transfer). Algorithm 3 of "Memory optimization method for control flow
// computation graph" (J. NUDT 47(6), 2025). mode=prefetch: the same, and across
// control flow. The first transfer after a join of branches starts in each of
// them, late in the branch but early enough to overlap its rest. Weights that
// every iteration of a loop would load are loaded once before it if that takes
// less time, the first of them overlapped with the end of the previous region.
// mode=sync: each blob has its own staging buffer; its transfer is started and
// awaited right before its operator. Refuses: constants of a unit operator that
// are not packed. Example: lit_tests/passes/luna-insert-dma/doc.mlir

#include <string.h>

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "prefetch.h"
#include "region_edit.h"
#include "resident_weights.h"
#include "structure.h"
#include "transfer.h"

enum { OPT_MACHINE, OPT_MODE };

typedef struct Inserter {
  LunaArena arena;
  const LunaMachine *machine;
  bool is_sync;
  bool failed;
  LunaTransfers transfers; // of the current region
} Inserter;

static void transfer_copy(const LunaTransfer *transfer) {
  MlirOperation copy = transfer->op;
  MlirValue token = luna_build_dma_start(copy, mlirOperationGetOperand(copy, 0),
                                         mlirOperationGetOperand(copy, 1));
  luna_build_dma_wait(copy, token);
  mlirOperationDestroy(copy);
}

//===----------------------------------------------------------------------===//
// The two modes
//===----------------------------------------------------------------------===//

static void insert_sync(const Inserter *inserter) {
  for (uint64_t i = 0; i < inserter->transfers.count; ++i) {
    const LunaTransfer *transfer = &inserter->transfers.items[i];
    if (transfer->kind == LUNA_TRANSFER_COPY) {
      transfer_copy(transfer);
      continue;
    }
    MlirValue staging = luna_build_staging(transfer->op, transfer->byte_count);
    luna_build_dma_wait(transfer->op,
                        luna_start_weights(transfer->op, transfer, staging));
    luna_read_from_staging(transfer, staging);
    luna_erase_read(transfer);
  }
}

// The two staging buffers of a region, allocated before its first op; the odd
// one is null if there is no odd transfer.
static void build_ping_pong(const Inserter *inserter, MlirOperation first,
                            MlirValue staging[2]) {
  int64_t bytes[2] = {0, 0};
  int parity = 0;
  for (uint64_t i = 0; i < inserter->transfers.count; ++i) {
    const LunaTransfer *transfer = &inserter->transfers.items[i];
    if (transfer->kind != LUNA_TRANSFER_WEIGHTS)
      continue;
    if (transfer->byte_count > bytes[parity])
      bytes[parity] = transfer->byte_count;
    parity ^= 1;
  }
  for (int i = 0; i < 2; ++i)
    staging[i] =
        bytes[i] > 0 ? luna_build_staging(first, bytes[i]) : (MlirValue){NULL};
}

// Returns the index of the first weights at or after `from`, or the count.
static uint64_t next_weights(const Inserter *inserter, uint64_t from) {
  while (from < inserter->transfers.count &&
         inserter->transfers.items[from].kind != LUNA_TRANSFER_WEIGHTS)
    ++from;
  return from;
}

// wait(i); start(i+1); compute(i). A copy between two operators uses the
// engine: transfers in flight are awaited first. The first transfer starts at
// the front of the region, or after the copies before its operator.
static void insert_ping_pong(const Inserter *inserter, MlirBlock block) {
  const LunaTransfer *transfers = inserter->transfers.items;
  MlirOperation front = mlirBlockGetFirstOperation(block);
  MlirValue staging[2], token = {NULL};
  uint64_t first = next_weights(inserter, 0);
  int parity = 0;
  build_ping_pong(inserter, front, staging);
  if (first == 0 && inserter->transfers.count > 0)
    token = luna_start_weights(front, &transfers[0], staging[0]);
  for (uint64_t i = 0; i < inserter->transfers.count; ++i) {
    MlirOperation op = transfers[i].op;
    if (!mlirValueIsNull(token))
      luna_build_dma_wait(op, token);
    token = (MlirValue){NULL};
    if (transfers[i].kind == LUNA_TRANSFER_COPY) {
      MlirOperation after = mlirOperationGetNextInBlock(op);
      transfer_copy(&transfers[i]);
      if (i + 1 == first && first < inserter->transfers.count)
        token = luna_start_weights(after, &transfers[first], staging[0]);
      continue;
    }
    uint64_t next = next_weights(inserter, i + 1);
    if (next < inserter->transfers.count)
      token = luna_start_weights(op, &transfers[next], staging[parity ^ 1]);
    luna_read_from_staging(&transfers[i], staging[parity]);
    parity ^= 1;
  }
  for (uint64_t i = 0; i < inserter->transfers.count; ++i)
    if (transfers[i].kind == LUNA_TRANSFER_WEIGHTS)
      luna_erase_read(&transfers[i]);
}

static bool visit_op(MlirOperation op, void *data) {
  Inserter *inserter = data;
  if (!luna_op_is(op, LUNA_OP_LUNA_REGION))
    return true;
  MlirBlock block = luna_body(op, 0);
  inserter->transfers.count = 0;
  if (!luna_find_transfers(inserter->machine, block, &inserter->transfers)) {
    inserter->failed = true;
    return false;
  }
  if (inserter->is_sync)
    insert_sync(inserter);
  else
    insert_ping_pong(inserter, block);
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const char *mode = options[OPT_MODE].string;
  Inserter inserter = {
      .machine = luna_machine_of_option(&options[OPT_MACHINE]),
      .is_sync = strcmp(mode, "sync") == 0,
  };
  bool prefetches = strcmp(mode, "prefetch") == 0;
  if (!inserter.is_sync && !prefetches && strcmp(mode, "ping-pong") != 0)
    return luna_emit_error(func,
                           "mode is '%s', allowed are sync, ping-pong and "
                           "prefetch",
                           mode);
  inserter.transfers.arena = &inserter.arena;
  inserter.failed =
      prefetches && !luna_keep_loop_weights(func, inserter.machine);
  if (!inserter.failed)
    luna_walk(func, visit_op, &inserter);
  if (prefetches && !inserter.failed)
    inserter.failed = !luna_prefetch(func, inserter.machine);
  luna_number_regions(func);
  luna_arena_destroy(&inserter.arena);
  return inserter.failed ? mlirLogicalResultFailure()
                         : mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[] = {
    LUNA_MACHINE_OPTION,
    {.name = "mode",
     .help = "sync, ping-pong or prefetch",
     .kind = LUNA_OPTION_STRING,
     .string_default = "ping-pong"},
};
static const char *const dialects[] = {"arith", "luna", "memref", NULL};

const LunaPassDesc luna_pass_insert_dma = {
    .argument = "luna-insert-dma",
    .summary = "Insert transfers of weights, overlapped with computation",
    .anchor = "func.func",
    .options = options,
    .option_count = 2,
    .dependent_dialects = dialects,
    .run = run,
};
