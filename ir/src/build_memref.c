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
  return luna_build_value_with(before, "memref.alloc", type, 0, NULL,
                               kind ? 2 : 1, attributes);
}

MlirOperation luna_build_copy(MlirOperation before, MlirValue from,
                              MlirValue to) {
  MlirValue operands[] = {from, to};
  return luna_build_before(before, &(LunaOpSpec){.name = "memref.copy",
                                                 .operands = operands,
                                                 .operand_count = 2});
}

MlirValue luna_build_index(MlirOperation before, int64_t value) {
  MlirContext context = mlirOperationGetContext(before);
  MlirType index = mlirIndexTypeGet(context);
  MlirNamedAttribute attribute =
      luna_named(context, "value", mlirIntegerAttrGet(index, value));
  return luna_build_value_with(before, "arith.constant", index, 0, NULL, 1,
                               &attribute);
}

MlirValue luna_build_view(MlirOperation before, MlirValue buffer,
                          MlirValue shift, MlirType type) {
  MlirValue operands[] = {buffer, shift};
  return luna_build_value(before, "memref.view", type, 2, operands);
}

// How a memref of other strides lies in the one that it is made of.
typedef struct Strided {
  intptr_t offset_count, rank;
  int64_t offsets[LUNA_RANK_MAX], sizes[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
} Strided;

// Builds `name`, whose offsets, sizes and strides are all attributes.
static MlirValue build_strided(MlirOperation before, const char *name,
                               MlirValue memref, const Strided *how,
                               MlirType type) {
  MlirContext context = mlirOperationGetContext(before);
  const int32_t segments[] = {1, 0, 0, 0};
  const MlirNamedAttribute attributes[] = {
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 4, segments)),
      luna_named(
          context, "static_offsets",
          mlirDenseI64ArrayGet(context, how->offset_count, how->offsets)),
      luna_named(context, "static_sizes",
                 mlirDenseI64ArrayGet(context, how->rank, how->sizes)),
      luna_named(context, "static_strides",
                 mlirDenseI64ArrayGet(context, how->rank, how->strides)),
  };
  return luna_build_value_with(before, name, type, 1, &memref, 4, attributes);
}

MlirValue luna_build_reinterpret(MlirOperation before, MlirValue memref,
                                 MlirType type) {
  Strided how = {.offset_count = 1, .rank = mlirShapedTypeGetRank(type)};
  for (intptr_t i = 0; i < how.rank; ++i)
    how.sizes[i] = mlirShapedTypeGetDimSize(type, i);
  luna_memref_layout(type, how.offsets, how.strides);
  return build_strided(before, "memref.reinterpret_cast", memref, &how, type);
}

MlirValue luna_build_subview(MlirOperation before, MlirValue memref,
                             intptr_t dim, LunaStrided slice) {
  MlirType type = mlirValueGetType(memref);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t strides[LUNA_RANK_MAX], origin = 0;
  Strided how = {.offset_count = rank, .rank = rank};
  luna_memref_layout(type, &origin, strides);
  for (intptr_t i = 0; i < rank; ++i) {
    how.sizes[i] = mlirShapedTypeGetDimSize(type, i);
    how.strides[i] = 1;
  }
  how.offsets[dim] = slice.first;
  how.sizes[dim] = slice.count;
  how.strides[dim] = slice.step;
  origin += slice.first * strides[dim];
  strides[dim] *= slice.step;
  MlirType result = mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(type), rank, how.sizes,
      mlirStridedLayoutAttrGet(mlirTypeGetContext(type), origin, rank, strides),
      mlirMemRefTypeGetMemorySpace(type));
  return build_strided(before, "memref.subview", memref, &how, result);
}
