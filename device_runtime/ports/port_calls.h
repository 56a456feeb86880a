#ifndef LUNA_PORT_CALLS_H
#define LUNA_PORT_CALLS_H

// What ports have in common: which operators are calls, and what the core moves
// itself.

#include <string.h>

#include "luna/unit_calls.h"
#include "luna/unit_port.h"

static inline int32_t luna_port_count(const LunaTensorDesc *desc) {
  return desc->dims[0] * desc->dims[1] * desc->dims[2] * desc->dims[3];
}

/// Returns true if the elements lie side by side, in the order of `strides`
/// from the largest to the smallest, as those of `other` do.
static inline int luna_port_lie_alike(const LunaTensorDesc *desc,
                                      const LunaTensorDesc *other) {
  int32_t last = 0;
  for (int i = 0; i < 4; ++i) {
    if (desc->dims[i] != other->dims[i] ||
        (desc->dims[i] > 1 && desc->strides[i] != other->strides[i]))
      return 0;
    last += (desc->dims[i] - 1) * desc->strides[i];
  }
  return last + 1 == luna_port_count(desc);
}

/// Copies a box, element by element, where the unit has no call.
static inline void luna_port_copy_box(const LunaCopyDesc *desc,
                                      const uint8_t *source, uint8_t *target) {
  const int32_t *dims = desc->source.dims;
  const int32_t *from = desc->source.strides, *to = desc->target.strides;
  int32_t bytes = luna_element_bytes(desc->source.type);
  for (int32_t i = 0; i < dims[0]; ++i)
    for (int32_t y = 0; y < dims[1]; ++y)
      for (int32_t x = 0; x < dims[2]; ++x)
        for (int32_t c = 0; c < dims[3]; ++c)
          memcpy(
              target + (i * to[0] + y * to[1] + x * to[2] + c * to[3]) * bytes,
              source + (i * from[0] + y * from[1] + x * from[2] + c * from[3]) *
                           bytes,
              (size_t)bytes);
}

/// Fills a box with one value, element by element.
static inline void luna_port_fill_box(const LunaFillDesc *desc,
                                      uint8_t *target) {
  const int32_t *dims = desc->target.dims, *to = desc->target.strides;
  int32_t bytes = luna_element_bytes(desc->target.type);
  const int32_t value[2] = {desc->value_low, desc->value_high};
  for (int32_t i = 0; i < dims[0]; ++i)
    for (int32_t y = 0; y < dims[1]; ++y)
      for (int32_t x = 0; x < dims[2]; ++x)
        for (int32_t c = 0; c < dims[3]; ++c)
          memcpy(target +
                     (i * to[0] + y * to[1] + x * to[2] + c * to[3]) * bytes,
                 value, (size_t)bytes);
}

/// An elementwise operator as a vector call.
typedef struct LunaPortEltwise {
  LunaVectorCall call;
  int32_t count;
  int drops_negative; ///< results below 0 become 0 after it
} LunaPortEltwise;

/// Returns false if it is none: operands are scaled, or do not lie side by side
/// in one order.
static inline int luna_port_eltwise(const LunaEltwiseDesc *desc,
                                    LunaPortEltwise *eltwise) {
  static const uint8_t names[] = {
      [LUNA_ELTWISE_ADD] = LUNA_CALL_ADD,
      [LUNA_ELTWISE_SUB] = LUNA_CALL_SUB,
      [LUNA_ELTWISE_MUL] = LUNA_CALL_MUL,
      [LUNA_ELTWISE_SCALE] = LUNA_CALL_SCALE,
  };
  const LunaRequantDesc *requant = &desc->requant;
  int shifts = requant->mode == LUNA_REQUANT_SHIFT;
  *eltwise = (LunaPortEltwise){
      .call = {.name = names[desc->kind],
               .input_bits = (uint8_t)(8 * luna_element_bytes(desc->lhs.type)),
               .output_bits =
                   (uint8_t)(8 * luna_element_bytes(desc->output.type)),
               .scalar = 1,
               .shift = shifts ? (uint8_t)requant->shift : 0},
      .count = luna_port_count(&desc->output),
      .drops_negative = shifts && requant->clamp_min == 0,
  };
  return desc->lhs_multiplier == 0 && desc->rhs_multiplier == 0 &&
         desc->lhs_zero_point == 0 && desc->rhs_zero_point == 0 &&
         luna_port_lie_alike(&desc->output, &desc->lhs) &&
         (desc->kind == LUNA_ELTWISE_SCALE ||
          (desc->lhs.type == desc->rhs.type &&
           luna_port_lie_alike(&desc->output, &desc->rhs)));
}

