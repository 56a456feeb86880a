#include "sim_active.h"

#include <assert.h>

#include "sim_hazard.h"

// The simulator that luna_rt_* calls of this thread use. The runtime API has no
// handle, since a chip has one unit; this is, with the next, the only mutable
// state of the library outside its objects.
static _Thread_local LunaSimulator *active;
// Within a kernel that is computed without a simulator.
static _Thread_local bool is_untimed;

void luna_simulator_activate(LunaSimulator *simulator) { active = simulator; }

LunaSimulator *luna_sim_any_active(void) {
  assert(active && "runtime call without an active simulator");
  return active;
}

void luna_sim_set_timed(bool is_timed) { is_untimed = !is_timed; }

LunaSimulator *luna_sim_timed(void) {
  return is_untimed ? NULL : luna_sim_any_active();
}

LunaSimulator *luna_sim_active(int32_t op) {
  LunaSimulator *sim = luna_sim_any_active();
  if (sim->is_in_host_op)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_CALL, luna_sim_place_of_op(op),
                    "runtime call inside host operator '%s'",
                    luna_simulator_op_name(sim, sim->host_op));
  return sim;
}

void luna_sim_deactivate(const LunaSimulator *sim) {
  if (active == sim)
    active = NULL;
}
