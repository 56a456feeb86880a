#include "validate_pair.h"

#include "luna-c/ops.h"
#include "validate_conditions.h"

// Loops of one kind that are reached under one condition.
static bool corresponds(const LunaPair *pair, const LunaFlow *program,
                        const LunaFlow *plan) {
  return !luna_flow_ends(program) && !luna_flow_ends(plan) &&
         pair->program.path == pair->plan.path &&
         luna_op_is(program->next, LUNA_OP_SCF_FOR) ==
             luna_op_is(plan->next, LUNA_OP_SCF_FOR);
}

// Arms exclude each other, and may be executed in another order.
static bool switch_arms(const LunaPair *pair, const LunaFlow *program,
                        LunaFlow *plan) {
  return !luna_flow_ends(program) && !luna_flow_ends(plan) &&
         luna_flow_switch(plan, pair->program.path);
}

static bool fail(LunaPair *pair, const LunaFlow *program,
                 const LunaFlow *plan) {
  bool has_loop = !luna_flow_ends(plan);
  bool is_same_kind = has_loop && !luna_flow_ends(program) &&
                      luna_op_is(program->next, LUNA_OP_SCF_FOR) ==
                          luna_op_is(plan->next, LUNA_OP_SCF_FOR);
  return luna_side_fail(
      &pair->plan, has_loop ? plan->next : pair->plan.func, "%s",
      is_same_kind ? "the loop runs under another condition than in "
                     "the program"
                   : "loops do not correspond to those of the "
                     "program");
}

bool luna_pair_run(LunaPair *pair, LunaFlow *program, LunaFlow *plan) {
  for (;;) {
    if (!luna_flow_run(program) || !luna_flow_run(plan))
      return false;
    if (luna_flow_ends(program) && luna_flow_ends(plan))
      return true;
    if (switch_arms(pair, program, plan))
      continue;
    if (!corresponds(pair, program, plan))
      return fail(pair, program, plan);
    if (!luna_pair_loops(pair, program->next, plan->next))
      return false;
    luna_flow_skip(program);
    luna_flow_skip(plan);
  }
}
