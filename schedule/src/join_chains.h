#ifndef LUNA_JOIN_CHAINS_H
#define LUNA_JOIN_CHAINS_H

// Chains of values, each of which dies where the next one is computed: those
// that branches pass through or recompute, those that loops carry.
//
// All values of a chain land in one buffer, its place: what recomputes the
// value copies it there. Exchanged by pointers, these copies cost nothing.

#include "draft_uses.h"
#include "joins.h"

/// How far a chain is followed.
typedef enum LunaChainReach {
  LUNA_CHAIN_BRANCHES,      ///< from branch to branch
  LUNA_CHAIN_OPERATORS,     ///< also through operators between and behind them
  LUNA_CHAIN_LOOPS,         ///< and through the turns of loops
  LUNA_CHAIN_LOOPS_BETWEEN, ///< not through operators behind the last of them
  LUNA_CHAIN_LOOPS_ALONE,   ///< through no operators, where it could be
  LUNA_CHAIN_REACH_COUNT
} LunaChainReach;

/// What a chain starts with.
typedef enum LunaChainStart {
  LUNA_CHAIN_BRANCH, ///< a branch behind which nothing else reads the value
  LUNA_CHAIN_LOOP,   ///< a loop, as draft_find_turn finds it
  LUNA_CHAIN_KEPT,   ///< a branch behind which something else reads the value
} LunaChainStart;

/// A chain as it lands.
typedef struct LunaChain {
  LunaArena arena;
  LunaChainReach reach;
  uint32_t operators_max; ///< that it may lead through
  bool is_kept;           ///< the first value: a copy of it is no other name
  bool rewrites;          ///< else only finds out whether it could
  LunaOp *start;
  LunaValue *place;
  LUNA_VECTOR(LunaOp *) copies; ///< to the place
  uint32_t loops, operators;    ///< that it led through
  uint32_t between; ///< of the operators, before the last branch or loop
  bool has_failed;  ///< in a loop; the draft is to be destroyed then
} LunaChain;

/// Lands what follows the value that is in the place of `chain`, through
/// `block`, as far as that leads.
void draft_chain_follow(LunaChain *chain, LunaBlock *block);

/// Lands chain `index` of `draft`, counted in program order, and exchanges all
/// of its copies. A branch starts one if it passes a value through or
/// recomputes it. Where something else reads the first value, two more buffers
/// take turns; with as many as are free, no buffer is saved. Unless it is
/// rewritten, since it cannot be, or leads no other way than with less reach,
/// `draft` is to be destroyed.
LunaJoinOutcome draft_swap_chain(LunaDraft *draft, LunaChainStart start,
                                 uint32_t index, LunaChainReach reach);

/// Lands the result of the branch that starts chain `index` of `draft`. Returns
/// false if there is no such chain.
bool draft_copy_at_join(LunaDraft *draft, uint32_t index);

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// A value that a loop carries in one buffer, in the form of
/// draft_coalesce_loop_buffers, and the copy to it that ends the turns.
typedef struct LunaTurn {
  LunaOp *loop;
  uint32_t index, left; ///< among those carried; those left
  LunaValue *buffer;
  LunaOp *copy;
} LunaTurn;

/// Finds carried value `index` of `draft`, counted in program order, whose
/// turns contain a branch, those of an scf.while in its second region.
bool draft_find_turn(LunaDraft *draft, uint32_t index, LunaTurn *turn);

/// Finds the one that is carried in `buffer`, which nothing but `op` accesses
/// before the loop.
bool draft_find_turn_behind(LunaValue *buffer, LunaOp *op, LunaTurn *turn);

/// Returns true unless the turns have too many branches to exchange.
bool draft_may_swap_turn(const LunaTurn *turn);

/// Lands the values of a turn in the place of `chain`, which is what the loop
/// carries. The last copy is left out, or one of the chain. Returns false if it
/// is neither, or the last value is still used behind it.
bool draft_land_turn(LunaChain *chain, const LunaTurn *turn);

/// Lands the values of all turns, and leaves the copies. Returns true if it
/// changed anything.
bool draft_land_turns(LunaDraft *draft, LunaChainReach reach);

#endif // LUNA_JOIN_CHAINS_H
