// Faults in what the core computes: constants, places, operators, conditions.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { CHOICES_MAX = 2 };

typedef LunaMutationSearch Search;

static bool is_integral(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void change_constant(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_ARITH_CONSTANT) || !luna_has_uses(op))
    return;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirAttribute value = luna_attr(op, "value");
  for (int change = -1; change <= 1; change += 2)
    if (is_integral(type) && luna_mutation_take(search, op)) {
      luna_set_attr(
          op, "value",
          mlirIntegerAttrGet(type, mlirIntegerAttrGetValueInt(value) + change));
      return;
    } else if (mlirTypeIsAFloat(type) && luna_mutation_take(search, op)) {
      luna_set_attr(
          op, "value",
          mlirFloatAttrDoubleGet(mlirOperationGetContext(op), type,
                                 mlirFloatAttrGetValueDouble(value) + change));
      return;
    }
}

// The operand of the first index of an access; 0 for any other op.
static intptr_t first_index(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_LOAD)    ? 1
         : luna_op_is(op, LUNA_OP_MEMREF_STORE) ? 2
                                                : 0;
}

static int64_t extent_of(MlirOperation op, intptr_t operand) {
  intptr_t first = first_index(op);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, first - 1));
  return mlirShapedTypeGetDimSize(type, operand - first);
}

static void leave_memref(Search *search, MlirOperation op) {
  intptr_t first = first_index(op);
  for (intptr_t i = first; first && i < mlirOperationGetNumOperands(op); ++i) {
    const int64_t places[] = {extent_of(op, i), 1000000, -1, INT64_MAX};
    for (int k = 0; k < 4; ++k)
      if (luna_mutation_set_number(search, op, i, places[k]))
        return;
  }
}

static void take_other_place(Search *search, MlirOperation op) {
  intptr_t first = first_index(op);
  for (intptr_t i = first; first && i < mlirOperationGetNumOperands(op); ++i) {
    int64_t at = -1;
    luna_constant_number(mlirOperationGetOperand(op, i), &at);
    const int64_t places[] = {0, extent_of(op, i) - 1, at + 1};
    for (int k = 0; k < 3; ++k)
      if (places[k] != at && places[k] < extent_of(op, i) &&
          luna_mutation_set_number(search, op, i, places[k]))
        return;
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static void take_other_scalar(Search *search, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i), others[CHOICES_MAX];
    MlirType type = mlirValueGetType(value);
    if (!is_integral(type) && !mlirTypeIsAFloat(type))
      continue;
    uint32_t count = luna_mutation_alternatives(op, value, others, CHOICES_MAX);
    for (uint32_t k = 0; k < count; ++k)
      if (luna_mutation_set(search, op, i, others[k]))
        return;
  }
}

static void take_zero(Search *search, MlirOperation op) {
  if (!luna_op_in_dialect(op, LUNA_DIALECT_ARITH) &&
      !luna_op_is(op, LUNA_OP_MEMREF_STORE))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    int64_t number = 1;
    luna_constant_number(value, &number);
    if (is_integral(mlirValueGetType(value)) && number != 0 &&
        luna_mutation_set_number(search, op, i, 0))
      return;
  }
}

static void exchange(Search *search, MlirOperation op, intptr_t i, intptr_t j) {
  if (!luna_same_value(mlirOperationGetOperand(op, i),
                       mlirOperationGetOperand(op, j)))
    luna_mutation_exchange(search, op, i, j);
}

static void exchange_operands(Search *search, MlirOperation op) {
  if (LUNA_OP_IS_ANY(
          op, LUNA_OP_ARITH_SUBI, LUNA_OP_ARITH_SUBF, LUNA_OP_ARITH_DIVSI,
          LUNA_OP_ARITH_DIVUI, LUNA_OP_ARITH_DIVF, LUNA_OP_ARITH_REMSI,
          LUNA_OP_ARITH_REMUI, LUNA_OP_ARITH_SHLI, LUNA_OP_ARITH_SHRSI,
          LUNA_OP_ARITH_SHRUI, LUNA_OP_ARITH_CMPI, LUNA_OP_ARITH_CMPF,
          LUNA_OP_ARITH_REMF, LUNA_OP_ARITH_FLOORDIVSI))
    exchange(search, op, 0, 1);
}

