#ifndef LUNA_PLUGIN_H
#define LUNA_PLUGIN_H

#include "luna/arena.h"
#include "luna/error.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

struct LunaPlanSource;

/// Loads the plugin at `path` (NULL: $LUNA_PLUGIN, or ../lib/LunaMLIR.so
/// relative to this program), which registers its dialect in `registry` and its
/// passes in the process. `*handle` is never closed. Fails with
/// LUNA_ERROR_SETUP.
bool luna_plugin_load(const char *path, MlirDialectRegistry registry,
                      LunaArena *arena, void **handle, LunaError *error);

/// Sets for the passes of the plugin at `path`, which is loaded, the plans that
/// are known in a single-threaded context, and a place for new ones
/// (luna/plan_source.h). Borrowed until it is set again; NULL for none.
void luna_plugin_set_plan_source(const char *path, LunaArena *arena,
                                 MlirContext context,
                                 const struct LunaPlanSource *source);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLUGIN_H
