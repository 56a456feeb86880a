// The port of the unit (luna/unit_port.h) over the vendor's library for CSK6
// (VENUS): whole planes of int8 in shared memory, one transfer in flight.
//
// Declarations are our own, of what LISTENAI/thinker 562ddc7 calls:
// executor/core/ops/venus/luna/luna_{cnn,basic,matrix,misc}_math.h and
// opi_psram_cpy.h. Calls return when they are done, so that nothing is awaited.

#include "luna/port.h"
#include "luna/unit_calls.h"
#include "luna/unit_port.h"
#include "port_calls.h"

//===- The library --------------------------------------------------------===//

enum { NO_ACTIVATION = 128, RELU = 0, LESS_THAN = 2 };

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
typedef int32_t MatrixCall(const void *left, const void *right, void *output,
                           uint32_t rows, uint32_t depth, uint32_t columns,
                           uint32_t shift);
typedef int32_t VectorsCall(const void *a, const void *b, void *output,
                            uint32_t count, uint32_t shift);
typedef int32_t ScalarCall(const void *a, int32_t scalar, void *output,
                           uint32_t count, uint32_t shift);

ConvCall luna_conv_q7_int8, luna_conv_q7_int16, luna_conv_q7_int32;
ConvCall luna_conv_split_q7_int8, luna_conv_split_q7_int16,
    luna_conv_split_q7_int32;
ConvCall luna_depthwise_conv_q7_int8, luna_depthwise_conv_q7_int16,
    luna_depthwise_conv_q7_int32;
int32_t luna_max_pooling(const void *input, void *output, Conv *conv);

#define WIDTHS(MACRO, name)                                                    \
  MACRO(name, q7, int8), MACRO(name, q7, int16), MACRO(name, q7, int32),       \
      MACRO(name, q15, int8), MACRO(name, q15, int16),                         \
      MACRO(name, q15, int32), MACRO(name, q31, int8),                         \
      MACRO(name, q31, int16), MACRO(name, q31, int32)
#define CALL(name, in, out) luna_##name##_##in##_##out

VectorsCall WIDTHS(CALL, add), WIDTHS(CALL, sub), WIDTHS(CALL, mul);
ScalarCall WIDTHS(CALL, scale), WIDTHS(CALL, offset);
ScalarCall luna_cmp_vs_q7_int8, luna_cmp_vs_q15_int16, luna_cmp_vs_q31_int32;
int32_t luna_multi_vec_mul_q31_int32(const void *a, const void *b, void *output,
                                     uint32_t columns, uint32_t rows,
                                     uint32_t shift);
MatrixCall luna_mat_mul_q7_int8, luna_mat_mul_q7_int16, luna_mat_mul_q7_int32;
MatrixCall luna_mat_mul_q31_int32;
int32_t luna_relu_q7_int8(const void *a, void *output, uint32_t count,
                          uint32_t shift);
int32_t luna_relu_q15_int16(const void *a, void *output, uint32_t count,
                            uint32_t shift);
int32_t luna_relu_q31_int32(const void *a, void *output, uint32_t count,
                            uint32_t shift);
int32_t luna_memset(void *output, int8_t value, uint32_t count);
int32_t luna_memset_int16(void *output, int16_t value, uint32_t count);
int32_t luna_memset_int32(void *output, int32_t value, uint32_t count);
int32_t luna_memcpy(void *output, void *input, int32_t bytes);

void dma_cpy_async(int channel, void *target, void *source, int32_t bytes);
void dma_wait_complete(int channel);

static void check(int32_t status, const char *call) {
  if (status != 0)
    luna_port_fault(call);
}

// 0, 1 and 2 for 8, 16 and 32 bits.
static int width(int32_t bits) { return bits == 8 ? 0 : bits == 16 ? 1 : 2; }

//===- Convolutions -------------------------------------------------------===//

