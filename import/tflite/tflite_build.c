#include "tflite_build.h"

#include <stdio.h>
#include <string.h>

#include "luna-c/ir.h"

LunaTosaBuilder luna_tosa_builder(MlirContext context) {
  return (LunaTosaBuilder){
      .context = context,
      .location = mlirLocationUnknownGet(context),
      .i1 = mlirIntegerTypeGet(context, 1),
      .i8 = mlirIntegerTypeGet(context, 8),
      .i16 = mlirIntegerTypeGet(context, 16),
      .i32 = mlirIntegerTypeGet(context, 32),
      .i48 = mlirIntegerTypeGet(context, 48),
      .f32 = mlirF32TypeGet(context),
      .index = mlirIndexTypeGet(context),
  };
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

MlirType luna_tosa_type(MlirType element, int64_t rank, const int64_t *shape) {
  return mlirRankedTensorTypeGet((intptr_t)rank, shape, element,
                                 mlirAttributeGetNull());
}

MlirType luna_tosa_element(MlirValue value) {
  return mlirShapedTypeGetElementType(mlirValueGetType(value));
}

int64_t luna_tosa_rank_of(MlirValue value) {
  return mlirShapedTypeGetRank(mlirValueGetType(value));
}

int64_t luna_tosa_extent(MlirValue value, int64_t dimension) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(value), (intptr_t)dimension);
}

static int64_t shape_of_type(MlirType type, int64_t *shape) {
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t d = 0; d < rank && d < LUNA_TOSA_MAX_RANK; ++d)
    shape[d] = mlirShapedTypeGetDimSize(type, (intptr_t)d);
  return rank;
}

int64_t luna_tosa_shape_of(MlirValue value, int64_t *shape) {
  return shape_of_type(mlirValueGetType(value), shape);
}

MlirType luna_tosa_with_element(MlirType like, MlirType element) {
  int64_t shape[LUNA_TOSA_MAX_RANK];
  int64_t rank = shape_of_type(like, shape);
  return luna_tosa_type(element, rank, shape);
}

MlirNamedAttribute luna_tosa_named(const LunaTosaBuilder *builder,
                                   const char *name, MlirAttribute value) {
  return luna_named(builder->context, name, value);
}

MlirAttribute luna_tosa_i64s(const LunaTosaBuilder *builder, intptr_t count,
                             const int64_t *values) {
  return mlirDenseI64ArrayGet(builder->context, count, values);
}

MlirAttribute luna_tosa_i32_attr(const LunaTosaBuilder *builder,
                                 int64_t value) {
  return mlirIntegerAttrGet(builder->i32, value);
}

MlirAttribute luna_tosa_parse(const LunaTosaBuilder *builder,
                              const char *text) {
  return mlirAttributeParseGet(builder->context, luna_str(text));
}

//===----------------------------------------------------------------------===//
// Ops and constants
//===----------------------------------------------------------------------===//

MlirValue luna_tosa_op(LunaTosaBuilder *builder, const char *name,
                       MlirType result, intptr_t operand_count,
                       const MlirValue *operands, intptr_t attribute_count,
                       const MlirNamedAttribute *attributes) {
  LunaOpSpec spec = {
      .name = name,
      .location = builder->location,
      .operands = operands,
      .operand_count = operand_count,
      .results = &result,
      .result_count = 1,
      .attributes = attributes,
      .attribute_count = attribute_count,
  };
  MlirOperation op = luna_build(&spec);
  mlirBlockAppendOwnedOperation(builder->block, op);
  return mlirOperationGetResult(op, 0);
}

MlirValue luna_tosa_const(LunaTosaBuilder *builder, MlirAttribute elements) {
  MlirNamedAttribute values = luna_tosa_named(builder, "values", elements);
  return luna_tosa_op(builder, "tosa.const", mlirAttributeGetType(elements), 0,
                      NULL, 1, &values);
}

static MlirValue const_splat(LunaTosaBuilder *builder, MlirType type,
                             double value) {
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirAttribute one =
      mlirTypeIsAF32(element)
          ? mlirFloatAttrDoubleGet(builder->context, element, value)
          : mlirIntegerAttrGet(element, (int64_t)value);
  return luna_tosa_const(builder, mlirDenseElementsAttrSplatGet(type, one));
}

MlirValue luna_tosa_const_int(LunaTosaBuilder *builder, MlirType element,
                              int64_t value) {
  int64_t shape[1] = {1};
  return const_splat(builder, luna_tosa_type(element, 1, shape), (double)value);
}

