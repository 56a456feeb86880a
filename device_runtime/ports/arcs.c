// The port of the unit (luna/unit_port.h) over the vendor's library for ARCS:
// whole planes of int8, which the library cuts into pieces itself, and vectors
// of 8 and 32 bits.
//
// Declarations are our own, of what LISTENAI/thinker 562ddc7 calls:
// executor/core/ops/arcs/luna/luna_{cnn,basic,matrix,misc}_math.h and
// luna_cnn_tools.h. A call of a convolution takes a block
// that the library's packer makes of its numbers.

#include "port_calls.h"

//===- The library --------------------------------------------------------===//

enum { NO_ACTIVATION = 128, RELU = 0 };
enum { CONV = 0, DEPTHWISE = 2, MAX_POOLING = 3 }; // for the packer

typedef struct Conv {
  uint32_t input_c, input_w, input_h, output_c, output_w, output_h;
  uint8_t pad_left, pad_right, pad_up, pad_down;
  uint8_t weight_w, weight_h, stride_w, stride_h;
  uint8_t activation, positive_shift, positive_shift_type;
  uint8_t negative_shift, negative_shift_type;
  uint8_t is_bias, is_per_channel;
  uint8_t memory; // of weights and inputs; 0: shared
  uint8_t output_bits, weight_bits;
  uint8_t dilation_w, dilation_h, out_pad_w, out_pad_h;
  uint8_t batch_num, group, reserved;
} Conv;

// What the packer makes: the commands of all pieces.
enum {
#define LUNA_PORT(name, machine, block_bytes) name##_block_bytes = block_bytes,
#include "luna/ports.def"
};
typedef struct Block {
  uint32_t words[arcs_block_bytes / sizeof(uint32_t)];
} Block;

typedef int32_t ConvCall(const void *input, const void *weight,
                         const void *bias, void *output, void *block);

int32_t luna_split_conv_para_pack(Conv *conv, Block *block, int32_t type);
ConvCall luna_conv2d_i8i8o8, luna_conv2d_i8i8o32;
ConvCall luna_depthwise2d_i8i8o8, luna_depthwise2d_i8i8o32;
int32_t luna_max_pooling2d_i8o8(const void *input, void *output, Block *block);

#define WIDTHS(name)                                                           \
  luna_##name##_i8i8o8, luna_##name##_i8i8o32, luna_##name##_i32i32o8,         \
      luna_##name##_i32i32o32

LunaPortVectors WIDTHS(add), WIDTHS(sub), WIDTHS(mul);
LunaPortScalar WIDTHS(scale), WIDTHS(offset);
LunaPortScalar luna_cmp_vs_i8i8o8, luna_cmp_vs_i32i32o32;
LunaPortVector luna_relu_i8o8, luna_relu_i32o32;
LunaPortMatrices luna_mat_mul_i8i8o8, luna_mat_mul_i8i8o32,
    luna_mat_mul_i32i32o32;
int32_t luna_memset_i8o8(void *output, int8_t value, uint32_t count);
int32_t luna_memset_i32o32(void *output, int32_t value, uint32_t count);
int32_t luna_memcpy_i8o8(void *output, const void *input, uint32_t bytes);

//===- Convolutions -------------------------------------------------------===//

static Conv conv_of(const LunaPortConv *how) {
  const LunaLaunchRecord *launch = how->launch;
  return (Conv){
      .input_c = launch->in_channels,
      .input_w = launch->in[1],
      .input_h = launch->in[0],
      .output_c = launch->out_channels,
      .output_w = launch->out[1],
      .output_h = launch->out[0],
      .pad_left = (uint8_t)launch->pad_before[1],
      .pad_right = (uint8_t)launch->pad_after[1],
      .pad_up = (uint8_t)launch->pad_before[0],
      .pad_down = (uint8_t)launch->pad_after[0],
      .weight_w = (uint8_t)launch->taps[1],
      .weight_h = (uint8_t)launch->taps[0],
      .stride_w = (uint8_t)launch->stride[1],
      .stride_h = (uint8_t)launch->stride[0],
      .activation = how->has_relu ? RELU : NO_ACTIVATION,
      .positive_shift = (uint8_t)how->shift,
      .negative_shift = (uint8_t)how->shift,
      .is_bias = (uint8_t)how->has_bias,
      .output_bits = (uint8_t)how->output_bits,
      .weight_bits = 8,
      .dilation_w = (uint8_t)launch->dilation[1],
      .dilation_h = (uint8_t)launch->dilation[0],
      .batch_num = 1,
      .group = 1,
  };
}

