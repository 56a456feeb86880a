#ifndef LUNA_ONNX_OPERATORS_H
#define LUNA_ONNX_OPERATORS_H

// What operators use of each other, and their handlers.

#include "onnx_build.h"
#include "time_loop.h"

//===----------------------------------------------------------------------===//
// Shared by operator files
//===----------------------------------------------------------------------===//

/// Applies a scalar function to tensors that broadcast (onnx_elementwise.c).
typedef MlirValue (*LunaOnnxScalarFn)(LunaOnnxImport *c, const LunaOnnxNode *n,
                                      LunaOnnxType type, const MlirValue *args,
                                      int count);
LunaOnnxValue *luna_onnx_map(LunaOnnxImport *c, const LunaOnnxNode *n,
                             LunaOnnxValue **inputs, int count,
                             LunaOnnxType out_type, LunaOnnxScalarFn fn);

/// Applies an elementwise operator by its name to one or two values (b NULL);
/// NULL inputs give NULL, so that calls nest.
LunaOnnxValue *luna_onnx_apply(LunaOnnxImport *c, const LunaOnnxNode *n,
                               const char *name, LunaOnnxValue *a,
                               LunaOnnxValue *b);
/// A constant scalar.
LunaOnnxValue *luna_onnx_scalar(LunaOnnxImport *c, LunaOnnxType type,
                                double value);
/// The value transposed, at import if it is constant.
LunaOnnxValue *luna_onnx_permute(LunaOnnxImport *c, LunaOnnxValue *value,
                                 const int *perm);
/// The same as an SSA value; of a constant no transposed copy is kept.
MlirValue luna_onnx_permuted_ir(LunaOnnxImport *c, LunaOnnxValue *value,
                                const int *perm);
/// The value in another shape of as many elements; NULL after an error.
LunaOnnxValue *luna_onnx_reshape_value(LunaOnnxImport *c, LunaOnnxValue *value,
                                       const LunaShape *shape);

/// The rows of `value` along `axis` that a list of indices names
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
/// The mean over axes, kept as size 1, and x * x; NULL after an error.
LunaOnnxValue *luna_onnx_mean(LunaOnnxImport *c, const LunaOnnxNode *n,
                              LunaOnnxValue *value, const bool *axes);
LunaOnnxValue *luna_onnx_square(LunaOnnxImport *c, const LunaOnnxNode *n,
                                LunaOnnxValue *value);

/// How integers stand for real numbers: (integer - zero) * scale.
typedef struct LunaOnnxQuantization {
  /// One number, or one for each index of `axis`.
  LunaOnnxValue *scale;
  /// The same, and the integers' type; NULL is 0 of `type`.
  LunaOnnxValue *zero;
  LunaOnnxType type;
  int axis;
} LunaOnnxQuantization;
/// Quantises a float (or int32) value, or dequantises one (onnx_quant.c); NULL
/// after an error, and for a NULL value.
LunaOnnxValue *luna_onnx_quantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaOnnxQuantization *quantization);
LunaOnnxValue *luna_onnx_dequantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                    const LunaOnnxQuantization *quantization);

/// Integer products in int32, less the zero points (which may be NULL in the
/// matrix product).
LunaOnnxValue *luna_onnx_conv_int(LunaOnnxImport *c, const LunaOnnxNode *n,
                                  LunaOnnxValue *x, LunaOnnxValue *w,
                                  LunaOnnxValue *x_zero, LunaOnnxValue *w_zero);
LunaOnnxValue *luna_onnx_matmul_int(LunaOnnxImport *c, LunaOnnxValue *a,
                                    LunaOnnxValue *b, LunaOnnxValue *a_zero,
                                    LunaOnnxValue *b_zero);

/// a [.., M, K] times b [.., K, N] with broadcasting (onnx_matmul.c).
LunaOnnxValue *luna_onnx_matmul(LunaOnnxImport *c, LunaOnnxValue *a,
                                LunaOnnxValue *b);
/// [M, K] times [K, N] of SSA values, both f32.
MlirValue luna_onnx_matmul_2d(LunaOnnxImport *c, LunaOnnxType type, MlirValue a,
                              MlirValue b, int64_t m, int64_t k, int64_t n);

//===----------------------------------------------------------------------===//
// onnx_steps.c: loops over the steps of a sequence [T, B, N]
//===----------------------------------------------------------------------===//

/// A loop in the making: states are matrices [B, H].
typedef struct LunaOnnxSteps {
  int states; ///< 1 or 2
  bool is_reverse;
  /// Filled by luna_onnx_steps_open.
  LunaTimeLoop loop;
  LunaOnnxType type;
  LunaShape shape;
} LunaOnnxSteps;

/// Opens the loop that makes a result of this type and shape: what is emitted
/// until luna_onnx_steps_close goes into its body. `state` holds the first
/// states, from here on those before the step.
void luna_onnx_steps_open(LunaOnnxImport *c, LunaOnnxSteps *steps,
                          LunaOnnxType type, const LunaShape *shape,
                          LunaOnnxValue **state);
