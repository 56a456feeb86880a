// luna-plan-to-host: makes a planned function one that upstream can compile.
//
// In: a module after luna-lower-plan and luna-to-linalg. Out: dialects of
// upstream MLIR alone. All memories are one: memrefs name none, the arena stays
// an argument. A luna.dma_start is a call of luna_host_dma_start with the
// addresses of source and target and the bytes; the token is the number that it
// returns, 0 for luna.dma_none. A luna.dma_wait calls luna_host_dma_wait with
// it: only there the bytes may be copied, so that a use between the two finds
// what was there before. Regions dissolve; labels, the records of programs and
// the luna attributes of functions go. Refuses: what luna-lower-plan and
// luna-to-linalg leave behind of the dialect. No options. Example:
// lit_tests/passes/luna-plan-to-host/doc.mlir.

#include <string.h>

#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "luna-c/upstream.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

static MlirValue call(const LunaBuilder *b, const char *callee, intptr_t count,
                      const MlirValue *arguments) {
  LunaAttr symbol = {"callee",
                     mlirFlatSymbolRefAttrGet(b->context, luna_str(callee))};
  return luna_build_op(b, "func.call", b->index, count, arguments, 1, &symbol);
}

// The address of the first element, an index.
static MlirValue address_of(const LunaBuilder *b, MlirValue memref) {
  MlirType type = mlirValueGetType(memref), types[2 + 2 * LUNA_RANK_MAX];
  intptr_t count = 2 + 2 * mlirShapedTypeGetRank(type);
  MlirType element = mlirShapedTypeGetElementType(type);
  types[0] = mlirMemRefTypeContiguousGet(element, 0, NULL,
                                         mlirMemRefTypeGetMemorySpace(type));
  for (intptr_t i = 1; i < count; ++i)
    types[i] = b->index;
  MlirOperation metadata = luna_build_spec(
      b, &(LunaOpSpec){.name = "memref.extract_strided_metadata",
                       .operands = &memref,
                       .operand_count = 1,
                       .results = types,
                       .result_count = count});
  MlirValue start = luna_scalar_to(b, "memref.extract_aligned_pointer_as_index",
                                   memref, b->index);
  MlirValue bytes = luna_scalar_index(b, luna_element_type_bytes(element));
  MlirValue offset =
      luna_scalar_mul(b, mlirOperationGetResult(metadata, 1), bytes);
  return luna_scalar_add(b, start, offset);
}

static void replace_start(MlirOperation op) {
  LunaBuilder b = luna_builder_before(op, op);
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue target = mlirOperationGetOperand(op, 1);
  MlirValue arguments[3] = {address_of(&b, source)};
  arguments[1] = address_of(&b, target);
  arguments[2] =
      luna_scalar_index(&b, luna_shaped_bytes(mlirValueGetType(source)));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                call(&b, LUNA_HOST_DMA_START, 3, arguments));
  mlirOperationDestroy(op);
}

static void replace_wait(MlirOperation op) {
  LunaBuilder b = luna_builder_before(op, op);
  MlirValue token = mlirOperationGetOperand(op, 0);
  call(&b, LUNA_HOST_DMA_WAIT, 1, &token);
  mlirOperationDestroy(op);
}

static void replace_none(MlirOperation op) {
  LunaBuilder b = luna_builder_before(op, op);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                luna_scalar_index(&b, 0));
  mlirOperationDestroy(op);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// A memref.view has no strides: planes are cast from rows of their elements.
static void replace_buffer(MlirOperation op) {
  MlirValue old = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(old), rows = luna_memref_contiguous(type);
  MlirValue view = luna_build_view(
      op, mlirOperationGetOperand(op, 0),
      luna_build_index(op, luna_attr_int(op, "offset", 0)), rows);
  if (!mlirTypeEqual(type, rows))
    view = luna_build_reinterpret(op, view, type);
  mlirValueReplaceAllUsesOfWith(old, view);
  mlirOperationDestroy(op);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static void dissolve(MlirOperation region) {
  MlirBlock body = luna_body(region, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationEqual(op, yield)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, region);
    op = next;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(region); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(region, i),
                                  mlirOperationGetOperand(yield, i));
  mlirOperationDestroy(region);
}

