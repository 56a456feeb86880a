// The port of the unit (luna/unit_port.h) over the vendor's library for ARCS:
// whole planes of int8, which the library cuts into pieces itself, and vectors
// of 8 and 32 bits.
//
// Declarations are our own, of what LISTENAI/thinker 562ddc7 calls:
// executor/core/ops/arcs/luna/luna_{cnn,basic,matrix,misc}_math.h,
// luna_cnn_tools.h and opi_psram_cpy.h. A call of a convolution takes a block
// that the library's packer makes of its numbers. Calls return when they are
// done, so that nothing is awaited.

#include "luna/port.h"
#include "luna/unit_calls.h"
#include "luna/unit_port.h"
#include "port_calls.h"

//===- The library --------------------------------------------------------===//

enum { NO_ACTIVATION = 128, RELU = 0, LESS_THAN = 2 };
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
typedef struct Block {
  uint32_t words[90];
} Block;

typedef int32_t ConvCall(const void *input, const void *weight,
                         const void *bias, void *output, void *block);
typedef int32_t MatrixCall(const void *left, const void *right, void *output,
                           uint32_t rows, uint32_t depth, uint32_t columns,
                           uint32_t shift);
typedef int32_t VectorsCall(const void *a, const void *b, void *output,
                            uint32_t count, uint32_t shift);
typedef int32_t ScalarCall(const void *a, int32_t scalar, void *output,
                           uint32_t count, uint32_t shift);
typedef int32_t VectorCall(const void *a, void *output, uint32_t count,
                           uint32_t shift);

int32_t luna_split_conv_para_pack(Conv *conv, Block *block, int32_t type);
ConvCall luna_conv2d_i8i8o8, luna_conv2d_i8i8o32;
ConvCall luna_depthwise2d_i8i8o8, luna_depthwise2d_i8i8o32;
int32_t luna_max_pooling2d_i8o8(const void *input, void *output, Block *block);

#define WIDTHS(name)                                                           \
  luna_##name##_i8i8o8, luna_##name##_i8i8o32, luna_##name##_i32i32o8,         \
      luna_##name##_i32i32o32

VectorsCall WIDTHS(add), WIDTHS(sub), WIDTHS(mul);
ScalarCall WIDTHS(scale), WIDTHS(offset);
ScalarCall luna_cmp_vs_i8i8o8, luna_cmp_vs_i32i32o32;
VectorCall luna_relu_i8o8, luna_relu_i32o32;
MatrixCall luna_mat_mul_i8i8o8, luna_mat_mul_i8i8o32, luna_mat_mul_i32i32o32;
int32_t luna_memset_i8o8(void *output, int8_t value, uint32_t count);
int32_t luna_memset_i32o32(void *output, int32_t value, uint32_t count);
int32_t luna_memcpy_i8o8(void *output, const void *input, uint32_t bytes);

void dma_cpy_async(int channel, void *target, void *source, int32_t bytes);
void dma_wait_complete(int channel);

static void check(int32_t status, const char *call) {
  if (status != 0)
    luna_port_fault(call);
}

//===- Convolutions -------------------------------------------------------===//

static Conv conv_of(const LunaLaunchRecord *launch, const LunaPortConv *how) {
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
      .is_bias = how->bias != 0,
      .output_bits = (uint8_t)how->output_bits,
      .weight_bits = 8,
      .dilation_w = (uint8_t)launch->dilation[1],
      .dilation_h = (uint8_t)launch->dilation[0],
      .batch_num = 1,
      .group = 1,
  };
}

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  static ConvCall *const calls[2][2] = {
      {luna_conv2d_i8i8o8, luna_conv2d_i8i8o32},
      {luna_depthwise2d_i8i8o8, luna_depthwise2d_i8i8o32}};
  LunaPortConv how;
  LunaPortMatrix matrix;
  Block block;
  if (luna_port_matrix(record, launch, operands, &matrix) &&
      matrix.output_bits != 16) {
    MatrixCall *call =
        matrix.output_bits == 8 ? luna_mat_mul_i8i8o8 : luna_mat_mul_i8i8o32;
    check(call(matrix.left, matrix.right, matrix.output, matrix.rows,
               matrix.depth, matrix.columns, matrix.shift),
          "arcs: luna_mat_mul");
    return;
  }
  int is_depthwise = record->kind == LUNA_LAUNCH_DEPTHWISE;
  if (!luna_port_conv(record, launch, operands, &how) || how.output_bits == 16)
    luna_port_fault("arcs: a launch that is no call");
  Conv conv = conv_of(launch, &how);
  check(
      luna_split_conv_para_pack(&conv, &block, is_depthwise ? DEPTHWISE : CONV),
      "arcs: luna_split_conv_para_pack");
  check(calls[is_depthwise][how.output_bits == 32](
            how.input, how.weight, how.bias, how.output, &block),
        "arcs: luna_conv2d");
}

//===- Vector calls -------------------------------------------------------===//

static int at_of(const LunaVectorCall *call) {
  return 2 * (call->input_bits == 32) + (call->output_bits == 32);
}

static void call_vectors(VectorsCall *const calls[4],
                         const LunaVectorCall *call,
                         const LunaVectorOperands *operands) {
  check(calls[at_of(call)](operands->input, operands->other, operands->output,
                           (uint32_t)operands->count, call->shift),
        "arcs: a call of two vectors");
}

