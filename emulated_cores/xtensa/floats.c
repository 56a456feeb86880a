#include "soft.h"

// IEEE 754 in integers, rounded to nearest, ties to even, for all numbers: what
// libgcc for the ESP8266 leaves to that chip's ROM. Every NaN is the quiet one.

double LUNA_SOFT(divdf3)(double a, double b);
double LUNA_SOFT(floatsidf)(int32_t a);
double LUNA_SOFT(floatunsidf)(uint32_t a);
int32_t LUNA_SOFT(fixdfsi)(double a);
uint32_t LUNA_SOFT(fixunsdfsi)(double a);
uint32_t LUNA_SOFT(fixunssfsi)(float a);

//===- Numbers ------------------------------------------------------------===//

typedef enum Kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER } Kind;

// A finite number is mantissa * 2^exponent.
typedef struct Number {
  Kind kind;
  int is_negative;
  int32_t exponent;
  uint64_t mantissa;
} Number;

// A format: bits of the fraction, and the exponent field of infinity.
typedef struct Format {
  int32_t fraction_bits, infinity;
} Format;

static const Format single = {23, 255}, wide = {52, 2047};

static Number number_of(const Format *format, uint64_t bits, int sign_bit) {
  int32_t field = (int32_t)(bits >> format->fraction_bits) & format->infinity;
  uint64_t hidden = (uint64_t)1 << format->fraction_bits;
  uint64_t fraction = bits & (hidden - 1);
  Number number = {.kind = FINITE,
                   .is_negative = (int)(bits >> sign_bit & 1),
                   .mantissa = field == 0 ? fraction : fraction | hidden};
  number.exponent = (field == 0 ? 1 : field) - (format->infinity >> 1) -
                    format->fraction_bits;
  if (field == format->infinity)
    number.kind = fraction == 0 ? INFINITE : NOT_A_NUMBER;
  else if (number.mantissa == 0)
    number.kind = ZERO;
  return number;
}

// Shifts to the right; what falls off stays as the last bit.
static uint64_t shift_sticky(uint64_t mantissa, int32_t count) {
  if (count == 0)
    return mantissa;
  if (count > 63)
    return mantissa != 0;
  uint64_t lost = mantissa & (((uint64_t)1 << count) - 1);
  return mantissa >> count | (lost != 0);
}

static int32_t top_bit(uint64_t mantissa) {
  return mantissa == 0 ? 0 : 63 - __builtin_clzll(mantissa);
}

// Returns the bits of the number, without the sign.
static uint64_t rounded(const Format *format, const Number *number) {
  int32_t bias = format->infinity >> 1, last = format->fraction_bits;
  uint64_t infinity = (uint64_t)format->infinity << last;
  if (number->kind == NOT_A_NUMBER)
    return infinity | (uint64_t)1 << (last - 1);
  if (number->kind == INFINITE)
    return infinity;
  if (number->kind == ZERO)
    return 0;
  // Two bits below the last decide: half, and more than nothing.
  int32_t top = top_bit(number->mantissa);
  int32_t exponent = top + number->exponent;
  int32_t least = 1 - bias; // of normal numbers
  if (exponent > bias)
    return infinity;
  int32_t drop =
      exponent < least ? least - last - number->exponent - 2 : top - last - 2;
  uint64_t mantissa = drop >= 0 ? shift_sticky(number->mantissa, drop)
                                : number->mantissa << -drop;
  uint64_t kept = mantissa >> 2;
  uint64_t below = mantissa & 3;
  kept += below > 2 || (below == 2 && (kept & 1));
  int32_t field = exponent < least ? 0 : exponent - least;
  // The hidden bit, or a carry, adds one to the field.
  return ((uint64_t)field << last) + kept;
}

static Number of_float(float value) {
  const union {
    float value;
    uint32_t bits;
  } pun = {.value = value};
  return number_of(&single, pun.bits, 31);
}

static Number of_double(double value) {
  const union {
    double value;
    uint64_t bits;
  } pun = {.value = value};
  return number_of(&wide, pun.bits, 63);
}

static float to_float(Number number) {
  const union {
    uint32_t bits;
    float value;
  } pun = {.bits = (uint32_t)rounded(&single, &number) |
                   (uint32_t)number.is_negative << 31};
  return pun.value;
}

static double to_double(Number number) {
  const union {
    uint64_t bits;
    double value;
  } pun = {.bits = rounded(&wide, &number) | (uint64_t)number.is_negative
                                                 << 63};
  return pun.value;
}

static const Number not_a_number = {.kind = NOT_A_NUMBER};

//===- Arithmetic ---------------------------------------------------------===//

// Adds finite numbers; ten bits below the last are exact, one more is sticky.
static Number add_finite(Number a, Number b) {
  if (a.exponent < b.exponent) {
    Number other = a;
    a = b;
    b = other;
  }
  enum { GUARD = 10 };
  Number sum = a;
  uint64_t left = a.mantissa << GUARD;
  uint64_t right = shift_sticky(b.mantissa << GUARD, a.exponent - b.exponent);
  sum.exponent = a.exponent - GUARD;
  if (a.is_negative == b.is_negative) {
    sum.mantissa = left + right;
  } else if (left >= right) {
    sum.mantissa = left - right;
  } else {
    sum.mantissa = right - left;
    sum.is_negative = b.is_negative;
  }
  if (sum.mantissa == 0)
    return (Number){.kind = ZERO};
  return sum;
}

