#ifndef VERIFY_PLAN_REPORT_H
#define VERIFY_PLAN_REPORT_H

// Errors of the checks that examine the structure of a plan.

#include "luna/arena.h"
#include "luna/text.h"
#include "mlir-c/IR.h"

/// Appends the decision for a region of a branch: `if0=then`, `switch0=case5`.
void luna_verify_print_decision(LunaText *text, MlirOperation branch,
                                intptr_t region);

/// Emits an error at `op` as printf would; gives false.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool luna_verify_error(MlirOperation op, const char *format, ...);

/// Emits an error at `op` with a note at `other` (none where it is null).
/// Returns false, for `return luna_verify_fail(…)`.
bool luna_verify_fail(MlirOperation op, const char *message,
                      MlirOperation other, const char *note);

#endif // VERIFY_PLAN_REPORT_H
