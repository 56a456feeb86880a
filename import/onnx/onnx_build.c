// Building ops: tosa and tensor ops, linalg.generic.

#include "onnx.h"

#include <string.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Ops and attributes
//===----------------------------------------------------------------------===//

MlirOperation onnx_emit_op(OnnxImport *c, const char *name,
                           const MlirType *result_types, int type_count,
                           const MlirValue *operands, int operand_count,
                           const OnnxAttr *attrs, int attr_count,
                           MlirRegion *regions, int region_count) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), c->location);
  mlirOperationStateAddResults(&state, type_count, result_types);
  mlirOperationStateAddOperands(&state, operand_count, operands);
  mlirOperationStateAddOwnedRegions(&state, region_count, regions);
  for (int i = 0; i < attr_count; ++i) {
    MlirNamedAttribute named = mlirNamedAttributeGet(
        mlirIdentifierGet(c->context,
                          mlirStringRefCreateFromCString(attrs[i].name)),
        attrs[i].value);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(c->block, op);
  return op;
}

MlirValue onnx_emit(OnnxImport *c, const char *name, MlirType type,
                    const MlirValue *operands, int operand_count,
                    const OnnxAttr *attrs, int attr_count) {
  return mlirOperationGetResult(onnx_emit_op(c, name, &type, 1, operands,
                                             operand_count, attrs, attr_count,
                                             NULL, 0),
                                0);
}

MlirAttribute onnx_i64_attr(OnnxImport *c, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(c->context, 64), value);
}

MlirAttribute onnx_i32_attr(OnnxImport *c, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(c->context, 32), value);
}

MlirAttribute onnx_i64s_attr(OnnxImport *c, const int64_t *values, int count) {
  return mlirDenseI64ArrayGet(c->context, count, values);
}

MlirAttribute onnx_parse_attr(OnnxImport *c, const char *text) {
  return mlirAttributeParseGet(c->context,
                               mlirStringRefCreateFromCString(text));
}

