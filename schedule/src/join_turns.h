#ifndef LUNA_JOIN_TURNS_H
#define LUNA_JOIN_TURNS_H

// Chains of values from the start of a turn to its end, in two buffers that the
// loop carries.

#include "join_chains.h"

/// Returns true if `draft` has a loop `index`, counted by carried values, in
/// the form of draft_coalesce_loop_buffers, which ends its turns by a copy to
/// the carried buffer and contains a branch, of an scf.while in its second
/// region.
bool draft_has_swap_loop(LunaDraft *draft, uint32_t index);

/// Rewrites carried value `index` of `draft`: the loop carries its buffer and a
/// free one, which the branches and operators of a turn exchange, and at the
/// end of the turn, if the value is dead then, the free one is what was copied.
/// `pair` is what the loop leaves in `block`. Returns false if what is copied
/// is neither; `draft` is to be destroyed then.
bool draft_swap_loop(LunaDraft *draft, uint32_t index, LunaSwapPair *pair,
                     LunaBlock **block);

/// What became of a loop.
typedef enum LunaSwapLoopOutcome {
  LUNA_SWAP_LOOP_NONE,   ///< it is of another form, and as before
  LUNA_SWAP_LOOP_FAILED, ///< as draft_swap_loop: the function is to be
                         ///< destroyed
  LUNA_SWAP_LOOP_DONE,
} LunaSwapLoopOutcome;

/// Rewrites a carried value whose buffer nothing but `op` accesses before the
/// loop: a copy of the value of `pair`, or an operator that is the last to
/// access it. The loop carries the pair, and `pair` is what it leaves.
LunaSwapLoopOutcome draft_swap_through_loop(LunaOp *op, LunaSwapPair *pair);

#endif // LUNA_JOIN_TURNS_H
