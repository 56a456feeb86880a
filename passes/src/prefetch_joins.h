#ifndef LUNA_PREFETCH_JOINS_H
#define LUNA_PREFETCH_JOINS_H

#include <stdbool.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Starts the first weights after a join of branches inside the branches.
///
/// Where a region after an scf.if or scf.index_switch begins with a transfer of
/// weights, every branch starts it instead, as its last transfer, and hands on
/// a staging buffer and the token. The start stands as late as the remaining
/// ops of the branch still hide it by the cost model: earlier would only hold
/// the buffer longer. No path makes a transfer more or ends later. Emits an
/// error and gives false where an op has no cost.
bool luna_prefetch_joins(MlirOperation func, const LunaMachine *machine);

#endif // LUNA_PREFETCH_JOINS_H
