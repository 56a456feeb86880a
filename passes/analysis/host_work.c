#include "host_work.h"

#include "luna-c/ir.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===- Classes ------------------------------------------------------------===//

// The classes of operations; other arithmetic is on integers, other functions
// are LUNA_HOST_FUNCTION.
static const struct {
  LunaOpName name;
  LunaHostCost narrow, wide; // LUNA_HOST_COST_COUNT: free
} classes[] = {
#define FREE LUNA_HOST_COST_COUNT, LUNA_HOST_COST_COUNT
#define SAME(COST) LUNA_HOST_##COST, LUNA_HOST_##COST
    {LUNA_OP_ARITH_CONSTANT, FREE},
    {LUNA_OP_LINALG_YIELD, FREE},
    {LUNA_OP_LINALG_INDEX, FREE},
    {LUNA_OP_ARITH_INDEX_CAST, FREE},
    {LUNA_OP_ARITH_INDEX_CASTUI, FREE},
    {LUNA_OP_ARITH_TRUNCI, FREE},
    {LUNA_OP_ARITH_EXTUI, FREE},
    {LUNA_OP_ARITH_EXTSI, LUNA_HOST_EXTENSION, LUNA_HOST_INTEGER},
    {LUNA_OP_ARITH_MULI, LUNA_HOST_INTEGER, LUNA_HOST_WIDE_PRODUCT},
    {LUNA_OP_ARITH_DIVSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_DIVUI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_CEILDIVSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_CEILDIVUI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_FLOORDIVSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_REMSI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_REMUI, SAME(QUOTIENT)},
    {LUNA_OP_ARITH_CMPI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_SELECT, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MAXSI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MAXUI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MINSI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_MINUI, LUNA_HOST_CHOICE, LUNA_HOST_WIDE},
    {LUNA_OP_ARITH_NEGF, SAME(INTEGER)},
    {LUNA_OP_MATH_ABSF, SAME(INTEGER)},
    {LUNA_OP_MATH_ABSI, SAME(CHOICE)},
    {LUNA_OP_MATH_COPYSIGN, SAME(INTEGER)},
    {LUNA_OP_ARITH_ADDF, SAME(FLOAT_SUM)},
    {LUNA_OP_ARITH_SUBF, SAME(FLOAT_SUM)},
    {LUNA_OP_ARITH_MULF, SAME(FLOAT_PRODUCT)},
    {LUNA_OP_ARITH_DIVF, SAME(FLOAT_QUOTIENT)},
    {LUNA_OP_ARITH_REMF, SAME(FUNCTION)},
    {LUNA_OP_MATH_SQRT, SAME(FLOAT_QUOTIENT)},
    {LUNA_OP_MATH_RSQRT, SAME(FLOAT_QUOTIENT)},
    {LUNA_OP_ARITH_CMPF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_ARITH_MAXIMUMF, SAME(FLOAT_EXTREME)},
    {LUNA_OP_ARITH_MAXNUMF, SAME(FLOAT_EXTREME)},
    {LUNA_OP_ARITH_MINIMUMF, SAME(FLOAT_EXTREME)},
    {LUNA_OP_ARITH_MINNUMF, SAME(FLOAT_EXTREME)},
    {LUNA_OP_MATH_CEIL, SAME(FLOAT_ROUNDING)},
    {LUNA_OP_MATH_FLOOR, SAME(FLOAT_ROUNDING)},
    {LUNA_OP_MATH_ROUND, SAME(FLOAT_ROUNDING)},
    {LUNA_OP_MATH_ROUNDEVEN, SAME(FLOAT_ROUNDING)},
    {LUNA_OP_MATH_TRUNC, SAME(FLOAT_ROUNDING)},
    {LUNA_OP_MATH_ISFINITE, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_ISINF, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_ISNAN, SAME(FLOAT_CHOICE)},
    {LUNA_OP_MATH_LOG, SAME(LOGARITHM)},
    {LUNA_OP_MATH_LOG1P, SAME(LOGARITHM)},
    {LUNA_OP_MATH_POWF, SAME(POWER)},
    {LUNA_OP_MATH_SIN, SAME(SINE)},
    {LUNA_OP_MATH_COS, SAME(SINE)},
    {LUNA_OP_MATH_TAN, SAME(SLOPE)},
    {LUNA_OP_MATH_ASIN, SAME(ARC)},
    {LUNA_OP_MATH_ACOS, SAME(ARC)},
    {LUNA_OP_MATH_ATAN, SAME(ARC_SLOPE)},
    {LUNA_OP_MATH_SINH, SAME(HYPERBOLIC_SINE)},
    {LUNA_OP_MATH_COSH, SAME(HYPERBOLIC_COSINE)},
    {LUNA_OP_MATH_TANH, SAME(TANGENT)},
    {LUNA_OP_MATH_ASINH, SAME(AREA)},
    {LUNA_OP_MATH_ACOSH, SAME(AREA)},
    {LUNA_OP_MATH_ATANH, SAME(AREA_TANGENT)},
    {LUNA_OP_MATH_CTLZ, SAME(INTEGER)},
    {LUNA_OP_MATH_CTPOP, SAME(INTEGER)},
    {LUNA_OP_MATH_CTTZ, SAME(INTEGER)},
    {LUNA_OP_ARITH_SITOFP, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_UITOFP, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_FPTOSI, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_FPTOUI, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_EXTF, SAME(FLOAT_CONVERSION)},
    {LUNA_OP_ARITH_TRUNCF, SAME(FLOAT_CONVERSION)},
#undef FREE
#undef SAME
};

