#ifndef LUNA_TFLITE_RESCALE_H
#define LUNA_TFLITE_RESCALE_H

#include "luna-c/build_tosa.h"
#include "luna/multiplier.h"

/// How a rescale computes: result = (value - input_zp) * multiplier +
/// output_zp, one multiplier or one per entry of the last dimension.
typedef struct LunaTfliteRescale {
  const LunaMultiplier *multipliers;
  int64_t count;
  int64_t input_zp, output_zp;
  MlirType element; ///< of the result
  bool input_unsigned, output_unsigned;
} LunaTfliteRescale;

/// Returns true if tosa.rescale can express the multiplier.
bool luna_tflite_can_rescale(LunaMultiplier multiplier);
/// Adds a rescale with TensorFlow Lite's two roundings.
MlirValue luna_tflite_rescale(const LunaBuilder *b, MlirValue value,
                              const LunaTfliteRescale *rescale);
/// The same by one multiplier.
MlirValue luna_tflite_rescale_by(const LunaBuilder *b, MlirValue value,
                                 LunaMultiplier by, int64_t input_zp,
                                 int64_t output_zp, MlirType element);
/// Adds value - zero_point as 32 bits; more bits are saturated.
MlirValue luna_tflite_widen(const LunaBuilder *b, MlirValue value,
                            int64_t zero_point);

#endif // LUNA_TFLITE_RESCALE_H
