#ifndef LUNA_DIFFERENCE_H
#define LUNA_DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The difference of two tensors of one type.
typedef struct LunaDifference {
  int64_t count;      ///< elements that differ
  int64_t first;      ///< the first of them
  int64_t largest_at; ///< the one with the largest difference
  double largest;     ///< that difference
} LunaDifference;

/// Compares `found` with `expected`, both of the shape of `tensor`. Returns
/// true if they are equal.
///
/// Integers must be equal. Floats may differ by `tolerance` times the larger of
/// 1 and the expected magnitude; 0 requires equal bits.
bool luna_difference_find(const LunaProgramTensor *tensor, const uint8_t *found,
                          const uint8_t *expected, double tolerance,
                          LunaDifference *difference);

#ifdef __cplusplus
}
#endif

#endif // LUNA_DIFFERENCE_H
