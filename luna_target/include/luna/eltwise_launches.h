#ifndef LUNA_ELTWISE_LAUNCHES_H
#define LUNA_ELTWISE_LAUNCHES_H

// An elementwise operator whose operands are scaled by powers of two, as
// launches of the unit: what fits the scratch of each scaled operand is shifted
// there (LUNA_ELTWISE_SCALE), then combined.
//
//   LunaEltwiseLaunches launches;
//   luna_eltwise_launches_begin(&launches, desc);
//   while (luna_eltwise_launches_next(&launches))
//     ... launches.desc, at launches.lhs, launches.rhs and launches.output
//
// The core walks them, the simulator and the cost model count them.

#include "luna/eltwise_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The operands by the order of their pointers (luna/units.def).
typedef enum LunaEltwiseOperand {
  LUNA_ELTWISE_LHS,
  LUNA_ELTWISE_RHS,
  LUNA_ELTWISE_SCRATCH,
  LUNA_ELTWISE_OUTPUT,
} LunaEltwiseOperand;

/// Where an operand of a launch begins.
typedef struct LunaEltwisePlace {
  LunaEltwiseOperand operand;
  int32_t offset_bytes;
} LunaEltwisePlace;

typedef struct LunaEltwiseLaunches {
  /// The launch. One of kind LUNA_ELTWISE_SCALE has no right operand: both are
  /// the same.
  const LunaEltwiseDesc *desc;
  LunaEltwisePlace lhs, rhs, output;
  // Private: operands with the output's extents; the launches of a piece, which
  // shift either operand, if it is scaled, and combine them; the piece.
  LunaEltwiseRows rows;
  LunaEltwiseDesc piece[3];
  int32_t scratch_bytes[2]; ///< where the operands begin in the scratch
  int32_t axis, step, at[4], next;
} LunaEltwiseLaunches;

/// Returns the bits by which a factor of 2^-bits shifts, or 0 for any other.
static inline int32_t luna_scale_bits(int32_t multiplier, int32_t shift,
                                      int32_t rounding) {
  int32_t bits = shift, rest = multiplier;
  if (multiplier <= 0 || (multiplier & (multiplier - 1)) != 0 || shift > 62 ||
      (rounding == LUNA_ROUND_DOUBLE && shift > 31))
    return 0;
  for (int32_t step = 16; step > 0; step >>= 1)
    if (rest >> step > 0) {
      rest >>= step;
      bits -= step;
    }
  return bits > 0 && bits < 32 ? bits : 0;
}

/// Returns true if an operand is left as it is, or shifted right by the unit:
/// the result has the operand's type.
static inline int luna_operand_shifts(const LunaTensorDesc *operand,
                                      const LunaTensorDesc *output,
                                      int32_t zero_point, int32_t multiplier,
                                      int32_t shift, int32_t rounding) {
  int is_padded = operand->dims[3] != 1 && operand->dims[3] < output->dims[3];
  return zero_point == 0 && !is_padded &&
         (multiplier == 0 || luna_scale_bits(multiplier, shift, rounding) > 0);
}

/// Returns true if all that `desc` scales is scaled by powers of two, and
/// something is. Nothing may have a zero point or be padded.
static inline int luna_eltwise_shifts(const LunaEltwiseDesc *desc) {
  return (desc->lhs_multiplier != 0 || desc->rhs_multiplier != 0) &&
         luna_operand_shifts(&desc->lhs, &desc->output, desc->lhs_zero_point,
                             desc->lhs_multiplier, desc->lhs_shift,
                             desc->input_rounding) &&
         luna_operand_shifts(&desc->rhs, &desc->output, desc->rhs_zero_point,
                             desc->rhs_multiplier, desc->rhs_shift,
                             desc->input_rounding);
}

/// Returns the scratch of one element of the output.
static inline int32_t luna_eltwise_scratch_step(const LunaEltwiseDesc *desc) {
  return (desc->lhs_multiplier ? luna_element_bytes(desc->lhs.type) : 0) +
         (desc->rhs_multiplier ? luna_element_bytes(desc->rhs.type) : 0);
}

/// Returns what the alignment of a second operand in the scratch may take.
static inline int32_t luna_eltwise_scratch_loss(const LunaEltwiseDesc *desc) {
  return desc->lhs_multiplier && desc->rhs_multiplier ? 4 : 0;
}

/// Returns true if `desc` is computed by these launches: by shifts, with a
/// scratch that holds some of it.
static inline int luna_eltwise_has_launches(const LunaEltwiseDesc *desc) {
  const int32_t *dims = desc->output.dims;
  return luna_eltwise_shifts(desc) && dims[0] > 0 && dims[1] > 0 &&
         dims[2] > 0 && dims[3] > 0 && desc->scratch.strides[3] == 1 &&
         desc->scratch.dims[3] >=
             luna_eltwise_scratch_step(desc) + luna_eltwise_scratch_loss(desc);
}

