// luna-check-accesses: adds checks to what the host core computes.
//
// In: a planned function, or a bufferised one. Out: before every memref.load,
// memref.store and memref.subview a cf.assert that its indices are in bounds,
// before every integer division one that the divisor is not zero and that the
// quotient fits, inside operators as well as between them. What constants show
// is not checked. The accesses that linalg's own indexing maps make are in
// bounds by linalg's verifier. `lunac run` has these checks, compiled programs
// do not. A message names the place in the model and the operator, unless the
// location is unknown: that of a function that several operators share.
// Refuses: nothing. Options: inside-operators=false leaves the bodies of
// operators alone, which luna-to-llvm takes as the cost of the operator: they
// are checked after it. Example: lit_tests/passes/luna-check-accesses/doc.mlir

#include "luna-c/build_scalar.h"
#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/checked.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinTypes.h"

enum { OPT_INSIDE_OPERATORS };

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

// Returns the place of a location in a file, "model.mlir:3:5: ", or "".
static const char *place_of(LunaArena *arena, MlirLocation location) {
  if (mlirLocationIsAName(location))
    location = mlirLocationNameGetChildLoc(location);
  if (!mlirLocationIsAFileLineColRange(location))
    return "";
  MlirStringRef file =
      mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  return luna_arena_printf(
      arena, "%.*s:%d:%d: ", (int)file.length, file.data,
      mlirLocationFileLineColRangeGetStartLine(location),
      mlirLocationFileLineColRangeGetStartColumn(location));
}

// Returns the op of a model that `op` belongs to: the body of an operator is
// part of it.
static MlirOperation operator_of(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return luna_op_in_dialect(parent, LUNA_DIALECT_LINALG) ? parent : op;
}

static const char *message_of(LunaArena *arena, MlirOperation op,
                              const char *problem) {
  MlirOperation whole = operator_of(op);
  MlirLocation location = mlirOperationGetLocation(whole);
  if (mlirLocationEqual(
          location, mlirLocationUnknownGet(mlirLocationGetContext(location))))
    return problem;
  MlirStringRef name = luna_given_name_or_kind(whole);
  return luna_arena_printf(arena, "%soperator '%.*s': %s",
                           place_of(arena, location), (int)name.length,
                           name.data, problem);
}

static void build_assert(MlirOperation op, MlirValue condition,
                         const char *problem) {
  LunaArena arena = {0};
  const char *text = message_of(&arena, op, problem);
  MlirContext context = mlirOperationGetContext(op);
  MlirNamedAttribute message =
      luna_named(context, "msg", luna_string_attr(context, text));
  luna_build_before(op, &(LunaOpSpec){
                            .name = "cf.assert",
                            .operands = &condition,
                            .operand_count = 1,
                            .attributes = &message,
                            .attribute_count = 1,
                        });
  luna_arena_destroy(&arena);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

// Asserts that `index` is below `end`; both count as unsigned, so that a
// negative index is too large.
static void check_index(MlirOperation op, MlirValue index, int64_t end,
                        const char *problem) {
  int64_t number = 0;
  if (luna_constant_number(index, &number) && number >= 0 && number < end)
    return;
  LunaBuilder b = luna_builder_before(op, op);
  build_assert(op,
               luna_scalar_compare(&b, LUNA_ULT, index,
                                   luna_scalar_index(&b, end > 0 ? end : 0)),
               problem);
}

static void check_indices(MlirOperation op, intptr_t memref) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, memref));
  if (!mlirShapedTypeHasStaticShape(type))
    return;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    check_index(op, mlirOperationGetOperand(op, memref + 1 + i),
                mlirShapedTypeGetDimSize(type, i), "index out of bounds");
}

