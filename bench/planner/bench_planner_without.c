// What each part of the planner is worth: families of problems planned with
// and without it, with equal budgets of steps.

#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_planner.h"
#include "bench_planner_instance.h"
#include "generate.h"
#include "luna/order.h"
#include "luna/plan_coalesce.h"
#include "luna/vector.h"
#include "plan_tricks.h"

enum { CAPACITY_BYTES = 1048576 };

// One problem, planned.
typedef struct Sample {
  int64_t bytes;
  uint64_t steps;
  bool is_good; // it fits, or is proven
} Sample;

typedef struct Samples {
  LUNA_VECTOR(Sample);
  LunaArena arena;
  double seconds;
} Samples;

// What is planned, and without what.
typedef struct Without {
  const BenchOptions *options;
  const char *names;
  Samples *samples;
} Without;

static void add_sample(const Without *self, Sample sample) {
  *LUNA_VECTOR_ADD(&self->samples->arena, self->samples) = sample;
}

static void add_plan(const Without *self, LunaProblem *problem,
                     const char *strategy, uint64_t step_budget) {
  LunaSolution solution;
  LunaPlanOptions plan = {
      .strategy = strategy, .step_budget = step_budget, .without = self->names};
  self->samples->seconds += bench_solve(problem, &plan, &solution);
  add_sample(self, (Sample){solution.total.bytes, solution.search_steps,
                            solution.proof != LUNA_PROOF_NONE});
}

//===- The families -------------------------------------------------------===//

// The steps of each search: enough for a round of all phases.
static uint64_t steps_of(const Without *self) {
  return self->options->step_budget / 2;
}

static void plan_capacity(const Without *self) {
  for (int i = 0; i < BENCH_INSTANCE_COUNT; ++i)
    for (uint64_t shuffle = 0; shuffle < 2 * self->options->seeds; ++shuffle) {
      BenchInstance instance;
      LunaSolution solution;
      LunaPlanOptions plan = {.capacity_bytes = CAPACITY_BYTES,
                              .any_that_fits = true,
                              .without = self->names};
      if (!bench_load(self->options, i, shuffle, 0, &instance))
        return;
      self->samples->seconds +=
          bench_solve(instance.csv.problem, &plan, &solution);
      bool fits = solution.total.bytes <= CAPACITY_BYTES;
      add_sample(self, (Sample){fits ? CAPACITY_BYTES : solution.total.bytes,
                                solution.search_steps, fits});
      bench_unload(&instance);
    }
}

static void plan_instance(const Without *self, int index, uint64_t shuffle,
                          int perturbation) {
  BenchInstance instance;
  if (!bench_load(self->options, index, shuffle, perturbation, &instance))
    return;
  add_plan(self, instance.csv.problem, "optimal", steps_of(self));
  bench_unload(&instance);
}

static void plan_minimise(const Without *self) {
  for (int i = 0; i < BENCH_INSTANCE_COUNT; ++i)
    for (uint64_t seed = 0; seed < self->options->seeds; ++seed)
      plan_instance(self, i, seed, 0);
}

// Each instance with as many of the perturbations as there are seeds, in turn.
static void plan_perturbed(const Without *self) {
  for (int i = 0; i < BENCH_INSTANCE_COUNT; ++i)
    for (uint64_t seed = 0; seed < self->options->seeds; ++seed)
      plan_instance(self, i, seed / BENCH_PERTURBATION_COUNT,
                    1 + (int)(((uint64_t)i + seed) % BENCH_PERTURBATION_COUNT));
}

static void plan_structured(const Without *self) {
  static const uint32_t sizes[] = {20, 50, 100, 200, 500};
  for (uint32_t depth = 1; depth <= 4; ++depth)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      for (uint64_t seed = 1; seed <= 2 * self->options->seeds; ++seed) {
        LunaArena arena = {0};
        LunaProblem *problem = generate_program(&arena, sizes[i], depth, seed);
        add_plan(self, problem, NULL, 0);
        luna_arena_destroy(&arena);
      }
  LunaArena arena = {0};
  add_plan(self, generate_chain(&arena, 20000, 1), NULL, 0);
  luna_arena_destroy(&arena);
}

