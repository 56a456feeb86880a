#include "tflite_fixed.h"

#include <math.h>
#include <stdbool.h>

//===----------------------------------------------------------------------===//
// Fixed-point steps
//===----------------------------------------------------------------------===//

// A right shift that rounds down, also for negative values.
static int64_t shift_right(int64_t value, int exponent) {
  int64_t divisor = INT64_C(1) << exponent;
  int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

int64_t luna_fixed_saturate(int64_t value, int bits) {
  int64_t limit = INT64_C(1) << (bits - 1);
  return value < -limit ? -limit : value > limit - 1 ? limit - 1 : value;
}

int32_t luna_fixed_high_mul(int32_t a, int32_t b) {
  int64_t product = (int64_t)a * b;
  return (int32_t)luna_fixed_saturate(
      shift_right(product + (INT64_C(1) << 30), 31), 32);
}

int32_t luna_fixed_divide_by_pot(int32_t value, int exponent) {
  if (exponent == 0)
    return value;
  int64_t half = INT64_C(1) << (exponent - 1);
  return (int32_t)shift_right(value + half - (value < 0), exponent);
}

int32_t luna_fixed_shift_left(int32_t value, int exponent) {
  return (int32_t)luna_fixed_saturate((int64_t)value * (INT64_C(1) << exponent),
                                      32);
}

int32_t luna_fixed_multiply(int32_t value, LunaMultiplier by) {
  int left = by.shift > 0 ? by.shift : 0;
  int right = by.shift > 0 ? 0 : -by.shift;
  int32_t shifted = luna_fixed_shift_left(value, left > 31 ? 31 : left);
  return luna_fixed_divide_by_pot(luna_fixed_high_mul(shifted, by.multiplier),
                                  right);
}

//===----------------------------------------------------------------------===//
// exp, logistic, tanh
//===----------------------------------------------------------------------===//

// exp on [-1/4, 0) in Q0.31: a Taylor expansion around -1/8.
static int32_t exp_near_zero(int32_t a) {
  const int32_t exp_of_eighth = 1895147668; // exp(-1/8)
  const int32_t third = 715827883;
  int32_t x = a + (1 << 28);
  int32_t x2 = luna_fixed_high_mul(x, x);
  int32_t x3 = luna_fixed_high_mul(x2, x);
  int32_t x4 = luna_fixed_high_mul(x2, x2);
  int32_t sum =
      luna_fixed_high_mul(luna_fixed_divide_by_pot(x4, 2) + x3, third) + x2;
  int32_t series = x + luna_fixed_divide_by_pot(sum, 1);
  return exp_of_eighth + luna_fixed_high_mul(exp_of_eighth, series);
}

// exp(a) in Q0.31 for a <= 0 with the given number of integer bits: the
// fraction of 1/4 by the series, the rest a product of known powers.
static int32_t exp_of_negative(int32_t a, int integer_bits) {
  static const int32_t powers[] = {
      1672461947, // exp(-1/4)
      1302514674, // exp(-1/2)
      790015084,  // exp(-1)
      290630308,  // exp(-2)
      39332535,   // exp(-4)
      720401,     // exp(-8)
      242,        // exp(-16)
  };
  if (a == 0)
    return INT32_MAX;
  int fraction_bits = 31 - integer_bits;
  int32_t quarter = (int32_t)1 << (fraction_bits - 2);
  // What two's complement leaves of a modulo 1/4.
  int32_t modulo = (int32_t)((uint32_t)a & (uint32_t)(quarter - 1)) - quarter;
  int32_t result = exp_near_zero(luna_fixed_shift_left(modulo, integer_bits));
  uint32_t remainder = (uint32_t)modulo - (uint32_t)a;
  for (int i = 0; i < 7 && i - 2 < integer_bits; ++i)
    if (remainder >> (fraction_bits + i - 2) & 1)
      result = luna_fixed_high_mul(result, powers[i]);
  return result;
}

// An approximation of 1 / ((1 + a) / 2) in Q2.29, for a in [0, 1] in Q0.31, by
// three steps of Newton and Raphson.
static int32_t reciprocal_of_half_sum(int32_t a) {
  const int32_t c48_17 = 1515870810, minus_c32_17 = -1010580540;
  int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2);
  int32_t x = c48_17 + luna_fixed_high_mul(half, minus_c32_17);
  for (int i = 0; i < 3; ++i) {
    int32_t rest = (1 << 29) - luna_fixed_high_mul(half, x);
    x += luna_fixed_shift_left(luna_fixed_high_mul(x, rest), 2);
  }
  return x;
}

int32_t luna_fixed_reciprocal(int32_t a) {
  return luna_fixed_shift_left(reciprocal_of_half_sum(a), 1);
}

// Five steps of Newton and Raphson from 1, for x in Q3.28 from 1/4 to 1.
static int32_t inverse_sqrt_q28(int32_t x_q28) {
  const int32_t half_three = (1 << 28) + (1 << 27);
  int32_t half = luna_fixed_divide_by_pot(x_q28, 1), root = 1 << 28;
  for (int i = 0; i < 5; ++i) {
    // Products of numbers with 3 and 6 integer bits, and back to 3.
    int32_t square = luna_fixed_high_mul(root, root);
    int32_t cube = luna_fixed_shift_left(luna_fixed_high_mul(square, root), 6);
    root = luna_fixed_shift_left(luna_fixed_high_mul(half_three, root) -
                                     luna_fixed_high_mul(half, cube),
                                 3);
  }
  return root;
}

LunaMultiplier luna_fixed_inverse_sqrt(int32_t input) {
  const int32_t root_of_half = 1518500250;
  LunaMultiplier result = {.multiplier = INT32_MAX};
  int shift = 11;
  if (input <= 1)
    return result;
  for (; input >= 1 << 29; input /= 4)
    ++shift;
  for (; input < 1 << 27; input *= 4)
    --shift;
  result.multiplier =
      luna_fixed_high_mul(inverse_sqrt_q28(input >> 1), root_of_half);
  if (shift < 0) {
    result.multiplier *= 1 << -shift;
    shift = 0;
  }
  result.shift = -shift;
  return result;
}

int32_t luna_fixed_exp(int32_t a_q26) { return exp_of_negative(a_q26, 5); }

int32_t luna_fixed_logistic(int32_t a_q27) {
  if (a_q27 == 0)
    return 1 << 30;
  int32_t power = exp_of_negative(a_q27 > 0 ? -a_q27 : a_q27, 4);
  int32_t positive = luna_fixed_shift_left(reciprocal_of_half_sum(power), 1);
  return a_q27 > 0 ? positive : INT32_MAX - positive;
}

int32_t luna_fixed_tanh(int32_t a_q27) {
  if (a_q27 == 0)
    return 0;
  // The same bits with one more integer bit are twice the argument.
  int32_t power = exp_of_negative(a_q27 < 0 ? a_q27 : -a_q27, 5);
  int32_t positive =
      luna_fixed_shift_left(reciprocal_of_half_sum(power) - (1 << 29), 2);
  return a_q27 < 0 ? -positive : positive;
}

int32_t luna_fixed_input_radius(int integer_bits, int left_shift) {
  double largest = (double)((1 << integer_bits) - 1) *
                   (double)(INT64_C(1) << (31 - integer_bits));
  double radius = floor(ldexp(largest, -left_shift));
  return radius > INT32_MAX ? INT32_MAX : (int32_t)radius;
}
