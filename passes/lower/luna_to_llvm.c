// luna-to-llvm: lowers the model function to calls of the runtime API.
//
// In: a module with one function, as luna-lower-plan leaves it.
// Out: the interface of luna/program.h: the entry function on plain pointers,
// `_init`, `_reset`, `_bind` where there are luna.cases, `_program`,
// `_weights`, all `luna_model_<model>_…`. Unit operators, transfers, and
// copies and fills on chip are calls with constant descriptors, which equal
// calls share, and ids beside them (`_ids`); every other operator on memrefs is
// outlined to a function for the host core, which equal ones share. The
// remaining func, scf, arith, linalg (inside those functions) and llvm ops are
// lowered by upstream passes: see pipeline.c. They are not part of this pass,
// because a multi-threaded pass must not run pipelines on the module.
// Refuses: several functions, globals that are not dense constants, memrefs
// with dynamic strides, operators on memrefs with a result.
// Options: machine= name or file, for the costs of the host core and the
// granule of transfers; model= the name of the model, in its symbols;
// ids=false leaves out what only checks, traces and statistics need: ids, the
// descriptors of what has launches, announcements of the core's operators, and
// in `_program` all buffers but those of inputs and outputs;
// kernel-sizes= constant or argument, what sizes are in functions of the host
// core: those with arguments are fewer and slower; index-bits= 64, or 32 for a
// core of 32 bits, unless a memref holds indices; layout=calls refuses launches
// that are no call of the vendor's library; block-bytes= what a port prepares
// for each launch: `_init` calls luna_rt_prepare for each product.
// Example: lit_tests/passes/luna-to-llvm/doc.mlir

#include <ctype.h>
#include <string.h>

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna/passes.h"
#include "luna/program.h"
#include "machine_option.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "outline.h"
#include "structure.h"

enum {
  OPT_MACHINE,
  OPT_MODEL,
  OPT_IDS,
  OPT_KERNEL_SIZES,
  OPT_INDEX_BITS,
  OPT_LAYOUT,
  OPT_BLOCK_BYTES,
};

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

// Returns a C identifier derived from any `name`.
static const char *identifier(LunaArena *arena, const char *name) {
  bool needs_letter = !*name || isdigit((unsigned char)*name);
  char *text = luna_arena_printf(arena, "%s%s", needs_letter ? "m" : "", name);
  for (char *c = text; *c; ++c)
    if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127)
      *c = '_';
  return text;
}

static const char *model_name(LunaLowering *run, const char *option) {
  if (*option)
    return identifier(&run->arena, option);
  MlirStringRef name = luna_attr_string(run->func, "sym_name");
  if (mlirStringRefEqual(name, luna_str("main")))
    return "model";
  return identifier(&run->arena,
                    luna_arena_strndup(&run->arena, name.data, name.length));
}

static bool holds_indices(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) &&
         mlirTypeIsAIndex(mlirShapedTypeGetElementType(type));
}

static MlirWalkResult look_for_indices(MlirOperation op, void *data) {
  bool *is_found = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    *is_found |= holds_indices(mlirOperationGetOperand(op, i));
  return *is_found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// Says so to the passes that follow. An index in memory keeps its 64 bits, and
// so do the others then.
static void narrow_index(LunaLowering *run) {
  bool is_found = false;
  mlirOperationWalk(run->module, look_for_indices, &is_found, MlirWalkPreOrder);
  if (is_found)
    return;
  run->index = run->i32;
  luna_set_attr(run->module, "dlti.dl_spec",
                mlirAttributeParseGet(run->context,
                                      luna_str("#dlti.dl_spec<index = 32>")));
}

static bool set_up(LunaLowering *run, const LunaOptionValue *options) {
  run->machine = luna_machine_of_option(&options[OPT_MACHINE]);
  run->func = luna_model_function(run->module);
  if (mlirOperationIsNull(run->func))
    return false;
  run->context = mlirOperationGetContext(run->module);
  run->module_block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(run->module, 0));
  run->entry = luna_entry_block(run->func);
  run->model = model_name(run, options[OPT_MODEL].string);
  run->symbol = luna_arena_printf(&run->arena, LUNA_PROGRAM_SYMBOL_PREFIX "%s",
                                  run->model);
  run->ptr = mlirLLVMPointerTypeGet(run->context, 0);
  run->i8 = mlirIntegerTypeGet(run->context, 8);
  run->i32 = mlirIntegerTypeGet(run->context, 32);
  run->i64 = mlirIntegerTypeGet(run->context, 64);
  run->index = run->i64;
  if (options[OPT_INDEX_BITS].integer == 32)
    narrow_index(run);
  return luna_read_arguments(run);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static void inline_region(MlirOperation region) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(region, 0));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(region); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(region, i),
                                  mlirOperationGetOperand(yield, i));
  for (;;) {
    MlirOperation op = mlirBlockGetFirstOperation(body);
    if (mlirOperationEqual(op, yield))
      break;
    mlirOperationMoveBefore(op, region);
  }
  mlirOperationDestroy(region);
}

