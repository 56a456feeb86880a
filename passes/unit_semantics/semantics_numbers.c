#include "unit_semantics.h"

#include <string.h>

#include "luna-c/build_scalar.h"

static MlirValue i64_constant(LunaUnitSemantics *m, int64_t value) {
  return luna_scalar_int(&m->b, m->b.i64, value);
}

MlirValue luna_semantics_centre(LunaUnitSemantics *m, MlirValue value,
                                MlirType type, int32_t zero_point) {
  value = luna_scalar_resize(&m->b, value, type);
  return zero_point == 0
             ? value
             : luna_scalar_sub(&m->b, value,
                               luna_scalar_int(&m->b, type, zero_point));
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

// Double rounding moves a shift above 31 by 2^30 away from zero.
static MlirValue round_twice(LunaUnitSemantics *m, MlirValue value,
                             MlirValue shift, MlirValue round) {
  const LunaBuilder *b = &m->b;
  MlirValue zero = i64_constant(m, 0), half = i64_constant(m, 1 << 30);
  MlirValue is_positive = luna_scalar_compare(b, LUNA_GE, value, zero);
  MlirValue away =
      luna_scalar_select(b, is_positive, half, luna_scalar_sub(b, zero, half));
  MlirValue is_long =
      luna_scalar_compare(b, LUNA_GT, shift, i64_constant(m, 31));
  return luna_scalar_add(b, round, luna_scalar_select(b, is_long, away, zero));
}

MlirValue luna_semantics_scale(LunaUnitSemantics *m, MlirValue value,
                               MlirValue multiplier, MlirValue shift,
                               int32_t rounding) {
  const LunaBuilder *b = &m->b;
  MlirValue one = i64_constant(m, 1);
  MlirValue unit = luna_scalar(b, "arith.shli", one, shift);
  MlirValue round = luna_scalar(b, "arith.shrui", unit, one);
  if (rounding == LUNA_ROUND_DOUBLE)
    round = round_twice(m, value, shift, round);
  multiplier = luna_scalar_resize(b, multiplier, b->i64);
  MlirValue product = luna_scalar_mul(b, value, multiplier);
  MlirValue sum = luna_scalar_add(b, product, round);
  MlirValue scaled = luna_scalar(b, "arith.shrsi", sum, shift);
  return luna_scalar_resize(b, luna_scalar_resize(b, scaled, b->i32), b->i64);
}

//===----------------------------------------------------------------------===//
// Requantisation
//===----------------------------------------------------------------------===//

// floor(sum * 2^-shift + 0.5)
static MlirValue shift_round(LunaUnitSemantics *m, MlirValue sum,
                             int32_t shift) {
  const LunaBuilder *b = &m->b;
  if (shift <= 0)
    return luna_scalar(b, "arith.shli", sum, i64_constant(m, -shift));
  MlirValue half = i64_constant(m, INT64_C(1) << (shift - 1));
  return luna_scalar(b, "arith.shrsi", luna_scalar_add(b, sum, half),
                     i64_constant(m, shift));
}

static MlirValue scale_sum(LunaUnitSemantics *m, const LunaRequantDesc *requant,
                           MlirValue sum, MlirValue table, MlirValue channel) {
  const LunaBuilder *b = &m->b;
  if (!requant->per_channel)
    return luna_semantics_scale(m, sum, luna_scalar_i32(b, requant->multiplier),
                                i64_constant(m, requant->shift),
                                requant->rounding);
  MlirValue at[2] = {luna_scalar_index(b, 0), channel};
  MlirValue multiplier = luna_scalar_extract(b, table, at);
  at[0] = luna_scalar_index(b, 1);
  MlirValue shift = luna_scalar_extract(b, table, at);
  return luna_semantics_scale(m, sum, multiplier,
                              luna_scalar_resize(b, shift, b->i64),
                              requant->rounding);
}

static MlirValue float_scale(LunaUnitSemantics *m,
                             const LunaRequantDesc *requant, MlirValue table,
                             MlirValue channel) {
  if (requant->per_channel)
    return luna_scalar_extract(&m->b, table, &channel);
  float scale;
  memcpy(&scale, &requant->multiplier, sizeof scale);
  return luna_scalar_f32(&m->b, (double)scale);
}

// Every step in f32. The order of the comparisons maps NaN to the low end.
static MlirValue scale_as_float(LunaUnitSemantics *m,
                                const LunaRequantDesc *requant, MlirValue sum,
                                MlirValue scale) {
  const LunaBuilder *b = &m->b;
  MlirValue low = luna_scalar_f32(b, requant->clamp_min);
  MlirValue high = luna_scalar_f32(b, requant->clamp_max);
  MlirValue x = luna_scalar_to(b, "arith.sitofp", sum, b->f32);
  x = luna_scalar_unary(b, "math.roundeven", luna_scalar_mul(b, x, scale));
  x = luna_scalar_add(b, x, luna_scalar_f32(b, requant->output_zero_point));
  MlirValue is_above = luna_scalar_compare(b, LUNA_GT, x, high);
  MlirValue is_within = luna_scalar_compare(b, LUNA_GT, x, low);
  x = luna_scalar_select(b, is_above, high,
                         luna_scalar_select(b, is_within, x, low));
  return luna_scalar_to(b, "arith.fptosi", x, b->i64);
}

MlirValue luna_semantics_requant(LunaUnitSemantics *m,
                                 const LunaRequantDesc *requant, MlirValue sum,
                                 MlirValue table, MlirValue channel) {
  const LunaBuilder *b = &m->b;
  switch ((LunaRequantMode)requant->mode) {
  case LUNA_REQUANT_NONE:
    return luna_scalar_resize(b, sum, m->element);
  case LUNA_REQUANT_FLOAT:
    sum = scale_as_float(m, requant, sum,
                         float_scale(m, requant, table, channel));
    return luna_scalar_resize(b, sum, m->element);
  case LUNA_REQUANT_SHIFT:
    sum = shift_round(m, sum, requant->shift);
    break;
  case LUNA_REQUANT_MULTIPLIER:
    sum = scale_sum(m, requant, sum, table, channel);
    break;
  }
  sum = luna_scalar_add(b, sum, i64_constant(m, requant->output_zero_point));
  sum = luna_scalar_clamp(b, sum, requant->clamp_min, requant->clamp_max);
  return luna_scalar_resize(b, sum, m->element);
}
