// luna-check-input: checks a model before any rewrite.
//
// In: a model function after upstream lift-cf-to-scf, on tensors or memrefs.
// Out: the same, with inputs marked read-only and selects of tensors as scf.if.
// Emits one error, at the op, for a model that cannot be compiled.
// Refuses: control flow that could not be lifted, calls that could not be
// inlined, operators that no later pass knows, dynamic shapes, loops nested
// more than 32 deep, elements at constant indices that a tensor does not have,
// arguments and results that are not tensors or whose elements are not i1, i8,
// i16, i32, i64, f16, bf16, f32, f64 or index. No options. Example:
// lit_tests/passes/luna-check-input/doc.mlir

#include <string.h>

#include "luna-c/builder.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_desc.h"
#include "structure.h"

static bool is_dynamic(MlirType type) {
  return mlirTypeIsAShaped(type) && mlirShapedTypeHasRank(type) &&
         !mlirShapedTypeHasStaticShape(type);
}

static MlirLogicalResult check_boundary(MlirOperation func, const char *what,
                                        intptr_t index, MlirType type) {
  if (!mlirTypeIsATensor(type) && !mlirTypeIsAMemRef(type))
    return luna_emit_error(func,
                           "%s %d is not a tensor (use tensor<1x…> for a "
                           "scalar)",
                           what, (int)index);
  if (!mlirShapedTypeHasRank(type) || is_dynamic(type))
    return luna_emit_error(func, "%s %d has a dynamic shape, must be static",
                           what, (int)index);
  if (luna_element_type_id(mlirShapedTypeGetElementType(type)) < 0)
    return luna_emit_error(func,
                           "%s %d has an element type other than i1, i8, "
                           "i16, i32, i64, f16, bf16, f32, f64 and index",
                           what, (int)index);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult check_signature(MlirOperation func) {
  MlirType type = mlirTypeAttrGetValue(luna_attr(func, "function_type"));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (mlirLogicalResultIsFailure(check_boundary(
            func, "argument", i, mlirFunctionTypeGetInput(type, i))))
      return mlirLogicalResultFailure();
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    if (mlirLogicalResultIsFailure(check_boundary(
            func, "result", i, mlirFunctionTypeGetResult(type, i))))
      return mlirLogicalResultFailure();
  return mlirLogicalResultSuccess();
}

// Returns the function that `call` names, or a null op.
static MlirOperation callee_of(MlirOperation func, MlirOperation call) {
  MlirStringRef name = luna_attr_symbol(call, "callee");
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(func));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_FUNC_FUNC) &&
        mlirStringRefEqual(luna_attr_string(op, "sym_name"), name))
      return op;
  return (MlirOperation){NULL};
}

static bool has_body(MlirOperation func) {
  return !mlirOperationIsNull(func) && !mlirBlockIsNull(mlirRegionGetFirstBlock(
                                           mlirOperationGetRegion(func, 0)));
}

// The inliner ran before: a remaining call cannot be inlined.
static bool refuse_call(MlirOperation func, MlirOperation call) {
  MlirStringRef name = luna_attr_symbol(call, "callee");
  if (has_body(callee_of(func, call)))
    luna_emit_error(call,
                    "call of '%.*s' cannot be inlined; is it recursive, or "
                    "does it branch by cf where one block is allowed?",
                    (int)name.length, name.data);
  else
    luna_emit_error(call, "calls '%.*s', which has no body", (int)name.length,
                    name.data);
  return false;
}

// Planner and checker recurse into loops; their time and memory grow with more
// than the square of the depth.
static bool check_depth(MlirOperation loop) {
  enum { DEPTH_MAX = 32 };
  int depth = 0;
  for (MlirOperation op = loop; !mlirOperationIsNull(op);
       op = mlirOperationGetParentOperation(op))
    depth += luna_is_loop(op);
  if (depth <= DEPTH_MAX)
    return true;
  luna_emit_error(loop, "loop is nested %d deep, at most %d are compiled",
                  depth, (int)DEPTH_MAX);
  return false;
}

// Dialects and operators that can be compiled, by the start of their names.
static const char *const known[] = {
    "affine.apply", "affine.max", "affine.min", "arith.",  "bufferization.",
    "builtin.",     "cf.",        "func.",      "linalg.", "luna.",
    "math.",        "memref.",    "scf.",       "tensor.", "tosa.",
    "ub.",          "complex.",
};

// Operators of these dialects that cannot.
static const char *const unknown[] = {
    "linalg.softmax", "linalg.winograd_", "scf.forall",
    "scf.parallel",   "tensor.gather",    "tensor.reshape",
    "tensor.scatter", "tosa.custom",      "tosa.variable",
};

static bool is_listed(const char *const *list, size_t count,
                      MlirStringRef name) {
  for (size_t i = 0; i < count; ++i)
    if (strncmp(name.data, list[i], strlen(list[i])) == 0)
      return true;
  return false;
}

static bool check_known(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (is_listed(known, sizeof known / sizeof *known, name) &&
      !is_listed(unknown, sizeof unknown / sizeof *unknown, name))
    return true;
  luna_emit_error(op, "operator '%.*s' is not supported", (int)name.length,
                  name.data);
  return false;
}

// Other floats than these have no functions of the library.
static bool check_float(MlirOperation op, MlirType type) {
  if (mlirTypeIsAShaped(type))
    type = mlirShapedTypeGetElementType(type);
  if (!mlirTypeIsAFloat(type) || mlirTypeIsAF16(type) ||
      mlirTypeIsABF16(type) || mlirTypeIsAF32(type) || mlirTypeIsAF64(type))
    return true;
  luna_emit_error(op,
                  "floats other than f16, bf16, f32 and f64 are not supported");
  return false;
}

