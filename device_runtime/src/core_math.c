// Exponentials, logarithms, powers, and what is made of them.

#include "luna/core_math.h"

#include "core_functions.h"

// Every float and what is made of it here is a normal binary64.

static const double ln_2 = 0.6931471805599453;

static double size_of(double x) { return x < 0 ? -x : x; }

// Beyond these a power is infinite, or less than half of the least number.
static double exponent_between(double x) {
  return x > 89 ? 89 : x < -104 ? -104 : x;
}

//===- Exponentials -------------------------------------------------------===//

float luna_expf(float x) {
  return luna_core_is_nan(x)
             ? x
             : (float)luna_core_exponential(exponent_between(x));
}

float luna_exp2f(float x) {
  double bounded = x > 128 ? 128 : x < -151 ? -151 : (double)x;
  return luna_core_is_nan(x) ? x : (float)luna_core_power_of_two(bounded);
}

float luna_expm1f(float x) {
  // The series of (e^x - 1) / x; the next term is below 2^-49.
  static const double terms[] = {1.0 / 6227020800,
                                 1.0 / 479001600,
                                 1.0 / 39916800,
                                 1.0 / 3628800,
                                 1.0 / 362880,
                                 1.0 / 40320,
                                 1.0 / 5040,
                                 1.0 / 720,
                                 1.0 / 120,
                                 1.0 / 24,
                                 1.0 / 6,
                                 0.5,
                                 1.0};
  if (luna_core_is_nan(x) || x == 0)
    return x;
  if (size_of(x) < 0.5)
    return (float)(x * luna_core_polynomial(terms, LUNA_CORE_COUNT(terms), x));
  return (float)(luna_core_exponential(exponent_between(x)) - 1);
}

//===- Hyperbolic functions -----------------------------------------------===//

float luna_sinhf(float x) {
  // The series of sinh x / x; the next term is below 2^-40.
  static const double terms[] = {
      1.0 / 6227020800, 1.0 / 39916800, 1.0 / 362880, 1.0 / 5040,
      1.0 / 120,        1.0 / 6,        1.0};
  double wide = x;
  if (luna_core_is_nan(x) || x == 0)
    return x;
  if (size_of(wide) < 1)
    return (float)(wide * luna_core_polynomial(terms, LUNA_CORE_COUNT(terms),
                                               wide * wide));
  double power = luna_core_exponential(wide > 100    ? 100
                                       : wide < -100 ? -100
                                                     : wide);
  return (float)((power - 1 / power) / 2);
}

float luna_coshf(float x) {
  if (luna_core_is_nan(x))
    return x;
  double size = size_of(x);
  double power = luna_core_exponential(size > 100 ? 100 : size);
  return (float)((power + 1 / power) / 2);
}

float luna_tanhf(float x) {
  double wide = x;
  double size = size_of(wide);
  if (luna_core_is_nan(x) || x == 0)
    return x;
  if (size < 0.0005)
    return (float)(wide - wide * wide * wide / 3);
  if (size > 10)
    return x < 0 ? -1.0f : 1.0f;
  double square = luna_core_exponential(2 * wide);
  return (float)((square - 1) / (square + 1));
}

//===- Logarithms ---------------------------------------------------------===//

// Returns the logarithm over `unit`, with the ends of all numbers.
static float logarithm(double x, double unit) {
  if (x == 0)
    return -luna_core_infinity();
  if (!(x > 0))
    return luna_core_nan();
  return x > 1e300 ? luna_core_infinity()
                   : (float)(luna_core_logarithm(x) / unit);
}

float luna_logf(float x) { return logarithm(x, 1); }
float luna_log2f(float x) { return logarithm(x, ln_2); }
float luna_log10f(float x) { return logarithm(x, 2.302585092994046); }

// For small numbers by the series: what is left out is below 2^-42 of it.
enum { SMALL_PARTS = 1000 };

static int is_small(double x) { return size_of(x) * SMALL_PARTS < 1; }

float luna_log1pf(float x) {
  static const double terms[] = {0.2, -0.25, 1.0 / 3, -0.5, 1.0};
  double wide = x;
  if (x == 0)
    return x;
  if (is_small(wide))
    return (float)(wide *
                   luna_core_polynomial(terms, LUNA_CORE_COUNT(terms), wide));
  return logarithm(1 + wide, 1);
}

float luna_asinhf(float x) {
  double wide = x, size = size_of(wide);
  if (luna_core_is_nan(x) || size > 1e39 || x == 0)
    return x;
  if (is_small(wide))
    return (float)(wide - wide * wide * wide / 6);
  double result = luna_core_logarithm(size + luna_core_root(size * size + 1));
  return (float)(x < 0 ? -result : result);
}

