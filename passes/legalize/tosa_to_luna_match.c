#include "luna-c/ops.h"
#include "luna/arena.h"
#include "luna/shape_window.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tosa_to_luna.h"

static int32_t kind_of(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_TOSA_CONV2D))
    return LUNA_CONV_NORMAL;
  if (luna_op_is(op, LUNA_OP_TOSA_DEPTHWISE_CONV2D))
    return LUNA_CONV_DEPTHWISE;
  return luna_op_is(op, LUNA_OP_TOSA_TRANSPOSE_CONV2D) ? LUNA_CONV_TRANSPOSED
                                                       : -1;
}

int64_t luna_tosa_conv_extent(const LunaTosaConv *conv, int64_t in, int axis) {
  int64_t pad = conv->pad[2 * axis] + conv->pad[2 * axis + 1];
  if (conv->kind == LUNA_CONV_TRANSPOSED)
    return luna_window_cover(in, conv->kernel[axis], conv->stride[axis]) + pad;
  return luna_window_count(
      in + pad, luna_window_reach(conv->kernel[axis], conv->dilation[axis]),
      conv->stride[axis]);
}

static bool reads_geometry(LunaTosaConv *conv) {
  MlirOperation op = conv->op;
  conv->dilation[0] = conv->dilation[1] = 1;
  const char *pad = conv->kind == LUNA_CONV_TRANSPOSED ? "out_pad" : "pad";
  if (!luna_attr_ints(op, "stride", conv->stride, 2) ||
      !luna_attr_ints(op, pad, conv->pad, 4) ||
      (conv->kind != LUNA_CONV_TRANSPOSED &&
       !luna_attr_ints(op, "dilation", conv->dilation, 2)))
    return false;
  int64_t first = conv->kind == LUNA_CONV_DEPTHWISE ? 0 : 1;
  for (int axis = 0; axis < 2; ++axis) {
    conv->kernel[axis] = luna_tosa_dim(conv->weight, first + axis);
    conv->output[axis] = luna_tosa_dim(mlirOperationGetResult(op, 0), 1 + axis);
    if (luna_tosa_conv_extent(conv, luna_tosa_dim(conv->input, 1 + axis),
                              axis) != conv->output[axis])
      return false;
  }
  return true;
}

static bool is_fully_connected(const LunaTosaConv *conv) {
  for (int i = 0; i < 4; ++i)
    if (conv->pad[i] != 0)
      return false;
  return conv->kind == LUNA_CONV_NORMAL && conv->kernel[0] == 1 &&
         conv->kernel[1] == 1 && luna_tosa_dim(conv->input, 1) == 1 &&
         luna_tosa_dim(conv->input, 2) == 1;
}

// Returns true if the bias and the products of each output channel with any
// int16 inputs stay in 32 bits.
static bool add_up(const LunaTosaConv *conv, const LunaTosaConst *weight,
                   const LunaTosaConst *bias, int64_t *sums, int64_t channels) {
  const int8_t *values = mlirDenseElementsAttrGetRawData(weight->attribute);
  bool splat = mlirDenseElementsAttrIsSplat(weight->attribute);
  int64_t per_channel = weight->count / channels;
  for (int64_t c = 0; c < channels; ++c) {
    int64_t value = luna_tosa_const_at(bias, bias->count == 1 ? 0 : c);
    sums[c] = value < 0 ? -value : value;
  }
  for (int64_t i = 0; i < weight->count; ++i) {
    int64_t value = values[splat ? 0 : i] - conv->weight_zp;
    int64_t c =
        conv->kind == LUNA_CONV_DEPTHWISE ? i % channels : i / per_channel;
    sums[c] += (value < 0 ? -value : value) * -(int64_t)INT16_MIN;
    if (sums[c] > INT32_MAX)
      return false;
  }
  return true;
}

// TOSA accumulates products of int16 in 48 bits, the unit in 32. The weights
// decide whether the results are equal.
static bool sums_fit(const LunaTosaConv *conv) {
  LunaTosaConst weight, bias;
  int64_t channels = luna_tosa_dim(mlirOperationGetResult(conv->op, 0), 3);
  if (conv->input_zp != 0 || channels < 1 ||
      !luna_tosa_const(conv->weight, &weight) ||
      !luna_tosa_const(conv->bias, &bias))
    return false;
  LunaArena arena = {0};
  int64_t *sums = LUNA_ARENA_ARRAY(&arena, int64_t, channels);
  bool fit = add_up(conv, &weight, &bias, sums, channels);
  luna_arena_destroy(&arena);
  return fit;
}

// int8 sums to 32 bits, int16 to 48.
static bool has_types(const LunaTosaConv *conv) {
  unsigned input = luna_tosa_width(conv->input);
  unsigned result = luna_tosa_width(mlirOperationGetResult(conv->op, 0));
  return luna_tosa_width(conv->weight) == 8 &&
         luna_tosa_width(conv->bias) == result &&
         ((input == 8 && result == 32) || (input == 16 && result == 48));
}

bool luna_tosa_conv(MlirOperation op, LunaTosaConv *conv) {
  *conv = (LunaTosaConv){.op = op, .kind = kind_of(op)};
  if (conv->kind < 0)
    return false;
  conv->input = mlirOperationGetOperand(op, 0);
  conv->weight = mlirOperationGetOperand(op, 1);
  conv->bias = mlirOperationGetOperand(op, 2);
  if (!has_types(conv) || !reads_geometry(conv) ||
      !luna_tosa_scalar(mlirOperationGetOperand(op, 3), &conv->input_zp) ||
      !luna_tosa_scalar(mlirOperationGetOperand(op, 4), &conv->weight_zp))
    return false;
  conv->is_fully_connected = is_fully_connected(conv);
  return (luna_tosa_has_images(conv->input) || conv->is_fully_connected) &&
         (luna_tosa_width(conv->input) == 8 || sums_fit(conv));
}
