#ifndef LUNA_SIM_ACTIVE_H
#define LUNA_SIM_ACTIVE_H

// The simulator that runtime calls reach.

#include "luna/simulator.h"

/// Returns the active simulator of this thread; there must be one.
LunaSimulator *luna_sim_any_active(void);

/// The same, for a call that has no place inside a host operator: a hazard of
/// `op` there.
LunaSimulator *luna_sim_active(int32_t op);

/// Leaves the thread without an active simulator if `sim` is it.
void luna_sim_deactivate(const LunaSimulator *sim);

#endif // LUNA_SIM_ACTIVE_H
