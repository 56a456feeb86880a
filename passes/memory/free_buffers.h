#ifndef LUNA_FREE_BUFFERS_H
#define LUNA_FREE_BUFFERS_H

// Buffers that control flow passes on although nobody reads them: the free ones
// behind a chain in two buffers that exchange.

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/// Returns true if `func` has a pair `index` of an allocation and a result of
/// control flow before its uses that nobody uses, of its type, whose buffer no
/// other name accesses from then on.
bool luna_has_free_buffer(MlirOperation func, uint32_t index);

/// Has the allocation of pair `index` be that buffer.
bool luna_take_free_buffer(MlirOperation func, uint32_t index);

#endif // LUNA_FREE_BUFFERS_H
