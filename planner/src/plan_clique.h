#ifndef LUNA_PLAN_CLIQUE_H
#define LUNA_PLAN_CLIQUE_H

#include "plan_items.h"

/// Returns the bytes of the largest set found of items among `members` of which
/// any two are live together, or `at_least` if it found none that is larger. No
/// plan of them is smaller: where lifetimes have gaps, such items need not all
/// be live at one point.
///
/// Neighbours are listed. Branch and bound, for a limited number of steps, on
/// the largest 1,024 items. Scratch comes from `arena`.
int64_t luna_plan_clique_bytes(const LunaPlanItems *items,
                               const uint32_t *members, uint32_t member_count,
                               int64_t at_least, LunaArena *arena);

#endif // LUNA_PLAN_CLIQUE_H
