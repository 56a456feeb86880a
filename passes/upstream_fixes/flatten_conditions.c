// luna-flatten-conditions: gives the conditions of TOSA control flow rank 0,
// and makes what is nested in it scf.
//
// In: tosa.cond_if and tosa.while_loop, whose condition has one element and any
// rank.
// Out: the outermost ones with a condition of rank 0, all that upstream's
// tosa-to-scf reads: it makes an invalid tensor.extract of the others. Those
// inside become scf.if and scf.while, since upstream's pattern is not applied
// to what it has moved. Refuses: nothing. No options. Example:
// lit_tests/passes/luna-flatten-conditions/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "luna/vector.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Collapses operand 0 of `user`, the condition, to rank 0.
static void flatten_condition(MlirOperation user) {
  MlirValue condition = mlirOperationGetOperand(user, 0);
  MlirType type = mlirValueGetType(condition);
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) == 0)
    return;
  MlirContext context = mlirOperationGetContext(user);
  MlirType flat = mlirRankedTensorTypeGet(
      0, NULL, mlirShapedTypeGetElementType(type), mlirAttributeGetNull());
  MlirNamedAttribute reassociation =
      luna_named(context, "reassociation", mlirArrayAttrGet(context, 0, NULL));
  MlirValue collapse = luna_build_value_with(
      user, "tensor.collapse_shape", flat, 1, &condition, 1, &reassociation);
  mlirOperationSetOperand(user, 0, collapse);
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

static MlirValue extract_condition(MlirOperation before, MlirValue condition) {
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(condition));
  return luna_build_value(before, "tensor.extract", type, 1, &condition);
}

// Replaces the terminator of `block` by one of `name` with these operands.
static void end_block(MlirBlock block, const char *name,
                      const MlirValue *operands, intptr_t count) {
  MlirOperation end = mlirBlockGetTerminator(block);
  luna_build_before(end, &(LunaOpSpec){.name = name,
                                       .operands = operands,
                                       .operand_count = count});
  mlirOperationDestroy(end);
}

static void yield_in_scf(LunaArena *arena, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t count = mlirOperationGetNumOperands(end);
  MlirValue *values = LUNA_ARENA_ARRAY(arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i)
    values[i] = mlirOperationGetOperand(end, i);
  end_block(block, "scf.yield", values, count);
}

// Ends the first region of a loop, which passes on all of its arguments.
static void test_in_scf(LunaArena *arena, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t count = mlirBlockGetNumArguments(block);
  MlirValue *values = LUNA_ARENA_ARRAY(arena, MlirValue, count + 1);
  values[0] = extract_condition(end, mlirOperationGetOperand(end, 0));
  for (intptr_t i = 0; i < count; ++i)
    values[i + 1] = mlirBlockGetArgument(block, i);
  end_block(block, "scf.condition", values, count + 1);
}

// Replaces TOSA control flow by scf.
static void become_scf(LunaArena *arena, MlirOperation op) {
  bool is_loop = luna_op_is(op, LUNA_OP_TOSA_WHILE_LOOP);
  intptr_t result_count = mlirOperationGetNumResults(op);
  intptr_t operand_count = is_loop ? mlirOperationGetNumOperands(op) : 1;
  MlirType *types = LUNA_ARENA_ARRAY(arena, MlirType, result_count);
  MlirValue *operands = LUNA_ARENA_ARRAY(arena, MlirValue, operand_count);
  MlirRegion regions[2];
  for (intptr_t i = 0; i < result_count; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < operand_count; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  if (is_loop)
    test_in_scf(arena, luna_body(op, 0));
  else
    operands[0] = extract_condition(op, operands[0]);
  for (int r = 0; r < 2; ++r) {
    if (!is_loop || r == 1)
      yield_in_scf(arena, luna_body(op, r));
    regions[r] = mlirRegionCreate();
    mlirRegionTakeBody(regions[r], mlirOperationGetRegion(op, r));
  }
  MlirOperation scf = luna_build_before(
      op, &(LunaOpSpec){.name = is_loop ? "scf.while" : "scf.if",
                        .operands = operands,
                        .operand_count = operand_count,
                        .results = types,
                        .result_count = result_count,
                        .owned_regions = regions,
                        .region_count = 2});
  for (intptr_t i = 0; i < result_count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(scf, i));
  mlirOperationDestroy(op);
}

static bool is_tosa_control_flow(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_TOSA_COND_IF, LUNA_OP_TOSA_WHILE_LOOP);
}

static bool is_nested(MlirOperation op, MlirOperation func) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationEqual(op, func) && !is_tosa_control_flow(op));
  return !mlirOperationEqual(op, func);
}

typedef struct Found {
  LunaArena arena;
  LUNA_VECTOR(MlirOperation) ops; // parents before what is in them
} Found;

static bool visit(MlirOperation op, void *data) {
  Found *found = data;
  if (luna_op_is(op, LUNA_OP_TOSA_COND_IF))
    flatten_condition(op);
  else if (luna_op_is(op, LUNA_OP_TOSA_WHILE_LOOP))
    flatten_condition(mlirBlockGetTerminator(luna_body(op, 0)));
  if (is_tosa_control_flow(op))
    *LUNA_VECTOR_ADD(&found->arena, &found->ops) = op;
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *values) {
  (void)values;
  Found found = {0};
  luna_walk(func, visit, &found);
  for (size_t i = found.ops.count; i-- > 0;)
    if (is_nested(found.ops.items[i], func))
      become_scf(&found.arena, found.ops.items[i]);
  luna_arena_destroy(&found.arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"scf", "tensor", NULL};

const LunaPassDesc luna_pass_flatten_conditions = {
    .argument = "luna-flatten-conditions",
    .summary =
        "Give the conditions of TOSA control flow rank 0, make nests scf",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