static Number add(Number a, Number b) {
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER)
    return not_a_number;
  if (a.kind == INFINITE)
    return b.kind == INFINITE && a.is_negative != b.is_negative ? not_a_number
                                                                : a;
  if (b.kind == INFINITE)
    return b;
  if (a.kind == ZERO && b.kind == ZERO)
    return (Number){.kind = ZERO,
                    .is_negative = a.is_negative && b.is_negative};
  if (a.kind == ZERO)
    return b;
  return b.kind == ZERO ? a : add_finite(a, b);
}

// The product of two numbers below 2^53, less 42 bits, which are sticky.
static uint64_t multiply_high(uint64_t a, uint64_t b) {
  uint64_t a_low = a & UINT32_MAX, a_high = a >> 32;
  uint64_t b_low = b & UINT32_MAX, b_high = b >> 32;
  uint64_t low = a_low * b_low;
  uint64_t middle = a_high * b_low + (low >> 32);
  uint64_t other = a_low * b_high + (middle & UINT32_MAX);
  uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
  uint64_t bottom = other << 32 | (low & UINT32_MAX);
  return high << 22 | shift_sticky(bottom, 42);
}

// Moves the mantissa to bit 52.
static Number normalised(Number number) {
  int32_t shift = 52 - top_bit(number.mantissa);
  number.mantissa <<= shift;
  number.exponent -= shift;
  return number;
}

static Number multiply_finite(Number a, Number b) {
  a = normalised(a);
  b = normalised(b);
  return (Number){.kind = FINITE,
                  .exponent = a.exponent + b.exponent + 42,
                  .mantissa = multiply_high(a.mantissa, b.mantissa)};
}

static Number multiply(Number a, Number b) {
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER)
    return not_a_number;
  Number result = {.kind = ZERO};
  if (a.kind == INFINITE || b.kind == INFINITE)
    result.kind = a.kind == ZERO || b.kind == ZERO ? NOT_A_NUMBER : INFINITE;
  else if (a.kind == FINITE && b.kind == FINITE)
    result = multiply_finite(a, b);
  result.is_negative = a.is_negative != b.is_negative;
  return result;
}

// The quotient has 57 or 58 bits; a rest is sticky.
static Number divide_finite(Number a, Number b) {
  a = normalised(a);
  b = normalised(b);
  uint64_t quotient = 0, left = a.mantissa;
  for (int i = 0; i < 58; ++i) {
    quotient <<= 1;
    if (left >= b.mantissa) {
      left -= b.mantissa;
      quotient |= 1;
    }
    left <<= 1;
  }
  return (Number){.kind = FINITE,
                  .exponent = a.exponent - b.exponent - 57,
                  .mantissa = quotient | (left != 0)};
}

static Number divide(Number a, Number b) {
  int is_negative = a.is_negative != b.is_negative;
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER ||
      (a.kind == b.kind && (a.kind == INFINITE || a.kind == ZERO)))
    return not_a_number;
  Number result = {.kind = ZERO};
  if (a.kind == INFINITE || b.kind == ZERO)
    result.kind = INFINITE;
  else if (a.kind == FINITE && b.kind == FINITE)
    result = divide_finite(a, b);
  result.is_negative = is_negative;
  return result;
}

float luna_any_sum32(float a, float b) {
  return to_float(add(of_float(a), of_float(b)));
}

double luna_any_sum64(double a, double b) {
  return to_double(add(of_double(a), of_double(b)));
}

float luna_any_product32(float a, float b) {
  return to_float(multiply(of_float(a), of_float(b)));
}

double luna_any_product64(double a, double b) {
  return to_double(multiply(of_double(a), of_double(b)));
}

double LUNA_SOFT(divdf3)(double a, double b) {
  return to_double(divide(of_double(a), of_double(b)));
}

//===- Conversions --------------------------------------------------------===//

static Number of_integer(uint32_t magnitude, int is_negative) {
  return (Number){.kind = magnitude == 0 ? ZERO : FINITE,
                  .is_negative = is_negative,
                  .mantissa = magnitude};
}

static Number of_signed(int32_t a) {
  return of_integer(a < 0 ? -(uint32_t)a : (uint32_t)a, a < 0);
}

// Returns the magnitude without its fraction, at most `limit`.
static uint32_t magnitude_of(Number number, uint32_t limit) {
  if (number.kind == ZERO || number.kind == NOT_A_NUMBER)
    return 0;
  if (number.kind == INFINITE ||
      top_bit(number.mantissa) + number.exponent > 31)
    return limit;
  uint64_t whole = number.exponent >= 0    ? number.mantissa << number.exponent
                   : number.exponent > -64 ? number.mantissa >> -number.exponent
                                           : 0;
  return whole < limit ? (uint32_t)whole : limit;
}

double LUNA_SOFT(floatsidf)(int32_t a) { return to_double(of_signed(a)); }
double LUNA_SOFT(floatunsidf)(uint32_t a) {
  return to_double(of_integer(a, 0));
}

double luna_any_double_of(float a) { return to_double(of_float(a)); }

float luna_any_float_of(double a) { return to_float(of_double(a)); }

int32_t LUNA_SOFT(fixdfsi)(double a) {
  Number number = of_double(a);
  uint32_t limit = number.is_negative ? (uint32_t)1 << 31 : INT32_MAX;
  uint32_t magnitude = magnitude_of(number, limit);
  return (int32_t)(number.is_negative ? -magnitude : magnitude);
}

uint32_t LUNA_SOFT(fixunsdfsi)(double a) {
  Number number = of_double(a);
  return number.is_negative ? 0 : magnitude_of(number, UINT32_MAX);
}

uint32_t LUNA_SOFT(fixunssfsi)(float a) {
  Number number = of_float(a);
  return number.is_negative ? 0 : magnitude_of(number, UINT32_MAX);
}
