#ifndef LUNA_PLAN_CASES_H
#define LUNA_PLAN_CASES_H

#include "luna/plan_record.h"
#include "luna/plan_source.h"
#include "memory_problem.h"

/// Plans each case of the switch between the versions of a model as if it were
/// the whole program: no two are live together, so that each gets its own
/// smallest plan. Where that is smaller, `solution` gets its offsets; the total
/// is that of the largest case then. Writes `cases`, from the problem's arena:
/// in the order of their numbers, and none for a model without versions, or
/// whose cases share buffers.
void luna_plan_cases(MlirOperation func, int64_t align_bytes,
                     const LunaMemoryProblem *memory,
                     const LunaPlanSource *source,
                     const LunaPlanOptions *options, LunaSolution *solution,
                     LunaPlanRecord *record);

#endif // LUNA_PLAN_CASES_H
