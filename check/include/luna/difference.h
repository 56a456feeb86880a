#ifndef LUNA_DIFFERENCE_H
#define LUNA_DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How two tensors of one type differ.
typedef struct LunaDifference {
  int64_t count;      ///< elements that differ
  int64_t first;      ///< the first of them
  int64_t largest_at; ///< the one that differs most
  double largest;     ///< by how much
} LunaDifference;

/// Compares `found` with `expected`, both of the shape of `tensor`; true if
/// they are equal.
///
/// Integers must be equal. Floats may be apart by `tolerance` times the larger
/// of 1 and the expected magnitude; 0 asks for equal bits.
bool luna_difference_find(const LunaProgramTensor *tensor, const uint8_t *found,
                          const uint8_t *expected, double tolerance,
                          LunaDifference *difference);

#ifdef __cplusplus
}
#endif

#endif // LUNA_DIFFERENCE_H
