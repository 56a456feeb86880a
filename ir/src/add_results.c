#include "luna-c/ir.h"

void luna_add_yields(LunaArena *arena, MlirBlock block, const MlirValue *values,
                     intptr_t count) {
  MlirOperation old = mlirBlockGetTerminator(block);
  intptr_t old_count = mlirOperationGetNumOperands(old);
  MlirValue *operands = LUNA_ARENA_ARRAY(arena, MlirValue, old_count + count);
  for (intptr_t i = 0; i < old_count; ++i)
    operands[i] = mlirOperationGetOperand(old, i);
  for (intptr_t i = 0; i < count; ++i)
    operands[old_count + i] = values[i];
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(old));
  luna_build_before(old, &(LunaOpSpec){.name = luna_arena_strndup(
                                           arena, name.data, name.length),
                                       .operands = operands,
                                       .operand_count = old_count + count});
  mlirOperationDestroy(old);
}

// Creates an op like `op` with `count` more operands, and other results, and
// moves the blocks to it.
static MlirOperation build_like(LunaArena *arena, MlirOperation op,
                                const MlirValue *values, intptr_t count,
                                MlirType *types, intptr_t type_count) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  intptr_t operand_count = mlirOperationGetNumOperands(op);
  intptr_t attribute_count = mlirOperationGetNumAttributes(op);
  intptr_t region_count = mlirOperationGetNumRegions(op);
  MlirValue *operands =
      LUNA_ARENA_ARRAY(arena, MlirValue, operand_count + count);
  MlirNamedAttribute *attributes =
      LUNA_ARENA_ARRAY(arena, MlirNamedAttribute, attribute_count);
  MlirRegion *regions = LUNA_ARENA_ARRAY(arena, MlirRegion, region_count);
  for (intptr_t i = 0; i < operand_count; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < count; ++i)
    operands[operand_count + i] = values[i];
  for (intptr_t i = 0; i < attribute_count; ++i)
    attributes[i] = mlirOperationGetAttribute(op, i);
  for (intptr_t i = 0; i < region_count; ++i) {
    regions[i] = mlirRegionCreate();
    mlirRegionTakeBody(regions[i], mlirOperationGetRegion(op, i));
  }
  return luna_build_before(
      op,
      &(LunaOpSpec){.name = luna_arena_strndup(arena, name.data, name.length),
                    .operands = operands,
                    .operand_count = operand_count + count,
                    .results = types,
                    .result_count = type_count,
                    .attributes = attributes,
                    .attribute_count = attribute_count,
                    .owned_regions = regions,
                    .region_count = region_count});
}

// Replaces `op` by an op with more operands, and results of the types of
// `values`.
static MlirOperation replace_op(LunaArena *arena, MlirOperation op,
                                const MlirValue *values, intptr_t count,
                                intptr_t operand_count) {
  intptr_t old_count = mlirOperationGetNumResults(op);
  MlirType *types = LUNA_ARENA_ARRAY(arena, MlirType, old_count + count);
  for (intptr_t i = 0; i < old_count; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < count; ++i)
    types[old_count + i] = mlirValueGetType(values[i]);
  MlirOperation larger =
      build_like(arena, op, values, operand_count, types, old_count + count);
  for (intptr_t i = 0; i < old_count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(larger, i));
  mlirOperationDestroy(op);
  return larger;
}

MlirOperation luna_add_results(LunaArena *arena, MlirOperation op,
                               const MlirValue *values, intptr_t count) {
  return replace_op(arena, op, values, count, 0);
}

MlirOperation luna_add_carried(LunaArena *arena, MlirOperation loop,
                               const MlirValue *inits, intptr_t count) {
  MlirOperation larger = replace_op(arena, loop, inits, count, count);
  MlirLocation location = mlirOperationGetLocation(larger);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(larger); ++r)
    for (intptr_t i = 0; i < count; ++i)
      mlirBlockAddArgument(luna_body(larger, r), mlirValueGetType(inits[i]),
                           location);
  return larger;
}
