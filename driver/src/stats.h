#ifndef LUNA_STATS_H
#define LUNA_STATS_H

#include "compile.h"
#include "luna/simulator.h"

/// What `lunac run` found; `is_run` is false for `lunac compile`.
typedef struct LunacRunSummary {
  bool is_run;
  /// Of the slowest run.
  uint64_t cycles, compute_cycles, dma_cycles, stall_cycles, host_cycles;
  uint64_t bound_cycles;
  uint64_t hazard_count;
  bool is_checked;
  uint64_t checked_paths, checked_runs, mismatches;
  /// Outputs that --expect named, over all cases.
  uint64_t expected_outputs;
} LunacRunSummary;

/// Everything that goes into the statistics.
typedef struct LunacStats {
  const LunacModel *model;
  LunacRunSummary run;
} LunacStats;

/// Writes the file of --stats (docs/stats.md). Gives an exit code.
int luna_stats_write(LunacSession *session, const LunacStats *stats);

/// Prints what `lunac compile` found, for a person. Gives an exit code.
int luna_print_summary(LunacSession *session, const LunacModel *model);

/// Gives an integer of a dictionary, or `absent`.
int64_t luna_dict_int(MlirAttribute dictionary, const char *key,
                      int64_t absent);
/// Gives a string of a dictionary as the arena's, or "".
const char *luna_dict_string(LunaArena *arena, MlirAttribute dictionary,
                             const char *key);
/// Gives an array of a dictionary, or a null attribute, and its length.
MlirAttribute luna_dict_array(MlirAttribute dictionary, const char *key,
                              intptr_t *count);
/// Gives the dictionary of luna.cost for the path with the most cycles, or a
/// null attribute.
MlirAttribute luna_slowest_path(const LunacModel *model);

#endif // LUNA_STATS_H
