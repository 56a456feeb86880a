// Code that only the plan has and nobody reads the results of, but that may
// trap, leave its memref, or not end.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

typedef LunaMutationSearch Search;

static bool is_place(MlirOperation op) {
  return luna_mutation_computes(op) || luna_mutation_is_structured(op) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_DMA_START, LUNA_OP_MEMREF_COPY);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

// An element of a memref: at `first` in the first dimension, else at 0.
typedef struct Element {
  MlirValue memref, first;
} Element;

// The operands of a load, or of a store of `stored`. Returns how many.
static intptr_t operands_of(MlirOperation before, Element at, MlirValue stored,
                            MlirValue operands[LUNA_RANK_MAX + 2]) {
  intptr_t count = 0;
  int64_t rank = mlirShapedTypeGetRank(mlirValueGetType(at.memref));
  if (!mlirValueIsNull(stored))
    operands[count++] = stored;
  operands[count++] = at.memref;
  for (int64_t d = 0; d < rank; ++d)
    operands[count++] = d == 0 && !mlirValueIsNull(at.first)
                            ? at.first
                            : luna_build_index(before, 0);
  return count;
}

static MlirValue build_load(MlirOperation before, Element at) {
  MlirValue operands[LUNA_RANK_MAX + 2], none = {NULL};
  intptr_t count = operands_of(before, at, none, operands);
  return luna_build_value(
      before, "memref.load",
      mlirShapedTypeGetElementType(mlirValueGetType(at.memref)), count,
      operands);
}

static void build_store(MlirOperation before, Element at, MlirValue stored) {
  MlirValue operands[LUNA_RANK_MAX + 2];
  intptr_t count = operands_of(before, at, stored, operands);
  luna_build_before(before, &(LunaOpSpec){.name = "memref.store",
                                          .operands = operands,
                                          .operand_count = count});
}

// An argument of the function: of integers, or of rank 1 and more.
static MlirValue argument(const Search *search, bool of_integers) {
  MlirBlock body = luna_body(search->func, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
    if (luna_is_memref(type) &&
        (of_integers ? mlirTypeIsAInteger(mlirShapedTypeGetElementType(type))
                     : mlirShapedTypeGetRank(type) > 0))
      return mlirBlockGetArgument(body, i);
  }
  return (MlirValue){NULL};
}

// What is accessed before `op`: an operand of it, else an argument.
static MlirValue accessed(const Search *search, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumOperands(op) - 1; i >= 0; --i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (luna_is_memref(type) && mlirShapedTypeGetRank(type) > 0)
      return mlirOperationGetOperand(op, i);
  }
  return argument(search, false);
}

static MlirValue data_number(const Search *search, MlirOperation before) {
  return build_load(before, (Element){.memref = argument(search, true)});
}

static MlirValue data_index(const Search *search, MlirOperation before) {
  MlirValue number = data_number(search, before);
  MlirType index = mlirIndexTypeGet(mlirOperationGetContext(before));
  return luna_build_value(before, "arith.index_cast", index, 1, &number);
}

// Returns true if a fault goes in before `op`.
static bool take(Search *search, MlirOperation op) {
  return is_place(op) && !mlirValueIsNull(argument(search, true)) &&
         !mlirValueIsNull(accessed(search, op)) &&
         luna_mutation_take(search, op);
}

static void load_anywhere(Search *search, MlirOperation op) {
  if (take(search, op))
    build_load(op, (Element){accessed(search, op), data_index(search, op)});
}

static void load_outside(Search *search, MlirOperation op) {
  if (take(search, op))
    build_load(op,
               (Element){accessed(search, op), luna_build_index(op, 100000)});
}

static void store_at(Search *search, MlirOperation op, MlirValue first) {
  MlirValue memref = accessed(search, op);
  build_store(op, (Element){memref, first},
              build_load(op, (Element){.memref = memref}));
}

static void store_anywhere(Search *search, MlirOperation op) {
  if (take(search, op))
    store_at(search, op, data_index(search, op));
}

