#ifndef LUNA_ONNX_OPERATORS_H
#define LUNA_ONNX_OPERATORS_H

// What operators use of each other, and their handlers.

#include "onnx_build.h"
#include "time_loop.h"

//===----------------------------------------------------------------------===//
// Shared by operator files
//===----------------------------------------------------------------------===//

/// Applies a scalar function to tensors that broadcast (onnx_elementwise.c).
typedef MlirValue (*OnnxScalarFn)(OnnxImport *c, const OnnxNode *n,
                                  OnnxType type, const MlirValue *args,
                                  int count);
OnnxValue *onnx_map(OnnxImport *c, const OnnxNode *n, OnnxValue **inputs,
                    int count, OnnxType out_type, OnnxScalarFn fn);

/// Applies an elementwise operator by its name to one or two values (b NULL);
/// NULL inputs give NULL, so that calls nest.
OnnxValue *onnx_apply(OnnxImport *c, const OnnxNode *n, const char *name,
                      OnnxValue *a, OnnxValue *b);
/// A constant scalar.
OnnxValue *onnx_scalar(OnnxImport *c, OnnxType type, double value);
/// The value transposed, at import if it is constant.
OnnxValue *onnx_permute(OnnxImport *c, OnnxValue *value, const int *perm);
/// The same as an SSA value; of a constant no transposed copy is kept.
MlirValue onnx_permuted_ir(OnnxImport *c, OnnxValue *value, const int *perm);
/// The value in another shape of as many elements; NULL after an error.
OnnxValue *onnx_reshape_value(OnnxImport *c, OnnxValue *value,
                              const LunaShape *shape);

/// The rows of `value` along `axis` that a list of indices names
/// (onnx_gather.c).
OnnxValue *onnx_take(OnnxImport *c, OnnxValue *value, OnnxValue *indices,
                     int axis);

/// Reduces over axes (onnx_reduce.c): kept as size 1.
typedef enum OnnxReduction {
  ONNX_SUM,
  ONNX_PROD,
  ONNX_MAX,
  ONNX_MIN,
} OnnxReduction;
OnnxValue *onnx_reduce(OnnxImport *c, OnnxValue *value, const bool *axes,
                       OnnxReduction kind);
/// The mean over axes, kept as size 1, and x * x; NULL after an error.
OnnxValue *onnx_mean(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                     const bool *axes);
OnnxValue *onnx_square(OnnxImport *c, const OnnxNode *n, OnnxValue *value);

/// How integers stand for real numbers: (integer - zero) * scale.
typedef struct OnnxQuantization {
  /// One number, or one for each index of `axis`.
  OnnxValue *scale;
  /// The same, and the integers' type; NULL is 0 of `type`.
  OnnxValue *zero;
  OnnxType type;
  int axis;
} OnnxQuantization;
/// Quantises a float (or int32) value, or dequantises one (onnx_quant.c); NULL
/// after an error, and for a NULL value.
OnnxValue *onnx_quantize(OnnxImport *c, OnnxValue *value,
                         const OnnxQuantization *quantization);
OnnxValue *onnx_dequantize(OnnxImport *c, OnnxValue *value,
                           const OnnxQuantization *quantization);

/// Integer products in int32, less the zero points (which may be NULL in the
/// matrix product).
OnnxValue *onnx_conv_int(OnnxImport *c, const OnnxNode *n, OnnxValue *x,
                         OnnxValue *w, OnnxValue *x_zero, OnnxValue *w_zero);
OnnxValue *onnx_matmul_int(OnnxImport *c, OnnxValue *a, OnnxValue *b,
                           OnnxValue *a_zero, OnnxValue *b_zero);

/// a [.., M, K] times b [.., K, N] with broadcasting (onnx_matmul.c).
OnnxValue *onnx_matmul(OnnxImport *c, OnnxValue *a, OnnxValue *b);
/// [M, K] times [K, N] of SSA values, both f32.
MlirValue onnx_matmul_2d(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b,
                         int64_t m, int64_t k, int64_t n);

//===----------------------------------------------------------------------===//
// onnx_steps.c: loops over the steps of a sequence [T, B, N]
//===----------------------------------------------------------------------===//

/// A loop in the making: states are matrices [B, H].
typedef struct OnnxSteps {
  int states; ///< 1 or 2
  bool is_reverse;
  /// Filled by onnx_steps_open.
  LunaTimeLoop loop;
  OnnxType type;
  LunaShape shape;
} OnnxSteps;

