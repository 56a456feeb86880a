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
#include "host_cost.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

enum { OPT_IO };

static MlirAttribute memory(MlirOperation op, LunaMemoryKind kind) {
  return lunaMemoryAttrGet(mlirOperationGetContext(op), kind);
}

static void set_memory(MlirOperation op, MlirValue value, LunaMemoryKind kind) {
  MlirType type = mlirValueGetType(value);
  if (luna_is_memref(type))
    mlirValueSetType(value, luna_memref_with_space(type, memory(op, kind)));
}

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

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static bool is_view(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_COLLAPSE_SHAPE) ||
         luna_op_is(op, LUNA_OP_MEMREF_EXPAND_SHAPE) ||
         luna_op_is(op, LUNA_OP_MEMREF_CAST) ||
         luna_op_is(op, LUNA_OP_MEMREF_SUBVIEW) ||
         luna_op_is(op, LUNA_OP_MEMREF_REINTERPRET_CAST);
}

// Returns true if all uses are loads of scalars outside operators, through any
// views.
static bool is_read_as_scalar(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_view(user)) {
      if (!is_read_as_scalar(mlirOperationGetResult(user, 0)))
        return false;
      continue;
    }
    MlirOperation parent = mlirOperationGetParentOperation(user);
    bool in_operator = luna_op_in_dialect(parent, LUNA_DIALECT_LINALG);
    if (!luna_op_is(user, LUNA_OP_MEMREF_LOAD) || in_operator)
      return false;
  }
  return true;
}

static bool writes_operand(MlirOperation op, intptr_t operand) {
  if (luna_op_is_unit(op))
    return operand == mlirOperationGetNumOperands(op) - 1;
  return (luna_host_access(op, operand) & LUNA_ACCESS_WRITE) != 0;
}

// How a function argument is used.
typedef struct ArgumentUse {
  bool is_read;
  bool is_written;
  bool is_computed_into; // written by an op other than a plain copy
} ArgumentUse;

static void note_uses(MlirValue value, ArgumentUse *noted) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_view(user)) {
      note_uses(mlirOperationGetResult(user, 0), noted);
    } else if (luna_is_control_flow(user) || luna_only_renames(user) ||
               !writes_operand(user, mlirOpOperandGetOperandNumber(use))) {
      noted->is_read = true;
    } else {
      noted->is_written = true;
      noted->is_computed_into |= !luna_op_is(user, LUNA_OP_MEMREF_COPY);
    }
  }
}

// A use of `value` within `op` or below it.
static MlirOpOperand find_use_under(MlirValue value, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) &&
         !mlirOperationEqual(
             luna_ancestor_in_block(mlirOpOperandGetOwner(use), block), op))
    use = mlirOpOperandGetNextUse(use);
  return use;
}

static bool is_used_in_region(MlirValue value, MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!mlirBlockIsNull(block) && !mlirOperationIsNull(luna_ancestor_in_block(
                                       mlirOpOperandGetOwner(use), block)))
      return true;
  return false;
}

static MlirValue build_shared(MlirOperation before, MlirType like,
                              const char *kind) {
  MlirType type =
      luna_memref_with_space(like, memory(before, LUNA_MEMORY_SHARED));
  return luna_build_alloc(before, type, kind);
}

// Replaces uses of `value` in and under the ops of `block` by `other`.
static void replace_uses_in(MlirBlock block, MlirValue value, MlirValue other) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (!mlirOperationIsNull(luna_ancestor_in_block(owner, block)))
      mlirOperationSetOperand(owner, mlirOpOperandGetOperandNumber(use), other);
    use = next;
  }
}

// Returns `value`, of another layout, as one of the type of `like`.
static MlirValue cast_like(MlirOperation before, MlirValue value,
                           MlirValue like) {
  MlirType type = luna_memref_with_space(
      mlirValueGetType(like),
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(value)));
  if (mlirTypeEqual(type, mlirValueGetType(value)))
    return value;
  return mlirOperationGetResult(
      luna_build_before(before,
                        &(LunaOpSpec){
                            .name = "memref.cast",
                            .location = mlirOperationGetLocation(before),
                            .operands = &value,
                            .operand_count = 1,
                            .results = &type,
                            .result_count = 1,
                        }),
      0);
}

