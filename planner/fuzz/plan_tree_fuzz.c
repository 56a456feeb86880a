// Builds a program tree from any bytes, two per call of the builder, solves
// well-formed ones under every treatment, and checks every plan.

#include <stdlib.h>

#include "luna/plan_check.h"
#include "luna/plan_coalesce.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 400, MAX_OPEN = 20 };

static void add_buffer(LunaProblem *problem, uint8_t value) {
  LunaBuffer buffer = {
      .size_bytes = value % 23,
      .align_bytes = 1 << value % 5,
      .is_fixed = value > 240,
      .fixed_offset_bytes = 16 * (value % 4),
      .kind = (LunaBufferKind)(value % 3),
  };
  luna_problem_add_buffer(problem, &buffer);
}

// Moves at the last step to the next buffer of the same size, from `to` on.
static void move(LunaProblem *problem, uint32_t from, uint32_t to) {
  uint32_t buffers = luna_problem_buffer_count(problem);
  uint32_t steps = luna_problem_step_count(problem);
  for (uint32_t i = 0; i < buffers; ++i, ++to)
    if (luna_problem_buffer(problem, to % buffers)->size_bytes ==
        luna_problem_buffer(problem, from)->size_bytes) {
      luna_problem_move(problem, steps > 0 ? steps - 1 : 0, from, to % buffers);
      return;
    }
}

static void touch_otherwise(LunaProblem *problem, uint32_t step,
                            uint32_t buffer, uint8_t value) {
  if (value % 3 == 0)
    luna_problem_read(problem, step, buffer);
  else if (value % 3 == 1)
    luna_problem_discard(problem, step, buffer);
  else
    move(problem, buffer, value / 3);
}

// Makes one call of the builder; `depth` is the number of open nodes.
static void apply(LunaProblem *problem, uint8_t what, uint8_t value,
                  int *depth) {
  uint32_t buffers = luna_problem_buffer_count(problem);
  uint32_t steps = luna_problem_step_count(problem);
  uint32_t buffer = buffers > 0 ? value % buffers : value;
  uint32_t step = steps > 0 ? value / 16 % steps : value;
  if (what % 12 < 4 && *depth < MAX_OPEN) {
    luna_problem_begin(problem, (LunaNodeKind)(what % 12), NULL);
    ++*depth;
    if (what % 12 == LUNA_NODE_ALTERNATIVES && value % 3 == 0)
      luna_problem_set_condition(problem, value / 64, value % 2 == 0);
  } else if (what % 12 == 4 && *depth > 0) {
    luna_problem_end(problem);
    --*depth;
  } else if (what % 12 == 5) {
    luna_problem_loop_exit(problem);
  } else if (what % 12 == 6) {
    luna_problem_step(problem, NULL);
  } else if (what % 12 == 7) {
    add_buffer(problem, value);
  } else if (what % 12 == 8) {
    luna_problem_define(problem, steps > 0 ? steps - 1 : 0, buffer);
  } else if (what % 12 == 9) {
    luna_problem_use(problem, step, buffer);
  } else if (what % 12 == 10) {
    touch_otherwise(problem, step, buffer, value);
  } else if (what % 12 == 11) {
    luna_problem_alias(problem, buffer, what % (buffers + 1));
  }
}

static void solve(LunaProblem *problem, const char *strategy, LunaMerge merge,
                  LunaArena *arena) {
  LunaError error = {0};
  LunaSolution solution;
  LunaPlanOptions options = {
      .strategy = strategy, .merge = merge, .step_budget = 2000};
  if (!luna_plan_solve(problem, &options, &solution, &error))
    return;
  LunaPathList list;
  if (!luna_plan_check(problem, solution.offset_bytes, solution.total.bytes,
                       arena, &error) ||
      solution.total.bytes < solution.total.lower_bound_bytes ||
      !luna_plan_paths(problem, solution.offset_bytes, &list, &error))
    abort();
  for (uint32_t i = 0; i < list.count; ++i)
    if (list.paths[i].peak_bytes > solution.total.bytes)
      abort();
}

// Unifies what may be; the plan is then still valid.
static void coalesce(LunaProblem *problem) {
  LunaCoalesceOptions options = {.step_budget = 500};
  LunaCoalescing decision;
  if (!luna_plan_coalesce(problem, &options, &decision, NULL))
    return;
  for (uint32_t i = 0; i < decision.pair_count; ++i)
    luna_problem_alias(problem, decision.pairs[i].a, decision.pairs[i].b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > MAX_BYTES)
    return 0;
  LunaArena arena = {0};
  LunaProblem *problem = luna_problem_create(&arena);
  int depth = 0;
  for (size_t i = 0; i + 1 < size; i += 2)
    apply(problem, data[i], data[i + 1], &depth);
  for (; depth > 0; --depth)
    luna_problem_end(problem);
  for (int merge = 0; merge < LUNA_MERGE_COUNT; ++merge)
    solve(problem, NULL, (LunaMerge)merge, &arena);
  solve(problem, "sequential", LUNA_MERGE_BLOCK, &arena);
  solve(problem, "leapmind-path-cover", LUNA_MERGE_PATH, &arena);
  coalesce(problem);
  solve(problem, NULL, LUNA_MERGE_PATH, &arena);
  luna_arena_destroy(&arena);
  return 0;
}
