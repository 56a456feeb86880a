#ifndef LUNA_OPTIONS_H
#define LUNA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/error.h"
#include "luna/text.h"
#include "luna/vector.h"

typedef enum LunacCommand {
  LUNAC_HELP = 0,
  LUNAC_VERSION,
  LUNAC_COMPILE,
  LUNAC_RUN,
  LUNAC_IMPORT,
  LUNAC_VERIFY,
  LUNAC_CACHE,
  LUNAC_BATCH,
  LUNAC_MACHINES,
  LUNAC_STRATEGIES,
  LUNAC_COMPLETE,
} LunacCommand;

/// The parsed command line, which owns the strings; NULL means "not given".
typedef struct LunacOptions {
  LunacCommand command;
  LunacCommand help_on; ///< LUNAC_HELP: the command asked about, or LUNAC_HELP
  const char *model;    ///< path of the model or plan; LUNAC_CACHE: what to do
  const char *program;  ///< path of the model that the plan is of
  const char *output;   ///< -o, or the folder of --output
  const char *machine, *core, *emit, *checks;
  const char *kernel_sizes;
  const char *target, *port, *on;
  bool has_layout; ///< `layout` was given
  const char *stats, *report, *trace, *plugin;
  const char *cache, *plan_cache;
  const char *cache_remote, *cache_mode, *cache_key, *cache_trust;
  const char *force_branch;
  char *const *words; ///< LUNAC_COMPLETE: the words after `lunac`
  int word_count;
  const char *tolerance; ///< NULL is 0
  LunaStrings inputs, expected, dimensions, bounds, constants;
  LunaStrings base_addresses;
  LunaStrings models, machines, variants; ///< LUNAC_BATCH
  bool runs;                              ///< LUNAC_BATCH
  int64_t jobs;                           ///< LUNAC_BATCH; 0: one for each core
  bool has_random_input;
  int64_t random_seed, cases, repeat, max_cycles, max_versions;
  int64_t max_bytes, max_entries;
  bool check, is_verbose, skip_verify;
  // strategy, merge, … dma, io: those of planning and transfers.
#define LUNAC_MEMBER_STRING const char *
#define LUNAC_MEMBER_CHOICE const char *
#define LUNAC_MEMBER_BOOL bool
#define LUNAC_MEMBER_BYTES int64_t
#define LUNAC_MEMBER_COUNT int64_t
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  LUNAC_MEMBER_##KIND member;
#define LUNA_TRANSFER_OPTION LUNA_PLAN_OPTION
#include "luna/plan_options.def"
} LunacOptions;

/// Parses a command line. Fails with LUNA_ERROR_INPUT; the message names the
/// error and, for a misspelt name, the nearest known one.
bool luna_options_read(int argc, char **argv, LunaArena *arena,
                       LunacOptions *options, LunaError *error);

/// Appends the help page of a command to `text`; LUNAC_HELP is the overview.
void luna_options_help(LunacCommand command, LunaText *text);

#endif // LUNA_OPTIONS_H
