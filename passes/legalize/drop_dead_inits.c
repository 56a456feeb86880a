// luna-drop-dead-inits: replaces loop inits that no iteration reads.
//
// In: scf.for on tensors of static shape, before bufferisation.
// Out: the same loops; a dead init becomes tensor.empty, so that its producer
// is neither kept on chip until the loop nor copied. An init is dead if the
// loop runs at least once, by constant bounds, and no iteration reads the
// iteration argument. Yielding the argument counts as a read unless the value
// it becomes is dead too and has no use after the loop.
// Refuses: nothing. No options. Example:
// lit_tests/passes/luna-drop-dead-inits/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

enum { FIRST_INIT = 3 }; // operands: lower, upper, step, inits

typedef struct Dropper {
  LunaArena arena;
  bool has_changed;
} Dropper;

// Returns true if a use reads the iteration argument, given what may be dead.
static bool is_read(MlirOperation loop, MlirOpOperand use,
                    const bool *is_dead) {
  MlirBlock body = luna_body(loop, 0);
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (!mlirOperationEqual(user, mlirBlockGetTerminator(body)))
    return true;
  intptr_t next = (intptr_t)mlirOpOperandGetOperandNumber(use);
  return !is_dead[next] || luna_is_used(mlirOperationGetResult(loop, next));
}

static bool any_read(MlirOperation loop, intptr_t carried,
                     const bool *is_dead) {
  MlirValue value = mlirBlockGetArgument(luna_body(loop, 0), carried + 1);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (is_read(loop, use, is_dead))
      return true;
  return false;
}

// Computes the dead inits: assumes all are, and removes those with a read until
// a fixed point.
static bool *find_dead(Dropper *dropper, MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  bool *is_dead = LUNA_ARENA_ARRAY(&dropper->arena, bool, count);
  for (intptr_t i = 0; i < count; ++i)
    is_dead[i] = true;
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (intptr_t i = 0; i < count; ++i)
      if (is_dead[i] && any_read(loop, i, is_dead))
        is_dead[i] = is_done = false;
  }
  return is_dead;
}

static bool can_be_empty(MlirValue init) {
  MlirType type = mlirValueGetType(init);
  MlirOperation op = luna_defining_op(init);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         !luna_op_is(op, LUNA_OP_TENSOR_EMPTY);
}

static bool visit_op(MlirOperation op, void *data) {
  Dropper *dropper = data;
  if (luna_trip_count(op, 0) < 1)
    return true;
  const bool *is_dead = find_dead(dropper, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue init = mlirOperationGetOperand(op, FIRST_INIT + i);
    if (!is_dead[i] || !can_be_empty(init))
      continue;
    MlirType type = mlirValueGetType(init);
    MlirValue empty = luna_build_value(op, "tensor.empty", type, 0, NULL);
    mlirOperationSetOperand(op, FIRST_INIT + i, empty);
    dropper->has_changed = true;
  }
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  Dropper dropper = {.has_changed = true};
  // An inner loop may have held the only read of an outer init.
  while (dropper.has_changed) {
    dropper.has_changed = false;
    luna_walk(func, visit_op, &dropper);
  }
  luna_arena_destroy(&dropper.arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"tensor", NULL};

const LunaPassDesc luna_pass_drop_dead_inits = {
    .argument = "luna-drop-dead-inits",
    .summary = "Replace loop inits that no iteration reads by tensor.empty",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
