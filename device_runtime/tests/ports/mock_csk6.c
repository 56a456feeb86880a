#include <stddef.h>
#include <string.h>

#include "mock.h"

// The vendor's library for CSK6 by its published rules, with code of its own:
// the names that the port calls, what they compute, and what they refuse.

typedef struct Conv {
  uint32_t input_c, input_w, input_h;
  uint32_t pad_left, pad_right, pad_up, pad_down;
  uint32_t padded_w, padded_h;
  uint32_t weight_w, weight_h, stride_w, stride_h;
  uint32_t output_c, output_w, output_h;
  uint32_t is_bias, is_activation, activation;
  uint32_t positive_shift, positive_shift_type;
  uint32_t negative_shift, negative_shift_type;
  uint32_t pooling_type, batch_num;
} Conv;

static int64_t up(int64_t value, int64_t align) {
  return mock_up(value, align);
}

//===- Convolutions -------------------------------------------------------===//

typedef struct Call {
  const char *name;
  const Conv *conv;
  int is_split, is_depthwise;
} Call;

static void check_axis(const Call *call, uint32_t in, uint32_t before,
                       uint32_t after, uint32_t padded, uint32_t taps,
                       uint32_t stride, uint32_t out) {
  if (taps < 1 || taps > 5)
    mock_refuse(call->name, "kernel");
  if ((stride != 1 && stride != 2 && stride != 4) || stride > taps)
    mock_refuse(call->name, "stride");
  if (before > 4 || after > 4 || before > taps || after > taps)
    mock_refuse(call->name, "padding");
  if (padded != in + before + after || in < 1 || padded < taps ||
      out != (padded - taps) / stride + 1)
    mock_refuse(call->name, "extents that do not fit together");
}

// A split call is told into how many strips it cuts the rows.
static void check_strips(const Call *call) {
  const Conv *conv = call->conv;
  uint32_t strips = conv->batch_num;
  uint32_t between;
  if (strips < 1 || conv->output_h % strips != 0)
    mock_refuse(call->name, "strips that do not divide the rows");
  between = (conv->output_h / strips - 1) * conv->stride_h;
  if ((conv->padded_h - conv->weight_h) % conv->stride_h != 0 ||
      between < conv->pad_up || between < conv->pad_down ||
      conv->input_h * conv->input_w > 32768)
    mock_refuse(call->name, "strips");
}

static int64_t weight_bytes(const Call *call) {
  const Conv *conv = call->conv;
  int64_t taps = (int64_t)conv->weight_w * conv->weight_h;
  return call->is_depthwise
             ? up(conv->output_c, 16) * taps
             : up(conv->input_c, 8) * taps * up(conv->output_c, 2);
}

static void check_conv(const Call *call) {
  const Conv *conv = call->conv;
  int64_t input = up(conv->input_c, 8) * conv->input_h *
                  up(conv->input_w, 8 * (int64_t)conv->stride_w);
  check_axis(call, conv->input_h, conv->pad_up, conv->pad_down, conv->padded_h,
             conv->weight_h, conv->stride_h, conv->output_h);
  check_axis(call, conv->input_w, conv->pad_left, conv->pad_right,
             conv->padded_w, conv->weight_w, conv->stride_w, conv->output_w);
  if (call->is_depthwise && conv->input_c != conv->output_c)
    mock_refuse(call->name, "channels");
  if (conv->activation != 0 && conv->activation != 1 && conv->activation != 128)
    mock_refuse(call->name, "activation");
  if (conv->positive_shift_type != 0 || conv->negative_shift_type != 0)
    mock_refuse(call->name, "shift type");
  if (call->is_split)
    check_strips(call);
  if (input / (call->is_split ? conv->batch_num : 1) > 65536)
    mock_refuse(call->name, "input buffer");
  if (weight_bytes(call) > 32768)
    mock_refuse(call->name, "weight buffer");
}

static MockConv mock_of(const char *name, const Conv *conv) {
  return (MockConv){
      .name = name,
      .in_c = conv->input_c,
      .in = {conv->input_h, conv->input_w},
      .out_c = conv->output_c,
      .out = {conv->output_h, conv->output_w},
      .taps = {conv->weight_h, conv->weight_w},
      .stride = {conv->stride_h, conv->stride_w},
      .dilation = {1, 1},
      .pad = {conv->pad_up, conv->pad_left},
      .has_relu = conv->is_activation && conv->activation == 0,
      .shift = conv->positive_shift,
  };
}

