#include "reference_branches.h"

#include "luna-c/builder.h"
#include "luna-c/decision.h"
#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "reference_runtime.h"

static MlirValue build(MlirOperation before, const char *name, MlirType type,
                       const MlirValue *operands, intptr_t operand_count,
                       const MlirNamedAttribute *attribute) {
  const LunaOpSpec spec = {
      .name = name,
      .location = mlirOperationGetLocation(before),
      .operands = operands,
      .operand_count = operand_count,
      .results = &type,
      .result_count = 1,
      .attributes = attribute,
      .attribute_count = attribute ? 1 : 0,
  };
  return mlirOperationGetResult(luna_build_before(before, &spec), 0);
}

// Calls the hook, before `first`, for the decision of `op`, its first operand.
static MlirValue build_call(MlirOperation op, MlirOperation first,
                            uint32_t number, bool is_switch) {
  MlirContext context = mlirOperationGetContext(op);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirValue decision = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(decision);
  MlirNamedAttribute value =
      luna_named(context, "value", luna_i32_attr(context, (int32_t)number));
  MlirNamedAttribute callee = luna_named(
      context, "callee",
      mlirFlatSymbolRefAttrGet(context, luna_str(LUNA_REFERENCE_HOOK)));
  MlirValue arguments[] = {
      build(first, "arith.constant", i32, NULL, 0, &value),
      build(first, is_switch ? "arith.index_cast" : "arith.extui", i32,
            &decision, 1, NULL),
  };
  MlirValue taken = build(first, "func.call", i32, arguments, 2, &callee);
  return build(first, is_switch ? "arith.index_cast" : "arith.trunci", type,
               &taken, 1, NULL);
}

static void hook_branch(MlirOperation branch, uint32_t number, bool is_switch) {
  MlirOperation first = is_switch ? branch : luna_decision_first_user(branch);
  MlirValue taken = build_call(branch, first, number, is_switch);
  luna_decision_replace(branch, first, taken);
}

static MlirWalkResult visit_loop(MlirOperation op, void *data) {
  uint32_t *number = data;
  if (luna_op_is(op, LUNA_OP_SCF_CONDITION))
    mlirOperationSetOperand(op, 0, build_call(op, op, (*number)++, false));
  return MlirWalkResultAdvance;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  LunaReference *reference = data;
  bool is_switch = luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH);
  if (luna_op_is(op, LUNA_OP_LUNA_LABEL)) {
    mlirOperationDestroy(op);
    return MlirWalkResultSkip;
  }
  if (!is_switch && !luna_op_is(op, LUNA_OP_SCF_IF))
    return MlirWalkResultAdvance;
  uint32_t number = (uint32_t)reference->branches.count;
  *LUNA_VECTOR_ADD(&reference->arena, &reference->branches) =
      is_switch ? LUNA_BRANCH_SWITCH : LUNA_BRANCH_IF;
  hook_branch(op, number, is_switch);
  return MlirWalkResultAdvance;
}

static void declare_hook(MlirModule module) {
  MlirContext context = mlirModuleGetContext(module);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirType inputs[] = {i32, i32};
  luna_declare_function(mlirModuleGetBody(module), LUNA_REFERENCE_HOOK,
                        mlirFunctionTypeGet(context, 2, inputs, 1, &i32));
}

void luna_reference_hook_branches(MlirModule module, bool with_loops,
                                  LunaReference *reference) {
  MlirOperation root = mlirModuleGetOperation(module);
  mlirOperationWalk(root, visit, reference, MlirWalkPreOrder);
  uint32_t number = (uint32_t)reference->branches.count;
  if (with_loops)
    mlirOperationWalk(root, visit_loop, &number, MlirWalkPreOrder);
  declare_hook(module);
}
