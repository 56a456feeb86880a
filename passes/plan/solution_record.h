#ifndef LUNA_SOLUTION_RECORD_H
#define LUNA_SOLUTION_RECORD_H

#include "luna/machine.h"
#include "luna/plan_record.h"
#include "memory_problem.h"
#include "mlir-c/IR.h"

/// Fills `record` from the planner's solution for `func`: names belong to the
/// problem and the machine, arrays come from the problem's arena. Fails with
/// LUNA_ERROR_INPUT if the paths cannot be listed.
bool luna_solution_record(MlirOperation func, const LunaMachine *machine,
                          const LunaMemoryProblem *memory,
                          const LunaSolution *solution, LunaPlanRecord *record,
                          LunaError *error);

#endif // LUNA_SOLUTION_RECORD_H
