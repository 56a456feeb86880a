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

/// Adds the cycles of all runs of an op on a path that takes it to `*cycles`,
/// which stays at INT64_MAX if they are more. Fails as luna_op_cost does.
bool luna_op_add_run_cycles(const LunaMachine *machine, MlirOperation op,
                            uint64_t *cycles);

#endif // LUNA_OP_COST_H
