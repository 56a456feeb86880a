#ifndef LUNA_JOINS_H
#define LUNA_JOINS_H

// What can be done to a draft so that what its control flow merges costs less.

#include "draft.h"

/// What became of a site, one of those of a kind, in program order.
typedef enum LunaJoinOutcome {
  LUNA_JOIN_NO_SITE,   ///< there is none of this number
  LUNA_JOIN_UNCHANGED, ///< nothing is to be done this way
  LUNA_JOIN_REWRITTEN,
} LunaJoinOutcome;

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

/// Coalesces the buffers of each loop-carried memref into one.
///
/// A buffer that the body allocates and yields has two live instances at the
/// back edge. Here the carried value becomes one allocation before the loop.
/// The init is copied into it, unless the init is an allocation without other
/// uses from the loop on; the yielded value is copied into it at the end of
/// each iteration. Loops that only pass buffers from outside on, as pointers,
/// stay.
///
/// Then erases copies from allocations without a write. Upstream bufferisation
/// creates them for operands of a loop or branch whose contents are never read:
/// any contents are valid. A select between such an allocation and another
/// buffer becomes the other one. Idempotent. O(ops * copies erased).
void draft_coalesce_loop_buffers(LunaDraft *draft);

/// Replaces the results of branches and loops, and the arguments of loops, that
/// are one allocation on all paths by that allocation. O(values * depth).
void draft_forward_buffers(LunaDraft *draft);

/// Lands the result of a branch: each body copies what it passes on to one new
/// buffer, which the result is from then on. Returns that.
LunaValue *draft_land_result(LunaValue *result);

/// Coalesces what may be at no cost: lands all results, unifies copies, and has
/// those be pointers again that are still copied to where they land, until none
/// is. `draft` becomes another one. Fails like draft_unify_copies.
bool draft_coalesce(LunaDraft **draft, LunaError *error);

/// Makes one buffer of those that copies connect, and of operands and results
/// of operators that may work in place, as luna_plan_coalesce decides for the
/// target's memory and cycles; unless it `searches`, as what comes first in
/// that. Fails like luna_model_problem and luna_plan_coalesce.
bool draft_unify_copies(LunaDraft *draft, bool searches, LunaError *error);

//===----------------------------------------------------------------------===//
// Copies as exchanges
//===----------------------------------------------------------------------===//

/// Returns true if a copy from one allocation to another stands in control flow
/// within the block of the latter: else there is no group.
bool draft_has_inner_copies(LunaDraft *draft);

/// Rewrites copies of group `index`, in program order: those that connect the
/// same buffers, each between two allocations of one type, the first of which
/// is dead behind the copy. `members` says which of them, in program order;
/// NULL stands for all. The buffers become pointers that control flow carries,
/// and each copy exchanges two of them; the allocations of bodies become
/// buffers that lie outside. Returns the number of copies in the group, or 0 if
/// there is none of which some can be rewritten. The draft is changed even
/// then, but not what it does.
uint32_t draft_swap_copies(LunaDraft *draft, uint32_t index,
                           const bool *members);

//===----------------------------------------------------------------------===//
// Buffers that are free
//===----------------------------------------------------------------------===//

/// Finds pair `index` of an allocation and a result of control flow before its
/// uses that nobody uses, of its type, whose buffer no other name accesses from
/// then on, and has the allocation be that buffer. Returns false if there is
/// none.
bool draft_take_free_buffer(LunaDraft *draft, uint32_t index);

#endif // LUNA_JOINS_H
