#ifndef LUNA_MODULE_FUNCTION_H
#define LUNA_MODULE_FUNCTION_H

#include "mlir-c/IR.h"

/// Returns the first function of a module that has a body, or null.
MlirOperation luna_import_function(MlirModule module);

#endif // LUNA_MODULE_FUNCTION_H
