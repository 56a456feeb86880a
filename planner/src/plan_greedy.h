#ifndef LUNA_PLAN_GREEDY_H
#define LUNA_PLAN_GREEDY_H

#include "plan_strategy.h"

/// Places items by every cheap greedy order, until one meets `enough_bytes`;
/// first, unless `hint_bytes` is NULL, by the offsets there, lowest first,
/// which makes any valid plan no larger. Writes the smallest plan to `offsets`
/// and returns its size. Ties go to the earlier order. Scratch comes from
/// `arena`.
int64_t luna_plan_place_greedily(const LunaPlanItems *items,
                                 int64_t enough_bytes,
                                 const int64_t *hint_bytes, int64_t *offsets,
                                 LunaArena *arena);

#endif // LUNA_PLAN_GREEDY_H
