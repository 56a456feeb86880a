#include "core_chain.h"
#include "core_numbers.h"
#include "core_scale.h"
#include "luna/core.h"
#include "luna/eltwise_launches.h"

// An elementwise operator in pieces, whose 32-bit results the stack holds until
// they are requantised. Operands of int8 are scaled and combined in
// one loop (core_scale.h), others in one each.

enum { PIECE = LUNA_ELTWISE_PIECE, LOWEST_SUM = 2 * INT8_MIN };

typedef struct Operand {
  const LunaTensorDesc *desc;
  const void *data;
  int32_t stride, row_bytes;
  int32_t zero_point, multiplier, shift;
  LunaCoreScale scale; // of int8
  int8_t padding;
} Operand;

typedef struct Eltwise {
  const LunaEltwiseDesc *desc;
  LunaEltwiseRows rows;
  Operand lhs, rhs;
  LunaScaleForm form; // of both operands
  LunaCoreRequant requant;
  uint8_t *output;
  const int8_t *table; // of LUNA_SCALE_SUM, its entry of 0
} Eltwise;

// The stride along axis `axis`; 0 where one element is repeated.
static int32_t stride_of(const LunaTensorDesc *desc, int axis) {
  return desc->dims[axis] == 1 ? 0 : desc->strides[axis];
}

// Returns true if the operand has padding from `first` on: its zero point
// follows.
static int is_padding(const Operand *operand, int32_t first) {
  return operand->desc->dims[3] != 1 && first >= operand->desc->dims[3];
}

//===- One operand --------------------------------------------------------===//

static void load(int32_t *values, int32_t count, const void *from, int32_t type,
                 int32_t stride, int32_t zero_point) {
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
  int32_t type = operand->desc->type, stride = operand->stride;
  for (int32_t i = 0; i < count; ++i) {
    int32_t element = luna_core_load(from, type, i * stride);
    int64_t value = (int64_t)element - operand->zero_point;
    values[i] = operand->multiplier != 0
                    ? scale_wide(value, operand, rounding)
                    : luna_core_sub(element, operand->zero_point);
  }
}

// Loads from `first` on. Of padding, which is the zero point, nothing is left.
static void load_operand(const Operand *operand, int32_t rounding,
                         const void *row, int32_t first, int32_t *values,
                         int32_t count) {
  int32_t type = operand->desc->type, stride = operand->stride;
  if (is_padding(operand, first)) {
    for (int32_t i = 0; i < count; ++i)
      values[i] = 0;
    return;
  }
  const void *from =
      (const uint8_t *)row + first * stride * luna_element_bytes(type);
  if (!is_narrow(operand)) {
    load_wide(operand, rounding, values, count, from);
    return;
  }
  load(values, count, from, type, stride, operand->zero_point);
  if (operand->multiplier != 0)
    luna_core_scale_row(values, count, operand->multiplier, operand->shift,
                        rounding);
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
  case LUNA_ELTWISE_SCALE:
    return; // of the unit alone
  }
}

static void run_wide(const Eltwise *op, const uint8_t *lhs, const uint8_t *rhs,
                     int32_t first, int32_t *values, int32_t count) {
  const LunaEltwiseDesc *desc = op->desc;
  int32_t others[LUNA_ELTWISE_WIDE_PIECE];
  load_operand(&op->lhs, desc->input_rounding, lhs, first, values, count);
  load_operand(&op->rhs, desc->input_rounding, rhs, first, others, count);
  combine(desc->kind, values, others, count);
}

//===- Both ---------------------------------------------------------------===//

// The 32-bit results that are not requantised yet.
typedef struct Sums {
  int32_t values[PIECE];
  int32_t count;
  uint8_t *to;
} Sums;

static void finish(const Eltwise *op, Sums *sums) {
  const LunaTensorDesc *out = &op->rows.output;
  const LunaCoreChannels no_channels = {0};
  luna_core_requant_row(&op->requant, &no_channels, sums->values, sums->count,
                        sums->to, out->type, out->strides[3]);
  sums->to += sums->count * out->strides[3] * luna_element_bytes(out->type);
  sums->count = 0;
}

