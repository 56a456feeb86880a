// Orders of operators: the least peak, beside that of the order as given.

#include <stdio.h>
#include <stdlib.h>

#include "bench_planner.h"
#include "luna/order.h"
#include "luna/text.h"

static const char *const graphs[] = {
    "amoeba_cifar", "amoeba_in", "darts_cifar", "darts_in",
    "nasnet_cifar", "nasnet_in", "pnas_cifar",  "pnas_in",
    "rw24_0",       "rw24_1",    "rw24_2",      "rw32_0",
    "rw32_1",       "rw32_2",    "rw32_3",      "rw32_4",
};

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

static void order_file(const char *folder, const char *name) {
  LunaArena arena = {0};
  LunaText text = {0};
  LunaError error = {0};
  LunaOrderGraph *graph = NULL;
  LunaOrderSolution solution;
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.g", folder, name);
  if (!luna_text_read_file(&text, path, 1 << 20, &error) ||
      !luna_order_read_text(text.data, text.length, path, &arena, &graph,
                            &error) ||
      !luna_order_solve(graph, NULL, &solution, &error)) {
    fprintf(stderr, "bench-planner: %s\n", error.message);
    exit(3);
  }
  print_order(name, graph, &solution);
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
}

void bench_orders(const BenchOptions *options) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.g", options->orders, graphs[0]);
  FILE *file = fopen(path, "rb");
  if (!file) {
    printf("orders: skipped, no %s\n\n", path);
    return;
  }
  fclose(file);
  printf("== orders of operators: bytes live at the peak\n");
  printf("%-13s %9s %10s %10s  %5s  %-7s %8s %10s\n", "graph", "operators",
         "as given", "ordered", "ratio", "result", "states", "steps");
  for (size_t i = 0; i < sizeof graphs / sizeof *graphs; ++i)
    order_file(options->orders, graphs[i]);
  printf("\n");
}
