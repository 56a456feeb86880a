#ifndef LUNA_PLAN_CLIMB_H
#define LUNA_PLAN_CLIMB_H

#include "plan_attempt.h"

/// A climb, which goes on where it stopped.
typedef struct LunaPlanClimb {
  /// The kind of the order, the noise that was kept, and how much memory it
  /// filled.
  uint32_t kind, *kept;
  int64_t reach;
  /// The consecutive changes without improvement.
  uint32_t idle;
  /// The size of the plan below which it searched last; 0 if `reach` is not
  /// known below any.
  int64_t best;
} LunaPlanClimb;

/// Prepares a climb of `work` in `arena`.
LunaPlanClimb luna_plan_climb_make(const LunaPlanWork *work, LunaArena *arena);

/// Looks for plans below the best one, down to `enough`, by short searches in
/// orders that are changed a little at a time, until the steps `until` are
/// taken.
///
/// It shows nothing impossible but what a short search exhausts.
void luna_plan_climb(LunaPlanClimb *climb, LunaPlanWork *work, int64_t enough,
                     uint64_t until);

#endif // LUNA_PLAN_CLIMB_H
