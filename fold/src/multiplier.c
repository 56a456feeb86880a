#include "luna/multiplier.h"

#include <math.h>

enum { MIN_SHIFT = 2, MAX_SHIFT = 62 };

LunaMultiplier luna_quantize_signed(double real) {
  LunaMultiplier result = luna_quantize_multiplier(fabs(real));
  if (real < 0)
    result.multiplier = -result.multiplier;
  return result;
}

LunaMultiplier luna_quantize_multiplier(double real) {
  LunaMultiplier result = {0, 0};
  if (!(real > 0) || isinf(real))
    return result;
  double fraction = frexp(real, &result.shift);
  int64_t fixed = (int64_t)round(fraction * (double)(INT64_C(1) << 31));
  if (fixed == INT64_C(1) << 31) {
    fixed /= 2;
    ++result.shift;
  }
  if (result.shift < -31)
    return (LunaMultiplier){0, 0};
  result.multiplier = (int32_t)fixed;
  return result;
}

bool luna_rescale(LunaMultiplier by, bool rounds_twice, int64_t value,
                  int64_t *scaled) {
  int shift = 31 - by.shift;
  if (by.multiplier < 1 || shift < MIN_SHIFT || shift > MAX_SHIFT)
    return false;
  int64_t half = INT64_C(1) << (shift - 1);
  if (value < -half || value >= half || value < INT32_MIN || value > INT32_MAX)
    return false;
  if (rounds_twice && shift > 31)
    half += value >= 0 ? INT64_C(1) << 30 : -(INT64_C(1) << 30);
  // Shifted as a number that is not negative: rounded down, also below zero.
  uint64_t raised =
      (uint64_t)(value * by.multiplier + half) + (UINT64_C(1) << 63);
  *scaled = (int64_t)(raised >> shift) - (INT64_C(1) << (63 - shift));
  return true;
}
