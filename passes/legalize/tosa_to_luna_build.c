#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tosa_to_luna.h"

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void luna_tosa_add_attr(LunaTosaAttrs *list, MlirContext context,
                        const char *name, MlirAttribute value) {
  list->items[list->count++] = luna_named(context, name, value);
}

void luna_tosa_add_int(LunaTosaAttrs *list, MlirContext context,
                       const char *name, int64_t value, int64_t usual) {
  if (value != usual)
    luna_tosa_add_attr(list, context, name,
                       luna_i32_attr(context, (int32_t)value));
}

void luna_tosa_add_ints(LunaTosaAttrs *list, MlirContext context,
                        const char *name, const int64_t *values, intptr_t count,
                        int64_t usual) {
  for (intptr_t i = 0; i < count; ++i) {
    if (values[i] == usual)
      continue;
    luna_tosa_add_attr(list, context, name,
                       mlirDenseI64ArrayGet(context, count, values));
    return;
  }
}

void luna_tosa_add_segments(LunaTosaAttrs *list, MlirContext context,
                            const int32_t *sizes, intptr_t count) {
  luna_tosa_add_attr(list, context, "operandSegmentSizes",
                     mlirDenseI32ArrayGet(context, count, sizes));
}

//===----------------------------------------------------------------------===//
// Unit operators
//===----------------------------------------------------------------------===//

MlirValue luna_tosa_make_unit(const LunaTosaUnit *spec, MlirType type) {
  MlirValue operands[5];
  for (intptr_t i = 0; i < spec->input_count; ++i)
    operands[i] = spec->inputs[i];
  operands[spec->input_count] = luna_build_empty(&spec->builder, type);
  MlirOperation op = luna_build_spec(
      &spec->builder, &(LunaOpSpec){
                          .name = spec->name,
                          .operands = operands,
                          .operand_count = spec->input_count + 1,
                          .results = &type,
                          .result_count = 1,
                          .attributes = spec->attributes.items,
                          .attribute_count = spec->attributes.count,
                      });
  return mlirOperationGetResult(op, 0);
}

void luna_tosa_replace(MlirOperation root, const LunaTosaUnit *spec) {
  MlirValue result = mlirOperationGetResult(root, 0);
  MlirValue unit = luna_tosa_make_unit(spec, mlirValueGetType(result));
  mlirValueReplaceAllUsesOfWith(result, unit);
}
