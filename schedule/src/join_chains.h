#ifndef LUNA_JOIN_CHAINS_H
#define LUNA_JOIN_CHAINS_H

// Chains of values that branches pass through or recompute, in two buffers that
// exchange their roles, or copied into one.

#include "draft.h"

/// How far a chain is followed.
typedef enum LunaSwapReach {
  LUNA_SWAP_BRANCHES,      ///< from branch to branch
  LUNA_SWAP_OPERATORS,     ///< also through operators between and behind them
  LUNA_SWAP_BETWEEN,       ///< not through those behind the last branch
  LUNA_SWAP_LOOPS,         ///< and through loops in the form of draft_swap_loop
  LUNA_SWAP_LOOPS_BETWEEN, ///< not through operators behind the last of them
  LUNA_SWAP_LOOPS_ALONE,   ///< through no operators, where it could be
  LUNA_SWAP_REACH_COUNT
} LunaSwapReach;

/// The buffer that holds the value of a chain, the one that is free, and, if
/// the first value is read behind the chain, the one that is free next, as long
/// as the value is the first; else a null value.
typedef struct LunaSwapPair {
  LunaValue *value, *free, *next;
} LunaSwapPair;

/// How far a chain led.
typedef struct LunaSwapSteps {
  uint32_t loops;     ///< that it led through
  uint32_t operators; ///< likewise
  uint32_t between;   ///< of these, before the last branch or loop
  bool has_failed;    ///< in a loop; the draft is to be destroyed then
} LunaSwapSteps;

/// Follows the chain of `pair` through `block`, where both buffers are its own,
/// up to `operators_max` operators, and rewrites it; `pair` is what remains at
/// its end. Where `reach` leaves operators out, draft_swap_operators_max says
/// how many are followed.
LunaSwapSteps draft_swap_follow(LunaSwapPair *pair, LunaBlock *block,
                                LunaSwapReach reach, uint32_t operators_max);

/// Returns true if `reach` leaves operators out.
bool draft_swap_leaves_out(LunaSwapReach reach);
/// Writes how many operators a chain that would lead to `all` is followed
/// through. Returns false if another reach leads as far.
bool draft_swap_operators_max(LunaSwapReach reach, LunaSwapSteps all,
                              uint32_t *operators_max);

/// Returns true if `draft` has a chain `index`, counted in program order.
bool draft_has_swap_chain(LunaDraft *draft, uint32_t index);

/// Rewrites chain `index` of `draft`: each of its branches yields the value and
/// the free buffer. A region that recomputes the value writes to the free
/// buffer and yields the two exchanged. Returns the number of allocations that
/// the free buffer replaces; with one, none is saved. With LUNA_SWAP_LOOPS, 0
/// if the chain leads through no loop; `draft` is to be destroyed then.
uint32_t draft_swap_chain(LunaDraft *draft, uint32_t index,
                          LunaSwapReach reach);

/// Returns true if `draft` has a branch `index`, in program order, that passes
/// a value through or recomputes it, and behind which something else reads it.
bool draft_has_kept_chain(LunaDraft *draft, uint32_t index);

/// Rewrites the chain from that branch on like draft_swap_chain, from branch to
/// branch and through operators, but has two buffers take turns, neither of
/// them that of the first value. With two allocations replaced, none is saved.
uint32_t draft_swap_kept_chain(LunaDraft *draft, uint32_t index);

/// Rewrites the first branch of chain `index` of `draft`: each of its regions
/// yields one new buffer, which those write that recompute the value, and to
/// which the others copy it. Returns false if a nested branch recomputes it.
bool draft_copy_at_join(LunaDraft *draft, uint32_t index);

#endif // LUNA_JOIN_CHAINS_H
