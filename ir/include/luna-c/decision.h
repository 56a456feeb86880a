#ifndef LUNA_C_DECISION_H
#define LUNA_C_DECISION_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the first operation that the decision of `branch`, an scf.if,
/// applies to: an arith.select on its condition in front of it, or `branch`.
///
/// Upstream makes results that are the same value on each path a select in
/// front of the branch. Such a select belongs to the first branch on the
/// condition that follows in its block or, where none follows, to the last one
/// before it; so results of a branch that became a select follow the branch
/// when its decision is forced. O(operations of the block).
MlirOperation luna_decision_first_user(MlirOperation branch);

/// Makes `branch`, and the selects that belong to it, use `taken` instead of
/// the condition of `branch`. `first` is luna_decision_first_user(branch).
/// O(operations of the block).
void luna_decision_replace(MlirOperation branch, MlirOperation first,
                           MlirValue taken);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_DECISION_H
