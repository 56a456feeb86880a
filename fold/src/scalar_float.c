// Operators on floats whose results IEEE 754 defines. Functions of the C
// library are not folded: their last bit differs between computers. f32 is
// computed in double and rounded, which gives the same result, since a double
// has at least two more than twice the bits of a float.

#include "scalar.h"

#include <math.h>

static double number_of(LunaScalarType type, LunaCell cell) {
  return type.kind == LUNA_SCALAR_F64 ? cell.f64 : (double)cell.f32;
}

static bool give(const LunaScalarStep *step, LunaCell *out, double number) {
  if (step->to.kind == LUNA_SCALAR_F64)
    out->f64 = number;
  else
    out->f32 = (float)number;
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

typedef struct Pair {
  double a, b;
} Pair;

static Pair pair(const LunaScalarStep *step, const LunaCell *in) {
  return (Pair){number_of(step->from, in[0]), number_of(step->from, in[1])};
}

static bool addf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  Pair p = pair(step, in);
  return give(step, out, p.a + p.b);
}
static bool subf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  Pair p = pair(step, in);
  return give(step, out, p.a - p.b);
}
static bool mulf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  Pair p = pair(step, in);
  return give(step, out, p.a * p.b);
}
static bool divf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  Pair p = pair(step, in);
  return give(step, out, p.a / p.b);
}
static bool remf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  Pair p = pair(step, in);
  return give(step, out, fmod(p.a, p.b));
}