// Returns the call for a launch and the width of what it writes.
static ConvCall *conv_call(const LunaProductRecord *record,
                           const LunaLaunchRecord *launch, int to) {
  static ConvCall *const calls[3][3] = {
      {luna_conv_q7_int8, luna_conv_q7_int16, luna_conv_q7_int32},
      {luna_conv_split_q7_int8, luna_conv_split_q7_int16,
       luna_conv_split_q7_int32},
      {luna_depthwise_conv_q7_int8, luna_depthwise_conv_q7_int16,
       luna_depthwise_conv_q7_int32},
  };
  if (record->kind == LUNA_LAUNCH_DEPTHWISE)
    return calls[2][to];
  return calls[launch->row_strips > 1][to];
}

static Conv conv_of(const LunaLaunchRecord *launch, const LunaPortConv *how) {
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
      .is_bias = how->bias != 0,
      .is_activation = (uint32_t)how->has_relu,
      .activation = how->has_relu ? RELU : NO_ACTIVATION,
      .positive_shift = how->shift,
      .negative_shift = how->shift,
      .batch_num = launch->row_strips > 1 ? launch->row_strips : 1,
  };
}

static void multiply(const LunaPortMatrix *matrix) {
  static MatrixCall *const calls[3] = {
      luna_mat_mul_q7_int8, luna_mat_mul_q7_int16, luna_mat_mul_q7_int32};
  check(calls[width(matrix->output_bits)](
            matrix->left, matrix->right, matrix->output, matrix->rows,
            matrix->depth, matrix->columns, matrix->shift),
        "csk6: luna_mat_mul");
}

void luna_unit_start(const LunaProductRecord *record,
                     const LunaLaunchRecord *launch,
                     const LunaProductOperands *operands) {
  LunaPortConv how;
  LunaPortMatrix matrix;
  if (luna_port_matrix(record, launch, operands, &matrix)) {
    multiply(&matrix);
    return;
  }
  if (!luna_port_conv(record, launch, operands, &how))
    luna_port_fault("csk6: a launch that is no call");
  Conv conv = conv_of(launch, &how);
  check(conv_call(record, launch, width(how.output_bits))(
            how.input, how.weight, how.bias, how.output, &conv),
        "csk6: luna_conv");
}

//===- Vector calls -------------------------------------------------------===//

static void call_vectors(VectorsCall *const calls[9],
                         const LunaVectorCall *call,
                         const LunaVectorOperands *operands) {
  int at = 3 * width(call->input_bits) + width(call->output_bits);
  check(calls[at](operands->input, operands->other, operands->output,
                  (uint32_t)operands->count, call->shift),
        "csk6: a call of two vectors");
}

static void call_scalar(ScalarCall *const calls[9], const LunaVectorCall *call,
                        const LunaVectorOperands *operands) {
  int at = 3 * width(call->input_bits) + width(call->output_bits);
  check(calls[at](operands->input, call->scalar, operands->output,
                  (uint32_t)operands->count, call->shift),
        "csk6: a call of a vector and a scalar");
}

static void compare(const LunaVectorCall *call,
                    const LunaVectorOperands *operands) {
  static ScalarCall *const calls[3] = {
      luna_cmp_vs_q7_int8, luna_cmp_vs_q15_int16, luna_cmp_vs_q31_int32};
  check(calls[width(call->input_bits)](operands->input, call->scalar,
                                       operands->output,
                                       (uint32_t)operands->count, LESS_THAN),
        "csk6: luna_cmp_vs");
}

static void fill(void *output, int32_t bits, int32_t value, int32_t count) {
  int32_t status =
      bits == 8    ? luna_memset(output, (int8_t)value, (uint32_t)count)
      : bits == 16 ? luna_memset_int16(output, (int16_t)value, (uint32_t)count)
                   : luna_memset_int32(output, value, (uint32_t)count);
  check(status, "csk6: luna_memset");
}

