#ifndef LUNA_ELTWISE_ROWS_H
#define LUNA_ELTWISE_ROWS_H

// How the core computes an elementwise operator
// (device_runtime/src/core_eltwise.c): in which rows, and by which steps an
// element. What it costs follows from the same (luna/core_cost.h).

#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The elements of a row that are computed at once: of operands of int8, and of
/// wider ones.
enum { LUNA_ELTWISE_PIECE = 128, LUNA_ELTWISE_WIDE_PIECE = 64 };

/// How an operand is scaled; each form is a case of the next.
typedef enum LunaScaleForm {
  /// x * high + base: not scaled, or a multiplier of 16 bits with a shift up to
  /// 16.
  LUNA_SCALE_LINEAR,
  /// ((x * low + round) >> inner) + x * high + base: shifts up to 16.
  LUNA_SCALE_SHALLOW,
  /// The same shifted once more: shifts up to LUNA_SCALE_SHIFT_MAX, and double
  /// rounding.
  LUNA_SCALE_DEEP,
  /// By products of 64 bits: wider operands, larger shifts.
  LUNA_SCALE_WIDE,
  /// Of both operands: a table of the results of all sums, for two linear ones
  /// of one scale.
  LUNA_SCALE_SUM,
} LunaScaleForm;

enum { LUNA_SCALE_SHIFT_MAX = 46 };

/// The fewest elements that a table of sums is made for, and its entries.
enum { LUNA_SUM_ELEMENTS_MIN = 1024, LUNA_SUM_ENTRIES = 511 };

/// Returns the form of an operand of `type`; a multiplier of 0 does not scale.
static inline LunaScaleForm luna_scale_form(int32_t type, int32_t zero_point,
                                            int32_t multiplier, int32_t shift) {
  if (type != LUNA_TYPE_I8 || zero_point < INT8_MIN || zero_point > INT8_MAX ||
      (multiplier != 0 && shift > LUNA_SCALE_SHIFT_MAX))
    return LUNA_SCALE_WIDE;
  if (multiplier != 0 && shift > 16)
    return LUNA_SCALE_DEEP;
  return (multiplier & 0xffff) == 0 ? LUNA_SCALE_LINEAR : LUNA_SCALE_SHALLOW;
}

/// Returns the form that both operands of an operator (LunaEltwiseKind) are
/// scaled by: sums have their own loops for a linear operand and a linear or
/// shallow one, differences for two linear ones.
static inline LunaScaleForm luna_eltwise_forms(int32_t kind, LunaScaleForm lhs,
                                               LunaScaleForm rhs) {
  if (lhs == LUNA_SCALE_WIDE || rhs == LUNA_SCALE_WIDE)
    return LUNA_SCALE_WIDE;
  int32_t sum = (int32_t)lhs + (int32_t)rhs;
  if (sum == LUNA_SCALE_LINEAR && kind != LUNA_ELTWISE_MUL)
    return LUNA_SCALE_LINEAR;
  if (sum == LUNA_SCALE_SHALLOW && kind == LUNA_ELTWISE_ADD)
    return LUNA_SCALE_SHALLOW;
  return LUNA_SCALE_DEEP;
}

/// Returns true if a table of sums serves `desc`, whose operands are linear.
static inline int luna_eltwise_has_table(const LunaEltwiseDesc *desc) {
  const LunaTensorDesc *output = &desc->output;
  return desc->kind == LUNA_ELTWISE_ADD && output->type == LUNA_TYPE_I8 &&
         desc->lhs_multiplier == desc->rhs_multiplier &&
         desc->lhs_shift == desc->rhs_shift &&
         (int64_t)output->dims[0] * output->dims[1] * output->dims[2] *
                 output->dims[3] >=
             LUNA_SUM_ELEMENTS_MIN;
}

