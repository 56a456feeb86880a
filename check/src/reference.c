#include "luna/reference.h"

#include <assert.h>
#include <string.h>

#include "literal_probe.h"
#include "literal_run.h"
#include "luna-c/ir.h"
#include "luna-c/plan_attr.h"
#include "luna-c/run_passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "reference_branches.h"
#include "reference_compile.h"
#include "reference_load.h"
#include "reference_runtime.h"
#include "reference_values.h"

//===- Compiling ----------------------------------------------------------===//

static const char cannot_compile[] =
    "the reference cannot be compiled by upstream MLIR";

bool luna_reference_step(MlirModule module, LunaUpstreamStep step,
                         LunaError *error) {
  return luna_run_passes(module, luna_upstream_passes(step), cannot_compile,
                         error);
}

// The checks come when tensors are memrefs.
bool luna_reference_to_llvm(MlirModule module, LunaError *error) {
  return luna_run_passes(module, "func.func(luna-check-accesses)",
                         cannot_compile, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_LOOPS, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_LLVM, error);
}

static bool lower_tensors(MlirModule module, LunaError *error) {
  return luna_reference_step(module, LUNA_UPSTREAM_UNIT, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_DECOMPOSE, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_LINALG, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_BUFFERIZE, error) &&
         luna_reference_step(module, LUNA_UPSTREAM_SIMPLIFY, error) &&
         luna_reference_to_llvm(module, error);
}

// Requests the wrapper that takes memref descriptors.
bool luna_reference_note_entry(MlirModule module, bool is_planned,
                               LunaReference *reference, LunaError *error) {
  MlirOperation func = luna_first_function(module);
  if (mlirOperationIsNull(func) ||
      !luna_reference_list_values(func, is_planned, reference))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "the model is not a function on tensors of static "
                          "shape");
  // The model's own name may be that of a function of libc.
  static const char *const symbol = LUNA_PROGRAM_SYMBOL_PREFIX "reference";
  luna_set_string(func, "sym_name", symbol);
  reference->entry =
      luna_arena_printf(&reference->arena, "_mlir_ciface_%s", symbol);
  luna_set_attr(func, "llvm.emit_c_interface",
                mlirUnitAttrGet(mlirOperationGetContext(func)));
  return true;
}

// LLVM would warn about unknown attributes such as luna.name.
static bool drop_attributes(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_is(op, LUNA_OP_LLVM_FUNC)) {
    mlirOperationRemoveAttributeByName(op, luna_str("arg_attrs"));
    mlirOperationRemoveAttributeByName(op, luna_str("res_attrs"));
  }
  return true;
}

static bool count_quantize(MlirOperation op, void *data) {
  LunaReference *reference = data;
  reference->quantizer_count += luna_op_is(op, LUNA_OP_LUNA_QUANTIZE);
  return true;
}

// The literal reference of what the reader wrote, `read`; and the calls that it
// follows in `module`.
static bool create_literal(MlirModule read, MlirModule module,
                           int optimisation_level, LunaReference *reference,
                           LunaError *error) {
  luna_walk(mlirModuleGetOperation(module), count_quantize, reference);
  if (!luna_literal_is_for(read))
    return true;
  reference->literal = LUNA_ARENA_ARRAY(&reference->arena, LunaLiteral, 1);
  bool is_done =
      luna_literal_create(read, module, optimisation_level, &reference->arena,
                          reference->literal, error);
  luna_literal_note_values(module);
  return is_done;
}

static bool compile_tensors(MlirModule module, int optimisation_level,
                            LunaReference *reference, LunaError *error) {
  MlirModule read = mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
  bool is_done =
      luna_reference_step(module, LUNA_UPSTREAM_STRUCTURE, error) &&
      create_literal(read, module, optimisation_level, reference, error) &&
      luna_reference_step(module, LUNA_UPSTREAM_QUANTIZE, error) &&
      luna_reference_step(module, LUNA_UPSTREAM_ROUND, error) &&
      luna_reference_note_entry(module, false, reference, error);
  mlirModuleDestroy(read);
  if (!is_done)
    return false;
  luna_reference_hook_branches(module, reference->literal, reference);
  return lower_tensors(module, error);
}

// The plan as it stands: what it computes in the arena.
static bool compile_plan(MlirModule module, LunaReference *reference,
                         LunaError *error) {
  static const char passes[] =
      "func.func(luna-lower-plan,luna-to-linalg),luna-plan-to-host";
  if (!luna_run_passes(module, passes, cannot_compile, error) ||
      !luna_reference_note_entry(module, true, reference, error))
    return false;
  luna_reference_hook_branches(module, false, reference);
  return luna_reference_to_llvm(module, error);
}

bool luna_reference_load(LunaReference *reference, LunaError *error) {
  uint64_t count = 0;
  const LunaRuntimeSymbol *symbols = luna_reference_symbols(&count);
  reference->jit = luna_native_load(&reference->code, symbols, count, error);
  luna_reference_reset(reference);
  return reference->jit;
}

