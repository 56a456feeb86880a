#include "list_values.h"

#include "luna-c/build_tosa.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

int64_t luna_list_elements(MlirValue value) {
  LunaShape shape = luna_shape_of(value);
  int64_t count = 1;
  for (int d = 0; d < shape.rank; ++d)
    if (!luna_checked_mul(count, shape.dims[d], &count))
      return -1;
  return count;
}

void luna_list_unpack(const LunaBuilder *b, MlirValue list, MlirValue old) {
  LunaShape shape = luna_shape_of(old);
  int64_t start = 0, size = luna_list_elements(old);
  if (!luna_is_used(old))
    return;
  MlirValue part = luna_build_slice(b, list, &start, &size);
  for (MlirOpOperand use = mlirValueGetFirstUse(old);
       !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (luna_op_is(user, LUNA_OP_TOSA_RESHAPE))
      mlirOperationSetOperand(user, 0, part);
    use = next;
  }
  if (luna_is_used(old))
    mlirValueReplaceAllUsesOfWith(old, luna_build_reshape(b, part, &shape));
}

MlirValue luna_list_flatten(const LunaBuilder *b, MlirValue value) {
  LunaShape list = {1, {luna_list_elements(value)}};
  MlirOperation op = luna_defining_op(value);
  if (luna_op_is(op, LUNA_OP_TOSA_RESHAPE))
    value = mlirOperationGetOperand(op, 0);
  return luna_build_reshape(b, value, &list);
}

MlirValue luna_list_start(const LunaBuilder *b, MlirValue list, int64_t count) {
  MlirType type = mlirValueGetType(list);
  int64_t zero = 0, one = 1;
  if (mlirShapedTypeGetDimSize(type, 0) == count)
    return list;
  const LunaAttr attributes[] = {
      {"static_offsets", luna_i64s_attr(b->context, 1, &zero)},
      {"static_sizes", luna_i64s_attr(b->context, 1, &count)},
      {"static_strides", luna_i64s_attr(b->context, 1, &one)},
      {"operandSegmentSizes",
       luna_i32s_attr(b->context, 4, (const int32_t[]){1, 0, 0, 0})},
  };
  MlirType start = mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(type), 1, &count,
      mlirStridedLayoutAttrGet(b->context, 0, 1, &one), mlirAttributeGetNull());
  return luna_build_op(b, "memref.subview", start, 1, &list, 4, attributes);
}
