#include <string.h>

#include "tflite_ops.h"

// Convolutions and fully connected layers become conv2d, depthwise_conv2d and
// transpose_conv2d with 32-bit results (48-bit for int16) and a rescale.

enum { HEIGHT = 0, WIDTH = 1 };
enum { CONV_PADDING, CONV_STRIDE_W, CONV_STRIDE_H, CONV_ACTIVATION };
enum { CONV_DILATION_W = 4, CONV_DILATION_H = 5 };
enum { DEPTHWISE_MULTIPLIER = 3, DEPTHWISE_ACTIVATION = 4 };
enum { DEPTHWISE_DILATION_W = 5, DEPTHWISE_DILATION_H = 6 };

typedef struct Conv {
  const LunaTfliteTensor *input_tensor, *weight_tensor, *bias_tensor;
  const LunaTfliteTensor *output_tensor;
  LunaConvSpec spec;
  int64_t channels; ///< of the output
  int64_t activation;
  bool is_float;
  /// The scales are multiplied as floats: of FULLY_CONNECTED and of uint8.
  bool is_single_product;
  /// Sums of int16 have 32 bits without a bias of int64: then they are rounded
  /// as those of int8 are.
  bool may_be_narrow;
} Conv;

//===----------------------------------------------------------------------===//
// Bias and result
//===----------------------------------------------------------------------===//

static MlirType accumulator(const LunaTfliteNode *node, const Conv *conv) {
  if (conv->is_float)
    return node->builder->f32;
  return conv->input_tensor->type == LUNA_TFLITE_I16 ? node->builder->i48
                                                     : node->builder->i32;
}

static bool is_narrow(const Conv *conv) {
  return conv->may_be_narrow && conv->input_tensor->type == LUNA_TFLITE_I16 &&
         (!conv->bias_tensor || conv->bias_tensor->type == LUNA_TFLITE_I32);
}

// Biases of int32 and int64 as 48 bits, which is what the accumulator has.
static MlirAttribute bias_of_48_bits(LunaTfliteNode *node,
                                     const LunaTfliteTensor *bias,
                                     MlirType type) {
  enum { BYTES = 6 };
  int width = (int)luna_tflite_element_bytes(bias->type);
  uint8_t *bytes =
      LUNA_ARENA_ARRAY(node->arena, uint8_t, bias->element_count *BYTES);
  for (int64_t i = 0; i < bias->element_count; ++i) {
    const uint8_t *from = bias->data + i * width;
    uint8_t sign = from[width - 1] & 0x80 ? 0xff : 0;
    for (int b = 0; b < BYTES; ++b)
      bytes[i * BYTES + b] = b < width ? from[b] : sign;
  }
  return mlirDenseElementsAttrRawBufferGet(
      type, (size_t)bias->element_count * BYTES, bytes);
}

static bool add_bias(LunaTfliteNode *node, const Conv *conv, MlirValue *value) {
  MlirType element = accumulator(node, conv);
  MlirType type = luna_list_type(element, conv->channels);
  const LunaTfliteTensor *bias = conv->bias_tensor;
  if (!bias) {
    *value = luna_build_splat(node->builder, type, 0);
    return true;
  }
  if (!bias->data || bias->element_count != conv->channels)
    return luna_tflite_fail(node,
                            "bias '%s' must be a constant of %lld elements",
                            bias->name, (long long)conv->channels);
  if (mlirTypeEqual(element, node->builder->i48) &&
      (bias->type == LUNA_TFLITE_I64 || is_narrow(conv))) {
    *value = luna_build_const(node->builder, bias_of_48_bits(node, bias, type));
  } else if (!luna_tflite_const(node, bias, &(LunaShape){1, {conv->channels}},
                                value)) {
    return false;
  }
  if (mlirTypeEqual(luna_element_of(*value), element))
    return true;
  return luna_tflite_fail(node,
                          "bias '%s' is %s, which does not go with %s "
                          "inputs",
                          bias->name, luna_tflite_type_name(bias->type),
                          luna_tflite_type_name(conv->input_tensor->type));
}

