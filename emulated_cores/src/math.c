#include <math.h>

// What LLVM calls and picolibc lacks. The cores round to nearest, ties to even.

float roundevenf(float value);
double roundeven(double value);
float fminimumf(float a, float b);
float fmaximumf(float a, float b);
double fminimum(double a, double b);
double fmaximum(double a, double b);

float roundevenf(float value) { return rintf(value); }
double roundeven(double value) { return rint(value); }

// IEEE 754-2019: NaN if one is, and -0 below 0.
float fminimumf(float a, float b) {
  if (isnan(a) || isnan(b))
    return a + b;
  return a < b || (a == b && signbit(a)) ? a : b;
}

float fmaximumf(float a, float b) {
  if (isnan(a) || isnan(b))
    return a + b;
  return a > b || (a == b && !signbit(a)) ? a : b;
}

double fminimum(double a, double b) {
  if (isnan(a) || isnan(b))
    return a + b;
  return a < b || (a == b && signbit(a)) ? a : b;
}

double fmaximum(double a, double b) {
  if (isnan(a) || isnan(b))
    return a + b;
  return a > b || (a == b && !signbit(a)) ? a : b;
}
