#ifndef LUNA_PLAN_BLOCK_H
#define LUNA_PLAN_BLOCK_H

#include "plan_merge.h"

/// The treatment `block` (seed paper's Algorithm 2): innermost first, every
/// branch is planned alone; alternatives become one buffer of the largest
/// branch in the plan around them, live through all of them together with
/// every outer buffer live in them. Fixed items belong to the outermost plan.
void luna_plan_block_place(const LunaPlanProgram *program,
                           const LunaPlanStrategy *strategy,
                           LunaPlanContext *context, int64_t *offsets,
                           LunaArena *arena);

#endif // LUNA_PLAN_BLOCK_H
