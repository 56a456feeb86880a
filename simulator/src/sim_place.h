#ifndef LUNA_SIM_PLACE_H
#define LUNA_SIM_PLACE_H

// Operators that either the unit or the core computes.

#include "sim_state.h"

/// Return what is wrong with where the operator is computed, or NULL.
const char *luna_sim_judge_eltwise_place(const LunaSimulator *sim,
                                         const LunaEltwiseDesc *desc);
const char *luna_sim_judge_pool_place(const LunaSimulator *sim,
                                      const LunaPoolDesc *desc);

/// Pass the time of an operator that the core computes.
void luna_sim_pass_core_eltwise(LunaSimulator *sim,
                                const LunaEltwiseDesc *desc);
void luna_sim_pass_core_pool(LunaSimulator *sim, const LunaPoolDesc *desc);

#endif // LUNA_SIM_PLACE_H
