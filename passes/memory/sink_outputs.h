#ifndef LUNA_SINK_OUTPUTS_H
#define LUNA_SINK_OUTPUTS_H

#include "mlir-c/IR.h"

/// Sinks copies of a result of scf.if to an argument of `func` into its
/// branches, if the result has no other use.
///
/// The buffer is then not live through the rest of the branch and beyond the
/// join, and a branch that yields a state variable unchanged (luna.state)
/// stores nothing. Erases unused results of the scf.if.
void luna_sink_outputs(MlirOperation func);

/// Returns the other argument of `func` that is the same state variable
/// (luna.state) as the argument that `target` is, or a null value.
MlirValue luna_other_state_argument(MlirOperation func, MlirValue target);

/// Returns true if `op` copies a buffer to an argument of the function, or to a
/// part of one.
bool luna_is_output_copy(MlirOperation op);

/// Returns the memref.subview that a value is, or a null op.
MlirOperation luna_output_view(MlirValue value);

/// Has the view that `copy` writes to stand right before it.
void luna_keep_view_at(MlirOperation copy);

#endif // LUNA_SINK_OUTPUTS_H
