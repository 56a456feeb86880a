// What the elementwise operators compute on one element, as scalar ops.

#include "onnx_functions.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

#define SCALAR(name)                                                           \
  static MlirValue name(LunaOnnxImport *c, const LunaOnnxNode *n,              \
                        LunaOnnxType type, const MlirValue *args, int count)
#define UNUSED_NODE (void)n, (void)type, (void)count

#define FOLD_ARGS(next)                                                        \
  MlirValue value = args[0];                                                   \
  for (int i = 1; i < count; ++i)                                              \
    value = next;                                                              \
  return value

SCALAR(s_add) {
  (void)n, (void)type;
  FOLD_ARGS(luna_scalar_add(c->b, value, args[i]));
}
SCALAR(s_mul) {
  (void)n, (void)type;
  FOLD_ARGS(luna_scalar_mul(c->b, value, args[i]));
}
SCALAR(s_min) {
  (void)n;
  FOLD_ARGS(luna_onnx_min(c, type, value, args[i]));
}
SCALAR(s_max) {
  (void)n;
  FOLD_ARGS(luna_onnx_max(c, type, value, args[i]));
}
SCALAR(s_sub) {
  UNUSED_NODE;
  return luna_scalar_sub(c->b, args[0], args[1]);
}
SCALAR(s_div) {
  UNUSED_NODE;
  return luna_onnx_div(c, type, args[0], args[1]);
}
SCALAR(s_mean) {
  MlirValue sum = s_add(c, n, type, args, count);
  return luna_onnx_div(c, type, sum, luna_onnx_lit(c, type, count));
}
SCALAR(s_and) {
  UNUSED_NODE;
  return luna_scalar(c->b, "arith.andi", args[0], args[1]);
}
SCALAR(s_or) {
  UNUSED_NODE;
  return luna_scalar(c->b, "arith.ori", args[0], args[1]);
}
SCALAR(s_xor) {
  UNUSED_NODE;
  return luna_scalar(c->b, "arith.xori", args[0], args[1]);
}
SCALAR(s_not) {
  UNUSED_NODE;
  return luna_scalar(c->b, "arith.xori", args[0],
                     luna_onnx_lit(c, type, type == LUNA_ONNX_BOOL ? 1 : -1));
}
SCALAR(s_equal) {
  UNUSED_NODE;
  return luna_scalar_compare(c->b, LUNA_EQ, args[0], args[1]);
}
SCALAR(s_less) {
  UNUSED_NODE;
  return luna_onnx_compare(c, type, LUNA_LT, args[0], args[1]);
}
SCALAR(s_less_equal) {
  UNUSED_NODE;
  return luna_onnx_compare(c, type, LUNA_LE, args[0], args[1]);
}
SCALAR(s_greater) {
  UNUSED_NODE;
  return luna_onnx_compare(c, type, LUNA_GT, args[0], args[1]);
}
SCALAR(s_greater_equal) {
  UNUSED_NODE;
  return luna_onnx_compare(c, type, LUNA_GE, args[0], args[1]);
}

// fmod keeps the dividend's sign, Python's % the divisor's.
SCALAR(s_mod) {
  (void)count;
  const char *name = luna_onnx_is_float(type)      ? "arith.remf"
                     : luna_onnx_is_unsigned(type) ? "arith.remui"
                                                   : "arith.remsi";
  MlirValue rest = luna_scalar(c->b, name, args[0], args[1]);
  if (luna_onnx_attr_int(n, "fmod", 0) || luna_onnx_is_unsigned(type))
    return rest;
  MlirValue zero = luna_onnx_lit(c, type, 0);
  MlirValue signs = luna_scalar(
      c->b, "arith.xori", luna_onnx_compare(c, type, LUNA_LT, rest, zero),
      luna_onnx_compare(c, type, LUNA_LT, args[1], zero));
  MlirValue wrong = luna_scalar(c->b, "arith.andi", signs,
                                luna_scalar_compare(c->b, LUNA_NE, rest, zero));
  return luna_scalar_select(c->b, wrong, luna_scalar_add(c->b, rest, args[1]),
                            rest);
}