static void inline_regions(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (mlirBlockIsNull(block))
      continue;
    for (MlirOperation child = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(child);) {
      MlirOperation next = mlirOperationGetNextInBlock(child);
      inline_regions(child);
      if (luna_op_is(child, LUNA_OP_LUNA_REGION))
        inline_region(child);
      child = next;
    }
  }
}

//===----------------------------------------------------------------------===//
// Each operation
//===----------------------------------------------------------------------===//

static void collect_ops(LunaLowering *run, MlirOperation parent) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
    if (mlirBlockIsNull(block))
      continue;
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      MlirOperation *item = LUNA_VECTOR_ADD(&run->arena, &run->ops);
      *item = op;
      if (luna_is_control_flow(op))
        collect_ops(run, op);
    }
  }
}

static bool has_memref_operand(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

static bool lower_other(LunaLowering *run, MlirOperation op) {
  if (LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_ALLOC, LUNA_OP_MEMREF_ALLOCA)) {
    luna_emit_error(op, "allocation is not part of the arena; run "
                        "luna-plan-memory and luna-lower-plan first");
    return false;
  }
  if (luna_op_is(op, LUNA_OP_FUNC_CALL)) {
    luna_emit_error(op, "calls another function; inline it first");
    return false;
  }
  if (luna_op_is(op, LUNA_OP_LUNA_LABEL)) {
    mlirOperationDestroy(op);
    return true;
  }
  bool is_terminator = LUNA_OP_IS_ANY(
      op, LUNA_OP_SCF_YIELD, LUNA_OP_SCF_CONDITION, LUNA_OP_FUNC_RETURN);
  if (is_terminator || !has_memref_operand(op))
    return true;
  return luna_outline_host_op(run, op);
}

typedef bool (*LowerFunction)(LunaLowering *run, MlirOperation op);

static LowerFunction lowering_of(MlirOperation op) {
  static const struct {
    LunaOpName name;
    LowerFunction lower;
  } table[] = {
      {LUNA_OP_LUNA_DMA_START, luna_lower_dma_start},
      {LUNA_OP_LUNA_DMA_WAIT, luna_lower_dma_wait},
      {LUNA_OP_LUNA_DMA_NONE, luna_lower_dma_none},
      {LUNA_OP_MEMREF_COPY, luna_lower_copy},
      {LUNA_OP_LINALG_FILL, luna_lower_fill},
      {LUNA_OP_MEMREF_LOAD, luna_lower_load},
  };
  if (luna_op_is_unit(op))
    return luna_lower_unit;
  for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i)
    if (luna_op_is(op, table[i].name))
      return table[i].lower;
  return lower_other;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//
// Erases views, last first. A view with a use is the operand of an op that was
// not lowered.
static bool erase_views(LunaLowering *run, MlirOperation *views,
                        uint64_t count) {
  for (uint64_t i = count; i-- > 0;) {
    MlirOpOperand use =
        mlirValueGetFirstUse(mlirOperationGetResult(views[i], 0));
    if (!mlirOpOperandIsNull(use)) {
      luna_emit_error(mlirOpOperandGetOwner(use), "operator on memrefs has no "
                                                  "lowering");
      return false;
    }
    mlirOperationDestroy(views[i]);
  }
  return !run->has_failed;
}