static bool is_wide_type(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 32;
}

static bool is_wide(MlirOperation op) {
  return (mlirOperationGetNumOperands(op) > 0 &&
          is_wide_type(mlirValueGetType(mlirOperationGetOperand(op, 0)))) ||
         (mlirOperationGetNumResults(op) > 0 &&
          is_wide_type(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

static LunaHostCost class_of(MlirOperation op) {
  bool wide = is_wide(op);
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
    if (luna_op_is(op, classes[i].name))
      return wide ? classes[i].wide : classes[i].narrow;
  if (luna_op_in_dialect(op, LUNA_DIALECT_MATH))
    return LUNA_HOST_FUNCTION;
  return wide ? LUNA_HOST_WIDE : LUNA_HOST_INTEGER;
}

//===- Constants ----------------------------------------------------------===//

static bool is_power_of_two(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

enum { HALF_WORD = 1 << 16 };

static bool counts_to_half(MlirValue argument) {
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
  int64_t lower = 0, upper = 0;
  return mlirBlockArgumentGetArgNumber(argument) == 0 &&
         luna_op_is(loop, LUNA_OP_SCF_FOR) &&
         luna_constant_number(mlirOperationGetOperand(loop, 0), &lower) &&
         luna_constant_number(mlirOperationGetOperand(loop, 1), &upper) &&
         lower >= 0 && upper <= HALF_WORD;
}

// Returns true for a number that LLVM knows to be below 2^16 and not negative:
// of such ones it computes quotients in 32 bits. Places along a dimension are
// taken to be.
static bool is_half(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return counts_to_half(value);
  MlirOperation op = luna_defining_op(value);
  int64_t divisor = 0;
  if (luna_op_is(op, LUNA_OP_LINALG_INDEX))
    return true;
  if (luna_op_is(op, LUNA_OP_ARITH_REMUI) &&
      luna_constant_number(mlirOperationGetOperand(op, 1), &divisor) &&
      divisor > 0 && divisor <= HALF_WORD)
    return true;
  return LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_DIVUI, LUNA_OP_ARITH_REMUI,
                        LUNA_OP_ARITH_INDEX_CAST) &&
         is_half(mlirOperationGetOperand(op, 0));
}

// Returns what a quotient or remainder by a constant is: shifts where that is a
// power of two, and a sign to correct where it has one; a product of its own
// for others.
static LunaHostWork constant_quotient(MlirOperation op, int64_t divisor) {
  LunaHostCost shift = is_wide(op) ? LUNA_HOST_WIDE : LUNA_HOST_INTEGER;
  bool is_remainder =
      LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_REMUI, LUNA_OP_ARITH_REMSI);
  // A product and a shift, and a product and a difference for what remains.
  if (is_half(mlirOperationGetOperand(op, 0)))
    return (LunaHostWork){LUNA_HOST_INTEGER, is_power_of_two(divisor) ? 1
                                             : is_remainder           ? 5
                                                                      : 3};
  if (!is_power_of_two(divisor))
    return (LunaHostWork){LUNA_HOST_CONSTANT_QUOTIENT, 1};
  if (LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_DIVUI, LUNA_OP_ARITH_REMUI))
    return (LunaHostWork){shift, 1};
  return (LunaHostWork){shift, luna_op_is(op, LUNA_OP_ARITH_REMSI) ? 6 : 4};
}

// Powers that LLVM computes otherwise (SimplifyLibCalls.cpp); others are calls.
static LunaHostWork constant_power(MlirAttribute exponent) {
  static const struct {
    double exponent;
    LunaHostWork work;
  } powers[] = {
      {-1.0, {LUNA_HOST_FLOAT_QUOTIENT, 1}},
      {0.5, {LUNA_HOST_FLOAT_QUOTIENT, 1}},
      {1.0, {LUNA_HOST_COST_COUNT, 0}},
      {2.0, {LUNA_HOST_FLOAT_PRODUCT, 1}},
  };
  for (size_t i = 0; i < sizeof powers / sizeof powers[0]; ++i)
    if (mlirAttributeIsAFloat(exponent) &&
        mlirFloatAttrGetValueDouble(exponent) == powers[i].exponent)
      return powers[i].work;
  return (LunaHostWork){LUNA_HOST_POWER, 1};
}

// What a class is where the second operand is a constant.
static LunaHostWork constant_work(MlirOperation op, LunaHostCost cost,
                                  MlirAttribute constant) {
  if (luna_op_is(op, LUNA_OP_MATH_POWF))
    return constant_power(constant);
  int64_t value = mlirAttributeIsAInteger(constant)
                      ? mlirIntegerAttrGetValueInt(constant)
                      : 0;
  if (cost == LUNA_HOST_QUOTIENT)
    return constant_quotient(op, value);
  if (cost == LUNA_HOST_FLOAT_EXTREME)
    return (LunaHostWork){LUNA_HOST_FLOAT_BOUND, 1};
  if (cost == LUNA_HOST_WIDE_PRODUCT && is_power_of_two(value))
    return (LunaHostWork){LUNA_HOST_WIDE, 1};
  return (LunaHostWork){cost, 1};
}

//===- Counted ones -------------------------------------------------------===//

// What costs other than its class.
typedef struct Counted {
  LunaOpName name;
  LunaHostWork work;
} Counted;

// In operations on integers, as bench/cores counts it on both cores.
static const Counted narrow[] = {
    {LUNA_OP_MATH_CEIL, {LUNA_HOST_INTEGER, 16}},
    {LUNA_OP_MATH_FLOOR, {LUNA_HOST_INTEGER, 16}},
    {LUNA_OP_MATH_ROUND, {LUNA_HOST_INTEGER, 16}},
    {LUNA_OP_MATH_TRUNC, {LUNA_HOST_INTEGER, 16}},
    {LUNA_OP_ARITH_REMF, {LUNA_HOST_INTEGER, 70}},
    // A mask and a comparison (luna-expand-math).
    {LUNA_OP_MATH_ISFINITE, {LUNA_HOST_INTEGER, 3}},
    {LUNA_OP_MATH_ISINF, {LUNA_HOST_INTEGER, 3}},
    {LUNA_OP_MATH_ISNAN, {LUNA_HOST_INTEGER, 3}},
};

// Of floats of 64 bits, which both cores compute in integers.
static const Counted doubles[] = {
    {LUNA_OP_ARITH_ADDF, {LUNA_HOST_DOUBLE_SUM, 1}},
    {LUNA_OP_ARITH_SUBF, {LUNA_HOST_DOUBLE_SUM, 1}},
    {LUNA_OP_ARITH_MULF, {LUNA_HOST_DOUBLE_PRODUCT, 1}},
    {LUNA_OP_ARITH_DIVF, {LUNA_HOST_DOUBLE_QUOTIENT, 1}},
    {LUNA_OP_MATH_SQRT, {LUNA_HOST_DOUBLE_ROOT, 1}},
    {LUNA_OP_ARITH_CMPF, {LUNA_HOST_DOUBLE_CHOICE, 1}},
    {LUNA_OP_ARITH_MAXIMUMF, {LUNA_HOST_DOUBLE_CHOICE, 2}},
    {LUNA_OP_ARITH_MAXNUMF, {LUNA_HOST_DOUBLE_CHOICE, 2}},
    {LUNA_OP_ARITH_MINIMUMF, {LUNA_HOST_DOUBLE_CHOICE, 2}},
    {LUNA_OP_ARITH_MINNUMF, {LUNA_HOST_DOUBLE_CHOICE, 2}},
    {LUNA_OP_ARITH_EXTF, {LUNA_HOST_DOUBLE_CONVERSION, 1}},
    {LUNA_OP_ARITH_TRUNCF, {LUNA_HOST_DOUBLE_CONVERSION, 1}},
    {LUNA_OP_ARITH_FPTOSI, {LUNA_HOST_DOUBLE_CONVERSION, 1}},
    {LUNA_OP_ARITH_FPTOUI, {LUNA_HOST_DOUBLE_CONVERSION, 1}},
    {LUNA_OP_ARITH_SITOFP, {LUNA_HOST_DOUBLE_CONVERSION, 1}},
    {LUNA_OP_ARITH_UITOFP, {LUNA_HOST_DOUBLE_CONVERSION, 1}},
};

// A quotient of 64 bits.
enum { WIDE_QUOTIENT = 110 };

static bool is_double(MlirOperation op) {
  return mlirTypeIsAF64(mlirValueGetType(mlirOperationGetOperand(op, 0))) ||
         mlirTypeIsAF64(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool find_counted(MlirOperation op, const Counted *rows, size_t count,
                         LunaHostWork *work) {
  for (size_t i = 0; i < count; ++i) {
    if (!luna_op_is(op, rows[i].name))
      continue;
    *work = rows[i].work;
    return true;
  }
  return false;
}

static bool is_counted(MlirOperation op, LunaHostWork *work) {
  if (mlirOperationGetNumOperands(op) == 0 ||
      mlirOperationGetNumResults(op) == 0)
    return false;
  if (is_double(op))
    return find_counted(op, doubles, sizeof doubles / sizeof *doubles, work);
  return find_counted(op, narrow, sizeof narrow / sizeof *narrow, work);
}

//===- Dead ones ----------------------------------------------------------===//

bool luna_host_is_one_number(MlirOperation op) {
  int64_t most = 0, least = 0;
  if (!luna_op_is(op, LUNA_OP_ARITH_MINSI) ||
      !luna_constant_number(mlirOperationGetOperand(op, 1), &most))
    return false;
  MlirOperation inner = luna_defining_op(mlirOperationGetOperand(op, 0));
  return luna_op_is(inner, LUNA_OP_ARITH_MAXSI) &&
         luna_constant_number(mlirOperationGetOperand(inner, 1), &least) &&
         most <= least;
}

// Operations between one number and what it would be computed from.
enum { DEAD_DEPTH = 4 };

static bool is_dead(MlirOperation op, int depth) {
  if (depth == 0 || mlirOperationGetNumResults(op) == 0)
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!luna_host_is_one_number(user) && !is_dead(user, depth - 1))
      return false;
  }
  return true;
}

bool luna_host_is_dead(MlirOperation op) { return is_dead(op, DEAD_DEPTH); }

//===- All of them --------------------------------------------------------===//

static LunaHostWork plain_work(MlirOperation op, LunaHostCost cost) {
  return cost == LUNA_HOST_QUOTIENT && is_wide(op)
             ? (LunaHostWork){LUNA_HOST_INTEGER, WIDE_QUOTIENT}
             : (LunaHostWork){cost, 1};
}

// Returns true for a comparison that is a part of the selections by it.
static bool is_of_selections(MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_ARITH_CMPI) || is_wide(op))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  while (!mlirOpOperandIsNull(use) &&
         luna_op_is(mlirOpOperandGetOwner(use), LUNA_OP_ARITH_SELECT))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

