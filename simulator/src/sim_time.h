#ifndef LUNA_SIM_TIME_H
#define LUNA_SIM_TIME_H

#include "luna/cost.h"
#include "sim_state.h"

/// Advances the time by an operator: first on the core, then on the unit.
void luna_sim_charge(LunaSimulator *sim, int32_t op, LunaCost cost);

/// Adds an event to the time line, unless it is empty or beyond the limit.
void luna_sim_add_event(LunaSimulator *sim, const LunaTimelineEvent *event);

#endif // LUNA_SIM_TIME_H
