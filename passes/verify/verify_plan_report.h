#ifndef VERIFY_PLAN_REPORT_H
#define VERIFY_PLAN_REPORT_H

// The words of luna-verify-plan.

#include "luna/arena.h"
#include "mlir-c/IR.h"
#include "verify_plan_state.h"
#include "verify_plan_values.h"

/// Names a place: `buffer 3 'x'`, `@weights`, `argument 0`. From `arena`.
const char *luna_verify_place_name(const LunaVerifyValues *values,
                                   LunaArena *arena, uint32_t place);

/// Names the path to `op`, by the decisions around it, around `cause` (may be
/// null) and in `branch` (may be NULL): ` on path if0=then/if1=else`, or an
/// empty string where there are none. From `arena`.
const char *luna_verify_path(LunaArena *arena, MlirOperation op,
                             MlirOperation cause,
                             const LunaVerifyDecision *branch);

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
