#ifndef LUNA_UNDEFINED_BUFFERS_H
#define LUNA_UNDEFINED_BUFFERS_H

#include "mlir-c/IR.h"

/// Erases copies from allocations without a write.
///
/// Upstream bufferisation creates them for operands of a loop or branch whose
/// contents are never read: any contents are valid. A select between such an
/// allocation and another buffer becomes the other one. Chains of copies
/// between undefined allocations are erased one by one, O(ops * copies).
void luna_drop_undefined_copies(MlirOperation func);

#endif // LUNA_UNDEFINED_BUFFERS_H
