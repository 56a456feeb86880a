// Generated problems: deep chains, programs with branches, growth with size.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_planner.h"
#include "generate.h"
#include "luna/plan_coalesce.h"

void bench_chains(const BenchOptions *options) {
  (void)options;
  static const struct {
    uint32_t count;
    double ratio, seconds;
  } goals[] = {{1000, 1.01, 0.05}, {20000, 1.03, 1}, {60000, 1.03, 10}};
  printf("== training of a deep chain (generated, seed 1), strategy best\n");
  printf("%7s %16s %16s %8s %9s\n", "buffers", "bytes", "bound", "ratio",
         "seconds");
  for (size_t i = 0; i < sizeof goals / sizeof *goals; ++i) {
    LunaArena arena = {0};
    LunaProblem *problem = generate_chain(&arena, goals[i].count, 1);
    LunaSolution solution;
    LunaPlanOptions plan = {0};
    double seconds = bench_solve(problem, &plan, &solution);
    printf("%7u %16lld %16lld %8.5f %9.3f  by %s (goal: %.2f in about %g s)\n",
           goals[i].count, (long long)solution.total.bytes,
           (long long)solution.total.placement_bound_bytes,
           (double)solution.total.bytes /
               (double)solution.total.placement_bound_bytes,
           seconds, solution.strategy, goals[i].ratio, goals[i].seconds);
    luna_arena_destroy(&arena);
  }
  printf("\n");
}

// Sums over the programs of one depth, per treatment.
typedef struct Sums {
  double ratio[LUNA_MERGE_COUNT], largest[LUNA_MERGE_COUNT];
  int at_bound, proven, count;
  double seconds;
} Sums;

static void add_program(Sums *sums, uint32_t count, uint32_t depth,
                        uint64_t seed) {
  LunaArena arena = {0};
  LunaProblem *problem = generate_program(&arena, count, depth, seed);
  int64_t bound = 0;
  for (int merge = 0; merge < LUNA_MERGE_COUNT; ++merge) {
    LunaSolution solution;
    LunaPlanOptions plan = {.strategy = "optimal",
                            .merge = (LunaMerge)merge,
                            .step_budget = 100000};
    double seconds = bench_solve(problem, &plan, &solution);
    // The bound of the point, not one raised by search.
    if (merge == LUNA_MERGE_PATH) {
      bound = solution.witness.bytes;
      sums->seconds += seconds;
      sums->at_bound += solution.total.bytes == bound;
      sums->proven += solution.is_optimal;
    }
    double ratio = (double)solution.total.bytes / (double)bound;
    sums->ratio[merge] += ratio;
    if (sums->largest[merge] < ratio)
      sums->largest[merge] = ratio;
  }
  ++sums->count;
  luna_arena_destroy(&arena);
}

void bench_programs(const BenchOptions *options) {
  (void)options;
  static const uint32_t sizes[] = {20, 50, 100, 200, 500, 1000, 2000};
  static const int goals[] = {80, 65, 50, 0};
  printf("== programs with branches and loops (generated), optimal with "
         "100000 steps\n"
         "   mean and largest ratio of the plan to the heaviest point, per "
         "treatment\n");
  printf("%5s %8s %9s %8s  %-15s %-15s %-15s %-15s %8s\n", "depth", "programs",
         "at bound", "proven", "path", "block", "linear", "none", "s (path)");
  for (uint32_t depth = 1; depth <= 4; ++depth) {
    Sums sums = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      for (uint64_t seed = 1; seed <= (sizes[i] <= 200 ? 20u : 5u); ++seed)
        add_program(&sums, sizes[i], depth, seed);
    printf("%5u %8d %8d%% %7d%% ", depth, sums.count,
           100 * sums.at_bound / sums.count, 100 * sums.proven / sums.count);
    for (int merge = 0; merge < LUNA_MERGE_COUNT; ++merge)
      printf(" %.4f (%.3f)", sums.ratio[merge] / sums.count,
             sums.largest[merge]);
    printf(" %8.2f", sums.seconds);
    if (goals[depth - 1] > 0)
      printf("  (goal: %d%%, 1.01)", goals[depth - 1]);
    printf("\n");
    fflush(stdout);
  }
  printf("\n");
}

// Sums over the programs with loops of one size.
typedef struct LoopSums {
  int count, proven, at_bound, above, others;
  uint32_t moves, copies;
  double ratio, largest, seconds, other_seconds;
} LoopSums;

// Unifies what luna_plan_coalesce says, as a compiler would.
static LunaCoalescing coalesce(LunaProblem *problem, uint32_t move_count,
                               LoopSums *sums) {
  LunaCoalescing decision;
  if (!luna_plan_coalesce(problem, NULL, &decision, NULL))
    abort();
  for (uint32_t i = 0; i < decision.pair_count; ++i)
    luna_problem_alias(problem, decision.pairs[i].a, decision.pairs[i].b);
  sums->moves += move_count;
  sums->copies += (uint32_t)decision.copy_cycles;
  return decision;
}

