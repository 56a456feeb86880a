#ifndef LUNA_SHAPE_OPEN_H
#define LUNA_SHAPE_OPEN_H

#include "shape_reader.h"

/// Returns true for a branch or loop of scf or tosa.
bool luna_shape_is_flow(MlirOperation op);

/// Returns true for tensors without a rank or with dynamic sizes.
bool luna_shape_is_open(MlirType type);

/// Describes the results that stay open: `luna.shape` and `luna.class` on their
/// operators, and on the function `luna.sizes`, the bounds of the symbols in
/// them. `is_open` says by value of the reader what is open; attributes of
/// earlier runs go.
void luna_shape_describe(LunaShapeReader *reader, MlirOperation func,
                         const bool *is_open);

#endif // LUNA_SHAPE_OPEN_H
