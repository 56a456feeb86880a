// luna-choose-joins: how each value that control flow merges is passed on.
//
// In: a bufferised function, after luna-coalesce-loop-buffers and before
// luna-form-regions. Out: for each result of
// a branch, each value that a loop carries, and each copy of a whole buffer,
// one of these. The buffers are one (coalesced), where neither is overwritten
// while the other's contents are still read; so are the operand and the result
// of an elementwise operator. Or one is copied to the other, in a branch or at
// the back edge. Or control flow passes on a base pointer: that of the buffer
// with the value, or two of them, exchanged where the value was recomputed, so
// that the free buffer is written next; the values of loops take turns, those
// that are shifted turn all their buffers. Of the plans that fit the memory,
// with the least staging, it is the one found with the fewest cycles on the
// slowest path, then on all paths, then in the fewest bytes. Options: machine,
// capacity-bytes. Example: lit_tests/passes/luna-choose-joins/doc.mlir

#include "branch_buffers.h"
#include "forward_buffers.h"
#include "join_search.h"
#include "luna-c/ir.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "structure.h"
#include "swap_loops.h"
#include "unify_copies.h"

// Chains through loops that are tried one by one.
enum { SITES_MAX = 16 };

static bool is_straight(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_control_flow(op);
}

static void adopt(MlirOperation func, MlirOperation copy) {
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0),
                     mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
}

static bool coalesce(const LunaJoinTarget *target, MlirOperation func) {
  luna_coalesce_branch_buffers(func, target->machine);
  bool is_ok = mlirLogicalResultIsSuccess(luna_unify_copies(func, target));
  luna_forward_buffers(func);
  return is_ok;
}

// Coalesces what `func` copies and decides the rest; owns it. Returns false,
// after an error, if it cannot be planned.
static bool settle(const LunaJoinTarget *target, MlirOperation func,
                   LunaJoinPlan *best) {
  LunaJoinPlan start = {.func = func};
  bool is_ok =
      coalesce(target, func) && luna_join_price(target, func, &start.price);
  if (is_ok)
    luna_join_search(target, start, best);
  else
    mlirOperationDestroy(func);
  return is_ok;
}

// What a chain through loops starts with: a branch that passes a value through,
// or a loop.
typedef enum Start { START_BRANCH, START_LOOP, START_COUNT } Start;

static bool has_chain(MlirOperation func, Start start, uint32_t site) {
  return site < SITES_MAX && luna_has_swap_loop(func, 0) &&
         (start == START_BRANCH ? luna_has_swap_chain(func, site)
                                : luna_has_swap_loop(func, site));
}

static bool swap_chain(MlirOperation func, Start start, uint32_t site,
                       LunaSwapReach reach) {
  return start == START_BRANCH ? luna_swap_chain(func, site, reach) > 0
                               : luna_swap_loop(func, site, reach);
}

// Tries one way for the chain; keeps it in `form`, unless that is `func`, and
// `best`.
static bool try_chain(const LunaJoinTarget *target, MlirOperation func,
                      Start start, uint32_t site, LunaSwapReach reach,
                      MlirOperation *form, LunaJoinPlan *best) {
  MlirOperation next = mlirOperationClone(func);
  LunaJoinPlan plan = {.func = {NULL}};
  bool is_rewritten = swap_chain(next, start, site, reach);
  bool is_ok = !is_rewritten || settle(target, mlirOperationClone(next), &plan);
  MlirOperation rest = next;
  if (is_rewritten && is_ok && luna_join_plan_keep(plan, best)) {
    rest = *form;
    *form = next;
  }
  if (!mlirOperationIsNull(rest) && !mlirOperationEqual(rest, func))
    mlirOperationDestroy(rest);
  return is_ok;
}

// Has chains pass on two buffers through loops, one at a time, where that makes
// a better plan. `func` becomes its start.
static bool try_chains(const LunaJoinTarget *target, MlirOperation *func,
                       Start start, LunaJoinPlan *best) {
  bool is_ok = true;
  for (uint32_t site = 0; is_ok && !luna_join_plan_is_least(best) &&
                          has_chain(*func, start, site);) {
    MlirOperation form = *func;
    for (int reach = LUNA_SWAP_OPERATORS;
         is_ok && reach < LUNA_SWAP_REACH_COUNT; ++reach)
      if (start == START_LOOP || reach >= LUNA_SWAP_LOOPS)
        is_ok = try_chain(target, *func, start, site, (LunaSwapReach)reach,
                          &form, best);
    if (mlirOperationEqual(form, *func)) {
      ++site;
    } else {
      mlirOperationDestroy(*func);
      *func = form;
    }
  }
  return is_ok;
}

static bool choose(const LunaJoinTarget *target, MlirOperation func) {
  if (luna_walk(func, is_straight, NULL))
    return coalesce(target, func);
  LunaJoinPlan best = {.func = {NULL}};
  MlirOperation form = mlirOperationClone(func);
  bool is_ok = settle(target, mlirOperationClone(func), &best);
  for (int start = 0; is_ok && start < START_COUNT; ++start)
    is_ok = try_chains(target, &form, (Start)start, &best);
  mlirOperationDestroy(form);
  if (is_ok)
    adopt(func, best.func);
  else if (!mlirOperationIsNull(best.func))
    mlirOperationDestroy(best.func);
  return is_ok;
}

enum { OPT_MACHINE, OPT_CAPACITY_BYTES, OPT_COUNT };

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  LunaJoinTarget target = {machine, options[OPT_CAPACITY_BYTES].integer};
  if (target.capacity_bytes <= 0)
    target.capacity_bytes = (int64_t)machine->shared.bytes;
  if (mlirBlockIsNull(luna_entry_block(func)))
    return mlirLogicalResultSuccess();
  return choose(&target, func) ? mlirLogicalResultSuccess()
                               : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
    [OPT_CAPACITY_BYTES] = {.name = "capacity-bytes",
                            .help =
                                "size of the shared memory; 0 is that of the "
                                "machine's",
                            .kind = LUNA_OPTION_INT64},
};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_choose_joins = {
    .argument = "luna-choose-joins",
    .summary = "Choose how values that control flow merges are passed on",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
