#ifndef LUNA_PREFETCH_H
#define LUNA_PREFETCH_H

#include <stdbool.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Starts the first weights of a region in what runs before it.
///
/// Where a region after an scf.if or scf.index_switch begins with a transfer of
/// weights, every branch starts it instead, as its last transfer, and hands on
/// a staging buffer and the token; a region right after another one lets that
/// start it. The start stands as late as the remaining ops still hide it by the
/// cost model: earlier would only hold the buffer longer. No path makes a
/// transfer more or ends later. Emits an error and gives false where an op has
/// no cost.
bool luna_prefetch(MlirOperation func, const LunaMachine *machine);

#endif // LUNA_PREFETCH_H