// Extents of 1 are repeated by a stride of 0.
static inline void luna_eltwise_spread(LunaTensorDesc *operand,
                                       const LunaTensorDesc *output) {
  for (int i = 0; i < 4; ++i)
    if (operand->dims[i] != output->dims[i]) {
      operand->dims[i] = output->dims[i];
      operand->strides[i] = 0;
    }
}

// Reduces a tensor to a piece, at its largest.
static inline void luna_eltwise_cut(const LunaEltwiseLaunches *launches,
                                    LunaTensorDesc *desc) {
  for (int i = 0; i < launches->axis; ++i)
    desc->dims[i] = 1;
  desc->dims[launches->axis] = launches->step;
}

// The same as the scratch holds it: elements lie one after the other.
static inline void luna_eltwise_pack(const LunaEltwiseLaunches *launches,
                                     LunaTensorDesc *desc) {
  int32_t stride = 1;
  luna_eltwise_cut(launches, desc);
  for (int i = 3; i >= 0; stride *= desc->dims[i--])
    desc->strides[i] = stride;
}

// Begins the descriptor of a launch: of the operator, without its input scales.
static inline void luna_eltwise_begin_launch(LunaEltwiseLaunches *launches,
                                             const LunaEltwiseDesc *whole,
                                             LunaEltwiseDesc *desc) {
  *desc = *whole;
  desc->lhs = launches->rows.lhs;
  desc->rhs = launches->rows.rhs;
  desc->output = launches->rows.output;
  desc->lhs_multiplier = desc->lhs_shift = 0;
  desc->rhs_multiplier = desc->rhs_shift = 0;
  desc->input_rounding = LUNA_ROUND_SINGLE;
  desc->scratch.type = 0;
  for (int i = 0; i < 4; ++i)
    desc->scratch.dims[i] = desc->scratch.strides[i] = 0;
}

// The launch that shifts an operand into the scratch.
static inline void luna_eltwise_set_scale(LunaEltwiseLaunches *launches,
                                          const LunaEltwiseDesc *whole,
                                          int side, int32_t bits) {
  LunaEltwiseDesc *desc = &launches->piece[side];
  luna_eltwise_begin_launch(launches, whole, desc);
  int32_t high =
      (int32_t)(UINT32_MAX >>
                (33 - 8 * luna_element_bytes(
                              (side == 0 ? desc->lhs : desc->rhs).type)));
  desc->kind = LUNA_ELTWISE_SCALE;
  desc->lhs = side == 0 ? desc->lhs : desc->rhs;
  desc->output = desc->lhs;
  desc->requant.mode = LUNA_REQUANT_SHIFT;
  desc->requant.rounding = desc->requant.per_channel = 0;
  desc->requant.multiplier = desc->requant.output_zero_point = 0;
  desc->requant.shift = bits;
  desc->requant.clamp_min = -high - 1;
  desc->requant.clamp_max = high;
  luna_eltwise_cut(launches, &desc->lhs);
  desc->rhs = desc->lhs;
  luna_eltwise_pack(launches, &desc->output);
}

static inline void luna_eltwise_set_combine(LunaEltwiseLaunches *launches,
                                            const LunaEltwiseDesc *whole) {
  LunaEltwiseDesc *desc = &launches->piece[2];
  luna_eltwise_begin_launch(launches, whole, desc);
  luna_eltwise_cut(launches, &desc->output);
  if (whole->lhs_multiplier)
    luna_eltwise_pack(launches, &desc->lhs);
  else
    luna_eltwise_cut(launches, &desc->lhs);
  if (whole->rhs_multiplier)
    luna_eltwise_pack(launches, &desc->rhs);
  else
    luna_eltwise_cut(launches, &desc->rhs);
}

// Chooses the largest pieces that the scratch holds: as many indices of an axis
// as fit, with all of the axes after it.
static inline void luna_eltwise_choose_piece(LunaEltwiseLaunches *launches,
                                             const LunaEltwiseDesc *desc) {
  const int32_t *dims = launches->rows.output.dims;
  int32_t bytes = luna_eltwise_scratch_step(desc), elements = 1, axis = 3;
  int32_t room =
      (desc->scratch.dims[3] - luna_eltwise_scratch_loss(desc)) / bytes;
  for (; axis > 0 && (int64_t)elements * dims[axis] <= room; --axis)
    elements *= dims[axis];
  launches->axis = axis;
  launches->step = room / elements < dims[axis] ? room / elements : dims[axis];
  int32_t lhs_bytes =
      desc->lhs_multiplier ? luna_element_bytes(desc->lhs.type) : 0;
  launches->scratch_bytes[0] = 0;
  launches->scratch_bytes[1] =
      (int32_t)((uint32_t)(elements * launches->step * lhs_bytes + 3) &
                ~UINT32_C(3));
}