/// Returns true if a pooling is the call of a maximum on planes of one image.
static inline int luna_port_is_max_pool(const LunaPoolDesc *desc) {
  return desc->kind == LUNA_POOL_MAX && desc->input.type == LUNA_TYPE_I8 &&
         desc->input.dims[0] == 1 && luna_tensor_has_planes(&desc->input) &&
         luna_tensor_has_planes(&desc->output);
}

/// Where a launch reads and writes, and how its sums become results.
typedef struct LunaPortConv {
  const uint8_t *input, *weight, *bias; ///< no bias: NULL
  uint8_t *output;
  int32_t output_bits;
  uint32_t shift;
  int has_relu;
} LunaPortConv;

/// Returns false if a launch is no convolution of packed weights.
static inline int luna_port_conv(const LunaProductRecord *record,
                                 const LunaLaunchRecord *launch,
                                 const LunaProductOperands *operands,
                                 LunaPortConv *conv) {
  int leaves_sums = launch->flags & LUNA_LAUNCH_SUMS;
  int shifts = !leaves_sums && record->requant.mode == LUNA_REQUANT_SHIFT;
  *conv = (LunaPortConv){
      .input = (const uint8_t *)operands->input + launch->input_offset,
      .weight = (const uint8_t *)operands->weight + launch->weight_offset,
      .output =
          leaves_sums
              ? (uint8_t *)operands->scratch + 4 * luna_launch_sums(launch)
              : (uint8_t *)operands->output + launch->output_offset,
      .output_bits =
          leaves_sums ? 32 : 8 * luna_element_bytes(record->output_type),
      .shift = shifts ? (uint32_t)record->requant.shift : 0,
      .has_relu = shifts && record->requant.clamp_min == 0,
  };
  if (operands->bias && launch->flags & LUNA_LAUNCH_FIRST)
    conv->bias = (const uint8_t *)operands->bias +
                 4 * launch->channel * record->bias_stride;
  return record->kind != LUNA_LAUNCH_MATMUL && record->weight_layout[0] != 0 &&
         !(launch->flags & LUNA_LAUNCH_EMPTY);
}

/// A product of dense int8 matrices, [rows][depth] by [depth][columns].
typedef struct LunaPortMatrix {
  const uint8_t *left, *right;
  uint8_t *output;
  uint32_t rows, depth, columns, shift;
  int32_t output_bits;
} LunaPortMatrix;

/// Returns false if a launch is none: it has a bias, adds to sums, or its right
/// matrix is transposed and the left one has several rows. With one row, the
/// transposed right matrix is the left one, and the row a column.
static inline int luna_port_matrix(const LunaProductRecord *record,
                                   const LunaLaunchRecord *launch,
                                   const LunaProductOperands *operands,
                                   LunaPortMatrix *matrix) {
  LunaPortConv how;
  uint32_t rows = launch->tile[0], depth = launch->in_channels;
  uint32_t columns = launch->out_channels;
  const int32_t *strides = record->weight_strides;
  int is_turned = strides[3] == 1 && rows == 1;
  luna_port_conv(record, launch, operands, &how);
  *matrix = (LunaPortMatrix){
      .left = is_turned ? how.weight : how.input,
      .right = is_turned ? how.input : how.weight,
      .output = how.output,
      .rows = is_turned ? columns : rows,
      .depth = depth,
      .columns = is_turned ? 1 : columns,
      .shift = how.shift,
      .output_bits = how.output_bits,
  };
  return record->kind == LUNA_LAUNCH_MATMUL && !operands->bias &&
         !how.has_relu && launch->flags & LUNA_LAUNCH_FIRST &&
         record->input_type == LUNA_TYPE_I8 &&
         record->weight_type == LUNA_TYPE_I8 && record->input_strides[2] == 1 &&
         (rows == 1 || record->input_strides[0] == (int32_t)depth) &&
         (is_turned ? columns == 1 || strides[0] == (int32_t)depth
                    : strides[0] == 1 &&
                          (depth == 1 || strides[3] == (int32_t)columns));
}

#endif // LUNA_PORT_CALLS_H
