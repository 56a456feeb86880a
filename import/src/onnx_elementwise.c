// Operators that work element by element, with broadcasting.
//
// Where TOSA has the operator for the type, it becomes that; else one
// linalg.generic with a scalar body. Results keep the layout of their inputs.

#include "onnx.h"

#include <math.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

#define SCALAR(name)                                                           \
  static MlirValue name(OnnxImport *c, const OnnxNode *n, OnnxType type,       \
                        const MlirValue *args, int count)
#define UNUSED_NODE (void)n, (void)type, (void)count

#define FOLD_ARGS(fn)                                                          \
  MlirValue value = args[0];                                                   \
  for (int i = 1; i < count; ++i)                                              \
    value = fn(c, type, value, args[i]);                                       \
  return value

SCALAR(s_add) {
  (void)n;
  FOLD_ARGS(onnx_add);
}
SCALAR(s_mul) {
  (void)n;
  FOLD_ARGS(onnx_mul);
}
SCALAR(s_min) {
  (void)n;
  FOLD_ARGS(onnx_min);
}
SCALAR(s_max) {
  (void)n;
  FOLD_ARGS(onnx_max);
}
SCALAR(s_sub) {
  UNUSED_NODE;
  return onnx_sub(c, type, args[0], args[1]);
}
SCALAR(s_div) {
  UNUSED_NODE;
  return onnx_div(c, type, args[0], args[1]);
}
SCALAR(s_mean) {
  MlirValue sum = s_add(c, n, type, args, count);
  return onnx_div(c, type, sum, onnx_lit_int(c, type, count));
}
SCALAR(s_and) {
  UNUSED_NODE;
  return onnx_s2(c, "arith.andi", args[0], args[1]);
}
SCALAR(s_or) {
  UNUSED_NODE;
  return onnx_s2(c, "arith.ori", args[0], args[1]);
}
SCALAR(s_xor) {
  UNUSED_NODE;
  return onnx_s2(c, "arith.xori", args[0], args[1]);
}
SCALAR(s_not) {
  UNUSED_NODE;
  return onnx_s2(c, "arith.xori", args[0],
                 onnx_lit_int(c, type, type == ONNX_BOOL ? 1 : -1));
}
SCALAR(s_equal) {
  UNUSED_NODE;
  return onnx_compare(c, type, ONNX_EQ, args[0], args[1]);
}
SCALAR(s_less) {
  UNUSED_NODE;
  return onnx_compare(c, type, ONNX_LT, args[0], args[1]);
}
SCALAR(s_less_equal) {
  UNUSED_NODE;
  return onnx_compare(c, type, ONNX_LE, args[0], args[1]);
}
SCALAR(s_greater) {
  UNUSED_NODE;
  return onnx_compare(c, type, ONNX_GT, args[0], args[1]);
}
SCALAR(s_greater_equal) {
  UNUSED_NODE;
  return onnx_compare(c, type, ONNX_GE, args[0], args[1]);
}

// fmod keeps the dividend's sign, Python's % the divisor's.
SCALAR(s_mod) {
  (void)count;
  const char *name = onnx_is_float(type)      ? "arith.remf"
                     : onnx_is_unsigned(type) ? "arith.remui"
                                              : "arith.remsi";
  MlirValue rest = onnx_s2(c, name, args[0], args[1]);
  if (onnx_attr_int(n, "fmod", 0) || onnx_is_unsigned(type))
    return rest;
  MlirValue zero = onnx_lit_int(c, type, 0);
  MlirValue signs =
      onnx_s2(c, "arith.xori", onnx_compare(c, type, ONNX_LT, rest, zero),
              onnx_compare(c, type, ONNX_LT, args[1], zero));
  MlirValue wrong = onnx_s2(c, "arith.andi", signs,
                            onnx_compare(c, type, ONNX_NE, rest, zero));
  return onnx_select(c, wrong, onnx_add(c, type, rest, args[1]), rest);
}

