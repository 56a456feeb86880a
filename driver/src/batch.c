// lunac batch: what the command line asks for, and what came of it.

#define _POSIX_C_SOURCE 200809L // setenv

#include "batch.h"

#include <stdio.h>
#include <stdlib.h>

#include "luna/batch.h"
#include "luna/output.h"
#include "shared_cache.h"

static bool report(const LunacOptions *options, const LunaBatchJobs *jobs,
                   uint64_t twice, LunaError *error) {
  LunaText text = {0};
  luna_batch_table(jobs, twice, &text);
  fwrite(text.data, 1, text.length, stdout);
  luna_text_deinit(&text);
  if (!options->stats)
    return true;
  luna_batch_json(jobs, twice, &text);
  bool ok = luna_text_write_file(options->stats, text.data, text.length, error);
  luna_text_deinit(&text);
  return ok;
}

// The settings of the cache reach the jobs by the environment.
static bool set_up_cache(const LunacOptions *options, LunaError *error) {
  if (options->cache)
    setenv("LUNA_CACHE", options->cache, 1);
  return luna_shared_cache_set_up(options, error);
}

bool luna_batch(const LunacOptions *options, LunaArena *arena, int *exit_code,
                LunaError *error) {
  const LunaBatchRun run = {
      .program = "/proc/self/exe",
      .plugin = options->plugin,
      .runs = options->runs,
      .jobs = options->jobs,
      .is_verbose = options->is_verbose,
  };
  LunaBatchJobs jobs = {0};
  uint64_t twice = 0;
  if (!luna_batch_list(&options->models, &options->machines, &options->variants,
                       arena, &jobs, error) ||
      !set_up_cache(options, error) ||
      !luna_batch_run(&run, arena, &jobs, &twice, error))
    return false;
  *exit_code = luna_batch_exit_code(&jobs);
  return report(options, &jobs, twice, error);
}