static MlirOperation operand_of(MlirOperation op, LunaOpName name,
                                int64_t *constant) {
  MlirOperation none = {0};
  return luna_op_is(op, name) &&
                 luna_constant_number(mlirOperationGetOperand(op, 1), constant)
             ? luna_defining_op(mlirOperationGetOperand(op, 0))
             : none;
}

// Returns true for a shift back of a product by the same power of two, rounded:
// what a scale of 1 is.
static bool is_shift_back(MlirOperation op) {
  int64_t shift = 0, half = 0, factor = 0;
  MlirOperation sum = operand_of(op, LUNA_OP_ARITH_SHRSI, &shift);
  if (mlirOperationIsNull(sum))
    return false;
  MlirOperation product = operand_of(sum, LUNA_OP_ARITH_ADDI, &half);
  if (mlirOperationIsNull(product))
    return false;
  operand_of(product, LUNA_OP_ARITH_MULI, &factor);
  return shift > 0 && shift < 63 && factor == INT64_C(1) << shift &&
         half >= 0 && half < factor;
}

// Returns true for such a shift and what leads to it alone, which LLVM computes
// as nothing.
static bool is_shifted_back(MlirOperation op) {
  for (int i = 0; i < 4 && is_wide(op) && mlirOperationGetNumResults(op) > 0;
       ++i) {
    if (is_shift_back(op))
      return true;
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
    if (mlirOpOperandIsNull(use) ||
        !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
      return false;
    op = mlirOpOperandGetOwner(use);
  }
  return false;
}

LunaHostWork luna_host_work(MlirOperation op) {
  LunaHostCost cost = class_of(op);
  LunaHostWork work;
  if (is_of_selections(op) || is_shifted_back(op))
    return (LunaHostWork){LUNA_HOST_COST_COUNT, 0};
  if (is_counted(op, &work))
    return work;
  if (cost == LUNA_HOST_EXTENSION && luna_element_type_bytes(mlirValueGetType(
                                         mlirOperationGetOperand(op, 0))) != 1)
    return (LunaHostWork){LUNA_HOST_COST_COUNT, 0}; // part of a load
  if (mlirOperationGetNumOperands(op) != 2)
    return (LunaHostWork){cost, 1};
  MlirAttribute other = luna_constant_value(mlirOperationGetOperand(op, 1));
  return mlirAttributeIsNull(other) ? plain_work(op, cost)
                                    : constant_work(op, cost, other);
}

int luna_host_instructions(LunaHostCost cost) {
  switch (cost) {
  case LUNA_HOST_INTEGER:
  case LUNA_HOST_EXTENSION:
  case LUNA_HOST_FLOAT_SUM:
  case LUNA_HOST_FLOAT_PRODUCT:
  case LUNA_HOST_FLOAT_CONVERSION:
    return 1;
  case LUNA_HOST_CHOICE:
  case LUNA_HOST_FLOAT_CHOICE:
  case LUNA_HOST_WIDE:
    return 2;
  case LUNA_HOST_COST_COUNT:
    return 0;
  default:
    return 4;
  }
}
