#include <stddef.h>
#include <string.h>

#include "mock.h"

// The vendor's library for ARCS by its published rules, with code of its own.
// The block that its packer makes is opaque: here it is the numbers, and a
// mark.

typedef struct Conv {
  uint32_t input_c, input_w, input_h, output_c, output_w, output_h;
  uint8_t pad_left, pad_right, pad_up, pad_down;
  uint8_t weight_w, weight_h, stride_w, stride_h;
  uint8_t activation, positive_shift, positive_shift_type;
  uint8_t negative_shift, negative_shift_type;
  uint8_t is_bias, is_per_channel, memory, output_bits, weight_bits;
  uint8_t dilation_w, dilation_h, out_pad_w, out_pad_h;
  uint8_t batch_num, group, reserved;
} Conv;

enum { BLOCK_BYTES = 360, MARK = 0x4c554e41 };

typedef struct Block {
  uint32_t mark;
  int32_t type;
  Conv conv;
} Block;

_Static_assert(sizeof(Block) <= BLOCK_BYTES, "a block of the library");

static void check_axis(int32_t type, uint32_t in, uint32_t before,
                       uint32_t after, uint32_t taps, uint32_t stride,
                       uint32_t dilation, uint32_t out) {
  static const char name[] = "luna_split_conv_para_pack";
  int is_allowed = type == 3 ? stride >= 1 && stride <= 9
                             : stride == 1 || stride == 2 || stride == 4;
  uint32_t reach = (taps - 1) * dilation + 1;
  if (taps < 1 || taps > 12)
    mock_refuse(name, "kernel");
  if (!is_allowed)
    mock_refuse(name, "stride");
  if (before >= reach + (reach == 1) || after >= reach + (reach == 1))
    mock_refuse(name, "padding");
  if (in < 1 || in + before + after < reach ||
      out != (in + before + after - reach) / stride + 1)
    mock_refuse(name, "extents that do not fit together");
}

// The rows are cut into the fewest strips of equal outputs whose inputs fit the
// buffer: 16384 bytes of blocks of 8 channels.
static void check_strips(const Conv *conv) {
  static const char name[] = "luna_split_conv_para_pack";
  int64_t row = mock_up(conv->input_c, 8) *
                mock_up(conv->input_w, 4 * (int64_t)conv->stride_w);
  int64_t reach = (int64_t)(conv->weight_h - 1) * conv->dilation_h + 1;
  int64_t stride = conv->stride_h, all = conv->output_h, outs;
  int64_t padded = (int64_t)conv->input_h + conv->pad_up + conv->pad_down;
  if (row * conv->input_h <= 16384)
    return;
  for (outs = all; outs > 0; --outs)
    if (all % outs == 0 && row * ((outs - 1) * stride + reach) <= 16384)
      break;
  if (outs == 0)
    mock_refuse(name, "input buffer");
  if (outs * stride < conv->pad_up || outs * stride < conv->pad_down)
    mock_refuse(name, "strips with more padding than outputs");
  if ((padded - reach) % stride > conv->pad_down)
    mock_refuse(name, "rows that no window reaches");
}

int32_t luna_split_conv_para_pack(Conv *conv, void *block, int32_t type);
int32_t luna_split_conv_para_pack(Conv *conv, void *block, int32_t type) {
  static const char name[] = "luna_split_conv_para_pack";
  const Block made = {MARK, type, *conv};
  int64_t taps = (int64_t)conv->weight_w * conv->weight_h;
  check_axis(type, conv->input_h, conv->pad_up, conv->pad_down, conv->weight_h,
             conv->stride_h, conv->dilation_h, conv->output_h);
  check_axis(type, conv->input_w, conv->pad_left, conv->pad_right,
             conv->weight_w, conv->stride_w, conv->dilation_w, conv->output_w);
  if (type != 0 && type != 2 && type != 3)
    mock_refuse(name, "type");
  if (type == 0 && 2 * mock_up(conv->input_c, 8) * taps > 8192)
    mock_refuse(name, "weight buffer");
  check_strips(conv);
  if (conv->positive_shift_type != 0 || conv->negative_shift_type != 0 ||
      conv->positive_shift > 63)
    mock_refuse(name, "shift");
  if (conv->is_per_channel || conv->weight_bits != 8 || conv->memory != 0)
    mock_refuse(name, "what the port does not use");
  memset(block, 0xa5, BLOCK_BYTES);
  memcpy(block, &made, sizeof made);
  return 0;
}