/// The same of an operator.
static inline LunaScaleForm luna_eltwise_form(const LunaEltwiseDesc *desc) {
  LunaScaleForm lhs = luna_scale_form(desc->lhs.type, desc->lhs_zero_point,
                                      desc->lhs_multiplier, desc->lhs_shift);
  LunaScaleForm rhs = luna_scale_form(desc->rhs.type, desc->rhs_zero_point,
                                      desc->rhs_multiplier, desc->rhs_shift);
  LunaScaleForm form = luna_eltwise_forms(desc->kind, lhs, rhs);
  return form == LUNA_SCALE_LINEAR && luna_eltwise_has_table(desc)
             ? LUNA_SCALE_SUM
             : form;
}

/// Returns true if `axis` of an operand and its last dimension, both as long as
/// the output's or both repeated, are one dimension in memory.
static inline int luna_axes_join(const LunaTensorDesc *output,
                                 const LunaTensorDesc *desc, int axis) {
  if (desc->dims[3] == 1 && desc->dims[axis] == 1)
    return 1;
  return desc->dims[3] == output->dims[3] &&
         desc->dims[axis] == output->dims[axis] &&
         desc->strides[axis] == desc->dims[3] * desc->strides[3];
}

/// Makes `axis` part of the last dimension.
static inline void luna_join_axis(LunaTensorDesc *desc, int axis) {
  desc->dims[3] *= desc->dims[axis];
  desc->dims[axis] = 1;
}

/// The tensors of an operator, their rows as long as they are in memory.
typedef struct LunaEltwiseRows {
  LunaTensorDesc lhs, rhs, output;
} LunaEltwiseRows;

/// Writes those of `desc`.
static inline void luna_eltwise_join_rows(const LunaEltwiseDesc *desc,
                                          LunaEltwiseRows *rows) {
  const LunaTensorDesc *output = &rows->output;
  rows->lhs = desc->lhs;
  rows->rhs = desc->rhs;
  rows->output = desc->output;
  for (int axis = 2; axis >= 0; --axis) {
    if (output->dims[axis] == 1)
      continue;
    if (!luna_axes_join(output, output, axis) ||
        !luna_axes_join(output, &rows->lhs, axis) ||
        !luna_axes_join(output, &rows->rhs, axis))
      return;
    luna_join_axis(&rows->lhs, axis);
    luna_join_axis(&rows->rhs, axis);
    luna_join_axis(&rows->output, axis);
  }
}

/// Makes the rows of two tensors of one shape as long as they are in both.
static inline void luna_join_rows(LunaTensorDesc *input,
                                  LunaTensorDesc *output) {
  for (int axis = 2; axis >= 0; --axis) {
    if (output->dims[axis] == 1)
      continue;
    if (!luna_axes_join(output, output, axis) ||
        !luna_axes_join(output, input, axis))
      return;
    luna_join_axis(input, axis);
    luna_join_axis(output, axis);
  }
}

/// Returns true if rows lie one after the other in the output, so that a piece
/// may end in another one.
static inline int luna_eltwise_is_dense(const LunaEltwiseRows *rows) {
  const LunaTensorDesc *output = &rows->output;
  int32_t count = output->dims[3];
  for (int axis = 2; axis >= 0; --axis) {
    if (output->dims[axis] != 1 &&
        output->strides[axis] != count * output->strides[3])
      return 0;
    count *= output->dims[axis];
  }
  return 1;
}

/// Returns the most elements of a piece; what a table gives is written at once.
static inline int32_t luna_eltwise_piece(LunaScaleForm form) {
  return form == LUNA_SCALE_SUM    ? INT32_MAX
         : form == LUNA_SCALE_WIDE ? LUNA_ELTWISE_WIDE_PIECE
                                   : LUNA_ELTWISE_PIECE;
}

/// Returns the end of the part of a row that begins at `first` and has at most
/// `most` elements: no operand's padding begins within it.
static inline int32_t luna_eltwise_part_end(const LunaEltwiseRows *rows,
                                            int32_t first, int32_t most) {
  int32_t lhs = rows->lhs.dims[3], rhs = rows->rhs.dims[3];
  int32_t end = rows->output.dims[3];
  if (end - first > most)
    end = first + most;
  if (lhs != 1 && lhs > first && lhs < end)
    end = lhs;
  return rhs != 1 && rhs > first && rhs < end ? rhs : end;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_ELTWISE_ROWS_H
