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
// awaited right before its operator. mode=auto: as prefetch, with a staging
// buffer for each blob; `late` operators load their weights as with sync, and
// loops with one load theirs in each iteration. With by-case=true, each version
// of a model (luna.cases) takes the first mode from `mode` on with which it
// fits alone. Refuses: constants of a unit operator that are not packed;
// by-case=true for a model without versions. Example:
// lit_tests/passes/luna-insert-dma/doc.mlir

#include "insert_dma.h"

#include <stdio.h>
#include <string.h>

#include "luna-c/dialect.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "memory_problem.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "prefetch.h"
#include "region_edit.h"
#include "resident_weights.h"
#include "structure.h"
#include "tile_operators.h"
#include "transfer.h"

enum { OPT_MACHINE, OPT_MODE, OPT_BY_CASE };

static const char *const modes[LUNA_TRANSFER_MODES] = {
    [LUNA_TRANSFERS_AUTO] = "auto",
    [LUNA_TRANSFERS_PREFETCH] = "prefetch",
    [LUNA_TRANSFERS_PING_PONG] = "ping-pong",
    [LUNA_TRANSFERS_SYNC] = "sync",
};

const char *luna_transfer_mode_name(LunaTransferMode mode) {
  return modes[mode];
}

bool luna_transfer_mode_read(MlirOperation func, const char *name,
                             LunaTransferMode *mode) {
  int found = 0;
  while (found < LUNA_TRANSFER_MODES && strcmp(name, modes[found]) != 0)
    ++found;
  *mode = (LunaTransferMode)found;
  if (found == LUNA_TRANSFER_MODES)
    luna_emit_error(
        func, "mode is '%s', allowed are sync, ping-pong, prefetch and auto",
        name);
  return found < LUNA_TRANSFER_MODES;
}

typedef struct Inserter {
  LunaArena arena;
  const LunaMachine *machine;
  LunaTransferMode mode; // of the current block
  bool streams, failed;
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
// A region
//===----------------------------------------------------------------------===//

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

static bool has_two_buffers(const Inserter *inserter) {
  return inserter->mode == LUNA_TRANSFERS_PREFETCH ||
         inserter->mode == LUNA_TRANSFERS_PING_PONG;
}

static bool is_late(const Inserter *inserter, const LunaTransfer *transfer) {
  return inserter->mode == LUNA_TRANSFERS_SYNC ||
         (inserter->mode == LUNA_TRANSFERS_AUTO && luna_is_late(transfer->op));
}

// Returns the index of the first weights at or after `from`, or the count.
static uint64_t next_weights(const Inserter *inserter, uint64_t from) {
  while (from < inserter->transfers.count &&
         inserter->transfers.items[from].kind != LUNA_TRANSFER_WEIGHTS)
    ++from;
  return from;
}

// The weights on their way: in buffer `parity` of the two, or in one of their
// own.
typedef struct Started {
  MlirValue token, staging;
  MlirValue two[2];
  int parity;
} Started;

static void start(const Inserter *inserter, MlirOperation before,
                  const LunaTransfer *transfer, Started *started) {
  started->staging = has_two_buffers(inserter)
                         ? started->two[started->parity]
                         : luna_build_staging(before, transfer->byte_count);
  started->parity ^= 1;
  started->token = luna_start_weights(before, transfer, started->staging);
}

// Starts the weights `index`, if there are any and they are not late.
static void start_early(const Inserter *inserter, MlirOperation before,
                        uint64_t index, Started *started) {
  if (index < inserter->transfers.count &&
      !is_late(inserter, &inserter->transfers.items[index]))
    start(inserter, before, &inserter->transfers.items[index], started);
}

static void await_started(MlirOperation before, Started *started) {
  if (!mlirValueIsNull(started->token))
    luna_build_dma_wait(before, started->token);
  started->token = (MlirValue){NULL};
}

// wait(i); start(i+1); compute(i). A copy between two operators uses the
// engine: transfers in flight are awaited first. The first transfer starts at
// the front of the region, or after the copies before its operator; a late one
// right before its operator.
static void insert_in_region(const Inserter *inserter, MlirBlock block) {
  const LunaTransfer *transfers = inserter->transfers.items;
  MlirOperation front = mlirBlockGetFirstOperation(block);
  uint64_t first = next_weights(inserter, 0);
  Started started = {.parity = 0};
  if (has_two_buffers(inserter))
    build_ping_pong(inserter, front, started.two);
  if (first == 0)
    start_early(inserter, front, 0, &started);
  for (uint64_t i = 0; i < inserter->transfers.count; ++i) {
    MlirOperation op = transfers[i].op;
    if (transfers[i].kind == LUNA_TRANSFER_COPY) {
      MlirOperation after = mlirOperationGetNextInBlock(op);
      await_started(op, &started);
      transfer_copy(&transfers[i]);
      if (i + 1 == first)
        start_early(inserter, after, first, &started);
      continue;
    }
    if (is_late(inserter, &transfers[i]))
      start(inserter, op, &transfers[i], &started);
    await_started(op, &started);
    MlirValue staging = started.staging;
    start_early(inserter, op, next_weights(inserter, i + 1), &started);
    luna_read_from_staging(&transfers[i], staging);
    luna_erase_read(&transfers[i]);
  }
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
  insert_in_region(inserter, block);
  return true;
}

// Inserts the transfers of a block and of what it contains.
static void insert_in(Inserter *inserter, MlirBlock block,
                      LunaTransferMode mode) {
  bool prefetches = mode <= LUNA_TRANSFERS_PREFETCH;
  inserter->mode = mode;
  inserter->failed |= prefetches && !inserter->streams &&
                      !luna_keep_loop_weights(block, inserter->machine);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !inserter->failed;) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (visit_op(op, inserter))
      luna_walk(op, visit_op, inserter);
    op = next;
  }
  inserter->failed |= !inserter->failed && prefetches &&
                      !luna_prefetch(block, inserter->machine);
}