static int32_t convolve(const Call *call, const void *input, const void *weight,
                        const void *bias, void *output, int32_t output_bits) {
  MockConv conv = mock_of(call->name, call->conv);
  check_conv(call);
  conv.input = input;
  conv.weight = weight;
  conv.bias = call->conv->is_bias ? bias : NULL;
  conv.output = output;
  conv.output_bits = output_bits;
  conv.lanes = call->is_depthwise ? 16 : 0;
  mock_convolve(&conv);
  return 0;
}

#define CONV(function, bits, split, depthwise)                                 \
  int32_t function(const void *input, const void *weight, const void *bias,    \
                   void *output, Conv *conv);                                  \
  int32_t function(const void *input, const void *weight, const void *bias,    \
                   void *output, Conv *conv) {                                 \
    const Call call = {#function, conv, split, depthwise};                     \
    return convolve(&call, input, weight, bias, output, bits);                 \
  }
CONV(luna_conv_q7_int8, 8, 0, 0)
CONV(luna_conv_q7_int16, 16, 0, 0)
CONV(luna_conv_q7_int32, 32, 0, 0)
CONV(luna_conv_split_q7_int8, 8, 1, 0)
CONV(luna_conv_split_q7_int16, 16, 1, 0)
CONV(luna_conv_split_q7_int32, 32, 1, 0)
CONV(luna_depthwise_conv_q7_int8, 8, 0, 1)
CONV(luna_depthwise_conv_q7_int16, 16, 0, 1)
CONV(luna_depthwise_conv_q7_int32, 32, 0, 1)

int32_t luna_max_pooling(const int8_t *input, int8_t *output, Conv *conv);
int32_t luna_max_pooling(const int8_t *input, int8_t *output, Conv *conv) {
  MockConv pool = mock_of("luna_max_pooling", conv);
  if (pool.in_c * pool.in[0] * pool.in[1] > 262144)
    mock_refuse(pool.name, "input buffer");
  pool.input = input;
  pool.output = output;
  mock_max_pool(&pool);
  return 0;
}

//===- Vectors ------------------------------------------------------------===//

#define VECTORS(name, WHAT, q, in, out)                                        \
  int32_t luna_##name##_##q##_int##out(const void *a, const void *b,           \
                                       void *output, uint32_t count,           \
                                       uint32_t shift);                        \
  int32_t luna_##name##_##q##_int##out(const void *a, const void *b,           \
                                       void *output, uint32_t count,           \
                                       uint32_t shift) {                       \
    const MockVectors call = {                                                 \
        "luna_" #name "_" #q "_int" #out, WHAT, in, out, a, b, 0, output};     \
    return mock_compute(&call, count, shift);                                  \
  }
#define SCALAR(name, WHAT, q, in, out)                                         \
  int32_t luna_##name##_##q##_int##out(const void *a, int32_t scalar,          \
                                       void *output, uint32_t count,           \
                                       uint32_t shift);                        \
  int32_t luna_##name##_##q##_int##out(const void *a, int32_t scalar,          \
                                       void *output, uint32_t count,           \
                                       uint32_t shift) {                       \
    const MockVectors call = {"luna_" #name "_" #q "_int" #out,                \
                              WHAT,                                            \
                              in,                                              \
                              out,                                             \
                              a,                                               \
                              0,                                               \
                              scalar,                                          \
                              output};                                         \
    return mock_compute(&call, count, shift);                                  \
  }
#define RELU(q, in)                                                            \
  int32_t luna_relu_##q##_int##in(const void *a, void *output, uint32_t count, \
                                  uint32_t shift);                             \
  int32_t luna_relu_##q##_int##in(const void *a, void *output, uint32_t count, \
                                  uint32_t shift) {                            \
    const MockVectors call = {                                                 \
        "luna_relu_" #q "_int" #in, MOCK_POSITIVE, in, in, a, 0, 0, output};   \
    return mock_compute(&call, count, shift);                                  \
  }
// What follows `shift` is the mode of a comparison, of which 2 is "below".
#define BELOW(q, in)                                                           \
  int32_t luna_cmp_vs_##q##_int##in(const void *a, int32_t scalar,             \
                                    void *output, uint32_t count,              \
                                    uint32_t mode);                            \
  int32_t luna_cmp_vs_##q##_int##in(const void *a, int32_t scalar,             \
                                    void *output, uint32_t count,              \
                                    uint32_t mode) {                           \
    const MockVectors call = {"luna_cmp_vs_" #q "_int" #in,                    \
                              MOCK_BELOW,                                      \
                              in,                                              \
                              in,                                              \
                              a,                                               \
                              0,                                               \
                              scalar,                                          \
                              output};                                         \
    if (mode != 2)                                                             \
      mock_refuse(call.name, "mode");                                          \
    return mock_compute(&call, count, 0);                                      \
  }