static void plan_loops(const Without *self) {
  static const uint32_t sizes[] = {20, 40, 80, 160, 320};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (uint64_t seed = 1; seed <= 2 * self->options->seeds; ++seed) {
      LunaArena arena = {0};
      uint32_t move_count;
      LunaProblem *problem =
          generate_loops(&arena, sizes[i], 3, seed, &move_count);
      LunaCoalescing decision;
      LunaCoalesceOptions options = {.without = self->names};
      if (!luna_plan_coalesce(problem, &options, &decision, NULL))
        abort();
      for (uint32_t k = 0; k < decision.pair_count; ++k)
        luna_problem_alias(problem, decision.pairs[k].a, decision.pairs[k].b);
      // A copy costs as much as a byte: one is given up for the other.
      add_sample(self, (Sample){1000 + (int64_t)decision.copy_cycles,
                                decision.search_steps, decision.is_exhausted});
      add_plan(self, problem, NULL, 0);
      luna_arena_destroy(&arena);
    }
}

static void plan_planted(const Without *self) {
  static const uint32_t sizes[] = {500, 2000};
  static const char *const names[] = {"planted/Ex2half", "planted/bands_100",
                                      "planted/guil_100"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (uint64_t seed = 1; seed <= self->options->seeds; ++seed) {
      LunaArena arena = {0};
      add_plan(self, generate_bands(&arena, sizes[i], seed), "optimal",
               steps_of(self) / 10);
      luna_arena_destroy(&arena);
    }
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    BenchInstance instance;
    if (!bench_load_beside(self->options, names[i], &instance))
      return;
    add_plan(self, instance.csv.problem, "optimal", steps_of(self));
    bench_unload(&instance);
  }
}

static void plan_large(const Without *self) {
  static const char *const names[] = {"large/S_1", "large/Y_1"};
  LunaArena arena = {0};
  for (uint64_t seed = 1; seed <= self->options->seeds; ++seed)
    add_plan(self, generate_bands(&arena, 20000, seed), "optimal", 0);
  luna_arena_destroy(&arena);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    BenchInstance instance;
    if (!bench_load_beside(self->options, names[i], &instance))
      return;
    add_plan(self, instance.csv.problem, "optimal", 0);
    bench_unload(&instance);
  }
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// Plans each file of the folder of problems of models, by name.
static void plan_models(const Without *self) {
  LUNA_VECTOR(char *) names = {0};
  LunaArena arena = {0};
  const char *folder = self->options->models;
  DIR *open = folder ? opendir(folder) : NULL;
  for (struct dirent *entry; open && (entry = readdir(open));)
    if (strstr(entry->d_name, ".csv")) {
      size_t length = strlen(entry->d_name);
      char *name = LUNA_ARENA_ARRAY(&arena, char, length);
      memcpy(name, entry->d_name, length - strlen(".csv"));
      *LUNA_VECTOR_ADD(&arena, &names) = name;
    }
  if (open)
    closedir(open);
  if (names.count > 0)
    qsort(names.items, names.count, sizeof *names.items, compare_names);
  for (uint64_t i = 0; i < names.count; ++i) {
    BenchInstance instance;
    if (!bench_load_file(folder, names.items[i], &instance))
      break;
    add_plan(self, instance.csv.problem, NULL, 0);
    add_plan(self, instance.csv.problem, "optimal", steps_of(self));
    bench_unload(&instance);
  }
  luna_arena_destroy(&arena);
}

static void plan_orders(const Without *self) {
  for (int i = 0; i < bench_order_count; ++i) {
    LunaArena arena = {0};
    LunaOrderSolution solution;
    LunaOrderOptions options = {.step_budget = 4000000, .without = self->names};
    LunaOrderGraph *graph =
        bench_read_order(self->options, bench_order_names[i], &arena);
    if (!graph)
      return;
    clock_t start = clock();
    if (!luna_order_solve(graph, &options, &solution, NULL))
      abort();
    self->samples->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    add_sample(self, (Sample){solution.peak_bytes, solution.steps,
                              solution.is_optimal});
    luna_arena_destroy(&arena);
  }
}

