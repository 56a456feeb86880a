#ifndef LUNA_SIM_LAUNCH_TIME_H
#define LUNA_SIM_LAUNCH_TIME_H

// The time of the operators that are cut into launches, launch by launch from
// the numbers of the machine file (docs/machine-files.md).
//
// The predictor (luna/cost.h) counts the same launches by classes; nothing here
// calls it, so that a test can compare the two.

#include "luna/runtime.h"
#include "sim_state.h"

/// Passes the time of a convolution, without the core's preparation.
void luna_sim_conv2d_launches(LunaSimulator *sim, const LunaConv2dDesc *desc);

/// Passes the time of a matrix product, without the core's preparation.
void luna_sim_matmul_launches(LunaSimulator *sim, const LunaMatmulDesc *desc);

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
