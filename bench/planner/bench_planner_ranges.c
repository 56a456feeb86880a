// Plans for ranges of sizes: how close they are to what is live, and how fast
// offsets are evaluated.

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_planner.h"
#include "generate.h"
#include "luna/plan_check.h"
#include "luna/plan_csv.h"

enum { BINDINGS = 64, GRAPHS = 250 };

static void stop_unless(bool ok, const LunaError *error) {
  if (ok)
    return;
  fprintf(stderr, "bench-planner: %s\n", error->message);
  exit(3);
}

//===- Plans --------------------------------------------------------------===//

// Returns the peak of a binding, whose plan is checked; its sizes stay with the
// problem.
static int64_t eval_checked(LunaProblem *problem, const LunaPlanSizes *sizes,
                            const LunaRangePlan *plan, const int64_t *values) {
  LunaArena arena = {0};
  LunaError error = {.message = "no offsets for a binding"};
  LunaRangeResult result;
  int64_t *work = LUNA_ARENA_ARRAY(&arena, int64_t, luna_plan_eval_work(plan));
  int64_t *offsets = LUNA_ARENA_ARRAY(&arena, int64_t, plan->buffer_count);
  stop_unless(
      luna_plan_eval(plan, values, work, offsets, &result) &&
          luna_plan_bind_sizes(problem, sizes, values, &error) &&
          luna_plan_check(problem, offsets, result.peak_bytes, &arena, &error),
      &error);
  luna_arena_destroy(&arena);
  return result.peak_bytes;
}

static LunaRangePlan orient(LunaProblem *problem, const LunaPlanSizes *sizes,
                            const LunaOrientOptions *options) {
  LunaRangePlan plan;
  LunaError error = {0};
  stop_unless(luna_plan_orient(problem, sizes, options, &plan, &error), &error);
  return plan;
}

// Plans the sizes that the problem has with a strategy; writes what is live.
static int64_t solve(LunaProblem *problem, const char *strategy,
                     int64_t *live_bytes) {
  LunaSolution solution;
  LunaPlanOptions options = {.strategy = strategy};
  bench_solve(problem, &options, &solution);
  *live_bytes = solution.witness.bytes;
  return solution.total.bytes;
}

//===- Best fit -----------------------------------------------------------===//

typedef struct Placed {
  int64_t offset, size;
  uint32_t end;
} Placed;

static int compare_offsets(const void *a, const void *b) {
  int64_t x = ((const Placed *)a)->offset, y = ((const Placed *)b)->offset;
  return (x > y) - (x < y);
}

// Returns the offset of the smallest gap for `size` among `count` buffers at
// rising offsets, or their top.
static int64_t best_gap(const Placed *placed, uint32_t count, int64_t size) {
  int64_t top = 0, best = -1, best_room = INT64_MAX;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t room = placed[i].offset - top;
    if (room >= size && room < best_room) {
      best = top;
      best_room = room;
    }
    if (placed[i].offset + placed[i].size > top)
      top = placed[i].offset + placed[i].size;
  }
  return best >= 0 ? best : top;
}

// Places each buffer when it is made in the smallest gap between those that are
// live, as allocators at run time do; returns the peak. The buffers come in the
// order of their steps.
static int64_t best_fit(LunaProblem *problem) {
  LunaArena arena = {0};
  LunaError error = {0};
  const LunaLifetime *lifetimes = NULL;
  stop_unless(luna_problem_lifetimes(problem, &lifetimes, &error), &error);
  uint32_t count = luna_problem_buffer_count(problem), live = 0;
  Placed *placed = LUNA_ARENA_ARRAY(&arena, Placed, count);
  int64_t peak = 0;
  for (uint32_t i = 0; i < count; ++i) {
    LunaSteps steps = lifetimes[i].ranges[0];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < live; ++k)
      if (placed[k].end > steps.first)
        placed[kept++] = placed[k];
    int64_t size = luna_problem_buffer(problem, i)->size_bytes;
    int64_t offset = best_gap(placed, kept, size);
    placed[kept] = (Placed){offset, size, steps.end};
    live = kept + 1;
    qsort(placed, live, sizeof *placed, compare_offsets);
    peak = offset + size > peak ? offset + size : peak;
  }
  luna_arena_destroy(&arena);
  return peak;
}

//===- Random graphs ------------------------------------------------------===//

// What is compared: plans for ranges of four orders and of one, and greedy
// strategies that see the sizes.
enum { FOUR, ONE, LARGE_FIRST, BEST_FIT, KINDS };

typedef struct Row {
  double logs[KINDS], largest[KINDS];
  int count, graphs, orders;
} Row;

static void add_binding(Row *row, const int64_t *bytes, int64_t live_bytes) {
  for (int i = 0; i < KINDS; ++i) {
    double ratio = (double)bytes[i] / (double)live_bytes;
    row->logs[i] += log(ratio);
    row->largest[i] = ratio > row->largest[i] ? ratio : row->largest[i];
  }
  ++row->count;
}

static void add_graph(Row *row, uint32_t count, uint64_t seed) {
  LunaArena arena = {0};
  LunaPlanSizes sizes;
  LunaProblem *problem = generate_range(&arena, count, seed, &sizes);
  LunaOrientOptions options = {.step_budget = 2000};
  LunaRangePlan four = orient(problem, &sizes, &options);
  options.order_limit = 1;
  LunaRangePlan one = orient(problem, &sizes, &options);
  row->orders += (int)four.order_count;
  ++row->graphs;
  for (int i = 0; i < BINDINGS; ++i) {
    int64_t values[2], bytes[KINDS], live_bytes = 0;
    for (int k = 0; k < 2; ++k)
      values[k] =
          generate_value(&seed, sizes.symbols[k].low, sizes.symbols[k].high);
    bytes[FOUR] = eval_checked(problem, &sizes, &four, values);
    bytes[ONE] = eval_checked(problem, &sizes, &one, values);
    bytes[LARGE_FIRST] = solve(problem, "large-first", &live_bytes);
    bytes[BEST_FIT] = best_fit(problem);
    add_binding(row, bytes, live_bytes);
  }
  luna_arena_destroy(&arena);
}

