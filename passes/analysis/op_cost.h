#ifndef LUNA_OP_COST_H
#define LUNA_OP_COST_H

#include "luna/cost.h"
#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Computes the cycles of one op of a program in memref form, as charged by the
/// simulator: unit operators, copies and fills by luna/cost.h, other ops that
/// access memory by luna_host_cycles; zero for ops that access none, and for
/// transfers. Emits an error and returns false if the runtime cannot express
/// the op.
bool luna_op_cost(const LunaMachine *machine, MlirOperation op, LunaCost *cost);

#endif // LUNA_OP_COST_H
