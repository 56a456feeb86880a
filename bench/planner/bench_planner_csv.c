// The eleven "challenging" instances of MiniMalloc.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_planner.h"
#include "bench_planner_instance.h"
#include "luna/vector.h"

enum {
  INSTANCE_COUNT = 11,
  CAPACITY_BYTES = 1048576,
  REPEATS = 5,
  CAPACITY_SHUFFLES = 6,
  MINIMISE_SHUFFLES = 5
};

// Seconds that MiniMalloc took at the capacity, the median of three runs on
// one machine (2 cores, x86-64), recorded once.
static const double recorded_seconds[INSTANCE_COUNT] = {
    5.74, 4.33, 0.81, 3.79, 4.03, 6.83, 1.47, 2.23, 4.42, 1.48, 0.65};

typedef BenchInstance Instance;

// Shuffles the rows below the header; 0 leaves them as they are.
static void shuffle_rows(LunaText *text, uint64_t seed) {
  LunaArena arena = {0};
  LunaText shuffled = {0};
  LUNA_VECTOR(const char *) rows = {0};
  const char *end = text->data + text->length;
  const char *row = text->data;
  if (seed == 0)
    return;
  for (const char *next; row < end; row = next) {
    next = memchr(row, '\n', (size_t)(end - row));
    next = next ? next + 1 : end;
    *LUNA_VECTOR_ADD(&arena, &rows) = row;
  }
  for (uint64_t i = rows.count - 1; i > 1; --i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t other = 1 + (seed >> 33) % i;
    const char *moved = rows.items[i];
    rows.items[i] = rows.items[other];
    rows.items[other] = moved;
  }
  for (uint64_t i = 0; i < rows.count; ++i) {
    size_t left = (size_t)(end - rows.items[i]);
    const char *stop = memchr(rows.items[i], '\n', left);
    luna_text_printf(&shuffled, "%.*s\n",
                     (int)(stop ? stop - rows.items[i] : (ptrdiff_t)left),
                     rows.items[i]);
  }
  luna_text_deinit(text);
  *text = shuffled;
  luna_arena_destroy(&arena);
}

// What changes the sizes of an instance: by so much at most, up or down.
typedef struct Perturbation {
  const char *name;
  int64_t percent, bytes;
  uint64_t seed; // 0: nothing changes
} Perturbation;

// Changes the last column, which has the sizes, below the header.
static void perturb_sizes(LunaText *text, Perturbation by) {
  LunaText changed = {0};
  const char *end = text->data + text->length;
  const char *row = memchr(text->data, '\n', text->length);
  if (by.seed == 0 || !row)
    return;
  luna_text_printf(&changed, "%.*s", (int)(++row - text->data), text->data);
  while (row < end) {
    const char *stop = memchr(row, '\n', (size_t)(end - row));
    const char *next = stop ? stop + 1 : end, *size = stop ? stop : end;
    while (size > row && size[-1] != ',')
      --size;
    int64_t bytes = strtoll(size, NULL, 10);
    int64_t most = bytes * by.percent / 100 + by.bytes;
    by.seed = by.seed * 6364136223846793005u + 1442695040888963407u;
    bytes += (int64_t)(by.seed >> 33) % (2 * most + 1) - most;
    luna_text_printf(&changed, "%.*s%lld\n", (int)(size - row), row,
                     (long long)(bytes > 1 ? bytes : 1));
    row = next;
  }
  luna_text_deinit(text);
  *text = changed;
}

// Loads an instance with its rows in the order of `shuffle` and other sizes.
static bool load_changed(const BenchOptions *options, int index,
                         uint64_t shuffle, Perturbation by,
                         Instance *instance) {
  LunaError error = {0};
  *instance = (Instance){0};
  snprintf(instance->path, sizeof instance->path, "%s/%c.1048576.csv",
           options->instances, 'A' + index);
  if (luna_text_read_file(&instance->text, instance->path, (size_t)1 << 28,
                          &error)) {
    shuffle_rows(&instance->text, shuffle);
    perturb_sizes(&instance->text, by);
    if (luna_plan_csv_read(instance->text.data, instance->text.length,
                           instance->path, &instance->arena, &instance->csv,
                           &error))
      return true;
  }
  printf("skipped: %s\n", error.message);
  luna_text_deinit(&instance->text);
  luna_arena_destroy(&instance->arena);
  return false;
}

static bool load(const BenchOptions *options, int index, uint64_t shuffle,
                 Instance *instance) {
  return load_changed(options, index, shuffle, (Perturbation){0}, instance);
}

