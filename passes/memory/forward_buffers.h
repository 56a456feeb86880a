#ifndef LUNA_FORWARD_BUFFERS_H
#define LUNA_FORWARD_BUFFERS_H

#include "mlir-c/IR.h"

/// Replaces the results of branches and loops, and the arguments of loops, that
/// are one allocation on all paths by that allocation. O(values * depth).
void luna_forward_buffers(MlirOperation func);

#endif // LUNA_FORWARD_BUFFERS_H