SCALAR(s_shift) {
  (void)count;
  bool left = luna_onnx_attr_is(n, "direction", "LEFT", "LEFT");
  MlirValue moved =
      luna_scalar(c->b, left ? "arith.shli" : "arith.shrui", args[0], args[1]);
  MlirValue fits =
      luna_onnx_compare(c, type, LUNA_LT, args[1],
                        luna_onnx_lit(c, type, 8 * luna_onnx_type_bytes(type)));
  return luna_scalar_select(c->b, fits, moved, luna_onnx_lit(c, type, 0));
}

SCALAR(s_abs) {
  UNUSED_NODE;
  if (luna_onnx_is_unsigned(type))
    return args[0];
  if (luna_onnx_is_float(type))
    return luna_scalar_unary(c->b, "math.absf", args[0]);
  return luna_onnx_max(
      c, type, args[0],
      luna_scalar_sub(c->b, luna_onnx_lit(c, type, 0), args[0]));
}
SCALAR(s_neg) {
  UNUSED_NODE;
  return luna_onnx_is_float(type)
             ? luna_scalar_unary(c->b, "arith.negf", args[0])
             : luna_scalar_sub(c->b, luna_onnx_lit(c, type, 0), args[0]);
}
SCALAR(s_sign) {
  UNUSED_NODE;
  MlirValue zero = luna_onnx_lit(c, type, 0);
  MlirValue low = luna_scalar_select(
      c->b, luna_onnx_compare(c, type, LUNA_LT, args[0], zero),
      luna_onnx_lit(c, type, -1), zero);
  return luna_scalar_select(c->b,
                            luna_onnx_compare(c, type, LUNA_GT, args[0], zero),
                            luna_onnx_lit(c, type, 1), low);
}

#define MATH(name, op)                                                         \
  SCALAR(name) {                                                               \
    UNUSED_NODE;                                                               \
    return luna_scalar_unary(c->b, op, args[0]);                               \
  }
MATH(s_ceil, "math.ceil")
MATH(s_floor, "math.floor")
MATH(s_round, "math.roundeven")
MATH(s_exp, "math.exp")
MATH(s_log, "math.log")
MATH(s_sqrt, "math.sqrt")
MATH(s_sin, "math.sin")
MATH(s_cos, "math.cos")
MATH(s_tan, "math.tan")
MATH(s_asin, "math.asin")
MATH(s_acos, "math.acos")
MATH(s_atan, "math.atan")
MATH(s_sinh, "math.sinh")
MATH(s_cosh, "math.cosh")
MATH(s_asinh, "math.asinh")
MATH(s_acosh, "math.acosh")
MATH(s_atanh, "math.atanh")
MATH(s_erf, "math.erf")
MATH(s_tanh, "math.tanh")

SCALAR(s_reciprocal) {
  UNUSED_NODE;
  return luna_scalar_div(c->b, luna_onnx_lit(c, type, 1.0), args[0]);
}
SCALAR(s_sigmoid) {
  UNUSED_NODE;
  return luna_onnx_sigmoid(c, type, args[0]);
}

// base^exponent, where the exponent may have another type.
SCALAR(s_pow) {
  (void)count;
  LunaOnnxType other = n->inputs[1]->type;
  LunaOnnxType work = type == LUNA_ONNX_F64 || !luna_onnx_is_float(type)
                          ? LUNA_ONNX_F64
                          : LUNA_ONNX_F32;
  MlirValue base = luna_onnx_cast(c, args[0], type, work);
  MlirValue power = luna_onnx_cast(c, args[1], other, work);
  return luna_onnx_cast(c, luna_scalar(c->b, "math.powf", base, power), work,
                        type);
}

