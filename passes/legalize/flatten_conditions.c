// luna-flatten-conditions: gives the conditions of TOSA control flow rank 0.
//
// In: tosa.cond_if and tosa.while_loop, whose condition has one element and any
// rank.
// Out: the same with a condition of rank 0, all that upstream's tosa-to-scf
// reads: it makes an invalid tensor.extract of the others.
// Example: lit_tests/passes/luna-flatten-conditions/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
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
  MlirOperation collapse = luna_build_before(
      user, &(LunaOpSpec){.name = "tensor.collapse_shape",
                          .location = mlirOperationGetLocation(user),
                          .operands = &condition,
                          .operand_count = 1,
                          .results = &flat,
                          .result_count = 1,
                          .attributes = &reassociation,
                          .attribute_count = 1});
  mlirOperationSetOperand(user, 0, mlirOperationGetResult(collapse, 0));
}

static bool visit(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_is(op, LUNA_OP_TOSA_COND_IF))
    flatten_condition(op);
  else if (luna_op_is(op, LUNA_OP_TOSA_WHILE_LOOP))
    flatten_condition(mlirBlockGetTerminator(luna_body(op, 0)));
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *values) {
  (void)values;
  luna_walk(func, visit, NULL);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"tensor", NULL};

const LunaPassDesc luna_pass_flatten_conditions = {
    .argument = "luna-flatten-conditions",
    .summary = "Give the conditions of TOSA control flow rank 0",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