static void exchange_choices(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_ARITH_SELECT))
    exchange(search, op, 1, 2);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void change_predicate(Search *search, MlirOperation op) {
  bool is_float = luna_op_is(op, LUNA_OP_ARITH_CMPF);
  if (!is_float && !luna_op_is(op, LUNA_OP_ARITH_CMPI))
    return;
  int64_t count = is_float ? 16 : 10;
  for (int64_t change = 1; change < count; change += 3)
    if (luna_mutation_take(search, op)) {
      luna_set_int(op, "predicate",
                   (luna_attr_int(op, "predicate", 0) + change) % count);
      return;
    }
}

static void take_other_operator(Search *search, MlirOperation op) {
  static const LunaOpName pairs[][2] = {
      {LUNA_OP_ARITH_ADDI, LUNA_OP_ARITH_SUBI},
      {LUNA_OP_ARITH_SUBI, LUNA_OP_ARITH_ADDI},
      {LUNA_OP_ARITH_MULI, LUNA_OP_ARITH_ADDI},
      {LUNA_OP_ARITH_ANDI, LUNA_OP_ARITH_ORI},
      {LUNA_OP_ARITH_ORI, LUNA_OP_ARITH_ANDI},
      {LUNA_OP_ARITH_XORI, LUNA_OP_ARITH_ANDI},
      {LUNA_OP_ARITH_MAXSI, LUNA_OP_ARITH_MINSI},
      {LUNA_OP_ARITH_MINSI, LUNA_OP_ARITH_MAXSI},
      {LUNA_OP_ARITH_ADDF, LUNA_OP_ARITH_SUBF},
      {LUNA_OP_ARITH_SUBF, LUNA_OP_ARITH_ADDF},
      {LUNA_OP_ARITH_MULF, LUNA_OP_ARITH_ADDF},
      {LUNA_OP_ARITH_DIVSI, LUNA_OP_ARITH_REMSI},
      {LUNA_OP_ARITH_REMSI, LUNA_OP_ARITH_DIVSI},
      {LUNA_OP_ARITH_SHRSI, LUNA_OP_ARITH_SHRUI},
      {LUNA_OP_ARITH_EXTSI, LUNA_OP_ARITH_EXTUI},
      {LUNA_OP_ARITH_EXTUI, LUNA_OP_ARITH_EXTSI},
      {LUNA_OP_ARITH_MAXIMUMF, LUNA_OP_ARITH_MINIMUMF},
      {LUNA_OP_ARITH_MINIMUMF, LUNA_OP_ARITH_MAXIMUMF},
      {LUNA_OP_ARITH_INDEX_CAST, LUNA_OP_ARITH_INDEX_CASTUI},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
    if (!luna_op_is(op, pairs[i][0]) || !luna_mutation_take(search, op))
      continue;
    MlirValue operands[2], old = mlirOperationGetResult(op, 0);
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t k = 0; k < count; ++k)
      operands[k] = mlirOperationGetOperand(op, k);
    mlirValueReplaceAllUsesOfWith(
        old, luna_build_value(op, luna_op_name(pairs[i][1]),
                              mlirValueGetType(old), count, operands));
    mlirOperationDestroy(op);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static void remove_store(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_STORE) && luna_mutation_take(search, op))
    mlirOperationDestroy(op);
}

// Behind one, and behind three of the next ops.
static void delay(Search *search, MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  for (int i = 0; i < 3 && !mlirOperationIsNull(next) &&
                  !mlirOperationIsNull(mlirOperationGetNextInBlock(next));
       ++i, next = mlirOperationGetNextInBlock(next))
    if (i != 1 && luna_mutation_take(search, op)) {
      mlirOperationMoveAfter(op, next);
      return;
    }
}

static void delay_store(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_STORE))
    delay(search, op);
}

static void delay_load(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_LOAD))
    delay(search, op);
}

static const LunaMutation rows[] = {
    {.name = "scalar-constant", .visit = change_constant},
    {.name = "index-outside", .visit = leave_memref, .is_wrong = true},
    {.name = "index-changed", .visit = take_other_place},
    {.name = "scalar-other", .visit = take_other_scalar},
    {.name = "scalar-zero", .visit = take_zero},
    {.name = "scalars-exchanged", .visit = exchange_operands},
    {.name = "choices-exchanged", .visit = exchange_choices},
    {.name = "predicate-changed", .visit = change_predicate},
    {.name = "scalar-operator", .visit = take_other_operator},
    {.name = "store-removed", .visit = remove_store},
    {.name = "store-delayed", .visit = delay_store},
    {.name = "load-delayed", .visit = delay_load},
};

const LunaMutationTable luna_mutations_of_scalars = {rows, sizeof rows /
                                                               sizeof rows[0]};
