#include "reference.h"

#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "luna-c/upstream.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const char hook_name[] = "luna_rt_branch";

//===- The runtime of the reference ---------------------------------------===//

// What a run of compiled code finds; it gets no argument of ours.
static const LunacDecision *active_decisions;
static uint32_t active_count;

// Memory that a run allocates, freed after it: upstream code leaves freeing to
// a pass that is of no interest here.
typedef struct Block {
  struct Block *next;
  void *padding; // keeps what follows aligned to 16 bytes
} Block;
static Block *active_blocks;

static int32_t decide(int32_t branch, int32_t decision) {
  bool is_known = branch >= 0 && (uint32_t)branch < active_count;
  return is_known && active_decisions[branch].is_forced
             ? active_decisions[branch].value
             : decision;
}

static void *allocate(size_t bytes) {
  Block *block = malloc(sizeof *block + bytes);
  if (!block)
    abort();
  block->next = active_blocks;
  active_blocks = block;
  return block + 1;
}

static void release(void *pointer) { (void)pointer; }

static void release_all(void) {
  while (active_blocks) {
    Block *next = active_blocks->next;
    free(active_blocks);
    active_blocks = next;
  }
}

// An unranked memref as MLIR's lowering passes it: rank and descriptor.
typedef struct Unranked {
  int64_t rank;
  void *descriptor;
} Unranked;

// The descriptor of a ranked memref, sizes and strides behind it.
typedef struct Ranked {
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizes_and_strides[];
} Ranked;

static void copy_box(int64_t rank, int64_t element_bytes, const int64_t *sizes,
                     const char *source, const int64_t *source_strides,
                     char *target, const int64_t *target_strides) {
  if (rank == 0) {
    memcpy(target, source, (size_t)element_bytes);
    return;
  }
  for (int64_t i = 0; i < *sizes; ++i)
    copy_box(rank - 1, element_bytes, sizes + 1,
             source + i * *source_strides * element_bytes, source_strides + 1,
             target + i * *target_strides * element_bytes, target_strides + 1);
}

// What upstream lowers a strided memref.copy to.
static void copy_memref(int64_t element_bytes, Unranked *source,
                        Unranked *target) {
  const Ranked *from = source->descriptor;
  Ranked *to = target->descriptor;
  int64_t rank = source->rank;
  copy_box(rank, element_bytes, from->sizes_and_strides,
           from->aligned + from->offset * element_bytes,
           from->sizes_and_strides + rank,
           to->aligned + to->offset * element_bytes,
           to->sizes_and_strides + rank);
}

//===- Branches -----------------------------------------------------------===//

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static bool is_op(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            str(name));
}

typedef struct Hooks {
  LunacSession *session;
  const LunaProgramInfo *program;
  MlirOperation func; // the one with a body
  const char *entry;  // its wrapper
  uint32_t count;
  bool is_same; // so far, the branches are the program's
  MlirType i32;
} Hooks;

static MlirValue build(MlirOperation before, const char *name, MlirType type,
                       const MlirValue *operands, intptr_t operand_count,
                       const MlirNamedAttribute *attribute) {
  MlirOperationState state =
      mlirOperationStateGet(str(name), mlirOperationGetLocation(before));
  mlirOperationStateAddOperands(&state, operand_count, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  if (attribute)
    mlirOperationStateAddAttributes(&state, 1, attribute);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      op);
  return mlirOperationGetResult(op, 0);
}

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, str(name)), value);
}

static bool is_decided_by(MlirOperation op, const char *name,
                          MlirValue decision) {
  return is_op(op, name) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), decision);
}

// Where the decision of an scf.if is first used: inlining canonicalises, which
// makes results that are the same value on each path a select in front of the
// branch. It belongs to the first branch on the condition that follows.
static MlirOperation first_user(MlirOperation branch) {
  MlirValue decision = mlirOperationGetOperand(branch, 0);
  MlirOperation first = branch;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(branch));
       !mlirOperationEqual(op, branch); op = mlirOperationGetNextInBlock(op)) {
    if (is_decided_by(op, "scf.if", decision))
      first = branch; // The selects before it are its own.
    else if (is_decided_by(op, "arith.select", decision) &&
             mlirOperationEqual(first, branch))
      first = op;
  }
  return first;
}

