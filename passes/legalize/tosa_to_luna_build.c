#include <stdio.h>

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
// Values
//===----------------------------------------------------------------------===//

static MlirValue make_value(MlirOperation before, const LunaOpSpec *spec) {
  return mlirOperationGetResult(luna_build_before(before, spec), 0);
}

MlirValue luna_tosa_make_const(MlirOperation before, MlirLocation location,
                               MlirAttribute values) {
  MlirType type = mlirAttributeGetType(values);
  MlirNamedAttribute attribute =
      luna_named(mlirOperationGetContext(before), "values", values);
  return make_value(before, &(LunaOpSpec){
                                .name = "tosa.const",
                                .location = location,
                                .results = &type,
                                .result_count = 1,
                                .attributes = &attribute,
                                .attribute_count = 1,
                            });
}

MlirValue luna_tosa_make_empty(MlirOperation before, MlirLocation location,
                               MlirType type) {
  return make_value(before, &(LunaOpSpec){
                                .name = "tensor.empty",
                                .location = location,
                                .results = &type,
                                .result_count = 1,
                            });
}

MlirType luna_tosa_shape_like(MlirType like, int64_t rank,
                              const int64_t *shape) {
  return mlirRankedTensorTypeGet((intptr_t)rank, shape,
                                 mlirShapedTypeGetElementType(like),
                                 mlirAttributeGetNull());
}

static MlirValue make_shape(MlirOperation before, MlirLocation location,
                            int64_t rank, const int64_t *shape) {
  MlirContext context = mlirOperationGetContext(before);
  MlirType index = mlirIndexTypeGet(context);
  MlirAttribute extents[LUNA_TOSA_MAX_RANK];
  for (int64_t i = 0; i < rank; ++i)
    extents[i] = mlirIntegerAttrGet(index, shape[i]);
  MlirType list =
      mlirRankedTensorTypeGet(1, &rank, index, mlirAttributeGetNull());
  MlirNamedAttribute values =
      luna_named(context, "values",
                 mlirDenseElementsAttrGet(list, (intptr_t)rank, extents));
  char text[32];
  snprintf(text, sizeof text, "!tosa.shape<%d>", (int)rank);
  MlirType type = mlirTypeParseGet(context, luna_str(text));
  return make_value(before, &(LunaOpSpec){
                                .name = "tosa.const_shape",
                                .location = location,
                                .results = &type,
                                .result_count = 1,
                                .attributes = &values,
                                .attribute_count = 1,
                            });
}

MlirValue luna_tosa_make_reshape(MlirOperation before, MlirLocation location,
                                 MlirValue value, int64_t rank,
                                 const int64_t *shape) {
  MlirValue operands[2] = {value, make_shape(before, location, rank, shape)};
  MlirType type = luna_tosa_shape_like(mlirValueGetType(value), rank, shape);
  return make_value(before, &(LunaOpSpec){
                                .name = "tosa.reshape",
                                .location = location,
                                .operands = operands,
                                .operand_count = 2,
                                .results = &type,
                                .result_count = 1,
                            });
}

MlirValue luna_tosa_make_unit(MlirOperation before, const LunaTosaUnit *spec,
                              MlirType type) {
  MlirValue operands[5];
  for (intptr_t i = 0; i < spec->input_count; ++i)
    operands[i] = spec->inputs[i];
  operands[spec->input_count] =
      luna_tosa_make_empty(before, spec->location, type);
  return make_value(before, &(LunaOpSpec){
                                .name = spec->name,
                                .location = spec->location,
                                .operands = operands,
                                .operand_count = spec->input_count + 1,
                                .results = &type,
                                .result_count = 1,
                                .attributes = spec->attributes.items,
                                .attribute_count = spec->attributes.count,
                            });
}

void luna_tosa_replace(MlirOperation root, const LunaTosaUnit *spec) {
  MlirValue result = mlirOperationGetResult(root, 0);
  MlirValue unit = luna_tosa_make_unit(root, spec, mlirValueGetType(result));
  mlirValueReplaceAllUsesOfWith(result, unit);
}
