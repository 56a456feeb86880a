#ifndef LUNA_EARLY_OUTPUTS_H
#define LUNA_EARLY_OUTPUTS_H

#include "mlir-c/IR.h"

/// Moves every copy of a result to an argument of `func` up to where the result
/// is complete, into branches where they make it (sink_outputs.h), so that
/// its buffer need not live to the end. The new value of a
/// state variable (luna.state) still leaves after the old one was read.
/// O(ops * copies).
void luna_store_outputs_early(MlirOperation func);

#endif // LUNA_EARLY_OUTPUTS_H