SCALAR(s_shift) {
  (void)count;
  bool left = onnx_attr_is(n, "direction", "LEFT", "LEFT");
  MlirValue moved =
      onnx_s2(c, left ? "arith.shli" : "arith.shrui", args[0], args[1]);
  MlirValue fits =
      onnx_compare(c, type, ONNX_LT, args[1],
                   onnx_lit_int(c, type, 8 * onnx_type_bytes(type)));
  return onnx_select(c, fits, moved, onnx_lit_int(c, type, 0));
}

SCALAR(s_abs) {
  UNUSED_NODE;
  if (onnx_is_unsigned(type))
    return args[0];
  return onnx_s1(c, onnx_is_float(type) ? "math.absf" : "math.absi", args[0]);
}
SCALAR(s_neg) {
  UNUSED_NODE;
  return onnx_is_float(type)
             ? onnx_s1(c, "arith.negf", args[0])
             : onnx_sub(c, type, onnx_lit_int(c, type, 0), args[0]);
}
SCALAR(s_sign) {
  UNUSED_NODE;
  MlirValue zero = onnx_lit_int(c, type, 0);
  MlirValue low = onnx_select(c, onnx_compare(c, type, ONNX_LT, args[0], zero),
                              onnx_lit_int(c, type, -1), zero);
  return onnx_select(c, onnx_compare(c, type, ONNX_GT, args[0], zero),
                     onnx_lit_int(c, type, 1), low);
}

#define MATH(name, op)                                                         \
  SCALAR(name) {                                                               \
    UNUSED_NODE;                                                               \
    return onnx_s1(c, op, args[0]);                                            \
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
  return onnx_s2(c, "arith.divf", onnx_lit(c, type, 1.0), args[0]);
}
SCALAR(s_sigmoid) {
  UNUSED_NODE;
  return onnx_sigmoid(c, type, args[0]);
}

// base^exponent, where the exponent may have another type.
SCALAR(s_pow) {
  (void)count;
  OnnxType other = n->inputs[1]->type;
  OnnxType work =
      type == ONNX_F64 || !onnx_is_float(type) ? ONNX_F64 : ONNX_F32;
  MlirValue base = onnx_cast(c, args[0], type, work);
  MlirValue power = onnx_cast(c, args[1], other, work);
  return onnx_cast(c, onnx_s2(c, "math.powf", base, power), work, type);
}