// `input` is an argument or a view of one.
static void load_before(MlirValue input, MlirOperation before) {
  MlirOperation view = luna_defining_op(input);
  MlirType type = luna_memref_contiguous(mlirValueGetType(input));
  MlirValue copy = build_shared(before, type, "input"), source = input;
  if (!mlirOperationIsNull(view)) {
    view = mlirOperationClone(view);
    luna_insert_before(before, view);
    source = mlirOperationGetResult(view, 0);
  }
  replace_uses_in(mlirOperationGetBlock(before), input,
                  cast_like(before, copy, input));
  luna_build_copy(before, source, copy);
}

// Returns the op before which the input of `op` must be loaded: itself, or the
// first output copied before it, since that may be the new value of a state
// variable that is read later.
static MlirOperation before_outputs(MlirOperation op) {
  MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  while (!mlirOperationEqual(at, op) &&
         !(luna_op_is(at, LUNA_OP_MEMREF_COPY) &&
           mlirValueIsABlockArgument(mlirOperationGetOperand(at, 1))))
    at = mlirOperationGetNextInBlock(at);
  return at;
}

// Loads `input` right before its first use in `block`; a branch that is the
// only user so far loads in its own branches.
static void load_at_first_use(MlirValue input, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (mlirOpOperandIsNull(find_use_under(input, op)))
    op = mlirOperationGetNextInBlock(op);
  bool used_later = false;
  for (MlirOperation later = mlirOperationGetNextInBlock(op);
       !mlirOperationIsNull(later); later = mlirOperationGetNextInBlock(later))
    used_later |= !mlirOpOperandIsNull(find_use_under(input, later));
  if (used_later || !luna_is_branch(op)) {
    load_before(input, before_outputs(op));
    return;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirRegion region = mlirOperationGetRegion(op, r);
    if (is_used_in_region(input, region))
      load_at_first_use(input, mlirRegionGetFirstBlock(region));
  }
}

// Returns true if all uses of `value` are within `op` or below it.
static bool is_used_under(MlirValue value, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) &&
         mlirOperationEqual(
             luna_ancestor_in_block(mlirOpOperandGetOwner(use), block), op))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

// Returns the only use of `list` in a block if that is a contiguous view, else
// a null op.
static MlirOperation only_view_in(MlirBlock block, MlirValue list) {
  MlirOperation found = {NULL}, none = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(list);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationIsNull(luna_ancestor_in_block(user, block)))
      continue;
    if (!luna_op_is(user, LUNA_OP_MEMREF_SUBVIEW) ||
        !mlirOperationIsNull(found))
      return none;
    found = user;
  }
  bool is_part = !mlirOperationIsNull(found) &&
                 luna_memref_is_contiguous(
                     mlirValueGetType(mlirOperationGetResult(found, 0)));
  return is_part ? found : none;
}

// Loads an input, or the part of it that is a version's: before `start`, the
// first op of the case, or where it is used first if that is null.
static void load_in_case(MlirValue list, MlirBlock block, MlirOperation start) {
  MlirOperation view = only_view_in(block, list);
  bool is_part = !mlirOperationIsNull(view);
  bool at_start = !mlirOperationIsNull(start);
  MlirValue part = is_part ? mlirOperationGetResult(view, 0) : list;
  if (!luna_is_used(part) || (is_part && !at_start && is_read_as_scalar(part)))
    return;
  if (at_start)
    load_before(part, start);
  else
    load_at_first_use(part, is_part ? mlirOperationGetBlock(view) : block);
  if (is_part && !luna_is_used(part))
    mlirOperationDestroy(view);
}

// Creates a buffer on chip for an output that operators compute into, copied to
// PSRAM at the end; if it is also read, its value is copied on chip first.
static void compute_on_chip(MlirValue output, MlirBlock entry, bool is_read) {
  MlirOperation first = mlirBlockGetFirstOperation(entry);
  MlirValue buffer = build_shared(first, mlirValueGetType(output), "output");
  replace_uses_in(entry, output, buffer);
  if (is_read)
    luna_build_copy(first, output, buffer);
  luna_build_copy(mlirBlockGetTerminator(entry), buffer, output);
}