// Writes, for each buffer, the first of those that share its place.
static uint32_t *find_places(LunaArena *arena, const LunaProblem *problem,
                             const LunaCoalescing *decision) {
  uint32_t count = luna_problem_buffer_count(problem);
  uint32_t *places = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    places[i] = i;
  for (uint32_t i = 0; i < decision->pair_count; ++i) {
    uint32_t a = places[decision->pairs[i].a], b = places[decision->pairs[i].b];
    for (uint32_t k = 0; k < count; ++k)
      if (places[k] == (a < b ? b : a))
        places[k] = a < b ? a : b;
  }
  return places;
}

// Marks the steps at which a place is occupied.
static void mark_steps(const LunaLifetime *lifetimes, const uint32_t *places,
                       uint32_t buffer_count, uint32_t place, bool *is_live) {
  for (uint32_t i = place; i < buffer_count; ++i)
    for (uint32_t r = 0; places[i] == place && r < lifetimes[i].range_count;
         ++r)
      for (LunaStepId step = lifetimes[i].ranges[r].first;
           step < lifetimes[i].ranges[r].end; ++step)
        is_live[step] = true;
}

// Writes a row with the gaps between the steps that are marked, if any are.
static void write_row(const LunaBuffer *buffer, uint32_t place,
                      const bool *is_live, uint32_t step_count,
                      LunaText *text) {
  uint32_t first = 0, end = step_count;
  while (first < end && !is_live[first])
    ++first;
  while (end > first && !is_live[end - 1])
    --end;
  if (first == end)
    return;
  luna_text_printf(text, "%u,%u,%u,%lld,", place, first, end,
                   (long long)buffer->size_bytes);
  const char *separator = "";
  for (uint32_t step = first; step < end; ++step) {
    if (is_live[step])
      continue;
    uint32_t gap = step;
    while (!is_live[step])
      ++step;
    luna_text_printf(text, "%s%u-%u", separator, gap, step);
    separator = " ";
  }
  luna_text_printf(text, "\n");
}

// Writes the lifetimes in the format of MiniMalloc, with gaps: to a solver that
// does not know these, they are from first to last.
static void write_csv(LunaArena *arena, LunaProblem *problem,
                      const LunaCoalescing *decision, LunaText *text) {
  const LunaLifetime *lifetimes;
  uint32_t count = luna_problem_buffer_count(problem);
  uint32_t step_count = luna_problem_step_count(problem);
  const uint32_t *places = find_places(arena, problem, decision);
  bool *is_live = LUNA_ARENA_ARRAY(arena, bool, step_count);
  if (!luna_problem_lifetimes(problem, &lifetimes, NULL))
    abort();
  luna_text_printf(text, "id,lower,upper,size,gaps\n");
  for (uint32_t place = 0; place < count; ++place) {
    for (uint32_t step = 0; step < step_count; ++step)
      is_live[step] = false;
    mark_steps(lifetimes, places, count, place, is_live);
    write_row(luna_problem_buffer(problem, place), place, is_live, step_count,
              text);
  }
}

// Has the other solver find a plan of `bytes`.
static void add_other(const BenchOptions *options, LunaArena *arena,
                      LunaProblem *problem, const LunaCoalescing *decision,
                      int64_t bytes, LoopSums *sums) {
  LunaText text = {0};
  if (!options->other_command)
    return;
  write_csv(arena, problem, decision, &text);
  double seconds = bench_run_other_on(options, &text, bytes);
  sums->others += seconds >= 0;
  sums->other_seconds += seconds >= 0 ? seconds : 0;
  luna_text_deinit(&text);
}

static void add_loops(const BenchOptions *options, LoopSums *sums,
                      uint32_t count, uint32_t depth, uint64_t seed) {
  LunaArena arena = {0};
  uint32_t move_count = 0;
  LunaProblem *problem =
      generate_loops(&arena, count, depth, seed, &move_count);
  LunaCoalescing decision = coalesce(problem, move_count, sums);
  LunaSolution solution, known;
  LunaPlanOptions plan = {0};
  LunaPlanOptions search = {.strategy = "optimal",
                            .step_budget = options->step_budget};
  LunaProgramBound bound;
  sums->seconds += bench_solve(problem, &plan, &solution);
  bench_solve(problem, &search, &known);
  if (!luna_problem_bound(problem, &bound, NULL))
    abort();
  int64_t best = known.total.bytes < solution.total.bytes
                     ? known.total.bytes
                     : solution.total.bytes;
  double ratio = (double)solution.total.bytes / (double)best;
  ++sums->count;
  sums->proven += solution.proof != LUNA_PROOF_NONE;
  sums->at_bound += solution.total.bytes == bound.total_bytes;
  sums->above += solution.total.lower_bound_bytes > best ||
                 known.total.lower_bound_bytes > best ||
                 bound.total_bytes > best;
  sums->ratio += ratio;
  if (sums->largest < ratio)
    sums->largest = ratio;
  add_other(options, &arena, problem, &decision, solution.total.bytes, sums);
  luna_arena_destroy(&arena);
}

