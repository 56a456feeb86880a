// Takes up any bytes as the plan of a program: what is taken up and passes the
// checker is a plan that holds, with bounds that do.

#include <stdlib.h>

#include "luna/plan_check.h"
#include "luna/plan_saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Three tensors, one of them fixed, and a staging buffer; a branch.
static LunaProblem *make_problem(LunaArena *arena) {
  LunaProblem *problem = luna_problem_create(arena);
  for (int i = 0; i < 4; ++i)
    luna_problem_add_buffer(problem,
                            &(LunaBuffer){.size_bytes = 16 << i,
                                          .align_bytes = 8,
                                          .is_fixed = i == 0,
                                          .kind = i == 3 ? LUNA_BUFFER_STAGING
                                                         : LUNA_BUFFER_TENSOR});
  luna_problem_define(problem, luna_problem_step(problem, NULL), 0);
  luna_problem_begin(problem, LUNA_NODE_ALTERNATIVES, NULL);
  for (LunaBufferId id = 1; id < 4; ++id) {
    luna_problem_begin(problem, LUNA_NODE_BRANCH, NULL);
    LunaStepId step = luna_problem_step(problem, NULL);
    luna_problem_use(problem, step, 0);
    luna_problem_use(problem, step, id);
    luna_problem_end(problem);
  }
  luna_problem_end(problem);
  return problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaArena arena = {0};
  LunaProblem *problem = make_problem(&arena);
  for (int is_trusted = 0; is_trusted < 2; ++is_trusted) {
    LunaRestoredPlan restored;
    const LunaPlanBytes saved = {data, size};
    if (!luna_plan_restore(problem, NULL, saved, is_trusted != 0, &restored))
      continue;
    const LunaPlanSize *total = &restored.solution.total;
    if (luna_plan_check(problem, restored.solution.offset_bytes, total->bytes,
                        &arena, NULL) &&
        (total->bytes < total->lower_bound_bytes ||
         total->bytes < total->placement_bound_bytes))
      abort();
  }
  luna_arena_destroy(&arena);
  return 0;
}
