#ifndef LUNA_FOLD_H
#define LUNA_FOLD_H

// Zero points of inputs that go into biases: the unit multiplies inputs as they
// are, and its padding is 0. What is left of the zero point is the same for all
// outputs that meet the same taps (luna/border.h): a bias for most of them, and
// for each other class what its sums lack.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the rows of a bias that takes up the zero point of a convolution's
/// or matrix product's input: the classes of its outputs. Returns 0 where none
/// does: there is no zero point, or the weights have one or are not int8, the
/// convolution is transposed or has too many classes, there are several right
/// matrices.
int32_t luna_fold_rows(const LunaUnitDesc *desc);

/// Writes that bias, luna_fold_rows rows of one number for each output channel,
/// from the weights and the bias of one row, NULL for zeros; both without gaps.
/// Returns false if a sum might leave 32 bits before all of it is added.
/// Scratch comes from `arena`. O(weights + rows * taps * channels).
bool luna_fold_bias(const LunaUnitDesc *desc, const int8_t *weights,
                    const int32_t *bias, LunaArena *arena, int32_t *folded);

#ifdef __cplusplus
}
#endif

#endif // LUNA_FOLD_H
