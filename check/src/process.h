#ifndef LUNA_PROCESS_H
#define LUNA_PROCESS_H

// Programs that others wrote.

#include "luna/error.h"

/// Runs `arguments`, ended by NULL, of which the first is found in $PATH, and
/// awaits its end. `input` and `output` are the paths of its standard input and
/// output, or NULL for those of this process. Fails with LUNA_ERROR_SETUP if it
/// cannot be started or does not end with 0.
bool luna_process_run(const char *const *arguments, const char *input,
                      const char *output, LunaError *error);

#endif // LUNA_PROCESS_H
