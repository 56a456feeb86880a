// Functions of one quantised value: a table of all 256 results.

#include "fuse_quantization.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "scalar_function.h"

enum { VALUES = 256, MAX_COLUMNS = 96 };

// What a value of the expression is for each integer of its leaf.
typedef struct Column {
  MlirValue value;
  float *numbers;
} Column;

// The expression after a luna.quantize: all of it hangs on one dequantised
// value, its leaf.
typedef struct Expression {
  LunaArena arena;
  MlirValue root;
  LunaQuant leaf;
  bool has_leaf;
  Column columns[MAX_COLUMNS];
  int count;
} Expression;

static float *find_column(const Expression *e, MlirValue value) {
  for (int i = 0; i < e->count; ++i)
    if (luna_same_value(e->columns[i].value, value))
      return e->columns[i].numbers;
  return NULL;
}

static float *add_column(Expression *e, MlirValue value) {
  if (e->count == MAX_COLUMNS)
    return NULL;
  float *numbers = LUNA_ARENA_ARRAY(&e->arena, float, VALUES);
  e->columns[e->count++] = (Column){value, numbers};
  return numbers;
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static bool add_number(Expression *e, MlirValue value, float number) {
  float *numbers = add_column(e, value);
  for (int i = 0; numbers && i < VALUES; ++i)
    numbers[i] = number;
  return numbers != NULL;
}

// A dequantised value is the leaf if there is no other.
static bool add_leaf(Expression *e, MlirValue value, const LunaQuant *quant) {
  if (!luna_quant_is_int8(quant) ||
      (e->has_leaf &&
       !(luna_quant_is_like(quant, &e->leaf) &&
         luna_same_value(luna_quant_ints(quant), luna_quant_ints(&e->leaf)))))
    return false;
  e->leaf = *quant;
  e->has_leaf = true;
  float *numbers = add_column(e, value);
  for (int i = 0; numbers && i < VALUES; ++i)
    numbers[i] = (float)(i + INT8_MIN - quant->zero) * quant->scale;
  return numbers != NULL;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// The column of an operand; a constant in or outside of a body gets its own.
static float *operand_column(Expression *e, MlirValue value) {
  float *numbers = find_column(e, value);
  MlirOperation op = luna_defining_op(value);
  if (numbers || !luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return numbers;
  MlirAttribute number = luna_attr(op, "value");
  if (!mlirAttributeIsAFloat(number) ||
      !add_number(e, value, (float)mlirFloatAttrGetValueDouble(number)))
    return NULL;
  return find_column(e, value);
}

// Computes the column of a result whose operands have theirs.
static bool apply(Expression *e, MlirOperation op,
                  const LunaScalarFunction *function) {
  float *operands[LUNA_SCALAR_MAX_OPERANDS];
  for (int i = 0; i < function->operands; ++i) {
    operands[i] = operand_column(e, mlirOperationGetOperand(op, i));
    if (!operands[i])
      return false;
  }
  float *numbers = add_column(e, mlirOperationGetResult(op, 0));
  for (int k = 0; numbers && k < VALUES; ++k) {
    float x[LUNA_SCALAR_MAX_OPERANDS];
    for (int i = 0; i < function->operands; ++i)
      x[i] = operands[i][k];
    numbers[k] = luna_scalar_apply(function, op, x);
  }
  return numbers != NULL;
}

static bool is_number_type(MlirType type) {
  return mlirTypeIsAF32(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1);
}

static bool has_numbers(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirTypeIsARankedTensor(type) &&
         is_number_type(mlirShapedTypeGetElementType(type));
}

// An op in the body of a linalg.generic.
static bool apply_step(Expression *e, MlirOperation op) {
  const LunaScalarFunction *function = luna_scalar_function(op);
  if (luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return true;
  return function && mlirOperationGetNumResults(op) == 1 &&
         is_number_type(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
         apply(e, op, function);
}

// The last of its operands is the result's.
static bool apply_generic(Expression *e, MlirOperation op) {
  MlirBlock body = luna_body(op, 0);
  intptr_t inputs = mlirBlockGetNumArguments(body) - 1;
  for (intptr_t i = 0; i < inputs; ++i) {
    float *from = find_column(e, mlirOperationGetOperand(op, i));
    float *to = from ? add_column(e, mlirBlockGetArgument(body, i)) : NULL;
    if (!to)
      return false;
    memcpy(to, from, VALUES * sizeof *to);
  }
  MlirOperation step = mlirBlockGetFirstOperation(body);
  for (; !luna_op_is(step, LUNA_OP_LINALG_YIELD);
       step = mlirOperationGetNextInBlock(step))
    if (!apply_step(e, step))
      return false;
  float *from = operand_column(e, mlirOperationGetOperand(step, 0));
  float *to = from ? add_column(e, mlirOperationGetResult(op, 0)) : NULL;
  if (to)
    memcpy(to, from, VALUES * sizeof *to);
  return to != NULL;
}

static bool is_map(MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_LINALG_GENERIC) ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  MlirAttribute kinds = luna_attr(op, "iterator_types");
  MlirAttribute parallel = mlirAttributeParseGet(
      mlirOperationGetContext(op), luna_str("#linalg.iterator_type<parallel>"));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(kinds); ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(kinds, i), parallel))
      return false;
  return true;
}

bool luna_fuse_is_elementwise(MlirOperation op) {
  return is_map(op) || luna_scalar_function(op) ||
         luna_op_is(op, LUNA_OP_LUNA_QUANTIZE);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

// Values that are still to be computed, what they need above them.
typedef struct Stack {
  MlirValue values[2 * MAX_COLUMNS];
  int count;
} Stack;

static bool push(Stack *stack, MlirValue value) {
  if (stack->count == 2 * MAX_COLUMNS)
    return false;
  stack->values[stack->count++] = value;
  return true;
}

// How many operands an operator on numbers has; -1 for any other.
static intptr_t operator_operands(MlirOperation op) {
  const LunaScalarFunction *function = luna_scalar_function(op);
  if (!has_numbers(op))
    return -1;
  if (function)
    return function->operands;
  return is_map(op) && luna_reads_in_order(op)
             ? mlirOperationGetNumOperands(op) - 1
             : -1;
}

// Computes `op`, the top of the stack, or puts what it needs on it first.
static bool visit_op(Expression *e, Stack *stack, MlirOperation op) {
  intptr_t count = operator_operands(op);
  bool is_ready = true;
  if (count < 0 || !luna_has_same_shape(mlirOperationGetResult(op, 0), e->root))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (find_column(e, operand))
      continue;
    is_ready = false;
    if (!push(stack, operand))
      return false;
  }
  if (!is_ready)
    return true;
  --stack->count;
  const LunaScalarFunction *function = luna_scalar_function(op);
  return function ? apply(e, op, function) : apply_generic(e, op);
}

static bool visit(Expression *e, Stack *stack) {
  MlirValue value = stack->values[stack->count - 1];
  LunaQuant quant;
  float number;
  if (find_column(e, value)) {
    --stack->count;
    return true;
  }
  if (luna_literal_number(value, &number)) {
    --stack->count;
    return add_number(e, value, number);
  }
  if (luna_quant_source(value, &quant)) {
    --stack->count;
    return luna_has_same_shape(value, e->root) && add_leaf(e, value, &quant);
  }
  MlirOperation op = luna_defining_op(value);
  return !mlirOperationIsNull(op) && visit_op(e, stack, op);
}

static bool compute(Expression *e) {
  Stack stack = {.count = 0};
  push(&stack, e->root);
  while (stack.count > 0)
    if (!visit(e, &stack))
      return false;
  return e->has_leaf;
}

// Fills the table; false where it changes nothing.
static bool fill(const Expression *e, const LunaQuantTarget *target,
                 int8_t table[VALUES]) {
  const float *numbers = find_column(e, e->root);
  bool changes = false;
  for (int i = 0; i < VALUES; ++i) {
    table[i] = (int8_t)luna_quant_number(target, numbers[i]);
    changes = changes || table[i] != i + INT8_MIN;
  }
  return changes;
}

bool luna_fuse_table(MlirOperation quantize) {
  LunaQuantTarget target;
  Expression e = {.root = mlirOperationGetOperand(quantize, 0)};
  bool is_done = luna_quant_target(quantize, &target) && compute(&e);
  if (is_done) {
    int8_t table[VALUES];
    MlirValue ints = luna_quant_ints(&e.leaf);
    LunaBuilder b = luna_builder_before(quantize, quantize);
    if (fill(&e, &target, table))
      ints = luna_quant_make_table(&b, ints, table);
    luna_quant_replace(quantize, ints);
  }
  luna_arena_destroy(&e.arena);
  return is_done;
}
