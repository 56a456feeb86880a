#include "validate_pair.h"

#include "luna-c/ops.h"
#include "validate_conditions.h"
#include "validate_inert.h"

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

// True if the inert loop of the program may be the plan's next loop, which then
// does nothing either, or copies the buffers that it carries.
static bool stays_inert(LunaPair *pair, const LunaFlow *program,
                        const LunaFlow *plan, LunaTerm goes_on) {
  LunaTerm other = LUNA_TERM_UNDEFINED;
  if (!corresponds(pair, program, plan) ||
      !luna_pair_has_equal_bounds(pair, program->next, plan->next) ||
      !luna_inert_matches(program->next, plan->next))
    return false;
  return luna_op_is(plan->next, LUNA_OP_SCF_FOR) ||
         !luna_inert_skip(&pair->plan, plan->next, &other) || goes_on == other;
}

// Skips a loop of the program that changes nothing, and that the plan does not
// have; or a for of the plan, which ends.
static bool skip_inert(LunaPair *pair, LunaFlow *program, LunaFlow *plan) {
  LunaTerm goes_on = LUNA_TERM_UNDEFINED;
  if (!luna_flow_ends(program) &&
      luna_inert_skip(&pair->program, program->next, &goes_on) &&
      !stays_inert(pair, program, plan, goes_on)) {
    luna_flow_skip(program);
    return true;
  }
  if (luna_flow_ends(plan) || corresponds(pair, program, plan) ||
      !luna_op_is(plan->next, LUNA_OP_SCF_FOR) ||
      !luna_inert_ends(plan->next) ||
      !luna_inert_skip(&pair->plan, plan->next, &goes_on))
    return false;
  luna_flow_skip(plan);
  return true;
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
    if (switch_arms(pair, program, plan) || skip_inert(pair, program, plan))
      continue;
    if (!corresponds(pair, program, plan))
      return fail(pair, program, plan);
    if (!luna_pair_loops(pair, program->next, plan->next))
      return false;
    luna_flow_skip(program);
    luna_flow_skip(plan);
  }
}
