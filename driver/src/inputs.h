#ifndef LUNA_INPUTS_H
#define LUNA_INPUTS_H

// The values of inputs and the expected values of outputs from the command
// line.

#include "luna/values.h"
#include "options.h"

/// Reads the files of --input, or generates random values, for each of `count`
/// inputs. Their bytes come from `arena`; `*cases` is their common number of
/// cases. Fails with LUNA_ERROR_INPUT.
bool luna_inputs_read(const LunacOptions *options,
                      const LunaProgramTensor *inputs, uint32_t count,
                      LunaArena *arena, LunaValues *values, int64_t *cases,
                      LunaError *error);

/// Reads the files of --expect for `count` outputs: values without bytes where
/// nothing is expected. All have `cases` cases.
bool luna_expected_read(const LunacOptions *options,
                        const LunaProgramTensor *outputs, uint32_t count,
                        LunaArena *arena, LunaValues *values, int64_t cases,
                        LunaError *error);

/// Reads --tolerance, a number of at least 0; without it, leaves `*tolerance`.
/// Fails with LUNA_ERROR_INPUT.
bool luna_tolerance_read(const LunacOptions *options, double *tolerance,
                         LunaError *error);

#endif // LUNA_INPUTS_H