static bool negf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  return give(step, out, -number_of(step->from, in[0]));
}
static bool absf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  return give(step, out, fabs(number_of(step->from, in[0])));
}
static bool floor_(const LunaScalarStep *step, const LunaCell *in,
                   LunaCell *out) {
  return give(step, out, floor(number_of(step->from, in[0])));
}
static bool ceil_(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  return give(step, out, ceil(number_of(step->from, in[0])));
}
static bool trunc_(const LunaScalarStep *step, const LunaCell *in,
                   LunaCell *out) {
  return give(step, out, trunc(number_of(step->from, in[0])));
}
static bool round_(const LunaScalarStep *step, const LunaCell *in,
                   LunaCell *out) {
  return give(step, out, round(number_of(step->from, in[0])));
}
static bool roundeven_(const LunaScalarStep *step, const LunaCell *in,
                       LunaCell *out) {
  return give(step, out, nearbyint(number_of(step->from, in[0])));
}
static bool sqrt_(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  return give(step, out, sqrt(number_of(step->from, in[0])));
}
// 1 / sqrt, each rounded.
static bool rsqrt(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  LunaCell root;
  give(step, &root, sqrt(number_of(step->from, in[0])));
  return give(step, out, 1.0 / number_of(step->to, root));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

// Returns one of the operands, bit for bit. minnumf and maxnumf may return
// either of two zeros of different sign.
static bool pick(const LunaScalarStep *step, const LunaCell *in, LunaCell *out,
                 bool is_max, bool prefers_number) {
  Pair p = pair(step, in);
  if (isnan(p.a) || isnan(p.b)) {
    *out = in[isnan(p.a) != prefers_number ? 0 : 1];
    return true;
  }
  bool is_zero = p.a == p.b && p.a == 0;
  if (is_zero && prefers_number && signbit(p.a) != signbit(p.b))
    return false;
  bool is_first = is_zero  ? (signbit(p.a) != 0) != is_max
                  : is_max ? p.a > p.b
                           : p.a < p.b;
  *out = in[is_first ? 0 : 1];
  return true;
}
static bool minimumf(const LunaScalarStep *step, const LunaCell *in,
                     LunaCell *out) {
  return pick(step, in, out, false, false);
}
static bool maximumf(const LunaScalarStep *step, const LunaCell *in,
                     LunaCell *out) {
  return pick(step, in, out, true, false);
}
static bool minnumf(const LunaScalarStep *step, const LunaCell *in,
                    LunaCell *out) {
  return pick(step, in, out, false, true);
}
static bool maxnumf(const LunaScalarStep *step, const LunaCell *in,
                    LunaCell *out) {
  return pick(step, in, out, true, true);
}

// The predicates in arith's order: false, oeq, ogt, oge, olt, ole, one, ord,
// ueq, ….
static bool cmpf(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  Pair p = pair(step, in);
  bool is_unordered = isnan(p.a) || isnan(p.b);
  const bool ordered[] = {
      false,
      p.a == p.b,
      p.a > p.b,
      p.a >= p.b,
      p.a<p.b, p.a <= p.b, p.a != p.b, true, p.a == p.b, p.a> p.b,
      p.a >= p.b,
      p.a < p.b,
      p.a <= p.b,
      p.a != p.b,
      false,
      true};
  enum { FIRST_UNORDERED = 8 };
  if (step->detail < 0 || step->detail >= (int64_t)sizeof ordered)
    return false;
  bool holds =
      is_unordered ? step->detail >= FIRST_UNORDERED : ordered[step->detail];
  out->integer = holds ? -1 : 0;
  return true;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static bool convert(const LunaScalarStep *step, const LunaCell *in,
                    LunaCell *out) {
  return give(step, out, number_of(step->from, in[0]));
}

// A 64-bit integer is rounded once.
static bool sitofp(const LunaScalarStep *step, const LunaCell *in,
                   LunaCell *out) {
  if (step->to.kind == LUNA_SCALAR_F64)
    out->f64 = (double)in[0].integer;
  else
    out->f32 = (float)in[0].integer;
  return true;
}
static bool uitofp(const LunaScalarStep *step, const LunaCell *in,
                   LunaCell *out) {
  uint64_t number = luna_zero_extend(in[0].integer, step->from.bits);
  if (step->to.kind == LUNA_SCALAR_F64)
    out->f64 = (double)number;
  else
    out->f32 = (float)number;
  return true;
}

// A number out of range has no result.
static bool fptosi(const LunaScalarStep *step, const LunaCell *in,
                   LunaCell *out) {
  double number = trunc(number_of(step->from, in[0]));
  double limit = ldexp(1.0, step->to.bits - 1);
  if (!(number >= -limit && number < limit))
    return false;
  out->integer = (int64_t)number;
  return true;
}
static bool fptoui(const LunaScalarStep *step, const LunaCell *in,
                   LunaCell *out) {
  double number = trunc(number_of(step->from, in[0]));
  if (!(number >= 0 && number < ldexp(1.0, step->to.bits)))
    return false;
  out->integer = luna_sign_extend((uint64_t)number, step->to.bits);
  return true;
}

const LunaScalarOp luna_scalar_float_ops[] = {
    {LUNA_OP_ARITH_ADDF, addf, NULL, NULL},
    {LUNA_OP_ARITH_SUBF, subf, NULL, NULL},
    {LUNA_OP_ARITH_MULF, mulf, NULL, NULL},
    {LUNA_OP_ARITH_DIVF, divf, NULL, NULL},
    {LUNA_OP_ARITH_REMF, remf, NULL, NULL},
    {LUNA_OP_ARITH_NEGF, negf, NULL, NULL},
    {LUNA_OP_ARITH_MINIMUMF, minimumf, NULL, NULL},
    {LUNA_OP_ARITH_MAXIMUMF, maximumf, NULL, NULL},
    {LUNA_OP_ARITH_MINNUMF, minnumf, NULL, NULL},
    {LUNA_OP_ARITH_MAXNUMF, maxnumf, NULL, NULL},
    {LUNA_OP_ARITH_CMPF, cmpf, "predicate", NULL},
    {LUNA_OP_ARITH_EXTF, convert, NULL, NULL},
    {LUNA_OP_ARITH_TRUNCF, convert, NULL, "roundingmode"},
    {LUNA_OP_ARITH_SITOFP, sitofp, NULL, NULL},
    {LUNA_OP_ARITH_UITOFP, uitofp, NULL, NULL},
    {LUNA_OP_ARITH_FPTOSI, fptosi, NULL, NULL},
    {LUNA_OP_ARITH_FPTOUI, fptoui, NULL, NULL},
    {LUNA_OP_MATH_ABSF, absf, NULL, NULL},
    {LUNA_OP_MATH_FLOOR, floor_, NULL, NULL},
    {LUNA_OP_MATH_CEIL, ceil_, NULL, NULL},
    {LUNA_OP_MATH_TRUNC, trunc_, NULL, NULL},
    {LUNA_OP_MATH_ROUND, round_, NULL, NULL},
    {LUNA_OP_MATH_ROUNDEVEN, roundeven_, NULL, NULL},
    {LUNA_OP_MATH_SQRT, sqrt_, NULL, NULL},
    {LUNA_OP_MATH_RSQRT, rsqrt, NULL, NULL},
};
const int luna_scalar_float_op_count =
    sizeof luna_scalar_float_ops / sizeof *luna_scalar_float_ops;