// Lets the branch ask luna_rt_branch, as the program does.
static void hook_branch(Hooks *hooks, MlirOperation branch) {
  MlirContext context = hooks->session->context;
  bool is_switch = is_op(branch, "scf.index_switch");
  uint32_t number = hooks->count++;
  if (number >= hooks->program->branch_count ||
      hooks->program->branches[number].kind !=
          (is_switch ? LUNA_BRANCH_SWITCH : LUNA_BRANCH_IF))
    hooks->is_same = false;
  MlirValue decision = mlirOperationGetOperand(branch, 0);
  MlirType type = mlirValueGetType(decision);
  MlirOperation first = is_switch ? branch : first_user(branch);
  MlirNamedAttribute value =
      named(context, "value", mlirIntegerAttrGet(hooks->i32, number));
  MlirNamedAttribute callee = named(
      context, "callee", mlirFlatSymbolRefAttrGet(context, str(hook_name)));
  MlirValue arguments[] = {
      build(first, "arith.constant", hooks->i32, NULL, 0, &value),
      build(first, is_switch ? "arith.index_cast" : "arith.extui", hooks->i32,
            &decision, 1, NULL),
  };
  MlirValue taken =
      build(first, "func.call", hooks->i32, arguments, 2, &callee);
  taken = build(first, is_switch ? "arith.index_cast" : "arith.trunci", type,
                &taken, 1, NULL);
  for (; !mlirOperationEqual(first, branch);
       first = mlirOperationGetNextInBlock(first))
    if (is_decided_by(first, "arith.select", decision))
      mlirOperationSetOperand(first, 0, taken);
  mlirOperationSetOperand(branch, 0, taken);
}

static void note_entry(Hooks *hooks, MlirOperation func) {
  MlirRegion body = mlirOperationGetRegion(func, 0);
  if (hooks->entry || mlirBlockIsNull(mlirRegionGetFirstBlock(body)))
    return;
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(func, str("sym_name")));
  hooks->func = func;
  hooks->entry = luna_arena_printf(hooks->session->arena, "_mlir_ciface_%.*s",
                                   (int)name.length, name.data);
}

// Program order, parents first: the order in which the compiler numbers.
static MlirWalkResult visit(MlirOperation op, void *data) {
  if (is_op(op, "scf.if") || is_op(op, "scf.index_switch"))
    hook_branch(data, op);
  // Asks for the wrapper that takes memref descriptors.
  if (is_op(op, "func.func")) {
    mlirOperationSetAttributeByName(
        op, str("llvm.emit_c_interface"),
        mlirUnitAttrGet(mlirOperationGetContext(op)));
    note_entry(data, op);
  }
  return MlirWalkResultAdvance;
}

static void declare_hook(Hooks *hooks, MlirModule module) {
  MlirContext context = hooks->session->context;
  MlirType inputs[] = {hooks->i32, hooks->i32};
  MlirType type = mlirFunctionTypeGet(context, 2, inputs, 1, &hooks->i32);
  MlirNamedAttribute attributes[] = {
      named(context, "function_type", mlirTypeAttrGet(type)),
      named(context, "sym_name", mlirStringAttrGet(context, str(hook_name))),
      named(context, "sym_visibility",
            mlirStringAttrGet(context, str("private"))),
  };
  MlirRegion body = mlirRegionCreate();
  MlirOperationState state =
      mlirOperationStateGet(str("func.func"), mlirLocationUnknownGet(context));
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
                                mlirOperationCreate(&state));
}

//===- State variables ----------------------------------------------------===//

static LunaProgramTensor shape_of(MlirType type) {
  LunaProgramTensor shape = {.rank = (int32_t)mlirShapedTypeGetRank(type)};
  for (int32_t i = 0; i < shape.rank && i < LUNA_PROGRAM_RANK_MAX; ++i)
    shape.dims[i] = mlirShapedTypeGetDimSize(type, i);
  return shape;
}

// The state variable of this name, a new one if there is none; its memory comes
// from the program's buffer table.
static uint32_t intern_state(LunacReference *reference, LunaArena *arena,
                             const char *name, MlirType type) {
  const LunaProgramInfo *program = reference->program;
  for (uint32_t i = 0; i < reference->state_count; ++i)
    if (strcmp(reference->states[i].shape.name, name) == 0)
      return i;
  LunacReferenceState *state = &reference->states[reference->state_count];
  *state = (LunacReferenceState){.shape = shape_of(type)};
  state->shape.name = name;
  for (uint32_t i = 0; i < program->buffer_count; ++i) {
    const LunaProgramBuffer *buffer = &program->buffers[i];
    if (buffer->kind != LUNA_BUFFER_STATE || strcmp(buffer->name, name) != 0)
      continue;
    state->offset_bytes = buffer->offset_bytes;
    state->shape.bytes = buffer->bytes;
  }
  uint64_t bytes = (uint64_t)state->shape.bytes;
  state->old_value = luna_arena_alloc(arena, bytes, 1);
  state->new_value = luna_arena_alloc(arena, bytes, 1);
  return reference->state_count++;
}

