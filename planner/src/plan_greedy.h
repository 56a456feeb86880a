#ifndef LUNA_PLAN_GREEDY_H
#define LUNA_PLAN_GREEDY_H

#include "plan_strategy.h"

/// Places items by every cheap greedy order, until one meets `enough_bytes`;
/// first, unless the hint of `context` is NULL, by the offsets there, lowest
/// first, which makes any valid plan no larger. Writes the smallest plan to
/// `offsets` and returns its size. Ties go to the earlier order, the first is
/// tried where all are left out. Scratch comes from `arena`.
int64_t luna_plan_place_greedily(const LunaPlanItems *items,
                                 int64_t enough_bytes,
                                 const LunaPlanContext *context,
                                 int64_t *offsets, LunaArena *arena);

#endif // LUNA_PLAN_GREEDY_H
