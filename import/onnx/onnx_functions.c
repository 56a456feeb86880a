// What the elementwise operators compute on one element, as scalar ops.

#include "onnx_functions.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Numbers of the first argument's type
//===----------------------------------------------------------------------===//

static MlirValue lit(const LunaOnnxScalar *s, double value) {
  return luna_onnx_lit(s->c, s->type, value);
}
// An attribute of the node as a number.
static MlirValue attr(const LunaOnnxScalar *s, const char *name,
                      double absent) {
  return lit(s, luna_onnx_attr_float(s->data, name, absent));
}
static MlirValue add(const LunaOnnxScalar *s, MlirValue x, MlirValue y) {
  return luna_scalar_add(s->b, x, y);
}
static MlirValue sub(const LunaOnnxScalar *s, MlirValue x, MlirValue y) {
  return luna_scalar_sub(s->b, x, y);
}
static MlirValue mul(const LunaOnnxScalar *s, MlirValue x, MlirValue y) {
  return luna_scalar_mul(s->b, x, y);
}
static MlirValue quotient(const LunaOnnxScalar *s, MlirValue x, MlirValue y) {
  return luna_onnx_div(s->c, s->type, x, y);
}
static MlirValue least(const LunaOnnxScalar *s, MlirValue x, MlirValue y) {
  return luna_onnx_min(s->c, s->type, x, y);
}
static MlirValue most(const LunaOnnxScalar *s, MlirValue x, MlirValue y) {
  return luna_onnx_max(s->c, s->type, x, y);
}
static MlirValue compare(const LunaOnnxScalar *s, LunaCompare how, MlirValue x,
                         MlirValue y) {
  return luna_onnx_compare(s->c, s->type, how, x, y);
}
static MlirValue select(const LunaOnnxScalar *s, MlirValue condition,
                        MlirValue x, MlirValue y) {
  return luna_scalar_select(s->b, condition, x, y);
}
static MlirValue unary(const LunaOnnxScalar *s, const char *name, MlirValue x) {
  return luna_scalar_unary(s->b, name, x);
}

// Applies `step` from left to right.
static MlirValue fold_args(const LunaOnnxScalar *s,
                           MlirValue (*step)(const LunaOnnxScalar *s,
                                             MlirValue x, MlirValue y)) {
  MlirValue value = s->args[0];
  for (int i = 1; i < s->count; ++i)
    value = step(s, value, s->args[i]);
  return value;
}

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

static MlirValue s_add(const LunaOnnxScalar *s) { return fold_args(s, add); }
static MlirValue s_mul(const LunaOnnxScalar *s) { return fold_args(s, mul); }
static MlirValue s_min(const LunaOnnxScalar *s) { return fold_args(s, least); }
static MlirValue s_max(const LunaOnnxScalar *s) { return fold_args(s, most); }
static MlirValue s_sub(const LunaOnnxScalar *s) {
  return sub(s, s->args[0], s->args[1]);
}
static MlirValue s_div(const LunaOnnxScalar *s) {
  return quotient(s, s->args[0], s->args[1]);
}
static MlirValue s_mean(const LunaOnnxScalar *s) {
  MlirValue sum = s_add(s);
  return quotient(s, sum, lit(s, s->count));
}

#define BITS(name, op)                                                         \
  static MlirValue name(const LunaOnnxScalar *s) {                             \
    return luna_scalar(s->b, op, s->args[0], s->args[1]);                      \
  }
BITS(s_and, "arith.andi")
BITS(s_or, "arith.ori")
BITS(s_xor, "arith.xori")
static MlirValue s_not(const LunaOnnxScalar *s) {
  return luna_scalar(s->b, "arith.xori", s->args[0],
                     lit(s, s->type == LUNA_ONNX_BOOL ? 1 : -1));
}

#define COMPARISON(name, how)                                                  \
  static MlirValue name(const LunaOnnxScalar *s) {                             \
    return compare(s, how, s->args[0], s->args[1]);                            \
  }
COMPARISON(s_equal, LUNA_EQ)
COMPARISON(s_less, LUNA_LT)
COMPARISON(s_less_equal, LUNA_LE)
COMPARISON(s_greater, LUNA_GT)
COMPARISON(s_greater_equal, LUNA_GE)

