#ifndef LUNA_CARRY_H
#define LUNA_CARRY_H

#include "mlir-c/IR.h"

/// Gives every memref that a loop of `func` carries one buffer of its own.
///
/// A buffer made in the body and yielded has two instances alive at the back
/// edge. Here the carried value becomes one allocation before the loop: the
/// initial value is copied in before (or is that allocation, where nobody else
/// needs it), what the body yields is copied in at the end of each iteration.
/// Does nothing the second time.
void luna_carry_buffers(MlirOperation func);

#endif // LUNA_CARRY_H
