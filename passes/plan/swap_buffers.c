// luna-swap-buffers: buffers that branches and loops exchange.
//
// In: a bufferised function with control flow, before luna-form-regions. Out:
// where a branch yields an outer buffer or a new one of the same type, each
// such value kept one more buffer alive behind the branch. Now the branch
// yields two buffers, that of the value and the free one, and the regions that
// recompute the value write to the free one and yield the two exchanged: base
// pointers change, nothing is copied. Where a turn of a loop copies what it
// computed to the carried buffer (luna-coalesce-copies could not have it
// written there, since the old value is read until late), the loop carries both
// buffers, and they take turns: the body writes the free one and yields the two
// exchanged. So do values that branches of the loop pass through or recompute,
// and several that are shifted. Where a branch passes a value through, the
// others may also copy to one buffer. Each is kept if the plan, with the least
// staging, exceeds the memory by less; or the slowest path takes fewer cycles;
// or all paths do; or the tensors take fewer bytes. Options: machine,
// capacity-bytes. Example: lit_tests/passes/luna-swap-buffers/doc.mlir

#include "carried_branches.h"
#include "join_price.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "structure.h"
#include "swap_chains.h"
#include "swap_copies.h"
#include "unify_copies.h"

// Rewritings of one kind that are tried one by one.
enum { TRIES_MAX = 64 };

//===----------------------------------------------------------------------===//
// One rewriting
//===----------------------------------------------------------------------===//

// A function, or a copy of it that was rewritten.
typedef struct Attempt {
  MlirOperation func; // null if there is none
  LunaJoinPrice price;
} Attempt;

// Keeps the better one in `best`; the other is destroyed.
static void keep_better(Attempt attempt, Attempt *best) {
  Attempt worse = attempt;
  if (luna_join_price_is_less(&attempt.price, &best->price)) {
    worse = *best;
    *best = attempt;
  }
  if (!mlirOperationIsNull(worse.func))
    mlirOperationDestroy(worse.func);
}

// The same for a copy that is not measured yet.
static void measure_copy(const LunaJoinTarget *target, MlirOperation copy,
                         Attempt *best) {
  Attempt attempt = {.func = copy};
  if (luna_join_price(target, copy, &attempt.price))
    keep_better(attempt, best);
  else
    mlirOperationDestroy(copy);
}

static void adopt(MlirOperation func, MlirOperation copy) {
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0),
                     mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
}

// Tries the rewriting `index` of a kind. Returns false if there is none.
typedef bool (*Try)(const LunaJoinTarget *target, MlirOperation func,
                    uint32_t index, Attempt *best);

static bool try_chain(const LunaJoinTarget *target, MlirOperation func,
                      uint32_t index, Attempt *best) {
  uint32_t replaced = 1;
  if (!luna_has_swap_chain(func, index))
    return false;
  for (int reach = 0; reach < LUNA_SWAP_REACH_COUNT; ++reach) {
    MlirOperation copy = mlirOperationClone(func);
    uint32_t now = luna_swap_chain(copy, index, (LunaSwapReach)reach);
    if (now > replaced)
      measure_copy(target, copy, best);
    else
      mlirOperationDestroy(copy);
    replaced = now;
  }
  return true;
}

static bool try_copies(const LunaJoinTarget *target, MlirOperation func,
                       uint32_t index, Attempt *best) {
  if (!luna_has_inner_copies(func))
    return false;
  MlirOperation copy = mlirOperationClone(func);
  if (!luna_swap_copies(copy, index)) {
    mlirOperationDestroy(copy);
    return false;
  }
  measure_copy(target, copy, best);
  return true;
}

static bool try_join(const LunaJoinTarget *target, MlirOperation func,
                     uint32_t index, Attempt *best) {
  if (best->price.excess_bytes == 0 || !luna_has_swap_chain(func, index))
    return false;
  MlirOperation copy = mlirOperationClone(func);
  if (luna_copy_at_join(copy, index))
    measure_copy(target, copy, best);
  else
    mlirOperationDestroy(copy);
  return true;
}

// Applies what makes the price better.
static void improve(const LunaJoinTarget *target, MlirOperation func,
                    Try attempt, LunaJoinPrice *price) {
  for (uint32_t index = 0; index < TRIES_MAX;) {
    Attempt best = {.price = *price};
    if (!attempt(target, func, index, &best))
      return;
    *price = best.price;
    if (mlirOperationIsNull(best.func))
      ++index;
    else
      adopt(func, best.func);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool has_no_loop(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_loop(op);
}

// Exchanges instead of copying: with the results of branches as they are, or
// copied to the carried buffers, and what operators compute, too.
static void improve_loops(const LunaJoinTarget *target, MlirOperation func,
                          LunaJoinPrice *price) {
  Attempt best = {.price = *price};
  bool has_loop = !luna_walk(func, has_no_loop, NULL);
  for (int reach = 0; has_loop && reach < LUNA_SWAP_REACH_COUNT; ++reach) {
    MlirOperation copy = mlirOperationClone(func);
    LunaJoinPrice now = *price;
    if (luna_coalesce_carried_branches(copy, reach == LUNA_SWAP_OPERATORS) &&
        mlirLogicalResultIsSuccess(luna_unify_copies(copy, target->machine)) &&
        luna_join_price(target, copy, &now)) {
      improve(target, copy, try_copies, &now);
      keep_better((Attempt){copy, now}, &best);
    } else {
      mlirOperationDestroy(copy);
    }
  }
  improve(target, func, try_copies, price);
  if (mlirOperationIsNull(best.func))
    return;
  if (luna_join_price_is_less(&best.price, price)) {
    *price = best.price;
    adopt(func, best.func);
  } else {
    mlirOperationDestroy(best.func);
  }
}

enum { OPT_MACHINE, OPT_CAPACITY_BYTES, OPT_COUNT };

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  LunaJoinTarget target = {machine, options[OPT_CAPACITY_BYTES].integer};
  if (target.capacity_bytes <= 0)
    target.capacity_bytes = (int64_t)machine->shared.bytes;
  LunaJoinPrice price;
  if (!luna_has_inner_copies(func) && !luna_has_swap_chain(func, 0) &&
      luna_walk(func, has_no_loop, NULL))
    return mlirLogicalResultSuccess();
  if (!luna_join_price(&target, func, &price))
    return mlirLogicalResultFailure();
  improve_loops(&target, func, &price);
  improve(&target, func, try_chain, &price);
  improve(&target, func, try_join, &price);
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_CAPACITY_BYTES] = {.name = "capacity-bytes",
                            .help =
                                "size of the shared memory; 0 is that of the "
                                "machine's",
                            .kind = LUNA_OPTION_INT64},
};
static const char *const dialects[] = {"memref", NULL};

const LunaPassDesc luna_pass_swap_buffers = {
    .argument = "luna-swap-buffers",
    .summary = "Let branches and loops exchange buffers instead of copying",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