// Checks the offsets that are operands, of dimensions whose size and stride are
// constant.
static void check_slice(MlirOperation op) {
  int64_t offsets[LUNA_RANK_MAX], sizes[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  intptr_t rank = mlirShapedTypeGetRank(type), operand = 1;
  if (!luna_attr_ints(op, "static_offsets", offsets, rank) ||
      !luna_attr_ints(op, "static_sizes", sizes, rank) ||
      !luna_attr_ints(op, "static_strides", strides, rank))
    return;
  for (intptr_t i = 0; i < rank; ++i) {
    if (!mlirShapedTypeIsDynamicStrideOrOffset(offsets[i]))
      continue;
    MlirValue offset = mlirOperationGetOperand(op, operand++);
    int64_t reach = 0, extent = mlirShapedTypeGetDimSize(type, i);
    if (!mlirShapedTypeIsDynamicSize(extent) &&
        !mlirShapedTypeIsDynamicSize(sizes[i]) &&
        !mlirShapedTypeIsDynamicStrideOrOffset(strides[i]) && sizes[i] > 0 &&
        luna_checked_mul(sizes[i] - 1, strides[i], &reach))
      check_index(op, offset, extent - reach, "slice out of bounds");
  }
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

// The least number divided by -1 does not fit its type.
static void check_quotient(MlirOperation op, MlirValue x, MlirValue y) {
  LunaBuilder b = luna_builder_before(op, op);
  MlirType type = mlirValueGetType(x);
  unsigned width = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  if (width > 64 || width < 2)
    return;
  int64_t least = (int64_t)(UINT64_MAX << (width - 1));
  MlirValue fits[] = {
      luna_scalar_compare(&b, LUNA_NE, x, luna_scalar_int(&b, type, least)),
      luna_scalar_compare(&b, LUNA_NE, y, luna_scalar_int(&b, type, -1)),
  };
  build_assert(op, luna_scalar(&b, "arith.ori", fits[0], fits[1]),
               "quotient out of range");
}

static void check_division(MlirOperation op, bool is_signed) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirValue y = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(y);
  int64_t number = 0;
  bool is_constant = luna_constant_number(y, &number);
  if (!mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
    return;
  LunaBuilder b = luna_builder_before(op, op);
  if (!is_constant || number == 0)
    build_assert(
        op, luna_scalar_compare(&b, LUNA_NE, y, luna_scalar_int(&b, type, 0)),
        "division by zero");
  if (is_signed && (!is_constant || number == -1))
    check_quotient(op, x, y);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool visit(MlirOperation op, void *data) {
  const bool *goes_inside = data;
  if (!*goes_inside && !mlirOperationEqual(operator_of(op), op))
    return true;
  if (luna_op_is(op, LUNA_OP_MEMREF_LOAD))
    check_indices(op, 0);
  else if (luna_op_is(op, LUNA_OP_MEMREF_STORE))
    check_indices(op, 1);
  else if (luna_op_is(op, LUNA_OP_MEMREF_SUBVIEW))
    check_slice(op);
  else if (LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_DIVSI, LUNA_OP_ARITH_REMSI,
                          LUNA_OP_ARITH_CEILDIVSI, LUNA_OP_ARITH_FLOORDIVSI))
    check_division(op, true);
  else if (LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_DIVUI, LUNA_OP_ARITH_REMUI,
                          LUNA_OP_ARITH_CEILDIVUI))
    check_division(op, false);
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  bool goes_inside = options[OPT_INSIDE_OPERATORS].integer;
  luna_walk(func, visit, &goes_inside);
  return mlirLogicalResultSuccess();
}

static const LunaOptionDesc options[] = {
    [OPT_INSIDE_OPERATORS] = {.name = "inside-operators",
                              .help = "check the bodies of operators, too",
                              .kind = LUNA_OPTION_BOOL,
                              .int_default = true},
};

static const char *const dialects[] = {"arith", "cf", NULL};

const LunaPassDesc luna_pass_check_accesses = {
    .argument = "luna-check-accesses",
    .summary = "Check indices and divisors of the host core at run time",
    .anchor = "func.func",
    .options = options,
    .option_count = 1,
    .dependent_dialects = dialects,
    .run = run,
};
