#ifndef VALIDATE_H
#define VALIDATE_H

// Translation validation: that a planned function does what the program did.

#include "mlir-c/IR.h"

/// Returns the function that `record` (a luna.program) holds of the planned
/// function `plan`: that of its name. A null operation if there is none.
MlirOperation luna_validate_recorded(MlirOperation record, MlirOperation plan);

/// Succeeds if `plan` leaves in each argument, byte by byte and on every path,
/// what the function `program` leaves there. What that leaves undefined may be
/// anything. Otherwise emits one error and fails.
///
/// Takes the plan at its word where it says that bytes lie in the arena: what
/// is in flight, bounds and places are luna-verify-plan's other checks.
MlirLogicalResult luna_validate_plan(MlirOperation program, MlirOperation plan);

#endif // VALIDATE_H
