#ifndef LUNA_JOIN_MOVES_H
#define LUNA_JOIN_MOVES_H

// What can be done with joins that cost something as they are.

#include "join_chains.h"
#include "join_price.h"

/// A kind of rewriting. Each of its sites, in program order, is left as it is
/// or rewritten in one of some ways. A site that is rewritten is none any more.
typedef struct LunaJoinMove {
  uint32_t way_count;
  /// True if it costs cycles: only where the plan does not fit.
  bool is_last_resort;
  /// True if the last way is for sites of which the whole does not fit.
  bool has_part;
  /// True if what follows a way can make up for its price.
  bool is_start;
  /// NULL for chains that start like this; each way reaches farther.
  LunaJoinOutcome (*rewrite)(LunaDraft *draft, uint32_t site, uint32_t way);
  LunaChainStart start;
  LunaChainReach reach; ///< of the first way
} LunaJoinMove;

/// The most ways and moves of a stage.
enum { LUNA_JOIN_WAYS_MAX = 5, LUNA_JOIN_MOVES_MAX = 6 };

/// A draft as its joins are decided.
typedef struct LunaJoinPlan {
  LunaDraft *draft; ///< NULL if there is none
  LunaJoinPrice price;
} LunaJoinPlan;

/// Moves, in the order in which sites are decided.
typedef struct LunaJoinStage {
  LunaJoinMove moves[LUNA_JOIN_MOVES_MAX];
  uint32_t move_count;
  uint32_t site_count; ///< of a move, at most
  int64_t budget_ops;  ///< tried to find other ways than the first
  /// Computes the price of a draft with what can be decided behind it, and
  /// keeps that in `best`; NULL for draft_price, where nothing is.
  bool (*price)(const LunaDraft *draft, LunaJoinPrice *price,
                LunaJoinPlan *best, LunaError *error);
} LunaJoinStage;

/// What can be done where buffers are coalesced.
extern const LunaJoinStage draft_join_stage;

#endif // LUNA_JOIN_MOVES_H
