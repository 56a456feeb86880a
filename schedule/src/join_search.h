#ifndef LUNA_JOIN_SEARCH_H
#define LUNA_JOIN_SEARCH_H

#include "join_price.h"

/// A draft as its joins are decided.
typedef struct LunaJoinPlan {
  LunaDraft *draft; ///< NULL if there is none
  LunaJoinPrice price;
} LunaJoinPlan;

/// Keeps the plan of the lower price in `best`, on a tie that one, and destroys
/// the other. Returns true if it is `plan` that is kept.
bool draft_plan_keep(LunaJoinPlan plan, LunaJoinPlan *best);

/// Returns true if no plan can be better: it fits, copies nothing in branches
/// and loops, and takes what the target says is least.
bool draft_plan_is_least(const LunaJoinPlan *plan);

/// Applies draft_moves to `start`, which it owns from then on, and keeps
/// what takes least in `best`.
///
/// Site by site the best way is taken; then other ways, the last sites first,
/// until nothing can be better or a budget of ops that were planned is used up.
void draft_search(LunaJoinPlan start, LunaJoinPlan *best);

#endif // LUNA_JOIN_SEARCH_H
