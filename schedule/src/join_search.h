#ifndef LUNA_JOIN_SEARCH_H
#define LUNA_JOIN_SEARCH_H

#include "join_moves.h"

/// Keeps the plan of the lower price in `best`, on a tie that one, and destroys
/// the other.
void draft_plan_keep(LunaJoinPlan plan, LunaJoinPlan *best);

/// Applies the moves of a stage to `draft`, which it owns from then on, and
/// keeps what takes least in `best`. Fails if `draft` has no price.
///
/// Site by site the best way is taken; then other ways, the last sites first,
/// until nothing can be better or the budget is used up.
bool draft_search(const LunaJoinStage *stage, LunaDraft *draft,
                  LunaJoinPlan *best, LunaError *error);

#endif // LUNA_JOIN_SEARCH_H
