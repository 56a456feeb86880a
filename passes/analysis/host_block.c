#include "host_block.h"

#include "in_place.h"
#include "luna-c/build_generic.h"
#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinTypes.h"

bool luna_map_moves(MlirAffineMap map, intptr_t dim) {
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, r), dim))
      return true;
  return false;
}

static bool reads_no_index(MlirOperation op, void *data) {
  const intptr_t *dim = data;
  return !luna_op_is(op, LUNA_OP_LINALG_INDEX) ||
         luna_attr_int(op, "dim", 0) != *dim;
}

// The inputs of a block of this dimension fit a builder, and one that the body
// uses is the same for all of it.
static bool shares_input(MlirOperation op, intptr_t dim) {
  bool shares = false;
  intptr_t inputs = luna_linalg_input_count(op), count = 0;
  for (intptr_t i = 0; i < inputs; ++i) {
    bool moves = luna_map_moves(luna_linalg_map(op, i), dim);
    count += moves ? LUNA_HOST_BLOCK_MAX : 1;
    shares |= !moves && luna_linalg_body_uses(op, i, false);
  }
  return shares && count <= LUNA_GENERIC_MAX;
}

// Memrefs of known extents, one of them the output.
static bool can_block(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (!luna_reduces(op) || luna_linalg_input_count(op) + 1 != count)
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!luna_is_memref(type) || !mlirShapedTypeHasStaticShape(type))
      return false;
  }
  return mlirAffineMapIsProjectedPermutation(luna_linalg_map(op, count - 1));
}

LunaHostBlock luna_host_block(MlirOperation op) {
  LunaHostBlock best = {.width = 1};
  if (!can_block(op))
    return best;
  intptr_t output = mlirOperationGetNumOperands(op) - 1;
  MlirAffineMap map = luna_linalg_map(op, output);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, output));
  for (intptr_t r = mlirAffineMapGetNumResults(map); r-- > 0;) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, r);
    if (!mlirAffineExprIsADim(expr))
      continue;
    LunaHostBlock block = {.dim = mlirAffineDimExprGetPosition(expr),
                           .extent = mlirShapedTypeGetDimSize(type, r)};
    block.width = block.extent < LUNA_HOST_BLOCK_MAX ? (int)block.extent
                                                     : LUNA_HOST_BLOCK_MAX;
    if (block.width > best.width && shares_input(op, block.dim) &&
        luna_walk(op, reads_no_index, &block.dim))
      best = block;
  }
  return best;
}
