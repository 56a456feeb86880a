#ifndef LUNA_VERSIONS_H
#define LUNA_VERSIONS_H

#include "compile.h"
#include "luna/values.h"

/// Returns the outputs of the program as version `version` of the model has
/// them; those of the program if the model has no versions.
const LunaProgramTensor *luna_version_outputs(const LunacModel *model,
                                              const LunaProgramInfo *program,
                                              uint32_t version,
                                              LunaArena *arena);

/// Reads the values of --input or --random-input: values[i] of input i,
/// `*cases` of each. Of a model with versions, files choose the one whose
/// inputs have their shapes; random values, the last. Fails with
/// LUNA_ERROR_INPUT.
bool luna_version_inputs_read(const LunacOptions *options,
                              const LunacModel *model,
                              const LunaProgramInfo *program, LunaArena *arena,
                              LunaValues *values, int64_t *cases,
                              uint32_t *version, LunaError *error);

#endif // LUNA_VERSIONS_H
