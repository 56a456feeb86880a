#ifndef LUNA_BENCH_PLANNER_H
#define LUNA_BENCH_PLANNER_H

#include "luna/order.h"
#include "luna/plan.h"
#include "luna/text.h"

enum { BENCH_MAX_WITHOUT = 64 };

/// What the command line asks for.
typedef struct BenchOptions {
  /// Folder with A.1048576.csv to K.1048576.csv.
  const char *instances;
  /// Folder with graphs of operators.
  const char *orders;
  /// A command line to run in turn with ours, by sh with the file as $1 and the
  /// capacity as $2, or NULL.
  const char *other_command;
  /// Steps of search for the open instances D and J; 0: the usual number.
  uint64_t step_budget;
  /// Sets of names of what is left out in `without`, each joined by commas;
  /// none: each trick alone.
  const char *without[BENCH_MAX_WITHOUT];
  int without_count;
  /// The only kind of problems in `without`; NULL: all of them.
  const char *problems;
  /// The problems of each kind in `without`: 1 for a quick look.
  uint64_t seeds;
  /// Folder with problems of models, or NULL.
  const char *models;
} BenchOptions;

/// Plans, checks the plan with the independent checker and ends the program
/// when it is wrong; returns the seconds that planning took.
double bench_solve(LunaProblem *problem, const LunaPlanOptions *options,
                   LunaSolution *solution);

/// Runs the other solver on a file; returns its processor time in seconds, or
/// -1 if it failed or there is none.
double bench_run_other(const BenchOptions *options, const char *path,
                       int64_t capacity_bytes);
/// The same on a text, in a file of its own.
double bench_run_other_on(const BenchOptions *options, const LunaText *text,
                          int64_t capacity_bytes);

/// The sections of the report; those on files print that they are skipped
/// where the folder is absent.
void bench_capacity(const BenchOptions *options);
void bench_minimise(const BenchOptions *options);
void bench_shuffles(const BenchOptions *options);
void bench_large(const BenchOptions *options);
void bench_perturbed(const BenchOptions *options);
void bench_strategies(const BenchOptions *options);
void bench_chains(const BenchOptions *options);
void bench_bands(const BenchOptions *options);
void bench_programs(const BenchOptions *options);
void bench_loops(const BenchOptions *options);
void bench_growth(const BenchOptions *options);
void bench_ranges(const BenchOptions *options);
void bench_orders(const BenchOptions *options);
void bench_without(const BenchOptions *options);

/// The graphs of operators.
extern const char *const bench_order_names[];
extern const int bench_order_count;

/// Reads a graph; NULL if there is none.
LunaOrderGraph *bench_read_order(const BenchOptions *options, const char *name,
                                 LunaArena *arena);

#endif // LUNA_BENCH_PLANNER_H
