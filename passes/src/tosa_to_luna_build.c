#include "luna-c/ir_util.h"
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

// Groups the dimensions of a rank-4 shape into those of a rank-3 one.
static MlirAttribute fc_reassociation(MlirContext context) {
  MlirAttribute first[2] = {luna_i64_attr(context, 0),
                            luna_i64_attr(context, 1)};
  MlirAttribute second = luna_i64_attr(context, 2);
  MlirAttribute third = luna_i64_attr(context, 3);
  MlirAttribute groups[3] = {
      mlirArrayAttrGet(context, 2, first),
      mlirArrayAttrGet(context, 1, &second),
      mlirArrayAttrGet(context, 1, &third),
  };
  return mlirArrayAttrGet(context, 3, groups);
}

MlirValue luna_tosa_reshape_fc(MlirOperation before, MlirLocation location,
                               MlirValue value, bool expand) {
  MlirContext context = mlirOperationGetContext(before);
  int64_t channels = luna_tosa_dim(value, luna_tosa_rank(value) - 1);
  int64_t shape[4] = {1, 1, 1, channels};
  MlirType type =
      expand ? luna_tosa_shape_like(mlirValueGetType(value), 4, shape)
             : luna_tosa_shape_like(mlirValueGetType(value), 3, shape + 1);
  LunaTosaAttrs attributes = {0};
  luna_tosa_add_attr(&attributes, context, "reassociation",
                     fc_reassociation(context));
  if (expand)
    luna_tosa_add_attr(&attributes, context, "static_output_shape",
                       mlirDenseI64ArrayGet(context, 4, shape));
  return make_value(before, &(LunaOpSpec){
                                .name = expand ? "tensor.expand_shape"
                                               : "tensor.collapse_shape",
                                .location = location,
                                .operands = &value,
                                .operand_count = 1,
                                .results = &type,
                                .result_count = 1,
                                .attributes = attributes.items,
                                .attribute_count = attributes.count,
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
