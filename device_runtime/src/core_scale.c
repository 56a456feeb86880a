#include "core_scale.h"

#include "core_numbers.h"

#define UNROLL _Pragma("GCC unroll 4")

//===- Scales -------------------------------------------------------------===//

static LunaCoreScale shallow_scale(int32_t zero_point, int32_t multiplier,
                                   int32_t shift) {
  uint32_t upper = (uint32_t)(multiplier >> 16);
  int32_t high = (int32_t)(upper << (16 - shift)), low = multiplier & 0xffff;
  return (LunaCoreScale){.high = high,
                         .low = low,
                         .round = ((1 << shift) >> 1) - zero_point * low,
                         .inner = shift,
                         .base = luna_core_mull(-zero_point, high)};
}

// Double rounding adds 2^30 to a product, or takes it.
static LunaCoreScale deep_scale(int32_t zero_point, int32_t multiplier,
                                int32_t shift, int32_t rounding) {
  int32_t high = multiplier >> 16, low = multiplier & 0xffff;
  int is_double = rounding == LUNA_ROUND_DOUBLE && shift > 31;
  return (LunaCoreScale){.high = high,
                         .low = low,
                         .round = -zero_point * low,
                         .inner = 16,
                         .base = -zero_point * high + (1 << (shift - 17)) +
                                 (is_double ? 1 << 14 : 0),
                         .outer = shift - 16,
                         .zero_point = zero_point,
                         .borrow = is_double ? -(1 << 15) : 0};
}

LunaCoreScale luna_core_scale(LunaScaleForm form, int32_t zero_point,
                              int32_t multiplier, int32_t shift,
                              int32_t rounding) {
  LunaCoreScale scale = {.high = 1, .base = -zero_point};
  if (form == LUNA_SCALE_DEEP)
    scale = deep_scale(zero_point, multiplier, shift, rounding);
  else if (multiplier != 0)
    scale = shallow_scale(zero_point, multiplier, shift);
  scale.form = form;
  return scale;
}

//===- Loops --------------------------------------------------------------===//
// What they need of a scale is in variables, which no store changes.

static inline int32_t fraction(int32_t element, int32_t low, int32_t round,
                               int32_t inner) {
  return (element * low + round) >> inner;
}

static inline void add_linear(const LunaCoreScale *lhs,
                              const LunaCoreScale *rhs, int is_difference,
                              LunaCoreBytes left, LunaCoreBytes right,
                              int32_t *values, int32_t count) {
  const int32_t sign = is_difference ? -1 : 1;
  const int32_t lhs_high = lhs->high,
                rhs_high = luna_core_mull(rhs->high, sign);
  const int32_t base =
      luna_core_add(lhs->base, luna_core_mull(rhs->base, sign));
  UNROLL
  for (int32_t *end = values + count; values != end; ++values) {
    int32_t a = luna_core_mull(*left.at, lhs_high);
    int32_t b = luna_core_mull(*right.at, rhs_high);
    *values = luna_core_add(luna_core_add(a, b), base);
    left.at += left.stride;
    right.at += right.stride;
  }
}

// The left operand is linear, the right one shallow.
static inline void add_shallow(const LunaCoreScale *lhs,
                               const LunaCoreScale *rhs, LunaCoreBytes left,
                               LunaCoreBytes right, int32_t *values,
                               int32_t count) {
  const int32_t lhs_high = lhs->high, rhs_high = rhs->high;
  const int32_t low = rhs->low, round = rhs->round, inner = rhs->inner;
  const int32_t base = luna_core_add(lhs->base, rhs->base);
  UNROLL
  for (int32_t *end = values + count; values != end; ++values) {
    int32_t a = luna_core_mull(*left.at, lhs_high);
    int32_t b = luna_core_mull(*right.at, rhs_high);
    int32_t c = fraction(*right.at, low, round, inner);
    *values = luna_core_add(luna_core_add(a, b), luna_core_add(c, base));
    left.at += left.stride;
    right.at += right.stride;
  }
}

// Returns an element by any form.
static inline int32_t scaled(const LunaCoreScale *scale, int32_t element) {
  int32_t borrow = ((element - scale->zero_point) >> 31) & scale->borrow;
  int32_t sum = luna_core_mull(element, scale->high);
  sum = luna_core_add(
      sum, fraction(element, scale->low, scale->round, scale->inner));
  sum = luna_core_add(sum, luna_core_add(scale->base, borrow));
  return sum >> scale->outer;
}

static void combine_any(int32_t kind, const LunaCoreScale *lhs,
                        const LunaCoreScale *rhs, LunaCoreBytes left,
                        LunaCoreBytes right, int32_t *values, int32_t count) {
  const LunaCoreScale first = *lhs, second = *rhs;
  for (int32_t *end = values + count; values != end; ++values) {
    int32_t a = scaled(&first, *left.at), b = scaled(&second, *right.at);
    *values = kind == LUNA_ELTWISE_ADD   ? luna_core_add(a, b)
              : kind == LUNA_ELTWISE_SUB ? luna_core_sub(a, b)
                                         : luna_core_mull(a, b);
    left.at += left.stride;
    right.at += right.stride;
  }
}

void luna_core_combine(int32_t kind, const LunaCoreScale *lhs,
                       const LunaCoreScale *rhs, LunaCoreBytes left,
                       LunaCoreBytes right, int32_t *values, int32_t count) {
  const LunaCoreBytes a = {left.at, 1}, b = {right.at, 1};
  int is_dense = left.stride == 1 && right.stride == 1;
  LunaScaleForm form = luna_eltwise_forms(kind, lhs->form, rhs->form);
  if (form == LUNA_SCALE_DEEP)
    combine_any(kind, lhs, rhs, left, right, values, count);
  else if (rhs->form < lhs->form)
    luna_core_combine(kind, rhs, lhs, right, left, values, count);
  else if (form == LUNA_SCALE_SHALLOW && is_dense)
    add_shallow(lhs, rhs, a, b, values, count);
  else if (form == LUNA_SCALE_SHALLOW)
    add_shallow(lhs, rhs, left, right, values, count);
  else if (is_dense)
    add_linear(lhs, rhs, kind == LUNA_ELTWISE_SUB, a, b, values, count);
  else
    add_linear(lhs, rhs, kind == LUNA_ELTWISE_SUB, left, right, values, count);
}

//===- Tables -------------------------------------------------------------===//

static inline void look_up_sums(const int8_t *table, LunaCoreBytes left,
                                LunaCoreBytes right, int8_t *to, int32_t stride,
                                int32_t count) {
  UNROLL
  for (int32_t i = 0; i < count; ++i) {
    *to = table[*left.at + *right.at];
    to += stride;
    left.at += left.stride;
    right.at += right.stride;
  }
}

void luna_core_look_up_sums(const int8_t *table, LunaCoreBytes left,
                            LunaCoreBytes right, int8_t *to, int32_t stride,
                            int32_t count) {
  const LunaCoreBytes a = {left.at, 1}, b = {right.at, 1};
  if (left.stride == 1 && right.stride == 1 && stride == 1)
    look_up_sums(table, a, b, to, 1, count);
  else
    look_up_sums(table, left, right, to, stride, count);
}
