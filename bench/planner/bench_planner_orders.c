// Orders of operators: the least peak, beside that of the order as given.

#include <stdio.h>
#include <stdlib.h>

#include "bench_planner.h"
#include "luna/order.h"
#include "luna/text.h"

const char *const bench_order_names[] = {
    "amoeba_cifar", "amoeba_in", "darts_cifar", "darts_in",
    "nasnet_cifar", "nasnet_in", "pnas_cifar",  "pnas_in",
    "rw24_0",       "rw24_1",    "rw24_2",      "rw32_0",
    "rw32_1",       "rw32_2",    "rw32_3",      "rw32_4",
};

const int bench_order_count =
    sizeof bench_order_names / sizeof *bench_order_names;

static void print_order(const char *name, const LunaOrderGraph *graph,
                        const LunaOrderSolution *solution) {
  printf("%-13s %9u %10lld %10lld  %.3f  %-7s %8llu %10llu\n", name,
         luna_order_count(graph), (long long)solution->given_bytes,
         (long long)solution->peak_bytes,
         (double)solution->peak_bytes / (double)solution->given_bytes,
         solution->is_optimal ? "optimal" : "open",
         (unsigned long long)solution->states,
         (unsigned long long)solution->steps);
}

LunaOrderGraph *bench_read_order(const BenchOptions *options, const char *name,
                                 LunaArena *arena) {
  LunaText text = {0};
  LunaError error = {0};
  LunaOrderGraph *graph = NULL;
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.g", options->orders, name);
  if (!luna_text_read_file(&text, path, 1 << 20, &error) ||
      !luna_order_read_text(text.data, text.length, path, arena, &graph,
                            &error))
    graph = NULL;
  luna_text_deinit(&text);
  return graph;
}

void bench_orders(const BenchOptions *options) {
  for (int i = 0; i < bench_order_count; ++i) {
    LunaArena arena = {0};
    LunaOrderSolution solution;
    LunaOrderGraph *graph =
        bench_read_order(options, bench_order_names[i], &arena);
    if (!graph) {
      printf("orders: skipped, no graph in %s\n\n", options->orders);
      return;
    }
    if (i == 0)
      printf("== orders of operators: bytes live at the peak\n"
             "%-13s %9s %10s %10s  %5s  %-7s %8s %10s\n",
             "graph", "operators", "as given", "ordered", "ratio", "result",
             "states", "steps");
    if (!luna_order_solve(graph, NULL, &solution, NULL))
      abort();
    print_order(bench_order_names[i], graph, &solution);
    luna_arena_destroy(&arena);
  }
  printf("\n");
}
