#ifndef LUNAC_BATCH_H
#define LUNAC_BATCH_H

#include "options.h"

/// Runs `lunac batch`: every model for every machine with every set of options,
/// each in a process of its own. Prints a table. Writes the largest exit code
/// of all. Fails with LUNA_ERROR_INPUT, before anything was compiled, if a list
/// or folder cannot be read or names no model.
bool luna_batch(const LunacOptions *options, LunaArena *arena, int *exit_code,
                LunaError *error);

#endif // LUNAC_BATCH_H
