#include "luna-c/decision.h"

#include "luna-c/ir.h"

static bool is_decided_by(MlirOperation op, LunaOpName name,
                          MlirValue decision) {
  return luna_op_is(op, name) &&
         luna_same_value(mlirOperationGetOperand(op, 0), decision);
}

// The first branch on `decision` at or after `op`, or null.
static MlirOperation next_branch(MlirOperation op, MlirValue decision) {
  while (!mlirOperationIsNull(op) &&
         !is_decided_by(op, LUNA_OP_SCF_IF, decision))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirOperation luna_decision_first_user(MlirOperation branch) {
  MlirValue decision = mlirOperationGetOperand(branch, 0);
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(branch));
       !mlirOperationEqual(op, branch); op = mlirOperationGetNextInBlock(op))
    if (is_decided_by(op, LUNA_OP_ARITH_SELECT, decision) &&
        mlirOperationEqual(next_branch(op, decision), branch))
      return op;
  return branch;
}

void luna_decision_replace(MlirOperation branch, MlirOperation first,
                           MlirValue taken) {
  MlirValue decision = mlirOperationGetOperand(branch, 0);
  MlirOperation after = mlirOperationGetNextInBlock(branch);
  bool is_last = mlirOperationIsNull(next_branch(after, decision));
  for (MlirOperation op = first; !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    bool is_branch = mlirOperationEqual(op, branch);
    if (is_branch || is_decided_by(op, LUNA_OP_ARITH_SELECT, decision))
      mlirOperationSetOperand(op, 0, taken);
    if (is_branch && !is_last)
      return;
  }
}
