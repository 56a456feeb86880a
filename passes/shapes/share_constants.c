#include "share_constants.h"

#include "luna-c/ir.h"
#include "luna/map.h"

typedef struct Sharer {
  MlirBlock entry;
  LunaMap map;
  LUNA_VECTOR(MlirOperation) moved;
  LunaMap values; // that they give
  LunaArena *arena;
} Sharer;

// Constants, and what weights go through that a reader lays out anew.
static bool may_move(const Sharer *sharer, MlirOperation op) {
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_CONSTANT, LUNA_OP_TOSA_CONCAT,
                      LUNA_OP_TOSA_CONST, LUNA_OP_TOSA_CONST_SHAPE,
                      LUNA_OP_TOSA_PAD, LUNA_OP_TOSA_RESHAPE,
                      LUNA_OP_TOSA_REVERSE, LUNA_OP_TOSA_SLICE,
                      LUNA_OP_TOSA_TILE, LUNA_OP_TOSA_TRANSPOSE))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_map_find(&sharer->values,
                      luna_map_pointer(mlirOperationGetOperand(op, i).ptr)) ==
        LUNA_MAP_ABSENT)
      return false;
  return true;
}

// Name, type, operands and attributes: what two equal operators have in common.
static LunaMapKey key_of(const Sharer *sharer, MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op), count = 2;
  intptr_t attributes = mlirOperationGetNumAttributes(op);
  const void **key = LUNA_ARENA_ARRAY(sharer->arena, const void *,
                                      count + operands + attributes);
  key[0] = mlirOperationGetName(op).ptr;
  key[1] = mlirValueGetType(mlirOperationGetResult(op, 0)).ptr;
  for (intptr_t i = 0; i < operands; ++i)
    key[count++] = mlirOperationGetOperand(op, i).ptr;
  for (intptr_t i = 0; i < attributes; ++i)
    key[count++] = mlirOperationGetAttribute(op, i).attribute.ptr;
  return luna_map_bytes(key, (uint64_t)count * sizeof *key);
}

static void share(Sharer *sharer, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  uint32_t index =
      luna_map_add(&sharer->map, sharer->arena, key_of(sharer, op));
  if (index < sharer->moved.count) {
    mlirValueReplaceAllUsesOfWith(
        value, mlirOperationGetResult(sharer->moved.items[index], 0));
    mlirOperationDestroy(op);
    return;
  }
  *LUNA_VECTOR_ADD(sharer->arena, &sharer->moved) = op;
  luna_map_add(&sharer->values, sharer->arena, luna_map_pointer(value.ptr));
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(sharer->entry, op);
}

static void share_in_block(Sharer *sharer, MlirBlock block);

static void share_in_regions(Sharer *sharer, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = luna_body(op, r); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      share_in_block(sharer, block);
}

static void share_in_block(Sharer *sharer, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    share_in_regions(sharer, op);
    if (may_move(sharer, op))
      share(sharer, op);
    op = next;
  }
}

void luna_share_constants(const MlirBlock *blocks, size_t count,
                          MlirBlock entry, LunaArena *arena) {
  Sharer sharer = {.entry = entry, .arena = arena};
  for (size_t i = 0; i < count; ++i)
    share_in_block(&sharer, blocks[i]);
}
