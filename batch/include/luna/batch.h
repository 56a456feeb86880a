#ifndef LUNA_BATCH_H
#define LUNA_BATCH_H

// Many models, each compiled in its own process. Jobs are models, times
// machines, times sets of options; what a job said and took is read from the
// files that it leaves.

#include <stdbool.h>
#include <stdint.h>

#include "luna/error.h"
#include "luna/text.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A model to compile for a machine with options, and what came of it.
typedef struct LunaBatchJob {
  const char *model, *machine;
  const char *options; ///< as they were written; "" for none
  LunaStrings words;   ///< the options as words
  int exit_code;       ///< as of lunac; 4 if it ended by a signal
  const char *message; ///< the first error; NULL if there is none
  const char *stats;   ///< as JSON; NULL if there are none
  uint64_t milliseconds;
  /// Of the plan, of the slowest path or the run; -1: not known.
  int64_t bytes, cycles;
  /// What was looked for in the cache: found in the folder, on the server, not
  /// at all; and what was stored.
  uint64_t hits, fetched, missed, stored;
} LunaBatchJob;

typedef LUNA_VECTOR(LunaBatchJob) LunaBatchJobs;

/// Lists the jobs of `paths`: models; folders, of which every model counts, in
/// the order of names; and lists (.txt), a model and its options on each line.
/// Each is taken for every machine of `machines`, whose items may be several,
/// parted by commas (none: venus), with every set of options in `variants`
/// (none: one without options). The arena owns what `jobs` gets. Fails with
/// LUNA_ERROR_INPUT if a path cannot be read or there is no model.
bool luna_batch_list(const LunaStrings *paths, const LunaStrings *machines,
                     const LunaStrings *variants, LunaArena *arena,
                     LunaBatchJobs *jobs, LunaError *error);

/// How jobs are run.
typedef struct LunaBatchRun {
  /// Called as lunac is: `run` or `compile`, the model, --machine, --stats, and
  /// the words of the job.
  const char *program;
  const char *plugin; ///< --plugin of every job; NULL: not given
  bool runs;          ///< runs the models, else compiles them
  int64_t jobs;       ///< at once; 0: one for each core
  bool is_verbose;    ///< a line for each job on stderr, also in a file
} LunaBatchRun;

/// Runs all jobs and writes what came of them into `jobs`; `*twice` is how many
/// entries were stored in the cache twice. A signal that ends this process ends
/// the jobs before. Fails with LUNA_ERROR_SETUP, before anything was started,
/// if there is no place for files.
bool luna_batch_run(const LunaBatchRun *run, LunaArena *arena,
                    LunaBatchJobs *jobs, uint64_t *twice, LunaError *error);

/// Returns the largest exit code of all jobs.
int luna_batch_exit_code(const LunaBatchJobs *jobs);

/// Appends a table, and a line of sums. `twice` entries were stored twice.
void luna_batch_table(const LunaBatchJobs *jobs, uint64_t twice,
                      LunaText *text);

/// Appends all results as JSON.
void luna_batch_json(const LunaBatchJobs *jobs, uint64_t twice, LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_BATCH_H
