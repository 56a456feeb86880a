// The LLVM operations that luna-to-llvm creates.

#include <inttypes.h>
#include <string.h>

#include "lowering.h"
#include "luna-c/builder.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

MlirValue luna_build_constant(LunaLowering *run, MlirOperation before,
                              MlirType type, int64_t value) {
  MlirNamedAttribute attribute =
      luna_named(run->context, "value", mlirIntegerAttrGet(type, value));
  return luna_build_value_with(before, "llvm.mlir.constant", type, 0, NULL, 1,
                               &attribute);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static MlirValue build_gep(LunaLowering *run, MlirOperation before,
                           const MlirValue *operands, intptr_t operand_count,
                           int32_t constant) {
  MlirNamedAttribute attributes[] = {
      luna_named(run->context, "rawConstantIndices",
                 mlirDenseI32ArrayGet(run->context, 1, &constant)),
      luna_named(run->context, "elem_type", mlirTypeAttrGet(run->i8)),
  };
  return luna_build_value_with(before, "llvm.getelementptr", run->ptr,
                               operand_count, operands, 2, attributes);
}

MlirValue luna_build_dynamic_offset(LunaLowering *run, MlirOperation before,
                                    MlirValue base, MlirValue offset_bytes) {
  MlirValue operands[] = {base, offset_bytes};
  // MLIR's marker of a dynamic index.
  return build_gep(run, before, operands, 2, INT32_MIN);
}

MlirValue luna_build_offset(LunaLowering *run, MlirOperation before,
                            MlirValue base, int64_t offset_bytes) {
  if (offset_bytes == 0)
    return base;
  if (offset_bytes > 0 && offset_bytes <= INT32_MAX)
    return build_gep(run, before, &base, 1, (int32_t)offset_bytes);
  return luna_build_dynamic_offset(
      run, before, base,
      luna_build_constant(run, before, run->i64, offset_bytes));
}

MlirValue luna_build_address(LunaLowering *run, MlirOperation before,
                             const char *name) {
  MlirNamedAttribute attribute =
      luna_named(run->context, "global_name",
                 mlirFlatSymbolRefAttrGet(run->context, luna_str(name)));
  return luna_build_value_with(before, "llvm.mlir.addressof", run->ptr, 0, NULL,
                               1, &attribute);
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

// Symbols go before the entry function.
static void insert_symbol(LunaLowering *run, MlirOperation op) {
  luna_insert_before(run->func, op);
}

void luna_build_array(LunaLowering *run, const char *name, MlirType type,
                      const void *data, int64_t count, int64_t bytes,
                      bool is_internal) {
  MlirType shape =
      mlirRankedTensorTypeGet(1, &count, type, mlirAttributeGetNull());
  MlirAttribute value =
      data ? mlirDenseElementsAttrRawBufferGet(shape, (size_t)bytes, data)
           : mlirDenseElementsAttrSplatGet(shape, mlirIntegerAttrGet(type, 0));
  MlirType array = mlirLLVMArrayTypeGet(type, (unsigned)count);
  MlirLLVMLinkage linkage =
      is_internal ? MlirLLVMLinkageInternal : MlirLLVMLinkageExternal;
  MlirNamedAttribute attributes[] = {
      luna_named(run->context, "global_type", mlirTypeAttrGet(array)),
      luna_named(run->context, "sym_name",
                 luna_string_attr(run->context, name)),
      luna_named(run->context, "linkage",
                 mlirLLVMLinkageAttrGet(run->context, linkage)),
      luna_named(run->context, "value", value),
      luna_named(
          run->context, "alignment",
          luna_i64_attr(run->context, (int64_t)run->machine->alignment_bytes)),
      luna_named(run->context, "addr_space", luna_i32_attr(run->context, 0)),
      luna_named(run->context, "constant", mlirUnitAttrGet(run->context)),
  };
  intptr_t attribute_count = sizeof attributes / sizeof attributes[0];
  MlirRegion initializer = mlirRegionCreate();
  insert_symbol(run, luna_build(&(LunaOpSpec){
                         .name = "llvm.mlir.global",
                         .location = mlirOperationGetLocation(run->func),
                         .attributes = attributes,
                         .attribute_count = attribute_count - !data,
                         .owned_regions = &initializer,
                         .region_count = 1,
                     }));
}

const char *luna_add_desc(LunaLowering *run, const int32_t *words,
                          intptr_t count, bool *is_new) {
  uint64_t known = run->descs.records.count;
  uint32_t number =
      luna_record_add(&run->descs, &run->arena, words, (uint64_t)count * 4);
  const char *name =
      luna_arena_printf(&run->arena, "%s_desc%" PRIu32, run->symbol, number);
  *is_new = number == known;
  if (*is_new)
    luna_build_array(run, name, run->i32, words, count, count * 4, true);
  return name;
}

MlirValue luna_build_desc(LunaLowering *run, MlirOperation before,
                          const int32_t *words, intptr_t count) {
  bool is_new = false;
  return luna_build_address(run, before,
                            luna_add_desc(run, words, count, &is_new));
}

static const char *ids_name(LunaLowering *run) {
  return luna_arena_printf(&run->arena, "%s_ids", run->symbol);
}

static void add_id(LunaLowering *run, int32_t id) {
  if (run->has_ids)
    *LUNA_VECTOR_ADD(&run->arena, &run->ids) = id;
}

MlirValue luna_begin_ids(LunaLowering *run, MlirOperation before, int32_t op) {
  if (!run->has_ids)
    return luna_build_value(before, "llvm.mlir.zero", run->ptr, 0, NULL);
  int64_t offset_bytes = (int64_t)run->ids.count * 4;
  add_id(run, op);
  return luna_build_offset(run, before,
                           luna_build_address(run, before, ids_name(run)),
                           offset_bytes);
}

void luna_add_ids(LunaLowering *run, int32_t buffer, int32_t content) {
  add_id(run, buffer);
  add_id(run, content);
}

void luna_emit_ids(LunaLowering *run) {
  int64_t count = (int64_t)run->ids.count;
  if (count > 0)
    luna_build_array(run, ids_name(run), run->i32, run->ids.items, count,
                     count * 4, true);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

// One letter for each type: v void, i i32, p pointer.
typedef struct RuntimeFunction {
  const char *name;
  char result;
  const char *arguments;
} RuntimeFunction;

static const RuntimeFunction functions[] = {
    [LUNA_CALL_DMA_START] = {"luna_rt_dma_start", 'i', "pppp"},
    [LUNA_CALL_DMA_WAIT] = {"luna_rt_dma_wait", 'v', "ii"},
    [LUNA_CALL_COPY] = {"luna_rt_copy", 'v', "pppp"},
    [LUNA_CALL_FILL] = {"luna_rt_fill", 'v', "ppp"},
    [LUNA_CALL_HOST_BEGIN] = {"luna_rt_host_begin", 'v', "pp"},
    [LUNA_CALL_HOST_OPERAND] = {"luna_rt_host_operand", 'v', "pp"},
    [LUNA_CALL_HOST_END] = {"luna_rt_host_end", 'v', ""},
    [LUNA_CALL_BRANCH] = {"luna_rt_branch", 'i', "ii"},
    [LUNA_CALL_LOOP_ITERATION] = {"luna_rt_loop_iteration", 'v', "i"},
    [LUNA_CALL_PREPARE] = {"luna_rt_prepare", 'v', "pp"},
};

// A unit operator takes its descriptor, its launches if it has several, ids,
// and a pointer for each operand.
static RuntimeFunction function_of(LunaRuntimeFunction id) {
  static const char pointers[3 + LUNA_UNIT_OPERANDS_MAX + 1] = "ppppppppp";
  if (id < LUNA_CALL_UNIT)
    return functions[id];
  LunaUnitClass unit_class = (LunaUnitClass)(id - LUNA_CALL_UNIT);
  int count = 0;
  luna_unit_class_operands(unit_class, &count);
  const LunaUnitClassInfo *info = luna_unit_class(unit_class);
  count += info->launches ? 3 : 2;
  return (RuntimeFunction){
      .name = info->runtime_call,
      .result = 'v',
      .arguments = pointers + sizeof pointers - 1 - (size_t)count,
  };
}

static MlirType type_of_letter(LunaLowering *run, char letter) {
  if (letter == 'v')
    return mlirLLVMVoidTypeGet(run->context);
  return letter == 'i' ? run->i32 : run->ptr;
}

static void declare(LunaLowering *run, const RuntimeFunction *function) {
  MlirType arguments[3 + LUNA_UNIT_OPERANDS_MAX];
  intptr_t count = (intptr_t)strlen(function->arguments);
  for (intptr_t i = 0; i < count; ++i)
    arguments[i] = type_of_letter(run, function->arguments[i]);
  MlirType type = mlirLLVMFunctionTypeGet(type_of_letter(run, function->result),
                                          count, arguments, false);
  MlirNamedAttribute attributes[] = {
      luna_named(run->context, "function_type", mlirTypeAttrGet(type)),
      luna_named(run->context, "sym_name",
                 luna_string_attr(run->context, function->name)),
  };
  MlirRegion body = mlirRegionCreate();
  insert_symbol(run, luna_build(&(LunaOpSpec){
                         .name = "llvm.func",
                         .location = mlirOperationGetLocation(run->func),
                         .attributes = attributes,
                         .attribute_count = 2,
                         .owned_regions = &body,
                         .region_count = 1,
                     }));
}

MlirValue luna_build_call(LunaLowering *run, MlirOperation before,
                          LunaRuntimeFunction id, const MlirValue *arguments) {
  RuntimeFunction function = function_of(id);
  if (!(run->declared >> id & 1)) {
    declare(run, &function);
    run->declared |= UINT32_C(1) << id;
  }
  int32_t segments[] = {(int32_t)strlen(function.arguments), 0};
  MlirType result = type_of_letter(run, function.result);
  bool has_result = function.result != 'v';
  MlirNamedAttribute attributes[] = {
      luna_named(
          run->context, "callee",
          mlirFlatSymbolRefAttrGet(run->context, luna_str(function.name))),
      luna_named(run->context, "op_bundle_sizes",
                 mlirDenseI32ArrayGet(run->context, 0, NULL)),
      luna_named(run->context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(run->context, 2, segments)),
  };
  MlirOperation call =
      luna_build_before(before, &(LunaOpSpec){
                                    .name = "llvm.call",
                                    .operands = arguments,
                                    .operand_count = segments[0],
                                    .results = &result,
                                    .result_count = has_result,
                                    .attributes = attributes,
                                    .attribute_count = 3,
                                });
  return has_result ? mlirOperationGetResult(call, 0) : (MlirValue){NULL};
}

MlirOperation luna_build_internal(LunaLowering *run, const char *name,
                                  MlirLocation location, MlirBlock owned_body) {
  MlirRegion region = luna_region_of(owned_body);
  MlirAttribute noinline = luna_string_attr(run->context, "noinline");
  MlirNamedAttribute attributes[] = {
      luna_named(run->context, "function_type",
                 mlirTypeAttrGet(luna_function_type_of(owned_body))),
      luna_named(run->context, "sym_name",
                 luna_string_attr(run->context, name)),
      luna_named(run->context, "sym_visibility",
                 luna_string_attr(run->context, "private")),
      luna_named(run->context, "llvm.linkage",
                 mlirLLVMLinkageAttrGet(run->context, MlirLLVMLinkageInternal)),
      luna_named(run->context, "passthrough",
                 mlirArrayAttrGet(run->context, 1, &noinline)),
  };
  MlirOperation func = luna_build(&(LunaOpSpec){
      .name = "func.func",
      .location = location,
      .attributes = attributes,
      .attribute_count = sizeof attributes / sizeof attributes[0],
      .owned_regions = &region,
      .region_count = 1,
  });
  insert_symbol(run, func);
  return func;
}

int32_t luna_note_operator(LunaLowering *run, MlirOperation op) {
  if (!run->has_ids)
    return LUNA_NO_ID;
  int32_t id = (int32_t)run->operators.count;
  const char **name = LUNA_VECTOR_ADD(&run->arena, &run->operators);
  MlirStringRef given = luna_given_name(op);
  if (given.data) {
    *name = luna_arena_strndup(&run->arena, given.data, given.length);
    return id;
  }
  MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(op));
  const char *dot = memchr(kind.data, '.', kind.length);
  size_t prefix = dot ? (size_t)(dot + 1 - kind.data) : 0;
  *name = luna_arena_printf(&run->arena, "%.*s.%d", (int)(kind.length - prefix),
                            kind.data + prefix, (int)id);
  return id;
}
