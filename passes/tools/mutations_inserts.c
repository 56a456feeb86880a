// Faults in order, and operators that only the plan has.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { CHOICES_MAX = 3 };

typedef LunaMutationSearch Search;

static bool is_null(MlirOperation op) { return mlirOperationIsNull(op); }

static bool is_start(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_LUNA_DMA_START);
}

static bool is_wait(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT);
}

static bool accesses(MlirOperation op) {
  return luna_mutation_computes(op) || luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
         is_start(op);
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

// Over each operand that is read, and over the output before it is read.
static void add_copy(Search *search, MlirOperation op) {
  if (!accesses(op) && !is_wait(op) && !luna_op_is(op, LUNA_OP_LUNA_YIELD))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue into = mlirOperationGetOperand(op, i), others[CHOICES_MAX];
    if (!luna_is_memref(mlirValueGetType(into)))
      continue;
    uint32_t count = luna_mutation_alternatives(op, into, others, CHOICES_MAX);
    for (uint32_t k = 0; k < count; ++k)
      if (luna_mutation_take(search, op)) {
        luna_build_copy(op, others[k], into);
        return;
      }
  }
}

static MlirOperation build_fill(MlirOperation before, MlirValue into) {
  MlirContext context = mlirOperationGetContext(before);
  MlirLocation location = mlirOperationGetLocation(before);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(into));
  const MlirType types[] = {element, element};
  const MlirLocation locations[] = {location, location};
  const int32_t segments[] = {1, 1};
  const MlirValue operands[] = {luna_mutation_constant(before, element, 3),
                                into};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(2, types, locations);
  MlirValue value = mlirBlockGetArgument(block, 0);
  MlirNamedAttribute attribute =
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 2, segments));
  mlirRegionAppendOwnedBlock(region, block);
  mlirBlockAppendOwnedOperation(
      block,
      luna_build(&(LunaOpSpec){.name = luna_op_name(LUNA_OP_LINALG_YIELD),
                               .location = location,
                               .operands = &value,
                               .operand_count = 1}));
  return luna_build_before(
      before, &(LunaOpSpec){.name = luna_op_name(LUNA_OP_LINALG_FILL),
                            .location = location,
                            .operands = operands,
                            .operand_count = 2,
                            .attributes = &attribute,
                            .attribute_count = 1,
                            .owned_regions = &region,
                            .region_count = 1});
}

static void add_fill(Search *search, MlirOperation op) {
  if (!accesses(op) && !is_wait(op) && !luna_op_is(op, LUNA_OP_LUNA_YIELD))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (luna_is_memref(type) &&
        mlirTypeIsAInteger(mlirShapedTypeGetElementType(type)) &&
        luna_mutation_take(search, op)) {
      build_fill(op, mlirOperationGetOperand(op, i));
      return;
    }
  }
}

// After a start: over what it moves.
static void fill_in_flight(Search *search, MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  for (intptr_t i = 0; is_start(op) && i < 2; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (mlirTypeIsAInteger(mlirShapedTypeGetElementType(type)) &&
        luna_mutation_take(search, op)) {
      build_fill(next, mlirOperationGetOperand(op, i));
      return;
    }
  }
}

static void double_operator(Search *search, MlirOperation op) {
  if (luna_mutation_computes(op) && mlirOperationGetNumResults(op) == 0 &&
      luna_mutation_take(search, op))
    luna_insert_after(op, mlirOperationClone(op));
}

// Once more after the next op that computes: what it wrote is as it was.
static void repeat_later(Search *search, MlirOperation op) {
  if (!luna_mutation_computes(op) && !luna_op_is(op, LUNA_OP_MEMREF_COPY))
    return;
  MlirOperation next = mlirOperationGetNextInBlock(op);
  while (!is_null(next) && !luna_mutation_computes(next))
    next = mlirOperationGetNextInBlock(next);
  if (!is_null(next) && mlirOperationGetNumResults(op) == 0 &&
      luna_mutation_take(search, op))
    luna_insert_after(next, mlirOperationClone(op));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

// Behind the next op that accesses memory.
static void move_later(Search *search, MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  while (accesses(op) && !is_null(next) && !accesses(next) && !is_wait(next))
    next = mlirOperationGetNextInBlock(next);
  if (accesses(op) && !is_null(next) && luna_mutation_take(search, op))
    mlirOperationMoveAfter(op, next);
}

// Before the last of those, and before the third.
static void move_earlier(Search *search, MlirOperation op) {
  MlirOperation before = lunaOperationGetPrevInBlock(op);
  for (int found = 0; accesses(op) && !is_null(before) && found < 3;
       before = lunaOperationGetPrevInBlock(before)) {
    if (!accesses(before) && !is_wait(before))
      continue;
    if (found++ != 1 && luna_mutation_take(search, op)) {
      mlirOperationMoveBefore(op, before);
      return;
    }
  }
}

static void delay_region(Search *search, MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  while (!is_null(next) && !luna_mutation_is_structured(next))
    next = mlirOperationGetNextInBlock(next);
  if (luna_mutation_is_structured(op) && !is_null(next) &&
      luna_mutation_take(search, op))
    mlirOperationMoveAfter(op, next);
}

//===----------------------------------------------------------------------===//
// Operands that overlap
//===----------------------------------------------------------------------===//

// All elements of a dimension but the last, or but the first.
static MlirValue most_of(MlirOperation before, MlirValue memref, intptr_t dim,
                         int64_t first) {
  int64_t extent = mlirShapedTypeGetDimSize(mlirValueGetType(memref), dim);
  return luna_build_subview(before, memref, dim,
                            (LunaStrided){first, extent - 1, 1});
}

// A copy of a value onto itself, one place on.
static void copy_onto_itself(Search *search, MlirOperation op) {
  if (!accesses(op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(value);
    intptr_t dim = 0;
    if (!luna_is_memref(type) || !luna_memref_is_contiguous(type))
      continue;
    while (dim < mlirShapedTypeGetRank(type) &&
           mlirShapedTypeGetDimSize(type, dim) < 2)
      ++dim;
    if (dim == mlirShapedTypeGetRank(type) || !luna_mutation_take(search, op))
      continue;
    luna_build_copy(op, most_of(op, value, dim, 0), most_of(op, value, dim, 1));
    return;
  }
}

static void write_input(Search *search, MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  for (intptr_t i = 0; luna_op_is_unit(op) && i < last; ++i)
    if (mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                      mlirValueGetType(luna_unit_output(op))) &&
        luna_mutation_set(search, op, last, mlirOperationGetOperand(op, i)))
      return;
}

static void read_output(Search *search, MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  for (intptr_t i = 0; luna_op_is_unit(op) && i < last; ++i)
    if (mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                      mlirValueGetType(luna_unit_output(op))) &&
        luna_mutation_set(search, op, i, luna_unit_output(op)))
      return;
}

static const LunaMutation rows[] = {
    {.name = "copy-added", .visit = add_copy},
    {.name = "fill-added", .visit = add_fill},
    {.name = "fill-in-flight", .visit = fill_in_flight},
    {.name = "operator-doubled", .visit = double_operator},
    {.name = "operator-repeated", .visit = repeat_later},
    {.name = "access-later", .visit = move_later},
    {.name = "access-earlier", .visit = move_earlier},
    {.name = "region-later", .visit = delay_region},
    {.name = "copy-onto-itself", .visit = copy_onto_itself},
    {.name = "output-is-input", .visit = write_input},
    {.name = "input-is-output", .visit = read_output},
};

const LunaMutationTable luna_mutations_of_inserts = {rows, sizeof rows /
                                                               sizeof rows[0]};