static bool make_multipliers(LunaTfliteNode *node, const Conv *conv,
                             LunaMultiplier *multipliers, int64_t count) {
  LunaTfliteScale input, output;
  if (count > 1 && conv->weight_tensor->quant.scales.count != count)
    return luna_tflite_fail(node, "weights have %u scales for %lld channels",
                            conv->weight_tensor->quant.scales.count,
                            (long long)count);
  if (!luna_tflite_scale(node, conv->input_tensor, &input) ||
      !luna_tflite_scale(node, conv->output_tensor, &output))
    return false;
  for (int64_t i = 0; i < count; ++i) {
    float weight;
    if (!luna_tflite_channel_scale(node, conv->weight_tensor, i, &weight))
      return false;
    double product = conv->is_single_product
                         ? (double)(input.scale * weight)
                         : (double)input.scale * (double)weight;
    if (!luna_tflite_multiplier(node, product / (double)output.scale,
                                &multipliers[i]))
      return false;
  }
  return true;
}

// Brings the accumulators to the output's type, and clamps.
static bool finish(LunaTfliteNode *node, const Conv *conv, MlirValue value) {
  if (!conv->is_float) {
    int64_t count =
        conv->weight_tensor->quant.scales.count > 1 ? conv->channels : 1;
    LunaMultiplier *multipliers =
        LUNA_ARENA_ARRAY(node->arena, LunaMultiplier, count);
    LunaTfliteScale output;
    if (!make_multipliers(node, conv, multipliers, count) ||
        !luna_tflite_scale(node, conv->output_tensor, &output))
      return false;
    LunaTfliteRescale rescale = {
        .multipliers = multipliers,
        .count = count,
        .output_zp = output.zero_point,
        .element = mlirShapedTypeGetElementType(
            luna_tflite_tensor_type(node->builder, conv->output_tensor)),
    };
    if (is_narrow(conv))
      value = luna_tflite_widen(node->builder, value, 0);
    value = luna_tflite_rescale(node->builder, value, &rescale);
  }
  return luna_tflite_activate(node, conv->output_tensor, conv->activation,
                              &value) &&
         luna_tflite_set(node, 0, value);
}

//===----------------------------------------------------------------------===//
// The operator itself
//===----------------------------------------------------------------------===//

// Adds the convolution, and what follows it.
static bool add_conv(LunaTfliteNode *node, Conv *conv, const char *name) {
  return add_bias(node, conv, &conv->spec.bias) &&
         (conv->is_float || (luna_tflite_zero_point(node, conv->input_tensor,
                                                    &conv->spec.input_zp) &&
                             luna_tflite_zero_point(node, conv->weight_tensor,
                                                    &conv->spec.weight_zp))) &&
         finish(node, conv, luna_build_conv(node->builder, name, &conv->spec));
}

static bool read_operands(LunaTfliteNode *node, Conv *conv, int64_t input,
                          int64_t weight, int64_t bias) {
  conv->input_tensor = luna_tflite_input(node, input);
  conv->weight_tensor = luna_tflite_input(node, weight);
  conv->bias_tensor = luna_tflite_input(node, bias);
  conv->output_tensor = luna_tflite_output(node, 0);
  if (!luna_tflite_value(node, input, &conv->spec.input) ||
      !luna_tflite_need_const(node, weight))
    return false;
  conv->is_float = conv->input_tensor->type == LUNA_TFLITE_F32;
  conv->is_single_product = conv->input_tensor->type == LUNA_TFLITE_U8;
  int weight_type = conv->weight_tensor->type;
  bool matches = conv->is_float
                     ? weight_type == LUNA_TFLITE_F32
                     : weight_type == LUNA_TFLITE_I8 ||
                           (weight_type == LUNA_TFLITE_U8 &&
                            conv->input_tensor->type == LUNA_TFLITE_U8);
  if (!matches)
    return luna_tflite_fail(node, "%s weights with %s inputs are not supported",
                            luna_tflite_type_name(weight_type),
                            luna_tflite_type_name(conv->input_tensor->type));
  return true;
}

static bool need_rank_4(LunaTfliteNode *node, const Conv *conv) {
  const LunaTfliteTensor *weight = conv->weight_tensor;
  const LunaTfliteTensor *output = conv->output_tensor;
  if (weight->rank != 4 || output->rank != 4)
    return luna_tflite_fail(node,
                            "weights and output have %lld and %lld "
                            "dimensions, need 4",
                            (long long)weight->rank, (long long)output->rank);
  return luna_tflite_need_rank(node, conv->spec.input, 4);
}

LunaPadding luna_tflite_padding(const LunaTfliteNode *node, unsigned i) {
  return luna_tflite_option_enum(node, i) == 0 ? LUNA_PADDING_SAME_UPPER
                                               : LUNA_PADDING_VALID;
}

