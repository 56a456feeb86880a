#ifndef LUNA_DIMENSIONS_H
#define LUNA_DIMENSIONS_H

#include "luna/import.h"
#include "options.h"

/// Reads the values of --dim into `import`; `arena` holds them. Fails with
/// LUNA_ERROR_INPUT.
bool luna_dimensions_read(const LunacOptions *options, LunaArena *arena,
                          LunaImportOptions *import, LunaError *error);

/// Reads the values of --constant into `import`; `arena` holds them. Fails with
/// LUNA_ERROR_INPUT.
bool luna_constants_read(const LunacOptions *options, LunaArena *arena,
                         LunaImportOptions *import, LunaError *error);

#endif // LUNA_DIMENSIONS_H