// Upstream's folding would read there.
static bool check_indices(MlirOperation op) {
  int64_t index = 0, extent = 0;
  intptr_t dimension = luna_index_outside(op, &index, &extent);
  if (dimension < 0)
    return true;
  luna_emit_error(op, "index %lld in dimension %d, which has %lld elements",
                  (long long)index, (int)dimension, (long long)extent);
  return false;
}

static bool check_op(MlirOperation op, void *data) {
  MlirOperation func = *(MlirOperation *)data;
  if (!check_known(op) || !check_indices(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!check_float(op, mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  if (luna_is_loop(op) && !check_depth(op))
    return false;
  if (luna_op_is(op, LUNA_OP_FUNC_CALL))
    return refuse_call(func, op);
  if (luna_op_in_dialect(op, LUNA_DIALECT_CF) &&
      !luna_op_is(op, LUNA_OP_CF_ASSERT)) {
    luna_emit_error(op, "control flow cannot be lifted to scf (does it have an "
                        "exit?); write it as scf.if, scf.for or scf.while");
    return false;
  }
  // Lifting produces it for the result of a loop without an exit.
  if (luna_op_is(op, LUNA_OP_UB_POISON) &&
      mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, 0)))) {
    luna_emit_error(op, "control flow never comes to an end");
    return false;
  }
  // Upstream lowers tosa.scatter by slices whose extents fold away later.
  if (luna_op_in_dialect(op, LUNA_DIALECT_TENSOR))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_dynamic(mlirValueGetType(mlirOperationGetResult(op, i)))) {
      luna_emit_error(op, "result has a dynamic shape, must be static");
      return false;
    }
  return true;
}

static MlirAttribute with_read_only(LunaArena *arena, MlirContext context,
                                    MlirAttribute dictionary) {
  static const char key[] = "bufferization.writable";
  intptr_t count = mlirDictionaryAttrGetNumElements(dictionary);
  if (!mlirAttributeIsNull(
          mlirDictionaryAttrGetElementByName(dictionary, luna_str(key))))
    return dictionary;
  MlirNamedAttribute *entries =
      LUNA_ARENA_ARRAY(arena, MlirNamedAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    entries[i] = mlirDictionaryAttrGetElement(dictionary, i);
  entries[count] = luna_named(context, key, mlirBoolAttrGet(context, false));
  return mlirDictionaryAttrGet(context, count + 1, entries);
}

// The caller owns the inputs: bufferisation must not write to them. State
// variables are updated in place.
static void protect_inputs(MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  MlirType type = mlirTypeAttrGetValue(luna_attr(func, "function_type"));
  MlirAttribute old = luna_attr(func, "arg_attrs");
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  LunaArena arena = {0};
  MlirAttribute *all = LUNA_ARENA_ARRAY(&arena, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute own = mlirAttributeIsNull(old)
                            ? mlirDictionaryAttrGet(context, 0, NULL)
                            : mlirArrayAttrGetElement(old, i);
    bool is_input = mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i)) &&
                    mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
                        own, luna_str("luna.state")));
    all[i] = is_input ? with_read_only(&arena, context, own) : own;
  }
  if (count > 0)
    luna_set_attr(func, "arg_attrs", mlirArrayAttrGet(context, count, all));
  luna_arena_destroy(&arena);
}

// A choice between tensors, as a chain of those found.
typedef struct Choice {
  MlirOperation op;
  struct Choice *next;
} Choice;

typedef struct Choices {
  LunaArena arena;
  Choice *first;
} Choices;

static bool find_choice(MlirOperation op, void *data) {
  Choices *choices = data;
  if (!luna_op_is(op, LUNA_OP_ARITH_SELECT) ||
      !mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
      mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return true;
  Choice *choice = LUNA_ARENA_ARRAY(&choices->arena, Choice, 1);
  *choice = (Choice){.op = op, .next = choices->first};
  choices->first = choice;
  return true;
}

static MlirRegion yielding(MlirLocation location, MlirValue value) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAppendOwnedOperation(block,
                                luna_build(&(LunaOpSpec){.name = "scf.yield",
                                                         .location = location,
                                                         .operands = &value,
                                                         .operand_count = 1}));
  return luna_region_of(block);
}

static void choose_by_if(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirValue condition = mlirOperationGetOperand(op, 0);
  MlirValue old = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(old);
  MlirRegion regions[] = {yielding(location, mlirOperationGetOperand(op, 1)),
                          yielding(location, mlirOperationGetOperand(op, 2))};
  MlirOperation choice =
      luna_build_before(op, &(LunaOpSpec){.name = "scf.if",
                                          .operands = &condition,
                                          .operand_count = 1,
                                          .results = &type,
                                          .result_count = 1,
                                          .owned_regions = regions,
                                          .region_count = 2});
  mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(choice, 0));
  mlirOperationDestroy(op);
}

// Inlining converts an scf.if that yields existing tensors to a select. It must
// remain a choice between whole tensors, not elementwise arithmetic, so that a
// forced decision applies to it.
static void keep_choices(MlirOperation func) {
  Choices choices = {.first = NULL};
  luna_walk(func, find_choice, &choices);
  for (Choice *choice = choices.first; choice != NULL; choice = choice->next)
    choose_by_if(choice->op);
  luna_arena_destroy(&choices.arena);
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  if (!has_body(func))
    return mlirLogicalResultSuccess();
  if (mlirLogicalResultIsFailure(check_signature(func)) ||
      !luna_walk(func, check_op, &func))
    return mlirLogicalResultFailure();
  protect_inputs(func);
  keep_choices(func);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"bufferization", "scf", NULL};

const LunaPassDesc luna_pass_check_input = {
    .argument = "luna-check-input",
    .summary = "refuse models that cannot be compiled",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
