// Where sizes meet tensors: casts, dimensions and tensors of a size.

#include "valid_rules.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"

// From a known size to an open one, all is valid; back, the program says that
// so much is.
bool luna_valid_rule_cast(LunaValidLengths *lengths, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  const LunaValidLength *valid = luna_valid_find(lengths, source);
  LunaBuilder b = luna_builder_before(op, op);
  LunaValidLength own = {.axis = luna_valid_open_axis(type)};
  bool is_open = !mlirShapedTypeHasStaticShape(type);
  if (is_open && !valid && own.axis < 0)
    return luna_valid_refuse_axis(lengths, -1);
  if (!valid)
    own.count = luna_scalar_index(&b, luna_extent(source, own.axis));
  else
    own = *valid;
  if (is_open) {
    luna_valid_give(lengths, op, 0, &own, own.axis,
                    luna_extent(source, own.axis));
    return true;
  }
  int64_t extent = mlirShapedTypeGetDimSize(type, own.axis);
  if (extent > luna_extent(source, own.axis))
    return luna_valid_refuse(lengths, valid,
                             "it has more elements than its bound");
  luna_valid_replace(lengths, op, 0,
                     luna_valid_fit(&b, source, own.axis, extent));
  return true;
}

// tensor.dim, and tosa.dim of a shape, which is no number yet.
bool luna_valid_rule_dim(LunaValidLengths *lengths, MlirOperation op) {
  const LunaValidLength *valid =
      luna_valid_find(lengths, mlirOperationGetOperand(op, 0));
  int64_t axis;
  if (!valid)
    return luna_valid_refuse_axis(lengths, 0);
  if (!luna_op_is(op, LUNA_OP_TENSOR_DIM) ||
      !luna_constant_number(mlirOperationGetOperand(op, 1), &axis))
    return luna_valid_refuse(lengths, valid,
                             "this operator is not supported for it");
  LunaBuilder b = luna_builder_before(op, op);
  luna_valid_replace(
      lengths, op, 0,
      axis == valid->axis
          ? valid->count
          : luna_scalar_index(&b, luna_extent(valid->value, axis)));
  return true;
}

// A tensor of the size of another has its bound.
bool luna_valid_rule_empty(LunaValidLengths *lengths, MlirOperation op) {
  int axis =
      luna_valid_open_axis(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (axis < 0 || mlirOperationGetNumOperands(op) != 1)
    return luna_valid_refuse_axis(lengths, axis);
  MlirValue count = mlirOperationGetOperand(op, 0);
  for (uint64_t i = 0; i < lengths->items.count; ++i) {
    LunaValidLength like = lengths->items.items[i];
    if (!luna_valid_same(&like,
                         &(LunaValidLength){.count = count, .stated = count}))
      continue;
    LunaBuilder b = luna_builder_before(op, op);
    LunaShape shape = luna_shape_of(mlirOperationGetResult(op, 0));
    shape.dims[axis] = luna_extent(like.value, like.axis);
    MlirType element = luna_element_of(mlirOperationGetResult(op, 0));
    MlirValue made = luna_build_empty(&b, luna_tensor_type(element, &shape));
    luna_valid_set(lengths, made, &like, axis);
    luna_valid_replace(lengths, op, 0, made);
    return true;
  }
  return luna_valid_refuse_axis(lengths, axis);
}
