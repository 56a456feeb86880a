#include "core_functions.h"

typedef union Bits {
  double value;
  uint64_t bits;
} Bits;

double luna_core_polynomial(const double *coefficients, uint32_t count,
                            double x) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i)
    sum = sum * x + coefficients[i];
  return sum;
}

// 2^k e^t with t below ln 2 / 2, by the series, whose next term is below 2^-52.
double luna_core_power_of_two(double x) {
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
  const double ln_2 = 0.6931471805599453;
  int32_t k = (int32_t)(x + (x < 0 ? -0.5 : 0.5));
  const Bits power = {.bits = (uint64_t)(k + 1023) << 52};
  return luna_core_polynomial(inverse_factorials,
                              LUNA_CORE_COUNT(inverse_factorials),
                              (x - k) * ln_2) *
         power.value;
}

double luna_core_exponential(double x) {
  const double log2_e = 1.4426950408889634;
  return luna_core_power_of_two(x * log2_e);
}

// k ln 2 + 2 artanh s with s = (m - 1) / (m + 1), |s| below 0.172; the next
// term of the series is below 2^-53.
double luna_core_logarithm(double x) {
  static const double inverse_odds[] = {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                        1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,
                                        1.0 / 3,  1.0};
  const uint64_t fraction = (UINT64_C(1) << 52) - 1;
  const double ln_2 = 0.6931471805599453, root_2 = 1.4142135623730951;
  Bits number = {.value = x};
  int32_t k = (int32_t)(number.bits >> 52) - 1023;
  number.bits = (number.bits & fraction) | (UINT64_C(1023) << 52);
  double m = number.value;
  if (m > root_2) {
    m *= 0.5;
    ++k;
  }
  double s = (m - 1) / (m + 1);
  return k * ln_2 + 2 * s *
                        luna_core_polynomial(
                            inverse_odds, LUNA_CORE_COUNT(inverse_odds), s * s);
}

double luna_core_root(double x) {
  return x == 0 ? 0 : luna_core_exponential(luna_core_logarithm(x) / 2);
}
