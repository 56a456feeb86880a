#ifndef LUNA_TIES_H
#define LUNA_TIES_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a number halfway between two integers is rounded to: the values of the
/// attribute `rounding` of luna.quantize.
typedef enum LunaTies {
  LUNA_TIES_EVEN = 0, ///< the even one, as ONNX has it
  LUNA_TIES_AWAY = 1, ///< the one away from zero, as TensorFlow Lite has it
  /// The upper one, as LUNA's runtime has it: floor(x + 0.5), so that of
  /// binary32 the number just below 0.5 becomes 1, as the sum does.
  LUNA_TIES_UP = 2,
} LunaTies;

/// Returns `x` rounded in binary32.
static inline float luna_round_f32(float x, LunaTies ties) {
  return ties == LUNA_TIES_AWAY ? roundf(x)
         : ties == LUNA_TIES_UP ? floorf(x + 0.5F)
                                : rintf(x);
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_TIES_H
