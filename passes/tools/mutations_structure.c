// Faults in control flow, in regions, and in the record of the program.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

typedef LunaMutationSearch Search;

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static void swap_bodies(MlirRegion a, MlirRegion b) {
  MlirRegion between = mlirRegionCreate();
  mlirRegionTakeBody(between, a);
  mlirRegionTakeBody(a, b);
  mlirRegionTakeBody(b, between);
  mlirRegionDestroy(between);
}

static void exchange_arms(Search *search, MlirOperation op) {
  if (!luna_is_branch(op))
    return;
  for (intptr_t r = 0; r + 1 < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r + 1)) &&
        luna_mutation_take(search, op)) {
      swap_bodies(mlirOperationGetRegion(op, r),
                  mlirOperationGetRegion(op, r + 1));
      return;
    }
}

static void negate_condition(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_SCF_IF) || !luna_mutation_take(search, op))
    return;
  MlirType type = mlirIntegerTypeGet(mlirOperationGetContext(op), 1);
  const MlirValue operands[] = {mlirOperationGetOperand(op, 0),
                                luna_mutation_constant(op, type, 1)};
  mlirOperationSetOperand(
      op, 0, luna_build_value(op, "arith.xori", type, 2, operands));
}

static bool is_terminator(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_SCF_YIELD, LUNA_OP_LUNA_YIELD,
                        LUNA_OP_SCF_CONDITION);
}

// What a region yields, or a loop carries at first: of that, buffers.
static bool may_exchange(MlirOperation op, intptr_t i, intptr_t j) {
  MlirValue a = mlirOperationGetOperand(op, i);
  MlirValue b = mlirOperationGetOperand(op, j);
  MlirType type = mlirValueGetType(a);
  return !luna_same_value(a, b) && mlirTypeEqual(type, mlirValueGetType(b)) &&
         (is_terminator(op) || (luna_is_loop(op) && luna_is_memref(type)));
}

static void exchange_yields(Search *search, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t j = i + 1; j < count; ++j)
      if (may_exchange(op, i, j) && luna_mutation_exchange(search, op, i, j))
        return;
}

// One value twice.
static void double_yield(Search *search, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t j = 0; j < count; ++j)
      if (may_exchange(op, i, j) &&
          luna_mutation_set(search, op, i, mlirOperationGetOperand(op, j)))
        return;
}

// Returns the number of values that come from where `value` does: results of an
// op, or arguments of a block.
static intptr_t count_beside(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockGetNumArguments(mlirBlockArgumentGetOwner(value))
             : mlirOperationGetNumResults(mlirOpResultGetOwner(value));
}

static MlirValue value_beside(MlirValue value, intptr_t i) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockGetArgument(mlirBlockArgumentGetOwner(value), i)
             : mlirOperationGetResult(mlirOpResultGetOwner(value), i);
}

// Another result of the branch or region that gave an operand, or another value
// that the loop carries: of two buffers that are exchanged, the wrong one.
static void take_other_result(Search *search, MlirOperation op) {
  intptr_t operands = is_terminator(op) ? 0 : mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < operands; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    for (intptr_t r = 0; r < count_beside(value); ++r) {
      MlirValue other = value_beside(value, r);
      if (!luna_same_value(other, value) &&
          mlirTypeEqual(mlirValueGetType(other), mlirValueGetType(value)) &&
          luna_mutation_set(search, op, i, other))
        return;
    }
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// No turn, one turn fewer, one more.
static void change_bound(Search *search, MlirOperation op) {
  int64_t low = 0, high = 0;
  if (!luna_mutation_is_for(op))
    return;
  bool is_known = luna_constant_number(mlirOperationGetOperand(op, 0), &low) &&
                  luna_constant_number(mlirOperationGetOperand(op, 1), &high);
  luna_mutation_set(search, op, 1, mlirOperationGetOperand(op, 0));
  for (int64_t change = -1; is_known && change <= 1; change += 2)
    luna_mutation_set_number(search, op, 1, high + change);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static void remove_region(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_REGION) &&
      mlirOperationGetNumResults(op) == 0 && luna_mutation_take(search, op))
    mlirOperationDestroy(op);
}

static void double_region(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_REGION) && luna_mutation_take(search, op))
    luna_insert_after(op, mlirOperationClone(op));
}

static void destroy_all_but_last(MlirBlock block) {
  MlirOperation last = mlirBlockGetTerminator(block);
  for (MlirOperation op = lunaOperationGetPrevInBlock(last);
       !mlirOperationIsNull(op); op = lunaOperationGetPrevInBlock(last))
    mlirOperationDestroy(op);
}

// An arm or a body that does nothing, where nothing of it is yielded.
static void empty_body(Search *search, MlirOperation op) {
  bool is_loop = luna_mutation_is_for(op);
  if ((!luna_is_branch(op) && !is_loop) || mlirOperationGetNumResults(op) > 0)
    return;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)) && luna_mutation_take(search, op)) {
      destroy_all_but_last(luna_body(op, r));
      return;
    }
}

// An operator that is left out.
static void remove_operator(Search *search, MlirOperation op) {
  bool computes =
      luna_op_is_unit(op) || luna_op_in_dialect(op, LUNA_DIALECT_LINALG);
  if (computes && mlirOperationGetNumResults(op) == 0 &&
      !luna_op_is(op, LUNA_OP_LINALG_YIELD) && luna_mutation_take(search, op))
    mlirOperationDestroy(op);
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

static void remove_record(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_PROGRAM) && luna_mutation_take(search, op))
    mlirOperationDestroy(op);
}

// What a walk over the record's function does.
typedef struct Edit {
  Search *search;
  MlirOperation record;
} Edit;

// Leaves out what computes or copies.
static bool offer_edit(MlirOperation op, void *data) {
  Edit *edit = data;
  bool is_wanted = luna_op_is_unit(op) || luna_op_is(op, LUNA_OP_MEMREF_COPY);
  if (!is_wanted || mlirOperationGetNumResults(op) > 0 ||
      !luna_mutation_take(edit->search, edit->record))
    return true;
  mlirOperationDestroy(op);
  return false;
}

static void alter_record(Search *search, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_LUNA_PROGRAM))
    return;
  Edit edit = {search, op};
  for (MlirOperation inner = mlirBlockGetFirstOperation(luna_body(op, 0));
       !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
    if (luna_op_is(inner, LUNA_OP_FUNC_FUNC) &&
        !luna_walk(inner, offer_edit, &edit))
      return;
}

static const LunaMutation rows[] = {
    {.name = "arms-exchanged", .visit = exchange_arms},
    {.name = "condition-negated", .visit = negate_condition},
    {.name = "yields-exchanged", .visit = exchange_yields},
    {.name = "yield-doubled", .visit = double_yield},
    {.name = "other-result", .visit = take_other_result},
    {.name = "bound-changed", .visit = change_bound},
    {.name = "region-removed", .visit = remove_region},
    {.name = "region-doubled", .visit = double_region},
    {.name = "body-emptied", .visit = empty_body},
    {.name = "operator-removed", .visit = remove_operator},
    {.name = "record-removed", .visit = remove_record},
    {.name = "record-altered", .visit = alter_record},
};

const LunaMutationTable luna_mutations_of_structure = {
    rows, sizeof rows / sizeof rows[0]};
