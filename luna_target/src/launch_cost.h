#ifndef LUNA_LAUNCH_COST_H
#define LUNA_LAUNCH_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "axis_classes.h"
#include "channels.h"
#include "luna/core_cost.h"
#include "luna/cost.h"
#include "luna/tiles.h"
#include "luna/vector_chain.h"

/// The properties that the launches of one operator share.
typedef struct LunaLaunchContext {
  const LunaMachine *machine;
  int32_t input_type, weight_type, output_type; ///< LunaElementType
  bool has_sums; ///< tiles are summed up in 32 bits
  int32_t slots;  ///< the tiles that the scratch holds (luna/slots.h); 0 is 1
  LunaFinish finish;
  LunaCoreTile tile; ///< how the core requantises each tile
  /// How the unit does; without calls if it does not.
  const LunaVectorChain *chain;
} LunaLaunchContext;

/// Adds the cost of `count` launches like `launch`, each as a repeated one:
/// the core's start and await, the unit's work, the sums, the fill of a tile
/// that starts from the bias alone, and the requantisation after its last
/// launch.
void luna_launch_cost_add(const LunaLaunchContext *context,
                          const LunaLaunch *launch, uint64_t count,
                          LunaCost *cost);

/// Returns the cycles of the unit from the start of the first launch of a tile
/// to its end.
uint64_t luna_launch_unit_cycles(const LunaLaunchContext *context,
                                 const LunaLaunch *launch);

/// Returns the cycles of the core's part of a tile, which the unit needs
/// nothing of: constants of borders, and requantisation where that is the
/// core's.
uint64_t luna_launch_core_cycles(const LunaLaunchContext *context,
                                 const LunaLaunch *launch);

/// Adds the fixed cost of an operator with launches of `kind`: the work of the
/// core, and the more expensive first launch unless all are empty
/// (`has_products` false).
void luna_operator_cost_add(const LunaLaunchContext *context, int32_t kind,
                            bool has_products, LunaCost *cost);

/// Returns the cost of all launches of an operator.
LunaCost luna_classes_cost(const LunaLaunchContext *context,
                           const LunaAxisClasses *y, const LunaAxisClasses *x,
                           const LunaChannels *channels, uint64_t batches);

/// Returns how the core requantises the tiles of a convolution or of a matrix
/// product, and where the results lie.
LunaCoreTile luna_conv2d_tile(const LunaConv2dDesc *desc);
LunaCoreTile luna_matmul_tile(const LunaMatmulDesc *desc);

/// Returns the products per cycle for operands of these types, at least 1.
uint64_t luna_macs_per_cycle(const LunaMachine *machine, int32_t kind,
                             int32_t input_type, int32_t weight_type);

/// Returns the quotient rounded up; 0 for a divisor of 0.
static inline uint64_t luna_cycles_for(uint64_t amount, uint64_t rate) {
  return rate == 0 ? 0 : (amount + rate - 1) / rate;
}

#endif // LUNA_LAUNCH_COST_H
