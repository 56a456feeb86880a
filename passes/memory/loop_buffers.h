#ifndef LUNA_LOOP_BUFFERS_H
#define LUNA_LOOP_BUFFERS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/// Returns true if every loop carries one buffer, or pointers to buffers from
/// outside; else emits an error at the first that does not.
bool luna_check_loop_buffers(MlirOperation func);

#endif // LUNA_LOOP_BUFFERS_H
