#ifndef LUNA_SOFT_H
#define LUNA_SOFT_H

// Routines that compilers call for what a core's instructions lack. Elsewhere
// they have names of their own, so that a test can compare them with the
// processor.

#include <stdint.h>

#ifdef __xtensa__
#define LUNA_SOFT(name) __##name
#else
#define LUNA_SOFT(name) luna_soft_##name
#endif

/// Return what floats of any kind give: slow, exact.
float luna_any_sum32(float a, float b);
float luna_any_product32(float a, float b);
double luna_any_sum64(double a, double b);
double luna_any_product64(double a, double b);
double luna_any_double_of(float a);
float luna_any_float_of(double a);

/// Returns the product of two numbers of 32 bits, from parts of 16.
static inline uint64_t luna_product64(uint32_t a, uint32_t b) {
  uint32_t a_low = a & 0xffff, a_high = a >> 16;
  uint32_t b_low = b & 0xffff, b_high = b >> 16;
  uint32_t low = a_low * b_low;
  uint32_t middle = a_high * b_low + (low >> 16);
  uint32_t other = a_low * b_high + (middle & 0xffff);
  uint32_t high = a_high * b_high + (middle >> 16) + (other >> 16);
  return (uint64_t)high << 32 | (other << 16 | (low & 0xffff));
}

#endif // LUNA_SOFT_H
