#include "literal_probe.h"

#include "literal_bias.h"
#include "literal_log.h"
#include "luna-c/build_scalar.h"
#include "mlir-c/BuiltinTypes.h"

enum { INPUT, SCALE, ZERO_POINT };

//===- Listing ------------------------------------------------------------===//

static const char *name_of(LunaArena *arena, MlirOperation op) {
  MlirStringRef name = luna_given_name_or_kind(op);
  return luna_arena_strndup(arena, name.data, name.length);
}

// A parameter is one element, or broadcast to the result.
static void read_strides(const LunaQuantizer *quantizer, MlirValue parameter,
                         int64_t *strides) {
  int64_t stride = 1;
  if (luna_rank_of(parameter) != quantizer->rank)
    return;
  for (int64_t i = quantizer->rank; i-- > 0;) {
    int64_t extent = luna_extent(parameter, i);
    strides[i] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
}

static LunaQuantizer read_quantizer(MlirOperation op, LunaArena *arena) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType element = luna_element_of(luna_op_is(op, LUNA_OP_LUNA_QUANTIZE)
                                         ? result
                                         : mlirOperationGetOperand(op, INPUT));
  int64_t width = mlirIntegerTypeGetWidth(element);
  LunaQuantizer quantizer = {
      .name = name_of(arena, op),
      .rank = luna_rank_of(result),
      .element_bytes = width / 8,
      .is_unsigned = !mlirAttributeIsNull(luna_attr(op, "is_unsigned")),
      .ties = (LunaTies)luna_attr_int(op, "rounding", LUNA_TIES_EVEN),
  };
  for (int64_t i = 0; i < quantizer.rank; ++i)
    quantizer.dims[i] = luna_extent(result, i);
  int64_t count = INT64_C(1) << width;
  int64_t least = quantizer.is_unsigned ? 0 : -count / 2;
  quantizer.low = luna_attr_int(op, "clamp_min", least);
  quantizer.high = luna_attr_int(op, "clamp_max", least + count - 1);
  read_strides(&quantizer, mlirOperationGetOperand(op, SCALE),
               quantizer.scale_strides);
  if (luna_op_is(op, LUNA_OP_LUNA_QUANTIZE))
    quantizer.bias_slack =
        luna_literal_bias_slack(mlirOperationGetOperand(op, INPUT));
  if (mlirOperationGetNumOperands(op) > ZERO_POINT)
    read_strides(&quantizer, mlirOperationGetOperand(op, ZERO_POINT),
                 quantizer.zero_strides);
  return quantizer;
}

typedef struct Listing {
  LunaOpName name;
  LunaArena *arena;
  LunaQuantizers *quantizers;
} Listing;

static bool list_one(MlirOperation op, void *data) {
  Listing *listing = data;
  if (luna_op_is(op, listing->name))
    *LUNA_VECTOR_ADD(listing->arena, listing->quantizers) =
        read_quantizer(op, listing->arena);
  return true;
}

void luna_literal_list(MlirModule module, LunaOpName name, LunaArena *arena,
                       LunaQuantizers *quantizers) {
  Listing listing = {name, arena, quantizers};
  luna_walk(mlirModuleGetOperation(module), list_one, &listing);
}

//===- Calls --------------------------------------------------------------===//

static void declare(MlirModule module, const char *name, intptr_t addresses) {
  MlirContext context = mlirModuleGetContext(module);
  MlirType inputs[] = {mlirIntegerTypeGet(context, 32),
                       mlirIndexTypeGet(context), mlirIndexTypeGet(context),
                       mlirIndexTypeGet(context), mlirIndexTypeGet(context)};
  luna_declare_function(
      mlirModuleGetBody(module), name,
      mlirFunctionTypeGet(context, 1 + addresses, inputs, 0, NULL));
}

static MlirType buffer_type(MlirValue tensor) {
  return luna_memref_contiguous(mlirValueGetType(tensor));
}

static MlirValue address_of_buffer(const LunaBuilder *b, MlirValue buffer) {
  return luna_build_op(b, "memref.extract_aligned_pointer_as_index", b->index,
                       1, &buffer, 0, NULL);
}