void bench_unload(Instance *instance) {
  luna_text_deinit(&instance->text);
  luna_arena_destroy(&instance->arena);
}

static int compare_seconds(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

// The median of some runs.
static double median_seconds(Instance *instance, const LunaPlanOptions *options,
                             LunaSolution *solution) {
  double seconds[REPEATS];
  for (int i = 0; i < REPEATS; ++i)
    seconds[i] = bench_solve(instance->csv.problem, options, solution);
  qsort(seconds, REPEATS, sizeof *seconds, compare_seconds);
  return seconds[REPEATS / 2];
}

// Prints the seconds of another solver, if there is one; "none" if it failed.
static void print_other(const BenchOptions *options, double seconds) {
  if (!options->other_command)
    return;
  if (seconds < 0)
    printf(" %9s", "none");
  else
    printf(" %9.2f", seconds);
}

// Returns the shuffles of an instance that fit by the default strategy; the
// most steps that one took are added to `*most_steps`.
static int count_solved(const BenchOptions *options, int index,
                        uint64_t *most_steps) {
  int solved = 0;
  for (uint64_t shuffle = 1; shuffle <= CAPACITY_SHUFFLES; ++shuffle) {
    Instance instance;
    if (!load(options, index, shuffle, &instance))
      return solved;
    LunaSolution solution;
    LunaPlanOptions plan = {.capacity_bytes = CAPACITY_BYTES,
                            .any_that_fits = true};
    bench_solve(instance.csv.problem, &plan, &solution);
    solved += solution.total.bytes <= CAPACITY_BYTES;
    if (*most_steps < solution.search_steps)
      *most_steps = solution.search_steps;
    bench_unload(&instance);
  }
  return solved;
}

void bench_capacity(const BenchOptions *options) {
  printf("== A to K at capacity 1048576, strategy best (median of %d runs); "
         "then with their rows shuffled\n",
         REPEATS);
  printf("%-3s %10s %9s %10s %11s %8s %9s %10s  %s\n", "", "bytes", "steps",
         "seconds", options->other_command ? "other" : "minimalloc", "ratio",
         "shuffled", "most steps",
         options->other_command ? "measured" : "recorded");
  double log_ratios = 0, ours = 0, theirs = 0;
  int solved = 0, shuffles_solved = 0;
  for (int i = 0; i < INSTANCE_COUNT; ++i) {
    Instance instance;
    if (!load(options, i, 0, &instance))
      return;
    LunaSolution solution;
    LunaPlanOptions plan = {.capacity_bytes = CAPACITY_BYTES,
                            .any_that_fits = true};
    double seconds = median_seconds(&instance, &plan, &solution);
    double other = options->other_command
                       ? bench_run_other(options, instance.path, CAPACITY_BYTES)
                       : recorded_seconds[i];
    bool is_solved = solution.total.bytes <= CAPACITY_BYTES;
    uint64_t most_steps = 0;
    int of_shuffles = count_solved(options, i, &most_steps);
    printf("%c   %10lld %9llu %10.5f %11.3f %7.0fx %4d of %d %10llu  %s\n",
           'A' + i, (long long)solution.total.bytes,
           (unsigned long long)solution.search_steps, seconds, other,
           other / seconds, of_shuffles, CAPACITY_SHUFFLES,
           (unsigned long long)most_steps, is_solved ? "solved" : "NOT SOLVED");
    solved += is_solved;
    shuffles_solved += of_shuffles;
    log_ratios += log(other / seconds);
    ours += seconds;
    theirs += other;
    bench_unload(&instance);
  }
  printf("%d of %d solved, %d of %d shuffled; %.4f s against %.2f s in all; "
         "geometric mean %.0fx (goal: 50x)\n\n",
         solved, INSTANCE_COUNT, shuffles_solved,
         INSTANCE_COUNT * CAPACITY_SHUFFLES, ours, theirs,
         exp(log_ratios / INSTANCE_COUNT));
}

void bench_minimise(const BenchOptions *options) {
  // D and J are open: the best plans known elsewhere.
  static const long long known[INSTANCE_COUNT] = {[3] = 1001472, [9] = 1002496};
  printf("== A to K minimised\n%-3s %10s %10s %7s %10s %10s  %s\n", "", "bytes",
         "bound", "ratio", "steps", "seconds", "result");
  double proven_seconds = 0;
  for (int i = 0; i < INSTANCE_COUNT; ++i) {
    Instance instance;
    if (!load(options, i, 0, &instance))
      return;
    LunaSolution solution;
    LunaPlanOptions plan = {.strategy = "optimal",
                            .step_budget = options->step_budget};
    double seconds = bench_solve(instance.csv.problem, &plan, &solution);
    printf("%c   %10lld %10lld %7.4f %10llu %10.4f  ", 'A' + i,
           (long long)solution.total.bytes,
           (long long)solution.total.placement_bound_bytes,
           (double)solution.total.bytes /
               (double)solution.total.placement_bound_bytes,
           (unsigned long long)solution.search_steps, seconds);
    if (solution.is_optimal)
      printf("optimal\n");
    else
      printf("gap %lld, open; best known elsewhere %lld\n",
             (long long)(solution.total.bytes -
                         solution.total.placement_bound_bytes),
             known[i]);
    proven_seconds += solution.is_optimal ? seconds : 0;
    bench_unload(&instance);
  }
  printf(
      "proven in %.4f s together (goal: A, B, C, E to I, K in under 1 s)\n\n",
      proven_seconds);
}

static int compare_bytes(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

void bench_shuffles(const BenchOptions *options) {
  printf("== D and J minimised, their rows shuffled %d times\n%-3s %10s %10s "
         "%10s %10s\n",
         MINIMISE_SHUFFLES, "", "best", "median", "worst", "bound");
  for (int i = 3; i < INSTANCE_COUNT; i += 6) {
    int64_t bytes[MINIMISE_SHUFFLES] = {0}, bound = 0;
    for (uint64_t shuffle = 1; shuffle <= MINIMISE_SHUFFLES; ++shuffle) {
      Instance instance;
      if (!load(options, i, shuffle, &instance))
        return;
      LunaSolution solution;
      LunaPlanOptions plan = {.strategy = "optimal",
                              .step_budget = options->step_budget};
      bench_solve(instance.csv.problem, &plan, &solution);
      bytes[shuffle - 1] = solution.total.bytes;
      bound = solution.total.placement_bound_bytes;
      bench_unload(&instance);
    }
    qsort(bytes, MINIMISE_SHUFFLES, sizeof *bytes, compare_bytes);
    printf("%c   %10lld %10lld %10lld %10lld\n", 'A' + i, (long long)bytes[0],
           (long long)bytes[MINIMISE_SHUFFLES / 2],
           (long long)bytes[MINIMISE_SHUFFLES - 1], (long long)bound);
  }
  printf("\n");
}

bool bench_load_file(const char *folder, const char *name, Instance *instance) {
  LunaError error = {0};
  *instance = (Instance){0};
  snprintf(instance->path, sizeof instance->path, "%s/%s.csv", folder, name);
  if (luna_text_read_file(&instance->text, instance->path, (size_t)1 << 28,
                          &error) &&
      luna_plan_csv_read(instance->text.data, instance->text.length,
                         instance->path, &instance->arena, &instance->csv,
                         &error))
    return true;
  printf("skipped: %s\n", error.message);
  bench_unload(instance);
  return false;
}

bool bench_load_beside(const BenchOptions *options, const char *name,
                       Instance *instance) {
  char folder[500];
  snprintf(folder, sizeof folder, "%s/..", options->instances);
  return bench_load_file(folder, name, instance);
}

void bench_large(const BenchOptions *options) {
  static const char *const names[] = {"large/S_1", "large/Y_1"};
  printf("== large instances (IOPDDL, from idealloc), strategy optimal\n"
         "%-3s %8s %14s %14s %8s %9s%s\n",
         "", "buffers", "bytes", "bound", "ratio", "seconds",
         options->other_command ? "     other, for a plan of that size" : "");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    Instance instance;
    if (!bench_load_beside(options, names[i], &instance))
      return;
    LunaSolution solution;
    LunaPlanOptions plan = {.strategy = "optimal"};
    double seconds = bench_solve(instance.csv.problem, &plan, &solution);
    printf("%-3s %8u %14lld %14lld %8.4f %9.2f", names[i] + 6,
           solution.buffer_count, (long long)solution.total.bytes,
           (long long)solution.witness.bytes,
           (double)solution.total.bytes / (double)solution.witness.bytes,
           seconds);
    print_other(options,
                bench_run_other(options, instance.path, solution.total.bytes));
    printf("\n");
    bench_unload(&instance);
  }
  printf("\n");
}

// Plans an instance without a hint; returns in percent how far that is over the
// plan of `offsets` placed again.
static double print_excess(const BenchOptions *options, Instance *instance,
                           const int64_t *offsets) {
  LunaSolution again, fresh;
  LunaPlanOptions plan = {
      .strategy = "optimal", .step_budget = 1, .hint_offset_bytes = offsets};
  bench_solve(instance->csv.problem, &plan, &again);
  plan = (LunaPlanOptions){.strategy = "optimal",
                           .step_budget = options->step_budget};
  bench_solve(instance->csv.problem, &plan, &fresh);
  double excess =
      100 * ((double)fresh.total.bytes / (double)again.total.bytes - 1);
  printf(" %10.2f", excess);
  print_other(options,
              bench_run_other_on(options, &instance->text, again.total.bytes));
  fflush(stdout);
  return excess;
}

// The excesses above half a percent, and the largest.
typedef struct Excesses {
  int count, above;
  double worst;
} Excesses;

// Adds those of one instance.
static bool add_excesses(const BenchOptions *options, int index,
                         const Perturbation *kinds, size_t kind_count,
                         Excesses *excesses) {
  Instance instance, changed;
  if (!load(options, index, 0, &instance))
    return false;
  LunaSolution solution;
  LunaPlanOptions plan = {.strategy = "optimal",
                          .step_budget = options->step_budget};
  bench_solve(instance.csv.problem, &plan, &solution);
  printf("%c  ", 'A' + index);
  for (size_t k = 0; k < kind_count; ++k) {
    if (!load_changed(options, index, 0, kinds[k], &changed))
      break;
    double excess = print_excess(options, &changed, solution.offset_bytes);
    ++excesses->count;
    excesses->above += excess > 0.5;
    if (excesses->worst < excess)
      excesses->worst = excess;
    bench_unload(&changed);
  }
  printf("\n");
  bench_unload(&instance);
  return true;
}

// Two sets: variants were chosen on the first.
static const Perturbation sets[][3] = {
    {{"5 %", 5, 0, 1}, {"5 %", 5, 0, 2}, {"300 bytes", 0, 300, 1}},
    {{"5 %", 5, 0, 3}, {"5 %", 5, 0, 4}, {"300 bytes", 0, 300, 2}}};

bool bench_load(const BenchOptions *options, int index, uint64_t shuffle,
                int perturbation, Instance *instance) {
  Perturbation by = {0};
  if (perturbation > 0)
    by = sets[(perturbation - 1) / 3][(perturbation - 1) % 3];
  return load_changed(options, index, shuffle, by, instance);
}

void bench_perturbed(const BenchOptions *options) {
  for (size_t set = 0; set < sizeof sets / sizeof *sets; ++set) {
    printf("== A to K with other sizes, without a hint: percent over the plan "
           "of A to K placed again%s\n   ",
           set == 0 ? "" : ", other seeds");
    for (size_t k = 0; k < 3; ++k)
      printf(" %10s%s", sets[set][k].name,
             options->other_command ? "     other" : "");
    printf("\n");
    Excesses excesses = {0};
    for (int i = 0; i < INSTANCE_COUNT; ++i)
      if (!add_excesses(options, i, sets[set], 3, &excesses))
        return;
    printf("%d of %d above 0.5, the worst %.2f\n\n", excesses.above,
           excesses.count, excesses.worst);
  }
}

void bench_strategies(const BenchOptions *options) {
  printf("== every strategy on A to K: bytes / bound\n%-28s", "");
  static double ratios[64][INSTANCE_COUNT];
  for (int i = 0; i < INSTANCE_COUNT; ++i) {
    Instance instance;
    if (!load(options, i, 0, &instance))
      return;
    printf(" %6c", 'A' + i);
    for (uint32_t k = 0; k < luna_strategy_count() && k < 64; ++k) {
      LunaSolution solution;
      LunaPlanOptions plan = {.strategy = luna_strategy_name(k),
                              .step_budget = 200000};
      bench_solve(instance.csv.problem, &plan, &solution);
      ratios[k][i] = (double)solution.total.bytes /
                     (double)solution.total.placement_bound_bytes;
    }
    bench_unload(&instance);
  }
  printf("\n");
  for (uint32_t k = 0; k < luna_strategy_count() && k < 64; ++k) {
    printf("%-28s", luna_strategy_name(k));
    for (int i = 0; i < INSTANCE_COUNT; ++i)
      printf(" %6.3f", ratios[k][i]);
    printf("\n");
  }
  printf("\n");
}
