#include "luna-c/linalg_operands.h"

#include <assert.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Linalg.h"

intptr_t luna_linalg_input_count(MlirOperation op) {
  int64_t sizes[2];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (luna_attr_ints(op, "operandSegmentSizes", sizes, 2))
    return (intptr_t)sizes[0];
  return luna_op_is(op, LUNA_OP_LINALG_REDUCE) ? count / 2 : count - 1;
}

MlirAffineMap luna_linalg_map(MlirOperation op, intptr_t i) {
  assert(i >= 0);
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps) || i >= mlirArrayAttrGetNumElements(maps))
    return (MlirAffineMap){NULL};
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

bool luna_linalg_body_uses(MlirOperation op, intptr_t i, bool otherwise) {
  assert(i >= 0 && i < mlirOperationGetNumOperands(op));
  if (mlirOperationGetNumRegions(op) == 0)
    return otherwise;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  if (mlirBlockIsNull(body) || i >= mlirBlockGetNumArguments(body))
    return otherwise;
  return luna_is_used(mlirBlockGetArgument(body, i));
}
