#ifndef LUNA_FOLD_SCALAR_H
#define LUNA_FOLD_SCALAR_H

#include "interpreter.h"
#include "luna-c/op_names.h"

/// A scalar operator: the types of its last operand and of its result, and
/// what its attributes say.
typedef struct LunaScalarStep {
  const struct LunaScalarOp *op;
  LunaScalarType from, to;
  int64_t detail;
} LunaScalarStep;

enum { LUNA_SCALAR_MAX_OPERANDS = 3 };

/// One row of the tables: operators of arith and math, on scalars.
typedef struct LunaScalarOp {
  LunaOpName name;
  /// Computes `out` from the operands, of which none is poison; false where the
  /// result is.
  bool (*apply)(const LunaScalarStep *step, const LunaCell *in, LunaCell *out);
  /// The attribute whose integer is `detail`; NULL for none.
  const char *detail;
  /// The name of an attribute under which the operator is not known.
  const char *unless;
} LunaScalarOp;

/// The rows on integers, and those that give or take floats.
extern const LunaScalarOp luna_scalar_int_ops[];
extern const int luna_scalar_int_op_count;
extern const LunaScalarOp luna_scalar_float_ops[];
extern const int luna_scalar_float_op_count;

/// Finds the row of an operator, or returns NULL.
const LunaScalarOp *luna_scalar_find(MlirOperation op);

/// Compiles operators of the tables, on scalars or element by element.
bool luna_compile_scalar(LunaCompiler *compiler, MlirOperation op,
                         LunaStep *step);
/// Compiles arith.constant and tosa.const, which become a cell.
bool luna_compile_literal(LunaCompiler *compiler, MlirOperation op,
                          LunaStep *step);

#endif // LUNA_FOLD_SCALAR_H
