// luna-assign-memory: assigns a memory to every memref.
//
// In: one bufferised function whose results are output arguments (upstream
// one-shot-bufferize, buffer-results-to-out-params): those that it writes. Out:
// arguments and globals in PSRAM, allocations in shared memory; memref.copy of
// inputs to and of outputs from shared memory. An input that is only read by
// memref.load (a condition) stays in PSRAM for the host core. Refuses: several
// functions, dynamic shapes, unstructured control flow, transfers. Options:
// io=psram|on-chip. With psram, inputs are copied right before their first use;
// with on-chip at entry, as if the caller had placed them there, for comparison
// with tools that count them. Outputs are copied as soon as they are complete.
// Example: lit_tests/passes/luna-assign-memory/doc.mlir

#include <string.h>

#include "buffer_roots.h"
#include "early_outputs.h"
#include "globals.h"
#include "host_cost.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "place_arguments.h"
#include "structure.h"

enum { OPT_IO };

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static bool check_op(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_in_dialect(op, LUNA_DIALECT_CF)) {
    luna_emit_error(op, "unstructured control flow; lift it with "
                        "lift-cf-to-scf first");
    return false;
  }
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_START)) {
    luna_emit_error(op, "transfer before the plan; luna-insert-dma makes them");
    return false;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (mlirTypeIsATensor(type)) {
      luna_emit_error(op, "result is a tensor; bufferise first");
      return false;
    }
    if (luna_is_memref(type) && luna_shaped_bytes(type) < 0) {
      luna_emit_error(op, "%s has a dynamic shape, static ones are planned",
                      luna_op_is(op, LUNA_OP_MEMREF_ALLOC) ? "allocation"
                                                           : "result");
      return false;
    }
  }
  return true;
}

static MlirLogicalResult check_function(MlirOperation func) {
  MlirBlock entry = luna_entry_block(func);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(entry)))
    return luna_emit_error(func, "unstructured control flow; lift it with "
                                 "lift-cf-to-scf first");
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, i));
    if (!luna_is_memref(type))
      return luna_emit_error(func,
                             "argument %d is not a memref; bufferise "
                             "function boundaries first",
                             (int)i);
    if (luna_shaped_bytes(type) < 0)
      return luna_emit_error(func,
                             "argument %d has a dynamic shape, static "
                             "ones are planned",
                             (int)i);
  }
  if (mlirFunctionTypeGetNumResults(
          mlirTypeAttrGetValue(luna_attr(func, "function_type"))) > 0)
    return luna_emit_error(func, "has results; turn them into arguments with "
                                 "buffer-results-to-out-params first");
  if (!luna_walk(func, check_op, NULL))
    return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

static void update_function_type(MlirOperation func) {
  LunaArena arena = {0};
  MlirContext context = mlirOperationGetContext(func);
  MlirBlock entry = luna_entry_block(func);
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirType *inputs = LUNA_ARENA_ARRAY(&arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i)
    inputs[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
  MlirType type = mlirFunctionTypeGet(context, count, inputs, 0, NULL);
  luna_set_attr(func, "function_type", mlirTypeAttrGet(type));
  luna_arena_destroy(&arena);
}

//===----------------------------------------------------------------------===//
// Every other value: the memory of what it is a view of
//===----------------------------------------------------------------------===//

static LunaMemoryKind memory_of_operand(MlirOperation op, intptr_t operand) {
  return luna_memory_of(mlirValueGetType(mlirOperationGetOperand(op, operand)));
}

// Returns the source operand of a view-like result, or a null value. A select
// is on chip unless both of its sides are in PSRAM.
static MlirValue source_of(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return mlirOperationGetOperand(
        op, memory_of_operand(op, 1) == LUNA_MEMORY_SHARED ? 1 : 2);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return mlirOperationGetOperand(op, i);
  return (MlirValue){NULL};
}

static bool assign_op(MlirOperation op, void *data) {
  (void)data;
  bool is_global = luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL);
  bool is_alloc = luna_op_is(op, LUNA_OP_MEMREF_ALLOC);
  if (is_alloc)
    mlirOperationRemoveAttributeByName(op, luna_str("alignment"));
  MlirValue source = is_global || is_alloc || luna_is_control_flow(op)
                         ? (MlirValue){NULL}
                         : source_of(op);
  LunaMemoryKind kind = is_global ? LUNA_MEMORY_PSRAM : LUNA_MEMORY_SHARED;
  if (!mlirValueIsNull(source))
    kind = luna_memory_of(mlirValueGetType(source));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    luna_set_memory(op, mlirOperationGetResult(op, i), kind);
  // Loop-carried values are buffers on chip.
  for (intptr_t r = 0; luna_is_loop(op) && r < mlirOperationGetNumRegions(op);
       ++r) {
    MlirBlock body = luna_body(op, r);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
      luna_set_memory(op, mlirBlockGetArgument(body, i), LUNA_MEMORY_SHARED);
  }
  return true;
}