SCALAR(s_relu) {
  UNUSED_NODE;
  return onnx_max(c, type, args[0], onnx_lit_int(c, type, 0));
}
static MlirValue where_negative(OnnxImport *c, OnnxType type, MlirValue x,
                                MlirValue negative, MlirValue other) {
  MlirValue below = onnx_compare(c, type, ONNX_LT, x, onnx_lit_int(c, type, 0));
  return onnx_select(c, below, negative, other);
}
SCALAR(s_leaky) {
  (void)count;
  MlirValue alpha = onnx_lit(c, type, onnx_attr_float(n, "alpha", 0.01f));
  return where_negative(c, type, args[0], onnx_mul(c, type, args[0], alpha),
                        args[0]);
}
SCALAR(s_prelu) {
  UNUSED_NODE;
  return where_negative(c, type, args[0], onnx_mul(c, type, args[0], args[1]),
                        args[0]);
}
static MlirValue exp_minus_one(OnnxImport *c, MlirValue x) {
  return onnx_s1(c, "math.expm1", x);
}
SCALAR(s_elu) {
  (void)count;
  MlirValue alpha = onnx_lit(c, type, onnx_attr_float(n, "alpha", 1.0));
  MlirValue low = onnx_mul(c, type, alpha, exp_minus_one(c, args[0]));
  return where_negative(c, type, args[0], low, args[0]);
}
SCALAR(s_celu) {
  (void)count;
  MlirValue alpha = onnx_lit(c, type, onnx_attr_float(n, "alpha", 1.0));
  MlirValue scaled = onnx_div(c, type, args[0], alpha);
  MlirValue low = onnx_mul(c, type, alpha, exp_minus_one(c, scaled));
  return where_negative(c, type, args[0], low, args[0]);
}
SCALAR(s_selu) {
  (void)count;
  double alpha = onnx_attr_float(n, "alpha", 1.67326319217681884765625);
  double gamma = onnx_attr_float(n, "gamma", 1.05070102214813232421875);
  MlirValue low =
      onnx_mul(c, type, onnx_lit(c, type, alpha), exp_minus_one(c, args[0]));
  return onnx_mul(c, type, onnx_lit(c, type, gamma),
                  where_negative(c, type, args[0], low, args[0]));
}
SCALAR(s_hard_sigmoid) {
  (void)count;
  MlirValue scaled = onnx_mul(
      c, type, args[0], onnx_lit(c, type, onnx_attr_float(n, "alpha", 0.2f)));
  MlirValue moved = onnx_add(
      c, type, scaled, onnx_lit(c, type, onnx_attr_float(n, "beta", 0.5)));
  return onnx_min(c, type, onnx_max(c, type, moved, onnx_lit(c, type, 0.0)),
                  onnx_lit(c, type, 1.0));
}
SCALAR(s_hard_swish) {
  UNUSED_NODE;
  MlirValue scaled = onnx_mul(c, type, args[0], onnx_lit(c, type, 1.0 / 6.0));
  MlirValue moved = onnx_add(c, type, scaled, onnx_lit(c, type, 0.5));
  MlirValue part =
      onnx_min(c, type, onnx_max(c, type, moved, onnx_lit(c, type, 0.0)),
               onnx_lit(c, type, 1.0));
  return onnx_mul(c, type, args[0], part);
}
// log(1 + e^x) without overflow: max(x, 0) + log1p(e^-|x|).
SCALAR(s_softplus) {
  UNUSED_NODE;
  MlirValue small =
      onnx_s1(c, "math.exp",
              onnx_s1(c, "arith.negf", onnx_s1(c, "math.absf", args[0])));
  return onnx_add(c, type, onnx_max(c, type, args[0], onnx_lit(c, type, 0.0)),
                  onnx_s1(c, "math.log1p", small));
}
SCALAR(s_softsign) {
  UNUSED_NODE;
  MlirValue size = onnx_add(c, type, onnx_lit(c, type, 1.0),
                            onnx_s1(c, "math.absf", args[0]));
  return onnx_div(c, type, args[0], size);
}
SCALAR(s_mish) {
  return onnx_mul(c, type, args[0],
                  onnx_s1(c, "math.tanh", s_softplus(c, n, type, args, count)));
}
SCALAR(s_gelu) {
  (void)count;
  MlirValue x = args[0], half = onnx_lit(c, type, 0.5),
            one = onnx_lit(c, type, 1.0);
  if (onnx_attr_is(n, "approximate", "none", "tanh")) {
    MlirValue cube = onnx_mul(c, type, x, onnx_mul(c, type, x, x));
    MlirValue sum = onnx_add(
        c, type, x, onnx_mul(c, type, cube, onnx_lit(c, type, 0.044715)));
    MlirValue t =
        onnx_s1(c, "math.tanh",
                onnx_mul(c, type, sum, onnx_lit(c, type, 0.7978845608028654)));
    return onnx_mul(c, type, onnx_mul(c, type, half, x),
                    onnx_add(c, type, one, t));
  }
  MlirValue e =
      onnx_s1(c, "math.erf",
              onnx_mul(c, type, x, onnx_lit(c, type, 0.7071067811865476)));
  return onnx_mul(c, type, onnx_mul(c, type, half, x),
                  onnx_add(c, type, one, e));
}
SCALAR(s_thresholded) {
  (void)count;
  MlirValue alpha = onnx_lit(c, type, onnx_attr_float(n, "alpha", 1.0));
  return onnx_select(c, onnx_compare(c, type, ONNX_GT, args[0], alpha), args[0],
                     onnx_lit(c, type, 0.0));
}
SCALAR(s_shrink) {
  (void)count;
  double lambda = onnx_attr_float(n, "lambd", 0.5),
         bias = onnx_attr_float(n, "bias", 0.0);
  MlirValue zero = onnx_lit(c, type, 0.0);
  MlirValue up = onnx_add(c, type, args[0], onnx_lit(c, type, bias));
  MlirValue down = onnx_sub(c, type, args[0], onnx_lit(c, type, bias));
  MlirValue low =
      onnx_compare(c, type, ONNX_LT, args[0], onnx_lit(c, type, -lambda));
  MlirValue high =
      onnx_compare(c, type, ONNX_GT, args[0], onnx_lit(c, type, lambda));
  return onnx_select(c, low, up, onnx_select(c, high, down, zero));
}
SCALAR(s_is_nan) {
  UNUSED_NODE;
  return onnx_compare(c, type, ONNX_NE, args[0], args[0]);
}
SCALAR(s_is_inf) {
  (void)count;
  MlirValue high =
      onnx_compare(c, type, ONNX_EQ, args[0], onnx_lit(c, type, INFINITY));
  MlirValue low =
      onnx_compare(c, type, ONNX_EQ, args[0], onnx_lit(c, type, -INFINITY));
  if (!onnx_attr_int(n, "detect_negative", 1))
    return high;
  if (!onnx_attr_int(n, "detect_positive", 1))
    return low;
  return onnx_s2(c, "arith.ori", high, low);
}