static void add_sums(LoopSums *total, const LoopSums *sums) {
  total->count += sums->count;
  total->proven += sums->proven;
  total->at_bound += sums->at_bound;
  total->above += sums->above;
  total->moves += sums->moves;
  total->copies += sums->copies;
  total->others += sums->others;
  total->other_seconds += sums->other_seconds;
  total->ratio += sums->ratio;
  total->seconds += sums->seconds;
  if (total->largest < sums->largest)
    total->largest = sums->largest;
}

static void print_sums(const BenchOptions *options, const char *name,
                       const LoopSums *sums) {
  printf("%7s %8d %8.5f %8.5f %7d %12d %12d %6u %6u %8.3f", name, sums->count,
         sums->ratio / sums->count, sums->largest, sums->proven, sums->above,
         sums->at_bound, sums->moves, sums->copies, sums->seconds);
  if (options->other_command)
    printf(" %8d %8.3f", sums->others, sums->other_seconds);
  printf("\n");
}

void bench_loops(const BenchOptions *options) {
  static const uint32_t sizes[] = {20, 40, 80, 160, 320};
  printf(
      "== programs of loops (generated), strategy best, over the best known: "
      "the smaller of it and of optimal with %llu steps\n"
      "%7s %8s %8s %8s %7s %12s %12s %6s %6s %8s%s\n",
      (unsigned long long)options->step_budget, "buffers", "programs", "mean",
      "largest", "proven", "bounds above", "at program's", "moves", "copies",
      "seconds", options->other_command ? " by other  seconds" : "");
  LoopSums total = {0};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    LoopSums sums = {0};
    char name[16];
    for (uint64_t seed = 1; seed <= 30; ++seed)
      add_loops(options, &sums, sizes[i], 1 + seed % 3, seed);
    snprintf(name, sizeof name, "%u", sizes[i]);
    print_sums(options, name, &sums);
    add_sums(&total, &sums);
  }
  print_sums(options, "all", &total);
  printf("\n");
}

// Has the other solver find a plan of `bytes` of buffers without gaps; prints
// its seconds.
static void print_other_plan(const BenchOptions *options, LunaProblem *problem,
                             int64_t bytes) {
  LunaText text = {0};
  const LunaLifetime *lifetimes;
  if (!options->other_command)
    return;
  if (!luna_problem_lifetimes(problem, &lifetimes, NULL))
    abort();
  luna_text_printf(&text, "id,lower,upper,size\n");
  for (uint32_t i = 0; i < luna_problem_buffer_count(problem); ++i)
    luna_text_printf(&text, "%u,%u,%u,%lld\n", i, lifetimes[i].ranges[0].first,
                     lifetimes[i].ranges[0].end,
                     (long long)luna_problem_buffer(problem, i)->size_bytes);
  double seconds = bench_run_other_on(options, &text, bytes);
  printf(seconds < 0 ? "      none" : " %9.2f", seconds);
  luna_text_deinit(&text);
}

void bench_bands(const BenchOptions *options) {
  static const uint32_t sizes[] = {500, 2000, 20000, 50000, 200000};
  printf("== one part in bands (generated, seed 1), strategy optimal\n"
         "%7s %10s %10s %8s %9s%s\n",
         "buffers", "bytes", "bound", "ratio", "seconds",
         options->other_command ? "     other, for a plan of that size" : "");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    LunaArena arena = {0};
    LunaProblem *problem = generate_bands(&arena, sizes[i], 1);
    LunaSolution solution;
    LunaPlanOptions plan = {.strategy = "optimal",
                            .step_budget = options->step_budget};
    double seconds = bench_solve(problem, &plan, &solution);
    printf("%7u %10lld %10lld %8.4f %9.2f", solution.buffer_count,
           (long long)solution.total.bytes, (long long)solution.witness.bytes,
           (double)solution.total.bytes / (double)solution.witness.bytes,
           seconds);
    print_other_plan(options, problem, solution.total.bytes);
    printf("\n");
    fflush(stdout);
    luna_arena_destroy(&arena);
  }
  printf("\n");
}

void bench_growth(const BenchOptions *options) {
  (void)options;
  static const uint32_t sizes[] = {1000, 3000, 10000, 30000, 100000};
  enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };
  printf("== time against the number of buffers, large-first, about 50 live "
         "at once\n%8s %9s %9s\n",
         "buffers", "seconds", "ratio");
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (int i = 0; i < SIZE_COUNT; ++i) {
    LunaArena arena = {0};
    LunaProblem *problem = generate_stream(&arena, sizes[i], 50, 1);
    LunaSolution solution;
    LunaPlanOptions plan = {.strategy = "large-first"};
    double seconds = bench_solve(problem, &plan, &solution);
    printf("%8u %9.4f %9.4f\n", sizes[i], seconds,
           (double)solution.total.bytes /
               (double)solution.total.placement_bound_bytes);
    double x = log(sizes[i]), y = log(seconds);
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
    luna_arena_destroy(&arena);
  }
  printf("fitted exponent %.2f\n\n", (SIZE_COUNT * sum_xy - sum_x * sum_y) /
                                         (SIZE_COUNT * sum_xx - sum_x * sum_x));
}
