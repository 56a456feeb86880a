#ifndef LUNA_UNIT_SEMANTICS_H
#define LUNA_UNIT_SEMANTICS_H

// What the operators of the unit mean, as ops of linalg, scf and arith: the
// parts of the pass luna-to-linalg. Written from the definitions in LunaOps.td
// and luna/runtime.h, without a look at tilings, which must not matter.

#include "luna-c/build_generic.h"
#include "luna/units.h"

/// Replaces an operator of the unit by what it means.
void luna_unit_to_linalg(MlirOperation op);

/// An operator, and the linalg.generic over its output that computes it.
typedef struct LunaUnitSemantics {
  LunaBuilder b;
  LunaGeneric loops; ///< its body is where the builder stands
  /// In the order of luna/units.def, tensors or memrefs; null if absent.
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  MlirType element; ///< of the output
} LunaUnitSemantics;

/// luna_semantics_<name> adds the inputs and the body and returns the element
/// of the output, of its type. `desc` has the attributes.
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  MlirValue luna_semantics_##name(LunaUnitSemantics *m,                        \
                                  const Luna##Type##Desc *desc);
#include "luna/units.def"

//===----------------------------------------------------------------------===//
// Arithmetic (semantics_numbers.c)
//===----------------------------------------------------------------------===//

/// Widens an integer and subtracts its zero point.
MlirValue luna_semantics_centre(LunaUnitSemantics *m, MlirValue value,
                                MlirType type, int32_t zero_point);

/// TOSA's apply_scale_32 of an i64 by an i32: an i32 in an i64. `shift` is an
/// i64 in [0, 62], `rounding` a LunaRounding.
MlirValue luna_semantics_scale(LunaUnitSemantics *m, MlirValue value,
                               MlirValue multiplier, MlirValue shift,
                               int32_t rounding);

/// Requantises an i64 to the output's type. Parameters per channel are those
/// at index `channel` of `table`; both are null for an operator without.
MlirValue luna_semantics_requant(LunaUnitSemantics *m,
                                 const LunaRequantDesc *requant, MlirValue sum,
                                 MlirValue table, MlirValue channel);

#endif // LUNA_UNIT_SEMANTICS_H