// The families, and the tricks that each is planned without: those that it
// comes to.
static const struct {
  const char *name;
  void (*plan)(const Without *self);
  LunaPlanTrick first, end;
} families[] = {
    {"models", plan_models, 0, PLAN_TRICK_WINDOWS},
    {"capacity", plan_capacity, 0, PLAN_TRICK_WINDOWS},
    {"structured", plan_structured, 0, PLAN_TRICK_WINDOWS},
    {"loops", plan_loops, PLAN_TRICK_COALESCE_SETS, PLAN_TRICK_COUNT},
    {"minimise", plan_minimise, PLAN_TRICK_PEEL, PLAN_TRICK_WINDOWS},
    {"perturbed", plan_perturbed, PLAN_TRICK_PEEL, PLAN_TRICK_WINDOWS},
    {"planted", plan_planted, PLAN_TRICK_GREEDY_SIZE, PLAN_TRICK_WINDOWS},
    {"large", plan_large, PLAN_TRICK_GREEDY_SIZE, PLAN_TRICK_PEEL},
    {"large", plan_large, PLAN_TRICK_KIND_AREA, PLAN_TRICK_ORDER_EXACT},
    {"orders", plan_orders, PLAN_TRICK_ORDER_EXACT, PLAN_TRICK_COALESCE_SETS},
};

enum { FAMILY_COUNT = sizeof families / sizeof *families };

//===- The table ----------------------------------------------------------===//

// How samples differ from those with everything.
typedef struct Change {
  double mean, worst; // percent
  int better, worse, good;
  double steps, seconds;
} Change;

static Change compare(const Samples *with, const Samples *without) {
  Change change = {0};
  double steps[2] = {1, 1};
  for (uint64_t i = 0; i < with->count; ++i) {
    const Sample *a = &with->items[i], *b = &without->items[i];
    double percent = 100 * ((double)b->bytes / (double)a->bytes - 1);
    change.mean += percent / (double)with->count;
    change.worst = percent > change.worst ? percent : change.worst;
    change.better += b->bytes < a->bytes;
    change.worse += b->bytes > a->bytes;
    change.good += b->is_good - a->is_good;
    steps[0] += (double)a->steps;
    steps[1] += (double)b->steps;
  }
  change.steps = steps[1] / steps[0];
  change.seconds = without->seconds / with->seconds;
  return change;
}

static bool is_covered(int family, const char *names) {
  LunaPlanWithout set;
  LunaError error;
  if (!luna_plan_read_without(names, &set, &error)) {
    fprintf(stderr, "bench-planner: %s\n", error.message);
    exit(2);
  }
  for (LunaPlanTrick t = families[family].first; t < families[family].end; ++t)
    if (!plan_tries(&set, t))
      return true;
  return false;
}

// Prints the rows of one set of tricks.
static void print_without(const BenchOptions *options, Samples *all,
                          const char *names) {
  for (int i = 0; i < FAMILY_COUNT; ++i) {
    Samples samples = {0};
    Without self = {options, names, &samples};
    bool is_asked_for =
        !options->problems || strcmp(options->problems, families[i].name) == 0;
    if (!is_asked_for || !is_covered(i, names))
      continue;
    if (all[i].count == 0)
      families[i].plan(&(Without){options, NULL, &all[i]});
    families[i].plan(&self);
    if (samples.count > 0) {
      Change change = compare(&all[i], &samples);
      printf("%-16s %-10s %4llu %+8.3f %+8.2f %5d %5d %+5d %7.3f %7.2f\n",
             names, families[i].name, (unsigned long long)samples.count,
             change.mean, change.worst, change.better, change.worse,
             change.good, change.steps, change.seconds);
    }
    fflush(stdout);
    luna_arena_destroy(&samples.arena);
  }
}

void bench_without(const BenchOptions *options) {
  static Samples all[FAMILY_COUNT];
  printf("== what parts of the planner are worth: without each, bytes in "
         "percent,\n   plans that are smaller and larger, that fit or are "
         "proven, steps and time\n%-16s %-10s %4s %8s %8s %5s %5s %5s %7s "
         "%7s\n",
         "without", "problems", "", "mean", "worst", "less", "more", "good",
         "steps", "time");
  for (int i = 0; i < options->without_count; ++i)
    print_without(options, all, options->without[i]);
  for (int i = 0; i < PLAN_TRICK_COUNT && options->without_count == 0; ++i)
    print_without(options, all, luna_plan_trick_name((LunaPlanTrick)i));
  for (int i = 0; i < FAMILY_COUNT; ++i)
    luna_arena_destroy(&all[i].arena);
  printf("\n");
}
