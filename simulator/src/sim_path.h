#ifndef LUNA_SIM_PATH_H
#define LUNA_SIM_PATH_H

// The decisions of a run and the iterations of its loops.

#include "sim_state.h"

/// Records a decision of a branch.
void luna_sim_record_decision(LunaSimulator *sim, int32_t branch,
                              int32_t decision);

/// Records an iteration of a loop.
void luna_sim_record_iteration(LunaSimulator *sim, int32_t loop);

/// Returns the branch `id` of the program, or NULL.
const LunaProgramBranch *luna_sim_find_branch(const LunaSimulator *sim,
                                              int32_t id);

/// Returns the decisions so far as text, in the form of LunaRunResult.path;
/// from the run's arena.
const char *luna_sim_path(LunaSimulator *sim);

#endif // LUNA_SIM_PATH_H
