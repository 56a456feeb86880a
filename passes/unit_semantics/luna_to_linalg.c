// luna-to-linalg: lowers the operators of the unit to linalg, exactly.
//
// In: operators of the unit on tensors or memrefs of static shape. Out: each is
// one linalg.generic over its output, with loops over taps and channels in its
// body: the exact integers, or f32 in the order of the definition, that the
// operator stands for, however it is tiled. A scratch is filled with a pattern
// first, as the unit may leave anything in it. Upstream MLIR can compile the
// result for any processor. Refuses: nothing. No options. Example:
// lit_tests/passes/luna-to-linalg/doc.mlir.

#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "luna/passes.h"
#include "op_desc.h"
#include "unit_semantics.h"

static MlirValue element_of_output(LunaUnitSemantics *m,
                                   const LunaUnitDesc *desc) {
  switch (desc->unit_class) {
#define LUNA_UNIT_CLASS(CLASS, name, Type)                                     \
  case LUNA_UNIT_##CLASS:                                                      \
    return luna_semantics_##name(m, &desc->as.name);
#include "luna/units.def"
  case LUNA_UNIT_CLASS_COUNT:
    break;
  }
  return (MlirValue){NULL};
}

// Overwrites the scratch, in which the unit may leave anything.
static void spoil_scratch(LunaUnitSemantics *m, MlirOperation op) {
  enum { PATTERN = 0x5a };
  MlirValue scratch = luna_unit_operand(op, LUNA_ROLE_SCRATCH);
  if (mlirValueIsNull(scratch))
    return;
  MlirType type = luna_element_of(scratch);
  LunaGeneric fill = luna_generic_over(&m->b, scratch);
  luna_generic_update(&fill, scratch);
  MlirValue pattern = luna_scalar_int(&m->b, type, PATTERN);
  luna_generic_close(&fill, &pattern);
}

void luna_unit_to_linalg(MlirOperation op) {
  LunaUnitDesc desc;
  luna_unit_desc_read_attributes(op, &desc);
  MlirValue output = luna_unit_output(op);
  LunaUnitSemantics m = {.b = luna_builder_before(op, op),
                         .element = luna_element_of(output)};
  luna_unit_operands(op, m.operands);
  spoil_scratch(&m, op);
  m.loops = luna_generic_over(&m.b, output);
  MlirValue element = element_of_output(&m, &desc);
  luna_generic_update(&m.loops, output);
  MlirOperation generic = luna_generic_close(&m.loops, &element);
  if (mlirOperationGetNumResults(op) > 0)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                  mlirOperationGetResult(generic, 0));
  mlirOperationDestroy(op);
}

static bool visit(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_is_unit(op))
    luna_unit_to_linalg(op);
  return true;
}

static const char *const dialects[] = {"arith", "linalg", "math", "memref",
                                       "scf",   "tensor", NULL};

const LunaPassDesc luna_pass_to_linalg = {
    .argument = "luna-to-linalg",
    .summary = "lower operators of the unit to linalg, exactly",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .visit = visit,
};
