#ifndef LUNA_THRESHOLDS_H
#define LUNA_THRESHOLDS_H

// Quantisation of binary32 to 8 bits by integers alone, exactly.
//
// The bits of a number, those below the sign flipped where it is negative,
// order numbers as integers. In this order a quantisation is a staircase of at
// most 256 steps. Where each step starts is found by bisection when a model is
// compiled. A product in fixed point guesses the step, one off at most, which
// is checked at both ends of each step; it only grows in between. The starts of
// the guessed step and of the next then put it right.

#include <stdbool.h>
#include <stdint.h>

#include "luna/ties.h"

#ifdef __cplusplus
extern "C" {
#endif

/// clamp(round(x / scale) + zero), each step in binary32, as luna.quantize
/// defines it. All numbers are whole but the scale.
typedef struct LunaQuantizer {
  float scale, zero, low, high;
  LunaTies ties;
} LunaQuantizer;

/// Returns the result for `x`, which is no NaN.
int32_t luna_quantize(const LunaQuantizer *quantizer, float x);

/// Returns the integer that orders `x` among numbers: below that of every
/// larger one, and that of -0 just below that of 0.
int32_t luna_ordered_bits(float x);

enum {
  LUNA_THRESHOLDS_STEPS = 255,
  LUNA_THRESHOLDS_MAX = LUNA_THRESHOLDS_STEPS + 4,
};

/// A quantisation as integers. Of ordered bits b:
///
///   b = min(max(b, least), most)
///   m = b ^ b >> 31                         (the magnitude's bits)
///   f = (m & 0x7fffff | 0x800000) >> min(exponent - (m >> 23), 31)
///   g = f * factor >> shift, negated where b < 0, + bias
///   result = low + g - 1 - (b < starts[g]) + (b >= starts[g + 1])
typedef struct LunaThresholds {
  int32_t least, most;
  int32_t exponent, factor, shift, bias; ///< all products are below 2^31
  int32_t low;
  /// Where step k starts is starts[k + 1], with two at either end that nothing
  /// is below and above.
  int32_t starts[LUNA_THRESHOLDS_MAX];
  uint32_t count;
} LunaThresholds;

/// Finds the integers. Returns false where there are none: of scales that are
/// not positive and finite, ranges of one number or more than 256, or at the
/// ends of binary32. O(steps).
bool luna_thresholds_find(const LunaQuantizer *quantizer,
                          LunaThresholds *thresholds);

/// Returns the result for ordered bits, those of a NaN included, which give
/// what the infinity of its sign gives.
int32_t luna_thresholds_apply(const LunaThresholds *thresholds, int32_t bits);

#ifdef __cplusplus
}
#endif

#endif // LUNA_THRESHOLDS_H
