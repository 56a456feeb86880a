#ifndef CORE_CHAIN_H
#define CORE_CHAIN_H

// The vector calls of a chain (luna/vector_chain.h), started and awaited.

#include "luna/eltwise_chain.h"
#include "luna/unit_port.h"

/// The operands of a chain's calls, by LunaVectorPlace.
typedef struct LunaCorePlaces {
  uint8_t *at[LUNA_VECTOR_PLACE_COUNT];
  int32_t count;   ///< elements
  int32_t columns; ///< channels, or places of a plane
} LunaCorePlaces;

/// Starts and awaits a call on all elements.
void luna_core_vector(const LunaVectorCall *call, const LunaCorePlaces *places);

/// Finishes a tile of a product by the calls of its record, with so many
/// channels: those of several tiles that lie one after the other, of which
/// `launch` is the first.
void luna_core_finish_tile(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch, int32_t channels,
                           const LunaProductOperands *operands);

/// Adds the sums that a launch left after those of its tile (LUNA_LAUNCH_OTHER)
/// to these: a call, or one for each run where it computed a part of the tile.
void luna_core_add_sums(const LunaLaunchRecord *launch,
                        const LunaProductOperands *operands);

/// Computes an elementwise operator by its chain; `places` has the operands and
/// the scratch as sums.
void luna_core_eltwise_chain(const LunaEltwiseDesc *desc,
                             const LunaEltwiseChain *chain,
                             LunaCorePlaces places);

#endif // CORE_CHAIN_H