static void call_scalar(ScalarCall *const calls[4], const LunaVectorCall *call,
                        const LunaVectorOperands *operands) {
  check(calls[at_of(call)](operands->input, call->scalar, operands->output,
                           (uint32_t)operands->count, call->shift),
        "arcs: a call of a vector and a scalar");
}

static void compare(const LunaVectorCall *call,
                    const LunaVectorOperands *operands) {
  ScalarCall *below =
      call->input_bits == 32 ? luna_cmp_vs_i32i32o32 : luna_cmp_vs_i8i8o8;
  check(below(operands->input, call->scalar, operands->output,
              (uint32_t)operands->count, LESS_THAN),
        "arcs: luna_cmp_vs");
}

static void fill(void *output, int32_t bits, int32_t value, int32_t count) {
  check(bits == 8 ? luna_memset_i8o8(output, (int8_t)value, (uint32_t)count)
                  : luna_memset_i32o32(output, value, (uint32_t)count),
        "arcs: luna_memset");
}

static void multiply(const LunaVectorCall *call,
                     const LunaVectorOperands *operands) {
  check(luna_mat_mul_i32i32o32(operands->input, operands->other,
                               operands->output,
                               (uint32_t)(operands->count / operands->columns),
                               1, (uint32_t)operands->columns, call->shift),
        "arcs: luna_mat_mul");
}

void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  static VectorsCall *const add[4] = {WIDTHS(add)};
  static VectorsCall *const sub[4] = {WIDTHS(sub)};
  static VectorsCall *const mul[4] = {WIDTHS(mul)};
  static ScalarCall *const scale[4] = {WIDTHS(scale)};
  static ScalarCall *const offset[4] = {WIDTHS(offset)};
  int is_fault = call->input_bits == 16 || call->output_bits == 16;
  switch (is_fault ? LUNA_CALL_NAME_COUNT : (LunaCallName)call->name) {
  case LUNA_CALL_ADD:
    call_vectors(add, call, operands);
    return;
  case LUNA_CALL_SUB:
    call_vectors(sub, call, operands);
    return;
  case LUNA_CALL_MUL:
    call_vectors(mul, call, operands);
    return;
  case LUNA_CALL_SCALE:
    call_scalar(scale, call, operands);
    return;
  case LUNA_CALL_OFFSET:
    call_scalar(offset, call, operands);
    return;
  case LUNA_CALL_CMP_VS:
    compare(call, operands);
    return;
  case LUNA_CALL_MEMSET:
    fill(operands->output, call->output_bits, call->scalar, operands->count);
    return;
  case LUNA_CALL_MAT_MUL:
    multiply(call, operands);
    return;
  default:
    luna_port_fault("arcs: a vector call that it has not");
  }
}

//===- Other operators ----------------------------------------------------===//

void luna_unit_start_pool(const LunaPoolDesc *desc, const void *input,
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
  if (!luna_port_is_max_pool(desc))
    luna_port_fault("arcs: a pooling that is no call");
  check(luna_split_conv_para_pack(&conv, &block, MAX_POOLING),
        "arcs: luna_split_conv_para_pack");
  check(luna_max_pooling2d_i8o8(input, output, &block),
        "arcs: luna_max_pooling2d");
}

void luna_unit_start_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                             const void *rhs, void *output) {
  LunaPortEltwise eltwise;
  if (!luna_port_eltwise(desc, &eltwise))
    luna_port_fault("arcs: an elementwise operator that is no call");
  const LunaVectorOperands operands = {
      .input = lhs, .other = rhs, .output = output, .count = eltwise.count};
  luna_unit_start_vector(&eltwise.call, &operands);
  if (eltwise.drops_negative) {
    VectorCall *relu =
        eltwise.call.output_bits == 32 ? luna_relu_i32o32 : luna_relu_i8o8;
    check(relu(output, output, (uint32_t)eltwise.count, 0), "arcs: luna_relu");
  }
}

static void refuse(const char *why, ...) { luna_port_fault(why); }

// Operators that are one launch where a unit has the call, which this one
// lacks.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  void luna_unit_start_##name(const Luna##Type##Desc *desc,                    \
                              LUNA_UNIT_LIST parameters) {                     \
    refuse("arcs: no call for " #name, desc, LUNA_UNIT_LIST arguments);        \
  }
#include "luna/units.def"

void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target) {
  int32_t bytes = luna_element_bytes(desc->source.type);
  if (luna_port_lie_alike(&desc->source, &desc->target))
    check(luna_memcpy_i8o8(target, source,
                           (uint32_t)(luna_port_count(&desc->source) * bytes)),
          "arcs: luna_memcpy");
  else
    luna_port_copy_box(desc, source, target);
}

void luna_unit_start_fill(const LunaFillDesc *desc, void *target) {
  int32_t bits = 8 * luna_element_bytes(desc->target.type);
  if ((bits == 8 || bits == 32) &&
      luna_port_lie_alike(&desc->target, &desc->target))
    fill(target, bits, desc->value_low, luna_port_count(&desc->target));
  else
    luna_port_fill_box(desc, target);
}

void luna_unit_await(void) {}

//===- Transfers ----------------------------------------------------------===//

int32_t luna_unit_start_transfer(const LunaDmaDesc *desc, void *target,
                                 const void *source) {
  dma_cpy_async(desc->channel, target, (void *)(uintptr_t)source, desc->bytes);
  return 1 + desc->channel;
}

void luna_unit_await_transfer(int32_t token) { dma_wait_complete(token - 1); }
