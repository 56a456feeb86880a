#ifndef LUNA_JOIN_RECORD_H
#define LUNA_JOIN_RECORD_H

#include "luna/machine.h"
#include "luna/plan_record.h"
#include "memory_problem.h"

/// Lists the tensors that control flow of `func` merges, in program order: the
/// results of branches and what loops carry. Arrays and names come from the
/// problem's arena. Emits an error and returns false if a copy has no cost.
bool luna_record_joins(MlirOperation func, const LunaMachine *machine,
                       const LunaMemoryProblem *memory, LunaPlanRecord *record);

#endif // LUNA_JOIN_RECORD_H
