#include "sim_path.h"

#include "luna/branch.h"

// A decision or loop of the run.
enum { PATH_RUNS = 8 };
typedef struct LunaSimStep {
  bool is_loop;
  int32_t id;
  uint64_t iterations; // of a loop
  // Of a branch: its decisions in order, equal ones in runs.
  int32_t decisions[PATH_RUNS];
  uint64_t repeats[PATH_RUNS];
  uint32_t run_count;
  bool is_cut; // there were more
} Step;

const LunaProgramBranch *luna_sim_find_branch(const LunaSimulator *sim,
                                              int32_t id) {
  bool is_known =
      sim->program && id >= 0 && (uint32_t)id < sim->program->branch_count;
  return is_known ? &sim->program->branches[id] : NULL;
}

static Step *step_of(LunaSimulator *sim, bool is_loop, int32_t id) {
  Step *steps = sim->steps.items;
  for (uint64_t i = 0; i < sim->steps.count; ++i)
    if (steps[i].is_loop == is_loop && steps[i].id == id)
      return &steps[i];
  Step *step = LUNA_VECTOR_ADD(&sim->run_arena, &sim->steps);
  step->is_loop = is_loop;
  step->id = id;
  return step;
}

static void append_decision(Step *step, int32_t decision) {
  uint32_t last = step->run_count - 1;
  if (step->run_count > 0 && step->decisions[last] == decision &&
      !step->is_cut) {
    step->repeats[last] += 1;
  } else if (step->run_count == PATH_RUNS) {
    step->is_cut = true;
  } else {
    step->decisions[step->run_count] = decision;
    step->repeats[step->run_count++] = 1;
  }
}

void luna_sim_record_decision(LunaSimulator *sim, int32_t branch,
                              int32_t decision) {
  append_decision(
      step_of(sim, false, branch),
      luna_branch_canonical(luna_sim_find_branch(sim, branch), decision));
}

void luna_sim_record_iteration(LunaSimulator *sim, int32_t loop) {
  step_of(sim, true, loop)->iterations += 1;
}

static void print_branch(LunaSimulator *sim, LunaText *text, const Step *step) {
  const LunaProgramBranch *branch = luna_sim_find_branch(sim, step->id);
  if (branch)
    luna_text_printf(text, "%s=", branch->name);
  else
    luna_text_printf(text, "branch%d=", step->id);
  for (uint32_t i = 0; i < step->run_count; ++i) {
    if (i > 0)
      luna_text_printf(text, ",");
    luna_branch_print_way(text, branch, step->decisions[i]);
    if (step->repeats[i] > 1 && step->run_count > 1)
      luna_text_printf(text, "*%llu", (unsigned long long)step->repeats[i]);
  }
  if (step->is_cut)
    luna_text_printf(text, ",...");
}

static void print_loop(LunaSimulator *sim, LunaText *text, const Step *step) {
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
  const Step *steps = sim->steps.items;
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
