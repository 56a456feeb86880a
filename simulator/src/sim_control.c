#include <string.h>

#include "luna/branch.h"
#include "sim_active.h"
#include "sim_hazard.h"
#include "sim_path.h"
#include "sim_version.h"

// Control flow: announced decisions and iterations, and forced decisions.

int32_t luna_rt_branch(int32_t branch, int32_t decision) {
  LunaSimulator *sim = luna_sim_active(LUNA_NO_ID);
  const LunaProgramBranch *known = luna_sim_find_branch(sim, branch);
  if (sim->program && !known)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_DESCRIPTOR,
                    luna_sim_place_of_op(LUNA_NO_ID),
                    "branch %d is not among the program's %u", branch,
                    sim->program->branch_count);
  if (known && sim->forced[branch].is_forced)
    decision = sim->forced[branch].decision;
  luna_sim_record_decision(sim, branch, decision);
  if (known)
    luna_sim_take_version(sim, branch, decision);
  return decision;
}

// Aborts a run above its limit. Iterations without an operator have a cost,
// too.
static void stop_endless(LunaSimulator *sim, int32_t loop) {
  enum { ITERATION_CYCLES = 100 };
  uint64_t spent = sim->iterations++ * ITERATION_CYCLES;
  spent = spent > sim->clocks.core ? spent : sim->clocks.core;
  if (sim->stop == NULL || spent <= sim->options.cycle_limit)
    return;
  luna_sim_hazard(sim, LUNA_HAZARD_ENDLESS, luna_sim_place_of_op(LUNA_NO_ID),
                  "loop%d still runs after %llu cycles, the run's limit", loop,
                  (unsigned long long)sim->options.cycle_limit);
  longjmp(*sim->stop, 1);
}

void luna_rt_loop_iteration(int32_t loop) {
  LunaSimulator *sim = luna_sim_active(LUNA_NO_ID);
  luna_sim_record_iteration(sim, loop);
  stop_endless(sim, loop);
}

bool luna_simulator_force_branch(LunaSimulator *sim, const char *branch,
                                 const char *way, LunaError *error) {
  static const LunaProgramInfo none = {0};
  const LunaProgramInfo *program = sim->program ? sim->program : &none;
  uint32_t index = 0;
  if (!luna_branch_find(program, branch, strlen(branch), &index, error))
    return false;
  LunaSimForced forced = {.is_forced = way != NULL};
  if (way && !luna_branch_read_way(&program->branches[index], way, strlen(way),
                                   &forced.decision, error))
    return false;
  sim->forced[index] = forced;
  return true;
}
