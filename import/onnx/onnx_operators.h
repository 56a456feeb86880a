#ifndef LUNA_ONNX_OPERATORS_H
#define LUNA_ONNX_OPERATORS_H

// What operators use of each other, and their handlers.

#include "luna/ties.h"
#include "onnx_build.h"
#include "time_loop.h"

//===----------------------------------------------------------------------===//
// Shared by operator files
//===----------------------------------------------------------------------===//

/// One element of a linalg.generic, in whose body a scalar function builds.
typedef struct LunaOnnxScalar {
  LunaOnnxImport *c;
  LunaBuilder *b;
  LunaOnnxType type; ///< of the first number
  const MlirValue *args;
  int count;
  const void *data; ///< what the caller of luna_onnx_map passed
} LunaOnnxScalar;

/// Builds the number of the result from those of the inputs.
typedef MlirValue (*LunaOnnxScalarFn)(const LunaOnnxScalar *s);

/// Applies a scalar function to tensors that broadcast (onnx_elementwise.c);
/// NULL after an error.
LunaOnnxValue *luna_onnx_map(LunaOnnxImport *c, const void *data,
                             LunaOnnxValue **inputs, int count,
                             LunaOnnxType out_type, LunaOnnxScalarFn fn);

/// Applies an elementwise operator without attributes, by its name, to one or
/// two values (b NULL); NULL inputs give NULL, so that calls nest.
LunaOnnxValue *luna_onnx_apply(LunaOnnxImport *c, const char *name,
                               LunaOnnxValue *a, LunaOnnxValue *b);
/// Returns a value converted element by element, as Cast does.
LunaOnnxValue *luna_onnx_cast_value(LunaOnnxImport *c, LunaOnnxValue *value,
                                    LunaOnnxType to);
/// Returns x where the condition holds, else y; NULL after an error.
LunaOnnxValue *luna_onnx_where(LunaOnnxImport *c, LunaOnnxValue *condition,
                               LunaOnnxValue *x, LunaOnnxValue *y);
/// Returns a constant scalar.
LunaOnnxValue *luna_onnx_scalar(LunaOnnxImport *c, LunaOnnxType type,
                                double value);
/// Returns the value transposed.
LunaOnnxValue *luna_onnx_permute(LunaOnnxImport *c, LunaOnnxValue *value,
                                 const int *perm);
/// Returns the value in another shape of as many elements; NULL after an error.
LunaOnnxValue *luna_onnx_reshape_value(LunaOnnxImport *c, LunaOnnxValue *value,
                                       const LunaShape *shape);

/// Returns the rows of `value` along `axis` that a list of indices names
/// (onnx_gather.c).
LunaOnnxValue *luna_onnx_take(LunaOnnxImport *c, LunaOnnxValue *value,
                              LunaOnnxValue *indices, int axis);

/// Reduces over axes (onnx_reduce.c): kept as size 1.
typedef enum LunaOnnxReduction {
  LUNA_ONNX_SUM,
  LUNA_ONNX_PROD,
  LUNA_ONNX_MAX,
  LUNA_ONNX_MIN,
} LunaOnnxReduction;
LunaOnnxValue *luna_onnx_reduce(LunaOnnxImport *c, LunaOnnxValue *value,
                                const bool *axes, LunaOnnxReduction kind);
/// Returns the number that a reduction starts with.
double luna_onnx_neutral(LunaOnnxType type, LunaOnnxReduction kind);
/// Reads the axes of a reduction, or those that a softmax sums over.
bool luna_onnx_reduced_axes(LunaOnnxImport *c, const LunaOnnxNode *n,
                            bool *axes);
bool luna_onnx_softmax_axes(LunaOnnxImport *c, const LunaOnnxNode *n,
                            bool *axes);
/// Returns the value without these axes, which have size 1.
LunaOnnxValue *luna_onnx_drop_axes(LunaOnnxImport *c, LunaOnnxValue *value,
                                   const bool *axes);
/// Returns the mean over axes, kept as size 1, or x * x; NULL after an error.
LunaOnnxValue *luna_onnx_mean(LunaOnnxImport *c, LunaOnnxValue *value,
                              const bool *axes);
LunaOnnxValue *luna_onnx_square(LunaOnnxImport *c, LunaOnnxValue *value);

