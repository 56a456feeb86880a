#ifndef LUNA_ONNX_CONV_H
#define LUNA_ONNX_CONV_H

// Windows and convolutions, as the operators that have them share them.

#include "onnx.h"

//===----------------------------------------------------------------------===//
// onnx_window.c
//===----------------------------------------------------------------------===//

/// The window of a convolution or pool over `rank` spatial dimensions.
typedef struct OnnxWindow {
  int rank;
  int64_t kernel[3], stride[3], dilation[3], low[3], high[3];
  /// Spatial sizes in and out.
  int64_t in[3], out[3];
} OnnxWindow;

/// Reads a list of `count` sizes from `low` to `high`; `absent` each where the
/// node has no such attribute.
bool onnx_read_sizes(OnnxImport *c, const OnnxNode *n, const char *name,
                     int count, int64_t absent, int64_t low, int64_t high,
                     int64_t *list);

/// Reads strides, dilations, pads, auto_pad and ceil_mode.
bool onnx_read_window(OnnxImport *c, const OnnxNode *n, const LunaShape *input,
                      const int64_t *kernel, OnnxWindow *window);

/// Cuts what no window reaches off a channels-last value of `shape`, which
/// becomes the result's; `high` gets the padding behind that is left.
MlirValue onnx_cut_window(OnnxImport *c, MlirValue value, LunaShape *shape,
                          const OnnxWindow *window, int64_t *high);

/// [first, second, size…]: with w->out the shape of a result in the model's
/// layout, with w->kernel that of weights.
LunaShape onnx_spatial_shape(const OnnxWindow *window, const int64_t *sizes,
                             int64_t first, int64_t second);

//===----------------------------------------------------------------------===//
// onnx_conv.c
//===----------------------------------------------------------------------===//

/// Turns sums of output channels `first_channel` and up (the last dimension)
/// into the elements of a result.
typedef MlirValue (*OnnxFinish)(OnnxImport *c, MlirValue sums,
                                const LunaShape *shape, int64_t first_channel,
                                void *data);

/// A convolution: weights [OC, IC / groups, kernel...], one bias per output
/// channel. Integers have zero points and sums of int32.
typedef struct OnnxConv {
  OnnxWindow window;
  int64_t batch, in_channels, out_channels, groups;
  OnnxValue *input, *weight, *bias;
  OnnxType sum_type;
  int64_t input_zero, weight_zero;
  /// What becomes of the sums, and the type that it makes; NULL for nothing.
  OnnxFinish finish;
  void *finish_data;
  OnnxType out_type;
} OnnxConv;

/// Reads the attributes of the node for conv->input, weight and bias.
bool onnx_read_conv(OnnxImport *c, const OnnxNode *n, OnnxConv *conv);

/// Makes a convolution that was read; NULL after an error.
OnnxValue *onnx_conv_tosa(OnnxImport *c, const OnnxConv *conv);

/// The same of an input at hand channels last, of the window's size.
OnnxValue *onnx_conv_of(OnnxImport *c, const OnnxConv *conv, MlirValue input);

/// Rows [M, K] times weights [N, K] plus bias as a convolution of 1x1: sums
/// [M, 1, 1, N], finished.
MlirValue onnx_conv_rows(OnnxImport *c, const OnnxConv *conv);

/// The bias, zeros where there is none.
MlirValue onnx_conv_bias(OnnxImport *c, const OnnxConv *conv);

/// The value of the whole convolution's sums, finished; `model` is its shape in
/// the model's layout.
OnnxValue *onnx_conv_finished(OnnxImport *c, const OnnxConv *conv,
                              MlirValue sums, const LunaShape *model);

//===----------------------------------------------------------------------===//
// onnx_conv_transpose.c
//===----------------------------------------------------------------------===//

/// Makes a ConvTranspose of conv's operands (not yet read) as TOSA has it;
/// `*made` is NULL where TOSA has no such one. False after an error.
bool onnx_conv_transpose_tosa(OnnxImport *c, OnnxNode *n, const OnnxConv *conv,
                              OnnxValue **made);

#endif // LUNA_ONNX_CONV_H
