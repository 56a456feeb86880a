#include "tflite_generic.h"

#include "luna-c/ir.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

LunaGeneric luna_generic(LunaTosaBuilder *builder, int64_t rank,
                         const int64_t *shape) {
  LunaGeneric generic = {.builder = builder,
                         .outer = builder->block,
                         .body = mlirBlockCreate(0, NULL, NULL),
                         .rank = rank};
  for (int64_t d = 0; d < rank; ++d)
    generic.shape[d] = shape[d];
  builder->block = generic.body;
  return generic;
}

static MlirValue add_input(LunaGeneric *generic, MlirValue tensor,
                           MlirAffineMap map) {
  generic->inputs[generic->input_count] = tensor;
  generic->maps[generic->input_count++] = map;
  return mlirBlockAddArgument(generic->body, luna_tosa_element(tensor),
                              generic->builder->location);
}

MlirValue luna_generic_input_at(LunaGeneric *generic, MlirValue tensor,
                                const int *loops) {
  MlirContext context = generic->builder->context;
  MlirAffineExpr exprs[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_rank_of(tensor);
  for (int64_t d = 0; d < rank; ++d)
    exprs[d] = loops[d] < 0 ? mlirAffineConstantExprGet(context, -1 - loops[d])
                            : mlirAffineDimExprGet(context, loops[d]);
  return add_input(generic, tensor,
                   mlirAffineMapGet(context, (intptr_t)generic->rank, 0,
                                    (intptr_t)rank, exprs));
}

MlirValue luna_generic_input(LunaGeneric *generic, MlirValue tensor) {
  int loops[LUNA_TOSA_MAX_RANK];
  int64_t rank = luna_tosa_rank_of(tensor), missing = generic->rank - rank;
  for (int64_t d = 0; d < rank; ++d) {
    bool repeats =
        luna_tosa_extent(tensor, d) == 1 && generic->shape[missing + d] != 1;
    loops[d] = repeats ? -1 : (int)(missing + d);
  }
  return luna_generic_input_at(generic, tensor, loops);
}

void luna_generic_result(LunaGeneric *generic, MlirType element) {
  generic->results[generic->result_count++] =
      luna_tosa_type(element, generic->rank, generic->shape);
  mlirBlockAddArgument(generic->body, element, generic->builder->location);
}

MlirValue luna_generic_update(LunaGeneric *generic, MlirValue tensor) {
  MlirType element = luna_tosa_element(tensor);
  generic->inits[generic->result_count] = tensor;
  generic->results[generic->result_count++] = mlirValueGetType(tensor);
  return mlirBlockAddArgument(generic->body, element,
                              generic->builder->location);
}

MlirValue luna_generic_index(LunaGeneric *generic, int64_t dimension) {
  LunaTosaBuilder *builder = generic->builder;
  MlirNamedAttribute attribute = luna_tosa_named(
      builder, "dim", luna_i64_attr(builder->context, dimension));
  return luna_tosa_op(builder, "linalg.index", builder->index, 0, NULL, 1,
                      &attribute);
}

static void make_attributes(const LunaGeneric *generic,
                            MlirNamedAttribute attributes[3]) {
  const LunaTosaBuilder *builder = generic->builder;
  MlirContext context = builder->context;
  MlirAttribute maps[2 * LUNA_GENERIC_MAX], iterators[LUNA_TOSA_MAX_RANK];
  int count = 0;
  for (int i = 0; i < generic->input_count; ++i)
    maps[count++] = mlirAffineMapAttrGet(generic->maps[i]);
  for (int i = 0; i < generic->result_count; ++i)
    maps[count++] = mlirAffineMapAttrGet(
        mlirAffineMapMultiDimIdentityGet(context, (intptr_t)generic->rank));
  for (int64_t d = 0; d < generic->rank; ++d)
    iterators[d] = luna_tosa_parse(builder, "#linalg.iterator_type<parallel>");
  int32_t segments[2] = {generic->input_count, generic->result_count};
  attributes[0] = luna_tosa_named(builder, "indexing_maps",
                                  mlirArrayAttrGet(context, count, maps));
  attributes[1] = luna_tosa_named(
      builder, "iterator_types",
      mlirArrayAttrGet(context, (intptr_t)generic->rank, iterators));
  attributes[2] = luna_tosa_named(builder, "operandSegmentSizes",
                                  mlirDenseI32ArrayGet(context, 2, segments));
}

MlirOperation luna_generic_close(LunaGeneric *generic,
                                 const MlirValue *values) {
  LunaTosaBuilder *builder = generic->builder;
  LunaOpSpec yield = {.name = "linalg.yield",
                      .location = builder->location,
                      .operands = values,
                      .operand_count = generic->result_count};
  mlirBlockAppendOwnedOperation(generic->body, luna_build(&yield));
  builder->block = generic->outer;
  MlirValue operands[2 * LUNA_GENERIC_MAX];
  int count = 0;
  for (int i = 0; i < generic->input_count; ++i)
    operands[count++] = generic->inputs[i];
  for (int i = 0; i < generic->result_count; ++i)
    operands[count++] =
        mlirValueIsNull(generic->inits[i])
            ? luna_tosa_op(builder, "tensor.empty", generic->results[i], 0,
                           NULL, 0, NULL)
            : generic->inits[i];
  MlirNamedAttribute attributes[3];
  make_attributes(generic, attributes);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, generic->body);
  LunaOpSpec spec = {.name = "linalg.generic",
                     .location = builder->location,
                     .operands = operands,
                     .operand_count = count,
                     .results = generic->results,
                     .result_count = generic->result_count,
                     .attributes = attributes,
                     .attribute_count = 3,
                     .owned_regions = &region,
                     .region_count = 1};
  MlirOperation op = luna_build(&spec);
  mlirBlockAppendOwnedOperation(builder->block, op);
  return op;
}

