// Where sizes meet tensors: casts, dimensions and tensors of a size.

#include "live_rules.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"

// From a known size to an open one, all is live; back, the program says that so
// much is.
bool luna_live_rule_cast(LunaLives *lives, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  const LunaLive *live = luna_live_find(lives, source);
  LunaBuilder b = luna_builder_before(op, op);
  LunaLive own = {.axis = luna_live_open_axis(type)};
  bool is_open = !mlirShapedTypeHasStaticShape(type);
  if (is_open && !live && own.axis < 0)
    return luna_live_refuse_axis(lives, -1);
  if (!live)
    own.count = luna_scalar_index(&b, luna_extent(source, own.axis));
  else
    own = *live;
  if (is_open) {
    luna_live_give(lives, op, 0, &own, own.axis, luna_extent(source, own.axis));
    return true;
  }
  int64_t extent = mlirShapedTypeGetDimSize(type, own.axis);
  if (extent > luna_extent(source, own.axis))
    return luna_live_refuse(lives, live, "it has more elements than its bound");
  luna_live_replace(lives, op, 0, luna_live_fit(&b, source, own.axis, extent));
  return true;
}

// tensor.dim, and tosa.dim of a shape, which is no number yet.
bool luna_live_rule_dim(LunaLives *lives, MlirOperation op) {
  const LunaLive *live = luna_live_find(lives, mlirOperationGetOperand(op, 0));
  int64_t axis;
  if (!live)
    return luna_live_refuse_axis(lives, 0);
  if (!luna_op_is(op, LUNA_OP_TENSOR_DIM) ||
      !luna_constant_number(mlirOperationGetOperand(op, 1), &axis))
    return luna_live_refuse(lives, live,
                            "this operator is not supported for it");
  LunaBuilder b = luna_builder_before(op, op);
  luna_live_replace(
      lives, op, 0,
      axis == live->axis
          ? live->count
          : luna_scalar_index(&b, luna_extent(live->value, axis)));
  return true;
}

// A tensor of the size of another has its bound.
bool luna_live_rule_empty(LunaLives *lives, MlirOperation op) {
  int axis =
      luna_live_open_axis(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (axis < 0 || mlirOperationGetNumOperands(op) != 1)
    return luna_live_refuse_axis(lives, axis);
  MlirValue count = mlirOperationGetOperand(op, 0);
  for (uint64_t i = 0; i < lives->items.count; ++i) {
    LunaLive like = lives->items.items[i];
    if (!luna_live_same(&like, &(LunaLive){.count = count, .stated = count}))
      continue;
    LunaBuilder b = luna_builder_before(op, op);
    LunaShape shape = luna_shape_of(mlirOperationGetResult(op, 0));
    shape.dims[axis] = luna_extent(like.value, like.axis);
    MlirType element = luna_element_of(mlirOperationGetResult(op, 0));
    MlirValue made = luna_build_empty(&b, luna_tensor_type(element, &shape));
    luna_live_set(lives, made, &like, axis);
    luna_live_replace(lives, op, 0, made);
    return true;
  }
  return luna_live_refuse_axis(lives, axis);
}
