#ifndef LUNA_LINGER_H
#define LUNA_LINGER_H

// What the files of LUNA's own operators share (linger.c). Scales are given
// by their exponents: a value x with scale 2^e stands for x * 2^-e.

#include "linger_platform.h"
#include "onnx.h"

/// Reads the exponent of an attribute that must be a power of two; false after
/// an error.
bool luna_linger_scale(LunaOnnxImport *c, const LunaOnnxNode *n,
                       const char *name, int *exponent);
/// Reads o_bits, the type of the result; false after an error.
bool luna_linger_bits(LunaOnnxImport *c, const LunaOnnxNode *n,
                      LunaOnnxType *type);
/// Checks that the first `count` inputs are int8.
bool luna_linger_needs_i8(LunaOnnxImport *c, const LunaOnnxNode *n, int count);

/// Kinds of `luna.conv2d`: a filter for each channel, a transposed convolution.
enum { LUNA_LINGER_NORMAL, LUNA_LINGER_DEPTHWISE, LUNA_LINGER_TRANSPOSED };

/// Builds the attribute of a unit operator that shifts a 32-bit result to
/// `type`; false after an error, where it cannot.
bool luna_linger_requant(LunaOnnxImport *c, LunaOnnxType type, int shift,
                         MlirAttribute *requant);
/// A luna.conv2d of a channels-last input; the bias may be a null value.
typedef struct LunaUnitConv {
  MlirValue input, weight, bias;
  int64_t stride[2], dilation[2], pad[4];
  int kind; ///< LUNA_LINGER_…
  MlirAttribute requant;
} LunaUnitConv;
/// Builds it; `shape` is that of the result.
MlirValue luna_linger_emit_conv(LunaOnnxImport *c, const LunaUnitConv *conv,
                                LunaOnnxType type, const LunaShape *shape);

/// A luna.matmul of values of any shape; the bias may be a null value.
typedef struct LunaUnitMatmul {
  MlirValue lhs, rhs, bias;
  int64_t batch, rows, depth, columns;
  bool is_rhs_transposed;
  MlirAttribute requant;
} LunaUnitMatmul;
/// Builds it and a reshape of the result to `shape`.
MlirValue luna_linger_emit_matmul(LunaOnnxImport *c, const LunaUnitMatmul *m,
                                  LunaOnnxType type, const LunaShape *shape);

/// Builds integers of scale `factor`, a power of two, from floats, rounded once,
/// or floats from integers; NULL after an error.
LunaOnnxValue *luna_linger_quantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                    double factor, LunaOnnxType to);
LunaOnnxValue *luna_linger_dequantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                      int exponent);

/// Builds integers of another type, shifted down by `shift` bits, rounded and
/// clamped; NULL after an error.
LunaOnnxValue *luna_linger_cast(LunaOnnxImport *c, LunaOnnxValue *value,
                                int shift, LunaOnnxType to);

/// Builds a luna.table; `entries` are those of -128 to 127.
LunaOnnxValue *luna_linger_table(LunaOnnxImport *c, LunaOnnxValue *value,
                                 const int8_t *entries);
/// Returns an int8 value in another scale.
LunaOnnxValue *luna_linger_rescale(LunaOnnxImport *c, LunaOnnxValue *value,
                                   int from, int to);

//===----------------------------------------------------------------------===//
// linger_fixed.c: fixed point on the host, scalars of 64 bits
//===----------------------------------------------------------------------===//

/// What scalar functions in fixed point need beside their arguments.
typedef struct LunaFixed {
  const LunaArithmetic *arithmetic;
  LunaOnnxType type;
  /// Exponents of scales, as the function numbers them, and other numbers.
  int scales[6];
  int64_t numbers[2];
  const LunaCurve *curve;
  MlirValue table;
} LunaFixed;

/// Returns argument `i`, of the first one's type, as 64 bits.
MlirValue luna_linger_wide(const LunaOnnxScalar *s, int i);
/// Builds floor(x * 2^-shift + 0.5); a negative shift multiplies. `shift` of
/// the second is a value, at least 1.
MlirValue luna_linger_round(LunaOnnxImport *c, MlirValue x, int shift);
MlirValue luna_linger_round_by(LunaOnnxImport *c, MlirValue x, MlirValue shift);
MlirValue luna_linger_clamp(LunaOnnxImport *c, MlirValue x, int64_t low,
                            int64_t high);
/// Clamps to an integer type; `convert` also converts to it from 64 bits.
MlirValue luna_linger_saturate(LunaOnnxImport *c, MlirValue x,
                               LunaOnnxType type);
MlirValue luna_linger_convert(LunaOnnxImport *c, MlirValue x,
                              LunaOnnxType type);

/// Builds the read of element [row, piece] of a table of int64; `piece` is an
/// index.
MlirValue luna_linger_entry(LunaOnnxImport *c, MlirValue table, int row,
                            MlirValue piece);

/// Builds the tensor that luna_linger_curve reads, outside of its loop; and the
/// function at x, which has curve->x_bits fraction bits.
MlirValue luna_linger_curve_table(LunaOnnxImport *c, const LunaCurve *curve);
MlirValue luna_linger_curve(LunaOnnxImport *c, const LunaCurve *curve,
                            MlirValue table, MlirValue x);

//===----------------------------------------------------------------------===//
// linger_reduce.c: sums
//===----------------------------------------------------------------------===//

/// Builds the sums of an int8 value and of its squares over axes, int32, exact
/// for at most LUNA_MAX_SUMMED elements; false after an error.
enum { LUNA_MAX_SUMMED = 1 << 16 };
bool luna_linger_sums(LunaOnnxImport *c, LunaOnnxValue *value, const bool *axes,
                      LunaOnnxValue *sums[2]);
/// Builds count * sum(x^2) - sum(x)^2 + extra of such sums, int64: the variance
/// times the square of the count. NULL after an error.
LunaOnnxValue *luna_linger_spread(LunaOnnxImport *c, LunaOnnxValue *sums[2],
                                  int64_t count, int64_t extra);

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

/// Builds the tables of the curves.
void luna_linger_cell_init(LunaOnnxImport *c, LunaCell *cell);
/// Builds the next state from the products (int32, gates side by side) and the
/// last state: hidden and, of an LSTM, cell. False after an error.
bool luna_linger_cell_step(LunaOnnxImport *c, const LunaCell *cell,
                           LunaOnnxValue *from_input, LunaOnnxValue *from_state,
                           LunaOnnxValue **state);

//===----------------------------------------------------------------------===//
// Handlers, as linger_table.c names them
//===----------------------------------------------------------------------===//

#define OP(name, handler, least, most, detail, becomes, limits)                \
  bool luna_linger_op_##handler(LunaOnnxImport *c, LunaOnnxNode *n);
#define RENAMED(name, means)
#include "linger_operators.def"
bool luna_linger_op_clip(LunaOnnxImport *c, LunaOnnxNode *n);
bool luna_linger_op_relu(LunaOnnxImport *c, LunaOnnxNode *n);

#endif // LUNA_LINGER_H
