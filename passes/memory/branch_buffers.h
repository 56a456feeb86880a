#ifndef LUNA_BRANCH_BUFFERS_H
#define LUNA_BRANCH_BUFFERS_H

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Coalesces the buffers of values that branches of `func` pass through or
/// recompute, where nothing has to be copied for that.
///
/// Where some regions of a branch yield an outer buffer that nothing reads
/// afterwards, and the others an allocation of the same type, the latter write
/// the outer buffer instead: from the last access to it on, or in place, where
/// the operator may on `machine`.
void luna_coalesce_branch_buffers(MlirOperation func,
                                  const LunaMachine *machine);

#endif // LUNA_BRANCH_BUFFERS_H
