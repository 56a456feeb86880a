#ifndef LUNA_VERSIONS_H
#define LUNA_VERSIONS_H

#include "luna/paths.h"
#include "luna/program.h"
#include "luna/values.h"
#include "options.h"

/// Returns the outputs of the program as a version has them; those of the
/// program if it has no versions.
const LunaProgramTensor *luna_version_outputs(const LunaProgramInfo *program,
                                              uint32_t version,
                                              LunaArena *arena);

/// Returns the first version whose case a path takes; `otherwise` if it takes
/// that which the inputs ask for.
uint32_t luna_version_of_path(const LunaProgramInfo *program,
                              const LunaPath *path, uint32_t otherwise);

/// Reads the values of --input or --random-input: values[i] of input i,
/// `*cases` of each. Of a model with versions, files choose the one whose
/// inputs have their shapes; random values, the last. Fails with
/// LUNA_ERROR_INPUT.
bool luna_version_inputs_read(const LunacOptions *options,
                              const LunaProgramInfo *program, LunaArena *arena,
                              LunaValues *values, int64_t *cases,
                              uint32_t *version, LunaError *error);

#endif // LUNA_VERSIONS_H