bool luna_reference_generate(MlirModule module, int optimisation_level,
                             LunaReference *reference, LunaError *error) {
  const LunaObjectOptions options = {
      .pass_level = optimisation_level,
      .code_level = optimisation_level,
      .has_jit_entries = true,
  };
  luna_walk(mlirModuleGetOperation(module), drop_attributes, NULL);
  return luna_native_create(module, &options, NULL, &reference->arena,
                            &reference->code, error) &&
         luna_reference_load(reference, error);
}

bool luna_reference_create(MlirModule module, int optimisation_level,
                           LunaReference *reference, LunaError *error) {
  *reference = (LunaReference){0};
  MlirOperation func = luna_first_function(module);
  reference->is_plan = !mlirOperationIsNull(func) && luna_has_plan(func);
  bool is_compiled =
      reference->is_plan
          ? compile_plan(module, reference, error)
          : compile_tensors(module, optimisation_level, reference, error);
  return is_compiled &&
         luna_reference_generate(module, optimisation_level, reference, error);
}

void luna_reference_destroy(LunaReference *reference) {
  if (reference->literal)
    luna_literal_destroy(reference->literal);
  luna_jit_destroy(reference->jit);
  luna_arena_destroy(&reference->arena);
  *reference = (LunaReference){0};
}

bool luna_reference_has_branches_of(const LunaReference *reference,
                                    const LunaProgramInfo *program) {
  bool is_same = reference->branches.count == program->branch_count;
  for (uint32_t i = 0; is_same && i < program->branch_count; ++i)
    is_same = reference->branches.items[i] ==
              (LunaBranchKind)program->branches[i].kind;
  return is_same;
}

//===- Values -------------------------------------------------------------===//

static uint32_t value_count(const LunaReference *reference) {
  return reference->argument_count + reference->result_count;
}

// Returns the value number `index` of those with this role that are not state.
static LunaReferenceValue *plain_value(const LunaReference *reference,
                                       LunaReferenceRole role, uint32_t index) {
  LunaReferenceValue *value = reference->values;
  for (;; ++value) {
    assert(value < reference->values + value_count(reference));
    if (value->role == role && !value->state && index-- == 0)
      return value;
  }
}

LunaReferenceValue *luna_reference_input(const LunaReference *reference,
                                         uint32_t index) {
  return plain_value(reference, LUNA_REFERENCE_INPUT, index);
}

LunaReferenceValue *luna_reference_output(const LunaReference *reference,
                                          uint32_t index) {
  return plain_value(reference, LUNA_REFERENCE_OUTPUT, index);
}

void luna_reference_reset(LunaReference *reference) {
  for (uint32_t i = 0; i < reference->argument_count; ++i) {
    LunaReferenceValue *value = &reference->values[i];
    if (value->initial)
      memcpy(value->data, value->initial, value->bytes);
    else if (value->state)
      memset(value->data, 0, value->bytes);
  }
}

static void pass_on(LunaReference *reference, const LunaReferenceValue *from) {
  for (uint32_t i = 0; i < reference->argument_count; ++i) {
    LunaReferenceValue *to = &reference->values[i];
    if (to->role == LUNA_REFERENCE_INPUT && to->state &&
        strcmp(to->state, from->state) == 0)
      memcpy(to->data, from->data, to->bytes);
  }
}

static void pass_on_states(LunaReference *reference) {
  for (uint32_t i = 0; i < value_count(reference); ++i)
    if (reference->values[i].role == LUNA_REFERENCE_OUTPUT &&
        reference->values[i].state)
      pass_on(reference, &reference->values[i]);
}

// The arena has nothing of earlier runs.
static void spoil_arena(LunaReference *reference) {
  enum { PATTERN = 0x5a };
  for (uint32_t i = 0; i < reference->argument_count; ++i)
    if (reference->values[i].role == LUNA_REFERENCE_ARENA)
      memset(reference->values[i].data, PATTERN, reference->values[i].bytes);
}

bool luna_reference_call(LunaReference *reference,
                         const LunaDecision *decisions, uint32_t count) {
  uint32_t values = value_count(reference);
  LunaArena arena = {0};
  void **pointers = LUNA_ARENA_ARRAY(&arena, void *, values);
  for (uint32_t i = 0; i < values; ++i)
    pointers[i] = reference->values[i].descriptor;
  spoil_arena(reference);
  luna_reference_begin(decisions, count);
  bool is_done = luna_jit_call(reference->jit, reference->entry, pointers);
  luna_reference_end();
  luna_arena_destroy(&arena);
  return is_done;
}

bool luna_reference_run(LunaReference *reference, const LunaDecision *decisions,
                        uint32_t count) {
  bool is_done = reference->literal
                     ? luna_literal_run(reference, decisions, count)
                     : luna_reference_call(reference, decisions, count);
  pass_on_states(reference);
  return is_done;
}
