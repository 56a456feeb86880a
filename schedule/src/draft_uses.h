#ifndef LUNA_DRAFT_USES_H
#define LUNA_DRAFT_USES_H

// Who accesses a buffer, and when its contents die.

#include "draft.h"
#include "luna/map.h"

/// The ops that access a buffer, in no order.
typedef struct LunaAccesses {
  LUNA_VECTOR(LunaOp *);
  bool is_complete; ///< false if a loop carries the buffer, or a call takes it
} LunaAccesses;

/// Returns what accesses the buffer of `value` through it or a name that comes
/// from it: views, selects and results of branches, except through `edge`, one
/// of a branch, and the other regions of that, which do not run then. `edge`
/// may be NULL. O(uses).
LunaAccesses draft_accesses_of(LunaValue *value, const LunaUse *edge,
                               LunaArena *arena);

/// Returns true if `op` runs after `other`, and not within it, on some path
/// that runs both, if no loop is around one of them that is not around the
/// other.
bool draft_runs_after(LunaOp *op, LunaOp *other);

/// Returns true if nothing accesses the buffer of `value` but through the
/// result of `edge`, once its branch has run that region, and no loop comes
/// between the two.
bool draft_dies_at_join(LunaValue *value, const LunaUse *edge,
                        LunaArena *arena);

/// What draft_is_only_name has found out, for as long as buffers are only
/// replaced by others. Zero-initialise.
typedef struct LunaOnlyNames {
  LunaMap values;
  LUNA_VECTOR(bool);
} LunaOnlyNames;

/// Returns true if no value but those that come from `value` names its buffer
/// once it is defined: an allocation, or the result of a branch whose sources
/// are such and die there.
bool draft_is_only_name(LunaValue *value, LunaOnlyNames *known,
                        LunaArena *arena);

/// Returns true if `op` gives an operand another name that may be that of other
/// buffers, too: the end of a block, a loop or a select.
bool draft_merges_names(const LunaOp *op);
/// Returns true if nobody uses the name that such an op gives the operand.
bool draft_is_unused_name(const LunaUse *use);
/// Returns true if the result of `op` is a view of its operand.
bool draft_makes_view(const LunaOp *op);

/// Calls `visit` for the ops that access `buffer`, also through views. Returns
/// false if it has another name, or as soon as `visit` does.
bool draft_visit_accesses(LunaValue *buffer,
                          bool (*visit)(LunaOp *op, void *data), void *data);

/// Returns true if, along all paths from `op` on, what `buffer` holds is read
/// no more: it is overwritten as a whole first, or allocated anew. False if it
/// has another name. O(accesses * control flow around them).
bool draft_is_dead_behind(LunaValue *buffer, LunaOp *op);

/// Returns true if two values, at a point where both are visible, never refer
/// to the same buffer: they come from different allocations, or control flow
/// merges them from values that are apart on each of its edges, as where it
/// exchanges two buffers. May err on the side of false. O(pairs of values).
bool draft_are_apart(const LunaDraftRoots *roots, LunaValue *a, LunaValue *b);

#endif // LUNA_DRAFT_USES_H
