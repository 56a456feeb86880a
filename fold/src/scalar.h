#ifndef LUNA_FOLD_SCALAR_H
#define LUNA_FOLD_SCALAR_H

#include "interpreter.h"
#include "luna-c/op_names.h"

/// A scalar operator: the types of its last operand and its result, and its
/// attributes.
typedef struct LunaScalarStep {
  const struct LunaScalarOp *op;
  LunaScalarType from, to;
  int64_t detail;
} LunaScalarStep;

enum { LUNA_SCALAR_MAX_OPERANDS = 3 };

/// A row of the tables: a scalar operator of arith or math.
typedef struct LunaScalarOp {
  LunaOpName name;
  /// Computes `out` from operands that are not poison. Returns false if the
  /// result is poison.
  bool (*apply)(const LunaScalarStep *step, const LunaCell *in, LunaCell *out);
  /// The integer attribute that becomes `detail`, or NULL.
  const char *detail;
  /// An attribute with which the operator is not supported.
  const char *unless;
} LunaScalarOp;

/// The rows on integers, and those on floats.
extern const LunaScalarOp luna_scalar_int_ops[];
extern const int luna_scalar_int_op_count;
extern const LunaScalarOp luna_scalar_float_ops[];
extern const int luna_scalar_float_op_count;

/// Returns the row of an operator, or NULL.
const LunaScalarOp *luna_scalar_find(MlirOperation op);

/// Compiles operators of the tables, on scalars or elementwise.
bool luna_compile_scalar(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step);
/// Compiles arith.constant and tosa.const to a cell.
bool luna_compile_literal(LunaCompiler *compiler, MlirOperation op,
                          LunaStep *step);

#endif // LUNA_FOLD_SCALAR_H
