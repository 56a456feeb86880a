#include "luna/model_live.h"

#include "luna/checked.h"
#include "luna/model_problem.h"

// Returns for each step of a problem the bytes that are live at it, of all
// buffers but scratch, or of staging alone.
static int64_t *sum_of_live(LunaProblem *problem, const LunaLifetime *lifetimes,
                            bool is_staging, LunaArena *arena) {
  uint32_t steps = luna_problem_step_count(problem);
  int64_t *bytes = LUNA_ARENA_ARRAY(arena, int64_t, (uint64_t)steps + 1);
  for (uint32_t id = 0; id < luna_problem_buffer_count(problem); ++id) {
    const LunaBuffer *buffer = luna_problem_buffer(problem, id);
    int64_t size = luna_align_up(buffer->size_bytes, buffer->align_bytes);
    if (buffer->kind == LUNA_BUFFER_SCRATCH ||
        (is_staging && buffer->kind != LUNA_BUFFER_STAGING))
      continue;
    for (uint32_t i = 0; i < lifetimes[id].range_count; ++i) {
      bytes[lifetimes[id].ranges[i].first] += size;
      bytes[lifetimes[id].ranges[i].end] -= size;
    }
  }
  for (uint32_t i = 0; i < steps; ++i)
    bytes[i + 1] += bytes[i];
  return bytes;
}

static bool find_live(const LunaModel *model,
                      const LunaModelProblemOptions *options,
                      int64_t *live_bytes, LunaArena *arena, LunaError *error) {
  LunaModelProblem view;
  const LunaLifetime *lifetimes = NULL;
  if (!luna_model_problem(model, options, arena, &view, error) ||
      !luna_problem_lifetimes(view.problem, &lifetimes, error))
    return false;
  int64_t *all = sum_of_live(view.problem, lifetimes, false, arena);
  int64_t *staging = sum_of_live(view.problem, lifetimes, true, arena);
  int64_t next_bytes = 0;
  for (uint64_t i = view.steps.count; i-- > 0;) {
    LunaModelProblemStep step = view.steps.items[i];
    live_bytes[step.step] = all[step.first] + next_bytes;
    if (options->has_staging && staging[step.first] > 0)
      next_bytes = staging[step.first];
  }
  return true;
}

bool luna_model_live_bytes(const LunaModel *model,
                           const LunaModelProblemOptions *options,
                           int64_t *live_bytes, LunaError *error) {
  LunaArena arena = {0};
  bool is_found = find_live(model, options, live_bytes, &arena, error);
  luna_arena_destroy(&arena);
  return is_found;
}
