#ifndef LUNA_PREFETCH_H
#define LUNA_PREFETCH_H

#include <stdbool.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Starts the first transfer of weights of a region in `block`, or below it,
/// before the region.
///
/// If a region after an scf.if or scf.index_switch begins with a transfer of
/// weights, every branch starts it instead, as its last transfer, and yields a
/// staging buffer and the token; if a region directly follows another one, that
/// starts it. The start is as late as the remaining ops still hide the transfer
/// by the cost model: an earlier one would only extend the buffer's lifetime.
/// No path has more transfers or ends later. Emits an error and returns false
/// if an op has no cost.
bool luna_prefetch(MlirBlock block, const LunaMachine *machine);

#endif // LUNA_PREFETCH_H