bool luna_tflite_window(LunaTfliteNode *node, LunaPadding padding,
                        LunaWindow *w, MlirValue *input, int64_t *pad) {
  w->rank = 2;
  for (int i = 0; i < 2; ++i) {
    w->in[i] = luna_extent(*input, 1 + i);
    if (w->stride[i] < 1 || w->dilation[i] < 1 || w->kernel[i] < 1 ||
        w->stride[i] > INT32_MAX / 2 || w->dilation[i] > INT32_MAX / 2)
      return luna_tflite_fail(node,
                              "kernel %lld, stride %lld and dilation %lld "
                              "must be positive",
                              (long long)w->kernel[i], (long long)w->stride[i],
                              (long long)w->dilation[i]);
  }
  int misfit = luna_window_fit(w, padding, false);
  if (misfit < 2)
    return luna_tflite_fail(
        node, "its window of %lld is larger than the input of %lld",
        (long long)luna_window_reach(w->kernel[misfit], w->dilation[misfit]),
        (long long)w->in[misfit]);
  *input = luna_build_cut(node->builder, *input, w, pad);
  return true;
}

// Slides weights, a constant of shape `weight`, over the input.
static bool convolve(LunaTfliteNode *node, Conv *conv, const char *name,
                     const LunaShape *weight, LunaWindow window) {
  LunaConvSpec *spec = &conv->spec;
  for (int axis = HEIGHT; axis <= WIDTH; ++axis)
    window.kernel[axis] = conv->weight_tensor->shape[1 + axis];
  memcpy(spec->stride, window.stride, sizeof window.stride);
  memcpy(spec->dilation, window.dilation, sizeof window.dilation);
  return luna_tflite_const(node, conv->weight_tensor, weight, &spec->weight) &&
         luna_tflite_window(node, luna_tflite_padding(node, CONV_PADDING),
                            &window, &spec->input, spec->pad) &&
         add_conv(node, conv, name);
}

//===----------------------------------------------------------------------===//
// CONV_2D, DEPTHWISE_CONV_2D
//===----------------------------------------------------------------------===//

static LunaWindow read_window(const LunaTfliteNode *node, unsigned dilation_w,
                              unsigned dilation_h) {
  return (LunaWindow){
      .stride = {luna_tflite_option_i32(node, CONV_STRIDE_H, 0),
                 luna_tflite_option_i32(node, CONV_STRIDE_W, 0)},
      .dilation = {luna_tflite_option_i32(node, dilation_h, 1),
                   luna_tflite_option_i32(node, dilation_w, 1)},
  };
}

bool luna_tflite_op_conv_2d(LunaTfliteNode *node) {
  Conv conv = {.activation = luna_tflite_option_enum(node, CONV_ACTIVATION),
               .may_be_narrow = true};
  if (!read_operands(node, &conv, 0, 1, 2) || !need_rank_4(node, &conv))
    return false;
  LunaShape shape = luna_tflite_shape_of(conv.weight_tensor);
  int64_t inputs = luna_extent(conv.spec.input, 3);
  conv.channels = shape.dims[0];
  if (shape.dims[3] != inputs)
    return luna_tflite_fail(node,
                            "weights of %lld input channels on an input of "
                            "%lld: grouped convolutions are not supported",
                            (long long)shape.dims[3], (long long)inputs);
  return convolve(node, &conv, "tosa.conv2d", &shape,
                  read_window(node, CONV_DILATION_W, CONV_DILATION_H));
}

bool luna_tflite_op_depthwise_conv_2d(LunaTfliteNode *node) {
  Conv conv = {.activation =
                   luna_tflite_option_enum(node, DEPTHWISE_ACTIVATION)};
  if (!read_operands(node, &conv, 0, 1, 2) || !need_rank_4(node, &conv))
    return false;
  const int64_t *shape = conv.weight_tensor->shape;
  int64_t inputs = luna_extent(conv.spec.input, 3);
  conv.channels = shape[3];
  if (shape[0] != 1 || shape[3] % inputs != 0)
    return luna_tflite_fail(node,
                            "weights of %lld by %lld channels do not go "
                            "with %lld input channels",
                            (long long)shape[0], (long long)shape[3],
                            (long long)inputs);
  LunaShape filter = {4, {shape[1], shape[2], inputs, shape[3] / inputs}};
  return convolve(
      node, &conv, "tosa.depthwise_conv2d", &filter,
      read_window(node, DEPTHWISE_DILATION_W, DEPTHWISE_DILATION_H));
}

