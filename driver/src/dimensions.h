#ifndef LUNA_DIMENSIONS_H
#define LUNA_DIMENSIONS_H

#include "luna/import.h"
#include "luna/size_sets.h"
#include "options.h"

/// What --dim gives: a version of the model for every combination of sizes.
typedef struct LunacDimensions {
  LunaSizeSets sets;
  uint64_t version_count; ///< at least 1, at most --max-versions
} LunacDimensions;

/// Reads the values of --dim; `arena` holds them. Fails with LUNA_ERROR_INPUT.
bool luna_dimensions_read(const LunacOptions *options, LunaArena *arena,
                          LunacDimensions *dimensions, LunaError *error);

/// Sets the sizes of a version, of which the last dimension changes fastest.
void luna_dimensions_choose(const LunacDimensions *dimensions, uint64_t version,
                            LunaArena *arena, LunaImportOptions *import);

/// Returns the sizes of a version that others do not all have, "96x128"; ""
/// where there is one version. With `names`: "height=96, width=128", of all
/// dimensions.
const char *luna_version_name(const LunacDimensions *dimensions,
                              const LunaImportOptions *import, bool names,
                              LunaArena *arena);

/// Reads the values of --constant into `import`; `arena` holds them. Fails with
/// LUNA_ERROR_INPUT.
bool luna_constants_read(const LunacOptions *options, LunaArena *arena,
                         LunaImportOptions *import, LunaError *error);

/// Reads the values of --bound, the same way.
bool luna_bounds_read(const LunacOptions *options, LunaArena *arena,
                      LunaImportOptions *import, LunaError *error);

#endif // LUNA_DIMENSIONS_H
