// The port of the unit (luna/unit_port.h) over the vendor's library for CSK6
// (VENUS): whole planes of int8 in shared memory, one transfer in flight.
//
// Declarations are our own, of what LISTENAI/thinker 562ddc7 calls:
// executor/core/ops/venus/luna/luna_{cnn,basic,matrix,misc}_math.h.

#include "port_calls.h"

//===- The library --------------------------------------------------------===//

enum { NO_ACTIVATION = 128, RELU = 0 };

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

typedef int32_t ConvCall(const void *input, const void *weight,
                         const void *bias, void *output, Conv *conv);

#define OUTPUTS(name, in)                                                      \
  luna_##name##_##in##_int8, luna_##name##_##in##_int16,                       \
      luna_##name##_##in##_int32
#define WIDTHS(name) OUTPUTS(name, q7), OUTPUTS(name, q15), OUTPUTS(name, q31)

ConvCall OUTPUTS(conv, q7), OUTPUTS(conv_split, q7),
    OUTPUTS(depthwise_conv, q7);
int32_t luna_max_pooling(const void *input, void *output, Conv *conv);
LunaPortVectors WIDTHS(add), WIDTHS(sub), WIDTHS(mul);
LunaPortScalar WIDTHS(scale), WIDTHS(offset);
LunaPortScalar luna_cmp_vs_q7_int8, luna_cmp_vs_q15_int16,
    luna_cmp_vs_q31_int32;
LunaPortVector luna_relu_q7_int8, luna_relu_q15_int16, luna_relu_q31_int32;
LunaPortMatrices OUTPUTS(mat_mul, q7), luna_mat_mul_q31_int32;
LunaPortRows luna_multi_vec_mul_q31_int32;
int32_t luna_memset(void *output, int8_t value, uint32_t count);
int32_t luna_memset_int16(void *output, int16_t value, uint32_t count);
int32_t luna_memset_int32(void *output, int32_t value, uint32_t count);
int32_t luna_memcpy(void *output, void *input, int32_t bytes);

//===- Convolutions -------------------------------------------------------===//

static ConvCall *conv_call(const LunaPortConv *how) {
  static ConvCall *const calls[3][3] = {{OUTPUTS(conv, q7)},
                                        {OUTPUTS(conv_split, q7)},
                                        {OUTPUTS(depthwise_conv, q7)}};
  int to = how->output_bits == 8 ? 0 : how->output_bits == 16 ? 1 : 2;
  return calls[how->is_depthwise ? 2 : how->launch->row_strips > 1][to];
}

static Conv conv_of(const LunaPortConv *how) {
  const LunaLaunchRecord *launch = how->launch;
  const uint16_t *in = launch->in;
  const int16_t *before = launch->pad_before, *after = launch->pad_after;
  return (Conv){
      .input_c = launch->in_channels,
      .input_w = in[1],
      .input_h = in[0],
      .pad_left = (uint32_t)before[1],
      .pad_right = (uint32_t)after[1],
      .pad_up = (uint32_t)before[0],
      .pad_down = (uint32_t)after[0],
      .padded_w = (uint32_t)(in[1] + before[1] + after[1]),
      .padded_h = (uint32_t)(in[0] + before[0] + after[0]),
      .weight_w = launch->taps[1],
      .weight_h = launch->taps[0],
      .stride_w = launch->stride[1],
      .stride_h = launch->stride[0],
      .output_c = launch->out_channels,
      .output_w = launch->out[1],
      .output_h = launch->out[0],
      .is_bias = (uint32_t)how->has_bias,
      .is_activation = (uint32_t)how->has_relu,
      .activation = how->has_relu ? RELU : NO_ACTIVATION,
      .positive_shift = how->shift,
      .negative_shift = how->shift,
      .batch_num = launch->row_strips > 1 ? launch->row_strips : 1,
  };
}

void luna_port_convolve(const LunaPortConv *how) {
  Conv conv = conv_of(how);
  luna_port_check(
      conv_call(how)(how->input, how->weight, how->bias, how->output, &conv),
      "csk6: luna_conv");
}

void luna_port_max_pool(const LunaPoolDesc *desc, const void *input,
                        void *output) {
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  const int32_t *pad = desc->pad;
  Conv conv = {
      .input_c = (uint32_t)in[3],
      .input_w = (uint32_t)in[2],
      .input_h = (uint32_t)in[1],
      .pad_left = (uint32_t)pad[2],
      .pad_right = (uint32_t)pad[3],
      .pad_up = (uint32_t)pad[0],
      .pad_down = (uint32_t)pad[1],
      .padded_w = (uint32_t)(in[2] + pad[2] + pad[3]),
      .padded_h = (uint32_t)(in[1] + pad[0] + pad[1]),
      .weight_w = (uint32_t)desc->kernel[1],
      .weight_h = (uint32_t)desc->kernel[0],
      .stride_w = (uint32_t)desc->stride[1],
      .stride_h = (uint32_t)desc->stride[0],
      .output_c = (uint32_t)out[3],
      .output_w = (uint32_t)out[2],
      .output_h = (uint32_t)out[1],
      .batch_num = 1,
  };
  luna_port_check(luna_max_pooling(input, output, &conv),
                  "csk6: luna_max_pooling");
}

//===- Vector calls -------------------------------------------------------===//

#define TABLE(name)                                                            \
  {OUTPUTS(name, q7)}, {OUTPUTS(name, q15)}, { OUTPUTS(name, q31) }
#define DIAGONAL(name)                                                         \
  {luna_##name##_q7_int8}, {0, luna_##name##_q15_int16}, {                     \
    0, 0, luna_##name##_q31_int32                                              \
  }

const LunaPortLibrary luna_port_library = {
    .add = {TABLE(add)},
    .sub = {TABLE(sub)},
    .mul = {TABLE(mul)},
    .scale = {TABLE(scale)},
    .offset = {TABLE(offset)},
    .cmp_vs = {DIAGONAL(cmp_vs)},
    .relu = {DIAGONAL(relu)},
    .mat_mul = {{OUTPUTS(mat_mul, q7)}, {0}, {0, 0, luna_mat_mul_q31_int32}},
    .multi_vec_mul = {{0}, {0}, {0, 0, luna_multi_vec_mul_q31_int32}},
};

int luna_port_fill(void *output, int32_t bits, int32_t value, uint32_t count) {
  int32_t status = bits == 8 ? luna_memset(output, (int8_t)value, count)
                   : bits == 16
                       ? luna_memset_int16(output, (int16_t)value, count)
                       : luna_memset_int32(output, value, count);
  luna_port_check(status, "csk6: luna_memset");
  return 1;
}

void luna_port_copy(void *output, const void *input, uint32_t bytes) {
  luna_port_check(luna_memcpy(output, (void *)(uintptr_t)input, (int32_t)bytes),
                  "csk6: luna_memcpy");
}
