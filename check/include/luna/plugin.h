#ifndef LUNA_PLUGIN_H
#define LUNA_PLUGIN_H

#include "luna/arena.h"
#include "luna/error.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Loads the plugin at `path` (NULL: $LUNA_PLUGIN, or ../lib/LunaMLIR.so
/// relative to this program), which registers its dialect in `registry` and its
/// passes in the process. `*handle` is never closed. Fails with
/// LUNA_ERROR_SETUP.
bool luna_plugin_load(const char *path, MlirDialectRegistry registry,
                      LunaArena *arena, void **handle, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLUGIN_H