static LunacReferenceArgument *read_roles(LunacReference *reference,
                                          LunaArena *arena, MlirAttribute all,
                                          const MlirType *types,
                                          intptr_t count) {
  LunacReferenceArgument *roles =
      LUNA_ARENA_ARRAY(arena, LunacReferenceArgument, count);
  uint32_t plain = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute name = mlirAttributeGetNull();
    if (!mlirAttributeIsNull(all))
      name = mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, i),
                                                str("luna.state"));
    if (mlirAttributeIsNull(name)) {
      roles[i].index = plain++;
      continue;
    }
    MlirStringRef text = mlirStringAttrGetValue(name);
    const char *copy = luna_arena_strndup(arena, text.data, text.length);
    roles[i] = (LunacReferenceArgument){
        .is_state = true,
        .index = intern_state(reference, arena, copy, types[i]),
    };
  }
  return roles;
}

// Which arguments and results of the function are state: luna.state says it.
static void find_states(LunacReference *reference, LunacSession *session,
                        MlirOperation func) {
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(func, str("function_type")));
  intptr_t taken = mlirFunctionTypeGetNumInputs(type);
  intptr_t given = mlirFunctionTypeGetNumResults(type);
  MlirType *types = LUNA_ARENA_ARRAY(session->arena, MlirType, taken + given);
  for (intptr_t i = 0; i < taken; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; i < given; ++i)
    types[taken + i] = mlirFunctionTypeGetResult(type, i);
  reference->states =
      LUNA_ARENA_ARRAY(session->arena, LunacReferenceState, taken + given);
  reference->taken = read_roles(
      reference, session->arena,
      mlirOperationGetAttributeByName(func, str("arg_attrs")), types, taken);
  reference->given =
      read_roles(reference, session->arena,
                 mlirOperationGetAttributeByName(func, str("res_attrs")),
                 types + taken, given);
  reference->taken_count = (uint32_t)taken;
  reference->given_count = (uint32_t)given;
}

void luna_reference_reset(LunacReference *reference, const void *state) {
  for (uint32_t i = 0; i < reference->state_count; ++i)
    memcpy(reference->states[i].old_value,
           (const char *)state + reference->states[i].offset_bytes,
           (size_t)reference->states[i].shape.bytes);
}

static bool hook_branches(LunacReference *reference, LunacSession *session) {
  Hooks hooks = {
      .session = session,
      .program = reference->program,
      .is_same = true,
      .i32 = mlirIntegerTypeGet(session->context, 32),
  };
  mlirOperationWalk(mlirModuleGetOperation(reference->module), visit, &hooks,
                    MlirWalkPreOrder);
  declare_hook(&hooks, reference->module);
  reference->entry = hooks.entry;
  find_states(reference, session, hooks.func);
  return hooks.is_same && hooks.count == reference->program->branch_count;
}

//===- Compiling ----------------------------------------------------------===//

static MlirWalkResult find_transposed(MlirOperation op, void *found) {
  if (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                          str("tosa.transpose_conv2d")))
    return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

static bool has_transposed(MlirModule module) {
  bool found = false;
  mlirOperationWalk(mlirModuleGetOperation(module), find_transposed, &found,
                    MlirWalkPreOrder);
  return found;
}

static MlirWalkResult find_luna_op(MlirOperation op, void *data) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length < 5 || memcmp(name.data, "luna.", 5) != 0)
    return MlirWalkResultAdvance;
  *(MlirStringRef *)data = name;
  return MlirWalkResultInterrupt;
}

// Operators in LUNA's own arithmetic are not upstream's to compute.
static bool check_operators(LunacSession *session, MlirModule module) {
  MlirStringRef found = {NULL, 0};
  mlirOperationWalk(mlirModuleGetOperation(module), find_luna_op, &found,
                    MlirWalkPreOrder);
  if (found.data)
    luna_diagnose(session,
                  luna_arena_printf(
                      session->arena,
                      "the model has operators of LUNA itself (%.*s), which "
                      "upstream MLIR cannot compute; leave out --check and "
                      "compare with --expect",
                      (int)found.length, found.data));
  return !found.data;
}

// LLVM knows nothing of luna.name and the like, and would warn.
static MlirWalkResult forget_attributes(MlirOperation op, void *data) {
  (void)data;
  if (is_op(op, "llvm.func")) {
    mlirOperationRemoveAttributeByName(op, str("arg_attrs"));
    mlirOperationRemoveAttributeByName(op, str("res_attrs"));
  }
  return MlirWalkResultAdvance;
}

