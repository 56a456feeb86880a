#include "luna-c/program_record.h"

#include "luna-c/ir.h"

// Returns the next luna.program of a module from `op` on, or a null op.
static MlirOperation next_record(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static MlirOperation first_record(MlirModule module) {
  return next_record(mlirBlockGetFirstOperation(mlirModuleGetBody(module)));
}

static void drop_records(MlirModule module) {
  for (MlirOperation op = first_record(module); !mlirOperationIsNull(op);) {
    MlirOperation next = next_record(mlirOperationGetNextInBlock(op));
    mlirOperationDestroy(op);
    op = next;
  }
}

static void name_function(MlirOperation record, MlirOperation plan) {
  for (MlirOperation op = mlirBlockGetFirstOperation(luna_body(record, 0));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_FUNC_FUNC))
      luna_set_attr(op, "sym_name", luna_attr(plan, "sym_name"));
}

bool luna_has_program_record(MlirModule module) {
  return !mlirOperationIsNull(first_record(module));
}

bool luna_move_program_record(MlirModule from, MlirModule to,
                              MlirOperation plan) {
  MlirOperation record = first_record(from);
  if (mlirOperationIsNull(record) ||
      !mlirOperationIsNull(next_record(mlirOperationGetNextInBlock(record))))
    return false;
  drop_records(to);
  name_function(record, plan);
  mlirOperationRemoveFromParent(record);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(to), record);
  return true;
}
