#ifndef LUNA_TILING_H
#define LUNA_TILING_H

#include <stdbool.h>

#include "luna/error.h"
#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// More scratch is taken where it saves more than a hundredth of the cycles.
enum { LUNA_TILING_WORTH = 100 };

/// Computes the tiling of a convolution from the shape, strides and
/// requantisation in `desc`. Of its tiling field, two are read: `finish`, where
/// the sums are finished that the unit does not requantise in its launches, by
/// vector calls or the core (luna/finish.h chooses); and `row_strips`, 1 to ask
/// for launches that are one call of the vendor's library, on whole planes,
/// where operands are planes and such a tiling fits.
///
/// Chooses tiles that fit the unit's private buffers and limits: rows, then
/// columns, output channels, input channels. A kernel above the limit is
/// divided into smaller ones with 32-bit partial sums. If the unit does not
/// support the requantisation, tiles are finished in a scratch of at most
/// `scratch_limit_bytes`. Of the tilings that fit and take at most 1 % more
/// cycles by luna/cost.h than the cheapest, takes the one with the least
/// scratch, then the fewest cycles. Fails with
/// LUNA_ERROR_CAPACITY if none fits, in which case tiling->scratch_bytes is at
/// most the scratch of any that there is; with LUNA_ERROR_INPUT if the unit has
/// no such operator (stride, dilation).
bool luna_tiling_conv2d(const LunaMachine *machine, const LunaConv2dDesc *desc,
                        int64_t scratch_limit_bytes, LunaTiling *tiling,
                        LunaError *error);

/// Turns a convolution into the one with its weights packed in the order of the
/// machine's library (luna/weight_layout.h). Returns false, with `desc` as it
/// was, if they are not int8 without a zero point, or its launches cannot be
/// calls with packed weights and a scratch of half the shared memory.
bool luna_tiling_pack(const LunaMachine *machine, LunaConv2dDesc *desc);

/// As luna_tiling_conv2d, for a matrix product.
bool luna_tiling_matmul(const LunaMachine *machine, const LunaMatmulDesc *desc,
                        int64_t scratch_limit_bytes, LunaTiling *tiling,
                        LunaError *error);

/// Returns the depthwise convolution that reads and writes what a pooling does,
/// with its tiling; it requantises nothing that the core would have to.
LunaConv2dDesc luna_pool_conv2d(const LunaPoolDesc *desc);

/// Writes to `conv` that convolution with its own tiling. The core
/// computes an average unless the unit has multipliers. Fails as
/// luna_tiling_conv2d does.
bool luna_tiling_pool(const LunaMachine *machine, const LunaPoolDesc *desc,
                      LunaConv2dDesc *conv, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TILING_H
