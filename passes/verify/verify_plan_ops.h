#ifndef VERIFY_PLAN_OPS_H
#define VERIFY_PLAN_OPS_H

// Operators without control flow on the abstract machine.

#include <stdbool.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"
#include "verify_plan_state.h"
#include "verify_plan_static.h"

typedef struct LunaVerifyMachine {
  LunaVerifyStates states;
  const LunaVerifyLimits *limits;
} LunaVerifyMachine;

/// Checks `op`, which has no regions of interest, in `state` and changes the
/// state to what holds after it. False after an error.
bool luna_verify_run_op(const LunaVerifyMachine *machine,
                        LunaVerifyState *state, MlirOperation op);

#endif // VERIFY_PLAN_OPS_H
