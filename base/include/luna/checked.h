#ifndef LUNA_CHECKED_H
#define LUNA_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if `value` is a power of two (0 is not).
static inline bool luna_is_power_of_two(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// Writes a + b to `sum`. Returns false if an operand is negative or on
/// overflow.
static inline bool luna_checked_add(int64_t a, int64_t b, int64_t *sum) {
  if (a < 0 || b < 0 || a > INT64_MAX - b)
    return false;
  *sum = a + b;
  return true;
}

/// Writes a * b to `product`. Returns false if an operand is negative or on
/// overflow.
static inline bool luna_checked_mul(int64_t a, int64_t b, int64_t *product) {
  if (a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b))
    return false;
  *product = a * b;
  return true;
}

/// Writes `value` rounded up to a multiple of `align` to `aligned`. Returns
/// false if `value` is negative, `align` is not positive, or on overflow.
static inline bool luna_checked_align(int64_t value, int64_t align,
                                      int64_t *aligned) {
  int64_t raised = 0;
  if (align <= 0 || !luna_checked_add(value, align - 1, &raised))
    return false;
  *aligned = raised / align * align;
  return true;
}

/// Returns `value` rounded up to a multiple of `align`. Both are positive and
/// their sum is below 2^62.
static inline int64_t luna_align_up(int64_t value, int64_t align) {
  return (value + align - 1) / align * align;
}

/// Returns the quotient rounded up, for a >= 0 and b > 0.
static inline int64_t luna_ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/// Returns the greatest common divisor, not negative (unless it is INT64_MIN).
static inline int64_t luna_gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = b == -1 ? 0 : a % b;
    a = b;
    b = rest;
  }
  return a < 0 && a != INT64_MIN ? -a : a;
}

/// Writes a + b or a * b of any signs. Returns false on overflow.
static inline bool luna_checked_add_signed(int64_t a, int64_t b, int64_t *sum) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
    return false;
  *sum = a + b;
  return true;
}
static inline bool luna_checked_mul_signed(int64_t a, int64_t b,
                                           int64_t *product) {
  if (a == 0 || b == 0) {
    *product = 0;
    return true;
  }
  if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN))
    return false;
  int64_t limit = (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
  // The quotient truncates to 0, so it is exact enough on both sides.
  if (b != -1 && (a > 0 ? a > limit / b : a < limit / b))
    return false;
  *product = a * b;
  return true;
}

/// Returns how many of low, low + step, … are below `high`, for step > 0: the
/// trip count of a loop.
static inline uint64_t luna_trips(int64_t low, int64_t high, int64_t step) {
  if (low >= high)
    return 0;
  return ((uint64_t)high - (uint64_t)low - 1) / (uint64_t)step + 1;
}

/// Returns the quotient of any a and of b > 0, rounded down.
static inline int64_t luna_floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}
/// Returns a - b * luna_floor_div(a, b).
static inline int64_t luna_floor_mod(int64_t a, int64_t b) {
  return a % b < 0 ? a % b + b : a % b;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_CHECKED_H
