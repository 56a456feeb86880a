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

/// Makes a window over one dimension one over two, of height 1.
void onnx_raise_window(OnnxWindow *window);

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

/// A convolution of floats: weights [OC, IC / groups, kernel...], one bias per
/// output channel or NULL.
typedef struct OnnxConv {
  OnnxWindow window;
  int64_t batch, in_channels, out_channels, groups;
  OnnxValue *input, *weight, *bias;
} OnnxConv;

/// Reads the attributes of the node for conv->input, weight and bias.
bool onnx_read_conv(OnnxImport *c, const OnnxNode *n, OnnxConv *conv);

/// Makes a convolution that was read, of an input at hand channels last and of
/// the window's size; NULL after an error.
OnnxValue *onnx_conv_of(OnnxImport *c, const OnnxConv *conv, MlirValue input);

/// The bias, zeros where there is none.
MlirValue onnx_conv_bias(OnnxImport *c, const OnnxConv *conv);

#endif // LUNA_ONNX_CONV_H