MlirValue luna_generic_end(LunaGeneric *generic, MlirValue value) {
  return mlirOperationGetResult(luna_generic_close(generic, &value), 0);
}

//===----------------------------------------------------------------------===//
// Scalar ops
//===----------------------------------------------------------------------===//

static MlirValue constant(LunaTosaBuilder *builder, MlirAttribute value) {
  MlirNamedAttribute attribute = luna_tosa_named(builder, "value", value);
  return luna_tosa_op(builder, "arith.constant", mlirAttributeGetType(value), 0,
                      NULL, 1, &attribute);
}

MlirValue luna_scalar_int(LunaTosaBuilder *builder, MlirType type,
                          int64_t value) {
  return constant(builder, mlirIntegerAttrGet(type, value));
}

MlirValue luna_scalar_f32(LunaTosaBuilder *builder, double value) {
  return constant(
      builder, mlirFloatAttrDoubleGet(builder->context, builder->f32, value));
}

MlirValue luna_scalar(LunaTosaBuilder *builder, const char *name, MlirValue a,
                      MlirValue b) {
  MlirValue operands[2] = {a, b};
  return luna_tosa_op(builder, name, mlirValueGetType(a), 2, operands, 0, NULL);
}

MlirValue luna_scalar_to(LunaTosaBuilder *builder, const char *name,
                         MlirValue a, MlirType type) {
  return luna_tosa_op(builder, name, type, 1, &a, 0, NULL);
}

MlirValue luna_scalar_unary(LunaTosaBuilder *builder, const char *name,
                            MlirValue a) {
  return luna_scalar_to(builder, name, a, mlirValueGetType(a));
}

MlirValue luna_scalar_resize(LunaTosaBuilder *builder, MlirValue a,
                             MlirType type) {
  MlirType from = mlirValueGetType(a);
  if (mlirTypeEqual(from, type))
    return a;
  bool widens = mlirIntegerTypeGetWidth(from) < mlirIntegerTypeGetWidth(type);
  return luna_scalar_to(builder, widens ? "arith.extsi" : "arith.trunci", a,
                        type);
}

MlirValue luna_scalar_compare(LunaTosaBuilder *builder, LunaCompare how,
                              MlirValue a, MlirValue b) {
  // Predicates of arith.cmpf, ordered but for "not equal", and arith.cmpi.
  static const int64_t floats[] = {1, 13, 4, 5, 2, 3};
  static const int64_t integers[] = {0, 1, 2, 3, 4, 5};
  bool is_float = mlirTypeIsAF32(mlirValueGetType(a));
  MlirNamedAttribute attribute = luna_tosa_named(
      builder, "predicate",
      luna_i64_attr(builder->context, is_float ? floats[how] : integers[how]));
  MlirValue operands[2] = {a, b};
  return luna_tosa_op(builder, is_float ? "arith.cmpf" : "arith.cmpi",
                      builder->i1, 2, operands, 1, &attribute);
}

