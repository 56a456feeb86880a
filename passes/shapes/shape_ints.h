#ifndef LUNA_SHAPE_INTS_H
#define LUNA_SHAPE_INTS_H

#include "luna/shape_graph.h"
#include "mlir-c/IR.h"

/// Reads the attributes that the rule of an operator names, as lists of
/// integers. Returns false if one that begins with '@' cannot be read: then
/// the rule does not hold for the operator.
bool luna_read_shape_ints(LunaArena *arena, MlirOperation op, LunaShapeOp *out);

#endif // LUNA_SHAPE_INTS_H
