#include "in_place.h"

#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "luna/units.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_desc.h"

// Operators of the unit that write each element from those at the same place.
static bool is_elementwise(const LunaMachine *machine, MlirOperation op,
                           MlirValue operand) {
  LunaUnitDesc desc;
  return luna_op_is_unit(op) && luna_unit_desc_read(op, &desc) &&
         luna_unit_works_in_place(machine, &desc) &&
         !luna_same_value(luna_unit_operand(op, LUNA_ROLE_TABLE), operand);
}

// The indexing map of an operand of linalg.generic.
static MlirAttribute map_of(MlirOperation op, intptr_t operand) {
  return mlirArrayAttrGetElement(luna_attr(op, "indexing_maps"), operand);
}

// True if linalg.generic writes each element of its output once.
static bool is_pointwise(MlirOperation op) {
  MlirAttribute output = map_of(op, luna_linalg_input_count(op));
  return mlirAffineMapIsPermutation(mlirAffineMapAttrGetValue(output));
}

bool luna_may_work_in_place(const LunaMachine *machine, MlirOperation op,
                            MlirValue operand) {
  intptr_t output = mlirOperationGetNumOperands(op) - 1;
  bool is_linalg = luna_op_is(op, LUNA_OP_LINALG_GENERIC);
  if (is_linalg ? output != luna_linalg_input_count(op) || !is_pointwise(op)
                : !is_elementwise(machine, op, operand))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, output));
  if (!mlirTypeEqual(mlirValueGetType(operand), type))
    return false;
  for (intptr_t i = 0; is_linalg && i < output; ++i)
    if (luna_same_value(mlirOperationGetOperand(op, i), operand) &&
        !mlirAttributeEqual(map_of(op, i), map_of(op, output)))
      return false;
  return true;
}

bool luna_reduces(MlirOperation op) {
  if (!luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
      mlirOperationGetNumRegions(op) == 0)
    return false;
  intptr_t first = luna_linalg_input_count(op);
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = first; i < count; ++i) {
    MlirAffineMap map = luna_linalg_map(op, i);
    if (mlirAffineMapGetNumResults(map) >= mlirAffineMapGetNumDims(map))
      return false;
  }
  return first < count;
}
