#ifndef LUNA_INPUTS_H
#define LUNA_INPUTS_H

// The values that the command line gives for inputs and expects of outputs.

#include "luna/values.h"
#include "options.h"

/// Reads the files of --input, or makes random values, for every input.
/// `values[0..input_count)` come from `arena`; `*cases` is what they agree on.
/// Fails with LUNA_ERROR_INPUT.
bool luna_inputs_read(const LunacOptions *options,
                      const LunaProgramInfo *program, LunaArena *arena,
                      LunaValues *values, int64_t *cases, LunaError *error);

/// Reads the files of --expect: `values[0..output_count)`, without bytes where
/// nothing is expected. All have `cases` cases.
bool luna_expected_read(const LunacOptions *options,
                        const LunaProgramInfo *program, LunaArena *arena,
                        LunaValues *values, int64_t cases, LunaError *error);

#endif // LUNA_INPUTS_H
