// Reads any bytes as CSV, solves valid problems, and checks every plan.

#include <stdlib.h>

#include "luna/plan_check.h"
#include "luna/plan_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void solve(LunaPlanCsv *csv, const char *strategy, LunaArena *arena) {
  LunaError error = {0};
  LunaSolution solution;
  LunaPlanOptions options = {.strategy = strategy, .step_budget = 2000};
  if (!luna_plan_solve(csv->problem, &options, &solution, &error))
    return;
  if (!luna_plan_check(csv->problem, solution.offset_bytes,
                       solution.total.bytes, arena, &error) ||
      solution.total.bytes < solution.total.lower_bound_bytes)
    abort();
  LunaText text = {0};
  luna_plan_csv_write(csv, &solution, &text, NULL);
  luna_text_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaArena arena = {0};
  LunaPlanCsv csv;
  LunaError error = {0};
  if (luna_plan_csv_read((const char *)data, size, "fuzz.csv", &arena, &csv,
                         &error) &&
      csv.row_count <= 200)
    for (uint32_t i = 0; i < luna_strategy_count(); ++i)
      solve(&csv, luna_strategy_name(i), &arena);
  luna_arena_destroy(&arena);
  return 0;
}
