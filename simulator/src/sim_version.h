#ifndef LUNA_SIM_VERSION_H
#define LUNA_SIM_VERSION_H

// A program with versions: the shapes that a run has.

#include "sim_state.h"

/// Notes a decision, if the branch is the one between versions: from here on,
/// what lies behind the inputs of its version is undefined.
void luna_sim_take_version(LunaSimulator *sim, int32_t branch,
                           int32_t decision);

/// Returns how many bytes of a result the version of the run has.
uint64_t luna_sim_result_bytes(const LunaSimulator *sim,
                               const LunaSimValue *result);

#endif // LUNA_SIM_VERSION_H