// fmod keeps the dividend's sign, Python's % the divisor's.
static MlirValue s_mod(const LunaOnnxScalar *s) {
  const char *name = luna_onnx_is_float(s->type)      ? "arith.remf"
                     : luna_onnx_is_unsigned(s->type) ? "arith.remui"
                                                      : "arith.remsi";
  MlirValue rest = luna_scalar(s->b, name, s->args[0], s->args[1]);
  if (luna_onnx_attr_int(s->data, "fmod", 0) || luna_onnx_is_unsigned(s->type))
    return rest;
  MlirValue zero = lit(s, 0);
  MlirValue signs =
      luna_scalar(s->b, "arith.xori", compare(s, LUNA_LT, rest, zero),
                  compare(s, LUNA_LT, s->args[1], zero));
  MlirValue wrong = luna_scalar(s->b, "arith.andi", signs,
                                luna_scalar_compare(s->b, LUNA_NE, rest, zero));
  return select(s, wrong, add(s, rest, s->args[1]), rest);
}

static MlirValue s_shift(const LunaOnnxScalar *s) {
  bool left = luna_onnx_attr_is(s->data, "direction", "LEFT", "LEFT");
  MlirValue moved = luna_scalar(s->b, left ? "arith.shli" : "arith.shrui",
                                s->args[0], s->args[1]);
  MlirValue fits = compare(s, LUNA_LT, s->args[1],
                           lit(s, 8 * luna_onnx_type_bytes(s->type)));
  return select(s, fits, moved, lit(s, 0));
}

static MlirValue s_abs(const LunaOnnxScalar *s) {
  if (luna_onnx_is_unsigned(s->type))
    return s->args[0];
  if (luna_onnx_is_float(s->type))
    return unary(s, "math.absf", s->args[0]);
  return most(s, s->args[0], sub(s, lit(s, 0), s->args[0]));
}
static MlirValue s_neg(const LunaOnnxScalar *s) {
  return luna_onnx_is_float(s->type) ? unary(s, "arith.negf", s->args[0])
                                     : sub(s, lit(s, 0), s->args[0]);
}
static MlirValue s_sign(const LunaOnnxScalar *s) {
  MlirValue zero = lit(s, 0);
  MlirValue low =
      select(s, compare(s, LUNA_LT, s->args[0], zero), lit(s, -1), zero);
  return select(s, compare(s, LUNA_GT, s->args[0], zero), lit(s, 1), low);
}

