#include "luna/core_math.h"

#include <stdint.h>

// Returns 2^exponent, of a normal number.
static double power_of_two(int32_t exponent) {
  const union {
    uint64_t bits;
    double value;
  } pun = {.bits = (uint64_t)(exponent + 1023) << 52};
  return pun.value;
}

// Returns e^x for |x| below 200: 2^k e^t with t below ln 2 / 2, by the series,
// whose next term is below 2^-52.
static double exponential(double x) {
  static const double inverse_factorials[] = {2.08767569878681e-09,
                                              2.505210838544172e-08,
                                              2.755731922398589e-07,
                                              2.7557319223985893e-06,
                                              2.48015873015873e-05,
                                              0.0001984126984126984,
                                              0.001388888888888889,
                                              0.008333333333333333,
                                              0.041666666666666664,
                                              0.16666666666666666,
                                              0.5,
                                              1.0,
                                              1.0};
  const double log2_e = 1.4426950408889634, ln_2 = 0.6931471805599453;
  double scaled = x * log2_e;
  int32_t k = (int32_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
  double t = (scaled - k) * ln_2, sum = 0;
  for (uint32_t i = 0; i < sizeof inverse_factorials / sizeof(double); ++i)
    sum = sum * t + inverse_factorials[i];
  return sum * power_of_two(k);
}

float luna_expf(float x) {
  if (x != x)
    return x;
  // Beyond these the result is infinite, or less than half of the least number.
  if (x > 89.0f)
    x = 89.0f;
  if (x < -104.0f)
    x = -104.0f;
  return (float)exponential(x);
}

float luna_tanhf(float x) {
  double wide = x;
  double size = wide < 0 ? -wide : wide;
  if (x != x || x == 0)
    return x;
  if (size < 0.0005)
    return (float)(wide - wide * wide * wide / 3);
  if (size > 10)
    return x < 0 ? -1.0f : 1.0f;
  double square = exponential(2 * wide);
  return (float)((square - 1) / (square + 1));
}