#define OUTPUTS(KIND, name, WHAT, q, in)                                       \
  KIND(name, WHAT, q, in, 8)                                                   \
  KIND(name, WHAT, q, in, 16)                                                  \
  KIND(name, WHAT, q, in, 32)
#define WIDTHS(KIND, name, WHAT)                                               \
  OUTPUTS(KIND, name, WHAT, q7, 8)                                             \
  OUTPUTS(KIND, name, WHAT, q15, 16)                                           \
  OUTPUTS(KIND, name, WHAT, q31, 32)
WIDTHS(VECTORS, add, MOCK_ADD)
WIDTHS(VECTORS, sub, MOCK_SUB)
WIDTHS(VECTORS, mul, MOCK_MUL)
WIDTHS(SCALAR, scale, MOCK_SCALE)
WIDTHS(SCALAR, offset, MOCK_OFFSET)
RELU(q7, 8)
RELU(q15, 16)
RELU(q31, 32)
BELOW(q7, 8)
BELOW(q15, 16)
BELOW(q31, 32)

//===- Matrices, fills, copies --------------------------------------------===//

int32_t luna_multi_vec_mul_q31_int32(const void *a, const void *b, void *output,
                                     uint32_t columns, uint32_t rows,
                                     uint32_t shift);
int32_t luna_multi_vec_mul_q31_int32(const void *a, const void *b, void *output,
                                     uint32_t columns, uint32_t rows,
                                     uint32_t shift) {
  return mock_multiply("luna_multi_vec_mul_q31_int32", a, 0, b, output, rows,
                       columns, shift);
}

int32_t luna_mat_mul_q31_int32(const void *a, const void *b, void *output,
                               uint32_t rows, uint32_t depth, uint32_t columns,
                               uint32_t shift);
int32_t luna_mat_mul_q31_int32(const void *a, const void *b, void *output,
                               uint32_t rows, uint32_t depth, uint32_t columns,
                               uint32_t shift) {
  static const char name[] = "luna_mat_mul_q31_int32";
  if (depth != 1)
    mock_refuse(name, "depth");
  if (up(rows, 2) * up(depth, 2) * 4 > 65536 ||
      up(depth, 2) * up(columns, 2) * 4 > 32768)
    mock_refuse(name, "matrix buffer");
  return mock_multiply(name, a, 1, b, output, rows, columns, shift);
}

#define MATRIX(function, bits)                                                 \
  int32_t function(const void *left, const void *right, void *output,          \
                   uint32_t rows, uint32_t depth, uint32_t columns,            \
                   uint32_t shift);                                            \
  int32_t function(const void *left, const void *right, void *output,          \
                   uint32_t rows, uint32_t depth, uint32_t columns,            \
                   uint32_t shift) {                                           \
    if (up(rows, 4) * up(depth, 8) > 65536 ||                                  \
        up(depth, 8) * up(columns, 4) > 32768)                                 \
      mock_refuse(#function, "matrix buffer");                                 \
    return mock_matrix(#function, left, right, output, bits, rows, depth,      \
                       columns, shift);                                        \
  }
MATRIX(luna_mat_mul_q7_int8, 8)
MATRIX(luna_mat_mul_q7_int16, 16)
MATRIX(luna_mat_mul_q7_int32, 32)

MOCK_FILL(luna_memset, 8, int8_t)
MOCK_FILL(luna_memset_int16, 16, int16_t)
MOCK_FILL(luna_memset_int32, 32, int32_t)

int32_t luna_memcpy(void *output, void *input, int32_t bytes);
int32_t luna_memcpy(void *output, void *input, int32_t bytes) {
  mock_reads("luna_memcpy", input, bytes, 1);
  mock_writes("luna_memcpy", output, bytes, 1);
  memmove(output, input, (size_t)bytes);
  return 0;
}
