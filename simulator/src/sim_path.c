#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna/text.h"
#include "sim_internal.h"

static const LunaProgramBranch *branch_of(const LunaSimulator *sim,
                                          int32_t id) {
  bool is_known =
      sim->program && id >= 0 && (uint32_t)id < sim->program->branch_count;
  return is_known ? &sim->program->branches[id] : NULL;
}

static LunaSimStep *step_of(LunaSimulator *sim, bool is_loop, int32_t id) {
  LunaSimStep *steps = sim->steps.items;
  for (uint64_t i = 0; i < sim->steps.count; ++i)
    if (steps[i].is_loop == is_loop && steps[i].id == id)
      return &steps[i];
  LunaSimStep *step =
      luna_sim_append(&sim->run_arena, &sim->steps, sizeof *step);
  step->is_loop = is_loop;
  step->id = id;
  return step;
}

static bool has_case(const LunaProgramBranch *branch, int32_t value) {
  for (uint32_t i = 0; i < branch->case_count; ++i)
    if (branch->cases[i] == value)
      return true;
  return false;
}

// Decisions outside the cases are all the default: one of them stands for all.
static int32_t default_decision(const LunaProgramBranch *branch) {
  int32_t value = 0;
  while (has_case(branch, value))
    ++value;
  return value;
}

static int32_t canonical(const LunaProgramBranch *branch, int32_t decision) {
  if (!branch)
    return decision;
  if (branch->kind == LUNA_BRANCH_IF)
    return decision != 0;
  return has_case(branch, decision) ? decision : default_decision(branch);
}

static void record_decision(LunaSimStep *step, int32_t decision) {
  uint32_t last = step->run_count - 1;
  if (step->run_count > 0 && step->decisions[last] == decision &&
      !step->is_cut) {
    step->repeats[last] += 1;
  } else if (step->run_count == LUNA_SIM_PATH_RUNS) {
    step->is_cut = true;
  } else {
    step->decisions[step->run_count] = decision;
    step->repeats[step->run_count++] = 1;
  }
}

int32_t luna_rt_branch(int32_t branch, int32_t decision) {
  LunaSimulator *sim = luna_sim_active(LUNA_NO_ID);
  const LunaProgramBranch *known = branch_of(sim, branch);
  if (sim->program && !known)
    luna_sim_hazard(sim, LUNA_HAZARD_BAD_DESCRIPTOR,
                    (LunaSimPlace){.op = LUNA_NO_ID, .buffer = LUNA_NO_ID},
                    "branch %d is not among the program's %u", branch,
                    sim->program->branch_count);
  if (known && sim->forced[branch].is_forced)
    decision = sim->forced[branch].decision;
  record_decision(step_of(sim, false, branch), canonical(known, decision));
  return decision;
}

// Breaks off a run that is over its limit; iterations without an operator cost
// something, too.
static void stop_endless(LunaSimulator *sim, int32_t loop) {
  enum { ITERATION_CYCLES = 100 };
  uint64_t spent = sim->iterations++ * ITERATION_CYCLES;
  spent = spent > sim->now_cycles ? spent : sim->now_cycles;
  if (sim->stop == NULL || spent <= sim->options.cycle_limit)
    return;
  luna_sim_hazard(sim, LUNA_HAZARD_ENDLESS,
                  (LunaSimPlace){.op = LUNA_NO_ID, .buffer = LUNA_NO_ID},
                  "loop%d still runs after %llu cycles, the run's limit", loop,
                  (unsigned long long)sim->options.cycle_limit);
  longjmp(*sim->stop, 1);
}

void luna_rt_loop_iteration(int32_t loop) {
  LunaSimulator *sim = luna_sim_active(LUNA_NO_ID);
  step_of(sim, true, loop)->iterations += 1;
  stop_endless(sim, loop);
}

//===- Names --------------------------------------------------------------===//