static void pack(const LunaPortConv *how, void *block) {
  Conv conv = conv_of(how);
  if (how->output_bits == 16)
    luna_port_fault("arcs: a launch that is no call");
  luna_port_check(luna_split_conv_para_pack(
                      &conv, block, how->is_depthwise ? DEPTHWISE : CONV),
                  "arcs: luna_split_conv_para_pack");
}

void luna_port_convolve(const LunaPortConv *how) {
  static ConvCall *const calls[2][2] = {
      {luna_conv2d_i8i8o8, luna_conv2d_i8i8o32},
      {luna_depthwise2d_i8i8o8, luna_depthwise2d_i8i8o32}};
  Block block;
  void *packed = (void *)(uintptr_t)how->block;
  if (!packed)
    pack(how, packed = &block);
  luna_port_check(calls[how->is_depthwise][how->output_bits == 32](
                      how->input, how->weight, how->bias, how->output, packed),
                  "arcs: luna_conv2d");
}

void luna_port_max_pool(const LunaPoolDesc *desc, const void *input,
                        void *output) {
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  Block block;
  Conv conv = {
      .input_c = (uint32_t)in[3],
      .input_w = (uint32_t)in[2],
      .input_h = (uint32_t)in[1],
      .output_c = (uint32_t)out[3],
      .output_w = (uint32_t)out[2],
      .output_h = (uint32_t)out[1],
      .pad_left = (uint8_t)desc->pad[2],
      .pad_right = (uint8_t)desc->pad[3],
      .pad_up = (uint8_t)desc->pad[0],
      .pad_down = (uint8_t)desc->pad[1],
      .weight_w = (uint8_t)desc->kernel[1],
      .weight_h = (uint8_t)desc->kernel[0],
      .stride_w = (uint8_t)desc->stride[1],
      .stride_h = (uint8_t)desc->stride[0],
      .activation = NO_ACTIVATION,
      .output_bits = 8,
      .weight_bits = 8,
      .dilation_w = 1,
      .dilation_h = 1,
      .batch_num = 1,
      .group = 1,
  };
  luna_port_check(luna_split_conv_para_pack(&conv, &block, MAX_POOLING),
                  "arcs: luna_split_conv_para_pack");
  luna_port_check(luna_max_pooling2d_i8o8(input, output, &block),
                  "arcs: luna_max_pooling2d");
}

//===- Vector calls -------------------------------------------------------===//

#define TABLE(name)                                                            \
  {luna_##name##_i8i8o8, 0, luna_##name##_i8i8o32}, {0}, {                     \
    luna_##name##_i32i32o8, 0, luna_##name##_i32i32o32                         \
  }

const LunaPortLibrary luna_port_library = {
    .add = {TABLE(add)},
    .sub = {TABLE(sub)},
    .mul = {TABLE(mul)},
    .scale = {TABLE(scale)},
    .offset = {TABLE(offset)},
    .cmp_vs = {{luna_cmp_vs_i8i8o8}, {0}, {0, 0, luna_cmp_vs_i32i32o32}},
    .relu = {{luna_relu_i8o8}, {0}, {0, 0, luna_relu_i32o32}},
    .mat_mul = {{luna_mat_mul_i8i8o8, 0, luna_mat_mul_i8i8o32},
                {0},
                {0, 0, luna_mat_mul_i32i32o32}},
    .pack = pack,
    .block_bytes = sizeof(Block),
};

int luna_port_fill(void *output, int32_t bits, int32_t value, uint32_t count) {
  if (bits == 16)
    return 0;
  luna_port_check(bits == 8 ? luna_memset_i8o8(output, (int8_t)value, count)
                            : luna_memset_i32o32(output, value, count),
                  "arcs: luna_memset");
  return 1;
}

void luna_port_copy(void *output, const void *input, uint32_t bytes) {
  luna_port_check(luna_memcpy_i8o8(output, input, bytes), "arcs: luna_memcpy");
}
