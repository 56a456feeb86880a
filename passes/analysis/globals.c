#include "globals.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static void add_name(LunaGlobals *globals, MlirStringRef name,
                     MlirOperation op) {
  luna_map_add(&globals->names, globals->arena,
               luna_map_bytes(name.data, name.length));
  *LUNA_VECTOR_ADD(globals->arena, &globals->ops) = op;
}

LunaGlobals luna_globals_of(MlirOperation module, LunaArena *arena) {
  LunaGlobals globals = {.arena = arena, .body = luna_body(module, 0)};
  for (MlirOperation op = mlirBlockGetFirstOperation(globals.body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
      add_name(&globals, luna_attr_string(op, "sym_name"), op);
  return globals;
}

MlirOperation luna_globals_find(const LunaGlobals *globals,
                                MlirStringRef name) {
  uint32_t index =
      luna_map_find(&globals->names, luna_map_bytes(name.data, name.length));
  return index == LUNA_MAP_ABSENT ? (MlirOperation){NULL}
                                  : globals->ops.items[index];
}

MlirOperation luna_get_global_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_EXPAND_SHAPE,
                        LUNA_OP_MEMREF_COLLAPSE_SHAPE, LUNA_OP_MEMREF_CAST))
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL) ? op : (MlirOperation){NULL};
}

MlirAttribute luna_globals_value(const LunaGlobals *globals, MlirValue value) {
  MlirOperation get = luna_get_global_of(value);
  if (mlirOperationIsNull(get))
    return mlirAttributeGetNull();
  MlirOperation global =
      luna_globals_find(globals, luna_attr_symbol(get, "name"));
  MlirAttribute dense = luna_attr(global, "initial_value");
  if (mlirAttributeIsNull(luna_attr(global, "constant")) ||
      mlirAttributeIsNull(dense) || !mlirAttributeIsADenseElements(dense))
    return mlirAttributeGetNull();
  return dense;
}

const char *luna_globals_free_name(const LunaGlobals *globals,
                                   const char *prefix, int *next) {
  for (;;) {
    const char *name =
        luna_arena_printf(globals->arena, "%s%d", prefix, (*next)++);
    if (mlirOperationIsNull(luna_globals_find(globals, luna_str(name))))
      return name;
  }
}

void luna_globals_add(LunaGlobals *globals, const char *name,
                      MlirOperation op) {
  mlirBlockInsertOwnedOperation(globals->body, 0, op);
  add_name(globals, luna_str(name), op);
}

// Dense elements of the shape of a memref.
static MlirAttribute elements_of(MlirType type, const void *bytes) {
  int64_t shape[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  MlirType tensor = mlirRankedTensorTypeGet(
      rank, shape, mlirShapedTypeGetElementType(type), mlirAttributeGetNull());
  return mlirDenseElementsAttrRawBufferGet(
      tensor, (size_t)luna_shaped_bytes(type), bytes);
}

// A memref.global of a contiguous memref type.
static MlirOperation build_global(MlirOperation like, const char *name,
                                  MlirType type, const void *bytes) {
  MlirContext context = mlirOperationGetContext(like);
  MlirNamedAttribute attributes[] = {
      luna_named(context, "sym_name", luna_string_attr(context, name)),
      luna_named(context, "sym_visibility",
                 luna_string_attr(context, "private")),
      luna_named(context, "type", mlirTypeAttrGet(type)),
      luna_named(context, "initial_value", elements_of(type, bytes)),
      luna_named(context, "constant", mlirUnitAttrGet(context)),
  };
  return luna_build(&(LunaOpSpec){.name = "memref.global",
                                  .location = mlirOperationGetLocation(like),
                                  .attributes = attributes,
                                  .attribute_count = 5});
}

MlirValue luna_globals_build(LunaGlobals *globals, MlirOperation before,
                             const char *prefix, int *next, MlirType type,
                             const void *bytes) {
  MlirContext context = mlirOperationGetContext(before);
  const char *name = luna_globals_free_name(globals, prefix, next);
  luna_globals_add(globals, name, build_global(before, name, type, bytes));
  MlirNamedAttribute symbol = luna_named(
      context, "name", mlirFlatSymbolRefAttrGet(context, luna_str(name)));
  return luna_build_value_with(before, "memref.get_global", type, 0, NULL, 1,
                               &symbol);
}
