#include <string.h>

#include "luna/text.h"
#include "sim_active.h"
#include "sim_branch.h"
#include "sim_hazard.h"
#include "sim_path.h"

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
  return decision;
}

// Aborts a run above its limit. Iterations without an operator have a cost,
// too.
static void stop_endless(LunaSimulator *sim, int32_t loop) {
  enum { ITERATION_CYCLES = 100 };
  uint64_t spent = sim->iterations++ * ITERATION_CYCLES;
  spent = spent > sim->now_cycles ? spent : sim->now_cycles;
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

static bool unknown_branch(const LunaProgramInfo *program, const char *name,
                           LunaError *error) {
  LunaText known = {0};
  for (uint32_t i = 0; program && i < program->branch_count; ++i)
    luna_text_printf(&known, "%s%s", i > 0 ? ", " : "",
                     program->branches[i].name);
  luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                 "no branch '%s' in the program, which has %s", name,
                 known.length > 0 ? known.data : "none");
  luna_text_deinit(&known);
  return false;
}

bool luna_simulator_force_branch(LunaSimulator *sim, const char *branch,
                                 const char *alternative, LunaError *error) {
  const LunaProgramInfo *program = sim->program;
  uint32_t index = 0, count = program ? program->branch_count : 0;
  while (index < count && strcmp(program->branches[index].name, branch) != 0)
    ++index;
  if (index == count)
    return unknown_branch(program, branch, error);
  LunaSimForced forced = {.is_forced = alternative != NULL};
  if (alternative &&
      !luna_sim_branch_parse_decision(&program->branches[index], alternative,
                                      &forced.decision, error))
    return false;
  sim->forced[index] = forced;
  return true;
}
