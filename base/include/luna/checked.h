#ifndef LUNA_CHECKED_H
#define LUNA_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Says whether `value` is a power of two (0 is none).
static inline bool luna_is_power_of_two(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// Writes a + b to `sum`; false when the operands are negative or it overflows.
static inline bool luna_checked_add(int64_t a, int64_t b, int64_t *sum) {
  if (a < 0 || b < 0 || a > INT64_MAX - b)
    return false;
  *sum = a + b;
  return true;
}

/// Writes a * b to `product`; false when the operands are negative or it
/// overflows.
static inline bool luna_checked_mul(int64_t a, int64_t b, int64_t *product) {
  if (a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b))
    return false;
  *product = a * b;
  return true;
}

/// Writes `value` rounded up to a multiple of `align` (> 0) to `aligned`; false
/// when value is negative, align is not positive or it overflows.
static inline bool luna_checked_align(int64_t value, int64_t align,
                                      int64_t *aligned) {
  int64_t raised = 0;
  if (align <= 0 || !luna_checked_add(value, align - 1, &raised))
    return false;
  *aligned = raised / align * align;
  return true;
}

/// Gives `value` rounded up to a multiple of `align`, for sizes known to be
/// small (both positive, sum below 2^62).
static inline int64_t luna_align_up(int64_t value, int64_t align) {
  return (value + align - 1) / align * align;
}

/// Gives the quotient rounded up, for a >= 0 and b > 0.
static inline int64_t luna_ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_CHECKED_H
