#ifndef LUNA_CARRIED_BRANCHES_H
#define LUNA_CARRIED_BRANCHES_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/// Coalesces results of branches in the loops of `func` with the carried
/// buffers that they pass through. Returns true if it changed anything.
///
/// After luna_coalesce_loop_buffers, a value that a turn passes through or
/// recomputes is a result of the branch, which the turn copies to the carried
/// buffer at its end. Where nothing reads the old value behind the branch, the
/// buffer takes the new one there: the regions that recompute it copy it, the
/// others do nothing. With `has_operators` also that of an operator which a
/// branch behind it passes through.
bool luna_coalesce_carried_branches(MlirOperation func, bool has_operators);

#endif // LUNA_CARRIED_BRANCHES_H
