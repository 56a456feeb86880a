#ifndef LUNA_SIM_ACTIVE_H
#define LUNA_SIM_ACTIVE_H

// The simulator that runtime calls use.

#include "luna/simulator.h"

/// Returns the active simulator of this thread; there must be one.
LunaSimulator *luna_sim_any_active(void);

/// The same, for a call that is not valid inside a host operator, where it adds
/// a hazard of `op`.
LunaSimulator *luna_sim_active(int32_t op);

/// Deactivates `sim` if it is the active simulator of the thread.
void luna_sim_deactivate(const LunaSimulator *sim);

/// Sets if what this thread runs from now on takes time; it does at first.
void luna_sim_set_timed(bool is_timed);

/// Returns the simulator of this thread, NULL where nothing takes time.
LunaSimulator *luna_sim_timed(void);

#endif // LUNA_SIM_ACTIVE_H
