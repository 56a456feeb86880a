#ifndef LUNA_SIM_UNIT_H
#define LUNA_SIM_UNIT_H

// The unit below the core (luna/unit_port.h): what a launch computes, by its
// record alone, and the time that it takes.

#include "luna/unit_port.h"
#include "sim_state.h"

/// Runs a convolution or matrix product as the core does, launch by launch.
/// `sim` is NULL where time does not matter. The caller has checked that the
/// record is that of a sound descriptor.
void luna_sim_unit_run(LunaSimulator *sim, const LunaProductRecord *record,
                       const LunaProductOperands *operands);

#endif // LUNA_SIM_UNIT_H
