#ifndef LUNA_UNDEFINED_BUFFERS_H
#define LUNA_UNDEFINED_BUFFERS_H

#include "mlir-c/IR.h"

/// Erases copies out of allocations that nothing writes.
///
/// Upstream bufferisation makes them where a loop or branch is handed a tensor
/// whose contents nobody reads: any contents will do. A select between such an
/// allocation and another buffer becomes the other one. Copies between
/// allocations that all are undefined go one after the other, O(ops * copies).
void luna_drop_undefined_copies(MlirOperation func);

#endif // LUNA_UNDEFINED_BUFFERS_H