MlirValue luna_scalar_select(LunaTosaBuilder *builder, MlirValue condition,
                             MlirValue a, MlirValue b) {
  MlirValue operands[3] = {condition, a, b};
  return luna_tosa_op(builder, "arith.select", mlirValueGetType(a), 3, operands,
                      0, NULL);
}

MlirValue luna_scalar_clamp(LunaTosaBuilder *builder, MlirValue a, int64_t min,
                            int64_t max) {
  MlirType type = mlirValueGetType(a);
  a = luna_scalar(builder, "arith.maxsi", a,
                  luna_scalar_int(builder, type, min));
  return luna_scalar(builder, "arith.minsi", a,
                     luna_scalar_int(builder, type, max));
}

// By halves: where the upper half is empty, the lower one moves up.
MlirValue luna_scalar_leading_zeros(LunaTosaBuilder *builder, MlirValue a) {
  MlirType i32 = builder->i32;
  MlirValue zero = luna_scalar_int(builder, i32, 0), count = zero;
  for (int bits = 16; bits > 0; bits /= 2) {
    MlirValue high = luna_scalar(builder, "arith.shrui", a,
                                 luna_scalar_int(builder, i32, 32 - bits));
    MlirValue by = luna_scalar_select(
        builder, luna_scalar_compare(builder, LUNA_EQ, high, zero),
        luna_scalar_int(builder, i32, bits), zero);
    count = luna_scalar(builder, "arith.addi", count, by);
    a = luna_scalar(builder, "arith.shli", a, by);
  }
  return count;
}

MlirValue luna_scalar_lookup(LunaTosaBuilder *builder, MlirValue tensor,
                             MlirValue index) {
  MlirValue operands[2] = {tensor, index};
  return luna_tosa_op(builder, "tensor.extract", luna_tosa_element(tensor), 2,
                      operands, 0, NULL);
}

// Adds a right shift by a constant that is rounded to nearest, ties up.
static MlirValue shift_right(LunaTosaBuilder *builder, MlirValue value,
                             int amount) {
  MlirType type = mlirValueGetType(value);
  value =
      luna_scalar(builder, "arith.addi", value,
                  luna_scalar_int(builder, type, INT64_C(1) << (amount - 1)));
  return luna_scalar(builder, "arith.shrsi", value,
                     luna_scalar_int(builder, type, amount));
}

MlirValue luna_scalar_high_mul(LunaTosaBuilder *builder, MlirValue a,
                               MlirValue b) {
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  MlirValue product =
      luna_scalar(builder, "arith.muli", luna_scalar_resize(builder, a, i64),
                  luna_scalar_resize(builder, b, i64));
  return luna_scalar_resize(builder, shift_right(builder, product, 31),
                            builder->i32);
}

MlirValue luna_scalar_multiply(LunaTosaBuilder *builder, MlirValue value,
                               LunaMultiplier by) {
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  int left = by.shift > 0 ? by.shift : 0, right = by.shift > 0 ? 0 : -by.shift;
  MlirValue factor = luna_scalar_int(builder, i64, by.multiplier);
  value = luna_scalar_resize(builder, value, i64);
  if (left > 0)
    value = luna_scalar(builder, "arith.shli", value,
                        luna_scalar_int(builder, i64, left));
  value = luna_scalar(builder, "arith.muli", value, factor);
  value = shift_right(builder, value, 31);
  if (right > 0) {
    // Ties go away from zero.
    MlirValue sign = luna_scalar(builder, "arith.shrsi", value,
                                 luna_scalar_int(builder, i64, 63));
    value = luna_scalar(builder, "arith.addi", value, sign);
    value = shift_right(builder, value, right);
  }
  return luna_scalar_resize(builder, value, builder->i32);
}

MlirValue luna_scalar_saturate(LunaTosaBuilder *builder, MlirValue value,
                               MlirType element) {
  int64_t limit = INT64_C(1) << (mlirIntegerTypeGetWidth(element) - 1);
  return luna_scalar_resize(
      builder, luna_scalar_clamp(builder, value, -limit, limit - 1), element);
}

MlirValue luna_scalar_requantize(LunaTosaBuilder *builder, MlirValue value,
                                 LunaMultiplier by, int64_t zero_point,
                                 MlirType element) {
  value = luna_scalar_multiply(builder, value, by);
  if (zero_point != 0)
    value = luna_scalar(builder, "arith.addi", value,
                        luna_scalar_int(builder, builder->i32, zero_point));
  return luna_scalar_saturate(builder, value, element);
}
