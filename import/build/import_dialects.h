#ifndef LUNA_IMPORT_DIALECTS_H
#define LUNA_IMPORT_DIALECTS_H

#include <stdbool.h>

#include "luna/error.h"
#include "mlir-c/IR.h"

/// Loads the dialects that the readers build. Fails with LUNA_ERROR_SETUP where
/// the context has one of them not registered.
bool luna_import_load_dialects(MlirContext context, LunaError *error);

#endif // LUNA_IMPORT_DIALECTS_H