//===----------------------------------------------------------------------===//
// TRANSPOSE_CONV
//===----------------------------------------------------------------------===//

bool luna_tflite_op_transpose_conv(LunaTfliteNode *node) {
  enum { TRANSPOSE_ACTIVATION = 3 };
  // Inputs: output shape, weights, input, bias.
  Conv conv = {.activation =
                   luna_tflite_option_enum(node, TRANSPOSE_ACTIVATION)};
  if (!read_operands(node, &conv, 2, 1, 3) || !need_rank_4(node, &conv) ||
      !luna_tflite_follow(node, 0, luna_extent(conv.spec.input, 0)))
    return false;
  LunaShape filter = luna_tflite_shape_of(conv.weight_tensor);
  LunaShape output = luna_tflite_shape_of(conv.output_tensor);
  conv.channels = filter.dims[0];
  if (filter.dims[3] != luna_extent(conv.spec.input, 3) ||
      output.dims[3] != filter.dims[0])
    return luna_tflite_fail(node,
                            "weights do not go with the channels of input "
                            "and output");
  LunaWindow window = read_window(node, 0, 0);
  window.rank = 2;
  for (int axis = HEIGHT; axis <= WIDTH; ++axis) {
    int64_t stride = window.stride[axis];
    if (stride < 1 || stride > INT32_MAX / 2)
      return luna_tflite_fail(node, "stride %lld must be positive",
                              (long long)stride);
    conv.spec.stride[axis] = stride;
    window.dilation[axis] = 1;
    window.kernel[axis] = filter.dims[1 + axis];
    window.in[axis] = luna_extent(conv.spec.input, 1 + axis);
    window.out[axis] = output.dims[1 + axis];
  }
  luna_window_fit_transposed(&window, luna_tflite_padding(node, CONV_PADDING),
                             (int64_t[2]){0});
  for (int axis = HEIGHT; axis <= WIDTH; ++axis) {
    conv.spec.pad[2 * axis] = -window.low[axis];
    conv.spec.pad[2 * axis + 1] = -window.high[axis];
    if (window.low[axis] >= window.kernel[axis] ||
        window.high[axis] >= window.kernel[axis])
      return luna_tflite_fail(node, "its output leaves out too much");
  }
  return luna_tflite_const(node, conv.weight_tensor, &filter,
                           &conv.spec.weight) &&
         add_conv(node, &conv, "tosa.transpose_conv2d");
}

//===----------------------------------------------------------------------===//
// FULLY_CONNECTED
//===----------------------------------------------------------------------===//

enum { FULLY_CONNECTED_ACTIVATION = 0, FULLY_CONNECTED_FORMAT = 1 };

// A 1x1 convolution over a column of rows.
bool luna_tflite_op_fully_connected(LunaTfliteNode *node) {
  Conv conv = {
      .activation = luna_tflite_option_enum(node, FULLY_CONNECTED_ACTIVATION),
      .spec = {.stride = {1, 1}, .dilation = {1, 1}},
      .may_be_narrow = true,
  };
  if (!read_operands(node, &conv, 0, 1, 2))
    return false;
  const LunaTfliteTensor *weight = conv.weight_tensor;
  if (luna_tflite_option_enum(node, FULLY_CONNECTED_FORMAT) != 0 ||
      weight->rank != 2)
    return luna_tflite_fail(node, "weights must be a plain matrix");
  conv.channels = weight->shape[0];
  conv.is_single_product = weight->quant.scales.count <= 1;
  int64_t rows = conv.input_tensor->element_count / weight->shape[1];
  if (rows * weight->shape[1] != conv.input_tensor->element_count)
    return luna_tflite_fail(node, "%lld inputs are not rows of %lld",
                            (long long)conv.input_tensor->element_count,
                            (long long)weight->shape[1]);
  LunaShape input = {4, {1, rows, 1, weight->shape[1]}};
  LunaShape filter = {4, {conv.channels, 1, 1, weight->shape[1]}};
  conv.spec.input = luna_build_reshape(node->builder, conv.spec.input, &input);
  return luna_tflite_const(node, weight, &filter, &conv.spec.weight) &&
         add_conv(node, &conv, "tosa.conv2d");
}
