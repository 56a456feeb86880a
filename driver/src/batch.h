#ifndef LUNA_BATCH_H
#define LUNA_BATCH_H

#include "options.h"

/// A model to compile for a machine with options, and what came of it.
typedef struct LunacJob {
  const char *model, *machine;
  const char *options; ///< as they were written; "" for none
  LunacStrings words;  ///< the options as words
  int exit_code;       ///< as of lunac; 4 if it ended by a signal
  const char *message; ///< the first error; NULL if there is none
  const char *stats;   ///< as JSON; NULL if there are none
  uint64_t milliseconds;
  /// Of the plan, of the slowest path or the run; -1: not known.
  int64_t bytes, cycles;
  /// What was looked for in the cache: found in the folder, on the server, not
  /// at all; and what was stored.
  uint64_t hits, fetched, missed, stored;
} LunacJob;

typedef LUNA_VECTOR(LunacJob) LunacJobs;

/// Runs `lunac batch`: every model for every machine with every set of options,
/// each in a process of its own. Prints a table. Writes the largest exit code
/// of all. Fails with LUNA_ERROR_INPUT, before anything was compiled, if a list
/// or folder cannot be read or names no model.
bool luna_batch(const LunacOptions *options, LunaArena *arena, int *exit_code,
                LunaError *error);

/// Lists the jobs of the command line. Fails as luna_batch does.
bool luna_batch_list(const LunacOptions *options, LunaArena *arena,
                     LunacJobs *jobs, LunaError *error);

/// Appends the table, and a line of sums. `twice` entries were stored twice.
void luna_batch_table(const LunacJobs *jobs, uint64_t twice, LunaText *text);

/// Appends all results as JSON.
void luna_batch_json(const LunacJobs *jobs, uint64_t twice, LunaText *text);

#endif // LUNA_BATCH_H
