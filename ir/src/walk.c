// Walks over operations, and what they erase.

#include "luna-c/ir.h"
#include "luna/vector.h"

static bool walk_op(MlirOperation op, bool (*visit)(MlirOperation, void *),
                    void *data) {
  intptr_t region_count = mlirOperationGetNumRegions(op);
  for (intptr_t r = 0; r < region_count; ++r) {
    MlirRegion region = mlirOperationGetRegion(op, r);
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation child = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(child);) {
        MlirOperation next = mlirOperationGetNextInBlock(child);
        bool nested = mlirOperationGetNumRegions(child) > 0 &&
                      !luna_op_is(child, LUNA_OP_LUNA_PROGRAM);
        if (!visit(child, data) || (nested && !walk_op(child, visit, data)))
          return false;
        child = next;
      }
  }
  return true;
}

bool luna_walk(MlirOperation root, bool (*visit)(MlirOperation, void *),
               void *data) {
  return walk_op(root, visit, data);
}

typedef struct Unused {
  LunaArena arena;
  LUNA_VECTOR(MlirOperation) ops;
} Unused;

static bool may_erase(MlirOperation op) {
  static const LunaDialectName dialects[] = {
      LUNA_DIALECT_ARITH, LUNA_DIALECT_LINALG, LUNA_DIALECT_MATH,
      LUNA_DIALECT_TENSOR, LUNA_DIALECT_TOSA};
  if (mlirOperationGetNumResults(op) == 0 || luna_op_is_variable(op))
    return false;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (luna_op_in_dialect(op, dialects[i]))
      return true;
  return false;
}

static bool list_op(MlirOperation op, void *data) {
  Unused *unused = data;
  if (may_erase(op))
    *LUNA_VECTOR_ADD(&unused->arena, &unused->ops) = op;
  return true;
}

void luna_erase_unused(MlirOperation root) {
  Unused unused = {.ops = {0}};
  luna_walk(root, list_op, &unused);
  // Users come after what they use, operators in regions after their parents.
  for (uint64_t i = unused.ops.count; i-- > 0;)
    if (!luna_has_uses(unused.ops.items[i]))
      mlirOperationDestroy(unused.ops.items[i]);
  luna_arena_destroy(&unused.arena);
}
