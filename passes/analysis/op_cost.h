#ifndef LUNA_OP_COST_H
#define LUNA_OP_COST_H

#include "luna/cost.h"
#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Gives the cycles of one op of a program in memref form, as the simulator
/// will charge them: unit operators, copies and fills by luna/cost.h, all else
/// that touches memory by luna_host_cycles; zero for ops that touch none, and
/// for transfers. Emits an error and gives false where the runtime cannot
/// express the op.
bool luna_op_cost(const LunaMachine *machine, MlirOperation op, LunaCost *cost);

/// Returns the host core's cycles for an operator that LUNA has no unit for:
/// iterations * (arithmetic operations + accesses), each at the machine's
/// price.
uint64_t luna_host_cycles(const LunaMachine *machine, MlirOperation op);

/// How a host operator uses its operand `index` (LunaAccess; 0 for no memref).
int32_t luna_host_access(MlirOperation op, intptr_t index);

#endif // LUNA_OP_COST_H
