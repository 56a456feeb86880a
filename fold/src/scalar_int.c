// Operators on integers, as the LLVM dialect defines them.

#include "scalar.h"

// A number modulo 2 to the bits of the result.
static bool give(const LunaScalarStep *step, LunaCell *out, uint64_t number) {
  out->integer = luna_sign_extend(number, step->to.bits);
  return true;
}

static uint64_t unsigned_of(const LunaScalarStep *step, LunaCell cell) {
  return luna_zero_extend(cell.integer, step->from.bits);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static bool addi(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  return give(step, out, (uint64_t)in[0].integer + (uint64_t)in[1].integer);
}
static bool subi(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  return give(step, out, (uint64_t)in[0].integer - (uint64_t)in[1].integer);
}
static bool muli(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  return give(step, out, (uint64_t)in[0].integer * (uint64_t)in[1].integer);
}

// The quotient rounded to zero, and the remainder; false if undefined.
static bool divide(const LunaScalarStep *step, const LunaCell *in,
                   int64_t *quotient, int64_t *remainder) {
  int64_t least =
      luna_sign_extend(UINT64_C(1) << (step->from.bits - 1), step->from.bits);
  if (in[1].integer == 0 || (in[0].integer == least && in[1].integer == -1))
    return false;
  *quotient = in[0].integer / in[1].integer;
  *remainder = in[0].integer % in[1].integer;
  return true;
}
static bool divsi(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  int64_t remainder;
  return divide(step, in, &out->integer, &remainder);
}
static bool remsi(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  int64_t quotient;
  return divide(step, in, &quotient, &out->integer);
}
static bool divui(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  uint64_t divisor = unsigned_of(step, in[1]);
  return divisor != 0 && give(step, out, unsigned_of(step, in[0]) / divisor);
}
static bool remui(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  uint64_t divisor = unsigned_of(step, in[1]);
  return divisor != 0 && give(step, out, unsigned_of(step, in[0]) % divisor);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static bool andi(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  return give(step, out, (uint64_t)(in[0].integer & in[1].integer));
}
static bool ori(const LunaScalarStep *step, const LunaCell *in, LunaCell *out) {
  return give(step, out, (uint64_t)(in[0].integer | in[1].integer));
}
static bool xori(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  return give(step, out, (uint64_t)(in[0].integer ^ in[1].integer));
}
static bool shli(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  uint64_t shift = unsigned_of(step, in[1]);
  return shift < (uint64_t)step->from.bits &&
         give(step, out, (uint64_t)in[0].integer << shift);
}
static bool shrui(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  uint64_t shift = unsigned_of(step, in[1]);
  return shift < (uint64_t)step->from.bits &&
         give(step, out, unsigned_of(step, in[0]) >> shift);
}
static bool shrsi(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  uint64_t shift = unsigned_of(step, in[1]), number = (uint64_t)in[0].integer;
  if (shift >= (uint64_t)step->from.bits)
    return false;
  bool is_negative = in[0].integer < 0;
  number = is_negative ? ~(~number >> shift) : number >> shift;
  return give(step, out, number);
}
static bool ctlz(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  uint64_t bits = unsigned_of(step, in[0]);
  out->integer = step->from.bits;
  for (; bits != 0; bits >>= 1)
    --out->integer;
  return true;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool minsi(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  (void)step;
  *out = in[0].integer < in[1].integer ? in[0] : in[1];
  return true;
}
static bool maxsi(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  (void)step;
  *out = in[0].integer > in[1].integer ? in[0] : in[1];
  return true;
}
static bool minui(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  *out = unsigned_of(step, in[0]) < unsigned_of(step, in[1]) ? in[0] : in[1];
  return true;
}
static bool maxui(const LunaScalarStep *step, const LunaCell *in,
                  LunaCell *out) {
  *out = unsigned_of(step, in[0]) > unsigned_of(step, in[1]) ? in[0] : in[1];
  return true;
}

// The predicates in arith's order: eq, ne, slt, sle, sgt, sge, ult, ….
static bool cmpi(const LunaScalarStep *step, const LunaCell *in,
                 LunaCell *out) {
  int64_t a = in[0].integer, b = in[1].integer;
  uint64_t ua = unsigned_of(step, in[0]), ub = unsigned_of(step, in[1]);
  const bool holds[] = {
      a == b,  a != b, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub,
      ua >= ub};
  if (step->detail < 0 || step->detail >= (int64_t)sizeof holds)
    return false;
  out->integer = holds[step->detail] ? -1 : 0;
  return true;
}

//===----------------------------------------------------------------------===//
// Other
//===----------------------------------------------------------------------===//

// extsi, trunci, index_cast: cells are sign-extended.
static bool extend_signed(const LunaScalarStep *step, const LunaCell *in,
                          LunaCell *out) {
  return give(step, out, (uint64_t)in[0].integer);
}
static bool extend_unsigned(const LunaScalarStep *step, const LunaCell *in,
                            LunaCell *out) {
  return give(step, out, unsigned_of(step, in[0]));
}

const LunaScalarOp luna_scalar_int_ops[] = {
    {LUNA_OP_ARITH_ADDI, addi, NULL, NULL},
    {LUNA_OP_ARITH_SUBI, subi, NULL, NULL},
    {LUNA_OP_ARITH_MULI, muli, NULL, NULL},
    {LUNA_OP_ARITH_DIVSI, divsi, NULL, NULL},
    {LUNA_OP_ARITH_DIVUI, divui, NULL, NULL},
    {LUNA_OP_ARITH_REMSI, remsi, NULL, NULL},
    {LUNA_OP_ARITH_REMUI, remui, NULL, NULL},
    {LUNA_OP_ARITH_ANDI, andi, NULL, NULL},
    {LUNA_OP_ARITH_ORI, ori, NULL, NULL},
    {LUNA_OP_ARITH_XORI, xori, NULL, NULL},
    {LUNA_OP_ARITH_SHLI, shli, NULL, NULL},
    {LUNA_OP_ARITH_SHRSI, shrsi, NULL, NULL},
    {LUNA_OP_ARITH_SHRUI, shrui, NULL, NULL},
    {LUNA_OP_ARITH_MINSI, minsi, NULL, NULL},
    {LUNA_OP_ARITH_MAXSI, maxsi, NULL, NULL},
    {LUNA_OP_ARITH_MINUI, minui, NULL, NULL},
    {LUNA_OP_ARITH_MAXUI, maxui, NULL, NULL},
    {LUNA_OP_ARITH_CMPI, cmpi, "predicate", NULL},
    {LUNA_OP_ARITH_EXTSI, extend_signed, NULL, NULL},
    {LUNA_OP_ARITH_TRUNCI, extend_signed, NULL, NULL},
    {LUNA_OP_ARITH_INDEX_CAST, extend_signed, NULL, NULL},
    {LUNA_OP_ARITH_EXTUI, extend_unsigned, NULL, NULL},
    {LUNA_OP_ARITH_INDEX_CASTUI, extend_unsigned, NULL, NULL},
    {LUNA_OP_MATH_CTLZ, ctlz, NULL, NULL},
};
const int luna_scalar_int_op_count =
    sizeof luna_scalar_int_ops / sizeof *luna_scalar_int_ops;
