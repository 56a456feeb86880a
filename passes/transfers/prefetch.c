#include "prefetch.h"

#include "buffer_roots.h"
#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/cost.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_cost.h"
#include "region_edit.h"
#include "structure.h"
#include "transfer.h"

// The first transfer of a region: weights to the front of a staging buffer.
typedef struct Prefetch {
  MlirOperation start, wait;
  MlirOperation blob; // the memref.get_global of the source
  MlirValue staging;  // the buffer
  int64_t byte_count;
  uint64_t cycles;
} Prefetch;

typedef struct Prefetcher {
  LunaArena arena;
  const LunaMachine *machine;
  const Prefetch *prefetch;
  MlirValue staging; // what is filled earlier, in place of the prefetch's
  bool failed;
} Prefetcher;

//===----------------------------------------------------------------------===//
// Finding transfers that can start earlier
//===----------------------------------------------------------------------===//

static bool is_bookkeeping(MlirOperation op) {
  return lunaOperationIsConstantLike(op) ||
         luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL) || luna_only_renames(op);
}

// Returns the first op of `block` with an effect; its terminator at the latest.
static MlirOperation first_action(MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (is_bookkeeping(op) &&
         !mlirOperationIsNull(mlirOperationGetNextInBlock(op)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool is_one = !mlirOpOperandIsNull(use) &&
                mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  return is_one ? mlirOpOperandGetOwner(use) : (MlirOperation){NULL};
}

static MlirValue root_of_view(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_VIEW)
             ? mlirOperationGetOperand(op, 0)
             : value;
}

static bool is_staging(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
         luna_allocation_kind(op) == LUNA_ALLOCATION_STAGING;
}

static bool find_prefetch(const LunaMachine *machine, MlirOperation region,
                          Prefetch *prefetch) {
  MlirOperation start = first_action(luna_body(region, 0));
  if (!luna_op_is(start, LUNA_OP_LUNA_DMA_START))
    return false;
  *prefetch = (Prefetch){
      .start = start,
      .wait = only_user(mlirOperationGetResult(start, 0)),
      .blob = luna_defining_op(mlirOperationGetOperand(start, 0)),
      .staging = root_of_view(mlirOperationGetOperand(start, 1)),
      .byte_count = luna_shaped_bytes(
          mlirValueGetType(mlirOperationGetOperand(start, 0))),
  };
  if (mlirOperationIsNull(prefetch->wait) ||
      mlirOperationIsNull(prefetch->blob) ||
      !luna_op_is(prefetch->wait, LUNA_OP_LUNA_DMA_WAIT) ||
      !luna_op_is(prefetch->blob, LUNA_OP_MEMREF_GET_GLOBAL) ||
      !is_staging(prefetch->staging))
    return false;
  prefetch->cycles =
      luna_cost_dma(machine, LUNA_DMA_LOAD, (uint64_t)prefetch->byte_count);
  return true;
}

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//
// Returns the op before which the transfer starts: the last one such that the
// rest of the block takes as long as the transfer, but after all transfers of
// the block.
static MlirOperation start_point(Prefetcher *prefetcher, MlirBlock block) {
  uint64_t rest = 0, count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (MlirOperation at = op; !mlirOperationIsNull(at);
       at = mlirOperationGetNextInBlock(at)) {
    ++count;
    if (luna_op_is(at, LUNA_OP_LUNA_DMA_WAIT) ||
        luna_op_is(at, LUNA_OP_LUNA_DMA_START))
      count = 0, op = mlirOperationGetNextInBlock(at);
  }
  uint64_t *cycles = LUNA_ARENA_ARRAY(&prefetcher->arena, uint64_t, count);
  uint64_t i = 0;
  for (MlirOperation at = op;
       !mlirOperationIsNull(mlirOperationGetNextInBlock(at));
       at = mlirOperationGetNextInBlock(at), ++i) {
    LunaCost cost;
    if (!luna_op_cost(prefetcher->machine, at, &cost)) {
      prefetcher->failed = true;
      return op;
    }
    cycles[i] = luna_cost_cycles(cost);
    rest += cycles[i];
  }
  for (i = 0; !mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
              rest - cycles[i] >= prefetcher->prefetch->cycles;
       ++i) {
    rest -= cycles[i];
    op = mlirOperationGetNextInBlock(op);
  }
  return op;
}

// Has `op` yield a token that its blocks yield last, as `inside` is.
static MlirValue hand_on(Prefetcher *prefetcher, MlirOperation op,
                         MlirValue inside) {
  op = luna_add_results(&prefetcher->arena, op, &inside, 1);
  return mlirOperationGetResult(op, mlirOperationGetNumResults(op) - 1);
}

static MlirValue start_in_region(Prefetcher *prefetcher, MlirOperation region) {
  MlirBlock block = luna_body(region, 0);
  MlirOperation before = start_point(prefetcher, block);
  MlirOperation blob = mlirOperationClone(prefetcher->prefetch->blob);
  luna_insert_before(before, blob);
  MlirValue token = luna_build_dma_start(
      before, mlirOperationGetResult(blob, 0), prefetcher->staging);
  luna_add_yields(&prefetcher->arena, block, &token, 1);
  return hand_on(prefetcher, region, token);
}

// Returns the last op of `block` before its terminator, or null.
static MlirOperation last_op(MlirBlock block) {
  MlirOperation last = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(mlirOperationGetNextInBlock(op));
       op = mlirOperationGetNextInBlock(op))
    last = op;
  return last;
}