float luna_acoshf(float x) {
  double wide = x;
  if (wide < 1)
    return luna_core_nan();
  if (luna_core_is_nan(x) || wide > 1e39)
    return x;
  return (float)luna_core_logarithm(wide + luna_core_root(wide * wide - 1));
}

float luna_atanhf(float x) {
  double wide = x;
  if (luna_core_is_nan(x) || x == 0)
    return x;
  if (is_small(wide))
    return (float)(wide + wide * wide * wide / 3);
  if (size_of(wide) == 1)
    return x < 0 ? -luna_core_infinity() : luna_core_infinity();
  return logarithm((1 + wide) / (1 - wide), 2);
}

//===- Powers -------------------------------------------------------------===//

// 2 for even integers, 1 for odd ones, 0 for others.
static int parity_of(float y) {
  if (size_of(y) >= 16777216)
    return 2;
  int32_t whole = (int32_t)y;
  return (float)whole != y ? 0 : whole % 2 != 0 ? 1 : 2;
}

// Of a size that is 0, infinite or neither, and a power that is not 0.
static float power_of_size(float size, float y) {
  if (size == 0 || size == luna_core_infinity())
    return (size == 0) == (y < 0) ? luna_core_infinity() : 0;
  if (size == 1)
    return 1;
  if (size_of(y) == luna_core_infinity())
    return (size > 1) == (y > 0) ? luna_core_infinity() : 0;
  return (float)luna_core_exponential(
      exponent_between(y * luna_core_logarithm(size)));
}

float luna_powf(float x, float y) {
  if (x == 1 || y == 0)
    return 1;
  if (luna_core_is_nan(x) || luna_core_is_nan(y))
    return x + y;
  int parity = parity_of(y);
  if (x < 0 && parity == 0 && x != -luna_core_infinity())
    return luna_core_nan();
  float power = power_of_size((float)size_of(x), y);
  return luna_core_is_negative(x) && parity == 1 ? -power : power;
}

float luna_cbrtf(float x) {
  double size = size_of(x);
  if (luna_core_is_nan(x) || x == 0 || size > 1e39)
    return x;
  double power = luna_core_exponential(luna_core_logarithm(size) / 3);
  return (float)(x < 0 ? -power : power);
}

//===- The error function -------------------------------------------------===//

float luna_erff(float x) {
  // The series of erf x / x, from its last term on.
  static const double near[] = {
      -2.7835162072109215e-14, 4.4632242632864775e-13,  -6.7113668551641105e-12,
      9.422759064650411e-11,   -1.2290555301717928e-09, 1.4807192815879218e-08,
      -1.6365844691234924e-07, 1.6462114365889248e-06,  -1.492565035840625e-05,
      0.00012055332981789664,  -0.0008548327023450853,  0.005223977625442188,
      -0.026866170645131252,   0.11283791670955126,     -0.37612638903183754,
      1.1283791670955126};
  // The series around 1.5, 2.5 and 3.5; what is left out is below 2^-34.
  static const double far[][15] = {
      {-1.4092398222107763e-05, 1.795528143938332e-05, 7.769002084531931e-05,
       -0.0002544483934079679, -9.291428845596045e-05, 0.0017098195515864044,
       -0.00236267762073728, -0.004743053201180457, 0.019326171998839774,
       -0.014866286152953672, -0.04459885845886102, 0.13875200409423427,
       -0.17839543383544407, 0.11893028922362937, 0.9661051464753108},
      {1.8136920405427098e-07, 4.69094058462563e-06, -1.4080013880772634e-05,
       5.137004620216358e-06, 7.88013289075044e-05, -0.00025028538631105665,
       0.0002606701738951345, 0.0005424100613279068, -0.002798490157050356,
       0.00611734821357386, -0.008622375078479476, 0.008350089549685387,
       -0.005445710575881774, 0.0021782842303527095, 0.999593047982555},
      {9.231528021223157e-08, -3.0166985422524774e-07, 4.4377398899464164e-07,
       4.447037356176706e-07, -4.6410177094926664e-06, 1.5330768263696828e-05,
       -3.425917542241001e-05, 5.8192750619199204e-05, -7.77442463904834e-05,
       8.211628223939357e-05, -6.771781083303415e-05, 4.2295509756180796e-05,
       -1.8897993720846738e-05, 5.399426777384783e-06, 0.9999992569016276}};
  double wide = x, size = size_of(wide);
  if (luna_core_is_nan(x) || x == 0)
    return x;
  if (size < 1)
    return (float)(wide * luna_core_polynomial(near, LUNA_CORE_COUNT(near),
                                               wide * wide));
  if (size >= 4)
    return x < 0 ? -1.0f : 1.0f;
  int32_t part = (int32_t)size - 1;
  double value = luna_core_polynomial(far[part], LUNA_CORE_COUNT(far[0]),
                                      size - (part + 1.5));
  return (float)(x < 0 ? -value : value);
}
