// Sines, tangents and their inverses.

#include "core_functions.h"
#include "luna/core_math.h"

static const double half_pi = 1.5707963267948966;

//===- Of an angle --------------------------------------------------------===//

// An angle less `quarters` quarter turns, in [-pi/4, pi/4].
typedef struct Angle {
  uint32_t quarters;
  double rest;
} Angle;

// Bits of 2 / pi from a place before the point on: exact where the product with
// the angle, modulo four quarters, needs them (Payne and Hanek, "Radian
// reduction for trigonometric functions", 1983).
static Angle reduce_large(uint32_t mantissa, uint32_t exponent) {
  static const uint32_t two_over_pi[] = {0,          0xa2f9836e, 0x4e441529,
                                         0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                         0x3c439041, 0xfe5163ab, 0xdebbc561};
  const double turn = half_pi / 18446744073709551616.0; // 2^64
  const uint32_t *words = two_over_pi + exponent / 32;
  uint32_t shift = exponent % 32, window[3];
  for (int i = 0; i < 3; ++i)
    window[i] = shift == 0 ? words[i]
                           : words[i] << shift | words[i + 1] >> (32 - shift);
  uint64_t low = (uint64_t)mantissa * window[2];
  uint64_t middle = (uint64_t)mantissa * window[1] + (low >> 32);
  uint32_t high = mantissa * window[0] + (uint32_t)(middle >> 32);
  // Two bits of quarters, the rest a fraction.
  uint64_t product = (uint64_t)high << 32 | (uint32_t)middle;
  uint32_t quarters = (uint32_t)((product + (UINT64_C(1) << 61)) >> 62);
  uint64_t fraction = product << 2;
  double rest = fraction >> 63 ? -(double)(~fraction + 1) : (double)fraction;
  return (Angle){quarters, rest * turn};
}

static Angle angle_of(float x) {
  const union {
    float value;
    uint32_t bits;
  } pun = {.value = x};
  int32_t exponent = (int32_t)(pun.bits >> 23 & 255) - 150;
  if (exponent < -3) {
    // Below 2^20 quarters the product with the first 33 bits is exact.
    const double first = 1.5707963267341256, second = 6.077100506506192e-11;
    double turns = (double)x / half_pi;
    int32_t quarters = (int32_t)(turns + (turns < 0 ? -0.5 : 0.5));
    return (Angle){(uint32_t)quarters,
                   ((double)x - quarters * first) - quarters * second};
  }
  Angle angle =
      reduce_large((pun.bits & 0x7fffff) | 0x800000, (uint32_t)(exponent + 30));
  return pun.bits >> 31 ? (Angle){-angle.quarters, -angle.rest} : angle;
}

// By the series up to pi/4; the next terms are below 2^-53.
static double sine(double x) {
  static const double terms[] = {1.0 / 355687428096000,
                                 -1.0 / 1307674368000,
                                 1.0 / 6227020800,
                                 -1.0 / 39916800,
                                 1.0 / 362880,
                                 -1.0 / 5040,
                                 1.0 / 120,
                                 -1.0 / 6,
                                 1.0};
  return x * luna_core_polynomial(terms, LUNA_CORE_COUNT(terms), x * x);
}

static double cosine(double x) {
  static const double terms[] = {1.0 / 20922789888000,
                                 -1.0 / 87178291200,
                                 1.0 / 479001600,
                                 -1.0 / 3628800,
                                 1.0 / 40320,
                                 -1.0 / 720,
                                 1.0 / 24,
                                 -0.5,
                                 1.0};
  return luna_core_polynomial(terms, LUNA_CORE_COUNT(terms), x * x);
}

static double sine_of(Angle angle) {
  double value = angle.quarters & 1 ? cosine(angle.rest) : sine(angle.rest);
  return angle.quarters & 2 ? -value : value;
}

// Neither infinite nor NaN.
static int is_finite(float x) { return x - x == 0; }

float luna_sinf(float x) {
  if (!is_finite(x) || x == 0)
    return x == 0 ? x : x - x;
  return (float)sine_of(angle_of(x));
}

float luna_cosf(float x) {
  if (!is_finite(x))
    return x - x;
  Angle angle = angle_of(x);
  ++angle.quarters;
  return (float)sine_of(angle);
}

float luna_tanf(float x) {
  if (!is_finite(x) || x == 0)
    return x == 0 ? x : x - x;
  Angle angle = angle_of(x);
  double over = sine(angle.rest), under = cosine(angle.rest);
  return (float)(angle.quarters & 1 ? -under / over : over / under);
}

//===- Of a ratio ---------------------------------------------------------===//

// By the series below tan(pi/8); the next term is below 2^-55.
static double small_angle(double x) {
  static const double terms[] = {
      1.0 / 41, -1.0 / 39, 1.0 / 37, -1.0 / 35, 1.0 / 33, -1.0 / 31,
      1.0 / 29, -1.0 / 27, 1.0 / 25, -1.0 / 23, 1.0 / 21, -1.0 / 19,
      1.0 / 17, -1.0 / 15, 1.0 / 13, -1.0 / 11, 1.0 / 9,  -1.0 / 7,
      1.0 / 5,  -1.0 / 3,  1.0};
  return x * luna_core_polynomial(terms, LUNA_CORE_COUNT(terms), x * x);
}

// The angle of a point, none of whose numbers is negative, NaN or both 0.
static double angle_in_quarter(double up, double along) {
  const double tan_eighth = 0.4142135623730951;
  if (up > along)
    return half_pi - angle_in_quarter(along, up);
  double ratio = up / along;
  return ratio > tan_eighth
             ? half_pi / 2 + small_angle((up - along) / (up + along))
             : small_angle(ratio);
}

static double angle_of_point(double up, double along) {
  double up_size = up < 0 ? -up : up, along_size = along < 0 ? -along : along;
  double angle = up_size == 0 && along_size == 0
                     ? 0
                     : angle_in_quarter(up_size, along_size);
  if (along < 0)
    angle = 2 * half_pi - angle;
  return up < 0 ? -angle : angle;
}

float luna_atanf(float x) {
  if (luna_core_is_nan(x) || x == 0)
    return x;
  return (float)(x - x == 0 ? angle_of_point(x, 1)
                            : (x < 0 ? -half_pi : half_pi));
}

float luna_asinf(float x) {
  double wide = x;
  if (x == 0 || !(wide >= -1 && wide <= 1))
    return x == 0 ? x : luna_core_nan();
  return (float)angle_of_point(wide, luna_core_root((1 - wide) * (1 + wide)));
}

float luna_acosf(float x) {
  double wide = x;
  if (!(wide >= -1 && wide <= 1))
    return luna_core_nan();
  return (float)angle_of_point(luna_core_root((1 - wide) * (1 + wide)), wide);
}

// An infinite number as one that is far from all others.
static double far_of(float x, float other) {
  const double far = 1e200;
  if (is_finite(x))
    return is_finite(other) ? (double)x : (double)x / far;
  return x < 0 ? -1 : 1;
}

float luna_atan2f(float y, float x) {
  if (luna_core_is_nan(x) || luna_core_is_nan(y))
    return x + y;
  double angle = angle_of_point(far_of(y, x), far_of(x, y));
  if (y == 0)
    angle = luna_core_is_negative(x) ? 2 * half_pi : 0;
  if (angle < 0)
    angle = -angle;
  return (float)(luna_core_is_negative(y) ? -angle : angle);
}