static void print_row(const char *name, const Row *row) {
  printf("%8s %7d %7.2f", name, row->graphs, (double)row->orders / row->graphs);
  for (int i = 0; i < KINDS; ++i)
    printf("  %.4f (%.3f)", exp(row->logs[i] / row->count), row->largest[i]);
  printf("\n");
}

static void join_rows(Row *all, const Row *row) {
  for (int i = 0; i < KINDS; ++i) {
    all->logs[i] += row->logs[i];
    if (all->largest[i] < row->largest[i])
      all->largest[i] = row->largest[i];
  }
  all->count += row->count;
  all->graphs += row->graphs;
  all->orders += row->orders;
}

static void compare_graphs(void) {
  static const uint32_t counts[] = {20, 50, 100, 200};
  Row all = {0};
  printf(
      "== plans for ranges: random graphs, sizes linear and quadratic in two "
      "symbols, %d bindings each\n"
      "   ratio to what is live, geometric mean and largest: at most four "
      "orders, one, and at run time\n",
      BINDINGS);
  printf("%8s %7s %7s  %-14s  %-14s  %-14s  %-14s\n", "buffers", "graphs",
         "orders", "four orders", "one order", "large-first", "best fit");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    Row row = {0};
    char name[16];
    for (uint64_t seed = 1; seed <= GRAPHS; ++seed)
      add_graph(&row, counts[i], seed);
    snprintf(name, sizeof name, "%u", counts[i]);
    print_row(name, &row);
    join_rows(&all, &row);
  }
  print_row("all", &all);
}

//===- A network ----------------------------------------------------------===//

// Plans each nominal size alone, and evaluates all sizes.
static void compare_nominals(LunaProblem *problem, const LunaPlanSizes *sizes) {
  static const int64_t units[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 32};
  enum { UNITS = sizeof units / sizeof *units };
  int pairs = 0, above = 0;
  for (int k = 0; k < UNITS * UNITS; ++k) {
    int64_t nominal[] = {units[k / UNITS], units[k % UNITS]};
    LunaOrientOptions options = {.nominals = nominal, .nominal_count = 1};
    LunaRangePlan plan = orient(problem, sizes, &options);
    for (int i = 0; i < UNITS * UNITS; ++i) {
      int64_t values[] = {units[i / UNITS], units[i % UNITS]}, live_bytes = 0;
      int64_t bytes = eval_checked(problem, sizes, &plan, values);
      solve(problem, "naive", &live_bytes);
      above += bytes > live_bytes;
      ++pairs;
    }
  }
  printf("yunet_n, height and width 32 to 1024: of %d pairs of nominal and "
         "other size, %d above what is live\n",
         pairs, above);
}

static void compare_network(void) {
  LunaArena arena = {0};
  LunaText text = {0};
  LunaError error = {0};
  LunaPlanCsv csv;
  LunaPlanSizes sizes;
  LunaPlanSymbol symbols[] = {{"h", 1, 32}, {"w", 1, 32}};
  const char *path = LUNA_BENCH_PLANNER "/yunet_n.csv";
  stop_unless(luna_text_read_file(&text, path, 1 << 20, &error) &&
                  luna_plan_csv_read_open(text.data, text.length, path, &arena,
                                          &csv, &sizes, &error),
              &error);
  sizes.symbols = symbols;
  compare_nominals(csv.problem, &sizes);
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
}

//===- Time ---------------------------------------------------------------===//

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static double time_eval(const LunaRangePlan *plan, const int64_t *values) {
  enum { RUNS = 2000 };
  LunaArena arena = {0};
  LunaRangeResult result;
  int64_t *work = LUNA_ARENA_ARRAY(&arena, int64_t, luna_plan_eval_work(plan));
  int64_t *offsets = LUNA_ARENA_ARRAY(&arena, int64_t, plan->buffer_count);
  double start = now();
  for (int i = 0; i < RUNS; ++i)
    luna_plan_eval(plan, values, work, offsets, &result);
  double elapsed = now() - start;
  luna_arena_destroy(&arena);
  return elapsed / RUNS;
}

static void measure_eval(uint32_t count) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaPlanSizes sizes;
  LunaProblem *problem = generate_range(&arena, count, 1, &sizes);
  LunaOrientOptions options = {.step_budget = 2000};
  LunaRangePlan plan = orient(problem, &sizes, &options);
  int64_t values[] = {100, 200};
  stop_unless(luna_plan_bind_sizes(problem, &sizes, values, &error), &error);
  LunaSolution solution;
  LunaPlanOptions greedy = {.strategy = "large-first"};
  double solved = 1e6 * bench_solve(problem, &greedy, &solution);
  uint32_t pairs = 0;
  for (uint32_t k = 0; k < plan.order_count; ++k)
    pairs += plan.orders[k].starts[plan.place_count];
  printf("%u buffers, %u orders, %.2f pairs per buffer: %.2f microseconds, "
         "large-first at run time %.0f\n",
         count, plan.order_count,
         (double)pairs / plan.order_count / plan.place_count,
         time_eval(&plan, values), solved);
  luna_arena_destroy(&arena);
}

void bench_ranges(const BenchOptions *options) {
  (void)options;
  compare_graphs();
  compare_network();
  measure_eval(100);
  measure_eval(1000);
  measure_eval(3000);
  printf("\n");
}
