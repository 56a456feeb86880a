#include "module_function.h"

#include "luna-c/ir.h"

MlirOperation luna_import_function(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) && (!luna_op_is(op, LUNA_OP_FUNC_FUNC) ||
                                      mlirBlockIsNull(luna_body(op, 0))))
    op = mlirOperationGetNextInBlock(op);
  return op;
}
