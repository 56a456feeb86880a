#ifndef LUNA_PLAN_ATTR_H
#define LUNA_PLAN_ATTR_H

#include "luna/machine.h"
#include "luna/plan.h"
#include "memory_problem.h"
#include "mlir-c/IR.h"

/// Gives the dictionary `luna.plan`: the plan's sizes and bounds, the witness
/// of the bound, every strategy tried, the paths with their peaks, and each
/// buffer with the steps it is live at. Keys and units: docs/stats.md. A null
/// attribute and `error` if the paths cannot be listed.
MlirAttribute luna_plan_attr(MlirOperation func, const LunaMachine *machine,
                             const LunaMemoryProblem *memory,
                             const LunaSolution *solution, LunaError *error);

#endif // LUNA_PLAN_ATTR_H
