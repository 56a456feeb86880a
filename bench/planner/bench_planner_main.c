// bench-planner: prints what the planner reaches beside figures recorded for
// others. Times vary from run to run; everything else is the same everywhere.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_planner.h"

static const char usage[] =
    "usage: bench-planner [options] [SECTION ...]\n"
    "\n"
    "sections (all by default): capacity minimise shuffles large perturbed\n"
    "strategies chains programs loops growth ranges orders\n"
    "\n"
    "options:\n"
    "  --instances=DIR  the MiniMalloc instances (default "
    "../shared/planners/csv)\n"
    "  --orders=DIR     the graphs of operators (default ../shared/orders)\n"
    "  --vs=COMMAND     run by sh in turn with ours, $1 is the file and $2 "
    "the\n"
    "                   capacity: 'minimalloc --input=$1 --capacity=$2';\n"
    "                   in capacity, large, perturbed and loops\n"
    "  --steps=N        steps of search in minimise, shuffles and perturbed\n"
    "                   (default 2000000)\n";

static const struct {
  const char *name;
  void (*run)(const BenchOptions *options);
} sections[] = {
    {"capacity", bench_capacity},   {"minimise", bench_minimise},
    {"shuffles", bench_shuffles},   {"large", bench_large},
    {"perturbed", bench_perturbed}, {"strategies", bench_strategies},
    {"chains", bench_chains},       {"programs", bench_programs},
    {"loops", bench_loops},         {"growth", bench_growth},
    {"ranges", bench_ranges},       {"orders", bench_orders},
};

static bool is_asked_for(const char *name, int count, char **values) {
  bool any = false;
  for (int i = 1; i < count; ++i) {
    if (strncmp(values[i], "--", 2) == 0)
      continue;
    if (strcmp(values[i], name) == 0)
      return true;
    any = true;
  }
  return !any;
}

int main(int argc, char **argv) {
  BenchOptions options = {.instances = "../shared/planners/csv",
                          .orders = "../shared/orders"};
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--instances=", 12) == 0) {
      options.instances = argv[i] + 12;
    } else if (strncmp(argv[i], "--orders=", 9) == 0) {
      options.orders = argv[i] + 9;
    } else if (strncmp(argv[i], "--vs=", 5) == 0) {
      options.other_command = argv[i] + 5;
    } else if (strncmp(argv[i], "--steps=", 8) == 0) {
      options.step_budget = strtoull(argv[i] + 8, NULL, 10);
    } else if (argv[i][0] == '-') {
      fputs(usage, strcmp(argv[i], "--help") == 0 ? stdout : stderr);
      return strcmp(argv[i], "--help") == 0 ? 0 : 2;
    }
  }
  for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i)
    if (is_asked_for(sections[i].name, argc, argv)) {
      sections[i].run(&options);
      fflush(stdout);
    }
  return 0;
}