SCALAR(s_relu) {
  UNUSED_NODE;
  return luna_onnx_max(c, type, args[0], luna_onnx_lit(c, type, 0));
}
static MlirValue where_negative(LunaOnnxImport *c, LunaOnnxType type,
                                MlirValue x, MlirValue negative,
                                MlirValue other) {
  MlirValue below =
      luna_onnx_compare(c, type, LUNA_LT, x, luna_onnx_lit(c, type, 0));
  return luna_scalar_select(c->b, below, negative, other);
}
SCALAR(s_leaky) {
  (void)count;
  MlirValue alpha =
      luna_onnx_lit(c, type, luna_onnx_attr_float(n, "alpha", 0.01f));
  return where_negative(c, type, args[0], luna_scalar_mul(c->b, args[0], alpha),
                        args[0]);
}
SCALAR(s_prelu) {
  UNUSED_NODE;
  return where_negative(c, type, args[0],
                        luna_scalar_mul(c->b, args[0], args[1]), args[0]);
}
static MlirValue exp_minus_one(LunaOnnxImport *c, MlirValue x) {
  return luna_scalar_unary(c->b, "math.expm1", x);
}
SCALAR(s_elu) {
  (void)count;
  MlirValue alpha =
      luna_onnx_lit(c, type, luna_onnx_attr_float(n, "alpha", 1.0));
  MlirValue low = luna_scalar_mul(c->b, alpha, exp_minus_one(c, args[0]));
  return where_negative(c, type, args[0], low, args[0]);
}
SCALAR(s_celu) {
  (void)count;
  MlirValue alpha =
      luna_onnx_lit(c, type, luna_onnx_attr_float(n, "alpha", 1.0));
  MlirValue scaled = luna_onnx_div(c, type, args[0], alpha);
  MlirValue low = luna_scalar_mul(c->b, alpha, exp_minus_one(c, scaled));
  return where_negative(c, type, args[0], low, args[0]);
}
SCALAR(s_selu) {
  (void)count;
  double alpha = luna_onnx_attr_float(n, "alpha", 1.67326319217681884765625);
  double gamma = luna_onnx_attr_float(n, "gamma", 1.05070102214813232421875);
  MlirValue low = luna_scalar_mul(c->b, luna_onnx_lit(c, type, alpha),
                                  exp_minus_one(c, args[0]));
  return luna_scalar_mul(c->b, luna_onnx_lit(c, type, gamma),
                         where_negative(c, type, args[0], low, args[0]));
}
SCALAR(s_hard_sigmoid) {
  (void)count;
  MlirValue scaled = luna_scalar_mul(
      c->b, args[0],
      luna_onnx_lit(c, type, luna_onnx_attr_float(n, "alpha", 0.2f)));
  MlirValue moved = luna_scalar_add(
      c->b, scaled,
      luna_onnx_lit(c, type, luna_onnx_attr_float(n, "beta", 0.5)));
  return luna_onnx_min(
      c, type, luna_onnx_max(c, type, moved, luna_onnx_lit(c, type, 0.0)),
      luna_onnx_lit(c, type, 1.0));
}
SCALAR(s_hard_swish) {
  UNUSED_NODE;
  MlirValue scaled =
      luna_scalar_mul(c->b, args[0], luna_onnx_lit(c, type, 1.0 / 6.0));
  MlirValue moved = luna_scalar_add(c->b, scaled, luna_onnx_lit(c, type, 0.5));
  MlirValue part = luna_onnx_min(
      c, type, luna_onnx_max(c, type, moved, luna_onnx_lit(c, type, 0.0)),
      luna_onnx_lit(c, type, 1.0));
  return luna_scalar_mul(c->b, args[0], part);
}
// log(1 + e^x) without overflow: max(x, 0) + log1p(e^-|x|).
SCALAR(s_softplus) {
  UNUSED_NODE;
  MlirValue small = luna_scalar_unary(
      c->b, "math.exp",
      luna_scalar_unary(c->b, "arith.negf",
                        luna_scalar_unary(c->b, "math.absf", args[0])));
  return luna_scalar_add(
      c->b, luna_onnx_max(c, type, args[0], luna_onnx_lit(c, type, 0.0)),
      luna_scalar_unary(c->b, "math.log1p", small));
}
SCALAR(s_softsign) {
  UNUSED_NODE;
  MlirValue size =
      luna_scalar_add(c->b, luna_onnx_lit(c, type, 1.0),
                      luna_scalar_unary(c->b, "math.absf", args[0]));
  return luna_onnx_div(c, type, args[0], size);
}
SCALAR(s_mish) {
  return luna_scalar_mul(
      c->b, args[0],
      luna_scalar_unary(c->b, "math.tanh",
                        s_softplus(c, n, type, args, count)));
}
SCALAR(s_gelu) {
  (void)count;
  MlirValue x = args[0], half = luna_onnx_lit(c, type, 0.5),
            one = luna_onnx_lit(c, type, 1.0);
  if (luna_onnx_attr_is(n, "approximate", "none", "tanh")) {
    MlirValue cube = luna_scalar_mul(c->b, x, luna_scalar_mul(c->b, x, x));
    MlirValue sum = luna_scalar_add(
        c->b, x, luna_scalar_mul(c->b, cube, luna_onnx_lit(c, type, 0.044715)));
    MlirValue t = luna_scalar_unary(
        c->b, "math.tanh",
        luna_scalar_mul(c->b, sum, luna_onnx_lit(c, type, 0.7978845608028654)));
    return luna_scalar_mul(c->b, luna_scalar_mul(c->b, half, x),
                           luna_scalar_add(c->b, one, t));
  }
  MlirValue e = luna_scalar_unary(
      c->b, "math.erf",
      luna_scalar_mul(c->b, x, luna_onnx_lit(c, type, 0.7071067811865476)));
  return luna_scalar_mul(c->b, luna_scalar_mul(c->b, half, x),
                         luna_scalar_add(c->b, one, e));
}
SCALAR(s_thresholded) {
  (void)count;
  MlirValue alpha =
      luna_onnx_lit(c, type, luna_onnx_attr_float(n, "alpha", 1.0));
  return luna_scalar_select(c->b,
                            luna_onnx_compare(c, type, LUNA_GT, args[0], alpha),
                            args[0], luna_onnx_lit(c, type, 0.0));
}
SCALAR(s_shrink) {
  (void)count;
  double lambda = luna_onnx_attr_float(n, "lambd", 0.5),
         bias = luna_onnx_attr_float(n, "bias", 0.0);
  MlirValue zero = luna_onnx_lit(c, type, 0.0);
  MlirValue up = luna_scalar_add(c->b, args[0], luna_onnx_lit(c, type, bias));
  MlirValue down = luna_scalar_sub(c->b, args[0], luna_onnx_lit(c, type, bias));
  MlirValue low = luna_onnx_compare(c, type, LUNA_LT, args[0],
                                    luna_onnx_lit(c, type, -lambda));
  MlirValue high = luna_onnx_compare(c, type, LUNA_GT, args[0],
                                     luna_onnx_lit(c, type, lambda));
  return luna_scalar_select(c->b, low, up,
                            luna_scalar_select(c->b, high, down, zero));
}
SCALAR(s_is_nan) {
  UNUSED_NODE;
  return luna_scalar_compare(c->b, LUNA_NE, args[0], args[0]);
}
SCALAR(s_is_inf) {
  (void)count;
  MlirValue high = luna_scalar_compare(c->b, LUNA_EQ, args[0],
                                       luna_onnx_lit(c, type, INFINITY));
  MlirValue low = luna_scalar_compare(c->b, LUNA_EQ, args[0],
                                      luna_onnx_lit(c, type, -INFINITY));
  if (!luna_onnx_attr_int(n, "detect_negative", 1))
    return high;
  if (!luna_onnx_attr_int(n, "detect_positive", 1))
    return low;
  return luna_scalar(c->b, "arith.ori", high, low);
}

