#ifndef LUNA_PLAN_CLIMB_H
#define LUNA_PLAN_CLIMB_H

#include "plan_attempt.h"

/// Looks for plans below the best one, down to `enough`, by short searches in
/// orders that are changed a little at a time, until the steps `until` are
/// taken.
///
/// It shows nothing impossible but what a short search exhausts. Scratch comes
/// from `arena`.
void luna_plan_climb(LunaPlanWork *work, int64_t enough, uint64_t until,
                     LunaArena *arena);

#endif // LUNA_PLAN_CLIMB_H
