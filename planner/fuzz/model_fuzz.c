// Reads any bytes as the text of a model; what is one prints and reads as the
// same, and has a problem, a bound, orders and, unless its loops run too often
// to be walked, a cost that is no less than that of any path.

#include <stdlib.h>
#include <string.h>

#include "luna/model_bound.h"
#include "luna/model_cost.h"
#include "luna/model_order.h"
#include "luna/model_problem.h"
#include "luna/timing.h"

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

static bool is_quick(const LunaModel *model) {
  uint32_t loops = 0;
  for (uint64_t i = 0; i < model->steps.count; ++i) {
    loops += model->steps.items[i].kind == LUNA_MODEL_LOOP;
    if (model->steps.items[i].trips > 4)
      return false;
  }
  return loops < 6;
}

static void cost(const LunaModel *model, LunaArena *arena) {
  LunaModelId loop = 0;
  if (!is_quick(model) || !luna_timing_fits(model, &loop))
    return;
  LunaSlowestPath slowest = luna_timing_slowest(model, arena);
  const char *path = luna_timing_path_name(model, slowest.ways, arena);
  LunaCostRecord record = luna_model_cost(model, &path, 1, arena);
  if (slowest.cycles > slowest.at_most_cycles ||
      record.paths[0].cycles > slowest.at_most_cycles)
    abort();
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
    LunaModelOrders orders = {0};
    luna_model_orders(&model, 1000, &arena, &orders);
    cost(&model, &arena);
  }
  luna_arena_destroy(&arena);
  return 0;
}