static void multiply_rows(const LunaVectorCall *call,
                          const LunaVectorOperands *operands) {
  uint32_t columns = (uint32_t)operands->columns;
  uint32_t rows = (uint32_t)(operands->count / operands->columns);
  int32_t status =
      call->name == LUNA_CALL_MAT_MUL
          ? luna_mat_mul_q31_int32(operands->input, operands->other,
                                   operands->output, rows, 1, columns,
                                   call->shift)
          : luna_multi_vec_mul_q31_int32(operands->input, operands->other,
                                         operands->output, columns, rows,
                                         call->shift);
  check(status, "csk6: a call of a matrix");
}

void luna_unit_start_vector(const LunaVectorCall *call,
                            const LunaVectorOperands *operands) {
  static VectorsCall *const add[9] = {WIDTHS(CALL, add)};
  static VectorsCall *const sub[9] = {WIDTHS(CALL, sub)};
  static VectorsCall *const mul[9] = {WIDTHS(CALL, mul)};
  static ScalarCall *const scale[9] = {WIDTHS(CALL, scale)};
  static ScalarCall *const offset[9] = {WIDTHS(CALL, offset)};
  switch ((LunaCallName)call->name) {
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
  case LUNA_CALL_MULTI_VEC_MUL:
  case LUNA_CALL_MAT_MUL:
    if (call->input_bits == 32 && call->output_bits == 32) {
      multiply_rows(call, operands);
      return;
    }
    break;
  default:
    break;
  }
  luna_port_fault("csk6: a vector call that it has not");
}

//===- Other operators ----------------------------------------------------===//

void luna_unit_start_pool(const LunaPoolDesc *desc, const void *input,
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
  if (!luna_port_is_max_pool(desc))
    luna_port_fault("csk6: a pooling that is no call");
  check(luna_max_pooling(input, output, &conv), "csk6: luna_max_pooling");
}

// Results below 0 become 0, in place.
static void drop_negative(void *output, int32_t bits, int32_t count) {
  uint32_t n = (uint32_t)count;
  int32_t status = bits == 8    ? luna_relu_q7_int8(output, output, n, 0)
                   : bits == 16 ? luna_relu_q15_int16(output, output, n, 0)
                                : luna_relu_q31_int32(output, output, n, 0);
  check(status, "csk6: luna_relu");
}

void luna_unit_start_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                             const void *rhs, void *output) {
  LunaPortEltwise eltwise;
  if (!luna_port_eltwise(desc, &eltwise))
    luna_port_fault("csk6: an elementwise operator that is no call");
  const LunaVectorOperands operands = {
      .input = lhs, .other = rhs, .output = output, .count = eltwise.count};
  luna_unit_start_vector(&eltwise.call, &operands);
  if (eltwise.drops_negative)
    drop_negative(output, eltwise.call.output_bits, eltwise.count);
}

static void refuse(const char *why, ...) { luna_port_fault(why); }

// Operators that are one launch where a unit has the call, which this one
// lacks.
#define LUNA_UNIT_LAUNCH(CLASS, name, Type, CALL, parameters, arguments)       \
  void luna_unit_start_##name(const Luna##Type##Desc *desc,                    \
                              LUNA_UNIT_LIST parameters) {                     \
    refuse("csk6: no call for " #name, desc, LUNA_UNIT_LIST arguments);        \
  }
#include "luna/units.def"

void luna_unit_start_copy(const LunaCopyDesc *desc, const void *source,
                          void *target) {
  int32_t bytes = luna_element_bytes(desc->source.type);
  if (luna_port_lie_alike(&desc->source, &desc->target))
    check(luna_memcpy(target, (void *)(uintptr_t)source,
                      luna_port_count(&desc->source) * bytes),
          "csk6: luna_memcpy");
  else
    luna_port_copy_box(desc, source, target);
}

void luna_unit_start_fill(const LunaFillDesc *desc, void *target) {
  int32_t bits = 8 * luna_element_bytes(desc->target.type);
  if (bits <= 32 && luna_port_lie_alike(&desc->target, &desc->target))
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
