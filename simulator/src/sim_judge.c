#include "sim_judge.h"

#include <string.h>

#include "kernel_numbers.h"

// Whether the operands of an operator fit each other, so that its kernel stays
// within the boxes that were checked.

enum { EXTENT_MAX = 1 << 24, ELEMENTS_MAX = 1 << 24 };

// Whether an operand has a sane number of elements, also where strides of 0
// repeat them.
static bool has_extents(const LunaTensorDesc *desc, int32_t least) {
  int64_t count = 1;
  for (int i = 0; i < 4; ++i) {
    if (desc->dims[i] < least || desc->dims[i] > EXTENT_MAX)
      return false;
    count *= desc->dims[i];
    if (count > ELEMENTS_MAX)
      return false;
  }
  return true;
}

static bool is_between(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

static bool are_between(const int32_t *values, int count, int32_t low,
                        int32_t high) {
  for (int i = 0; i < count; ++i)
    if (!is_between(values[i], low, high))
      return false;
  return true;
}

static bool is_integer(const LunaTensorDesc *desc) {
  return is_between(desc->type, LUNA_TYPE_I8, LUNA_TYPE_I32);
}

// Sums of int8 are read and stored in up to 32 bits, those of int16 in 64.
static bool is_sum_type(const LunaTensorDesc *desc) {
  return is_between(desc->type, LUNA_TYPE_I8, LUNA_TYPE_I64);
}

static bool is_zero_point(const LunaTensorDesc *desc, int32_t zero_point) {
  return desc->type == LUNA_TYPE_I8 ? is_between(zero_point, -128, 127)
                                    : zero_point == 0;
}

static const char *judge_requant(const LunaRequantDesc *requant,
                                 const LunaTensorDesc *output) {
  if (!is_between(requant->mode, LUNA_REQUANT_NONE, LUNA_REQUANT_FLOAT))
    return "unknown requantisation mode";
  if (requant->mode == LUNA_REQUANT_NONE)
    return NULL;
  if (!is_integer(output))
    return "requantises to a type that is not int8, int16 or int32";
  if (requant->clamp_min > requant->clamp_max)
    return "clamps to an empty range";
  if (requant->mode == LUNA_REQUANT_SHIFT)
    return requant->per_channel ? "shifts per channel"
           : is_between(requant->shift, -31, 62)
               ? NULL
               : "shift is not between -31 and 62";
  if (requant->mode == LUNA_REQUANT_FLOAT)
    return output->type == LUNA_TYPE_I32
               ? "requantises to int32 in floating point"
               : NULL;
  if (!is_between(requant->rounding, LUNA_ROUND_SINGLE, LUNA_ROUND_DOUBLE))
    return "unknown rounding";
  if (!requant->per_channel && !is_between(requant->shift, 0, 62))
    return "shift is not between 0 and 62";
  return NULL;
}

// The table of a requantisation per channel: [2][channels], shifts second; in
// floating point [channels].
static const char *judge_table(const LunaRequantDesc *requant,
                               const LunaTensorDesc *desc, const void *table,
                               int32_t channels) {
  if (!luna_requant_has_table(requant))
    return NULL;
  if (!table)
    return "requantises per channel without a table";
  if (requant->mode == LUNA_REQUANT_FLOAT)
    return desc->type != LUNA_TYPE_F32 || desc->dims[0] != 1 ||
                   desc->dims[1] != 1 || desc->dims[2] != 1 ||
                   desc->dims[3] != channels
               ? "requantisation table is not float, one for each channel"
               : NULL;
  if (desc->type != LUNA_TYPE_I32 || desc->dims[0] != 1 || desc->dims[1] != 1 ||
      desc->dims[2] != 2 || desc->dims[3] != channels)
    return "requantisation table is not int32 of 2 rows, one for each channel";
  for (int64_t c = 0; c < channels; ++c) {
    int32_t shift;
    int64_t at = desc->strides[2] + c * desc->strides[3];
    memcpy(&shift, (const uint8_t *)table + at * 4, sizeof shift);
    if (!is_between(shift, 0, 62))
      return "requantisation table has a shift that is not between 0 and 62";
  }
  return NULL;
}

static const char *judge_bias(const LunaTensorDesc *desc, const void *bias,
                              int32_t channels) {
  if (!bias)
    return NULL;
  bool fits = (desc->type == LUNA_TYPE_I32 || desc->type == LUNA_TYPE_I64) &&
              desc->dims[0] == 1 && desc->dims[1] == 1 && desc->dims[2] == 1 &&
              (desc->dims[3] == 1 || desc->dims[3] == channels);
  return fits ? NULL : "bias is not int32 or int64, one for each channel";
}

// What a convolution and a matrix product have in common.
static const char *judge_product(const LunaTensorDesc *input,
                                 const LunaTensorDesc *weight,
                                 const LunaTensorDesc *output) {
  if (!is_between(input->type, LUNA_TYPE_I8, LUNA_TYPE_I16) ||
      !is_between(weight->type, LUNA_TYPE_I8, LUNA_TYPE_I16))
    return "multiplies types that are not int8 or int16";
  if (weight->type == LUNA_TYPE_I16 && input->type == LUNA_TYPE_I8)
    return "multiplies int8 by int16";
  if (!is_sum_type(output))
    return "result is not int8, int16, int32 or int64";
  if (!has_extents(input, 1) || !has_extents(weight, 1) ||
      !has_extents(output, 1))
    return "operand with an empty or huge extent";
  return NULL;
}

static const char *judge_conv_shape(const LunaConv2dDesc *desc) {
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  const int32_t *weight = desc->weight.dims;
  if (!is_between(desc->kind, LUNA_CONV_NORMAL, LUNA_CONV_TRANSPOSED))
    return "unknown kind of convolution";
  if (!are_between(desc->stride, 2, 1, 1 << 10) ||
      !are_between(desc->dilation, 2, 1, 1 << 10) ||
      !are_between(desc->pad, 4, -(1 << 20), 1 << 20))
    return "stride, dilation or padding out of range";
  if (in[0] != out[0])
    return "batches of input and output differ";
  if (desc->kind == LUNA_CONV_DEPTHWISE)
    return weight[2] != in[3] || (int64_t)weight[3] * in[3] != out[3]
               ? "channels of a depthwise convolution do not match"
               : NULL;
  return weight[3] != in[3] || weight[0] != out[3]
             ? "channels of a convolution do not match"
             : NULL;
}

// How the sums become the output.
static const char *judge_result(const LunaRequantDesc *requant,
                                const LunaTensorDesc *table, const void *data,
                                const LunaTensorDesc *output) {
  const char *fault = judge_requant(requant, output);
  return fault ? fault : judge_table(requant, table, data, output->dims[3]);
}

const char *luna_sim_judge_conv2d(const LunaConv2dDesc *desc, const void *bias,
                                  const void *table) {
  const char *fault = judge_product(&desc->input, &desc->weight, &desc->output);
  if (!fault)
    fault = judge_conv_shape(desc);
  if (!fault && (!is_zero_point(&desc->input, desc->input_zero_point) ||
                 !is_zero_point(&desc->weight, desc->weight_zero_point)))
    fault = "zero point does not fit its type";
  if (!fault)
    fault = judge_bias(&desc->bias, bias, desc->output.dims[3]);
  return fault
             ? fault
             : judge_result(&desc->requant, &desc->table, table, &desc->output);
}

static const char *judge_matmul_shape(const LunaMatmulDesc *desc) {
  const int32_t *lhs = desc->lhs.dims, *rhs = desc->rhs.dims;
  const int32_t *out = desc->output.dims;
  int32_t depth = rhs[desc->rhs_transposed ? 3 : 2];
  int32_t columns = rhs[desc->rhs_transposed ? 2 : 3];
  bool fits = lhs[0] == 1 && rhs[0] == 1 && out[0] == 1 && lhs[1] == out[1] &&
              rhs[1] == out[1] && lhs[2] == out[2] && columns == out[3] &&
              depth == lhs[3];
  return fits ? NULL : "matrices do not fit each other";
}

const char *luna_sim_judge_matmul(const LunaMatmulDesc *desc, const void *bias,
                                  const void *table) {
  const char *fault = judge_product(&desc->lhs, &desc->rhs, &desc->output);
  if (!fault)
    fault = judge_matmul_shape(desc);
  if (!fault && (!is_zero_point(&desc->lhs, desc->lhs_zero_point) ||
                 !is_zero_point(&desc->rhs, desc->rhs_zero_point)))
    fault = "zero point does not fit its type";
  if (!fault)
    fault = judge_bias(&desc->bias, bias, desc->output.dims[3]);
  return fault
             ? fault
             : judge_result(&desc->requant, &desc->table, table, &desc->output);
}

static bool broadcasts_to(const LunaTensorDesc *desc,
                          const LunaTensorDesc *output) {
  for (int i = 0; i < 4; ++i)
    if (desc->dims[i] != 1 && desc->dims[i] != output->dims[i])
      return false;
  return true;
}

static bool is_same_shape(const LunaTensorDesc *a, const LunaTensorDesc *b) {
  return memcmp(a->dims, b->dims, sizeof a->dims) == 0;
}

const char *luna_sim_judge_eltwise(const LunaEltwiseDesc *desc) {
  if (!is_between(desc->kind, LUNA_ELTWISE_ADD, LUNA_ELTWISE_MUL))
    return "unknown elementwise operator";
  if (!has_extents(&desc->output, 0))
    return "operand with a huge extent";
  if (!is_integer(&desc->lhs) || !is_integer(&desc->rhs) ||
      !is_integer(&desc->output))
    return "operand is not int8, int16 or int32";
  if (!broadcasts_to(&desc->lhs, &desc->output) ||
      !broadcasts_to(&desc->rhs, &desc->output))
    return "operand does not broadcast to the output";
  if (!is_between(desc->lhs_shift, 0, 62) ||
      !is_between(desc->rhs_shift, 0, 62) ||
      !is_between(desc->input_rounding, LUNA_ROUND_SINGLE, LUNA_ROUND_DOUBLE))
    return "input scale has an unknown rounding or a shift not between 0 and "
           "62";
  if (luna_requant_has_table(&desc->requant))
    return "elementwise operator requantises per channel";
  return judge_requant(&desc->requant, &desc->output);
}

const char *luna_sim_judge_pool(const LunaPoolDesc *desc) {
  const int32_t *in = desc->input.dims, *out = desc->output.dims;
  if (!is_between(desc->kind, LUNA_POOL_MAX, LUNA_POOL_AVERAGE))
    return "unknown kind of pooling";
  if (!is_integer(&desc->input) || desc->output.type != desc->input.type)
    return "operand is not int8, int16 or int32, or types differ";
  if (!has_extents(&desc->input, 1) || !has_extents(&desc->output, 1))
    return "operand with an empty or huge extent";
  if (!are_between(desc->kernel, 2, 1, 1 << 10) ||
      !are_between(desc->stride, 2, 1, 1 << 10) ||
      !are_between(desc->pad, 4, 0, 1 << 10))
    return "kernel, stride or padding out of range";
  return in[0] != out[0] || in[3] != out[3]
             ? "batches or channels of input and output differ"
             : NULL;
}

const char *luna_sim_judge_table(const LunaTableDesc *desc) {
  if (!has_extents(&desc->output, 0))
    return "operand with a huge extent";
  if (desc->input.type != LUNA_TYPE_I8 || desc->output.type != LUNA_TYPE_I8 ||
      desc->table.type != LUNA_TYPE_I8)
    return "activation by table is not int8 to int8";
  if (desc->table.dims[0] != 1 || desc->table.dims[1] != 1 ||
      desc->table.dims[2] != 1 || desc->table.dims[3] != 256)
    return "activation table does not have 256 entries";
  return is_same_shape(&desc->input, &desc->output)
             ? NULL
             : "shapes of input and output differ";
}

const char *luna_sim_judge_fill(const LunaFillDesc *desc) {
  return has_extents(&desc->target, 0) ? NULL : "operand with a huge extent";
}

const char *luna_sim_judge_copy(const LunaCopyDesc *desc) {
  if (!has_extents(&desc->target, 0))
    return "operand with a huge extent";
  if (luna_element_bytes(desc->source.type) !=
      luna_element_bytes(desc->target.type))
    return "types of source and target differ";
  return is_same_shape(&desc->source, &desc->target)
             ? NULL
             : "shapes of source and target differ";
}
