#include "resident_weights.h"

#include "luna-c/ops.h"
#include "luna/cost.h"
#include "op_cost.h"
#include "region_edit.h"
#include "structure.h"
#include "transfer.h"

typedef struct Keeper {
  LunaArena arena;
  const LunaMachine *machine;
  LunaTransfers transfers; // of the current loop
  bool failed;
} Keeper;

//===----------------------------------------------------------------------===//
// The cost of streaming
//===----------------------------------------------------------------------===//

static uint64_t load_cycles(const Keeper *keeper, const LunaTransfer *load) {
  return luna_cost_dma(keeper->machine, LUNA_DMA_LOAD,
                       (uint64_t)load->byte_count);
}

static uint64_t op_cycles(Keeper *keeper, MlirOperation op) {
  LunaCost cost = {0};
  if (!luna_op_cost(keeper->machine, op, &cost))
    keeper->failed = true;
  return luna_cost_cycles(cost);
}

// Each load starts when the previous one completes.
static uint64_t region_stall(Keeper *keeper, MlirBlock block) {
  LunaTransfers found = {.arena = &keeper->arena};
  uint64_t stall = 0, elapsed = 0, next = 0;
  if (!luna_find_transfers(keeper->machine, block, &found))
    keeper->failed = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !keeper->failed;
       op = mlirOperationGetNextInBlock(op)) {
    if (next < found.count && mlirOperationEqual(found.items[next].op, op)) {
      const LunaTransfer *load = &found.items[next++];
      if (load->kind == LUNA_TRANSFER_WEIGHTS) {
        uint64_t cycles = load_cycles(keeper, load);
        stall += cycles > elapsed ? cycles - elapsed : 0;
        elapsed = 0;
      }
    }
    elapsed += op_cycles(keeper, op);
  }
  return stall;
}

static uint64_t block_stall(Keeper *keeper, MlirBlock block);

// Returns the stalls of the branch that stalls least, a lower bound of the
// saving.
static uint64_t branch_stall(Keeper *keeper, MlirOperation branch) {
  uint64_t least = UINT64_MAX;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(branch); ++r) {
    MlirBlock block = luna_body(branch, r);
    uint64_t stall = mlirBlockIsNull(block) ? 0 : block_stall(keeper, block);
    least = stall < least ? stall : least;
  }
  return least;
}

// Returns the stalls of all iterations; the body of a while loop may never run.
static uint64_t loop_stall(Keeper *keeper, MlirOperation loop) {
  int64_t trips = luna_trip_count(loop, 0);
  return trips > 0 ? (uint64_t)trips * block_stall(keeper, luna_body(loop, 0))
                   : 0;
}

static uint64_t block_stall(Keeper *keeper, MlirBlock block) {
  uint64_t stall = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !keeper->failed;
       op = mlirOperationGetNextInBlock(op)) {
    if (luna_op_is(op, LUNA_OP_LUNA_REGION))
      stall += region_stall(keeper, luna_body(op, 0));
    else if (luna_is_branch(op))
      stall += branch_stall(keeper, op);
    else if (luna_is_loop(op))
      stall += loop_stall(keeper, op);
  }
  return stall;
}

//===----------------------------------------------------------------------===//
// Keeping the weights of a loop
//===----------------------------------------------------------------------===//

static bool find_in_region(MlirOperation op, void *data) {
  Keeper *keeper = data;
  return !luna_op_is(op, LUNA_OP_LUNA_REGION) ||
         luna_find_transfers(keeper->machine, luna_body(op, 0),
                             &keeper->transfers);
}

static bool pays(Keeper *keeper, MlirOperation loop) {
  uint64_t once = 0;
  for (uint64_t i = 0; i < keeper->transfers.count; ++i)
    if (keeper->transfers.items[i].kind == LUNA_TRANSFER_WEIGHTS)
      once += load_cycles(keeper, &keeper->transfers.items[i]);
  return once > 0 && once < loop_stall(keeper, loop);
}

// Emits the loads, in sequence, in a separate region before the loop, which
// yields the buffers.
static void load_before(Keeper *keeper, MlirOperation loop) {
  MlirOperation region = luna_build_region(loop);
  MlirBlock block = luna_body(region, 0);
  LunaTransfer *items = keeper->transfers.items;
  uint64_t count = 0;
  MlirValue *buffers =
      LUNA_ARENA_ARRAY(&keeper->arena, MlirValue, keeper->transfers.count);
  for (uint64_t i = 0; i < keeper->transfers.count; ++i) {
    if (items[i].kind != LUNA_TRANSFER_WEIGHTS)
      continue;
    MlirOperation end = mlirBlockGetTerminator(block);
    MlirValue staging = luna_build_staging(end, items[i].byte_count);
    luna_build_dma_wait(end, luna_start_weights(end, &items[i], staging));
    items[count] = items[i];
    buffers[count++] = staging;
  }
  luna_add_yields(&keeper->arena, block, buffers, (intptr_t)count);
  region = luna_add_results(&keeper->arena, region, buffers, (intptr_t)count);
  for (uint64_t i = 0; i < count; ++i) {
    luna_read_from_staging(&items[i],
                           mlirOperationGetResult(region, (intptr_t)i));
    luna_erase_read(&items[i]);
  }
}

static void visit_block(Keeper *keeper, MlirBlock block);

static void visit_nested(Keeper *keeper, MlirOperation op) {
  for (intptr_t r = 0;
       luna_is_control_flow(op) && r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      visit_block(keeper, luna_body(op, r));
}

static void visit_loop(Keeper *keeper, MlirOperation loop) {
  keeper->transfers.count = 0;
  keeper->failed |= !luna_walk(loop, find_in_region, keeper);
  if (!keeper->failed && pays(keeper, loop))
    load_before(keeper, loop);
  else
    visit_nested(keeper, loop);
}

static void visit_block(Keeper *keeper, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !keeper->failed;
       op = mlirOperationGetNextInBlock(op)) {
    if (luna_is_loop(op))
      visit_loop(keeper, op);
    else
      visit_nested(keeper, op);
  }
}

bool luna_keep_loop_weights(MlirBlock block, const LunaMachine *machine) {
  Keeper keeper = {.machine = machine};
  keeper.transfers.arena = &keeper.arena;
  visit_block(&keeper, block);
  luna_arena_destroy(&keeper.arena);
  return !keeper.failed;
}
