#ifndef LUNA_C_FOLD_H
#define LUNA_C_FOLD_H

//===-- luna-c/fold.h - the values of operators on constants --------------===//
//
// An evaluator of constant expressions in the IR, for the pass that folds them
// and for readers that need a shape or a list of pads. It computes what the
// compiled program would: TOSA operators are lowered by upstream's passes, and
// the resulting linalg, tensor, scf, arith and math operators are interpreted
// element by element, in the order of upstream's loops.
//
// Results that may differ between computers are not computed: functions of the
// C library (exp, tanh, …), and undefined ones (a division by zero).
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

/// The type of an element.
typedef enum LunaScalarKind {
  LUNA_SCALAR_NONE, ///< a type that the evaluator does not support
  LUNA_SCALAR_INT,  ///< signless integers of 1 to 64 bits, index
  LUNA_SCALAR_F32,
  LUNA_SCALAR_F64,
} LunaScalarKind;

typedef struct LunaScalarType {
  LunaScalarKind kind;
  int32_t bits;
  /// The size of an element as MLIR stores it: i1 takes a byte.
  int32_t bytes;
} LunaScalarType;

/// The elements of a constant tensor, or of a scalar (rank 0). The LunaFold or
/// the attribute owns all memory.
typedef struct LunaConstant {
  LunaScalarType element;
  int32_t rank;
  int64_t dims[LUNA_CONSTANT_MAX_RANK];
  /// The product of the dimensions.
  int64_t count;
  /// True if all elements are equal, and `data` has one.
  bool is_splat;
  /// Elements in row-major order and the host's byte order; NULL if all are
  /// undefined.
  uint8_t *data;
  /// True for each element that is defined; NULL if all are.
  uint8_t *is_defined;
  int64_t undefined_count;
} LunaConstant;

/// The limits of an evaluation. They are counts, so that the same operators are
/// folded on every computer.
typedef struct LunaFoldLimits {
  /// Scalar operators executed and elements copied.
  int64_t max_steps;
  /// Bytes of all constants computed, intermediate ones included.
  int64_t max_bytes;
  /// Returns true for operators that must not be folded; may be NULL.
  bool (*leaves)(MlirOperation op);
} LunaFoldLimits;

/// An evaluator with a cache of its results. Values and operators that it
/// visited must not be erased or changed before it is destroyed.
typedef struct LunaFold LunaFold;

/// Creates an evaluator for the IR of `context`. It may load dialects and run
/// passes on its own operators, so nothing else may run in the context at the
/// same time.
LunaFold *luna_fold_create(MlirContext context, const LunaFoldLimits *limits);
void luna_fold_destroy(LunaFold *fold);

/// Returns true if `value` depends on constants only, through operators without
/// side effects and outside of control flow, so that it can be folded unless
/// one of them has no value for its operands. Computes nothing.
bool luna_fold_is_constant(LunaFold *fold, MlirValue value);

/// Returns the elements of `value`, or NULL if it is not constant, cannot be
/// computed exactly, or exceeds the limits. Emits no diagnostics.
const LunaConstant *luna_fold_value(LunaFold *fold, MlirValue value);

/// Returns true if an operator is a constant: arith.constant or tosa.const.
bool luna_fold_is_literal(MlirOperation op);

/// Returns an integer element, sign-extended (an i1 is 0 or 1); 0 if the
/// elements are floats.
int64_t luna_constant_int(const LunaConstant *constant, int64_t index);

/// Returns true if there are elements, and all are equal, bit for bit.
bool luna_constant_is_uniform(const LunaConstant *constant);

/// Returns the elements as an attribute of `type`: elements of a tensor, or an
/// integer or float; null if an element is undefined.
MlirAttribute luna_constant_attr(const LunaConstant *constant, MlirType type);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_FOLD_H