/// How integers stand for real numbers: (integer - zero) * scale.
typedef struct LunaOnnxQuantization {
  /// One number, or one for each index of `axis`.
  LunaOnnxValue *scale;
  /// The same, and the integers' type; NULL is 0 of `type`.
  LunaOnnxValue *zero;
  LunaOnnxType type;
  int axis;
  LunaTies ties; ///< of quantising
} LunaOnnxQuantization;
/// Quantises a float (or int32) value, or dequantises one (onnx_quant.c); NULL
/// after an error, and for a NULL value.
LunaOnnxValue *luna_onnx_quantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaOnnxQuantization *quantization);
LunaOnnxValue *luna_onnx_dequantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                    const LunaOnnxQuantization *quantization);

/// Builds an integer product in int32, less the zero points (which may be NULL
/// in the matrix product); NULL after an error.
LunaOnnxValue *luna_onnx_conv_int(LunaOnnxImport *c, const LunaOnnxNode *n,
                                  LunaOnnxValue *x, LunaOnnxValue *w,
                                  LunaOnnxValue *x_zero, LunaOnnxValue *w_zero);
LunaOnnxValue *luna_onnx_matmul_int(LunaOnnxImport *c, LunaOnnxValue *a,
                                    LunaOnnxValue *b, LunaOnnxValue *a_zero,
                                    LunaOnnxValue *b_zero);

/// Builds a [.., M, K] times b [.., K, N] with broadcasting (onnx_matmul.c);
/// NULL after an error.
LunaOnnxValue *luna_onnx_matmul(LunaOnnxImport *c, LunaOnnxValue *a,
                                LunaOnnxValue *b);

//===----------------------------------------------------------------------===//
// onnx_steps.c: loops over the steps of a sequence [T, B, N]
//===----------------------------------------------------------------------===//

/// A loop under construction: states are matrices [B, H].
typedef struct LunaOnnxSteps {
  int states; ///< 1 or 2
  bool is_reverse;
  /// How many steps each sequence has, integers [B] or [1]; NULL: all.
  LunaOnnxValue *lengths;
  /// Filled by luna_onnx_steps_open.
  LunaTimeLoop loop;
  LunaOnnxType type;
  LunaShape shape;
  LunaOnnxValue *before[2];
} LunaOnnxSteps;

/// Opens the loop for a result of this type and shape: what is built until
/// luna_onnx_steps_close goes into its body. `state` holds the first
/// states, from here on those before the step.
void luna_onnx_steps_open(LunaOnnxImport *c, LunaOnnxSteps *steps,
                          LunaOnnxType type, const LunaShape *shape,
                          LunaOnnxValue **state);
/// Returns the row of this step, [B, N], of the SSA value `source` of `value`,
/// which was made before the loop.
LunaOnnxValue *luna_onnx_steps_take(LunaOnnxImport *c,
                                    const LunaOnnxSteps *steps,
                                    LunaOnnxValue *value, MlirValue source);
/// Closes the loop with the row that this step adds to the result, and the next
/// states, which become the last; past the end of a sequence rows are zero and
/// states stay. Returns the result; NULL after an error, when `row` is NULL.
LunaOnnxValue *luna_onnx_steps_close(LunaOnnxImport *c,
                                     const LunaOnnxSteps *steps,
                                     LunaOnnxValue *row, LunaOnnxValue **state);
/// Returns columns [at * size, (at + 1) * size) of the last dimension.
LunaOnnxValue *luna_onnx_steps_part(LunaOnnxImport *c, LunaOnnxValue *value,
                                    int64_t at, int64_t size);

//===----------------------------------------------------------------------===//
// Handlers, as the tables name them
//===----------------------------------------------------------------------===//

#define OP_OF(class, name, handler, valid, least, most, becomes, limits)       \
  bool luna_onnx_op_##handler(LunaOnnxImport *c, LunaOnnxNode *n);
#define TOSA(name, least, most, tosa, function, takes, gives)
#define GENERIC(name, least, most, function, takes, gives)
#include "onnx_operators.def"
bool luna_onnx_op_elementwise(LunaOnnxImport *c, LunaOnnxNode *n);
bool luna_onnx_op_qlinear(LunaOnnxImport *c, LunaOnnxNode *n);

#endif // LUNA_ONNX_OPERATORS_H
