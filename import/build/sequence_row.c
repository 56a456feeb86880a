#include "sequence_row.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_RANK = 8, MAX_ATTRIBUTES = 4 };

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute value) {
  return mlirNamedAttributeGet(
      mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)), value);
}

static MlirType row_type(MlirType sequence, int axis) {
  int64_t shape[MAX_RANK], rank = mlirShapedTypeGetRank(sequence);
  for (int64_t d = 0; d < rank; ++d)
    shape[d] = d == axis ? 1 : mlirShapedTypeGetDimSize(sequence, d);
  return mlirRankedTensorTypeGet(rank, shape,
                                 mlirShapedTypeGetElementType(sequence),
                                 mlirAttributeGetNull());
}

// Says that an extract_slice or insert_slice is about the row of this step.
static void set_bounds(MlirOperationState *state, MlirContext context,
                       MlirType row, int axis, bool is_insert) {
  int64_t offsets[MAX_RANK], sizes[MAX_RANK], strides[MAX_RANK];
  // Tensors, then how many offsets, sizes and strides are operands.
  static const int32_t segments[5] = {1, 1, 1, 0, 0};
  int64_t rank = mlirShapedTypeGetRank(row);
  for (int64_t d = 0; d < rank; ++d) {
    offsets[d] = d == axis ? mlirShapedTypeGetDynamicStrideOrOffset() : 0;
    sizes[d] = mlirShapedTypeGetDimSize(row, d);
    strides[d] = 1;
  }
  MlirNamedAttribute attributes[MAX_ATTRIBUTES] = {
      named(context, "operandSegmentSizes",
            mlirDenseI32ArrayGet(context, is_insert ? 5 : 4,
                                 segments + !is_insert)),
      named(context, "static_offsets",
            mlirDenseI64ArrayGet(context, rank, offsets)),
      named(context, "static_sizes",
            mlirDenseI64ArrayGet(context, rank, sizes)),
      named(context, "static_strides",
            mlirDenseI64ArrayGet(context, rank, strides)),
  };
  mlirOperationStateAddAttributes(state, MAX_ATTRIBUTES, attributes);
}

static MlirValue build(const LunaSequenceRow *row, const char *name,
                       MlirType row_type, MlirType result,
                       const MlirValue *operands, int count) {
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString(name), row->location);
  mlirOperationStateAddResults(&state, 1, &result);
  mlirOperationStateAddOperands(&state, count, operands);
  set_bounds(&state, mlirTypeGetContext(result), row_type, row->axis,
             count == 3);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(row->block, op);
  return mlirOperationGetResult(op, 0);
}

MlirValue luna_row_take(const LunaSequenceRow *row, MlirValue sequence) {
  MlirType type = row_type(mlirValueGetType(sequence), row->axis);
  MlirValue operands[2] = {sequence, row->at};
  return build(row, "tensor.extract_slice", type, type, operands, 2);
}

MlirValue luna_row_put(const LunaSequenceRow *row, MlirValue value,
                       MlirValue sequence) {
  MlirValue operands[3] = {value, sequence, row->at};
  return build(row, "tensor.insert_slice", mlirValueGetType(value),
               mlirValueGetType(sequence), operands, 3);
}