static MlirValue address_of(const LunaBuilder *b, MlirValue tensor) {
  const LunaAttr read_only = {"read_only", mlirUnitAttrGet(b->context)};
  return address_of_buffer(b, luna_build_op(b, "bufferization.to_buffer",
                                            buffer_type(tensor), 1, &tensor, 1,
                                            &read_only));
}

static void call(const LunaBuilder *b, const char *name, int32_t number,
                 intptr_t count, const MlirValue *addresses) {
  MlirValue operands[5] = {luna_scalar_i32(b, number)};
  for (intptr_t i = 0; i < count; ++i)
    operands[1 + i] = addresses[i];
  MlirNamedAttribute callee =
      luna_named(b->context, "callee",
                 mlirFlatSymbolRefAttrGet(b->context, luna_str(name)));
  luna_build_spec(b, &(LunaOpSpec){.name = "func.call",
                                   .operands = operands,
                                   .operand_count = 1 + count,
                                   .attributes = &callee,
                                   .attribute_count = 1});
}

static bool note_one(MlirOperation op, void *data) {
  int32_t *number = data;
  if (!luna_op_is(op, LUNA_OP_LUNA_QUANTIZE))
    return true;
  LunaBuilder b = luna_builder_before(mlirOperationGetNextInBlock(op), op);
  MlirValue values = address_of(&b, mlirOperationGetResult(op, 0));
  call(&b, LUNA_LITERAL_HOOK_NOTE, (*number)++, 1, &values);
  return true;
}

// How many of each were replaced.
typedef struct Replaced {
  int32_t quantize, dequantize;
} Replaced;

static bool replace_one(MlirOperation op, void *data) {
  Replaced *replaced = data;
  bool is_quantize = luna_op_is(op, LUNA_OP_LUNA_QUANTIZE);
  if (!is_quantize && !luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE))
    return true;
  LunaBuilder b = luna_builder_before(op, op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = buffer_type(result);
  MlirValue buffer = luna_build_alloc(op, type, NULL);
  bool has_zero = mlirOperationGetNumOperands(op) > ZERO_POINT;
  MlirValue addresses[] = {
      address_of(&b, mlirOperationGetOperand(op, INPUT)),
      address_of(&b, mlirOperationGetOperand(op, SCALE)),
      has_zero ? address_of(&b, mlirOperationGetOperand(op, ZERO_POINT))
               : luna_scalar_index(&b, 0),
      address_of_buffer(&b, buffer),
  };
  if (is_quantize)
    call(&b, LUNA_LITERAL_HOOK_QUANTIZE, replaced->quantize++, 4, addresses);
  else
    call(&b, LUNA_LITERAL_HOOK_DEQUANTIZE, replaced->dequantize++, 4,
         addresses);
  const LunaAttr attributes[] = {
      {"restrict", mlirUnitAttrGet(b.context)},
      {"writable", mlirUnitAttrGet(b.context)},
  };
  MlirValue tensor =
      luna_build_op(&b, "bufferization.to_tensor", mlirValueGetType(result), 1,
                    &buffer, 2, attributes);
  mlirValueReplaceAllUsesOfWith(result, tensor);
  mlirOperationDestroy(op);
  return true;
}

// Loads the dialects of what is built.
static void load_dialects(MlirModule module) {
  static const char *const names[] = {"arith", "bufferization", "func",
                                      "memref"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    mlirContextGetOrLoadDialect(mlirModuleGetContext(module),
                                luna_str(names[i]));
}

void luna_literal_note_values(MlirModule module) {
  int32_t number = 0;
  load_dialects(module);
  luna_walk(mlirModuleGetOperation(module), note_one, &number);
  declare(module, LUNA_LITERAL_HOOK_NOTE, 1);
}

void luna_literal_replace(MlirModule module) {
  Replaced replaced = {0, 0};
  load_dialects(module);
  luna_walk(mlirModuleGetOperation(module), replace_one, &replaced);
  declare(module, LUNA_LITERAL_HOOK_QUANTIZE, 4);
  declare(module, LUNA_LITERAL_HOOK_DEQUANTIZE, 4);
}
