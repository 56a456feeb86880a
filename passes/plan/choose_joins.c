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

// Chains through loops, and ops that are decided again to find other chains
// than the first that help.
enum { SITES_MAX = 16, BUDGET_OPS = 1024 };

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
static bool settle_for(const LunaJoinTarget *target, MlirOperation func,
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

// As settle_for. What does not fit is coalesced for tensors with staging, too.
static bool settle(const LunaJoinTarget *target, MlirOperation func,
                   LunaJoinPlan *best) {
  MlirOperation again = mlirOperationClone(func);
  bool is_ok = settle_for(target, func, best);
  if (is_ok && best->price.excess_bytes > 0) {
    LunaJoinTarget staged = *target;
    staged.counts_staging = true;
    is_ok = settle_for(&staged, again, best);
  } else {
    mlirOperationDestroy(again);
  }
  return is_ok;
}

// What a chain through loops starts with: a branch that passes a value through,
// or a loop.
typedef enum Start { START_BRANCH, START_LOOP, START_COUNT } Start;

typedef struct Choice {
  const LunaJoinTarget *target;
  LunaJoinPlan best;
  int64_t op_count, budget;
} Choice;

// A function before its joins are decided, and the price of what becomes of it.
typedef struct Form {
  MlirOperation func;
  LunaJoinPrice price;
} Form;

// The ways of a chain, from the best to the worst; at first as it is.
typedef struct Forms {
  Form items[1 + LUNA_SWAP_REACH_COUNT];
  uint32_t count;
} Forms;

// Settles a copy of `func`, which it owns, and adds it.
static bool add_form(Choice *choice, MlirOperation func, Forms *forms) {
  LunaJoinPlan plan = {.func = {NULL}};
  choice->budget -= choice->op_count;
  if (!settle(choice->target, mlirOperationClone(func), &plan)) {
    mlirOperationDestroy(func);
    return false;
  }
  Form form = {func, plan.price};
  luna_join_plan_keep(plan, &choice->best);
  uint32_t at = forms->count++;
  for (; at > 0 &&
         luna_join_price_is_less(&form.price, &forms->items[at - 1].price);
       --at)
    forms->items[at] = forms->items[at - 1];
  forms->items[at] = form;
  return true;
}

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

// Adds what a chain of `func` can be.
static bool find_forms(Choice *choice, MlirOperation func, Start start,
                       uint32_t site, Forms *forms) {
  bool is_ok = true;
  int first = start == START_LOOP ? LUNA_SWAP_OPERATORS : LUNA_SWAP_LOOPS;
  for (int reach = first; is_ok && reach < LUNA_SWAP_REACH_COUNT; ++reach) {
    MlirOperation next = mlirOperationClone(func);
    if (swap_chain(next, start, site, (LunaSwapReach)reach))
      is_ok = add_form(choice, next, forms);
    else
      mlirOperationDestroy(next);
  }
  return is_ok;
}

// Has chains pass on two buffers through loops, one after the other, the best
// way first, then others until the budget is used up. Owns `form`.
static bool try_chains(Choice *choice, Form form, Start start, uint32_t site) {
  while (start < START_COUNT && !has_chain(form.func, start, site)) {
    ++start;
    site = 0;
  }
  Forms forms = {.items = {form}, .count = 1};
  bool is_ok = start == START_COUNT ||
               find_forms(choice, form.func, start, site, &forms);
  for (uint32_t i = 0; i < forms.count; ++i) {
    bool is_same = mlirOperationEqual(forms.items[i].func, form.func);
    bool is_open = is_ok && start < START_COUNT &&
                   (i == 0 || choice->budget > 0) &&
                   !luna_join_plan_is_least(&choice->best);
    if (is_open)
      is_ok = try_chains(choice, forms.items[i], start, site + is_same);
    else
      mlirOperationDestroy(forms.items[i].func);
  }
  return is_ok;
}

static bool count_op(MlirOperation op, void *data) {
  (void)op;
  ++*(int64_t *)data;
  return true;
}

static bool choose(const LunaJoinTarget *target, MlirOperation func) {
  if (luna_walk(func, is_straight, NULL))
    return coalesce(target, func);
  Choice choice = {.target = target, .budget = BUDGET_OPS};
  Forms start = {.count = 0};
  luna_walk(func, count_op, &choice.op_count);
  bool is_ok = add_form(&choice, mlirOperationClone(func), &start) &&
               try_chains(&choice, start.items[0], START_BRANCH, 0);
  if (is_ok)
    adopt(func, choice.best.func);
  else if (!mlirOperationIsNull(choice.best.func))
    mlirOperationDestroy(choice.best.func);
  return is_ok;
}

enum { OPT_MACHINE, OPT_CAPACITY_BYTES, OPT_COUNT };

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  const LunaMachine *machine = luna_machine_of_option(&options[OPT_MACHINE]);
  LunaJoinTarget target = {.machine = machine,
                           .capacity_bytes =
                               options[OPT_CAPACITY_BYTES].integer};
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
