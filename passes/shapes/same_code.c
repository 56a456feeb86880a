#include "same_code.h"

#include "luna-c/ir.h"
#include "luna/map.h"

// The values of both sides, numbered as they are met: equal code meets equal
// ones at the same time.
typedef struct Pair {
  LunaMap numbers[2];
  LunaArena *arena;
} Pair;

static void number(Pair *pair, MlirValue a, MlirValue b) {
  luna_map_add(&pair->numbers[0], pair->arena, luna_map_pointer(a.ptr));
  luna_map_add(&pair->numbers[1], pair->arena, luna_map_pointer(b.ptr));
}

// A value of neither side is one from outside, which both must have.
static bool same_operand(const Pair *pair, MlirValue a, MlirValue b) {
  uint32_t x = luna_map_find(&pair->numbers[0], luna_map_pointer(a.ptr));
  uint32_t y = luna_map_find(&pair->numbers[1], luna_map_pointer(b.ptr));
  return x == y && (x != LUNA_MAP_ABSENT || mlirValueEqual(a, b));
}

static bool same_attributes(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumAttributes(a);
  if (count != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute x = mlirOperationGetAttribute(a, i);
    MlirNamedAttribute y = mlirOperationGetAttribute(b, i);
    if (!mlirIdentifierEqual(x.name, y.name) ||
        !mlirAttributeEqual(x.attribute, y.attribute))
      return false;
  }
  return true;
}

static bool same_types(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

static bool same_blocks(Pair *pair, MlirBlock a, MlirBlock b);

static bool same_regions(Pair *pair, MlirRegion a, MlirRegion b) {
  MlirBlock x = mlirRegionGetFirstBlock(a), y = mlirRegionGetFirstBlock(b);
  while (!mlirBlockIsNull(x) && !mlirBlockIsNull(y)) {
    if (!same_blocks(pair, x, y))
      return false;
    x = mlirBlockGetNextInRegion(x);
    y = mlirBlockGetNextInRegion(y);
  }
  return mlirBlockIsNull(x) && mlirBlockIsNull(y);
}

static bool same_counts(MlirOperation a, MlirOperation b) {
  return mlirOperationGetNumOperands(a) == mlirOperationGetNumOperands(b) &&
         mlirOperationGetNumResults(a) == mlirOperationGetNumResults(b) &&
         mlirOperationGetNumRegions(a) == mlirOperationGetNumRegions(b) &&
         mlirOperationGetNumSuccessors(a) == 0 &&
         mlirOperationGetNumSuccessors(b) == 0;
}

static bool same_ops(Pair *pair, MlirOperation a, MlirOperation b) {
  if (!mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) ||
      !same_counts(a, b) ||
      (!luna_op_is(a, LUNA_OP_LUNA_LABEL) && !same_attributes(a, b)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(a); ++i)
    if (!same_operand(pair, mlirOperationGetOperand(a, i),
                      mlirOperationGetOperand(b, i)))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(a); ++i)
    if (!same_regions(pair, mlirOperationGetRegion(a, i),
                      mlirOperationGetRegion(b, i)))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(a); ++i) {
    MlirValue x = mlirOperationGetResult(a, i);
    MlirValue y = mlirOperationGetResult(b, i);
    if (!same_types(x, y))
      return false;
    number(pair, x, y);
  }
  return true;
}

static bool same_blocks(Pair *pair, MlirBlock a, MlirBlock b) {
  intptr_t count = mlirBlockGetNumArguments(a);
  if (count != mlirBlockGetNumArguments(b))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue x = mlirBlockGetArgument(a, i), y = mlirBlockGetArgument(b, i);
    if (!same_types(x, y))
      return false;
    number(pair, x, y);
  }
  MlirOperation x = mlirBlockGetFirstOperation(a);
  MlirOperation y = mlirBlockGetFirstOperation(b);
  while (!mlirOperationIsNull(x) && !mlirOperationIsNull(y)) {
    if (!same_ops(pair, x, y))
      return false;
    x = mlirOperationGetNextInBlock(x);
    y = mlirOperationGetNextInBlock(y);
  }
  return mlirOperationIsNull(x) && mlirOperationIsNull(y);
}

bool luna_same_code(MlirBlock a, MlirBlock b, LunaArena *arena) {
  Pair pair = {.arena = arena};
  return same_blocks(&pair, a, b);
}
