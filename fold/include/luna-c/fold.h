#ifndef LUNA_C_FOLD_H
#define LUNA_C_FOLD_H

//===-- luna-c/fold.h - the values of operators on constants --------------===//
//
// One evaluator for all who need to know what a constant expression in the IR
// is: the pass that folds them, and readers that need a shape or a list of
// pads. It computes what the compiled program would: operators of TOSA are
// lowered by upstream's passes, and the linalg, tensor, scf, arith and math
// operators that come out are interpreted element by element, in the order in
// which upstream's loops run.
//
// What is not the same on every computer has no value here: functions of the
// C library (exp, tanh, …), and what is undefined (a division by zero).
//
//   LunaFold *fold = luna_fold_create(context, &(LunaFoldLimits){…});
//   const LunaConstant *pads = luna_fold_value(fold, value);
//   if (pads)
//     for (int64_t i = 0; i < pads->count; ++i)
//       use(luna_constant_int(pads, i));
//   luna_fold_destroy(fold);
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LUNA_CONSTANT_MAX_RANK = 16 };

/// What one element is.
typedef enum LunaScalarKind {
  LUNA_SCALAR_NONE, ///< a type that the evaluator does not know
  LUNA_SCALAR_INT,  ///< signless integers of 1 to 64 bits, index
  LUNA_SCALAR_F32,
  LUNA_SCALAR_F64,
} LunaScalarKind;

typedef struct LunaScalarType {
  LunaScalarKind kind;
  int32_t bits;
  /// As MLIR stores elements: bits rounded up to bytes, i1 in one byte.
  int32_t bytes;
} LunaScalarType;

/// The elements of a constant tensor, or one scalar (rank 0). All memory
/// belongs to the LunaFold or the attribute that it comes from.
typedef struct LunaConstant {
  LunaScalarType element;
  int32_t rank;
  int64_t dims[LUNA_CONSTANT_MAX_RANK];
  /// The product of the dimensions.
  int64_t count;
  /// All elements are alike, and `data` has one.
  bool is_splat;
  /// Elements in row-major order and the host's byte order; NULL where all are
  /// undefined.
  uint8_t *data;
  /// For each element whether it is defined; NULL where all are.
  uint8_t *is_defined;
  int64_t undefined_count;
} LunaConstant;

/// What an evaluation may take. Steps and bytes are counted, not measured, so
/// that what is folded is the same on every computer.
typedef struct LunaFoldLimits {
  /// Scalar operators, elements copied included.
  int64_t max_steps;
  /// Bytes of all constants computed, those in between included.
  int64_t max_bytes;
  /// Returns true for operators that are to have no value; NULL for none.
  bool (*leaves)(MlirOperation op);
} LunaFoldLimits;

/// An evaluator; it remembers what it computed. Values and operators that were
/// asked for must not be erased or changed before the evaluator is destroyed.
typedef struct LunaFold LunaFold;

/// Makes an evaluator for the IR of `context`. It may load dialects there and
/// run passes on operators of its own, so that nothing else may run at the
/// same time in the context.
LunaFold *luna_fold_create(MlirContext context, const LunaFoldLimits *limits);
void luna_fold_destroy(LunaFold *fold);

/// Returns true if `value` depends on constants alone, through operators
/// without side effects and outside of control flow: it has a value unless one
/// of them has none for these operands. Nothing is computed.
bool luna_fold_is_constant(LunaFold *fold, MlirValue value);

/// Returns the elements of `value`, or NULL where it is not constant, cannot be
/// computed exactly, or the limits do not suffice. Emits no diagnostics.
const LunaConstant *luna_fold_value(LunaFold *fold, MlirValue value);

/// Returns true if an operator is a constant: arith.constant or tosa.const.
bool luna_fold_is_literal(MlirOperation op);

/// Returns an integer element, sign-extended (an i1 is 0 or 1); 0 where the
/// elements are floats.
int64_t luna_constant_int(const LunaConstant *constant, int64_t index);

/// Returns true if there are elements, and all are alike, bit for bit.
bool luna_constant_is_uniform(const LunaConstant *constant);

/// Returns the elements as an attribute of `type`: elements of a tensor, or an
/// integer or float. Null where an element is undefined.
MlirAttribute luna_constant_attr(const LunaConstant *constant, MlirType type);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_FOLD_H