static const uint8_t *first_row(const Operand *operand, const int32_t at[4]) {
  int32_t element =
      at[0] * stride_of(operand->desc, 0) + at[1] * stride_of(operand->desc, 1);
  return (const uint8_t *)operand->data +
         element * luna_element_bytes(operand->desc->type);
}

// Returns the elements from `first` on; behind its own an operand has padding.
static LunaCoreBytes bytes_at(const Operand *operand, const int8_t *row,
                              int32_t first) {
  if (is_padding(operand, first))
    return (LunaCoreBytes){&operand->padding, 0};
  return (LunaCoreBytes){row + first * operand->stride, operand->stride};
}

// Adds the results of a part of a row, or writes them.
static void run_part(const Eltwise *op, const uint8_t *lhs, const uint8_t *rhs,
                     int32_t first, int32_t count, Sums *sums) {
  if (op->form == LUNA_SCALE_WIDE) {
    run_wide(op, lhs, rhs, first, sums->values + sums->count, count);
    sums->count += count;
    return;
  }
  LunaCoreBytes left = bytes_at(&op->lhs, (const int8_t *)lhs, first);
  LunaCoreBytes right = bytes_at(&op->rhs, (const int8_t *)rhs, first);
  if (op->form == LUNA_SCALE_SUM) {
    int32_t stride = op->rows.output.strides[3];
    luna_core_look_up_sums(op->table, left, right, (int8_t *)sums->to, stride,
                           count);
    sums->to += count * stride;
    return;
  }
  luna_core_combine(op->desc->kind, &op->lhs.scale, &op->rhs.scale, left, right,
                    sums->values + sums->count, count);
  sums->count += count;
}

// All of a part is padding in an operand, or nothing.
static void run_row(const Eltwise *op, const uint8_t *lhs, const uint8_t *rhs,
                    Sums *sums) {
  int32_t most = luna_eltwise_piece(op->form);
  for (int32_t first = 0, end; first < op->rows.output.dims[3]; first = end) {
    end = luna_eltwise_part_end(&op->rows, first, most - sums->count);
    run_part(op, lhs, rhs, first, end - first, sums);
    if (sums->count == most)
      finish(op, sums);
  }
}

// The rows of a plane, one behind the other.
static void run_plane(const Eltwise *op, const int32_t at[4], int is_dense,
                      Sums *sums) {
  const LunaTensorDesc *out = &op->rows.output;
  const uint8_t *lhs = first_row(&op->lhs, at), *rhs = first_row(&op->rhs, at);
  int32_t bytes = luna_element_bytes(out->type);
  uint8_t *to = op->output + luna_core_element(out, at) * bytes;
  for (int32_t i = 0; i < out->dims[2]; ++i) {
    if (!is_dense)
      sums->to = to;
    run_row(op, lhs, rhs, sums);
    if (!is_dense && sums->count > 0)
      finish(op, sums);
    lhs += op->lhs.row_bytes;
    rhs += op->rhs.row_bytes;
    to += out->strides[2] * bytes;
  }
}

static void run_planes(const Eltwise *op) {
  const int32_t *dims = op->rows.output.dims;
  int is_dense = luna_eltwise_is_dense(&op->rows);
  Sums sums; // its values are written first
  sums.count = 0;
  sums.to = op->output;
  int32_t at[4] = {0};
  for (at[0] = 0; at[0] < dims[0]; ++at[0])
    for (at[1] = 0; at[1] < dims[1]; ++at[1])
      run_plane(op, at, is_dense, &sums);
  if (sums.count > 0)
    finish(op, &sums);
}

static void fill_table(const Eltwise *op, int8_t *table) {
  const LunaCoreChannels no_channels = {0};
  int32_t high = op->lhs.scale.high, values[PIECE];
  int32_t value =
      luna_core_add(luna_core_mull(LOWEST_SUM, high),
                    luna_core_add(op->lhs.scale.base, op->rhs.scale.base));
  for (int32_t first = 0; first < LUNA_SUM_ENTRIES; first += PIECE) {
    int32_t left = LUNA_SUM_ENTRIES - first,
            count = left < PIECE ? left : PIECE;
    for (int32_t i = 0; i < count; ++i, value = luna_core_add(value, high))
      values[i] = value;
    luna_core_requant_row(&op->requant, &no_channels, values, count,
                          table + first, LUNA_TYPE_I8, 1);
  }
}

