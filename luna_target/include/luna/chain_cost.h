#ifndef LUNA_CHAIN_COST_H
#define LUNA_CHAIN_COST_H

// What chains of vector calls (luna/vector_chain.h) cost on a machine.

#include "luna/cost.h"
#include "luna/eltwise_chain.h"
#include "luna/tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if the machine has every call of a chain, those that work in
/// place among them.
bool luna_machine_has_chain(const LunaMachine *machine,
                            const LunaVectorChain *chain);

/// Returns true if the machine's calls take tiles of so many places (rows times
/// columns), else fails with LUNA_ERROR_CAPACITY.
bool luna_chain_fits(const LunaMachine *machine, const LunaVectorChain *chain,
                     int64_t places, LunaError *error);

/// Returns the cost of the calls of a chain on a tile of `extents` (y, x,
/// channel), whose results have these strides in elements: a call that writes
/// results is one for each run of them that lie side by side, one with the
/// number of a channel for each plane.
LunaCost luna_chain_tile_cost(const LunaMachine *machine,
                              const LunaVectorChain *chain,
                              const int32_t strides[3],
                              const int32_t extents[3]);

/// Returns the cost of the calls of a chain, each one on so many elements: at
/// most what tiles of as many cost, exactly that of a chain without channels.
LunaCost luna_chain_calls_cost(const LunaMachine *machine,
                               const LunaVectorChain *chain, uint64_t elements);

/// Returns the cost of adding the sums of a launch that is a call to those of
/// its tile (LUNA_LAUNCH_OTHER).
LunaCost luna_partial_sums_cost(const LunaMachine *machine,
                                const LunaLaunch *launch);

/// Returns `finish` (LunaFinish), and writes its chain, one without calls if it
/// has none; the core's where no calls requantise so.
LunaFinish luna_finish_of(int32_t finish, const LunaRequantDesc *requant,
                          int32_t output_type, LunaVectorChain *chain);

/// Returns the bytes of scratch of the tile of a launch, which a chain
/// finishes; one without calls leaves the sums alone. The calls of a tile but
/// the first have sums of their own.
int64_t luna_chain_launch_bytes(const LunaVectorChain *chain,
                                const LunaLaunch *launch);

/// Returns true if the unit computes an elementwise operator by a chain:
/// `desc` has the scratch for it, and the machine the calls. Writes it to
/// `chain`.
bool luna_eltwise_is_chain(const LunaMachine *machine,
                           const LunaEltwiseDesc *desc,
                           LunaEltwiseChain *chain);

/// Returns the cost of an elementwise operator by its chain.
LunaCost luna_eltwise_chain_cost(const LunaMachine *machine,
                                 const LunaEltwiseDesc *desc,
                                 const LunaEltwiseChain *chain);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CHAIN_COST_H