//===----------------------------------------------------------------------===//
// The modes of versions
//===----------------------------------------------------------------------===//

// Returns true if a case fits alone, as luna-plan-memory plans it.
static bool case_fits(MlirOperation func, MlirOperation branch, intptr_t region,
                      const LunaMachine *machine) {
  LunaArena arena = {0};
  LunaMemoryProblem part;
  LunaModelProblemOptions view = {.align_bytes =
                                      (int64_t)machine->alignment_bytes};
  LunaSolution solution;
  LunaError error = {0};
  LunaPlanOptions options = {.capacity_bytes = (int64_t)machine->shared.bytes};
  bool fits = luna_program_model_build(func, NULL, &arena, &part.program);
  if (fits)
    view.body = luna_memory_body(&part.program, branch, region);
  fits = fits && luna_memory_problem_of(&part, &view, &arena) &&
         luna_plan_solve(part.view.problem, &options, &solution, &error);
  luna_arena_destroy(&arena);
  return fits;
}

// Moves the cases that do not fit with `mode`, which they have, to the next:
// tried on a copy of the function, with little scratch.
static void try_mode(Inserter *inserter, MlirOperation func,
                     LunaTransferMode mode, LunaTransferMode *of_region) {
  MlirOperation copy = mlirOperationClone(func);
  MlirOperation branch = luna_version_switch(copy);
  luna_remove_scratch(copy);
  const LunaTileOptions little = {.place = LUNA_PLACE_AUTO,
                                  .least_bytes = LUNA_SCRATCH_BYTES};
  inserter->failed |= mlirLogicalResultIsFailure(
      luna_tile_operators(copy, inserter->machine, &little));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(branch); ++r) {
    if (of_region[r] != mode || inserter->failed)
      continue;
    insert_in(inserter, luna_body(branch, r), mode);
    if (!case_fits(copy, branch, r, inserter->machine))
      of_region[r] = mode + 1;
  }
  mlirOperationDestroy(copy);
}

static void tell(MlirOperation func, MlirOperation branch, intptr_t region,
                 LunaTransferMode wanted, LunaTransferMode taken) {
  MlirStringRef way = luna_way_of(branch, region);
  char message[256];
  snprintf(message, sizeof message,
           "shape=%.*s: the staging buffers of dma=%s do not fit; weights are "
           "loaded as by dma=%s",
           way.length < 100 ? (int)way.length : 100, way.data, modes[wanted],
           modes[taken]);
  lunaEmitWarning(func, message);
}

static void insert_by_case(Inserter *inserter, MlirOperation func,
                           MlirOperation branch, LunaTransferMode first) {
  intptr_t count = mlirOperationGetNumRegions(branch);
  LunaTransferMode *of_region =
      LUNA_ARENA_ARRAY(&inserter->arena, LunaTransferMode, count);
  for (intptr_t r = 0; r < count; ++r)
    of_region[r] = first;
  for (LunaTransferMode mode = first; mode < LUNA_TRANSFERS_SYNC; ++mode)
    try_mode(inserter, func, mode, of_region);
  for (intptr_t r = 0; r < count && !inserter->failed; ++r) {
    insert_in(inserter, luna_body(branch, r), of_region[r]);
    if (of_region[r] != first)
      tell(func, branch, r, first, of_region[r]);
  }
}

static bool forget_late(MlirOperation op, void *data) {
  (void)data;
  if (luna_is_late(op))
    luna_set_late(op, false);
  return true;
}

MlirLogicalResult luna_insert_dma(MlirOperation func,
                                  const LunaMachine *machine,
                                  const LunaTransferOptions *options) {
  MlirOperation branch = luna_version_switch(func);
  Inserter inserter = {.machine = machine, .streams = options->streams};
  if (options->by_case && mlirOperationIsNull(branch))
    return luna_emit_error(func, "by-case=true needs versions (luna.cases)");
  inserter.transfers.arena = &inserter.arena;
  if (options->by_case)
    insert_by_case(&inserter, func, branch, options->mode);
  else
    insert_in(&inserter, luna_entry_block(func), options->mode);
  luna_walk(func, forget_late, NULL);
  luna_number_regions(func);
  luna_arena_destroy(&inserter.arena);
  return inserter.failed ? mlirLogicalResultFailure()
                         : mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  LunaTransferOptions how = {.by_case = options[OPT_BY_CASE].integer};
  if (!luna_transfer_mode_read(func, options[OPT_MODE].string, &how.mode))
    return mlirLogicalResultFailure();
  return luna_insert_dma(func, luna_machine_of_option(&options[OPT_MACHINE]),
                         &how);
}

static const LunaOptionDesc options[] = {
    LUNA_MACHINE_OPTION,
    {.name = "mode",
     .help = "sync, ping-pong, prefetch or auto",
     .kind = LUNA_OPTION_STRING,
     .string_default = "ping-pong"},
    {.name = "by-case",
     .help = "the first mode from this on with which a version fits",
     .kind = LUNA_OPTION_BOOL},
};
static const char *const dialects[] = {"arith", "luna", "memref", NULL};

const LunaPassDesc luna_pass_insert_dma = {
    .argument = "luna-insert-dma",
    .summary = "Insert transfers of weights, overlapped with computation",
    .anchor = "func.func",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .dependent_dialects = dialects,
    .run = run,
};
