// Reads any bytes as a graph, orders it, and checks the order.

#include <stdlib.h>

#include "luna/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void solve(LunaOrderGraph *graph) {
  LunaError error = {0};
  LunaOrderSolution solution;
  LunaOrderOptions options = {.step_budget = 20000};
  int64_t peak = 0;
  if (!luna_order_solve(graph, &options, &solution, &error))
    return;
  if (!luna_order_peak(graph, solution.operators, &peak) ||
      peak != solution.peak_bytes || peak > solution.given_bytes ||
      peak < solution.lower_bound_bytes)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaArena arena = {0};
  LunaOrderGraph *graph = NULL;
  LunaError error = {0};
  if (luna_order_read_text((const char *)data, size, "fuzz.g", &arena, &graph,
                           &error))
    solve(graph);
  luna_arena_destroy(&arena);
  return 0;
}
