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
#include "join_search.h"
#include "luna-c/ir.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "structure.h"
#include "unify_copies.h"

static bool is_straight(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_control_flow(op);
}

static void adopt(MlirOperation func, MlirOperation copy) {
  mlirRegionTakeBody(mlirOperationGetRegion(func, 0),
                     mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
}

static MlirLogicalResult choose(MlirOperation func,
                                const LunaJoinTarget *target) {
  luna_coalesce_branch_buffers(func);
  if (mlirLogicalResultIsFailure(luna_unify_copies(func, target)))
    return mlirLogicalResultFailure();
  if (luna_walk(func, is_straight, NULL))
    return mlirLogicalResultSuccess();
  LunaJoinPlan start = {.func = mlirOperationClone(func)};
  LunaJoinPlan best = {.func = {NULL}};
  if (!luna_join_price(target, start.func, &start.price)) {
    mlirOperationDestroy(start.func);
    return mlirLogicalResultFailure();
  }
  luna_join_search(target, start, &best);
  adopt(func, best.func);
  return mlirLogicalResultSuccess();
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
  return choose(func, &target);
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
