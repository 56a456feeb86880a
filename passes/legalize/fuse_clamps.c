// luna-fuse-clamps: a clamp behind an operator of the unit becomes its own.
//
// In: func.func on tensors; operators of the unit as a reader makes them, and
// tosa.clamp of integers. Out: the same function. Where a clamp is all that
// uses the result of a unit operator that requantises, behind moves of elements
// (reshapes, transposes, reversals) or at once, and both are in one block, the
// bounds of `requant` narrow to those of the clamp, which goes. Clamps behind
// TOSA's own operators stay: tosa-to-luna takes them. Refuses: nothing. No
// options. Example: lit_tests/passes/luna-fuse-clamps/doc.mlir.

#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "luna/vector.h"
#include "tosa_to_luna.h"

typedef struct Clamps {
  LunaArena arena;
  LUNA_VECTOR(MlirOperation);
} Clamps;

static bool collect(MlirOperation op, void *data) {
  Clamps *clamps = data;
  if (luna_op_is(op, LUNA_OP_TOSA_CLAMP))
    *LUNA_VECTOR_ADD(&clamps->arena, clamps) = op;
  return true;
}

static bool moves_elements(MlirOperation op) {
  static const LunaOpName moves[] = {LUNA_OP_TOSA_RESHAPE, LUNA_OP_TOSA_REVERSE,
                                     LUNA_OP_TOSA_TRANSPOSE};
  return luna_op_is_any(op, moves, sizeof moves / sizeof *moves);
}

// Returns the unit operator that `clamp` alone uses, behind moves of elements,
// or a null op.
static MlirOperation find_producer(MlirOperation clamp) {
  MlirOperation op = clamp, null = {NULL};
  do {
    MlirValue value = mlirOperationGetOperand(op, 0);
    op = luna_defining_op(value);
    if (mlirOperationIsNull(op) || !luna_is_used_once(value) ||
        !mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(clamp)))
      return null;
  } while (moves_elements(op));
  return luna_op_is_unit(op) ? op : null;
}

static int32_t bound(int64_t value, int64_t min, int64_t max) {
  return (int32_t)(value < min ? min : value > max ? max : value);
}

static bool fuse(MlirOperation clamp) {
  int64_t min, max;
  MlirOperation op = find_producer(clamp);
  if (mlirOperationIsNull(op) || !luna_tosa_clamp(clamp, &min, &max) ||
      !lunaAttributeIsARequant(luna_attr(op, "requant")))
    return false;
  LunaRequant requant = lunaRequantAttrGetValue(luna_attr(op, "requant"));
  if (requant.mode == 0) // 32-bit results, which have no bounds.
    return false;
  requant.clamp_min = bound(requant.clamp_min, min, max);
  requant.clamp_max = bound(requant.clamp_max, min, max);
  luna_set_attr(op, "requant",
                lunaRequantAttrGet(mlirOperationGetContext(op), requant));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(clamp, 0),
                                mlirOperationGetOperand(clamp, 0));
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  Clamps clamps = {0};
  luna_walk(func, collect, &clamps);
  for (uint64_t i = 0; i < clamps.count; ++i)
    if (fuse(clamps.items[i]))
      mlirOperationDestroy(clamps.items[i]);
  luna_arena_destroy(&clamps.arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"luna", "tosa", NULL};

const LunaPassDesc luna_pass_fuse_clamps = {
    .argument = "luna-fuse-clamps",
    .summary = "Make clamps bounds of the unit operators before them",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
