// luna-drop-unit-strides: gives slices of extent one the stride one.
//
// In: tensor.extract_slice and tensor.insert_slice, before bufferisation.
// Out: the same; in a dimension of which they take one element, whose stride
// has no meaning, it is one. Upstream's bufferisation looks for the dimensions
// that a slice drops by their strides, and finds others, or none.
// Example: lit_tests/passes/luna-drop-unit-strides/doc.mlir

#include "luna-c/builder.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"

static bool visit(MlirOperation op, void *data) {
  (void)data;
  if (!luna_op_is(op, LUNA_OP_TENSOR_EXTRACT_SLICE) &&
      !luna_op_is(op, LUNA_OP_TENSOR_INSERT_SLICE))
    return true;
  int64_t sizes[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
  MlirAttribute list = luna_attr(op, "static_sizes");
  intptr_t rank = mlirDenseArrayGetNumElements(list);
  if (!luna_attr_ints(op, "static_sizes", sizes, rank) ||
      !luna_attr_ints(op, "static_strides", strides, rank))
    return true;
  for (intptr_t i = 0; i < rank; ++i)
    if (sizes[i] == 1 && strides[i] != mlirShapedTypeGetDynamicStrideOrOffset())
      strides[i] = 1;
  luna_set_attr(op, "static_strides",
                luna_i64s_attr(mlirOperationGetContext(op), rank, strides));
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  luna_walk(func, visit, NULL);
  return mlirLogicalResultSuccess();
}

const LunaPassDesc luna_pass_drop_unit_strides = {
    .argument = "luna-drop-unit-strides",
    .summary = "Give slices of extent one the stride one",
    .anchor = "func.func",
    .run = run,
};
