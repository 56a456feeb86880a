#ifndef VALIDATE_H
#define VALIDATE_H

// Translation validation: a planned function must do what the program does.

#include "mlir-c/IR.h"
#include "verify_plan_static.h"

/// Returns the function in `block` that has that name and a body; a null
/// operation if there is none.
MlirOperation luna_validate_find(MlirBlock block, MlirStringRef name);

/// Returns true if `plan` leaves in each argument, byte by byte and on every
/// path, what the function `program` leaves there; bytes that the program
/// leaves undefined may hold anything. With a null `program`, what the plan
/// would leave there if each execution of an allocation had a memory of its
/// own, and if no operator reads what nothing has written. Otherwise emits one
/// error.
///
/// Assumes that offsets, tilings and tokens were checked
/// (verify_plan_static.h).
bool luna_validate_plan(MlirOperation program, MlirOperation plan,
                        const LunaVerifyLimits *limits);

#endif // VALIDATE_H