/// Starts with the launches of `desc`, for which luna_eltwise_has_launches is
/// true. Nothing of it is kept.
static inline void luna_eltwise_launches_begin(LunaEltwiseLaunches *launches,
                                               const LunaEltwiseDesc *desc) {
  LunaEltwiseRows *rows = &launches->rows;
  luna_eltwise_join_rows(desc, rows);
  luna_eltwise_spread(&rows->lhs, &rows->output);
  luna_eltwise_spread(&rows->rhs, &rows->output);
  luna_eltwise_choose_piece(launches, desc);
  launches->piece[0].requant.shift = launches->piece[1].requant.shift = 0;
  if (desc->lhs_multiplier)
    luna_eltwise_set_scale(launches, desc, 0,
                           luna_scale_bits(desc->lhs_multiplier,
                                           desc->lhs_shift,
                                           desc->input_rounding));
  if (desc->rhs_multiplier)
    luna_eltwise_set_scale(launches, desc, 1,
                           luna_scale_bits(desc->rhs_multiplier,
                                           desc->rhs_shift,
                                           desc->input_rounding));
  luna_eltwise_set_combine(launches, desc);
  for (int i = 0; i < 4; ++i)
    launches->at[i] = 0;
  launches->next = 0;
}

// Where the piece begins in an operand.
static inline LunaEltwisePlace
luna_eltwise_place(const LunaEltwiseLaunches *launches,
                   LunaEltwiseOperand operand, const LunaTensorDesc *desc) {
  int32_t offset = 0;
  for (int i = 0; i <= launches->axis; ++i)
    offset += launches->at[i] * desc->strides[i];
  LunaEltwisePlace place = {operand, offset * luna_element_bytes(desc->type)};
  return place;
}

static inline int luna_eltwise_is_scaled(const LunaEltwiseLaunches *launches,
                                         int side) {
  return launches->piece[side].requant.shift > 0;
}

// Where an operand of the piece is read once it is scaled, if it is.
static inline LunaEltwisePlace
luna_eltwise_scaled_place(const LunaEltwiseLaunches *launches, int side) {
  LunaEltwisePlace scaled = {LUNA_ELTWISE_SCRATCH,
                             launches->scratch_bytes[side]};
  if (luna_eltwise_is_scaled(launches, side))
    return scaled;
  return luna_eltwise_place(
      launches, side == 0 ? LUNA_ELTWISE_LHS : LUNA_ELTWISE_RHS,
      side == 0 ? &launches->rows.lhs : &launches->rows.rhs);
}

// The last piece along the axis may be smaller.
static inline void luna_eltwise_size_piece(LunaEltwiseLaunches *launches) {
  int32_t axis = launches->axis;
  int32_t left = launches->rows.output.dims[axis] - launches->at[axis];
  int32_t count = left < launches->step ? left : launches->step;
  for (int i = 0; i < 3; ++i) {
    LunaEltwiseDesc *desc = &launches->piece[i];
    desc->lhs.dims[axis] = desc->rhs.dims[axis] = desc->output.dims[axis] =
        count;
  }
}

// Moves on to the next piece; past the last, at[0] is the extent.
static inline void luna_eltwise_next_piece(LunaEltwiseLaunches *launches) {
  const int32_t *dims = launches->rows.output.dims;
  int32_t *at = launches->at, axis = launches->axis;
  at[axis] += launches->step;
  for (; axis > 0 && at[axis] >= dims[axis]; --axis) {
    at[axis] = 0;
    ++at[axis - 1];
  }
}

/// Writes the next launch. Returns false if there is none.
static inline int luna_eltwise_launches_next(LunaEltwiseLaunches *launches) {
  if (launches->at[0] >= launches->rows.output.dims[0])
    return 0;
  if (launches->next == 0)
    luna_eltwise_size_piece(launches);
  int side = launches->next;
  while (side < 2 && !luna_eltwise_is_scaled(launches, side))
    ++side;
  launches->desc = &launches->piece[side];
  if (side < 2) {
    launches->lhs = luna_eltwise_place(
        launches, side == 0 ? LUNA_ELTWISE_LHS : LUNA_ELTWISE_RHS,
        side == 0 ? &launches->rows.lhs : &launches->rows.rhs);
    launches->rhs = launches->lhs;
    launches->output = luna_eltwise_scaled_place(launches, side);
    launches->next = side + 1;
    return 1;
  }
  launches->lhs = luna_eltwise_scaled_place(launches, 0);
  launches->rhs = luna_eltwise_scaled_place(launches, 1);
  launches->output =
      luna_eltwise_place(launches, LUNA_ELTWISE_OUTPUT, &launches->rows.output);
  launches->next = 0;
  luna_eltwise_next_piece(launches);
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_ELTWISE_LAUNCHES_H
