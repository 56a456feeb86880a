#ifndef LUNA_HOST_COST_H
#define LUNA_HOST_COST_H

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Returns the host core's cycles for an operator that the program computes,
/// call included: the turns of its loops, and in each its operations by class
/// and its accesses; filled and copied bytes by blocks. At most INT64_MAX.
uint64_t luna_host_cycles(const LunaMachine *machine, MlirOperation op);

/// Returns the access of a host operator to its operand `index` (LunaAccess; 0
/// if it is not a memref).
int32_t luna_host_access(MlirOperation op, intptr_t index);

#endif // LUNA_HOST_COST_H
