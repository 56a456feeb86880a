// luna-insert-dma: inserts transfers of weights, overlapped with computation.
//
// In: memories assigned, weights packed, regions formed. Out: unit operators
// read their constants from staging buffers (luna.kind = "staging") filled by
// luna.dma_start and luna.dma_wait; every contiguous memref.copy between PSRAM
// and shared memory becomes a transfer, too, if its size is a multiple of the
// engine's granule. mode=auto: each blob has its own staging buffer. In a
// region, loads start as early as they must to be in time, as many behind each
// other as the machine's queue takes (luna/transfer_schedule.h), those that
// read what no operator computes at the front; stores start when they are
// ready. Live bytes stay within budget-bytes, 0 for no limit. The first weights
// after a join of branches start in each of them, late in the branch but early
// enough to overlap its rest. Weights that every iteration of a loop would load
// are loaded once before it if that takes less time. mode=ping-pong: each
// region has two staging buffers, as large as its largest even and odd blob.
// The transfer for the next operator starts before the current one computes and
// is awaited before its use, at the latest before the next other transfer.
// Algorithm 3 of "Memory optimization method for control flow computation
// graph" (J. NUDT 47(6), 2025). mode=sync: each transfer is started and awaited
// right before its operator. Refuses: constants of a unit operator that are not
// packed. Example: lit_tests/passes/luna-insert-dma/doc.mlir

#include "insert_dma.h"

#include <string.h>

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/core_cost.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "prefetch.h"
#include "region_edit.h"
#include "region_transfers.h"
#include "resident_weights.h"
#include "structure.h"

enum { OPT_MACHINE, OPT_MODE, OPT_BUDGET_BYTES };

static const char *const modes[LUNA_TRANSFER_MODES] = {
    [LUNA_TRANSFERS_AUTO] = "auto",
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
    luna_emit_error(func, "mode is '%s', allowed are auto, ping-pong and sync",
                    name);
  return found < LUNA_TRANSFER_MODES;
}

//===----------------------------------------------------------------------===//
// A region, as the other modes have it
//===----------------------------------------------------------------------===//

static void add_event(LunaArena *arena, LunaTransferBlock *block, uint32_t step,
                      uint64_t transfer, bool is_start) {
  *LUNA_VECTOR_ADD(arena, &block->events) =
      (LunaTransferEvent){step, (uint32_t)transfer, is_start};
}

static void load_in_place(LunaArena *arena, LunaTransferBlock *block) {
  for (uint64_t i = 0; i < block->transfers.count; ++i) {
    uint32_t step = block->transfers.items[i].step;
    add_event(arena, block, step, i, true);
    add_event(arena, block, step, i, false);
  }
}

// Returns the first weights from `i` on, or the count.
static uint64_t next_weights(const LunaTransferBlock *block, uint64_t i) {
  while (i < block->transfers.count &&
         block->transfers.items[i].kind != LUNA_BLOCK_WEIGHTS)
    ++i;
  return i;
}

// wait(i); start(i+1); compute(i). A copy between two operators uses the
// engine: transfers in flight are awaited first. The first transfer starts at
// the front of the region, or after the copies before its operator.
static void load_in_turn(LunaArena *arena, LunaTransferBlock *block) {
  uint64_t count = block->transfers.count, first = next_weights(block, 0);
  uint64_t started = count;
  if (first == 0 && count > 0)
    add_event(arena, block, 0, started = 0, true);
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t step = block->transfers.items[i].step;
    bool is_weights = next_weights(block, i) == i;
    uint64_t next = is_weights ? next_weights(block, i + 1) : first;
    if (started < count)
      add_event(arena, block, step, started, false);
    started = count;
    if (!is_weights) {
      add_event(arena, block, step, i, true);
      add_event(arena, block, step, i, false);
    }
    if (next < count && (is_weights || next == i + 1))
      add_event(arena, block, step + !is_weights, started = next, true);
  }
}

// The two staging buffers of a region, allocated before its first op; the odd
// one is null if there is no odd transfer.
static void build_ping_pong(const LunaRegionTransfers *region,
                            MlirOperation first, MlirValue staging[2]) {
  int64_t bytes[2] = {0, 0};
  int parity = 0;
  for (uint64_t i = 0; i < region->found.count; ++i) {
    const LunaTransfer *transfer = &region->found.items[i];
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

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static void insert_in(const LunaTransferProgram *program,
                      LunaRegionTransfers *region,
                      LunaTransferOptions *options) {
  const LunaMachine *machine = program->machine;
  const LunaTransferLimits limits = {
      .bytes = options->budget_bytes,
      .outstanding = machine->dma_outstanding,
      .start_cycles = (int64_t)luna_core_cycles(machine, LUNA_HOST_TRANSFER, 1),
  };
  MlirValue two[2];
  bool is_in_turn = options->mode == LUNA_TRANSFERS_PING_PONG;
  if (options->mode == LUNA_TRANSFERS_AUTO)
    luna_schedule_transfers(&region->block, &limits, program->arena);
  else if (is_in_turn)
    load_in_turn(program->arena, &region->block);
  else
    load_in_place(program->arena, &region->block);
  if (is_in_turn)
    build_ping_pong(
        region,
        mlirBlockGetFirstOperation(mlirOperationGetBlock(region->anchors[0])),
        two);
  luna_insert_transfers(region, is_in_turn ? two : NULL, program->arena);
  for (uint64_t i = 0; i < region->block.transfers.count; ++i) {
    options->late += region->block.transfers.items[i].is_late;
    ++options->loads;
  }
}

static bool insert_in_regions(MlirOperation func, const LunaMachine *machine,
                              LunaTransferOptions *options, LunaArena *arena) {
  LunaTransferProgram program;
  options->late = options->loads = 0;
  if (!luna_transfer_program(func, machine, arena, &program))
    return false;
  const LunaModel *model = &program.program.model;
  for (LunaModelId id = 0; id < model->steps.count; ++id) {
    LunaRegionTransfers region;
    if (model->steps.items[id].kind != LUNA_MODEL_REGION)
      continue;
    if (!luna_region_transfers(&program, id, &region))
      return false;
    insert_in(&program, &region, options);
  }
  return true;
}

MlirLogicalResult luna_insert_dma(MlirOperation func,
                                  const LunaMachine *machine,
                                  LunaTransferOptions *options) {
  MlirBlock entry = luna_entry_block(func);
  LunaArena arena = {0};
  bool is_auto = options->mode == LUNA_TRANSFERS_AUTO;
  bool is_done = (!is_auto || options->streams ||
                  luna_keep_loop_weights(entry, machine)) &&
                 insert_in_regions(func, machine, options, &arena) &&
                 (!is_auto || options->stays || luna_prefetch(entry, machine));
  luna_number_regions(func);
  luna_arena_destroy(&arena);
  return is_done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  int64_t budget = options[OPT_BUDGET_BYTES].integer;
  LunaTransferOptions how = {.budget_bytes = budget > 0 ? budget : INT64_MAX};
  if (!luna_transfer_mode_read(func, options[OPT_MODE].string, &how.mode))
    return mlirLogicalResultFailure();
  return luna_insert_dma(func, luna_machine_of_option(&options[OPT_MACHINE]),
                         &how);
}

static const LunaOptionDesc options[] = {
    LUNA_MACHINE_OPTION,
    {.name = "mode",
     .help = "auto, ping-pong or sync",
     .kind = LUNA_OPTION_STRING,
     .string_default = "ping-pong"},
    {.name = "budget-bytes",
     .help = "live bytes that mode=auto keeps to, 0 for no limit",
     .kind = LUNA_OPTION_INT64},
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
