#ifndef LUNA_ONNX_CONV_H
#define LUNA_ONNX_CONV_H

// Windows and convolutions, as the operators that have them share them.

#include "luna/shape_window.h"
#include "onnx.h"

//===----------------------------------------------------------------------===//
// onnx_window.c
//===----------------------------------------------------------------------===//

/// Reads a list of `count` sizes from `low` to `high`; `absent` each where the
/// node has no such attribute.
bool luna_onnx_read_sizes(LunaOnnxImport *c, const LunaOnnxNode *n,
                          const char *name, int count, int64_t absent,
                          int64_t low, int64_t high, int64_t *list);

/// Reads strides, dilations, pads, auto_pad and ceil_mode; false after an
/// error.
bool luna_onnx_read_window(LunaOnnxImport *c, const LunaOnnxNode *n,
                           const LunaShape *input, const int64_t *kernel,
                           LunaWindow *window);

/// Turns a window over one dimension into one over two, of height 1.
void luna_onnx_raise_window(LunaWindow *window);

/// Returns auto_pad.
LunaPadding luna_onnx_padding(const LunaOnnxNode *n);

/// Returns a channels-last value whose first elements are zeros instead of the
/// padding ahead, where all windows lie in that; updates the window.
MlirValue luna_onnx_pad_missed(LunaOnnxImport *c, MlirValue value,
                               LunaWindow *window);

/// Returns [first, second, size…]: with w->out the shape of a result in the
/// model's layout, with w->kernel that of weights.
LunaShape luna_onnx_spatial_shape(const LunaWindow *window,
                                  const int64_t *sizes, int64_t first,
                                  int64_t second);

//===----------------------------------------------------------------------===//
// onnx_conv.c
//===----------------------------------------------------------------------===//

/// A convolution of floats: weights [OC, IC / groups, kernel...], one bias per
/// output channel or NULL.
typedef struct LunaOnnxConv {
  LunaWindow window;
  int64_t batch, in_channels, out_channels, groups;
  LunaOnnxValue *input, *weight, *bias;
} LunaOnnxConv;

/// Reads the attributes of the node for conv->input, weight and bias; false
/// after an error.
bool luna_onnx_read_conv(LunaOnnxImport *c, const LunaOnnxNode *n,
                         LunaOnnxConv *conv);

/// Builds a convolution that was read, of a channels-last input of the window's
/// size; NULL after an error.
LunaOnnxValue *luna_onnx_conv_of(LunaOnnxImport *c, const LunaOnnxConv *conv,
                                 MlirValue input);

/// Returns the bias, zeros where there is none.
MlirValue luna_onnx_conv_bias(LunaOnnxImport *c, const LunaOnnxConv *conv);

#endif // LUNA_ONNX_CONV_H
