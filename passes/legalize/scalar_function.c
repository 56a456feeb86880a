#include "scalar_function.h"

#include <math.h>
#include <stddef.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"

// Each is computed in double and rounded to f32 once: for sums, differences,
// products, quotients and square roots that is what f32 gives.

#define FUNCTION(name, value)                                                  \
  static double name(MlirOperation op, const double *x) {                      \
    (void)op;                                                                  \
    return value;                                                              \
  }
FUNCTION(f_abs, fabs(x[0]))
FUNCTION(f_acos, acos(x[0]))
FUNCTION(f_acosh, acosh(x[0]))
FUNCTION(f_add, x[0] + x[1])
FUNCTION(f_asin, asin(x[0]))
FUNCTION(f_asinh, asinh(x[0]))
FUNCTION(f_atan, atan(x[0]))
FUNCTION(f_atanh, atanh(x[0]))
FUNCTION(f_ceil, ceil(x[0]))
FUNCTION(f_cos, cos(x[0]))
FUNCTION(f_cosh, cosh(x[0]))
FUNCTION(f_div, x[0] / x[1])
FUNCTION(f_equal, x[0] == x[1])
FUNCTION(f_erf, erf(x[0]))
FUNCTION(f_exp, exp(x[0]))
FUNCTION(f_expm1, expm1(x[0]))
FUNCTION(f_floor, floor(x[0]))
FUNCTION(f_greater, x[0] > x[1])
FUNCTION(f_greater_equal, x[0] >= x[1])
FUNCTION(f_log, log(x[0]))
FUNCTION(f_log1p, log1p(x[0]))
FUNCTION(f_max, isnan(x[0]) || isnan(x[1]) ? NAN : fmax(x[0], x[1]))
FUNCTION(f_min, isnan(x[0]) || isnan(x[1]) ? NAN : fmin(x[0], x[1]))
FUNCTION(f_mul, x[0] * x[1])
FUNCTION(f_neg, -x[0])
FUNCTION(f_pow, pow(x[0], x[1]))
FUNCTION(f_reciprocal, 1 / x[0])
FUNCTION(f_rint, rint(x[0]))
FUNCTION(f_rsqrt, 1 / sqrt(x[0]))
FUNCTION(f_select, x[0] != 0 ? x[1] : x[2])
FUNCTION(f_sigmoid, 1 / (1 + exp(-x[0])))
FUNCTION(f_sin, sin(x[0]))
FUNCTION(f_sinh, sinh(x[0]))
FUNCTION(f_sqrt, sqrt(x[0]))
FUNCTION(f_sub, x[0] - x[1])
FUNCTION(f_tan, tan(x[0]))
FUNCTION(f_tanh, tanh(x[0]))

static double f_clamp(MlirOperation op, const double *x) {
  double low = mlirFloatAttrGetValueDouble(luna_attr(op, "min_val"));
  double high = mlirFloatAttrGetValueDouble(luna_attr(op, "max_val"));
  return isnan(x[0]) ? x[0] : fmin(fmax(x[0], low), high);
}

// The predicates of arith.cmpf as bits for greater, equal and less; from the
// ninth on they hold for numbers that do not compare.
static double f_compare(MlirOperation op, const double *x) {
  enum { UNORDERED = 8, COUNT = 16 };
  static const unsigned char holds[COUNT] = {0, 2, 1, 3, 4, 6, 5, 7,
                                             2, 1, 3, 4, 6, 5, 0, 7};
  int64_t predicate = luna_attr_int(op, "predicate", 0);
  if (isnan(x[0]) || isnan(x[1]))
    return predicate >= UNORDERED;
  unsigned is = x[0] > x[1] ? 1 : x[0] == x[1] ? 2 : 4;
  return (holds[predicate % COUNT] & is) != 0;
}

