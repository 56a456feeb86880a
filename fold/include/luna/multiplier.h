#ifndef LUNA_MULTIPLIER_H
#define LUNA_MULTIPLIER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A positive real number as multiplier * 2^(shift - 31).
typedef struct LunaMultiplier {
  int32_t multiplier;
  int shift; ///< -31 to 31 and more, positive to the left
} LunaMultiplier;

/// Returns the multiplier nearest to `real`, with 31 significant bits; 0 for
/// one below 2^-32.
LunaMultiplier luna_quantize_multiplier(double real);

/// The same for a real number that may be negative: so is the multiplier.
LunaMultiplier luna_quantize_signed(double real);

/// Computes value * by as apply_scale_32 of TOSA 1.0 does, with DOUBLE_ROUND
/// where `rounds_twice`; false for arguments that it does not define.
bool luna_rescale(LunaMultiplier by, bool rounds_twice, int64_t value,
                  int64_t *scaled);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MULTIPLIER_H
