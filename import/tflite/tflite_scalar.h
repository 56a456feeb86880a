#ifndef LUNA_TFLITE_SCALAR_H
#define LUNA_TFLITE_SCALAR_H

// TensorFlow Lite's integer arithmetic as ops on single numbers.

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna/multiplier.h"

/// Adds the leading zeros of a positive 32-bit integer.
MlirValue luna_tflite_leading_zeros(const LunaBuilder *b, MlirValue x);
/// Adds luna_fixed_high_mul of two computed integers.
MlirValue luna_tflite_high_mul(const LunaBuilder *b, MlirValue x, MlirValue y);
/// Adds luna_fixed_multiply: 32 bits in (or 64 that hold as much) and out.
MlirValue luna_tflite_multiply(const LunaBuilder *b, MlirValue value,
                               LunaMultiplier by);
/// The same, then adds a zero point, clamps to the range of `element` (an
/// integer of less than 32 bits) and narrows.
MlirValue luna_tflite_requantize(const LunaBuilder *b, MlirValue value,
                                 LunaMultiplier by, int64_t zero_point,
                                 MlirType element);
/// Adds value / 2^shift for a computed shift of the value's type, rounded to
/// nearest, ties away from zero.
MlirValue luna_tflite_shift_down(const LunaBuilder *b, MlirValue value,
                                 MlirValue shift);
/// Clamps 32 bits to the range of a narrower integer and narrows.
MlirValue luna_tflite_saturate(const LunaBuilder *b, MlirValue value,
                               MlirType element);

#endif // LUNA_TFLITE_SCALAR_H
