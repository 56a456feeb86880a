#ifndef LUNA_PLAN_MEMORY_H
#define LUNA_PLAN_MEMORY_H

#include "luna-c/pass.h"
#include "luna/machine.h"
#include "plan_option.h"

/// Plans the memory of a function as luna-plan-memory does, with the values of
/// all its options of planning, by LunaPlanOptionId. Failure means that a
/// diagnostic was emitted.
MlirLogicalResult
luna_plan_memory(MlirOperation func, const LunaMachine *machine,
                 const LunaOptionValue values[LUNA_PLAN_MEMORY_OPTIONS]);

#endif // LUNA_PLAN_MEMORY_H