static bool run_step(LunacSession *session, MlirModule module,
                     LunaUpstreamStep step) {
  return luna_session_run(session, module, luna_upstream_passes(step),
                          "the reference cannot be compiled by upstream MLIR");
}

bool luna_reference_create(LunacSession *session, MlirModule module,
                           const LunaProgramInfo *program,
                           LunacReference *reference) {
  *reference = (LunacReference){.module = module, .program = program};
  luna_progress(session, "compiling the reference");
  if (!run_step(session, module, LUNA_UPSTREAM_STRUCTURE) ||
      !run_step(session, module, LUNA_UPSTREAM_QUANTIZE) ||
      !check_operators(session, module))
    return false;
  reference->can_force = hook_branches(reference, session);
  if (has_transposed(module) &&
      !run_step(session, module, LUNA_UPSTREAM_DECOMPOSE))
    return false;
  if (!run_step(session, module, LUNA_UPSTREAM_LINALG) ||
      !run_step(session, module, LUNA_UPSTREAM_BUFFERIZE) ||
      !run_step(session, module, LUNA_UPSTREAM_LLVM))
    return false;
  mlirOperationWalk(mlirModuleGetOperation(module), forget_attributes, NULL,
                    MlirWalkPreOrder);
  static const LunacSymbol symbols[] = {
      {"luna_rt_branch", (void (*)(void))decide},
      {"malloc", (void (*)(void))allocate},
      {"free", (void (*)(void))release},
      {"memrefCopy", (void (*)(void))copy_memref},
  };
  reference->engine = luna_jit_create(session, module, symbols,
                                      sizeof symbols / sizeof symbols[0]);
  return !mlirExecutionEngineIsNull(reference->engine);
}

void luna_reference_destroy(LunacReference *reference) {
  if (!mlirExecutionEngineIsNull(reference->engine))
    mlirExecutionEngineDestroy(reference->engine);
  if (!mlirModuleIsNull(reference->module))
    mlirModuleDestroy(reference->module);
  *reference = (LunacReference){0};
}

//===- Running ------------------------------------------------------------===//

// A memref descriptor of rank up to LUNA_PROGRAM_RANK_MAX.
typedef struct Descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t sizes_and_strides[2 * LUNA_PROGRAM_RANK_MAX];
} Descriptor;

static Descriptor describe(const LunaProgramTensor *tensor, void *data) {
  Descriptor descriptor = {.allocated = data, .aligned = data};
  int64_t stride = 1;
  for (int32_t i = tensor->rank - 1; i >= 0; --i) {
    descriptor.sizes_and_strides[i] = tensor->dims[i];
    descriptor.sizes_and_strides[tensor->rank + i] = stride;
    stride *= tensor->dims[i];
  }
  return descriptor;
}

static void pass_on_states(LunacReference *reference) {
  for (uint32_t i = 0; i < reference->state_count; ++i)
    memcpy(reference->states[i].old_value, reference->states[i].new_value,
           (size_t)reference->states[i].shape.bytes);
}

bool luna_reference_run(LunacReference *reference,
                        const LunacDecision *decisions, void *const *inputs,
                        void *const *outputs) {
  const LunaProgramInfo *program = reference->program;
  uint32_t count = reference->taken_count + reference->given_count;
  LunaArena arena = {0};
  Descriptor *descriptors = LUNA_ARENA_ARRAY(&arena, Descriptor, count);
  void **pointers = LUNA_ARENA_ARRAY(&arena, void *, count);
  for (uint32_t i = 0; i < count; ++i) {
    bool is_taken = i < reference->taken_count;
    LunacReferenceArgument role =
        is_taken ? reference->taken[i]
                 : reference->given[i - reference->taken_count];
    if (role.is_state) {
      LunacReferenceState *state = &reference->states[role.index];
      descriptors[i] = describe(&state->shape,
                                is_taken ? state->old_value : state->new_value);
    } else {
      descriptors[i] =
          is_taken
              ? describe(&program->inputs[role.index], inputs[role.index])
              : describe(&program->outputs[role.index], outputs[role.index]);
    }
    pointers[i] = &descriptors[i];
  }
  active_decisions = decisions;
  active_count = program->branch_count;
  bool is_done =
      luna_jit_call(reference->engine, reference->entry, pointers, count);
  pass_on_states(reference);
  release_all();
  active_decisions = NULL;
  active_count = 0;
  luna_arena_destroy(&arena);
  return is_done;
}
