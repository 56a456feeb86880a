#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
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

MlirValue luna_tosa_fill(const LunaBuilder *b, MlirType type, int64_t value) {
  const int32_t segments[] = {1, 1};
  MlirValue operands[] = {
      luna_scalar_int(b, mlirShapedTypeGetElementType(type), value),
      luna_build_empty(b, type),
  };
  LunaTosaAttrs attributes = {0};
  luna_tosa_add_segments(&attributes, b->context, segments, 2);
  MlirRegion body = mlirRegionCreate();
  MlirOperation op =
      luna_build_spec(b, &(LunaOpSpec){
                             .name = luna_op_name(LUNA_OP_LINALG_FILL),
                             .operands = operands,
                             .operand_count = 2,
                             .results = &type,
                             .result_count = 1,
                             .attributes = attributes.items,
                             .attribute_count = attributes.count,
                             .owned_regions = &body,
                             .region_count = 1,
                         });
  mlirLinalgFillBuiltinNamedOpRegion(op);
  return mlirOperationGetResult(op, 0);
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

bool luna_tosa_has_images(MlirValue value) {
  int64_t count = luna_tosa_dim(value, 0);
  return count >= 1 && count <= LUNA_TOSA_IMAGES_MAX;
}

// Image `n` of a value [N, H, W, C].
static MlirValue image_of(const LunaBuilder *b, MlirValue value, int64_t n) {
  LunaShape shape = luna_shape_of(value);
  int64_t start[LUNA_RANK_MAX] = {n};
  shape.dims[0] = 1;
  return luna_build_slice(b, value, start, shape.dims);
}

MlirValue luna_tosa_make_images(const LunaTosaUnit *spec, MlirType type) {
  MlirValue images[LUNA_TOSA_IMAGES_MAX];
  LunaShape shape = {(int)mlirShapedTypeGetRank(type), {0}};
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = mlirShapedTypeGetDimSize(type, i);
  int64_t count = shape.dims[0];
  shape.dims[0] = 1;
  MlirType image = luna_tensor_type(mlirShapedTypeGetElementType(type), &shape);
  for (int64_t n = 0; n < count; ++n) {
    LunaTosaUnit unit = *spec;
    unit.inputs[0] = image_of(&spec->builder, spec->inputs[0], n);
    images[n] = luna_tosa_make_unit(&unit, image);
  }
  return count == 1 ? images[0]
                    : luna_build_concat(&spec->builder, count, images, 0);
}

void luna_tosa_replace_images(MlirOperation root, const LunaTosaUnit *spec) {
  MlirValue result = mlirOperationGetResult(root, 0);
  mlirValueReplaceAllUsesOfWith(
      result, luna_tosa_make_images(spec, mlirValueGetType(result)));
}
