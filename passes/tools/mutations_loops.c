// Faults in loops: bounds, conditions, and names that are exchanged.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { CHOICES_MAX = 3, LOW = 0, HIGH = 1, STEP = 2, FIRST_INIT = 3 };

typedef LunaMutationSearch Search;

static intptr_t first_init(MlirOperation loop) {
  return luna_mutation_is_for(loop) ? FIRST_INIT : 0;
}

//===----------------------------------------------------------------------===//
// Bounds and conditions
//===----------------------------------------------------------------------===//

static void make_unsigned(Search *search, MlirOperation op) {
  if (luna_mutation_is_for(op) &&
      mlirAttributeIsNull(luna_attr(op, "unsignedCmp")) &&
      luna_mutation_take(search, op))
    luna_set_attr(op, "unsignedCmp",
                  mlirUnitAttrGet(mlirOperationGetContext(op)));
}

static void stop_step(Search *search, MlirOperation op) {
  for (int64_t step = 0; luna_mutation_is_for(op) && step >= -1; --step)
    if (luna_mutation_set_number(search, op, STEP, step))
      return;
}

static void change_step(Search *search, MlirOperation op) {
  int64_t step = 0;
  if (!luna_mutation_is_for(op) ||
      !luna_constant_number(mlirOperationGetOperand(op, STEP), &step))
    return;
  for (int64_t change = 1; change <= 2; ++change)
    if (luna_mutation_set_number(search, op, STEP, step + change))
      return;
}

static void change_low(Search *search, MlirOperation op) {
  int64_t low = 0;
  if (!luna_mutation_is_for(op) ||
      !luna_constant_number(mlirOperationGetOperand(op, LOW), &low))
    return;
  for (int64_t change = -1; change <= 1; change += 2)
    if (luna_mutation_set_number(search, op, LOW, low + change))
      return;
}

static void force_condition(Search *search, MlirOperation op) {
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_SCF_CONDITION, LUNA_OP_SCF_IF))
    return;
  for (int64_t value = 0; value <= 1; ++value)
    if (luna_mutation_set_number(search, op, 0, value))
      return;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static MlirOperation parent_of(MlirOperation op) {
  return mlirOperationGetParentOperation(op);
}

// Returns what the loop carries first for an argument of its blocks; a null
// value for any other.
static MlirValue init_of(MlirValue value) {
  MlirValue none = {NULL};
  if (!mlirValueIsABlockArgument(value))
    return none;
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t index =
      mlirBlockArgumentGetArgNumber(value) - luna_mutation_is_for(loop);
  intptr_t operand = first_init(loop) + index;
  return luna_is_loop(loop) && index >= 0 &&
                 operand < mlirOperationGetNumOperands(loop)
             ? mlirOperationGetOperand(loop, operand)
             : none;
}

// Uses of what a loop carries become uses of what it began with.
static void take_outer_name(Search *search, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i), init = init_of(value);
    if (!mlirValueIsNull(init) &&
        mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(init)) &&
        luna_mutation_set(search, op, i, init))
      return;
  }
}

// The argument of the innermost loop around `op` that began as `init`.
static MlirValue carried_of(MlirOperation op, MlirValue init) {
  MlirValue none = {NULL};
  MlirOperation loop = parent_of(op), inner = op;
  while (!mlirOperationIsNull(loop) && !luna_is_loop(loop)) {
    inner = loop;
    loop = parent_of(loop);
  }
  if (mlirOperationIsNull(loop))
    return none;
  MlirBlock block = mlirOperationGetBlock(inner);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirValue first = init_of(argument);
    if (!mlirValueIsNull(first) && luna_same_value(first, init))
      return argument;
  }
  return none;
}

static void take_inner_name(Search *search, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirValue carried = carried_of(op, value);
    if (!mlirValueIsNull(carried) &&
        mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(carried)) &&
        luna_mutation_set(search, op, i, carried))
      return;
  }
}

// After the loop, what it began with instead of its result.
static void take_stale_name(Search *search, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation loop = luna_defining_op(value);
    if (!luna_is_loop(loop))
      continue;
    intptr_t operand = first_init(loop) + mlirOpResultGetResultNumber(value);
    if (operand < mlirOperationGetNumOperands(loop) &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(loop, operand)),
                      mlirValueGetType(value)) &&
        luna_mutation_set(search, op, i,
                          mlirOperationGetOperand(loop, operand)))
      return;
  }
}

static void take_other_init(Search *search, MlirOperation op) {
  for (intptr_t i = first_init(op);
       luna_is_loop(op) && i < mlirOperationGetNumOperands(op); ++i)
    luna_mutation_redirect(search, op, i, CHOICES_MAX);
}