// Returns `value` if it is on chip, else a copy on chip created before
// `before`.
static void bring_on_chip(MlirOperation before, intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(before, operand);
  if (!luna_is_memref(mlirValueGetType(value)) ||
      luna_memory_of(mlirValueGetType(value)) == LUNA_MEMORY_SHARED)
    return;
  MlirType type = mlirValueGetType(value);
  if (luna_op_is_unit(before))
    type = luna_memref_contiguous(type);
  MlirValue copy = luna_build_on_chip(before, type, NULL);
  luna_build_copy(before, value, copy);
  mlirOperationSetOperand(before, operand, copy);
}

// Returns true if `op` reads the operand on chip: control flow forwards it, it
// is a side of a select of which one is on chip, or the unit reads a part of a
// constant or one of several: luna-pack-weights takes whole ones.
static bool needs_on_chip(MlirOperation op, intptr_t operand) {
  if (luna_op_is_unit(op))
    return mlirOperationIsNull(
        luna_get_global_of(mlirOperationGetOperand(op, operand)));
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    return operand > 0 && memory_of_operand(op, 1) != memory_of_operand(op, 2);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return luna_op_is(op, LUNA_OP_SCF_CONDITION) || luna_is_loop(op) ||
         (luna_op_is(op, LUNA_OP_SCF_YIELD) && luna_is_control_flow(parent));
}

static bool unify_op(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (needs_on_chip(op, i))
      bring_on_chip(op, i);
  return true;
}

static void assign_globals(MlirOperation module) {
  MlirBlock body = luna_body(module, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
      continue;
    MlirType type = mlirTypeAttrGetValue(luna_attr(op, "type"));
    type = luna_memref_with_space(
        type,
        lunaMemoryAttrGet(mlirOperationGetContext(op), LUNA_MEMORY_PSRAM));
    luna_set_attr(op, "type", mlirTypeAttrGet(type));
  }
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  bool on_chip = strcmp(options[OPT_IO].string, "on-chip") == 0;
  if (!on_chip && strcmp(options[OPT_IO].string, "psram") != 0)
    return luna_emit_error(module, "io is '%s', allowed are psram and on-chip",
                           options[OPT_IO].string);
  MlirOperation func = luna_model_function(module);
  if (mlirOperationIsNull(func) ||
      mlirLogicalResultIsFailure(check_function(func)))
    return mlirLogicalResultFailure();
  assign_globals(module);
  luna_place_arguments(func, on_chip);
  luna_store_outputs_early(func);
  luna_walk(func, assign_op, NULL);
  luna_walk(func, unify_op, NULL);
  update_function_type(func);
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[] = {
    {.name = "io",
     .help = "where model inputs and outputs live: psram or on-chip",
     .kind = LUNA_OPTION_STRING,
     .string_default = "psram"},
};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_assign_memory = {
    .argument = "luna-assign-memory",
    .summary = "Assign a memory to every memref; move model inputs on chip",
    .anchor = "builtin.module",
    .options = options,
    .option_count = 1,
    .dependent_dialects = dialects,
    .run = run,
};