static void print_decision(LunaText *text, const LunaProgramBranch *branch,
                           int32_t decision) {
  bool is_switch = branch && branch->kind == LUNA_BRANCH_SWITCH;
  if (!is_switch && (decision == 0 || decision == 1))
    luna_text_printf(text, "%s", decision ? "then" : "else");
  else if (is_switch && !has_case(branch, decision))
    luna_text_printf(text, "default");
  else
    luna_text_printf(text, "%d", decision);
}

static void print_branch(LunaSimulator *sim, LunaText *text,
                         const LunaSimStep *step) {
  const LunaProgramBranch *branch = branch_of(sim, step->id);
  if (branch)
    luna_text_printf(text, "%s=", branch->name);
  else
    luna_text_printf(text, "branch%d=", step->id);
  for (uint32_t i = 0; i < step->run_count; ++i) {
    if (i > 0)
      luna_text_printf(text, ",");
    print_decision(text, branch, step->decisions[i]);
    if (step->repeats[i] > 1 && step->run_count > 1)
      luna_text_printf(text, "*%llu", (unsigned long long)step->repeats[i]);
  }
  if (step->is_cut)
    luna_text_printf(text, ",...");
}

static void print_loop(LunaSimulator *sim, LunaText *text,
                       const LunaSimStep *step) {
  bool is_known = sim->program && step->id >= 0 &&
                  (uint32_t)step->id < sim->program->loop_count;
  if (is_known)
    luna_text_printf(text, "%s=", sim->program->loops[step->id]);
  else
    luna_text_printf(text, "loop%d=", step->id);
  luna_text_printf(text, "%llu", (unsigned long long)step->iterations);
}

const char *luna_sim_path(LunaSimulator *sim) {
  LunaText text = {0};
  const LunaSimStep *steps = sim->steps.items;
  for (uint64_t i = 0; i < sim->steps.count; ++i) {
    if (i > 0)
      luna_text_printf(&text, "/");
    if (steps[i].is_loop)
      print_loop(sim, &text, &steps[i]);
    else
      print_branch(sim, &text, &steps[i]);
  }
  const char *path = luna_arena_strndup(
      &sim->run_arena, text.data ? text.data : "", text.length);
  luna_text_deinit(&text);
  return path;
}

//===- Forced decisions ---------------------------------------------------===//

static bool parse_alternative(const LunaProgramBranch *branch,
                              const char *alternative, int32_t *decision) {
  bool is_if = branch->kind == LUNA_BRANCH_IF;
  if (is_if &&
      (strcmp(alternative, "then") == 0 || strcmp(alternative, "else") == 0)) {
    *decision = alternative[0] == 't';
    return true;
  }
  if (!is_if && strcmp(alternative, "default") == 0) {
    *decision = default_decision(branch);
    return true;
  }
  for (uint32_t i = 0; i < branch->case_count; ++i) {
    char text[16];
    snprintf(text, sizeof text, "%d", branch->cases[i]);
    if (strcmp(text, alternative) == 0) {
      *decision = branch->cases[i];
      return true;
    }
  }
  return false;
}

static bool unknown_alternative(const LunaProgramBranch *branch, uint32_t index,
                                const char *alternative, LunaError *error) {
  LunaText known = {0};
  for (uint32_t i = 0; i < branch->case_count; ++i)
    luna_text_printf(&known, "%d, ", branch->cases[i]);
  luna_text_printf(&known, "%s",
                   branch->kind == LUNA_BRANCH_IF ? "then, else" : "default");
  luna_error_set(error, LUNA_ERROR_INPUT, index,
                 "branch '%s' has no alternative '%s', only %s", branch->name,
                 alternative, known.data);
  luna_text_deinit(&known);
  return false;
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
  if (alternative && !parse_alternative(&program->branches[index], alternative,
                                        &forced.decision))
    return unknown_alternative(&program->branches[index], index, alternative,
                               error);
  sim->forced[index] = forced;
  return true;
}
