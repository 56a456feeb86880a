#ifndef LUNA_SCALAR_FUNCTION_H
#define LUNA_SCALAR_FUNCTION_H

// What operators compute of one f32 each: those of TOSA that work element by
// element, and of arith and math.

#include <stdbool.h>

#include "luna-c/ir.h"

enum { LUNA_SCALAR_MAX_OPERANDS = 3 };

typedef struct LunaScalarFunction {
  LunaOpName name;
  /// How many of the first operands are numbers.
  int operands;
  double (*apply)(MlirOperation op, const double *x);
} LunaScalarFunction;

/// Returns what `op` computes of f32 operands, a condition counting as 0 or 1;
/// NULL where it is no such operator.
const LunaScalarFunction *luna_scalar_function(MlirOperation op);

/// Returns the result for f32 operands: as near as f32 has it, a step that f32
/// defines exactly.
float luna_scalar_apply(const LunaScalarFunction *function, MlirOperation op,
                        const float *operands);

#endif // LUNA_SCALAR_FUNCTION_H
