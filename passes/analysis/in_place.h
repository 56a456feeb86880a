#ifndef LUNA_IN_PLACE_H
#define LUNA_IN_PLACE_H

#include <stdbool.h>

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Returns true if `op` may write its only output into the buffer of `operand`,
/// which is one of its inputs, or several: an elementwise operator that reads,
/// of this buffer, only the element that it writes next, on the core or on a
/// unit that works in place.
bool luna_may_work_in_place(const LunaMachine *machine, MlirOperation op,
                            MlirValue operand);

/// Returns true if a linalg operator on memrefs adds up, or otherwise reduces,
/// to each of its outputs: none of them may share bytes with an input.
bool luna_reduces(MlirOperation op);

#endif // LUNA_IN_PLACE_H
