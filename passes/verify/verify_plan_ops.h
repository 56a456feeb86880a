#ifndef VERIFY_PLAN_OPS_H
#define VERIFY_PLAN_OPS_H

// Operators without control flow on the abstract machine.

#include <stdbool.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"
#include "verify_plan_state.h"
#include "verify_plan_static.h"

/// The states at the head of a loop: when it was entered, and when they no
/// longer changed.
typedef struct LunaVerifyRun {
  LunaVerifyState entry, head;
} LunaVerifyRun;

/// The last run of each loop.
typedef struct LunaVerifyRuns {
  LunaMap loops;
  LUNA_VECTOR(LunaVerifyRun);
} LunaVerifyRuns;

typedef struct LunaVerifyMachine {
  LunaVerifyStates states;
  const LunaVerifyLimits *limits;
  LunaVerifyRuns *runs;
} LunaVerifyMachine;

/// Checks `op`, which has no regions of interest, in `state` and changes the
/// state to what holds after it. False after an error.
bool luna_verify_run_op(const LunaVerifyMachine *machine,
                        LunaVerifyState *state, MlirOperation op);

#endif // VERIFY_PLAN_OPS_H