static const LunaScalarFunction functions[] = {
    {LUNA_OP_ARITH_ADDF, 2, f_add},
    {LUNA_OP_ARITH_CMPF, 2, f_compare},
    {LUNA_OP_ARITH_DIVF, 2, f_div},
    {LUNA_OP_ARITH_MAXIMUMF, 2, f_max},
    {LUNA_OP_ARITH_MINIMUMF, 2, f_min},
    {LUNA_OP_ARITH_MULF, 2, f_mul},
    {LUNA_OP_ARITH_NEGF, 1, f_neg},
    {LUNA_OP_ARITH_SELECT, 3, f_select},
    {LUNA_OP_ARITH_SUBF, 2, f_sub},
    {LUNA_OP_MATH_ABSF, 1, f_abs},
    {LUNA_OP_MATH_ACOS, 1, f_acos},
    {LUNA_OP_MATH_ACOSH, 1, f_acosh},
    {LUNA_OP_MATH_ASIN, 1, f_asin},
    {LUNA_OP_MATH_ASINH, 1, f_asinh},
    {LUNA_OP_MATH_ATAN, 1, f_atan},
    {LUNA_OP_MATH_ATANH, 1, f_atanh},
    {LUNA_OP_MATH_CEIL, 1, f_ceil},
    {LUNA_OP_MATH_COS, 1, f_cos},
    {LUNA_OP_MATH_COSH, 1, f_cosh},
    {LUNA_OP_MATH_ERF, 1, f_erf},
    {LUNA_OP_MATH_EXP, 1, f_exp},
    {LUNA_OP_MATH_EXPM1, 1, f_expm1},
    {LUNA_OP_MATH_FLOOR, 1, f_floor},
    {LUNA_OP_MATH_LOG, 1, f_log},
    {LUNA_OP_MATH_LOG1P, 1, f_log1p},
    {LUNA_OP_MATH_POWF, 2, f_pow},
    {LUNA_OP_MATH_ROUNDEVEN, 1, f_rint},
    {LUNA_OP_MATH_SIN, 1, f_sin},
    {LUNA_OP_MATH_SINH, 1, f_sinh},
    {LUNA_OP_MATH_SQRT, 1, f_sqrt},
    {LUNA_OP_MATH_TAN, 1, f_tan},
    {LUNA_OP_MATH_TANH, 1, f_tanh},
    {LUNA_OP_TOSA_ABS, 1, f_abs},
    {LUNA_OP_TOSA_ADD, 2, f_add},
    {LUNA_OP_TOSA_CEIL, 1, f_ceil},
    {LUNA_OP_TOSA_CLAMP, 1, f_clamp},
    {LUNA_OP_TOSA_COS, 1, f_cos},
    {LUNA_OP_TOSA_EQUAL, 2, f_equal},
    {LUNA_OP_TOSA_ERF, 1, f_erf},
    {LUNA_OP_TOSA_EXP, 1, f_exp},
    {LUNA_OP_TOSA_FLOOR, 1, f_floor},
    {LUNA_OP_TOSA_GREATER, 2, f_greater},
    {LUNA_OP_TOSA_GREATER_EQUAL, 2, f_greater_equal},
    {LUNA_OP_TOSA_LOG, 1, f_log},
    {LUNA_OP_TOSA_MAXIMUM, 2, f_max},
    {LUNA_OP_TOSA_MINIMUM, 2, f_min},
    {LUNA_OP_TOSA_MUL, 2, f_mul},
    {LUNA_OP_TOSA_NEGATE, 1, f_neg},
    {LUNA_OP_TOSA_POW, 2, f_pow},
    {LUNA_OP_TOSA_RECIPROCAL, 1, f_reciprocal},
    {LUNA_OP_TOSA_RSQRT, 1, f_rsqrt},
    {LUNA_OP_TOSA_SELECT, 3, f_select},
    {LUNA_OP_TOSA_SIGMOID, 1, f_sigmoid},
    {LUNA_OP_TOSA_SIN, 1, f_sin},
    {LUNA_OP_TOSA_SUB, 2, f_sub},
    {LUNA_OP_TOSA_TANH, 1, f_tanh},
};

const LunaScalarFunction *luna_scalar_function(MlirOperation op) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (luna_op_is(op, functions[i].name))
      return &functions[i];
  return NULL;
}

float luna_scalar_apply(const LunaScalarFunction *function, MlirOperation op,
                        const float *operands) {
  double x[LUNA_SCALAR_MAX_OPERANDS] = {0};
  for (int i = 0; i < function->operands; ++i)
    x[i] = (double)operands[i];
  return (float)function->apply(op, x);
}
