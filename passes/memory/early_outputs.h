#ifndef LUNA_EARLY_OUTPUTS_H
#define LUNA_EARLY_OUTPUTS_H

#include "mlir-c/IR.h"

/// Moves every copy of a result to an argument of `func` to the point where the
/// result is complete, and into branches that compute it (sink_outputs.h), so
/// that its buffer is not live until the end. The new value of a state variable
/// (luna.state) is still stored after the last read of the old one. O(ops *
/// copies).
void luna_store_outputs_early(MlirOperation func);

#endif // LUNA_EARLY_OUTPUTS_H
