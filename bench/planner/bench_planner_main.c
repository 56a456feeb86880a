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
    "strategies chains bands programs loops growth ranges orders, and if asked "
    "for: without\n"
    "\n"
    "options:\n"
    "  --instances=DIR  the MiniMalloc instances (default "
    "../shared/planners/csv)\n"
    "  --orders=DIR     the graphs of operators (default ../shared/orders)\n"
    "  --vs=COMMAND     run by sh in turn with ours, $1 is the file and $2 "
    "the\n"
    "                   capacity: 'minimalloc --input=$1 --capacity=$2';\n"
    "                   in capacity, large, perturbed and loops\n"
    "  --without=NAME[,NAME]\n"
    "                   what `without` leaves out, and again for another row;\n"
    "                   everything, each alone, by default\n"
    "  --problems=KIND  only these in `without`: models, capacity, "
    "structured,\n"
    "                   loops, minimise, perturbed, planted, large or orders\n"
    "  --models=DIR     problems of models, one in a file, for `without`\n"
    "  --steps=N        steps of search in minimise, shuffles, perturbed and\n"
    "                   of the best known of loops (default 2000000), a tenth "
    "in without\n";

static const struct {
  const char *name;
  void (*run)(const BenchOptions *options);
} sections[] = {
    {"capacity", bench_capacity},   {"minimise", bench_minimise},
    {"shuffles", bench_shuffles},   {"large", bench_large},
    {"perturbed", bench_perturbed}, {"strategies", bench_strategies},
    {"chains", bench_chains},       {"bands", bench_bands},
    {"programs", bench_programs},   {"loops", bench_loops},
    {"growth", bench_growth},       {"ranges", bench_ranges},
    {"orders", bench_orders},       {"without", bench_without},
};

enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static bool is_section(const char *name) {
  for (int i = 0; i < SECTION_COUNT; ++i)
    if (strcmp(name, sections[i].name) == 0)
      return true;
  return false;
}

static bool is_asked_for(const char *name, int count, char **values) {
  bool any = false;
  for (int i = 1; i < count; ++i) {
    if (strncmp(values[i], "--", 2) == 0)
      continue;
    if (strcmp(values[i], name) == 0)
      return true;
    any = true;
  }
  return !any && strcmp(name, "without") != 0;
}

static bool read_steps(const char *text, uint64_t *steps) {
  char *end;
  *steps = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0';
}

// Reads one argument. Returns false if there is no such option or section.
static bool read_argument(const char *value, BenchOptions *options) {
  if (strncmp(value, "--instances=", 12) == 0)
    options->instances = value + 12;
  else if (strncmp(value, "--orders=", 9) == 0)
    options->orders = value + 9;
  else if (strncmp(value, "--vs=", 5) == 0)
    options->other_command = value + 5;
  else if (strncmp(value, "--without=", 10) == 0 &&
           options->without_count < BENCH_MAX_WITHOUT)
    options->without[options->without_count++] = value + 10;
  else if (strncmp(value, "--seeds=", 8) == 0)
    return read_steps(value + 8, &options->seeds);
  else if (strncmp(value, "--problems=", 11) == 0)
    options->problems = value + 11;
  else if (strncmp(value, "--models=", 9) == 0)
    options->models = value + 9;
  else if (strncmp(value, "--steps=", 8) == 0)
    return read_steps(value + 8, &options->step_budget);
  else
    return is_section(value);
  return true;
}

int main(int argc, char **argv) {
  BenchOptions options = {.instances = "../shared/planners/csv",
                          .orders = "../shared/orders",
                          .step_budget = 2000000,
                          .seeds = 1};
  for (int i = 1; i < argc; ++i) {
    bool is_help = strcmp(argv[i], "--help") == 0;
    if (is_help || !read_argument(argv[i], &options)) {
      fputs(usage, is_help ? stdout : stderr);
      return is_help ? 0 : 2;
    }
  }
  for (int i = 0; i < SECTION_COUNT; ++i)
    if (is_asked_for(sections[i].name, argc, argv)) {
      sections[i].run(&options);
      fflush(stdout);
    }
  return 0;
}