// Three values of one type are handed on in another order.
static void rotate_yields(Search *search, MlirOperation op) {
  if (!LUNA_OP_IS_ANY(op, LUNA_OP_SCF_YIELD, LUNA_OP_SCF_CONDITION,
                      LUNA_OP_LUNA_YIELD))
    return;
  for (intptr_t i = 0; i + 2 < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v[3];
    for (int k = 0; k < 3; ++k)
      v[k] = mlirOperationGetOperand(op, i + k);
    if (!mlirTypeEqual(mlirValueGetType(v[0]), mlirValueGetType(v[1])) ||
        !mlirTypeEqual(mlirValueGetType(v[0]), mlirValueGetType(v[2])) ||
        !luna_mutation_take(search, op))
      continue;
    for (int k = 0; k < 3; ++k)
      mlirOperationSetOperand(op, i + k, v[(k + 1) % 3]);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Writes into what a loop carries
//===----------------------------------------------------------------------===//

// Where a write goes in: before the ops of a body, and at its end.
static bool is_in_loop(MlirOperation op) {
  for (MlirOperation at = parent_of(op); !mlirOperationIsNull(at);
       at = parent_of(at))
    if (luna_is_loop(at))
      return luna_mutation_computes(op) || luna_mutation_is_structured(op) ||
             LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_COPY, LUNA_OP_LUNA_YIELD);
  return false;
}

// Copies from values of the body into `into`.
static bool offer_copies(Search *search, MlirOperation op, MlirValue into) {
  MlirValue others[CHOICES_MAX];
  if (!luna_is_memref(mlirValueGetType(into)))
    return false;
  uint32_t count = luna_mutation_alternatives(op, into, others, CHOICES_MAX);
  for (uint32_t i = 0; i < count; ++i)
    if (luna_mutation_take(search, op)) {
      luna_build_copy(op, others[i], into);
      return true;
    }
  return false;
}

static void copy_into_outer(Search *search, MlirOperation op) {
  if (!is_in_loop(op))
    return;
  MlirOperation loop = luna_loop_around(op);
  for (intptr_t i = first_init(loop); i < mlirOperationGetNumOperands(loop);
       ++i)
    if (offer_copies(search, op, mlirOperationGetOperand(loop, i)))
      return;
}

static void copy_into_carried(Search *search, MlirOperation op) {
  if (!is_in_loop(op))
    return;
  MlirOperation loop = luna_loop_around(op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(loop); ++r) {
    MlirBlock block = luna_body(loop, r);
    // Only one of the regions of a while loop is around `op`.
    MlirOperation inner = op;
    while (!mlirOperationEqual(parent_of(inner), loop))
      inner = parent_of(inner);
    if (!mlirBlockEqual(mlirOperationGetBlock(inner), block))
      continue;
    for (intptr_t i = luna_mutation_is_for(loop);
         i < mlirBlockGetNumArguments(block); ++i)
      if (offer_copies(search, op, mlirBlockGetArgument(block, i)))
        return;
  }
}

// A transfer from the function's arguments into the outer name.
static void load_into_outer(Search *search, MlirOperation op) {
  if (!is_in_loop(op))
    return;
  MlirOperation loop = luna_loop_around(op);
  MlirBlock body = luna_body(search->func, 0);
  for (intptr_t i = first_init(loop); i < mlirOperationGetNumOperands(loop);
       ++i)
    for (intptr_t k = 0; k < mlirBlockGetNumArguments(body); ++k) {
      MlirValue into = mlirOperationGetOperand(loop, i);
      MlirValue from = mlirBlockGetArgument(body, k);
      if (!luna_is_memref(mlirValueGetType(into)) ||
          luna_shaped_bytes(mlirValueGetType(from)) !=
              luna_shaped_bytes(mlirValueGetType(into)) ||
          !luna_mutation_take(search, op))
        continue;
      luna_build_copy(op, from, into);
      return;
    }
}

//===----------------------------------------------------------------------===//
// Whole loops
//===----------------------------------------------------------------------===//

static void remove_loop(Search *search, MlirOperation op) {
  if (!luna_is_loop(op) || !luna_mutation_take(search, op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(op, i),
        mlirOperationGetOperand(op, first_init(op) + i));
  mlirOperationDestroy(op);
}

static void double_loop(Search *search, MlirOperation op) {
  if (luna_is_loop(op) && luna_mutation_take(search, op))
    luna_insert_after(op, mlirOperationClone(op));
}

// Out of the loop, where its operands are visible there.
static void hoist(Search *search, MlirOperation op) {
  bool moves = luna_mutation_computes(op) ||
               LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_REGION, LUNA_OP_MEMREF_COPY);
  if (moves && is_in_loop(op) && luna_mutation_take(search, op))
    mlirOperationMoveBefore(op, luna_loop_around(op));
}

static const LunaMutation rows[] = {
    {.name = "for-unsigned", .visit = make_unsigned},
    {.name = "step-stopped", .visit = stop_step, .is_wrong = true},
    {.name = "step-changed", .visit = change_step},
    {.name = "low-changed", .visit = change_low},
    {.name = "condition-forced", .visit = force_condition},
    {.name = "carried-by-outer-name", .visit = take_outer_name},
    {.name = "outer-by-carried-name", .visit = take_inner_name},
    {.name = "result-by-outer-name", .visit = take_stale_name},
    {.name = "init-other", .visit = take_other_init},
    {.name = "yields-rotated", .visit = rotate_yields},
    {.name = "copy-into-outer-name", .visit = copy_into_outer},
    {.name = "copy-into-carried", .visit = copy_into_carried},
    {.name = "input-into-outer-name", .visit = load_into_outer},
    {.name = "loop-removed", .visit = remove_loop},
    {.name = "loop-doubled", .visit = double_loop},
    {.name = "operator-hoisted", .visit = hoist},
};

const LunaMutationTable luna_mutations_of_loops = {rows, sizeof rows /
                                                             sizeof rows[0]};