//===----------------------------------------------------------------------===//
// The functions by operator
//===----------------------------------------------------------------------===//

typedef enum Accepts { ANY, FLOATS, INTS, BOOLS } Accepts;

typedef struct Elementwise {
  const char *name;
  // The TOSA operator for float (bool where it accepts only those), or NULL.
  const char *tosa;
  OnnxScalarFn fn;
  Accepts accepts;
  bool gives_bool;
} Elementwise;

static const Elementwise table[] = {
    {"Add", "tosa.add", s_add, ANY, false},
    {"Sub", "tosa.sub", s_sub, ANY, false},
    {"Mul", "tosa.mul", s_mul, ANY, false},
    {"Div", NULL, s_div, ANY, false},
    {"Sum", "tosa.add", s_add, FLOATS, false},
    {"Mean", NULL, s_mean, FLOATS, false},
    {"Min", "tosa.minimum", s_min, ANY, false},
    {"Max", "tosa.maximum", s_max, ANY, false},
    {"Mod", NULL, s_mod, ANY, false},
    {"Pow", NULL, s_pow, ANY, false},
    {"PRelu", NULL, s_prelu, ANY, false},
    {"BitShift", NULL, s_shift, INTS, false},
    {"BitwiseAnd", NULL, s_and, INTS, false},
    {"BitwiseOr", NULL, s_or, INTS, false},
    {"BitwiseXor", NULL, s_xor, INTS, false},
    {"BitwiseNot", NULL, s_not, INTS, false},
    {"And", "tosa.logical_and", s_and, BOOLS, true},
    {"Or", "tosa.logical_or", s_or, BOOLS, true},
    {"Xor", "tosa.logical_xor", s_xor, BOOLS, true},
    {"Not", "tosa.logical_not", s_not, BOOLS, true},
    {"Equal", NULL, s_equal, ANY, true},
    {"Less", NULL, s_less, ANY, true},
    {"LessOrEqual", NULL, s_less_equal, ANY, true},
    {"Greater", "tosa.greater", s_greater, ANY, true},
    {"GreaterOrEqual", "tosa.greater_equal", s_greater_equal, ANY, true},
    {"Abs", "tosa.abs", s_abs, ANY, false},
    {"Neg", NULL, s_neg, ANY, false},
    {"Sign", NULL, s_sign, ANY, false},
    {"Ceil", "tosa.ceil", s_ceil, FLOATS, false},
    {"Floor", "tosa.floor", s_floor, FLOATS, false},
    {"Round", NULL, s_round, FLOATS, false},
    {"Exp", "tosa.exp", s_exp, FLOATS, false},
    {"Log", "tosa.log", s_log, FLOATS, false},
    {"Sqrt", NULL, s_sqrt, FLOATS, false},
    {"Reciprocal", "tosa.reciprocal", s_reciprocal, FLOATS, false},
    {"Sin", "tosa.sin", s_sin, FLOATS, false},
    {"Cos", "tosa.cos", s_cos, FLOATS, false},
    {"Tan", NULL, s_tan, FLOATS, false},
    {"Asin", NULL, s_asin, FLOATS, false},
    {"Acos", NULL, s_acos, FLOATS, false},
    {"Atan", NULL, s_atan, FLOATS, false},
    {"Sinh", NULL, s_sinh, FLOATS, false},
    {"Cosh", NULL, s_cosh, FLOATS, false},
    {"Asinh", NULL, s_asinh, FLOATS, false},
    {"Acosh", NULL, s_acosh, FLOATS, false},
    {"Atanh", NULL, s_atanh, FLOATS, false},
    {"Erf", "tosa.erf", s_erf, FLOATS, false},
    {"Tanh", "tosa.tanh", s_tanh, FLOATS, false},
    {"Sigmoid", "tosa.sigmoid", s_sigmoid, FLOATS, false},
    {"Relu", NULL, s_relu, ANY, false},
    {"LeakyRelu", NULL, s_leaky, FLOATS, false},
    {"Elu", NULL, s_elu, FLOATS, false},
    {"Celu", NULL, s_celu, FLOATS, false},
    {"Selu", NULL, s_selu, FLOATS, false},
    {"HardSigmoid", NULL, s_hard_sigmoid, FLOATS, false},
    {"HardSwish", NULL, s_hard_swish, FLOATS, false},
    {"Softplus", NULL, s_softplus, FLOATS, false},
    {"Softsign", NULL, s_softsign, FLOATS, false},
    {"Mish", NULL, s_mish, FLOATS, false},
    {"Gelu", NULL, s_gelu, FLOATS, false},
    {"ThresholdedRelu", NULL, s_thresholded, FLOATS, false},
    {"Shrink", NULL, s_shrink, FLOATS, false},
    {"IsNaN", NULL, s_is_nan, FLOATS, true},
    {"IsInf", NULL, s_is_inf, FLOATS, true},
};