// Separates views and control flow, which are needed until the end, from the
// other ops. Announces decisions first, since an address may depend on them.
static bool lower_ops(LunaLowering *run) {
  uint64_t count = run->ops.count;
  MlirOperation *views = LUNA_ARENA_ARRAY(&run->arena, MlirOperation, count);
  MlirOperation *control = LUNA_ARENA_ARRAY(&run->arena, MlirOperation, count);
  MlirOperation *others = LUNA_ARENA_ARRAY(&run->arena, MlirOperation, count);
  uint64_t view_count = 0, control_count = 0, other_count = 0;
  for (uint64_t i = 0; i < count; ++i) {
    MlirOperation op = run->ops.items[i];
    if (luna_is_view(op)) {
      views[view_count++] = op;
      continue;
    }
    if (luna_is_control_flow(op)) {
      control[control_count++] = op;
      if (!luna_announce_control(run, op))
        return false;
      continue;
    }
    others[other_count++] = op;
  }
  for (uint64_t i = 0; run->has_size_arguments && i < other_count; ++i)
    luna_outline_note_sizes(run, others[i]);
  for (uint64_t i = 0; i < other_count; ++i)
    if (!lowering_of(others[i])(run, others[i]))
      return false;
  for (uint64_t i = 0; i < control_count; ++i)
    luna_lower_control_operands(run, control[i]);
  for (uint64_t i = 0; i < control_count; ++i)
    luna_lower_control_values(run, control[i]);
  return erase_views(run, views, view_count);
}

// Sets the arguments to plain pointers and the symbol to the model's name.
static void finish_function(LunaLowering *run) {
  luna_erase_state_arguments(run);
  intptr_t count = mlirBlockGetNumArguments(run->entry);
  MlirType *types = LUNA_ARENA_ARRAY(&run->arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = run->ptr;
    mlirValueSetType(mlirBlockGetArgument(run->entry, i), run->ptr);
  }
  luna_set_attr(run->func, "function_type",
                mlirTypeAttrGet(
                    mlirFunctionTypeGet(run->context, count, types, 0, NULL)));
  luna_set_string(run->func, "sym_name", run->symbol);
  static const char *const dropped[] = {"arg_attrs", "sym_visibility"};
  for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; ++i)
    mlirOperationRemoveAttributeByName(run->func, luna_str(dropped[i]));
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(run->func);
       i-- > 0;)
    mlirOperationRemoveDiscardableAttributeByName(
        run->func,
        mlirIdentifierStr(
            mlirOperationGetDiscardableAttribute(run->func, i).name));
}

// Erases the constants that only views and loads used.
static void erase_dead_constants(LunaLowering *run) {
  for (MlirOperation op = mlirBlockGetFirstOperation(run->entry);
       !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT) && !luna_has_uses(op))
      mlirOperationDestroy(op);
    op = next;
  }
}

// The records of the program are no longer needed.
static void erase_records(MlirOperation module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(luna_body(module, 0));
       !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
      mlirOperationDestroy(op);
    op = next;
  }
}

// How many launches break each rule, in the order of these.
static void note_rules(LunaLowering *run, LunaCodeRecord *code) {
  LunaRecordRule *rules =
      LUNA_ARENA_ARRAY(&run->arena, LunaRecordRule, LUNA_RULE_COUNT);
  code->launches = run->launches;
  code->calls = run->calls;
  code->rules = rules;
  for (int rule = 0; rule < LUNA_RULE_COUNT; ++rule)
    if (run->broken[rule] > 0)
      rules[code->rule_count++] = (LunaRecordRule){
          luna_launch_rule_name((LunaLaunchRule)rule), run->broken[rule]};
}

static void note_code(LunaLowering *run) {
  LunaCodeRecord code = {
      .kernels = (int64_t)run->kernel_records.added,
      .unique_kernels = (int64_t)run->kernel_records.records.count,
      .kernel_collisions = (int64_t)run->kernel_records.collisions,
      .descriptors = (int64_t)run->descs.added,
      .unique_descriptors = (int64_t)run->descs.records.count,
      .descriptor_collisions = (int64_t)run->descs.collisions,
      .id_bytes = (int64_t)run->ids.count * 4,
      .port_bytes = luna_prepared_bytes(run),
  };
  for (uint64_t i = 0; i < run->descs.records.count; ++i)
    code.descriptor_bytes += (int64_t)run->descs.records.items[i].number;
  note_rules(run, &code);
  luna_code_write(run->module, &code, &run->arena);
}

