#ifndef LUNA_SLOTS_H
#define LUNA_SLOTS_H

// The tiles that the scratch of a product holds at once (LunaTiling.slots).
//
// The core's part of a tile, which is constants of borders and requantisation
// where that is its own, takes place while the unit computes the first launch
// of the next. Where the core finishes the sums, two slots take turns. Where
// vector calls do, slots lie side by side and are finished at once: their tiles
// are the planes of consecutive output channels.

#include <stdbool.h>

#include "luna/error.h"
#include "luna/runtime.h"
#include "luna/vector_chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if vector calls finish several tiles at once.
static inline bool luna_slots_are_joined(const LunaTiling *tiling) {
  return tiling->slots > 1 && luna_finish_has_calls(tiling->finish);
}

/// Returns the bytes from the sums of one tile to those of the next; with one
/// slot, those of the scratch.
int32_t luna_slot_bytes(const LunaTiling *tiling);

/// Returns true if the tiles of a convolution, or of a matrix product, can have
/// the slots of its tiling, and the scratch has as many bytes; else fails with
/// LUNA_ERROR_INPUT or LUNA_ERROR_CAPACITY.
bool luna_slots_check_conv2d(const LunaConv2dDesc *desc, LunaError *error);
bool luna_slots_check_matmul(const LunaMatmulDesc *desc, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SLOTS_H
