// luna-forget-inits: loops start with nothing where nobody reads the start.
//
// In: scf.for on tensors of static shape, before bufferisation.
// Out: the same; a value that a loop of at least one iteration (by constant
// bounds) starts with, and that no iteration reads, becomes tensor.empty. It is
// not kept on chip until the loop then, and no copy of it is made.
// A start is read by any use of the block argument but handing it on to a
// carried value that is itself neither read nor used behind the loop.
// Example: lit_tests/passes/luna-forget-inits/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

enum { FIRST_INIT = 3 }; // operands: lower, upper, step, inits

typedef struct Forgetter {
  LunaArena arena;
  bool has_changed;
} Forgetter;

static bool has_uses(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

// Says whether a use of a carried value matters, as far as is known.
static bool is_read(MlirOperation loop, MlirOpOperand use,
                    const bool *is_unread) {
  MlirBlock body = luna_body(loop, 0);
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (!mlirOperationEqual(user, mlirBlockGetTerminator(body)))
    return true;
  intptr_t next = (intptr_t)mlirOpOperandGetOperandNumber(use);
  return !is_unread[next] || has_uses(mlirOperationGetResult(loop, next));
}

static bool any_read(MlirOperation loop, intptr_t carried,
                     const bool *is_unread) {
  MlirValue value = mlirBlockGetArgument(luna_body(loop, 0), carried + 1);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (is_read(loop, use, is_unread))
      return true;
  return false;
}

// Which carried values no iteration reads: all, less what is read, until no
// more is found.
static bool *find_unread(Forgetter *forgetter, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  bool *is_unread = LUNA_ARENA_ARRAY(&forgetter->arena, bool, count);
  for (intptr_t i = 0; i < count; ++i)
    is_unread[i] = true;
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (intptr_t i = 0; i < count; ++i)
      if (is_unread[i] && any_read(loop, i, is_unread))
        is_unread[i] = is_done = false;
  }
  return is_unread;
}

static bool can_be_empty(MlirValue init) {
  MlirType type = mlirValueGetType(init);
  MlirOperation op = luna_defining_op(init);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         (mlirOperationIsNull(op) || !luna_op_is(op, "tensor.empty"));
}

static bool visit_op(MlirOperation op, void *data) {
  Forgetter *forgetter = data;
  if (!luna_op_is(op, "scf.for") || luna_trip_count(op, 0) < 1)
    return true;
  const bool *is_unread = find_unread(forgetter, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue init = mlirOperationGetOperand(op, FIRST_INIT + i);
    if (!is_unread[i] || !can_be_empty(init))
      continue;
    MlirType type = mlirValueGetType(init);
    MlirOperation empty = luna_build_before(
        op, &(LunaOpSpec){.name = "tensor.empty",
                          .location = mlirOperationGetLocation(op),
                          .results = &type,
                          .result_count = 1});
    mlirOperationSetOperand(op, FIRST_INIT + i,
                            mlirOperationGetResult(empty, 0));
    forgetter->has_changed = true;
  }
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  Forgetter forgetter = {.has_changed = true};
  // What an inner loop forgets may be all that an outer one kept it for.
  while (forgetter.has_changed) {
    forgetter.has_changed = false;
    luna_walk(func, visit_op, &forgetter);
  }
  luna_arena_destroy(&forgetter.arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"tensor", NULL};

const LunaPassDesc luna_pass_forget_inits = {
    .argument = "luna-forget-inits",
    .summary = "Start loops with nothing where nobody reads the start",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
