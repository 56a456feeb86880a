#include "luna/reference.h"

#include <assert.h>
#include <string.h>

#include "luna-c/ir.h"
#include "luna-c/run_passes.h"
#include "luna-c/upstream.h"
#include "luna/jit.h"
#include "mlir-c/BuiltinAttributes.h"
#include "reference_branches.h"
#include "reference_runtime.h"
#include "reference_values.h"

//===- Compiling ----------------------------------------------------------===//

static const char cannot_compile[] =
    "the reference cannot be compiled by upstream MLIR";

static bool run_step(MlirModule module, LunaUpstreamStep step,
                     LunaError *error) {
  return luna_run_passes(module, luna_upstream_passes(step), cannot_compile,
                         error);
}

static bool lower(MlirModule module, LunaError *error) {
  return run_step(module, LUNA_UPSTREAM_UNIT, error) &&
         run_step(module, LUNA_UPSTREAM_DECOMPOSE, error) &&
         run_step(module, LUNA_UPSTREAM_LINALG, error) &&
         run_step(module, LUNA_UPSTREAM_BUFFERIZE, error) &&
         luna_run_passes(module, "func.func(luna-check-accesses)",
                         cannot_compile, error) &&
         run_step(module, LUNA_UPSTREAM_LLVM, error);
}

// The model's function: the first with a body.
static MlirOperation find_entry(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) && (!luna_op_is(op, LUNA_OP_FUNC_FUNC) ||
                                      mlirBlockIsNull(luna_body(op, 0))))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

// Requests the wrapper that takes memref descriptors.
static bool note_entry(MlirModule module, LunaReference *reference,
                       LunaError *error) {
  MlirOperation func = find_entry(module);
  if (mlirOperationIsNull(func) || !luna_reference_list_values(func, reference))
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

bool luna_reference_create(MlirModule module, int optimisation_level,
                           LunaReference *reference, LunaError *error) {
  *reference = (LunaReference){0};
  if (!run_step(module, LUNA_UPSTREAM_STRUCTURE, error) ||
      !run_step(module, LUNA_UPSTREAM_QUANTIZE, error) ||
      !note_entry(module, reference, error))
    return false;
  luna_reference_hook_branches(module, reference);
  if (!lower(module, error))
    return false;
  luna_walk(mlirModuleGetOperation(module), drop_attributes, NULL);
  uint64_t count = 0;
  const LunaRuntimeSymbol *symbols = luna_reference_symbols(&count);
  reference->engine =
      luna_jit_create(module, optimisation_level, symbols, count, error);
  luna_reference_reset(reference);
  return !mlirExecutionEngineIsNull(reference->engine);
}

void luna_reference_destroy(LunaReference *reference) {
  if (!mlirExecutionEngineIsNull(reference->engine))
    mlirExecutionEngineDestroy(reference->engine);
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

// Returns the value number `index` of those in [first, end) that are not state.
static LunaReferenceValue *plain_value(const LunaReference *reference,
                                       uint32_t first, uint32_t end,
                                       uint32_t index) {
  uint32_t at = first;
  for (; reference->values[at].state || index-- > 0; ++at)
    assert(at + 1 < end);
  (void)end;
  return &reference->values[at];
}

LunaReferenceValue *luna_reference_input(const LunaReference *reference,
                                         uint32_t index) {
  return plain_value(reference, 0, reference->argument_count, index);
}

LunaReferenceValue *luna_reference_output(const LunaReference *reference,
                                          uint32_t index) {
  return plain_value(reference, reference->argument_count,
                     reference->argument_count + reference->result_count,
                     index);
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

static void pass_on_states(LunaReference *reference) {
  const LunaReferenceValue *results =
      reference->values + reference->argument_count;
  for (uint32_t i = 0; i < reference->result_count; ++i)
    for (uint32_t k = 0; results[i].state && k < reference->argument_count;
         ++k) {
      LunaReferenceValue *argument = &reference->values[k];
      if (argument->state && strcmp(argument->state, results[i].state) == 0)
        memcpy(argument->data, results[i].data, argument->bytes);
    }
}

bool luna_reference_run(LunaReference *reference, const LunaDecision *decisions,
                        uint32_t count) {
  uint32_t values = reference->argument_count + reference->result_count;
  LunaArena arena = {0};
  void **pointers = LUNA_ARENA_ARRAY(&arena, void *, values);
  for (uint32_t i = 0; i < values; ++i)
    pointers[i] = reference->values[i].descriptor;
  luna_reference_begin(decisions, count);
  bool is_done =
      luna_jit_call(reference->engine, reference->entry, pointers, values);
  luna_reference_end();
  pass_on_states(reference);
  luna_arena_destroy(&arena);
  return is_done;
}
