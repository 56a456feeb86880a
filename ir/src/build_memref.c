#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirValue luna_build_alloc(MlirOperation before, MlirType type,
                           const char *kind) {
  MlirContext context = mlirOperationGetContext(before);
  const int32_t no_operands[] = {0, 0};
  MlirNamedAttribute attributes[2] = {
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 2, no_operands)),
  };
  if (kind)
    attributes[1] =
        luna_named(context, "luna.kind", luna_string_attr(context, kind));
  MlirOperation alloc = luna_build_before(
      before, &(LunaOpSpec){.name = "memref.alloc",
                            .location = mlirOperationGetLocation(before),
                            .results = &type,
                            .result_count = 1,
                            .attributes = attributes,
                            .attribute_count = kind ? 2 : 1});
  return mlirOperationGetResult(alloc, 0);
}

MlirOperation luna_build_copy(MlirOperation before, MlirValue from,
                              MlirValue to) {
  MlirValue operands[] = {from, to};
  return luna_build_before(
      before, &(LunaOpSpec){.name = "memref.copy",
                            .location = mlirOperationGetLocation(before),
                            .operands = operands,
                            .operand_count = 2});
}

MlirValue luna_build_index(MlirOperation before, int64_t value) {
  MlirContext context = mlirOperationGetContext(before);
  MlirType index = mlirIndexTypeGet(context);
  MlirNamedAttribute attribute =
      luna_named(context, "value", mlirIntegerAttrGet(index, value));
  MlirOperation op = luna_build_before(
      before, &(LunaOpSpec){.name = "arith.constant",
                            .location = mlirOperationGetLocation(before),
                            .results = &index,
                            .result_count = 1,
                            .attributes = &attribute,
                            .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

MlirValue luna_build_view(MlirOperation before, MlirValue buffer,
                          MlirValue shift, MlirType type) {
  MlirValue operands[] = {buffer, shift};
  MlirOperation view = luna_build_before(
      before, &(LunaOpSpec){.name = "memref.view",
                            .location = mlirOperationGetLocation(before),
                            .operands = operands,
                            .operand_count = 2,
                            .results = &type,
                            .result_count = 1});
  return mlirOperationGetResult(view, 0);
}

MlirValue luna_build_reinterpret(MlirOperation before, MlirValue memref,
                                 MlirType type) {
  MlirContext context = mlirOperationGetContext(before);
  int64_t offset = 0, sizes[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
  luna_memref_layout(type, &offset, strides);
  const int32_t segments[] = {1, 0, 0, 0};
  const MlirNamedAttribute attributes[] = {
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 4, segments)),
      luna_named(context, "static_offsets",
                 mlirDenseI64ArrayGet(context, 1, &offset)),
      luna_named(context, "static_sizes",
                 mlirDenseI64ArrayGet(context, rank, sizes)),
      luna_named(context, "static_strides",
                 mlirDenseI64ArrayGet(context, rank, strides)),
  };
  MlirOperation cast = luna_build_before(
      before, &(LunaOpSpec){.name = "memref.reinterpret_cast",
                            .location = mlirOperationGetLocation(before),
                            .operands = &memref,
                            .operand_count = 1,
                            .results = &type,
                            .result_count = 1,
                            .attributes = attributes,
                            .attribute_count = 4});
  return mlirOperationGetResult(cast, 0);
}

MlirValue luna_build_subview(MlirOperation before, MlirValue memref,
                             intptr_t dim, LunaStrided slice) {
  MlirType type = mlirValueGetType(memref);
  MlirContext context = mlirOperationGetContext(before);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t offsets[LUNA_RANK_MAX] = {0}, sizes[LUNA_RANK_MAX];
  int64_t steps[LUNA_RANK_MAX], strides[LUNA_RANK_MAX], origin = 0;
  luna_memref_layout(type, &origin, strides);
  for (intptr_t i = 0; i < rank; ++i) {
    sizes[i] = mlirShapedTypeGetDimSize(type, i);
    steps[i] = 1;
  }
  offsets[dim] = slice.first;
  sizes[dim] = slice.count;
  steps[dim] = slice.step;
  origin += slice.first * strides[dim];
  strides[dim] *= slice.step;
  MlirType result = mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(type), rank, sizes,
      mlirStridedLayoutAttrGet(context, origin, rank, strides),
      mlirMemRefTypeGetMemorySpace(type));
  const int32_t segments[] = {1, 0, 0, 0};
  MlirNamedAttribute attributes[] = {
      luna_named(context, "static_offsets",
                 mlirDenseI64ArrayGet(context, rank, offsets)),
      luna_named(context, "static_sizes",
                 mlirDenseI64ArrayGet(context, rank, sizes)),
      luna_named(context, "static_strides",
                 mlirDenseI64ArrayGet(context, rank, steps)),
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 4, segments)),
  };
  MlirOperation view = luna_build_before(
      before, &(LunaOpSpec){.name = "memref.subview",
                            .location = mlirOperationGetLocation(before),
                            .operands = &memref,
                            .operand_count = 1,
                            .results = &result,
                            .result_count = 1,
                            .attributes = attributes,
                            .attribute_count = 4});
  return mlirOperationGetResult(view, 0);
}
