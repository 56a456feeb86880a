#ifndef LUNA_C_LINALG_OPERANDS_H
#define LUNA_C_LINALG_OPERANDS_H

//===-- luna-c/linalg_operands.h - what linalg does with operands ---------===//

#include <stdbool.h>

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the number of operands of a linalg op before its outputs.
intptr_t luna_linalg_input_count(MlirOperation op);
/// Returns the map that indexes operand `i` of a linalg op; null if there is
/// none.
MlirAffineMap luna_linalg_map(MlirOperation op, intptr_t i);
/// Returns true if the body uses operand `i`, or `otherwise` if it has no
/// argument for it.
bool luna_linalg_body_uses(MlirOperation op, intptr_t i, bool otherwise);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_LINALG_OPERANDS_H
