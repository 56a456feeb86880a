#ifndef LUNA_IN_PLACE_H
#define LUNA_IN_PLACE_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/// Returns true if `op` may write its only output into the buffer of `operand`,
/// which is one of its inputs, or several: an elementwise operator that reads,
/// of this buffer, only the element that it writes next.
bool luna_may_work_in_place(MlirOperation op, MlirValue operand);

#endif // LUNA_IN_PLACE_H
