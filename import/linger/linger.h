#ifndef LUNA_LINGER_H
#define LUNA_LINGER_H

// What the files of LUNA's own operators share (linger.c). Scales are given
// by their exponents: a value x with scale 2^e stands for x * 2^-e.

#include "linger_platform.h"
#include "onnx.h"

/// Reads an attribute that must be a power of two and gives its exponent.
bool onnx_luna_scale(OnnxImport *c, const OnnxNode *n, const char *name,
                     int *exponent);
/// Reads o_bits: the type of the result.
bool onnx_luna_bits(OnnxImport *c, const OnnxNode *n, OnnxType *type);
/// Fails unless the first `count` inputs are int8.
bool onnx_luna_needs_i8(OnnxImport *c, const OnnxNode *n, int count);

/// Notes that `value` is what a unit operator makes of a 32-bit result shifted
/// by `shift`; the attribute that says so to the operator.
bool onnx_luna_set_requant(OnnxImport *c, OnnxValue *value, int shift);
MlirAttribute onnx_luna_requant_attr(OnnxImport *c, const OnnxValue *value);
/// Appends luna.conv2d or luna.matmul: inputs, a bias (or a null value), and a
/// result. `attrs` has room for one more than `attr_count`.
MlirValue onnx_luna_emit(OnnxImport *c, const char *name,
                         const MlirValue *inputs, MlirValue bias, OnnxType type,
                         const LunaShape *shape, LunaAttr *attrs,
                         int attr_count);

/// Floats to integers of scale `factor`, rounded once; integers to floats.
OnnxValue *onnx_luna_quantize(OnnxImport *c, const OnnxNode *n,
                              OnnxValue *value, double factor, OnnxType to);
OnnxValue *onnx_luna_dequantize(OnnxImport *c, const OnnxNode *n,
                                OnnxValue *value, int exponent);

/// Integers of another type, shifted down by `shift` bits and rounded; what
/// does not fit is clamped.
OnnxValue *onnx_luna_cast(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                          int shift, OnnxType to);

/// luna.table: entries for -128 to 127.
OnnxValue *onnx_luna_table(OnnxImport *c, OnnxValue *value,
                           const int8_t *entries);
/// An int8 value in another scale.
OnnxValue *onnx_luna_rescale(OnnxImport *c, OnnxValue *value, int from, int to);

//===----------------------------------------------------------------------===//
// linger_fixed.c: fixed point on the host, scalars of 64 bits
//===----------------------------------------------------------------------===//

/// A node with what its scalar functions need; `node` comes first, so that a
/// function gets it from the node.
typedef struct LunaNode {
  OnnxNode node;
  const LunaArithmetic *arithmetic;
  OnnxType type;
  /// Exponents of scales, as the function numbers them, and other numbers.
  int scales[6];
  int64_t numbers[2];
  const LunaCurve *curve;
  MlirValue table;
} LunaNode;

/// floor(x * 2^-shift + 0.5); a negative shift multiplies. `shift` of the
/// second is a value, at least 1.
MlirValue onnx_luna_round(OnnxImport *c, MlirValue x, int shift);
MlirValue onnx_luna_round_by(OnnxImport *c, MlirValue x, MlirValue shift);
MlirValue onnx_luna_clamp(OnnxImport *c, MlirValue x, int64_t low,
                          int64_t high);
/// Clamps to an integer type; `convert` gives that type, else 64 bits.
MlirValue onnx_luna_saturate(OnnxImport *c, MlirValue x, OnnxType type);
MlirValue onnx_luna_convert(OnnxImport *c, MlirValue x, OnnxType type);

/// Element [row, piece] of a table of int64; `piece` is an index.
MlirValue onnx_luna_entry(OnnxImport *c, MlirValue table, int row,
                          MlirValue piece);

/// The tensor that onnx_luna_curve reads, for before the loop; the function at
/// x, which has as many fraction bits as the curve says.
MlirValue onnx_luna_curve_table(OnnxImport *c, const LunaCurve *curve);
MlirValue onnx_luna_curve(OnnxImport *c, const LunaCurve *curve,
                          MlirValue table, MlirValue x);

/// Applies `fn` element by element, with `n` at hand (onnx_map).
OnnxValue *onnx_luna_map(OnnxImport *c, const LunaNode *n, OnnxValue **inputs,
                         int count, OnnxType type, OnnxScalarFn fn);
const LunaNode *onnx_luna_node(const OnnxNode *n);

//===----------------------------------------------------------------------===//
// linger_reduce.c: sums
//===----------------------------------------------------------------------===//

/// The sums of an int8 value and of its squares over axes, int32, exact for at
/// most LUNA_MAX_SUMMED elements.
enum { LUNA_MAX_SUMMED = 1 << 16 };
bool onnx_luna_sums(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                    const bool *axes, OnnxValue *sums[2]);
/// count * sum(x^2) - sum(x)^2 + extra of such sums, int64: the variance times
/// the square of the count.
OnnxValue *onnx_luna_spread(OnnxImport *c, const OnnxNode *n,
                            OnnxValue *sums[2], int64_t count, int64_t extra);

//===----------------------------------------------------------------------===//
// linger_cell.c: one time step of the recurrent operators
//===----------------------------------------------------------------------===//

/// The fraction bits of a recurrent operator's numbers.
typedef struct LunaCell {
  bool is_gru;
  const LunaArithmetic *arithmetic;
  /// Of the products with the input and the state, and of the state.
  int input_bits, state_bits, hidden_bits;
  LunaCurve sigmoid, tanh;
  MlirValue sigmoid_table, tanh_table;
} LunaCell;

/// Makes the tables.
void onnx_luna_cell_init(OnnxImport *c, LunaCell *cell);
/// Computes the next state from the products (int32, gates side by side) and
/// the last state: hidden and, of an LSTM, cell. False after an error.
bool onnx_luna_cell_step(OnnxImport *c, const OnnxNode *n, const LunaCell *cell,
                         OnnxValue *from_input, OnnxValue *from_state,
                         OnnxValue **state);

//===----------------------------------------------------------------------===//
// Handlers, as linger_table.c names them
//===----------------------------------------------------------------------===//

ONNX_HANDLER(luna_quant);
ONNX_HANDLER(luna_dequant);
ONNX_HANDLER(luna_requant);
ONNX_HANDLER(luna_conv);
ONNX_HANDLER(luna_conv_transpose);
ONNX_HANDLER(luna_linear);
ONNX_HANDLER(luna_bmm);
ONNX_HANDLER(luna_eltwise);
ONNX_HANDLER(luna_div);
ONNX_HANDLER(luna_cat);
ONNX_HANDLER(luna_pad);
ONNX_HANDLER(luna_activation);
ONNX_HANDLER(luna_softmax);
ONNX_HANDLER(luna_avg_pool);
ONNX_HANDLER(luna_layer_norm);
ONNX_HANDLER(luna_rnn);
ONNX_HANDLER(luna_batch_norm);
ONNX_HANDLER(luna_clip);
ONNX_HANDLER(luna_relu);
ONNX_HANDLER(luna_glu);
ONNX_HANDLER(luna_log_softmax);
ONNX_HANDLER(luna_shuffle);
ONNX_HANDLER(luna_sum);
ONNX_HANDLER(luna_var);

#endif // LUNA_LINGER_H
