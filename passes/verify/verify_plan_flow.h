#ifndef VERIFY_PLAN_FLOW_H
#define VERIFY_PLAN_FLOW_H

#include <stdbool.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"
#include "verify_plan_static.h"
#include "verify_plan_values.h"

/// Runs `func` on the abstract machine, every path at once, and checks each
/// read, write and transfer against what the memory holds there. False after
/// an error.
bool luna_verify_flow(MlirOperation func, const LunaVerifyLimits *limits,
                      const LunaVerifyValues *values, LunaArena *arena);

#endif // VERIFY_PLAN_FLOW_H
