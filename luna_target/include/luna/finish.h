#ifndef LUNA_FINISH_H
#define LUNA_FINISH_H

// Chooses where the 32-bit sums of operators become their results, by the costs
// of the machine: what the launches do not requantise
// (luna_is_fused), vector calls of the unit do or the core.

#include "luna/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where sums may be finished that the launches do not finish: option `place`
/// of luna-tile-operators.
typedef enum LunaPlace {
  LUNA_PLACE_AUTO, ///< where it takes fewer cycles
  LUNA_PLACE_CORE,
  LUNA_PLACE_UNIT, ///< on the unit, where it can
} LunaPlace;

/// Returns true if the unit finishes the sums of a product exactly, by calls
/// that the machine has, in a form (LUNA_FINISH_UNIT, PLANES or STRIPS). `desc`
/// is of the class; what is asked of the multipliers and shifts of its channels
/// is luna_finish_takes_channels, of its tiles luna_chain_fits.
bool luna_finish_is_legal(const LunaMachine *machine, LunaUnitClass unit_class,
                          const void *desc, LunaFinish finish);

/// Returns true if the unit finishes the sums of channels with these
/// multipliers and shifts.
bool luna_finish_takes_channels(const LunaRequantDesc *requant,
                                const int32_t *multipliers,
                                const int32_t *shifts, int64_t count);

/// Computes the tiling of a product, a descriptor of either class, whose sums
/// are finished where `place` says; on the core if not `fits_unit`
/// (luna_finish_takes_channels). Fails as luna_tiling_conv2d does.
bool luna_finish_tile(const LunaMachine *machine, const LunaUnitDesc *desc,
                      LunaPlace place, bool fits_unit,
                      int64_t scratch_limit_bytes, LunaTiling *tiling,
                      LunaError *error);

/// Returns the scratch, of at most `limit_bytes`, with which the unit computes
/// an elementwise operator that is not native: by shifts
/// (luna/eltwise_launches.h) in fewer cycles than the core takes, or by a chain
/// (luna/eltwise_chain.h) where `place` says; 0 if it does not. `desc` has
/// none.
int64_t luna_finish_eltwise_bytes(const LunaMachine *machine,
                                  const LunaEltwiseDesc *desc, LunaPlace place,
                                  int64_t limit_bytes);

/// Returns the cycles of such an operator, or of a native one, with that
/// scratch.
uint64_t luna_finish_eltwise_cycles(const LunaMachine *machine,
                                    const LunaEltwiseDesc *desc,
                                    LunaPlace place, int64_t limit_bytes);

/// Why the core does what the unit does of other operators.
typedef struct LunaFinishReason {
  char text[96]; ///< "the machine has no 'multi_vec_mul' from i32 to i32"
  uint64_t core_cycles; ///< of the operator
} LunaFinishReason;

/// Returns true if the core finishes the sums of a product or computes an
/// operator, and writes why. `desc` is tiled, and has its scratch; the rest is
/// as for luna_finish_tile.
bool luna_finish_explain(const LunaMachine *machine, const LunaUnitDesc *desc,
                         LunaPlace place, bool fits_unit,
                         LunaFinishReason *reason);

#ifdef __cplusplus
}
#endif

#endif // LUNA_FINISH_H
