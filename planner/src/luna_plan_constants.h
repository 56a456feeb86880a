#ifndef LUNA_PLAN_CONSTANTS_H
#define LUNA_PLAN_CONSTANTS_H

#include "luna/plan_eval.h"
#include "luna/text.h"

/// Appends a plan for ranges as a C source with the constant
/// `luna_range_plan`, for luna_plan_eval on a target.
void luna_plan_constants_write(const LunaRangePlan *plan, LunaText *text);

#endif // LUNA_PLAN_CONSTANTS_H
