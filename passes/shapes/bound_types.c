// Open types, and what is said where they are not possible.

#include "bound_shapes.h"

#include "luna-c/pass.h"

bool luna_is_open(MlirType type) {
  return mlirTypeIsARankedTensor(type) && !mlirShapedTypeHasStaticShape(type);
}

MlirType luna_bounded_type(MlirType type, int axis, int64_t bound) {
  LunaShape shape = {.rank = (int)mlirShapedTypeGetRank(type)};
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] = d == axis ? bound : mlirShapedTypeGetDimSize(type, d);
  return luna_tensor_type(mlirShapedTypeGetElementType(type), &shape);
}

bool luna_refuse_open(MlirOperation op, int axis, const char *why) {
  if (axis >= 0)
    luna_emit_error(op,
                    "the size of dimension %d is known while running only: %s",
                    axis, why);
  else
    luna_emit_error(op, "several sizes are known while running only; one size "
                        "is supported");
  return false;
}