/// Opens the loop that makes a result of this type and shape: what is emitted
/// until onnx_steps_close goes into its body. `state` holds the first states,
/// from here on those before the step.
void onnx_steps_open(OnnxImport *c, OnnxSteps *steps, OnnxType type,
                     const LunaShape *shape, OnnxValue **state);
/// Gives the row of this step, [B, N], of the SSA value `source` of `value`,
/// which was made before the loop.
OnnxValue *onnx_steps_take(OnnxImport *c, const OnnxSteps *steps,
                           OnnxValue *value, MlirValue source);
/// Closes the loop with the row that this step adds to the result, and the next
/// states, which become the last: gives the result. After an error, `row` NULL,
/// it gives NULL.
OnnxValue *onnx_steps_close(OnnxImport *c, const OnnxSteps *steps,
                            OnnxValue *row, OnnxValue **state);
/// Gives columns [at * size, (at + 1) * size) of the last dimension.
OnnxValue *onnx_steps_part(OnnxImport *c, OnnxValue *value, int64_t at,
                           int64_t size);

/// Handlers, as the table names them.
#define ONNX_HANDLER(name) bool onnx_op_##name(OnnxImport *c, OnnxNode *n)
ONNX_HANDLER(elementwise);
ONNX_HANDLER(cast);
ONNX_HANDLER(clip);
ONNX_HANDLER(where);
ONNX_HANDLER(identity);
ONNX_HANDLER(dropout);
ONNX_HANDLER(constant);
ONNX_HANDLER(constant_of_shape);
ONNX_HANDLER(shape);
ONNX_HANDLER(size);
ONNX_HANDLER(range);
ONNX_HANDLER(reshape);
ONNX_HANDLER(flatten);
ONNX_HANDLER(squeeze);
ONNX_HANDLER(unsqueeze);
ONNX_HANDLER(transpose);
ONNX_HANDLER(concat);
ONNX_HANDLER(split);
ONNX_HANDLER(slice);
ONNX_HANDLER(expand);
ONNX_HANDLER(tile);
ONNX_HANDLER(pad);
ONNX_HANDLER(gather);
ONNX_HANDLER(gather_elements);
ONNX_HANDLER(gather_nd);
ONNX_HANDLER(scatter_elements);
ONNX_HANDLER(scatter_nd);
ONNX_HANDLER(one_hot);
ONNX_HANDLER(eye_like);
ONNX_HANDLER(trilu);
ONNX_HANDLER(cumsum);
ONNX_HANDLER(reverse_sequence);
ONNX_HANDLER(depth_to_space);
ONNX_HANDLER(space_to_depth);
ONNX_HANDLER(window_function);
ONNX_HANDLER(mel_weights);
ONNX_HANDLER(dft);
ONNX_HANDLER(stft);
ONNX_HANDLER(top_k);
ONNX_HANDLER(arg);
ONNX_HANDLER(reduce);
ONNX_HANDLER(softmax);
ONNX_HANDLER(hardmax);
ONNX_HANDLER(layer_norm);
ONNX_HANDLER(instance_norm);
ONNX_HANDLER(batch_norm);
ONNX_HANDLER(mean_variance_norm);
ONNX_HANDLER(lrn);
ONNX_HANDLER(matmul);
ONNX_HANDLER(gemm);
ONNX_HANDLER(conv);
ONNX_HANDLER(conv_transpose);
ONNX_HANDLER(pool);
ONNX_HANDLER(global_pool);
ONNX_HANDLER(resize);
ONNX_HANDLER(rnn);
ONNX_HANDLER(gru);
ONNX_HANDLER(lstm);
ONNX_HANDLER(qlinear);
ONNX_HANDLER(quantize);
ONNX_HANDLER(dequantize);
ONNX_HANDLER(dynamic_quantize);
ONNX_HANDLER(qlinear_conv);
ONNX_HANDLER(qlinear_matmul);
ONNX_HANDLER(conv_integer);
ONNX_HANDLER(matmul_integer);
ONNX_HANDLER(einsum);
ONNX_HANDLER(if);
ONNX_HANDLER(loop);
ONNX_HANDLER(scan);

#endif // LUNA_ONNX_OPERATORS_H
