// Where scales go that stand along dimensions, when an operator moves these.

#include "fuse_quantization.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Finds the dimensions [*from_end) of one shape and [*to_end) of another that
// hold equally many elements, from where they begin.
static bool next_group(MlirType from, MlirType to, intptr_t *from_end,
                       intptr_t *to_end) {
  int64_t a = 1, b = 1;
  intptr_t from_rank = (intptr_t)mlirShapedTypeGetRank(from);
  intptr_t to_rank = (intptr_t)mlirShapedTypeGetRank(to);
  do {
    if (a <= b && *from_end < from_rank)
      a *= mlirShapedTypeGetDimSize(from, (*from_end)++);
    else if (*to_end < to_rank)
      b *= mlirShapedTypeGetDimSize(to, (*to_end)++);
    else
      return false;
  } while (a != b);
  // Dimensions of 1 that follow belong here as well.
  while (*from_end < from_rank &&
         mlirShapedTypeGetDimSize(from, *from_end) == 1)
    ++*from_end;
  while (*to_end < to_rank && mlirShapedTypeGetDimSize(to, *to_end) == 1)
    ++*to_end;
  return true;
}

// The scales' shape after a reshape: each group of dimensions is one whose
// scales are all there, or one.
static bool reshape_scales(MlirType from, MlirType to, MlirType scales,
                           int64_t *shape) {
  intptr_t i = 0, k = 0;
  while (i < mlirShapedTypeGetRank(from) || k < mlirShapedTypeGetRank(to)) {
    intptr_t i_end = i, k_end = k;
    if (!next_group(from, to, &i_end, &k_end))
      return false;
    int64_t sizes = 1, given = 1;
    for (; i < i_end; ++i) {
      sizes *= mlirShapedTypeGetDimSize(from, i);
      given *= mlirShapedTypeGetDimSize(scales, i);
    }
    if (given != 1 && given != sizes)
      return false;
    for (; k < k_end; ++k)
      shape[k] = given == 1 ? 1 : mlirShapedTypeGetDimSize(to, k);
  }
  return true;
}

static MlirAttribute reshaped(MlirAttribute scales, intptr_t rank,
                              const int64_t *shape) {
  return mlirDenseElementsAttrReshapeGet(
      scales, mlirRankedTensorTypeGet(
                  rank, shape,
                  mlirShapedTypeGetElementType(mlirAttributeGetType(scales)),
                  mlirAttributeGetNull()));
}

// At most one dimension has scales: moving dimensions about leaves their order.
static bool transpose_scales(MlirOperation op, MlirType scales,
                             int64_t *shape) {
  int64_t perms[LUNA_RANK_MAX];
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(scales), last = -1;
  if (!luna_attr_ints(op, "perms", perms, rank))
    return false;
  for (intptr_t i = 0; i < rank; ++i) {
    shape[i] = mlirShapedTypeGetDimSize(scales, (intptr_t)perms[i]);
    if (shape[i] == 1)
      continue;
    if (perms[i] < last)
      return false;
    last = (intptr_t)perms[i];
  }
  return true;
}

static int64_t slice_start(MlirOperation op, intptr_t dimension) {
  MlirOperation starts = luna_defining_op(mlirOperationGetOperand(op, 1));
  if (!luna_op_is(starts, LUNA_OP_TOSA_CONST_SHAPE))
    return -1;
  return (int64_t)mlirDenseElementsAttrGetIndexValue(
      luna_attr(starts, "values"), dimension);
}

// A slice of the only dimension that has scales.
static MlirAttribute slice_scales(MlirOperation op, const LunaQuant *quant) {
  MlirType type = mlirAttributeGetType(quant->scales);
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t shape[LUNA_RANK_MAX], start = 0;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type), along = -1;
  for (intptr_t i = 0; i < rank; ++i) {
    shape[i] = mlirShapedTypeGetDimSize(type, i);
    if (shape[i] == 1)
      continue;
    if (along >= 0)
      return mlirAttributeGetNull();
    along = i;
    start = slice_start(op, i);
    shape[i] = mlirShapedTypeGetDimSize(to, i);
  }
  if (along < 0 || start < 0 ||
      start + shape[along] > mlirShapedTypeGetDimSize(type, along))
    return mlirAttributeGetNull();
  const float *all = mlirDenseElementsAttrGetRawData(quant->scales);
  return mlirDenseElementsAttrFloatGet(
      mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                              mlirAttributeGetNull()),
      (intptr_t)shape[along], all + start);
}

// The scales of the result where those of the operand go along dimensions; null
// where `op` mixes them.
MlirAttribute luna_quant_moved_scales(MlirOperation op,
                                      const LunaQuant *quant) {
  MlirType scales = mlirAttributeGetType(quant->scales);
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int64_t shape[LUNA_RANK_MAX];
  bool is_reshape = luna_op_is(op, LUNA_OP_TOSA_RESHAPE);
  if (luna_op_is(op, LUNA_OP_TOSA_SLICE))
    return slice_scales(op, quant);
  if (is_reshape ? !reshape_scales(from, to, scales, shape)
                 : !luna_op_is(op, LUNA_OP_TOSA_TRANSPOSE) ||
                       !transpose_scales(op, scales, shape))
    return mlirAttributeGetNull();
  return reshaped(quant->scales, (intptr_t)mlirShapedTypeGetRank(to), shape);
}