// Replaces the ops of the dialect under `op`, innermost first.
static void replace_under(MlirOperation op);

static void replace(MlirOperation op) {
  replace_under(op);
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_START))
    replace_start(op);
  else if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT))
    replace_wait(op);
  else if (luna_op_is(op, LUNA_OP_LUNA_DMA_NONE))
    replace_none(op);
  else if (luna_op_is(op, LUNA_OP_LUNA_BUFFER))
    replace_buffer(op);
  else if (luna_op_is(op, LUNA_OP_LUNA_REGION))
    dissolve(op);
  else if (luna_op_is(op, LUNA_OP_LUNA_LABEL))
    mlirOperationDestroy(op);
}

static void replace_under(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    MlirOperation child = mlirBlockIsNull(block)
                              ? (MlirOperation){NULL}
                              : mlirBlockGetFirstOperation(block);
    while (!mlirOperationIsNull(child)) {
      MlirOperation next = mlirOperationGetNextInBlock(child);
      replace(child);
      child = next;
    }
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static MlirType host_type(MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  if (luna_is_memref(type))
    return luna_memref_with_space(type, mlirAttributeGetNull());
  return lunaTypeIsAToken(type) ? mlirIndexTypeGet(context) : type;
}

static void set_type(MlirValue value) {
  mlirValueSetType(value, host_type(mlirValueGetType(value)));
}

// The types that an attribute of the op states.
static void set_stated_type(MlirOperation op) {
  bool is_func = luna_op_is(op, LUNA_OP_FUNC_FUNC);
  if (!is_func && !luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
    return;
  const char *name = is_func ? "function_type" : "type";
  MlirType type = mlirTypeAttrGetValue(luna_attr(op, name));
  type = is_func ? luna_function_type_map(type, host_type) : host_type(type);
  luna_set_attr(op, name, mlirTypeAttrGet(type));
}

static bool set_types(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    set_type(mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        set_type(mlirBlockGetArgument(block, i));
  set_stated_type(op);
  return true;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static void declare(MlirOperation module, const char *name, intptr_t inputs) {
  MlirContext context = mlirOperationGetContext(module);
  MlirType index = mlirIndexTypeGet(context);
  MlirType types[3] = {index, index, index};
  luna_declare_function(luna_body(module, 0), name,
                        mlirFunctionTypeGet(context, inputs, types, 1, types));
}

static void drop_luna_attributes(MlirOperation func) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(func); i-- > 0;) {
    MlirNamedAttribute attribute =
        mlirOperationGetDiscardableAttribute(func, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    if (name.length > 5 && memcmp(name.data, "luna.", 5) == 0)
      mlirOperationRemoveDiscardableAttributeByName(func, name);
  }
}

static void clean_up(MlirOperation module) {
  MlirOperation op = mlirBlockGetFirstOperation(luna_body(module, 0));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
      mlirOperationDestroy(op);
    else if (luna_op_is(op, LUNA_OP_FUNC_FUNC))
      drop_luna_attributes(op);
    op = next;
  }
}

static bool check_gone(MlirOperation op, void *data) {
  if (!luna_op_in_dialect(op, LUNA_DIALECT_LUNA))
    return true;
  luna_emit_error(op, "run luna-lower-plan and luna-to-linalg first");
  *(bool *)data = false;
  return false;
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  (void)options;
  bool is_done = true;
  clean_up(module);
  replace_under(module);
  luna_walk(module, check_gone, &is_done);
  if (!is_done)
    return mlirLogicalResultFailure();
  luna_walk(module, set_types, NULL);
  declare(module, LUNA_HOST_DMA_START, 3);
  declare(module, LUNA_HOST_DMA_WAIT, 1);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"arith", "func", "memref", NULL};

const LunaPassDesc luna_pass_plan_to_host = {
    .argument = "luna-plan-to-host",
    .summary = "lower a planned function to upstream's dialects, on one memory",
    .anchor = "builtin.module",
    .dependent_dialects = dialects,
    .run = run,
};
