#ifndef LUNA_LITERAL_PROMOTE_H
#define LUNA_LITERAL_PROMOTE_H

#include "mlir-c/IR.h"

/// Makes all f32 of a module f64: types of values and functions, and constants.
/// Operators are those of linalg, arith, math, tensor and scf, which take
/// either. What is f64 on one side of a bitcast is converted.
void luna_literal_promote(MlirModule module);

#endif // LUNA_LITERAL_PROMOTE_H
