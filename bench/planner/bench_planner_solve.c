// One problem, planned, timed and checked.

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench_planner.h"
#include "luna/plan_check.h"

// Seconds of processor time so far: what others do does not count.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double bench_solve(LunaProblem *problem, const LunaPlanOptions *options,
                   LunaSolution *solution) {
  LunaError error = {0};
  double start = now();
  bool ok = luna_plan_solve(problem, options, solution, &error);
  double seconds = now() - start;
  LunaArena arena = {0};
  if (ok || error.code == LUNA_ERROR_CAPACITY)
    ok = luna_plan_check(problem, solution->offset_bytes, solution->total.bytes,
                         &arena, &error);
  luna_arena_destroy(&arena);
  if (!ok) {
    fprintf(stderr, "bench-planner: %s\n", error.message);
    exit(3);
  }
  return seconds;
}