static void store_outside(Search *search, MlirOperation op) {
  if (take(search, op))
    store_at(search, op, luna_build_index(op, 100000));
}

//===----------------------------------------------------------------------===//
// Divisions and loops
//===----------------------------------------------------------------------===//

static void divide(Search *search, MlirOperation op, const char *name) {
  if (!take(search, op))
    return;
  MlirValue by = data_number(search, op);
  MlirType type = mlirValueGetType(by);
  const MlirValue operands[] = {luna_mutation_constant(op, type, 1), by};
  luna_build_value(op, name, type, 2, operands);
}

static void divide_by_data(Search *search, MlirOperation op) {
  divide(search, op, "arith.divsi");
}

static void divide_unsigned(Search *search, MlirOperation op) {
  divide(search, op, "arith.divui");
}

static void remainder_by_data(Search *search, MlirOperation op) {
  divide(search, op, "arith.remsi");
}

// An scf.for whose body is empty.
static void build_loop(MlirOperation before, MlirValue high, MlirValue step) {
  MlirContext context = mlirOperationGetContext(before);
  MlirLocation location = mlirOperationGetLocation(before);
  MlirType index = mlirIndexTypeGet(context);
  const MlirValue operands[] = {luna_build_index(before, 0), high, step};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &index, &location);
  mlirRegionAppendOwnedBlock(region, block);
  mlirBlockAppendOwnedOperation(
      block, luna_build(&(LunaOpSpec){.name = luna_op_name(LUNA_OP_SCF_YIELD),
                                      .location = location}));
  luna_build_before(before, &(LunaOpSpec){.name = luna_op_name(LUNA_OP_SCF_FOR),
                                          .location = location,
                                          .operands = operands,
                                          .operand_count = 3,
                                          .owned_regions = &region,
                                          .region_count = 1});
}

static void loop_by_data(Search *search, MlirOperation op) {
  if (take(search, op))
    build_loop(op, data_index(search, op), luna_build_index(op, 1));
}

static void loop_for_long(Search *search, MlirOperation op) {
  if (take(search, op))
    build_loop(op, luna_build_index(op, INT64_C(1) << 60),
               luna_build_index(op, 1));
}

static void loop_for_ever(Search *search, MlirOperation op) {
  if (take(search, op))
    build_loop(op, luna_build_index(op, 1), luna_build_index(op, 0));
}

static void loop_backwards(Search *search, MlirOperation op) {
  if (take(search, op))
    build_loop(op, luna_build_index(op, 1), luna_build_index(op, -1));
}

static const LunaMutation rows[] = {
    {.name = "dead-load", .visit = load_anywhere, .is_wrong = true},
    {.name = "dead-load-outside", .visit = load_outside, .is_wrong = true},
    {.name = "dead-store", .visit = store_anywhere, .is_wrong = true},
    {.name = "dead-store-outside", .visit = store_outside, .is_wrong = true},
    {.name = "dead-division", .visit = divide_by_data, .is_wrong = true},
    {.name = "dead-division-unsigned",
     .visit = divide_unsigned,
     .is_wrong = true},
    {.name = "dead-remainder", .visit = remainder_by_data, .is_wrong = true},
    {.name = "dead-loop-by-data", .visit = loop_by_data, .is_wrong = true},
    {.name = "dead-loop-long", .visit = loop_for_long, .is_wrong = true},
    {.name = "dead-loop-step-0", .visit = loop_for_ever, .is_wrong = true},
    {.name = "dead-loop-step-minus-1",
     .visit = loop_backwards,
     .is_wrong = true},
    {.name = "bare-dead-store-outside",
     .visit = store_outside,
     .is_wrong = true,
     .is_bare = true},
    {.name = "bare-dead-load-outside",
     .visit = load_outside,
     .is_wrong = true,
     .is_bare = true},
};

const LunaMutationTable luna_mutations_of_traps = {rows, sizeof rows /
                                                             sizeof rows[0]};