OnnxScalarFn onnx_scalar_fn(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0 && !table[i].gives_bool)
      return table[i].fn;
  return NULL;
}

// Says whether the operator takes two inputs.
static bool needs_two(const char *name) {
  static const char *const names[] = {"Add", "Sub", "Mul", "Div", "Max", "Min"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

static const Elementwise *find(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0)
      return &table[i];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

static bool is_const(const OnnxValue *value) { return value->data != NULL; }

// Channels last where some input is at hand only so and the others can follow
// without a transpose at run time.
static bool use_last(OnnxValue **inputs, int count, int rank) {
  bool any = false;
  for (int i = 0; i < count; ++i) {
    if (is_const(inputs[i]) || onnx_elems(&inputs[i]->shape) == 1)
      continue;
    if (inputs[i]->shape.rank != rank || mlirValueIsNull(inputs[i]->last))
      return false;
    any = any || onnx_prefers_last(inputs[i]);
  }
  return any;
}

// The value with dimensions of 1 put in front up to `rank`.
static MlirValue raise_rank(OnnxImport *c, OnnxValue *value, int rank,
                            bool last, OnnxShape *shape) {
  *shape = onnx_shape(rank, NULL);
  int shift = rank - value->shape.rank;
  for (int i = 0; i < rank; ++i)
    shape->dims[i] = i < shift ? 1 : value->shape.dims[i - shift];
  if (is_const(value)) {
    OnnxValue raised = *value;
    raised.shape = *shape;
    if (last)
      *shape = onnx_shape_last(shape);
    return last ? onnx_ir_last(c, &raised) : onnx_ir(c, &raised);
  }
  if (last && shift == 0) {
    *shape = onnx_shape_last(shape);
    return onnx_ir_last(c, value);
  }
  if (last) // One element: it looks the same in both layouts.
    *shape = onnx_shape_last(shape);
  return onnx_reshape(c, onnx_ir(c, value), value->type, shape);
}

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

typedef struct Operands {
  MlirValue values[6];
  OnnxShape shapes[6], out, model_out;
  bool last;
} Operands;

static bool read_operands(OnnxImport *c, OnnxValue **inputs, int count,
                          Operands *o) {
  o->model_out = inputs[0]->shape;
  for (int i = 1; i < count; ++i)
    if (!onnx_broadcast(&o->model_out, &inputs[i]->shape, &o->model_out))
      return onnx_fail(c, "shapes of inputs 0 and %d do not broadcast", i);
  if (!onnx_check_shape(c, &o->model_out))
    return false;
  o->last = use_last(inputs, count, o->model_out.rank);
  o->out = o->last ? onnx_shape_last(&o->model_out) : o->model_out;
  for (int i = 0; i < count; ++i)
    o->values[i] =
        raise_rank(c, inputs[i], o->model_out.rank, o->last, &o->shapes[i]);
  return true;
}

static OnnxValue *result(OnnxImport *c, OnnxType type, const Operands *o,
                         MlirValue value) {
  return o->last ? onnx_from_last(c, type, &o->model_out, value)
                 : onnx_from_ir(c, type, &o->model_out, value);
}

static MlirValue emit_generic(OnnxImport *c, const OnnxNode *n, int count,
                              OnnxType in_type, OnnxType out_type,
                              const Operands *o, OnnxScalarFn fn) {
  OnnxLoop loop = {
      .loop_count = o->out.rank,
      .input_count = count,
      .result_count = 1,
      .inits = {onnx_empty(c, out_type, &o->out)},
      .init_maps = {onnx_identity_map(c, o->out.rank)},
  };
  for (int i = 0; i < count; ++i) {
    loop.inputs[i] = o->values[i];
    loop.maps[i] = onnx_broadcast_map(c, &o->shapes[i], &o->out);
  }
  onnx_loop_begin(c, &loop);
  MlirValue value = fn(c, n, in_type, loop.args, count);
  return mlirOperationGetResult(onnx_loop_end(c, &loop, &value), 0);
}

OnnxValue *onnx_map(OnnxImport *c, const OnnxNode *n, OnnxValue **inputs,
                    int count, OnnxType out_type, OnnxScalarFn fn) {
  Operands o;
  if (!read_operands(c, inputs, count, &o))
    return NULL;
  return result(c, out_type, &o,
                emit_generic(c, n, count, inputs[0]->type, out_type, &o, fn));
}

// A TOSA operator on two operands at a time, or on one.
static MlirValue emit_tosa(OnnxImport *c, const char *name, int count,
                           OnnxType out_type, const Operands *o) {
  MlirValue value = o->values[0];
  OnnxShape shape = o->shapes[0];
  if (count == 1)
    return onnx_emit(c, name, onnx_tensor_type(c, out_type, &shape), &value, 1,
                     NULL, 0);
  for (int i = 1; i < count; ++i) {
    MlirValue operands[3] = {value, o->values[i]};
    bool mul = strcmp(name, "tosa.mul") == 0;
    OnnxShape one = onnx_shape(1, (int64_t[]){1});
    if (mul)
      operands[2] = onnx_splat(c, ONNX_I8, &one, 0);
    onnx_broadcast(&shape, &o->shapes[i], &shape);
    value = onnx_emit(c, name, onnx_tensor_type(c, out_type, &shape), operands,
                      mul ? 3 : 2, NULL, 0);
  }
  return value;
}

// Keeps track of integers that are an unknown plus a constant.
static void track_symbol(const OnnxNode *n, OnnxValue *out) {
  bool add = strcmp(n->proto->op_type, "Add") == 0;
  if ((!add && strcmp(n->proto->op_type, "Sub") != 0) || n->input_count != 2 ||
      !onnx_is_int(out->type) || onnx_elems(&out->shape) != 1)
    return;
  const OnnxValue *a = n->inputs[0], *b = n->inputs[1];
  if (add && is_const(a) && b->symbol) {
    const OnnxValue *swap = a;
    a = b;
    b = swap;
  }
  if (!a->symbol || !is_const(b))
    return;
  int64_t offset = onnx_int_at(b, 0);
  if (offset < -ONNX_MAX_ELEMS || offset > ONNX_MAX_ELEMS)
    return;
  out->symbol = a->symbol;
  out->symbol_offset = a->symbol_offset + (add ? offset : -offset);
}

static bool check_types(OnnxImport *c, const OnnxNode *n,
                        const Elementwise *e) {
  OnnxType type = n->inputs[0]->type;
  for (int i = 0; i < n->input_count; ++i)
    if (!n->inputs[i])
      return onnx_fail(c, "input %d is left out", i);
  for (int i = 1; i < n->input_count; ++i)
    if (n->inputs[i]->type != type && strcmp(e->name, "Pow") != 0)
      return onnx_fail(c, "inputs are of types %s and %s", onnx_type_name(type),
                       onnx_type_name(n->inputs[i]->type));
  bool fits = e->accepts == FLOATS  ? onnx_is_float(type)
              : e->accepts == INTS  ? onnx_is_int(type)
              : e->accepts == BOOLS ? type == ONNX_BOOL
                                    : type != ONNX_BOOL || e->gives_bool;
  return fits || onnx_fail(c, "inputs of type %s are not supported",
                           onnx_type_name(type));
}

static OnnxValue *apply(OnnxImport *c, const OnnxNode *n, const Elementwise *e,
                        OnnxValue **inputs, int count) {
  Operands o;
  if (!read_operands(c, inputs, count, &o))
    return NULL;
  OnnxType type = inputs[0]->type;
  OnnxType out_type = e->gives_bool ? ONNX_BOOL : type;
  bool tosa =
      e->tosa && (type == ONNX_F32 || e->accepts == BOOLS) && o.out.rank <= 6;
  // Operators over any number of inputs leave a single one as it is.
  if (count == 1 && (e->fn == s_add || e->fn == s_min || e->fn == s_max))
    return inputs[0];
  MlirValue value = tosa ? emit_tosa(c, e->tosa, count, out_type, &o)
                         : emit_generic(c, n, count, type, out_type, &o, e->fn);
  return result(c, out_type, &o, value);
}

OnnxValue *onnx_apply(OnnxImport *c, const OnnxNode *n, const char *name,
                      OnnxValue *a, OnnxValue *b) {
  OnnxValue *inputs[2] = {a, b};
  return a && (b || !needs_two(name))
             ? apply(c, n, find(name), inputs, b ? 2 : 1)
             : NULL;
}

ONNX_HANDLER(elementwise) {
  const Elementwise *e = find(n->proto->op_type);
  if (!e || !check_types(c, n, e))
    return false;
  if (n->input_count > 6)
    return onnx_fail(c, "has %d inputs, at most 6 are supported",
                     n->input_count);
  if (onnx_attr(n, "broadcast") && onnx_attr(n, "axis"))
    return onnx_fail(c, "broadcasting along an axis (opset 6) is not "
                        "supported");
  n->outputs[0] = apply(c, n, e, n->inputs, n->input_count);
  if (!n->outputs[0])
    return false;
  track_symbol(n, n->outputs[0]);
  return true;
}
