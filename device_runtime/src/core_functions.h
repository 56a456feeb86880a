#ifndef CORE_FUNCTIONS_H
#define CORE_FUNCTIONS_H

// What functions of luna/core_math.h are made of, in binary64.

#include <stdint.h>

/// Returns the sum of coefficients[i] * x^(count - 1 - i).
double luna_core_polynomial(const double *coefficients, uint32_t count,
                            double x);

/// Returns 2^x for |x| below 300.
double luna_core_power_of_two(double x);

/// Returns e^x for |x| below 200.
double luna_core_exponential(double x);

/// Returns the natural logarithm of a positive normal number.
double luna_core_logarithm(double x);

/// Returns the square root of 0 or a positive normal number, less exactly than
/// IEEE 754 asks.
double luna_core_root(double x);

#define LUNA_CORE_COUNT(table) (sizeof(table) / sizeof(table)[0])

static inline int luna_core_is_nan(float x) { return x != x; }

static inline float luna_core_of_bits(uint32_t bits) {
  const union {
    uint32_t bits;
    float value;
  } pun = {.bits = bits};
  return pun.value;
}

static inline float luna_core_nan(void) {
  return luna_core_of_bits(UINT32_C(0x7fc00000));
}

static inline float luna_core_infinity(void) {
  return luna_core_of_bits(UINT32_C(0x7f800000));
}

/// Returns 1 for numbers below 0, and -0.
static inline int luna_core_is_negative(float x) {
  const union {
    float value;
    uint32_t bits;
  } pun = {.value = x};
  return (int)(pun.bits >> 31);
}

#endif // CORE_FUNCTIONS_H
