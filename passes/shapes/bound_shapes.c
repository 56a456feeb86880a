// luna-bound-shapes: gives tensors of a size that only the running program
// knows the size of its bound, and a valid length.
//
// In: a function on tensors after luna-propagate-shapes and tosa-to-scf, of
// which one dimension of a tensor may be open (`?`): slices of a computed size,
// branches whose regions yield other sizes, and what loops make larger.
// Out: the same without open types. A tensor has its bound, and beside it an
// index that says how much of that is valid. Operators run over the bound; what
// would take part though it is dead is masked. A result of the function is 0
// after what is valid, and has a further result, tensor<1xi32>, named
// NAME.size after it. A function without open types is left alone. The bound of
// what a loop carries follows from its trip count, or is given by `luna.bounds`
// on the loop: one number for each result, 0 where it follows. Refuses: two
// open dimensions, open arguments, loops without a bound, and operators of
// which nothing says that they hide what is dead. No options. Example:
// lit_tests/passes/luna-bound-shapes/doc.mlir

#include "bound_shapes.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static MlirAttribute result_attributes(MlirOperation func, intptr_t i) {
  MlirAttribute all = luna_attr(func, "res_attrs");
  return mlirAttributeIsNull(all)
             ? mlirDictionaryAttrGet(mlirOperationGetContext(func), 0, NULL)
             : mlirArrayAttrGetElement(all, i);
}

// The name of a result, or its number, with `.size`.
static MlirAttribute size_attributes(LunaBounder *bounder, intptr_t i) {
  MlirContext context = mlirOperationGetContext(bounder->func);
  MlirAttribute name = mlirDictionaryAttrGetElementByName(
      result_attributes(bounder->func, i), luna_str("luna.name"));
  MlirStringRef text =
      mlirAttributeIsNull(name) ? luna_str("") : mlirStringAttrGetValue(name);
  const char *size =
      text.length > 0 ? luna_arena_printf(bounder->arena, "%.*s.size",
                                          (int)text.length, text.data)
                      : luna_arena_printf(bounder->arena, "out%d.size", (int)i);
  MlirNamedAttribute named =
      luna_named(context, "luna.name", luna_string_attr(context, size));
  return mlirDictionaryAttrGet(context, 1, &named);
}

static void set_results(LunaBounder *bounder, intptr_t count,
                        const MlirValue *values,
                        const MlirAttribute *attributes) {
  MlirOperation func = bounder->func;
  MlirContext context = mlirOperationGetContext(func);
  MlirType old = mlirTypeAttrGetValue(luna_attr(func, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old);
  MlirType *types = LUNA_ARENA_ARRAY(bounder->arena, MlirType, inputs + count);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = mlirFunctionTypeGetInput(old, i);
  for (intptr_t i = 0; i < count; ++i)
    types[inputs + i] = mlirValueGetType(values[i]);
  luna_set_attr(func, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(context, inputs, types,
                                                    count, types + inputs)));
  luna_set_attr(func, "res_attrs",
                mlirArrayAttrGet(context, count, attributes));
}

// Results are 0 behind what is valid; then come their sizes.
static bool bound_return(LunaBounder *bounder, MlirOperation op) {
  intptr_t results = mlirOperationGetNumOperands(op), count = results;
  MlirValue *values = LUNA_ARENA_ARRAY(bounder->arena, MlirValue, 2 * results);
  MlirAttribute *attributes =
      LUNA_ARENA_ARRAY(bounder->arena, MlirAttribute, 2 * results);
  LunaBuilder b = luna_builder_before(op, op);
  LunaShape one = {1, {1}};
  for (intptr_t i = 0; i < results; ++i) {
    values[i] =
        luna_valid_now(&bounder->lengths, mlirOperationGetOperand(op, i));
    attributes[i] = result_attributes(bounder->func, i);
    const LunaValidLength *valid =
        luna_valid_find(&bounder->lengths, values[i]);
    if (!valid)
      continue;
    MlirValue size =
        luna_scalar_to(&b, "arith.index_cast", valid->count, b.i32);
    values[count] = luna_build_from_scalar(&b, size, &one);
    attributes[count++] = size_attributes(bounder, i);
    values[i] = luna_valid_mask(&b, valid, 0);
  }
  luna_build_end(&b, "func.return", count, values);
  mlirOperationDestroy(op);
  if (count > results)
    set_results(bounder, count, values, attributes);
  return true;
}

static bool follow(LunaBounder *bounder, MlirOperation op) {
  const LunaValidLengths *lengths = &bounder->lengths;
  if (luna_valid_follow(&bounder->lengths, op))
    return true;
  if (lengths->other.axis < 0)
    return luna_refuse_open(op, lengths->refused.axis, lengths->why);
  luna_emit_error(op, "two sizes of operands are known while running only, "
                      "and may differ");
  return false;
}

// The operands of a terminator of control flow are read with what ends by it.
static bool bound_op(LunaBounder *bounder, MlirOperation op) {
  if (luna_is_branch(op))
    return luna_bound_branch(bounder, op);
  if (luna_is_loop(op))
    return luna_bound_loop(bounder, op);
  if (luna_op_is(op, LUNA_OP_FUNC_RETURN))
    return bound_return(bounder, op);
  return LUNA_OP_IS_ANY(op, LUNA_OP_SCF_CONDITION, LUNA_OP_SCF_YIELD) ||
         follow(bounder, op);
}

static bool bound_block(LunaBounder *bounder, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next;
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!bound_op(bounder, op))
      return false;
  }
  return true;
}

static bool is_static_op(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (luna_is_open(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

// Nothing is open any more that luna-propagate-shapes described.
static bool drop_description(MlirOperation op, void *data) {
  static const char *const names[] = {"luna.shape", "luna.class", "luna.sizes"};
  (void)data;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirOperationRemoveDiscardableAttributeByName(op, luna_str(names[i]));
  return true;
}

static bool has_open_argument(MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (luna_is_open(mlirValueGetType(mlirBlockGetArgument(block, i))))
      return true;
  return false;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *values) {
  (void)values;
  LunaArena arena = {0};
  LunaBounder bounder = {.arena = &arena,
                         .func = func,
                         .lengths = {.arena = &arena, .has_open_types = true},
                         .bound_block = bound_block};
  MlirBlock body = luna_body(func, 0);
  // Open arguments are for luna-check-input to refuse.
  if (mlirBlockIsNull(body) || luna_walk(func, is_static_op, NULL) ||
      has_open_argument(body))
    return mlirLogicalResultSuccess();
  luna_walk(func, drop_description, NULL);
  drop_description(func, NULL);
  bool is_done = bound_block(&bounder, body);
  for (uint64_t i = 0; i < bounder.abandoned.count; ++i)
    mlirOperationDestroy(bounder.abandoned.items[i]);
  luna_arena_destroy(&arena);
  if (is_done)
    luna_erase_unused(func);
  return is_done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static const char *const dialects[] = {"arith",  "func", "linalg",
                                       "tensor", "tosa", NULL};

const LunaPassDesc luna_pass_bound_shapes = {
    .argument = "luna-bound-shapes",
    .summary = "Give tensors of computed sizes a bound and a valid length",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
