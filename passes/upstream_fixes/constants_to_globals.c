#include "constants_to_globals.h"

#include "luna-c/ops.h"
#include "luna/map.h"
#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { ALIGNMENT_BYTES = 64 }; // as one-shot-bufferize has it

typedef struct Use {
  MlirOperation user;
  intptr_t operand;
} Use;

typedef struct Constants {
  LunaArena arena;
  MlirBlock body; // of the module
  MlirSymbolTable symbols;
  LunaMap values;                   // of globals, by address
  LUNA_VECTOR(MlirAttribute) names; // references, by index of the value
  LUNA_VECTOR(MlirOperation) found;
  LUNA_VECTOR(Use) uses; // of one constant
} Constants;

static void append(MlirStringRef text, void *data) {
  luna_text_printf(data, "%.*s", (int)text.length, text.data);
}

// __constant_8x3xi8; the symbol table makes it unique.
static MlirAttribute name_of(MlirType type) {
  LunaText text = {0};
  luna_text_printf(&text, "__constant_");
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    luna_text_printf(&text, i > 0 ? "x%lld" : "%lld",
                     (long long)mlirShapedTypeGetDimSize(type, i));
  luna_text_printf(&text, "x");
  mlirTypePrint(mlirShapedTypeGetElementType(type), append, &text);
  MlirAttribute name = luna_string_attr(mlirTypeGetContext(type), text.data);
  luna_text_deinit(&text);
  return name;
}

static MlirType memref_of(MlirType tensor) {
  int64_t shape[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(tensor);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(tensor, i);
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(tensor), rank,
                                     shape, mlirAttributeGetNull());
}

static MlirOperation build_global(MlirOperation constant, MlirType tensor,
                                  MlirAttribute value) {
  MlirContext context = mlirOperationGetContext(constant);
  const MlirNamedAttribute attributes[] = {
      luna_named(context, "sym_name", name_of(tensor)),
      luna_named(context, "sym_visibility",
                 luna_string_attr(context, "private")),
      luna_named(context, "type", mlirTypeAttrGet(memref_of(tensor))),
      luna_named(context, "initial_value", value),
      luna_named(context, "constant", mlirUnitAttrGet(context)),
      luna_named(context, "alignment", luna_i64_attr(context, ALIGNMENT_BYTES)),
  };
  return luna_build(
      &(LunaOpSpec){.name = "memref.global",
                    .location = mlirOperationGetLocation(constant),
                    .attributes = attributes,
                    .attribute_count = 6});
}

// Returns a reference to the global that has `value`.
static MlirAttribute global_of(Constants *constants, MlirOperation constant,
                               MlirAttribute value) {
  uint32_t index = luna_map_add(&constants->values, &constants->arena,
                                luna_map_pointer(value.ptr));
  if (index < constants->names.count)
    return constants->names.items[index];
  MlirOperation global = build_global(
      constant, mlirValueGetType(mlirOperationGetResult(constant, 0)), value);
  MlirAttribute name = mlirSymbolTableInsert(constants->symbols, global);
  mlirOperationMoveBefore(global, mlirBlockGetFirstOperation(constants->body));
  return *LUNA_VECTOR_ADD(&constants->arena, &constants->names) =
             mlirFlatSymbolRefAttrGet(mlirOperationGetContext(global),
                                      mlirStringAttrGetValue(name));
}

static MlirValue build_one(MlirOperation before, const char *name,
                           MlirType type, MlirValue *operand,
                           MlirNamedAttribute attribute) {
  MlirOperation op = luna_build_before(
      before, &(LunaOpSpec){.name = name,
                            .location = mlirOperationGetLocation(before),
                            .operands = operand,
                            .operand_count = operand ? 1 : 0,
                            .results = &type,
                            .result_count = 1,
                            .attributes = &attribute,
                            .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

static MlirValue read_global(MlirOperation constant, MlirAttribute symbol) {
  MlirContext context = mlirOperationGetContext(constant);
  MlirType tensor = mlirValueGetType(mlirOperationGetResult(constant, 0));
  MlirValue memref = build_one(constant, "memref.get_global", memref_of(tensor),
                               NULL, luna_named(context, "name", symbol));
  return build_one(constant, "bufferization.to_tensor", tensor, &memref,
                   luna_named(context, "restrict", mlirUnitAttrGet(context)));
}

static void replace(Constants *constants, MlirOperation constant) {
  MlirAttribute symbol =
      global_of(constants, constant, luna_attr(constant, "value"));
  constants->uses.count = 0;
  for (MlirOpOperand use =
           mlirValueGetFirstUse(mlirOperationGetResult(constant, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    *LUNA_VECTOR_ADD(&constants->arena, &constants->uses) =
        (Use){mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use)};
  for (size_t i = 0; i < constants->uses.count; ++i)
    mlirOperationSetOperand(constants->uses.items[i].user,
                            constants->uses.items[i].operand,
                            read_global(constant, symbol));
  mlirOperationDestroy(constant);
}

static bool find_constant(MlirOperation op, void *data) {
  Constants *constants = data;
  if (!luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return true;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirTypeIsARankedTensor(type) &&
      mlirShapedTypeGetRank(type) <= LUNA_RANK_MAX)
    *LUNA_VECTOR_ADD(&constants->arena, &constants->found) = op;
  return true;
}

void luna_constants_to_globals(MlirOperation module) {
  Constants constants = {.body = luna_body(module, 0),
                         .symbols = mlirSymbolTableCreate(module)};
  luna_walk(module, find_constant, &constants);
  for (size_t i = 0; i < constants.found.count; ++i)
    replace(&constants, constants.found.items[i]);
  mlirSymbolTableDestroy(constants.symbols);
  luna_arena_destroy(&constants.arena);
}