static MockConv mock_of(const char *name, const void *block, int32_t type,
                        const void *input, void *output) {
  Block made;
  memcpy(&made, block, sizeof made);
  if (made.mark != MARK || made.type != type)
    mock_refuse(name, "a block that the packer did not make for it");
  const Conv *conv = &made.conv;
  return (MockConv){
      .name = name,
      .input = input,
      .output = output,
      .output_bits = conv->output_bits,
      .lanes = type == 2 ? 8 : 0,
      .in_c = conv->input_c,
      .in = {conv->input_h, conv->input_w},
      .out_c = conv->output_c,
      .out = {conv->output_h, conv->output_w},
      .taps = {conv->weight_h, conv->weight_w},
      .stride = {conv->stride_h, conv->stride_w},
      .dilation = {conv->dilation_h, conv->dilation_w},
      .pad = {conv->pad_up, conv->pad_left},
      .has_relu = conv->activation == 0,
      .shift = conv->positive_shift,
  };
}

static int32_t convolve(const char *name, const void *block, int32_t type,
                        int32_t bits, const void *input, const void *weight,
                        const void *bias, void *output) {
  MockConv conv = mock_of(name, block, type, input, output);
  if (conv.output_bits != bits)
    mock_refuse(name, "a block for results of another width");
  conv.weight = weight;
  conv.bias = bias;
  mock_convolve(&conv);
  return 0;
}

#define CONV(function, type, bits)                                             \
  int32_t function(const void *input, const void *weight, const void *bias,    \
                   void *output, void *block);                                 \
  int32_t function(const void *input, const void *weight, const void *bias,    \
                   void *output, void *block) {                                \
    return convolve(#function, block, type, bits, input, weight, bias,         \
                    output);                                                   \
  }
CONV(luna_conv2d_i8i8o8, 0, 8)
CONV(luna_conv2d_i8i8o32, 0, 32)
CONV(luna_depthwise2d_i8i8o8, 2, 8)
CONV(luna_depthwise2d_i8i8o32, 2, 32)

int32_t luna_max_pooling2d_i8o8(const void *input, void *output,
                                const void *block);
int32_t luna_max_pooling2d_i8o8(const void *input, void *output,
                                const void *block) {
  MockConv pool = mock_of("luna_max_pooling2d_i8o8", block, 3, input, output);
  mock_max_pool(&pool);
  return 0;
}

//===- Vectors ------------------------------------------------------------===//

#define VECTORS(name, WHAT, in, out)                                           \
  int32_t luna_##name##_i##in##i##in##o##out(const void *a, const void *b,     \
                                             void *output, uint32_t count,     \
                                             uint32_t shift);                  \
  int32_t luna_##name##_i##in##i##in##o##out(const void *a, const void *b,     \
                                             void *output, uint32_t count,     \
                                             uint32_t shift) {                 \
    const MockVectors call = {                                                 \
        "luna_" #name "_i" #in "o" #out, WHAT, in, out, a, b, 0, output};      \
    return mock_compute(&call, count, shift);                                  \
  }
#define SCALAR(name, WHAT, in, out)                                            \
  int32_t luna_##name##_i##in##i##in##o##out(const void *a, int32_t scalar,    \
                                             void *output, uint32_t count,     \
                                             uint32_t shift);                  \
  int32_t luna_##name##_i##in##i##in##o##out(const void *a, int32_t scalar,    \
                                             void *output, uint32_t count,     \
                                             uint32_t shift) {                 \
    const MockVectors call = {"luna_" #name "_i" #in "o" #out,                 \
                              WHAT,                                            \
                              in,                                              \
                              out,                                             \
                              a,                                               \
                              NULL,                                            \
                              scalar,                                          \
                              output};                                         \
    return mock_compute(&call, count, shift);                                  \
  }
