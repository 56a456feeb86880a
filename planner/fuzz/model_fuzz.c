// Reads any bytes as the text of a model; what is one prints and reads as the
// same, and has a problem and a bound.

#include <stdlib.h>
#include <string.h>

#include "luna/model_bound.h"
#include "luna/model_problem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_again(const LunaModel *model, LunaArena *arena) {
  LunaModel again;
  LunaError error = {0};
  LunaText first = {0}, second = {0};
  luna_model_print(model, &first);
  if (!luna_model_parse(first.data ? first.data : "", first.length, "again",
                        arena, &again, &error))
    abort();
  luna_model_print(&again, &second);
  if (first.length != second.length ||
      memcmp(first.data, second.data, first.length) != 0)
    abort();
  luna_text_deinit(&first);
  luna_text_deinit(&second);
}

static void view(const LunaModel *model, bool works_in_place,
                 LunaArena *arena) {
  LunaModelProblemOptions options = {
      .align_bytes = 16, .works_in_place = works_in_place, .has_staging = true};
  LunaModelProblem problem;
  LunaError error = {0};
  LunaSolution solution;
  LunaPlanOptions plan = {.strategy = "large-first"};
  if (luna_model_problem(model, &options, arena, &problem, &error))
    luna_plan_solve(problem.problem, &plan, &solution, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaArena arena = {0};
  LunaModel model;
  LunaProgramBound bound;
  LunaError error = {0};
  if (luna_model_parse((const char *)data, size, "fuzz", &arena, &model,
                       &error)) {
    print_again(&model, &arena);
    view(&model, false, &arena);
    view(&model, true, &arena);
    luna_problem_bound(luna_model_bound_problem(&model, 16, &arena), &bound,
                       &error);
  }
  luna_arena_destroy(&arena);
  return 0;
}