/// Gives the row of this step, [B, N], of the SSA value `source` of `value`,
/// which was made before the loop.
LunaOnnxValue *luna_onnx_steps_take(LunaOnnxImport *c,
                                    const LunaOnnxSteps *steps,
                                    LunaOnnxValue *value, MlirValue source);
/// Closes the loop with the row that this step adds to the result, and the next
/// states, which become the last: gives the result. After an error, `row` NULL,
/// it gives NULL.
LunaOnnxValue *luna_onnx_steps_close(LunaOnnxImport *c,
                                     const LunaOnnxSteps *steps,
                                     LunaOnnxValue *row, LunaOnnxValue **state);
/// Gives columns [at * size, (at + 1) * size) of the last dimension.
LunaOnnxValue *luna_onnx_steps_part(LunaOnnxImport *c, LunaOnnxValue *value,
                                    int64_t at, int64_t size);

/// Handlers, as the table names them.
#define LUNA_ONNX_HANDLER(name)                                                \
  bool luna_onnx_op_##name(LunaOnnxImport *c, LunaOnnxNode *n)
LUNA_ONNX_HANDLER(elementwise);
LUNA_ONNX_HANDLER(cast);
LUNA_ONNX_HANDLER(clip);
LUNA_ONNX_HANDLER(where);
LUNA_ONNX_HANDLER(identity);
LUNA_ONNX_HANDLER(dropout);
LUNA_ONNX_HANDLER(constant);
LUNA_ONNX_HANDLER(constant_of_shape);
LUNA_ONNX_HANDLER(shape);
LUNA_ONNX_HANDLER(size);
LUNA_ONNX_HANDLER(range);
LUNA_ONNX_HANDLER(reshape);
LUNA_ONNX_HANDLER(flatten);
LUNA_ONNX_HANDLER(squeeze);
LUNA_ONNX_HANDLER(unsqueeze);
LUNA_ONNX_HANDLER(transpose);
LUNA_ONNX_HANDLER(concat);
LUNA_ONNX_HANDLER(split);
LUNA_ONNX_HANDLER(slice);
LUNA_ONNX_HANDLER(expand);
LUNA_ONNX_HANDLER(tile);
LUNA_ONNX_HANDLER(pad);
LUNA_ONNX_HANDLER(gather);
LUNA_ONNX_HANDLER(gather_elements);
LUNA_ONNX_HANDLER(gather_nd);
LUNA_ONNX_HANDLER(scatter_elements);
LUNA_ONNX_HANDLER(scatter_nd);
LUNA_ONNX_HANDLER(one_hot);
LUNA_ONNX_HANDLER(eye_like);
LUNA_ONNX_HANDLER(trilu);
LUNA_ONNX_HANDLER(cumsum);
LUNA_ONNX_HANDLER(reverse_sequence);
LUNA_ONNX_HANDLER(depth_to_space);
LUNA_ONNX_HANDLER(space_to_depth);
LUNA_ONNX_HANDLER(window_function);
LUNA_ONNX_HANDLER(mel_weights);
LUNA_ONNX_HANDLER(dft);
LUNA_ONNX_HANDLER(stft);
LUNA_ONNX_HANDLER(top_k);
LUNA_ONNX_HANDLER(arg);
LUNA_ONNX_HANDLER(reduce);
LUNA_ONNX_HANDLER(softmax);
LUNA_ONNX_HANDLER(hardmax);
LUNA_ONNX_HANDLER(layer_norm);
LUNA_ONNX_HANDLER(instance_norm);
LUNA_ONNX_HANDLER(batch_norm);
LUNA_ONNX_HANDLER(mean_variance_norm);
LUNA_ONNX_HANDLER(lrn);
LUNA_ONNX_HANDLER(matmul);
LUNA_ONNX_HANDLER(gemm);
LUNA_ONNX_HANDLER(conv);
LUNA_ONNX_HANDLER(conv_transpose);
LUNA_ONNX_HANDLER(pool);
LUNA_ONNX_HANDLER(global_pool);
LUNA_ONNX_HANDLER(resize);
LUNA_ONNX_HANDLER(rnn);
LUNA_ONNX_HANDLER(gru);
LUNA_ONNX_HANDLER(lstm);
LUNA_ONNX_HANDLER(qlinear);
LUNA_ONNX_HANDLER(quantize);
LUNA_ONNX_HANDLER(dequantize);
LUNA_ONNX_HANDLER(dynamic_quantize);
LUNA_ONNX_HANDLER(qlinear_conv);
LUNA_ONNX_HANDLER(qlinear_matmul);
LUNA_ONNX_HANDLER(conv_integer);
LUNA_ONNX_HANDLER(matmul_integer);
LUNA_ONNX_HANDLER(einsum);
LUNA_ONNX_HANDLER(if);
LUNA_ONNX_HANDLER(loop);
LUNA_ONNX_HANDLER(scan);

#endif // LUNA_ONNX_OPERATORS_H
