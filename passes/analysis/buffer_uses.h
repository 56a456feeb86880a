#ifndef LUNA_BUFFER_USES_H
#define LUNA_BUFFER_USES_H

// Who accesses a buffer, under whatever name, before luna-form-regions.

#include <stdbool.h>

#include "luna/map.h"
#include "mlir-c/IR.h"

/// One way into a result of scf.if or scf.index_switch: the yield of one of its
/// regions.
typedef struct LunaJoinEdge {
  MlirOperation branch;
  intptr_t region, result;
} LunaJoinEdge;

/// Returns the block of the region.
MlirBlock luna_join_block(const LunaJoinEdge *edge);
/// Returns the value that the region yields.
MlirValue luna_join_source(const LunaJoinEdge *edge);
/// Returns the value from outside that a region of `branch` yields as `result`,
/// or a null value: the first if several do.
MlirValue luna_passed_through(MlirOperation branch, intptr_t result);

/// The ops that access a buffer, in no order.
typedef struct LunaAccesses {
  LUNA_VECTOR(MlirOperation);
  bool is_complete; ///< false if a loop carries the buffer, or a call takes it
} LunaAccesses;

/// Returns what accesses the buffer of `value` through it or a name that comes
/// from it: views, selects and results of branches, except through `edge` (may
/// be NULL) and the other regions of its branch, which do not run then.
/// O(uses).
LunaAccesses luna_accesses_of(MlirValue value, const LunaJoinEdge *edge,
                              LunaArena *arena);

/// Returns true if `op` runs after `other`, and not within it, on some path
/// that runs both, if no loop is around one of them that is not around the
/// other.
bool luna_runs_after(MlirOperation op, MlirOperation other);

/// Returns true if nothing accesses the buffer of `value` but through the
/// result of `edge`, once its branch has run that region, and no loop comes
/// between the two.
bool luna_dies_at_join(MlirValue value, const LunaJoinEdge *edge,
                       LunaArena *arena);

/// What luna_is_only_name has found out, for as long as buffers are only
/// replaced by others. Zero-initialise.
typedef struct LunaOnlyNames {
  LunaMap values;
  LUNA_VECTOR(bool);
} LunaOnlyNames;

/// Returns true if no value but those that come from `value` names its buffer
/// once it is defined: an allocation, or the result of a branch whose sources
/// are such and die there.
bool luna_is_only_name(MlirValue value, LunaOnlyNames *known, LunaArena *arena);

#endif // LUNA_BUFFER_USES_H
