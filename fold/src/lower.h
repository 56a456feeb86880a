#ifndef LUNA_FOLD_LOWER_H
#define LUNA_FOLD_LOWER_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

/// Upstream's lowering of TOSA to linalg, tensor, scf and arith. Creating one
/// registers its passes.
typedef struct LunaLowering {
  MlirContext context;
  MlirPassManager manager;
} LunaLowering;

LunaLowering luna_lowering_create(MlirContext context);
void luna_lowering_destroy(LunaLowering *lowering);

/// Returns a module with one function that computes the lowered copy of `op`,
/// which has no regions; null, without a diagnostic, if upstream does not lower
/// it. The arguments are the operands of `op` that are not constants.
/// `attributes` has for each operand the elements to use instead, or null. The
/// caller destroys the module.
MlirModule luna_lowering_of(const LunaLowering *lowering, MlirOperation op,
                            const MlirAttribute *attributes);

#endif // LUNA_FOLD_LOWER_H