//===----------------------------------------------------------------------===//
// The functions by operator
//===----------------------------------------------------------------------===//

static const LunaOnnxElementwise table[] = {
    {"Add", 2, "tosa.add", s_add, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Sub", 2, "tosa.sub", s_sub, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Mul", 2, "tosa.mul", s_mul, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Div", 2, NULL, s_div, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Sum", 0, "tosa.add", s_add, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Mean", 0, NULL, s_mean, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Min", 0, "tosa.minimum", s_min, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Max", 0, "tosa.maximum", s_max, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Mod", 2, NULL, s_mod, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Pow", 2, NULL, s_pow, LUNA_ONNX_ACCEPTS_ANY, false},
    {"PRelu", 2, NULL, s_prelu, LUNA_ONNX_ACCEPTS_ANY, false},
    {"BitShift", 2, NULL, s_shift, LUNA_ONNX_ACCEPTS_INTS, false},
    {"BitwiseAnd", 2, NULL, s_and, LUNA_ONNX_ACCEPTS_INTS, false},
    {"BitwiseOr", 2, NULL, s_or, LUNA_ONNX_ACCEPTS_INTS, false},
    {"BitwiseXor", 2, NULL, s_xor, LUNA_ONNX_ACCEPTS_INTS, false},
    {"BitwiseNot", 1, NULL, s_not, LUNA_ONNX_ACCEPTS_INTS, false},
    {"And", 2, "tosa.logical_and", s_and, LUNA_ONNX_ACCEPTS_BOOLS, true},
    {"Or", 2, "tosa.logical_or", s_or, LUNA_ONNX_ACCEPTS_BOOLS, true},
    {"Xor", 2, "tosa.logical_xor", s_xor, LUNA_ONNX_ACCEPTS_BOOLS, true},
    {"Not", 1, "tosa.logical_not", s_not, LUNA_ONNX_ACCEPTS_BOOLS, true},
    {"Equal", 2, NULL, s_equal, LUNA_ONNX_ACCEPTS_ANY, true},
    {"Less", 2, NULL, s_less, LUNA_ONNX_ACCEPTS_ANY, true},
    {"LessOrEqual", 2, NULL, s_less_equal, LUNA_ONNX_ACCEPTS_ANY, true},
    {"Greater", 2, "tosa.greater", s_greater, LUNA_ONNX_ACCEPTS_ANY, true},
    {"GreaterOrEqual", 2, "tosa.greater_equal", s_greater_equal,
     LUNA_ONNX_ACCEPTS_ANY, true},
    {"Abs", 1, "tosa.abs", s_abs, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Neg", 1, NULL, s_neg, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Sign", 1, NULL, s_sign, LUNA_ONNX_ACCEPTS_ANY, false},
    {"Ceil", 1, "tosa.ceil", s_ceil, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Floor", 1, "tosa.floor", s_floor, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Round", 1, NULL, s_round, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Exp", 1, "tosa.exp", s_exp, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Log", 1, "tosa.log", s_log, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Sqrt", 1, NULL, s_sqrt, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Reciprocal", 1, "tosa.reciprocal", s_reciprocal, LUNA_ONNX_ACCEPTS_FLOATS,
     false},
    {"Sin", 1, "tosa.sin", s_sin, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Cos", 1, "tosa.cos", s_cos, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Tan", 1, NULL, s_tan, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Asin", 1, NULL, s_asin, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Acos", 1, NULL, s_acos, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Atan", 1, NULL, s_atan, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Sinh", 1, NULL, s_sinh, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Cosh", 1, NULL, s_cosh, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Asinh", 1, NULL, s_asinh, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Acosh", 1, NULL, s_acosh, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Atanh", 1, NULL, s_atanh, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Erf", 1, "tosa.erf", s_erf, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Tanh", 1, "tosa.tanh", s_tanh, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Sigmoid", 1, "tosa.sigmoid", s_sigmoid, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Relu", 1, NULL, s_relu, LUNA_ONNX_ACCEPTS_ANY, false},
    {"LeakyRelu", 1, NULL, s_leaky, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Elu", 1, NULL, s_elu, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Celu", 1, NULL, s_celu, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Selu", 1, NULL, s_selu, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"HardSigmoid", 1, NULL, s_hard_sigmoid, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"HardSwish", 1, NULL, s_hard_swish, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Softplus", 1, NULL, s_softplus, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Softsign", 1, NULL, s_softsign, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Mish", 1, NULL, s_mish, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"Gelu", 1, NULL, s_gelu, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"ThresholdedRelu", 1, NULL, s_thresholded, LUNA_ONNX_ACCEPTS_FLOATS,
     false},
    {"Shrink", 1, NULL, s_shrink, LUNA_ONNX_ACCEPTS_FLOATS, false},
    {"IsNaN", 1, NULL, s_is_nan, LUNA_ONNX_ACCEPTS_FLOATS, true},
    {"IsInf", 1, NULL, s_is_inf, LUNA_ONNX_ACCEPTS_FLOATS, true},
};

const LunaOnnxElementwise *luna_onnx_find_elementwise(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0)
      return &table[i];
  return NULL;
}
