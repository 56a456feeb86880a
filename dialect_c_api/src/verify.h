#ifndef LUNA_C_VERIFY_H
#define LUNA_C_VERIFY_H

// The op verifiers, in C. They check machine-independent invariants only; a
// failure emits one diagnostic at the op.

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Verifies any operator of the unit.
MlirLogicalResult luna_verify_unit(MlirOperation op);
MlirLogicalResult luna_verify_quantize(MlirOperation op);
MlirLogicalResult luna_verify_dequantize(MlirOperation op);
MlirLogicalResult luna_verify_dma_start(MlirOperation op);
MlirLogicalResult luna_verify_region(MlirOperation op);
MlirLogicalResult luna_verify_label(MlirOperation op);
MlirLogicalResult luna_verify_buffer(MlirOperation op);

/// Verifies a discardable attribute of the dialect on an operation, or on the
/// argument or result `index` of a function, as luna-c/attributes.def says.
MlirLogicalResult luna_verify_op_attribute(MlirOperation op,
                                           MlirNamedAttribute attribute);
MlirLogicalResult luna_verify_argument_attribute(MlirOperation op,
                                                 intptr_t index, bool is_result,
                                                 MlirNamedAttribute attribute);

/// Fails, with one error at the op, if a value in or under `root` is a tensor
/// or memref of a rank above LUNA_RANK_MAX. The adaptor calls it before each
/// pass.
MlirLogicalResult luna_verify_ranks(MlirOperation root);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_VERIFY_H