MlirType onnx_index_type(OnnxImport *c) { return mlirIndexTypeGet(c->context); }

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static MlirAttribute bool_elements(OnnxImport *c, MlirType type,
                                   const uint8_t *data, int64_t count) {
  int *values = LUNA_ARENA_ARRAY(c->arena, int, count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = data[i] != 0;
  return mlirDenseElementsAttrBoolGet(type, (intptr_t)count, values);
}

MlirValue onnx_const(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                     const void *data) {
  MlirType tensor = onnx_tensor_type(c, type, shape);
  int64_t count = onnx_elems(shape);
  MlirAttribute values =
      type == ONNX_BOOL
          ? bool_elements(c, tensor, data, count)
          : mlirDenseElementsAttrRawBufferGet(
                tensor, (size_t)(count * onnx_type_bytes(type)), data);
  OnnxAttr attr = {"values", values};
  return onnx_emit(c, "tosa.const", tensor, NULL, 0, &attr, 1);
}

MlirValue onnx_splat(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                     double value) {
  MlirType tensor = onnx_tensor_type(c, type, shape);
  MlirType element = onnx_element_type(c, type);
  int64_t bits =
      value >= 0x1p63 || onnx_is_float(type) ? INT64_MAX : (int64_t)value;
  MlirAttribute scalar =
      onnx_is_float(type) ? mlirFloatAttrDoubleGet(c->context, element, value)
                          : mlirIntegerAttrGet(element, bits);
  OnnxAttr attr = {"values", mlirDenseElementsAttrSplatGet(tensor, scalar)};
  return onnx_emit(c, "tosa.const", tensor, NULL, 0, &attr, 1);
}

MlirValue onnx_empty(OnnxImport *c, OnnxType type, const OnnxShape *shape) {
  return onnx_emit(c, "tensor.empty", onnx_tensor_type(c, type, shape), NULL, 0,
                   NULL, 0);
}

MlirValue onnx_const_shape(OnnxImport *c, const int64_t *values, int count) {
  int64_t dims[1] = {count};
  MlirType tensor = mlirRankedTensorTypeGet(1, dims, onnx_index_type(c),
                                            mlirAttributeGetNull());
  OnnxAttr attr = {"values",
                   mlirDenseElementsAttrRawBufferGet(
                       tensor, (size_t)count * sizeof *values, values)};
  const char *text = luna_arena_printf(c->arena, "!tosa.shape<%d>", count);
  MlirType type =
      mlirTypeParseGet(c->context, mlirStringRefCreateFromCString(text));
  return onnx_emit(c, "tosa.const_shape", type, NULL, 0, &attr, 1);
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

MlirValue onnx_reshape(OnnxImport *c, MlirValue value, OnnxType type,
                       const OnnxShape *shape) {
  MlirType tensor = onnx_tensor_type(c, type, shape);
  if (mlirTypeEqual(mlirValueGetType(value), tensor))
    return value;
  MlirValue operands[2] = {value,
                           onnx_const_shape(c, shape->dims, shape->rank)};
  return onnx_emit(c, "tosa.reshape", tensor, operands, 2, NULL, 0);
}

MlirValue onnx_transpose(OnnxImport *c, MlirValue value, OnnxType type,
                         const OnnxShape *from, const int *perm,
                         OnnxShape *to) {
  int32_t perms[ONNX_MAX_RANK];
  bool identity = true;
  to->rank = from->rank;
  // Dimensions of size 1 move freely: a move of those alone is a reshape.
  int last = -1;
  bool in_order = true;
  for (int i = 0; i < from->rank; ++i) {
    perms[i] = perm[i];
    to->dims[i] = from->dims[perm[i]];
    identity = identity && perm[i] == i;
    if (from->dims[perm[i]] == 1)
      continue;
    in_order = in_order && perm[i] > last;
    last = perm[i];
  }
  if (identity)
    return value;
  if (in_order)
    return onnx_reshape(c, value, type, to);
  OnnxAttr attr = {"perms",
                   mlirDenseI32ArrayGet(c->context, from->rank, perms)};
  return onnx_emit(c, "tosa.transpose", onnx_tensor_type(c, type, to), &value,
                   1, &attr, 1);
}

static MlirValue strided_slice(OnnxImport *c, MlirValue value, OnnxType type,
                               const OnnxShape *sizes, const int64_t *starts,
                               const int64_t *steps) {
  int32_t segments[4] = {1, 0, 0, 0};
  OnnxAttr attrs[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(c->context, 4, segments)},
      {"static_offsets", onnx_i64s_attr(c, starts, sizes->rank)},
      {"static_sizes", onnx_i64s_attr(c, sizes->dims, sizes->rank)},
      {"static_strides", onnx_i64s_attr(c, steps, sizes->rank)},
  };
  return onnx_emit(c, "tensor.extract_slice", onnx_tensor_type(c, type, sizes),
                   &value, 1, attrs, 4);
}

MlirValue onnx_slice(OnnxImport *c, MlirValue value, OnnxType type,
                     const OnnxShape *sizes, const int64_t *starts,
                     const int64_t *steps) {
  if (mlirTypeEqual(mlirValueGetType(value), onnx_tensor_type(c, type, sizes)))
    return value;
  for (int i = 0; steps && i < sizes->rank; ++i)
    if (steps[i] != 1)
      return strided_slice(c, value, type, sizes, starts, steps);
  MlirValue operands[3] = {value, onnx_const_shape(c, starts, sizes->rank),
                           onnx_const_shape(c, sizes->dims, sizes->rank)};
  return onnx_emit(c, "tosa.slice", onnx_tensor_type(c, type, sizes), operands,
                   3, NULL, 0);
}

MlirValue onnx_concat(OnnxImport *c, const MlirValue *values, int count,
                      OnnxType type, const OnnxShape *shape, int axis) {
  if (count == 1)
    return values[0];
  OnnxAttr attr = {"axis", onnx_i32_attr(c, axis)};
  return onnx_emit(c, "tosa.concat", onnx_tensor_type(c, type, shape), values,
                   count, &attr, 1);
}

MlirValue onnx_pad(OnnxImport *c, MlirValue value, OnnxType type,
                   const OnnxShape *shape, const int64_t *low,
                   const int64_t *high, double fill) {
  int64_t pads[2 * ONNX_MAX_RANK];
  OnnxShape out = *shape, one = onnx_shape(1, (int64_t[]){1});
  bool any = false;
  for (int i = 0; i < shape->rank; ++i) {
    pads[2 * i] = low[i];
    pads[2 * i + 1] = high[i];
    out.dims[i] += low[i] + high[i];
    any = any || low[i] || high[i];
  }
  if (!any)
    return value;
  MlirValue operands[3] = {value, onnx_const_shape(c, pads, 2 * shape->rank),
                           onnx_splat(c, type, &one, fill)};
  return onnx_emit(c, "tosa.pad", onnx_tensor_type(c, type, &out), operands, 3,
                   NULL, 0);
}

MlirValue onnx_extract(OnnxImport *c, MlirValue tensor, int rank) {
  MlirValue index[ONNX_MAX_RANK];
  for (int i = 0; i < rank; ++i)
    index[i] = onnx_lit_index(c, 0);
  return onnx_tensor_extract(
      c, tensor, index, rank,
      mlirShapedTypeGetElementType(mlirValueGetType(tensor)));
}

MlirValue onnx_tensor_extract(OnnxImport *c, MlirValue tensor,
                              const MlirValue *index, int rank,
                              MlirType element) {
  MlirValue operands[ONNX_MAX_RANK + 1] = {tensor};
  for (int i = 0; i < rank; ++i)
    operands[i + 1] = index[i];
  return onnx_emit(c, "tensor.extract", element, operands, rank + 1, NULL, 0);
}

MlirValue onnx_from_scalar(OnnxImport *c, MlirValue scalar,
                           const OnnxShape *shape, OnnxType type) {
  return onnx_emit(c, "tensor.from_elements", onnx_tensor_type(c, type, shape),
                   &scalar, 1, NULL, 0);
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

MlirAffineMap onnx_identity_map(OnnxImport *c, int rank) {
  return mlirAffineMapMultiDimIdentityGet(c->context, rank);
}

MlirAffineMap onnx_select_map(OnnxImport *c, int loop_count, const int *list,
                              int count) {
  MlirAffineExpr exprs[2 * ONNX_MAX_RANK];
  for (int i = 0; i < count; ++i)
    exprs[i] = list[i] < 0 ? mlirAffineConstantExprGet(c->context, 0)
                           : mlirAffineDimExprGet(c->context, list[i]);
  return mlirAffineMapGet(c->context, loop_count, 0, count, exprs);
}

MlirAffineMap onnx_broadcast_map(OnnxImport *c, const OnnxShape *from,
                                 const OnnxShape *to) {
  int list[ONNX_MAX_RANK];
  int shift = to->rank - from->rank;
  for (int i = 0; i < from->rank; ++i)
    list[i] = from->dims[i] == 1 && to->dims[i + shift] != 1 ? -1 : i + shift;
  return onnx_select_map(c, to->rank, list, from->rank);
}

void onnx_loop_begin(OnnxImport *c, OnnxLoop *loop) {
  loop->outer = c->block;
  loop->body = mlirBlockCreate(0, NULL, NULL);
  int count = 0;
  for (int i = 0; i < loop->input_count + loop->result_count; ++i) {
    MlirValue tensor = i < loop->input_count
                           ? loop->inputs[i]
                           : loop->inits[i - loop->input_count];
    loop->args[count++] = mlirBlockAddArgument(
        loop->body, mlirShapedTypeGetElementType(mlirValueGetType(tensor)),
        c->location);
  }
  c->block = loop->body;
}

static MlirAttribute loop_maps(OnnxImport *c, const OnnxLoop *loop) {
  MlirAttribute maps[8];
  int count = 0;
  for (int i = 0; i < loop->input_count; ++i)
    maps[count++] = mlirAffineMapAttrGet(loop->maps[i]);
  for (int i = 0; i < loop->result_count; ++i)
    maps[count++] = mlirAffineMapAttrGet(loop->init_maps[i]);
  return mlirArrayAttrGet(c->context, count, maps);
}

static MlirAttribute loop_iterators(OnnxImport *c, const OnnxLoop *loop) {
  MlirAttribute kinds[2 * ONNX_MAX_RANK];
  MlirAttribute parallel =
      onnx_parse_attr(c, "#linalg.iterator_type<parallel>");
  MlirAttribute reduction =
      onnx_parse_attr(c, "#linalg.iterator_type<reduction>");
  for (int i = 0; i < loop->loop_count; ++i)
    kinds[i] = loop->reduces[i] ? reduction : parallel;
  return mlirArrayAttrGet(c->context, loop->loop_count, kinds);
}

MlirOperation onnx_loop_end(OnnxImport *c, OnnxLoop *loop,
                            const MlirValue *yields) {
  onnx_emit_op(c, "linalg.yield", NULL, 0, yields, loop->result_count, NULL, 0,
               NULL, 0);
  c->block = loop->outer;
  MlirValue operands[8];
  MlirType result_types[2];
  int32_t segments[2] = {loop->input_count, loop->result_count};
  for (int i = 0; i < loop->input_count; ++i)
    operands[i] = loop->inputs[i];
  for (int i = 0; i < loop->result_count; ++i) {
    operands[loop->input_count + i] = loop->inits[i];
    result_types[i] = mlirValueGetType(loop->inits[i]);
  }
  OnnxAttr attrs[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(c->context, 2, segments)},
      {"indexing_maps", loop_maps(c, loop)},
      {"iterator_types", loop_iterators(c, loop)},
  };
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, loop->body);
  return onnx_emit_op(c, "linalg.generic", result_types, loop->result_count,
                      operands, loop->input_count + loop->result_count, attrs,
                      3, &region, 1);
}

MlirValue onnx_generate(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                        OnnxElement element, void *data) {
  OnnxLoop loop = {
      .loop_count = shape->rank,
      .result_count = 1,
      .inits = {onnx_empty(c, type, shape)},
      .init_maps = {onnx_identity_map(c, shape->rank)},
  };
  onnx_loop_begin(c, &loop);
  MlirValue index[ONNX_MAX_RANK];
  for (int i = 0; i < shape->rank; ++i) {
    OnnxAttr dim = {"dim", onnx_i64_attr(c, i)};
    index[i] =
        onnx_emit(c, "linalg.index", onnx_index_type(c), NULL, 0, &dim, 1);
  }
  MlirValue value = element(c, index, data);
  return mlirOperationGetResult(onnx_loop_end(c, &loop, &value), 0);
}
