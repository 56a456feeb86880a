// Operators that may write over what they read: the checker's own rule. Each
// element is read and written at one place in one iteration, by operators of
// the core and by those of the unit where the machine's unit works in place.

#include "luna-c/ops.h"
#include "luna/tiles.h"
#include "luna/units.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_desc.h"
#include "validate_accesses.h"

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

// The indexing map of operand `i`, or null.
static MlirAttribute map_of(MlirOperation op, intptr_t i) {
  MlirAttribute maps = luna_attr(op, "indexing_maps");
  bool has_maps = !mlirAttributeIsNull(maps) && mlirAttributeIsAArray(maps) &&
                  i < mlirArrayAttrGetNumElements(maps);
  return has_maps ? mlirArrayAttrGetElement(maps, i) : mlirAttributeGetNull();
}

// True if `map` names a place that no other iteration names.
static bool is_of_one_iteration(MlirAttribute map) {
  return !mlirAttributeIsNull(map) &&
         mlirAffineMapIsPermutation(mlirAffineMapAttrGetValue(map));
}

// True if all operands that are one of both values have one map.
static bool are_indexed_alike(MlirOperation op, MlirValue a, MlirValue b) {
  MlirAttribute first = mlirAttributeGetNull();
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!luna_same_value(operand, a) && !luna_same_value(operand, b))
      continue;
    MlirAttribute map = map_of(op, i);
    if (!is_of_one_iteration(map) ||
        (!mlirAttributeIsNull(first) && !mlirAttributeEqual(first, map)))
      return false;
    first = map;
  }
  return !mlirAttributeIsNull(first);
}

//===----------------------------------------------------------------------===//
// The unit
//===----------------------------------------------------------------------===//

static bool is_output(MlirOperation op, MlirValue value) {
  return luna_same_value(luna_unit_output(op), value);
}

static bool is_aside(MlirOperation op, MlirValue value) {
  return luna_same_value(luna_unit_operand(op, LUNA_ROLE_TABLE), value) ||
         luna_same_value(luna_unit_operand(op, LUNA_ROLE_SCRATCH), value);
}

// Elementwise calls and tables, where the unit works in place or the core does
// the work.
static bool unit_works_in_place(const LunaMachine *machine, MlirOperation op) {
  LunaUnitDesc desc;
  if (!luna_unit_desc_read(op, &desc))
    return false;
  return luna_unit_class_in_place(desc.unit_class, machine) ||
         (desc.unit_class == LUNA_UNIT_ELTWISE &&
          !luna_eltwise_is_native(machine, &desc.as.eltwise));
}

bool luna_accesses_may_be_one(const LunaSide *side, const LunaOperandAccess *a,
                              const LunaOperandAccess *b) {
  MlirOperation op = side->op;
  if (luna_op_is_unit(op))
    return (is_output(op, a->value) || is_output(op, b->value)) &&
           !is_aside(op, a->value) && !is_aside(op, b->value) &&
           unit_works_in_place(side->limits->machine, op);
  if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return !a->is_captured && !b->is_captured &&
           (luna_op_is(op, LUNA_OP_LINALG_MAP) ||
            are_indexed_alike(op, a->value, b->value));
  return luna_op_is(op, LUNA_OP_MEMREF_COPY);
}