static MlirValue start_in_branch(Prefetcher *prefetcher, MlirOperation branch);

static MlirValue start_in_block(Prefetcher *prefetcher, MlirBlock block) {
  MlirOperation last = last_op(block);
  if (!mlirOperationIsNull(last) && luna_is_branch(last))
    return start_in_branch(prefetcher, last);
  if (mlirOperationIsNull(last) || !luna_op_is(last, LUNA_OP_LUNA_REGION))
    last = luna_build_region(mlirBlockGetTerminator(block));
  return start_in_region(prefetcher, last);
}

// Returns the block of branch `number`; adds an else to an scf.if without one.
static MlirBlock branch_block(MlirOperation branch, intptr_t number) {
  MlirBlock block = luna_body(branch, number);
  if (!mlirBlockIsNull(block))
    return block;
  block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(branch, number), block);
  mlirBlockAppendOwnedOperation(
      block,
      luna_build(&(LunaOpSpec){.name = "scf.yield",
                               .location = mlirOperationGetLocation(branch)}));
  return block;
}

static MlirValue start_in_branch(Prefetcher *prefetcher, MlirOperation branch) {
  MlirValue inside = {NULL};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(branch); ++r) {
    MlirBlock block = branch_block(branch, r);
    inside = start_in_block(prefetcher, block);
    luna_add_yields(&prefetcher->arena, block, &inside, 1);
  }
  return hand_on(prefetcher, branch, inside);
}

//===----------------------------------------------------------------------===//
// Using started transfers
//===----------------------------------------------------------------------===//

static bool stands_before(MlirOperation op, MlirOperation other) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, other))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

// Returns the next transfer to the same buffer, or a null op.
static MlirOperation next_start(const Prefetch *prefetch) {
  MlirOperation op = mlirOperationGetNextInBlock(prefetch->start);
  while (!mlirOperationIsNull(op) &&
         !(luna_op_is(op, LUNA_OP_LUNA_DMA_START) &&
           luna_same_value(root_of_view(mlirOperationGetOperand(op, 1)),
                           prefetch->staging)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static bool fills(MlirOperation use, MlirOperation start) {
  return !mlirOperationIsNull(start) &&
         (mlirOperationEqual(use, start) ||
          (luna_op_is(use, LUNA_OP_MEMREF_VIEW) &&
           mlirOperationEqual(only_user(mlirOperationGetResult(use, 0)),
                              start)));
}

// Replaces reads of the first contents of the old buffer by reads of `staging`.
static void read_from(const Prefetch *prefetch, MlirValue staging) {
  MlirOperation next = next_start(prefetch);
  for (MlirOpOperand use = mlirValueGetFirstUse(prefetch->staging);
       !mlirOpOperandIsNull(use);) {
    MlirOpOperand following = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!fills(user, next) && !fills(user, prefetch->start) &&
        (mlirOperationIsNull(next) || stands_before(user, next)))
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use),
                              staging);
    use = following;
  }
}

static void erase_if_unused(MlirOperation op) {
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
    mlirOperationDestroy(op);
}

static void use_started(const Prefetch *prefetch, MlirValue filled,
                        MlirValue token) {
  read_from(prefetch, filled);
  mlirOperationSetOperand(prefetch->wait, 0, token);
  MlirOperation target =
      luna_defining_op(mlirOperationGetOperand(prefetch->start, 1));
  MlirOperation staging = luna_defining_op(prefetch->staging);
  bool is_view = !mlirOperationEqual(target, staging);
  mlirOperationDestroy(prefetch->start);
  if (is_view)
    erase_if_unused(target);
  erase_if_unused(staging);
  erase_if_unused(prefetch->blob);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static void visit_block(Prefetcher *prefetcher, MlirBlock block);

static void visit_nested(Prefetcher *prefetcher, MlirOperation op) {
  for (intptr_t r = 0;
       luna_is_control_flow(op) && r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      visit_block(prefetcher, luna_body(op, r));
}

// Starts the transfer in the preceding region, or in each branch.
static MlirValue start_in(Prefetcher *prefetcher, MlirOperation op) {
  prefetcher->staging =
      luna_build_staging(op, prefetcher->prefetch->byte_count);
  return luna_is_branch(op) ? start_in_branch(prefetcher, op)
                            : start_in_region(prefetcher, op);
}

static void visit_block(Prefetcher *prefetcher, MlirBlock block) {
  MlirOperation before = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && !prefetcher->failed;) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    Prefetch prefetch;
    visit_nested(prefetcher, op);
    bool is_region = luna_op_is(op, LUNA_OP_LUNA_REGION);
    if (!mlirOperationIsNull(before) && is_region &&
        find_prefetch(prefetcher->machine, op, &prefetch)) {
      prefetcher->prefetch = &prefetch;
      MlirValue token = start_in(prefetcher, before);
      use_started(&prefetch, prefetcher->staging, token);
    }
    if (is_region || luna_is_branch(op))
      before = op;
    else if (!is_bookkeeping(op))
      before = (MlirOperation){NULL};
    op = next;
  }
}

bool luna_prefetch(MlirBlock block, const LunaMachine *machine) {
  Prefetcher prefetcher = {.machine = machine};
  visit_block(&prefetcher, block);
  luna_arena_destroy(&prefetcher.arena);
  return !prefetcher.failed;
}
