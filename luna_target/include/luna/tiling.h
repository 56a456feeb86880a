#ifndef LUNA_TILING_H
#define LUNA_TILING_H

#include <stdbool.h>

#include "luna/error.h"
#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gives the tiling of a convolution whose shape, strides and requantisation
/// stand in `desc` (its own tiling field is ignored).
///
/// Chooses tiles that fit the unit's private buffers and limits: rows, then
/// columns, output channels, input channels; a kernel larger than the limit is
/// cut into smaller ones whose 32-bit partial sums add up. Where the unit
/// cannot requantise as asked, tiles are requantised by the host core from a
/// scratch of at most `scratch_limit_bytes`. Of the tilings that fit, takes the
/// one of fewest cycles by luna/cost.h, then of least scratch.
/// Fails with LUNA_ERROR_CAPACITY when nothing fits, with LUNA_ERROR_INPUT when
/// the unit has no such operator (stride, dilation).
bool luna_tiling_conv2d(const LunaMachine *machine, const LunaConv2dDesc *desc,
                        int64_t scratch_limit_bytes, LunaTiling *tiling,
                        LunaError *error);

/// The same for a matrix product.
bool luna_tiling_matmul(const LunaMachine *machine, const LunaMatmulDesc *desc,
                        int64_t scratch_limit_bytes, LunaTiling *tiling,
                        LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_TILING_H