// What follows the count is the mode, of which 2 is "below".
#define BELOW(in)                                                              \
  int32_t luna_cmp_vs_i##in##i##in##o##in(const void *a, int32_t scalar,       \
                                          void *output, uint32_t count,        \
                                          uint32_t mode);                      \
  int32_t luna_cmp_vs_i##in##i##in##o##in(const void *a, int32_t scalar,       \
                                          void *output, uint32_t count,        \
                                          uint32_t mode) {                     \
    const MockVectors call = {                                                 \
        "luna_cmp_vs_i" #in, MOCK_BELOW, in, in, a, NULL, scalar, output};     \
    if (mode != 2)                                                             \
      mock_refuse(call.name, "mode");                                          \
    return mock_compute(&call, count, 0);                                      \
  }
#define RELU(in)                                                               \
  int32_t luna_relu_i##in##o##in(const void *a, void *output, uint32_t count,  \
                                 uint32_t shift);                              \
  int32_t luna_relu_i##in##o##in(const void *a, void *output, uint32_t count,  \
                                 uint32_t shift) {                             \
    const MockVectors call = {                                                 \
        "luna_relu_i" #in, MOCK_POSITIVE, in, in, a, NULL, 0, output};         \
    return mock_compute(&call, count, shift);                                  \
  }
#define WIDTHS(KIND, name, WHAT)                                               \
  KIND(name, WHAT, 8, 8)                                                       \
  KIND(name, WHAT, 8, 32)                                                      \
  KIND(name, WHAT, 32, 8)                                                      \
  KIND(name, WHAT, 32, 32)
WIDTHS(VECTORS, add, MOCK_ADD)
WIDTHS(VECTORS, sub, MOCK_SUB)
WIDTHS(VECTORS, mul, MOCK_MUL)
WIDTHS(SCALAR, scale, MOCK_SCALE)
WIDTHS(SCALAR, offset, MOCK_OFFSET)
BELOW(8)
BELOW(32)
RELU(8)
RELU(32)

int32_t luna_mat_mul_i32i32o32(const void *a, const void *b, void *output,
                               uint32_t rows, uint32_t depth, uint32_t columns,
                               uint32_t shift);
int32_t luna_mat_mul_i32i32o32(const void *a, const void *b, void *output,
                               uint32_t rows, uint32_t depth, uint32_t columns,
                               uint32_t shift) {
  static const char name[] = "luna_mat_mul_i32i32o32";
  if (depth != 1)
    mock_refuse(name, "depth");
  return mock_multiply(name, a, 1, b, output, rows, columns, shift);
}

#define MATRIX(function, bits)                                                 \
  int32_t function(const void *left, const void *right, void *output,          \
                   uint32_t rows, uint32_t depth, uint32_t columns,            \
                   uint32_t shift);                                            \
  int32_t function(const void *left, const void *right, void *output,          \
                   uint32_t rows, uint32_t depth, uint32_t columns,            \
                   uint32_t shift) {                                           \
    return mock_matrix(#function, left, right, output, bits, rows, depth,      \
                       columns, shift);                                        \
  }
MATRIX(luna_mat_mul_i8i8o8, 8)
MATRIX(luna_mat_mul_i8i8o32, 32)

//===- Fills and copies ---------------------------------------------------===//

MOCK_FILL(luna_memset_i8o8, 8, int8_t)
MOCK_FILL(luna_memset_i32o32, 32, int32_t)

int32_t luna_memcpy_i8o8(void *output, const void *input, uint32_t bytes);
int32_t luna_memcpy_i8o8(void *output, const void *input, uint32_t bytes) {
  mock_reads("luna_memcpy_i8o8", input, bytes, 1);
  mock_writes("luna_memcpy_i8o8", output, bytes, 1);
  memmove(output, input, bytes);
  return 0;
}
