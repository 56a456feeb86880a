#ifndef LUNA_LOOP_BUFFERS_H
#define LUNA_LOOP_BUFFERS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/// Coalesces the buffers of each loop-carried memref of `func` into one.
///
/// A buffer that the body allocates and yields has two live instances at the
/// back edge. Here the carried value becomes one allocation before the loop.
/// The init is copied into it, unless the init is an allocation without other
/// uses from the loop on; the yielded value is copied into it at the end of
/// each iteration. Idempotent.
void luna_coalesce_loop_buffers(MlirOperation func);

/// Returns true if every loop carries one buffer, or pointers to buffers from
/// outside; else emits an error at the first that does not.
bool luna_check_loop_buffers(MlirOperation func);

#endif // LUNA_LOOP_BUFFERS_H
