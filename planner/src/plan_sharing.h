#ifndef LUNA_PLAN_SHARING_H
#define LUNA_PLAN_SHARING_H

#include "plan_problem.h"

/// What the buffers of moves hold, and which of them may never share a place.

typedef struct LunaPlanSharing {
  /// The members: the buffers that moves touch and their aliases, by group, and
  /// within a group ascending. Only members of one group ever hold the same.
  uint32_t *buffers;
  uint32_t count;
  /// By member: the first member of its group, and the first behind it.
  uint32_t *group_first, *group_end;
  /// By buffer: its member, or PLAN_NONE.
  uint32_t *members;
  /// By member, a row of bits for its group.
  uint64_t **conflicts;
} LunaPlanSharing;

/// Follows the contents of all members through the program, in `arena`.
/// O(passes * nodes * members); passes grow with the nesting of loops.
LunaPlanSharing luna_plan_sharing_make(const LunaProblem *problem,
                                       const LunaLifetime *lifetimes,
                                       LunaArena *arena);

/// Returns true if two members may hold different contents while both are live.
/// Those of different groups do, or have nothing to do with each other.
bool luna_plan_sharing_differ(const LunaPlanSharing *sharing, uint32_t a,
                              uint32_t b);

#endif // LUNA_PLAN_SHARING_H
