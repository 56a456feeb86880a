#ifndef VALIDATE_H
#define VALIDATE_H

// Translation validation: a planned function must do what the program does.

#include "mlir-c/IR.h"

/// Returns the function in `record` (a luna.program) that has the name of the
/// planned function `plan`; a null operation if there is none.
MlirOperation luna_validate_recorded(MlirOperation record, MlirOperation plan);

/// Succeeds if `plan` leaves in each argument, byte by byte and on every path,
/// what the function `program` leaves there; bytes that the program leaves
/// undefined may hold anything. Otherwise emits one error and fails.
///
/// Assumes that buffers lie in the arena as the plan says: bounds, offsets and
/// transfers in flight are checked by the other parts of luna-verify-plan.
MlirLogicalResult luna_validate_plan(MlirOperation program, MlirOperation plan);

#endif // VALIDATE_H
