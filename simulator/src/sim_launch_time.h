#ifndef LUNA_SIM_LAUNCH_TIME_H
#define LUNA_SIM_LAUNCH_TIME_H

// The time of the operators that are cut into launches, launch by launch from
// the numbers of the machine file (docs/machine-files.md).
//
// The predictor (luna/cost.h) counts the same launches by classes; of it, this
// shares the work of the core on a tile alone, so that a test can compare the
// two.

#include "luna/chain_cost.h"
#include "luna/core_cost.h"
#include "luna/launch_record.h"
#include "sim_state.h"

/// The time of an operator under way.
typedef struct LunaLaunchTime {
  LunaSimulator *sim;
  const LunaProductRecord *record; ///< NULL of a pooling
  int32_t input_type, weight_type, output_type;
  bool has_sums;
  LunaFinish finish;
  LunaCoreTile tile;
  LunaVectorChain chain; ///< without calls if none finish tiles
  bool is_started;       ///< the array is set up by the first launch
  const LunaLaunchRecord *in_flight;
  /// The last launch of a tile whose sums the core works on during the next.
  const LunaLaunchRecord *left;
  int32_t filled, channels; ///< slots of scratch, and their tiles'
} LunaLaunchTime;

/// Starts an operator, without the core's preparation.
LunaLaunchTime luna_sim_launches_begin(LunaSimulator *sim,
                                       const LunaProductRecord *record);

/// Starts a launch, during which the core works on the sums of the tile before,
/// if the scratch has two slots.
void luna_sim_launch_start(LunaLaunchTime *time,
                           const LunaLaunchRecord *launch);

/// Passes the time of the core behind a launch that has been awaited: of its
/// tile, too, unless that is left for during the next launch.
void luna_sim_launch_end(LunaLaunchTime *time);

/// Passes the time of a pooling, which the unit computes as this depthwise
/// convolution.
void luna_sim_pool_launches(LunaSimulator *sim, const LunaConv2dDesc *desc);

/// Returns the cycles in which a port moves `bytes` at `rate` bytes a cycle.
static inline uint64_t luna_sim_port_cycles(uint64_t bytes, uint64_t rate) {
  return rate > 0 ? bytes / rate + (bytes % rate != 0) : 0;
}

/// Returns the number of elements of a box.
static inline uint64_t luna_sim_element_count(const LunaTensorDesc *desc) {
  return (uint64_t)desc->dims[0] * (uint64_t)desc->dims[1] *
         (uint64_t)desc->dims[2] * (uint64_t)desc->dims[3];
}

#endif // LUNA_SIM_LAUNCH_TIME_H
