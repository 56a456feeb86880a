#ifndef CONSTANTS_TO_GLOBALS_H
#define CONSTANTS_TO_GLOBALS_H

#include "mlir-c/IR.h"

/// Makes the tensor constants in `module` memref.globals, named and placed as
/// one-shot bufferisation does it. O(n), expected, in constants and uses.
///
/// Each use gets its own memref.get_global and bufferization.to_tensor, which
/// nothing may write to: uses of one tensor are one alias set, and the analysis
/// is quadratic in its size.
void luna_constants_to_globals(MlirOperation module);

#endif // CONSTANTS_TO_GLOBALS_H