static void run_by_table(Eltwise *op) {
  int8_t table[LUNA_SUM_ENTRIES];
  fill_table(op, table);
  op->table = table - LOWEST_SUM;
  run_planes(op);
  op->table = 0;
}

// `operand` has its tensor, its data and how it is scaled.
static void prepare(Operand *operand, int32_t rounding) {
  const LunaTensorDesc *desc = operand->desc;
  int32_t zero_point = operand->zero_point;
  LunaScaleForm form = luna_scale_form(desc->type, zero_point,
                                       operand->multiplier, operand->shift);
  operand->stride = stride_of(desc, 3);
  operand->row_bytes = stride_of(desc, 2) * luna_element_bytes(desc->type);
  if (form == LUNA_SCALE_WIDE)
    return;
  operand->scale = luna_core_scale(form, zero_point, operand->multiplier,
                                   operand->shift, rounding);
  operand->padding = (int8_t)zero_point;
}

static void run(const LunaEltwiseDesc *desc, const void *lhs, const void *rhs,
                void *output) {
  Eltwise op;
  op.desc = desc;
  op.form = luna_eltwise_form(desc);
  op.requant = luna_core_requant_of(&desc->requant);
  op.output = output;
  luna_eltwise_join_rows(desc, &op.rows);
  op.lhs = (Operand){.desc = &op.rows.lhs,
                     .data = lhs,
                     .zero_point = desc->lhs_zero_point,
                     .multiplier = desc->lhs_multiplier,
                     .shift = desc->lhs_shift};
  op.rhs = (Operand){.desc = &op.rows.rhs,
                     .data = rhs,
                     .zero_point = desc->rhs_zero_point,
                     .multiplier = desc->rhs_multiplier,
                     .shift = desc->rhs_shift};
  prepare(&op.lhs, desc->input_rounding);
  prepare(&op.rhs, desc->input_rounding);
  if (op.form == LUNA_SCALE_SUM)
    run_by_table(&op);
  else
    run_planes(&op);
}

static uint8_t *at_place(uint8_t *const *data, LunaEltwisePlace place) {
  return data[place.operand] + place.offset_bytes;
}

// `data` by LunaEltwiseOperand; only scratch and output are written.
static void run_launches(const LunaEltwiseDesc *desc, uint8_t *const *data) {
  LunaEltwiseLaunches launches;
  luna_eltwise_launches_begin(&launches, desc);
  while (luna_eltwise_launches_next(&launches)) {
    luna_unit_start_eltwise(launches.desc, at_place(data, launches.lhs),
                            at_place(data, launches.rhs),
                            at_place(data, launches.output));
    luna_unit_await();
  }
}

// Returns false if the operator has no chain.
static int run_chain(const LunaEltwiseDesc *desc, const void *lhs,
                     const void *rhs, void *scratch, void *output) {
  LunaEltwiseChain chain;
  if (!luna_eltwise_has_chain(desc, &chain))
    return 0;
  const LunaCorePlaces places = {
      .at = {[LUNA_VECTOR_SUMS] = scratch,
             [LUNA_VECTOR_LHS] = (uint8_t *)(uintptr_t)lhs,
             [LUNA_VECTOR_RHS] = (uint8_t *)(uintptr_t)rhs,
             [LUNA_VECTOR_OUTPUT] = output}};
  luna_core_eltwise_chain(desc, &chain, places);
  return 1;
}

void luna_core_eltwise(const LunaEltwiseDesc *desc, const void *lhs,
                       const void *rhs, void *scratch, void *output) {
  if (desc->on_core) {
    run(desc, lhs, rhs, output);
    return;
  }
  if (scratch && luna_eltwise_has_launches(desc)) {
    uint8_t *const data[] = {(uint8_t *)(uintptr_t)lhs,
                             (uint8_t *)(uintptr_t)rhs, scratch, output};
    run_launches(desc, data);
    return;
  }
  if (scratch && run_chain(desc, lhs, rhs, scratch, output))
    return;
  luna_unit_start_eltwise(desc, lhs, rhs, output);
  luna_unit_await();
}
