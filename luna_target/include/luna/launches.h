#ifndef LUNA_LAUNCHES_H
#define LUNA_LAUNCHES_H

// The launches of a convolution or matrix product as the chip's core reads
// them: one record for the operator, one of 64 bytes for each launch after it,
// what the core adds at borders, and one of 12 for each vector call that
// finishes a tile.
// A compiler makes them from the descriptor and its tiling; the core computes
// nothing that they could say, and the unit needs nothing else.
//
// Numbers are of 16 and 32 bits, least significant byte first.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/launch_record.h"
#include "luna/tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the record of an operator with its launches, from `arena`, and its
/// size in 32-bit words. Fails with LUNA_ERROR_INPUT where a number of it has
/// more than its bits, and where vector calls finish and have no chain.
const LunaProductRecord *luna_launches_conv2d(const LunaConv2dDesc *desc,
                                              LunaArena *arena,
                                              int32_t *word_count,
                                              LunaError *error);
const LunaProductRecord *luna_launches_matmul(const LunaMatmulDesc *desc,
                                              LunaArena *arena,
                                              int32_t *word_count,
                                              LunaError *error);

/// Returns true if the launch of a tile leaves 32-bit sums in the scratch
/// instead of writing the output.
bool luna_launch_leaves_sums(const LunaTiling *tiling,
                             const LunaLaunch *launch);

#ifdef __cplusplus
}
#endif

#endif // LUNA_LAUNCHES_H