#define MATH(name, op)                                                         \
  static MlirValue name(const LunaOnnxScalar *s) {                             \
    return unary(s, op, s->args[0]);                                           \
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

static MlirValue s_reciprocal(const LunaOnnxScalar *s) {
  return luna_scalar_div(s->b, lit(s, 1.0), s->args[0]);
}
static MlirValue s_sigmoid(const LunaOnnxScalar *s) {
  return luna_onnx_sigmoid(s->c, s->type, s->args[0]);
}

// base^exponent, where the exponent may have another type.
static MlirValue s_pow(const LunaOnnxScalar *s) {
  const LunaOnnxNode *n = s->data;
  LunaOnnxType work = s->type == LUNA_ONNX_F64 || !luna_onnx_is_float(s->type)
                          ? LUNA_ONNX_F64
                          : LUNA_ONNX_F32;
  MlirValue base = luna_onnx_cast(s->c, s->args[0], s->type, work);
  MlirValue power = luna_onnx_cast(s->c, s->args[1], n->inputs[1]->type, work);
  return luna_onnx_cast(s->c, luna_scalar(s->b, "math.powf", base, power), work,
                        s->type);
}

static MlirValue s_relu(const LunaOnnxScalar *s) {
  return most(s, s->args[0], lit(s, 0));
}

// `low` where the argument is negative, else `high`.
static MlirValue where_negative(const LunaOnnxScalar *s, MlirValue low,
                                MlirValue high) {
  MlirValue below = compare(s, LUNA_LT, s->args[0], lit(s, 0));
  return select(s, below, low, high);
}
static MlirValue s_leaky(const LunaOnnxScalar *s) {
  MlirValue alpha = attr(s, "alpha", 0.01f);
  return where_negative(s, mul(s, s->args[0], alpha), s->args[0]);
}
static MlirValue s_prelu(const LunaOnnxScalar *s) {
  return where_negative(s, mul(s, s->args[0], s->args[1]), s->args[0]);
}
static MlirValue s_elu(const LunaOnnxScalar *s) {
  MlirValue alpha = attr(s, "alpha", 1.0);
  MlirValue low = mul(s, alpha, unary(s, "math.expm1", s->args[0]));
  return where_negative(s, low, s->args[0]);
}
static MlirValue s_celu(const LunaOnnxScalar *s) {
  MlirValue alpha = attr(s, "alpha", 1.0);
  MlirValue scaled = quotient(s, s->args[0], alpha);
  MlirValue low = mul(s, alpha, unary(s, "math.expm1", scaled));
  return where_negative(s, low, s->args[0]);
}
static MlirValue s_selu(const LunaOnnxScalar *s) {
  MlirValue power = unary(s, "math.expm1", s->args[0]);
  MlirValue low = mul(s, attr(s, "alpha", 1.67326319217681884765625), power);
  MlirValue high = where_negative(s, low, s->args[0]);
  return mul(s, attr(s, "gamma", 1.05070102214813232421875), high);
}

// Clamped to [0, 1].
static MlirValue unit_clamp(const LunaOnnxScalar *s, MlirValue x) {
  return least(s, most(s, x, lit(s, 0.0)), lit(s, 1.0));
}
static MlirValue s_hard_sigmoid(const LunaOnnxScalar *s) {
  MlirValue scaled = mul(s, s->args[0], attr(s, "alpha", 0.2f));
  return unit_clamp(s, add(s, scaled, attr(s, "beta", 0.5)));
}
static MlirValue s_hard_swish(const LunaOnnxScalar *s) {
  MlirValue scaled = mul(s, s->args[0], lit(s, 1.0 / 6.0));
  return mul(s, s->args[0], unit_clamp(s, add(s, scaled, lit(s, 0.5))));
}

// log(1 + e^x) without overflow: max(x, 0) + log1p(e^-|x|).
static MlirValue s_softplus(const LunaOnnxScalar *s) {
  MlirValue size = unary(s, "math.absf", s->args[0]);
  MlirValue small = unary(s, "math.exp", unary(s, "arith.negf", size));
  return add(s, most(s, s->args[0], lit(s, 0.0)),
             unary(s, "math.log1p", small));
}
static MlirValue s_softsign(const LunaOnnxScalar *s) {
  MlirValue size = unary(s, "math.absf", s->args[0]);
  return quotient(s, s->args[0], add(s, lit(s, 1.0), size));
}
static MlirValue s_mish(const LunaOnnxScalar *s) {
  return mul(s, s->args[0], unary(s, "math.tanh", s_softplus(s)));
}
static MlirValue s_gelu(const LunaOnnxScalar *s) {
  MlirValue x = s->args[0], inner;
  if (luna_onnx_attr_is(s->data, "approximate", "none", "tanh")) {
    MlirValue cube = mul(s, x, mul(s, x, x));
    MlirValue sum = add(s, x, mul(s, cube, lit(s, 0.044715)));
    inner = unary(s, "math.tanh", mul(s, sum, lit(s, 0.7978845608028654)));
  } else {
    inner = unary(s, "math.erf", mul(s, x, lit(s, 0.7071067811865476)));
  }
  return mul(s, mul(s, lit(s, 0.5), x), add(s, lit(s, 1.0), inner));
}
static MlirValue s_thresholded(const LunaOnnxScalar *s) {
  MlirValue above = compare(s, LUNA_GT, s->args[0], attr(s, "alpha", 1.0));
  return select(s, above, s->args[0], lit(s, 0.0));
}
static MlirValue s_shrink(const LunaOnnxScalar *s) {
  double lambda = luna_onnx_attr_float(s->data, "lambd", 0.5);
  MlirValue bias = attr(s, "bias", 0.0);
  MlirValue up = add(s, s->args[0], bias), down = sub(s, s->args[0], bias);
  MlirValue low = compare(s, LUNA_LT, s->args[0], lit(s, -lambda));
  MlirValue high = compare(s, LUNA_GT, s->args[0], lit(s, lambda));
  return select(s, low, up, select(s, high, down, lit(s, 0.0)));
}
static MlirValue s_is_nan(const LunaOnnxScalar *s) {
  return luna_scalar_compare(s->b, LUNA_NE, s->args[0], s->args[0]);
}
static MlirValue s_is_inf(const LunaOnnxScalar *s) {
  MlirValue high = compare(s, LUNA_EQ, s->args[0], lit(s, INFINITY));
  MlirValue low = compare(s, LUNA_EQ, s->args[0], lit(s, -INFINITY));
  if (!luna_onnx_attr_int(s->data, "detect_negative", 1))
    return high;
  if (!luna_onnx_attr_int(s->data, "detect_positive", 1))
    return low;
  return luna_scalar(s->b, "arith.ori", high, low);
}

//===----------------------------------------------------------------------===//
// The functions by operator
//===----------------------------------------------------------------------===//

enum { SAME, BOOL };

static const LunaOnnxElementwise table[] = {
#define OP_OF(class, name, handler, valid, least, most, becomes, limits)
#define TOSA(name, least, most, tosa, function, takes, gives)                  \
  {#name,        least == most ? least : 0, tosa,                              \
   s_##function, LUNA_ONNX_ACCEPTS_##takes, gives},
#define GENERIC(name, least, most, function, takes, gives)                     \
  TOSA(name, least, most, NULL, function, takes, gives)
#include "onnx_operators.def"
};

const LunaOnnxElementwise *luna_onnx_find_elementwise(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0)
      return &table[i];
  return NULL;
}
