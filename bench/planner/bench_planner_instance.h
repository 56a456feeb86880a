#ifndef LUNA_BENCH_PLANNER_INSTANCE_H
#define LUNA_BENCH_PLANNER_INSTANCE_H

#include "bench_planner.h"
#include "luna/plan_csv.h"

/// A problem from a file.
typedef struct BenchInstance {
  LunaArena arena;
  LunaText text;
  LunaPlanCsv csv;
  char path[512];
} BenchInstance;

enum { BENCH_INSTANCE_COUNT = 11, BENCH_PERTURBATION_COUNT = 6 };

/// Loads instance A + `index`, its rows in the order of `shuffle` and its sizes
/// changed as by column `perturbation` of the section `perturbed`, from 1; 0
/// leaves them as they are. Prints why and returns false if it cannot.
bool bench_load(const BenchOptions *options, int index, uint64_t shuffle,
                int perturbation, BenchInstance *instance);

/// Loads the file `name`.csv of the folder above that of the instances.
bool bench_load_beside(const BenchOptions *options, const char *name,
                       BenchInstance *instance);

/// Loads the file `name`.csv of a folder.
bool bench_load_file(const char *folder, const char *name,
                     BenchInstance *instance);

void bench_unload(BenchInstance *instance);

#endif // LUNA_BENCH_PLANNER_INSTANCE_H
