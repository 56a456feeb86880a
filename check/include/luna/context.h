#ifndef LUNA_CONTEXT_H
#define LUNA_CONTEXT_H

#include "luna/arena.h"
#include "luna/error.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a single-threaded context with the dialects and passes of upstream
/// MLIR and of the plugin at `plugin` (see luna_plugin_load). Scratch comes
/// from `arena`. Fails with LUNA_ERROR_SETUP.
bool luna_context_create(const char *plugin, LunaArena *arena,
                         MlirContext *context, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CONTEXT_H