static bool lower_module(LunaLowering *run, const LunaOptionValue *options) {
  if (!set_up(run, options) || !luna_collect_weights(run) ||
      !luna_collect_buffers(run) || !luna_collect_versions(run))
    return false;
  if (strcmp(options[OPT_KERNEL_SIZES].string, "auto") == 0)
    run->has_size_arguments = run->versions.count > 1;
  inline_regions(run->func);
  collect_ops(run, run->func);
  // The descriptor reads the types of the arguments, which finish_function
  // replaces.
  if (!lower_ops(run) || !luna_emit_program(run) || !luna_emit_weights(run))
    return false;
  luna_emit_ids(run);
  note_code(run);
  finish_function(run);
  erase_dead_constants(run);
  luna_split_blocks(run, run->func);
  erase_records(run->module);
  return true;
}

static MlirLogicalResult run_pass(MlirOperation module,
                                  const LunaOptionValue *options) {
  const char *sizes = options[OPT_KERNEL_SIZES].string;
  bool is_auto = strcmp(sizes, "auto") == 0;
  if (!is_auto && strcmp(sizes, "constant") != 0 &&
      strcmp(sizes, "argument") != 0)
    return luna_emit_error(
        module, "kernel-sizes is '%s', needs auto, constant or argument",
        sizes);
  int64_t bits = options[OPT_INDEX_BITS].integer;
  if (bits != 32 && bits != 64)
    return luna_emit_error(module, "index-bits is %lld, needs 32 or 64",
                           (long long)bits);
  if (options[OPT_BLOCK_BYTES].integer < 0)
    return luna_emit_error(module, "block-bytes is %lld, needs at least 0",
                           (long long)options[OPT_BLOCK_BYTES].integer);
  LunaLowering run = {
      .module = module,
      .has_ids = options[OPT_IDS].integer,
      .block_bytes = options[OPT_BLOCK_BYTES].integer,
      .wants_calls = strcmp(options[OPT_LAYOUT].string, "calls") == 0,
      .has_size_arguments = is_auto || strcmp(sizes, "argument") == 0,
  };
  bool is_done = lower_module(&run, options);
  luna_arena_destroy(&run.arena);
  return is_done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const LunaOptionDesc options[] = {
    LUNA_MACHINE_OPTION,
    {.name = "model",
     .help = "name of the model, in its symbols (default: that of the "
             "function, 'model' for @main)",
     .kind = LUNA_OPTION_STRING},
    {.name = "ids",
     .help = "pass the ids of operators, buffers and contents, which checks, "
             "traces and statistics need",
     .kind = LUNA_OPTION_BOOL,
     .int_default = true},
    {.name = "kernel-sizes",
     .help = "sizes in functions of the host core: constant, argument, so that "
             "operators of several sizes share one, or auto: argument in a "
             "model of several versions",
     .kind = LUNA_OPTION_STRING,
     .string_default = "auto"},
    {.name = "index-bits",
     .help = "64, or 32 for a core of 32 bits",
     .kind = LUNA_OPTION_INT64,
     .int_default = 64},
    {.name = "layout",
     .help = "with calls, refuse launches that are no call of the vendor's "
             "library",
     .kind = LUNA_OPTION_STRING,
     .string_default = "auto"},
    {.name = "block-bytes",
     .help = "bytes of memory that the port prepares for each launch, once, in "
             "_init; 0 for none",
     .kind = LUNA_OPTION_INT64},
};

static const char *const dialects[] = {
    "arith", "dlti", "func", "linalg", "llvm", "memref", "luna", "scf", NULL};

const LunaPassDesc luna_pass_to_llvm = {
    .argument = "luna-to-llvm",
    .summary = "lower a planned model to calls of the LUNA runtime API",
    .anchor = "builtin.module",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .dependent_dialects = dialects,
    .run = run_pass,
};
