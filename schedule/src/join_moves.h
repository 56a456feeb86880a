#ifndef LUNA_JOIN_MOVES_H
#define LUNA_JOIN_MOVES_H

// What can be done with joins that cost something as they are.

#include "draft.h"

/// What became of a site.
typedef enum LunaJoinOutcome {
  LUNA_JOIN_NO_SITE,   ///< there is none of this number
  LUNA_JOIN_UNCHANGED, ///< nothing is to be done this way
  LUNA_JOIN_REWRITTEN,
} LunaJoinOutcome;

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
  /// Returns false if there is no such site; may err otherwise.
  bool (*may_have_site)(LunaDraft *draft, uint32_t site);
  LunaJoinOutcome (*rewrite)(LunaDraft *draft, uint32_t site, uint32_t way);
} LunaJoinMove;

/// The most ways of a move.
enum { LUNA_JOIN_WAYS_MAX = 3 };

/// The moves, in the order in which sites are decided.
extern const LunaJoinMove draft_moves[];
extern const uint32_t draft_move_count;

#endif // LUNA_JOIN_MOVES_H
