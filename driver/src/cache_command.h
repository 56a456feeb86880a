#ifndef LUNA_CACHE_COMMAND_H
#define LUNA_CACHE_COMMAND_H

#include "options.h"

/// What `lunac cache` can do: "stats|verify|…".
#define LUNA_CACHE_ACTIONS "stats|verify|trim|clear|flush|make-key"

/// Runs `lunac cache`. Returns an exit code; writes to `text` what is printed.
/// Fails with LUNA_ERROR_INPUT where there is no cache. make-key ends the
/// program.
bool luna_cache_command(const LunacOptions *options, LunaText *text,
                        LunaError *error);

#endif // LUNA_CACHE_COMMAND_H