static bool has_attribute(MlirOperation func, intptr_t argument,
                          const char *name) {
  return !mlirAttributeIsNull(luna_func_argument_attr(func, argument, name));
}

// Where inputs go.
typedef struct Placer {
  LunaArena arena;
  MlirOperation func;
  bool on_chip;
  MlirOperation first;    // of the function
  MlirOperation versions; // the switch between them, or null
  MlirOperation *starts;  // of its regions, behind the labels
} Placer;

static void find_starts(Placer *placer) {
  intptr_t count = mlirOperationIsNull(placer->versions)
                       ? 0
                       : mlirOperationGetNumRegions(placer->versions);
  placer->starts = LUNA_ARENA_ARRAY(&placer->arena, MlirOperation, count);
  for (intptr_t r = 0; r < count && placer->on_chip; ++r)
    placer->starts[r] = mlirOperationGetNextInBlock(
        mlirBlockGetFirstOperation(luna_body(placer->versions, r)));
}

// State variables stay in their own memory until their first use; the number of
// a version is no input of the model.
static void place_input(const Placer *placer, intptr_t i) {
  MlirBlock entry = luna_entry_block(placer->func);
  MlirValue input = mlirBlockGetArgument(entry, i);
  bool at_start = placer->on_chip &&
                  !has_attribute(placer->func, i, "luna.state") &&
                  !has_attribute(placer->func, i, "luna.cases");
  if (!at_start && is_read_as_scalar(input))
    return;
  if (mlirOperationIsNull(placer->versions) ||
      !is_used_under(input, placer->versions)) {
    if (at_start)
      load_before(input, placer->first);
    else
      load_at_first_use(input, entry);
    return;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(placer->versions); ++r)
    if (is_used_in_region(input, mlirOperationGetRegion(placer->versions, r)))
      load_in_case(input, luna_body(placer->versions, r),
                   at_start ? placer->starts[r] : (MlirOperation){NULL});
}

static void place_arguments(MlirOperation func, bool on_chip) {
  MlirBlock entry = luna_entry_block(func);
  Placer placer = {
      .func = func,
      .on_chip = on_chip,
      .first = mlirBlockGetFirstOperation(entry),
      .versions = luna_version_switch(func),
  };
  find_starts(&placer);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    ArgumentUse use = {0};
    set_memory(func, argument, LUNA_MEMORY_PSRAM);
    note_uses(argument, &use);
    if (use.is_computed_into || (use.is_written && use.is_read))
      compute_on_chip(argument, entry, use.is_read);
    else if (!use.is_written && use.is_read)
      place_input(&placer, i);
  }
  luna_arena_destroy(&placer.arena);
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
    set_memory(op, mlirOperationGetResult(op, i), kind);
  // Loop-carried values are buffers on chip.
  for (intptr_t r = 0; luna_is_loop(op) && r < mlirOperationGetNumRegions(op);
       ++r) {
    MlirBlock body = luna_body(op, r);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
      set_memory(op, mlirBlockGetArgument(body, i), LUNA_MEMORY_SHARED);
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
  MlirValue copy = build_shared(before, type, NULL);
  luna_build_copy(before, value, copy);
  mlirOperationSetOperand(before, operand, copy);
}

// Returns true if the operand is a whole constant, perhaps reshaped, which
// luna-pack-weights takes.
static bool can_be_packed(MlirValue operand) {
  MlirOperation op = luna_defining_op(operand);
  while (!mlirOperationIsNull(op) &&
         (luna_op_is(op, LUNA_OP_MEMREF_EXPAND_SHAPE) ||
          luna_op_is(op, LUNA_OP_MEMREF_COLLAPSE_SHAPE) ||
          luna_op_is(op, LUNA_OP_MEMREF_CAST)))
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_GET_GLOBAL);
}

// Returns true if `op` reads the operand on chip: control flow forwards it, it
// is a side of a select of which one is on chip, or the unit reads a part of a
// constant or one of several.
static bool needs_on_chip(MlirOperation op, intptr_t operand) {
  if (luna_op_is_unit(op))
    return !can_be_packed(mlirOperationGetOperand(op, operand));
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
    type = luna_memref_with_space(type, memory(op, LUNA_MEMORY_PSRAM));
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
  place_arguments(func, on_chip);
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
