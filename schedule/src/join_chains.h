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

/// Follows the chain of `pair` through `block`, where both buffers are its own,
/// as far as it leads, and rewrites it; `pair` is what remains at its end.
/// Returns false if a loop that it leads to cannot be rewritten; the draft is
/// to be destroyed then.
bool draft_swap_follow(LunaSwapPair *pair, LunaBlock *block);

/// What a chain starts with.
typedef enum LunaChainStart {
  LUNA_CHAIN_BRANCH, ///< a branch behind which nothing else reads the value
  LUNA_CHAIN_LOOP,   ///< a loop, as draft_has_swap_loop finds it
  LUNA_CHAIN_KEPT,   ///< a branch behind which something else reads the value
} LunaChainStart;

/// Returns true if `draft` has a chain `index`, counted in program order. A
/// branch starts one if it passes a value through or recomputes it.
bool draft_has_chain(LunaDraft *draft, LunaChainStart start, uint32_t index);

/// Rewrites chain `index` of `draft`: each of its branches and loops passes on
/// the value and the free buffer. What recomputes the value writes to the free
/// buffer and passes on the two exchanged. Where something else reads the first
/// value, two more buffers take turns. Returns the number of allocations that
/// the free buffers replace, and of loops; with as many as are free, none is
/// saved. 0 if the chain cannot be rewritten, or leads no other way than with
/// less reach; `draft` is to be destroyed then.
uint32_t draft_swap_chain(LunaDraft *draft, LunaChainStart start,
                          uint32_t index, LunaSwapReach reach);

/// Rewrites the branch that starts chain `index` of `draft`: each of its
/// regions yields one new buffer, which those write that recompute the value,
/// and to which the others copy it. Returns false if a nested branch recomputes
/// it.
bool draft_copy_at_join(LunaDraft *draft, uint32_t index);

#endif // LUNA_JOIN_CHAINS_H
