#ifndef LUNA_BUFFER_LIVENESS_H
#define LUNA_BUFFER_LIVENESS_H

// The accesses of a buffer that has one name, and when its contents die.

#include <stdbool.h>

#include "mlir-c/IR.h"

/// Returns true if `op` gives an operand another name that may be that of other
/// buffers, too: a terminator, a loop or a select.
bool luna_merges_names(MlirOperation op);
/// Returns true if nobody uses the name that such an op gives the operand.
bool luna_is_unused_name(MlirOpOperand use);
/// Returns true if the result of `op` is a view of its operand.
bool luna_makes_view(MlirOperation op);

/// Calls `visit` for the ops that access `buffer`, also through views. Returns
/// false if it has another name, or as soon as `visit` does.
bool luna_visit_accesses(MlirValue buffer,
                         bool (*visit)(MlirOperation op, void *data),
                         void *data);

/// Returns true if, along all paths from `op` on, what `buffer` holds is read
/// no more: it is overwritten as a whole first, or allocated anew. False if it
/// has another name. O(accesses * control flow around them).
bool luna_is_dead_behind(MlirValue buffer, MlirOperation op);

#endif // LUNA_BUFFER_LIVENESS_H
