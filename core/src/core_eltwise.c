#include "core_numbers.h"
#include "luna/core.h"

// An elementwise operator in pieces of a row that the stack holds: load and
// scale both operands, combine them, requantise.

enum { PIECE = 64 };

// One operand of a row.
typedef struct Operand {
  const LunaTensorDesc *desc;
  const void *data;
  int32_t zero_point, multiplier, shift;
} Operand;

// The stride along axis `axis`; 0 where one element is repeated.
static int32_t stride_of(const LunaTensorDesc *desc, int axis) {
  return desc->dims[axis] == 1 ? 0 : desc->strides[axis];
}

static void load(int32_t *values, int32_t count, const void *from, int32_t type,
                 int32_t stride, int32_t zero_point) {
  if (type == LUNA_TYPE_I8) {
    const int8_t *bytes = from;
    for (int32_t *end = values + count; values != end; bytes += stride)
      *values++ = *bytes - zero_point;
    return;
  }
  for (int32_t i = 0; i < count; ++i)
    values[i] = luna_core_load(from, type, i * stride) - zero_point;
}

// Returns true if no element less the zero point leaves 32 bits.
static int is_narrow(const Operand *operand) {
  int32_t zero_point = operand->zero_point;
  return zero_point == 0 ||
         (operand->desc->type != LUNA_TYPE_I32 && zero_point >= INT16_MIN &&
          zero_point <= INT16_MAX);
}

// apply_scale_32, modulo 2^64 before it shifts.
static int32_t scale_wide(int64_t value, const Operand *operand,
                          int32_t rounding) {
  int32_t shift = operand->shift;
  uint64_t round = ((uint64_t)1 << shift) >> 1;
  if (rounding == LUNA_ROUND_DOUBLE && shift > 31)
    round += (uint64_t)(int64_t)(value >= 0 ? 1 << 30 : -(1 << 30));
  uint64_t sum =
      (uint64_t)value * (uint64_t)(int64_t)operand->multiplier + round;
  return (int32_t)(uint32_t)((uint64_t)((int64_t)sum >> shift) & UINT32_MAX);
}

static void load_wide(const Operand *operand, int32_t rounding, int32_t *values,
                      int32_t count, const void *from) {
  int32_t type = operand->desc->type, stride = stride_of(operand->desc, 3);
  for (int32_t i = 0; i < count; ++i) {
    int32_t element = luna_core_load(from, type, i * stride);
    int64_t value = (int64_t)element - operand->zero_point;
    values[i] = operand->multiplier != 0
                    ? scale_wide(value, operand, rounding)
                    : luna_core_sub(element, operand->zero_point);
  }
}

// Returns how many of `count` elements from at[3] on the operand has: all that
// it repeats, else those that are not padding.
static int32_t own_count(const LunaTensorDesc *desc, const int32_t at[4],
                         int32_t count) {
  int32_t left = desc->dims[3] - at[3];
  if (desc->dims[3] == 1 || left >= count)
    return count;
  return left > 0 ? left : 0;
}

static void load_own(const LunaEltwiseDesc *desc, const Operand *operand,
                     const int32_t at[4], int32_t *values, int32_t count) {
  const LunaTensorDesc *tensor = operand->desc;
  int32_t element = 0;
  for (int axis = 0; axis < 4; ++axis)
    element += at[axis] * stride_of(tensor, axis);
  const void *from = (const uint8_t *)operand->data +
                     element * luna_element_bytes(tensor->type);
  if (!is_narrow(operand)) {
    load_wide(operand, desc->input_rounding, values, count, from);
    return;
  }
  load(values, count, from, tensor->type, stride_of(tensor, 3),
       operand->zero_point);
  if (operand->multiplier != 0)
    luna_core_scale_row(values, count, operand->multiplier, operand->shift,
                        desc->input_rounding);
}

// Padding is the zero point, of which nothing is left.
static void load_piece(const LunaEltwiseDesc *desc, const Operand *operand,
                       const int32_t at[4], int32_t *values, int32_t count) {
  int32_t own = own_count(operand->desc, at, count);
  if (own > 0)
    load_own(desc, operand, at, values, own);
  for (int32_t i = own; i < count; ++i)
    values[i] = 0;
}

static void combine(int32_t kind, int32_t *values, const int32_t *others,
                    int32_t count) {
  switch ((LunaEltwiseKind)kind) {
  case LUNA_ELTWISE_ADD:
    for (int32_t i = 0; i < count; ++i)
      values[i] = luna_core_add(values[i], others[i]);
    return;
  case LUNA_ELTWISE_SUB:
    for (int32_t i = 0; i < count; ++i)
      values[i] = luna_core_sub(values[i], others[i]);
    return;
  case LUNA_ELTWISE_MUL:
    for (int32_t i = 0; i < count; ++i)
      values[i] = luna_core_mull(values[i], others[i]);
    return;
  }
}

// One row of the output, piece by piece.
static void run_row(const LunaEltwiseDesc *desc, const LunaCoreRequant *requant,
                    const Operand *lhs, const Operand *rhs, uint8_t *output,
                    int32_t at[4]) {
  const LunaTensorDesc *out = &desc->output;
  const LunaCoreChannels no_channels = {0};
  int32_t values[PIECE], others[PIECE];
  for (int32_t first = 0; first < out->dims[3]; first += PIECE) {
    int32_t left = out->dims[3] - first, count = left < PIECE ? left : PIECE;
    at[3] = first;
    load_piece(desc, lhs, at, values, count);
    load_piece(desc, rhs, at, others, count);
    combine(desc->kind, values, others, count);
    int32_t element = luna_core_element(out, at);
    luna_core_requant_row(requant, &no_channels, values, count,
                          output + element * luna_element_bytes(out->type),
                          out->type, out->strides[3]);
  }
}

static void run_rows(const LunaEltwiseDesc *desc, const void *lhs,
                     const void *rhs, void *output) {
  const LunaCoreRequant requant = luna_core_requant_of(&desc->requant);
  const Operand left = {&desc->lhs, lhs, desc->lhs_zero_point,
                        desc->lhs_multiplier, desc->lhs_shift};
  const Operand right = {&desc->rhs, rhs, desc->rhs_zero_point,
                         desc->rhs_multiplier, desc->rhs_shift};
  const int32_t *dims = desc->output.dims;
  int32_t at[4];
  for (at[0] = 0; at[0] < dims[0]; ++at[0])
    for (at[1] = 0; at[1] < dims[1]; ++at[1])
      for (at[2] = 0; at[2] < dims[2]; ++at[2])
        run_row(desc, &requant, &left, &right, output, at);
}

void luna_core_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                       const void *rhs, void *output) {
  if (desc->on_core) {
    run_rows(desc, lhs, rhs, output);
    return;
  }
  luna_unit_start_eltwise(desc, lhs, rhs, output);
  luna_unit_await();
}
