// Reads any bytes as CSV, solves valid problems, and checks every plan, for
// open sizes that of several bindings.

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

enum { MAX_SYMBOLS = 8 };

static void eval(LunaPlanCsv *csv, const LunaPlanSizes *sizes,
                 const LunaRangePlan *plan, int64_t seed, LunaArena *arena) {
  LunaError error = {0};
  LunaRangeResult result;
  int64_t values[MAX_SYMBOLS];
  for (uint32_t i = 0; i < sizes->symbol_count; ++i)
    values[i] = (seed * (i + 3) + i) % 10;
  int64_t *work = LUNA_ARENA_ARRAY(arena, int64_t, luna_plan_eval_work(plan));
  int64_t *offsets = LUNA_ARENA_ARRAY(arena, int64_t, plan->buffer_count);
  if (!luna_plan_eval(plan, values, work, offsets, &result))
    return;
  if (!luna_plan_bind_sizes(csv->problem, sizes, values, &error) ||
      !luna_plan_check(csv->problem, offsets, result.peak_bytes, arena, &error))
    abort();
}

static void orient(const char *data, size_t size) {
  LunaArena arena = {0};
  LunaPlanCsv csv;
  LunaPlanSizes sizes;
  LunaRangePlan plan;
  LunaError error = {0};
  LunaPlanSymbol symbols[MAX_SYMBOLS];
  LunaOrientOptions options = {.step_budget = 200};
  if (luna_plan_csv_read_open(data, size, "fuzz.csv", &arena, &csv, &sizes,
                              &error) &&
      csv.row_count <= 60 && sizes.symbol_count <= MAX_SYMBOLS) {
    for (uint32_t i = 0; i < sizes.symbol_count; ++i)
      symbols[i] = (LunaPlanSymbol){sizes.symbols[i].name, 0, 9};
    sizes.symbols = symbols;
    if (luna_plan_orient(csv.problem, &sizes, &options, &plan, &error))
      for (int64_t seed = 0; seed < 12; ++seed)
        eval(&csv, &sizes, &plan, seed, &arena);
  }
  luna_arena_destroy(&arena);
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
  orient((const char *)data, size);
  return 0;
}