MlirValue luna_tosa_scalar_like(LunaTosaBuilder *builder, MlirValue like,
                                MlirType element, double value) {
  int64_t shape[LUNA_TOSA_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  return const_splat(
      builder, luna_tosa_type(element, luna_tosa_rank_of(like), shape), value);
}

MlirValue luna_tosa_const_shape(LunaTosaBuilder *builder, int64_t count,
                                const int64_t *values) {
  int64_t shape[1] = {count};
  MlirType type = luna_tosa_type(builder->index, 1, shape);
  MlirNamedAttribute attribute = luna_tosa_named(
      builder, "values",
      mlirDenseElementsAttrInt64Get(type, (intptr_t)count, values));
  char text[40];
  LunaTosaBuilder *b = builder;
  snprintf(text, sizeof text, "!tosa.shape<%lld>", (long long)count);
  return luna_tosa_op(b, "tosa.const_shape",
                      mlirTypeParseGet(b->context, luna_str(text)), 0, NULL, 1,
                      &attribute);
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

MlirValue luna_tosa_reshape(LunaTosaBuilder *builder, MlirValue value,
                            int64_t rank, const int64_t *shape) {
  MlirType type = luna_tosa_type(luna_tosa_element(value), rank, shape);
  if (mlirTypeEqual(type, mlirValueGetType(value)))
    return value;
  MlirValue operands[2] = {value, luna_tosa_const_shape(builder, rank, shape)};
  return luna_tosa_op(builder, "tosa.reshape", type, 2, operands, 0, NULL);
}

MlirValue luna_tosa_raise_rank(LunaTosaBuilder *builder, MlirValue value,
                               int64_t rank) {
  int64_t old[LUNA_TOSA_MAX_RANK], raised[LUNA_TOSA_MAX_RANK];
  int64_t old_rank = luna_tosa_shape_of(value, old);
  if (old_rank >= rank)
    return value;
  for (int64_t d = 0; d < rank; ++d)
    raised[d] = d < rank - old_rank ? 1 : old[d - (rank - old_rank)];
  return luna_tosa_reshape(builder, value, rank, raised);
}

MlirValue luna_tosa_slice(LunaTosaBuilder *builder, MlirValue value,
                          const int64_t *start, const int64_t *size) {
  int64_t rank = luna_tosa_rank_of(value);
  MlirType type = luna_tosa_type(luna_tosa_element(value), rank, size);
  if (mlirTypeEqual(type, mlirValueGetType(value)))
    return value;
  MlirValue operands[3] = {value, luna_tosa_const_shape(builder, rank, start),
                           luna_tosa_const_shape(builder, rank, size)};
  return luna_tosa_op(builder, "tosa.slice", type, 3, operands, 0, NULL);
}

MlirValue luna_tosa_pad(LunaTosaBuilder *builder, MlirValue value,
                        const int64_t *pads, MlirValue pad_value) {
  int64_t shape[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_shape_of(value, shape);
  for (int64_t d = 0; d < rank; ++d)
    shape[d] += pads[2 * d] + pads[2 * d + 1];
  MlirType type = luna_tosa_type(luna_tosa_element(value), rank, shape);
  if (mlirTypeEqual(type, mlirValueGetType(value)))
    return value;
  MlirValue operands[3] = {
      value, luna_tosa_const_shape(builder, 2 * rank, pads), pad_value};
  return luna_tosa_op(builder, "tosa.pad", type, 3, operands, 0, NULL);
}

MlirValue luna_tosa_transpose(LunaTosaBuilder *builder, MlirValue value,
                              const int32_t *permutation) {
  int64_t old[LUNA_TOSA_MAX_RANK], shape[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_shape_of(value, old);
  for (int64_t d = 0; d < rank; ++d)
    shape[d] = old[permutation[d]];
  MlirNamedAttribute perms = luna_tosa_named(
      builder, "perms",
      mlirDenseI32ArrayGet(builder->context, (intptr_t)rank, permutation));
  return luna_tosa_op(builder, "tosa.transpose",
                      luna_tosa_type(luna_tosa_element(value), rank, shape), 1,
                      &value, 1, &perms);
}

MlirValue luna_tosa_concat(LunaTosaBuilder *builder, intptr_t count,
                           const MlirValue *values, int64_t axis) {
  if (count == 1)
    return values[0];
  int64_t shape[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_shape_of(values[0], shape);
  for (intptr_t i = 1; i < count; ++i)
    shape[axis] += luna_tosa_extent(values[i], axis);
  MlirNamedAttribute attribute =
      luna_tosa_named(builder, "axis", luna_tosa_i32_attr(builder, axis));
  return luna_tosa_op(builder, "tosa.concat",
                      luna_tosa_type(luna_tosa_element(values[0]), rank, shape),
                      count, values, 1, &attribute);
}

MlirValue luna_tosa_reduce(LunaTosaBuilder *builder, const char *name,
                           MlirValue value, int64_t axis) {
  int64_t shape[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_shape_of(value, shape);
  shape[axis] = 1;
  MlirNamedAttribute attribute =
      luna_tosa_named(builder, "axis", luna_tosa_i32_attr(builder, axis));
  return luna_tosa_op(builder, name,
                      luna_tosa_type(luna_tosa_element(value), rank, shape), 1,
                      &value, 1, &attribute);
}

MlirValue luna_tosa_reverse(LunaTosaBuilder *builder, MlirValue value,
                            int64_t axis) {
  MlirNamedAttribute attribute =
      luna_tosa_named(builder, "axis", luna_tosa_i32_attr(builder, axis));
  return luna_tosa_op(builder, "tosa.reverse", mlirValueGetType(value), 1,
                      &value, 1, &attribute);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

MlirValue luna_tosa_unary(LunaTosaBuilder *builder, const char *name,
                          MlirValue value) {
  return luna_tosa_op(builder, name, mlirValueGetType(value), 1, &value, 0,
                      NULL);
}

MlirValue luna_tosa_cast(LunaTosaBuilder *builder, MlirValue value,
                         MlirType element) {
  if (mlirTypeEqual(luna_tosa_element(value), element))
    return value;
  return luna_tosa_op(builder, "tosa.cast",
                      luna_tosa_with_element(mlirValueGetType(value), element),
                      1, &value, 0, NULL);
}

static MlirValue clamp(LunaTosaBuilder *builder, MlirValue value,
                       MlirAttribute min, MlirAttribute max) {
  MlirNamedAttribute attributes[2] = {
      luna_tosa_named(builder, "min_val", min),
      luna_tosa_named(builder, "max_val", max),
  };
  return luna_tosa_op(builder, "tosa.clamp", mlirValueGetType(value), 1, &value,
                      2, attributes);
}

MlirValue luna_tosa_clamp_int(LunaTosaBuilder *builder, MlirValue value,
                              int64_t min, int64_t max) {
  MlirType element = luna_tosa_element(value);
  int64_t limit = INT64_C(1) << (mlirIntegerTypeGetWidth(element) - 1);
  if (min <= -limit && max >= limit - 1)
    return value;
  return clamp(builder, value, mlirIntegerAttrGet(element, min),
               mlirIntegerAttrGet(element, max));
}

MlirValue luna_tosa_clamp_float(LunaTosaBuilder *builder, MlirValue value,
                                double min, double max) {
  return clamp(builder, value,
               mlirFloatAttrDoubleGet(builder->context, builder->f32, min),
               mlirFloatAttrDoubleGet(builder->context, builder->f32, max));
}

int64_t luna_tosa_broadcast_shape(MlirValue lhs, MlirValue rhs,
                                  int64_t *shape) {
  int64_t left = luna_tosa_rank_of(lhs), right = luna_tosa_rank_of(rhs);
  int64_t rank = left > right ? left : right;
  for (int64_t d = 1; d <= rank; ++d) {
    int64_t a = d <= left ? luna_tosa_extent(lhs, left - d) : 1;
    int64_t b = d <= right ? luna_tosa_extent(rhs, right - d) : 1;
    shape[rank - d] = a == 1 ? b : a;
  }
  return rank;
}

static MlirValue binary(LunaTosaBuilder *builder, const char *name,
                        MlirValue lhs, MlirValue rhs, MlirType element,
                        int shift) {
  int64_t left = luna_tosa_rank_of(lhs), right = luna_tosa_rank_of(rhs);
  MlirValue operands[3] = {
      luna_tosa_raise_rank(builder, lhs, right),
      luna_tosa_raise_rank(builder, rhs, left),
  };
  int64_t shape[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_broadcast_shape(lhs, rhs, shape);
  bool is_mul = strcmp(name, "tosa.mul") == 0;
  if (is_mul)
    operands[2] = luna_tosa_const_int(builder, builder->i8, shift);
  return luna_tosa_op(builder, name, luna_tosa_type(element, rank, shape),
                      is_mul ? 3 : 2, operands, 0, NULL);
}

MlirValue luna_tosa_binary(LunaTosaBuilder *builder, const char *name,
                           MlirValue lhs, MlirValue rhs, MlirType element) {
  return binary(builder, name, lhs, rhs, element, 0);
}

MlirValue luna_tosa_mul_shift(LunaTosaBuilder *builder, MlirValue lhs,
                              MlirValue rhs, int shift) {
  return binary(builder, "tosa.mul", lhs, rhs, builder->i32, shift);
}
