#ifndef LUNA_TRANSPOSE_OPERANDS_H
#define LUNA_TRANSPOSE_OPERANDS_H

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Gives calls of the vendor's library planes, in a module with memories.
///
/// An input of a convolution or max pooling that lies otherwise is copied to
/// planes before it, and a result from planes after it, where its launches can
/// be calls then; so are operands of elementwise operators beside others that
/// are planes, where that takes fewer cycles. Elementwise operators whose
/// operands do not lie alike then are the core's (`on_core`): there is no
/// vector call for them. Rows of channels are left where memrefs are reshaped,
/// and where the caller has or wants them (luna-choose-layout).
void luna_transpose_operands(MlirOperation module, const LunaMachine *machine);

#endif // LUNA_TRANSPOSE_OPERANDS_H
