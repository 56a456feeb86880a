// Sums, differences and products, element by element.

#include "luna-c/build_scalar.h"
#include "unit_semantics.h"

enum { LEFT, RIGHT };

typedef struct Scale {
  int32_t zero_point, multiplier, shift, rounding;
} Scale;

static bool is_padded(const LunaUnitSemantics *m, MlirValue input) {
  int64_t last = m->loops.loops.rank - 1;
  return last >= 0 && luna_extent(input, last) != 1 &&
         luna_extent(input, last) < m->loops.loops.dims[last];
}

// The element of a padded input, an i64, less its zero point: 0 where it has
// none.
static MlirValue padded_input(LunaUnitSemantics *m, MlirValue input,
                              int32_t zero_point) {
  const LunaBuilder *b = &m->b;
  int64_t last = m->loops.loops.rank - 1;
  MlirValue at[4];
  for (int64_t i = 0; i <= last; ++i)
    at[i] = luna_extent(input, i) == 1 ? luna_scalar_index(b, 0)
                                       : luna_generic_index(&m->loops, i);
  MlirValue end = luna_scalar_index(b, luna_extent(input, last));
  MlirValue is_own = luna_scalar_compare(b, LUNA_LT, at[last], end);
  at[last] = luna_scalar_min(
      b, at[last], luna_scalar_index(b, luna_extent(input, last) - 1));
  MlirValue own = luna_semantics_centre(m, luna_scalar_extract(b, input, at),
                                        b->i64, zero_point);
  return luna_scalar_select(b, is_own, own, luna_scalar_int(b, b->i64, 0));
}

// The element of an input, an i64, scaled.
static MlirValue scaled(LunaUnitSemantics *m, MlirValue value,
                        const Scale *scale) {
  const LunaBuilder *b = &m->b;
  return scale->multiplier == 0
             ? value
             : luna_semantics_scale(
                   m, value, luna_scalar_i32(b, scale->multiplier),
                   luna_scalar_int(b, b->i64, scale->shift), scale->rounding);
}

MlirValue luna_semantics_eltwise(LunaUnitSemantics *m,
                                 const LunaEltwiseDesc *desc) {
  static const char *const names[] = {
      [LUNA_ELTWISE_ADD] = "arith.addi",
      [LUNA_ELTWISE_SUB] = "arith.subi",
      [LUNA_ELTWISE_MUL] = "arith.muli",
  };
  const LunaBuilder *b = &m->b;
  const Scale left = {desc->lhs_zero_point, desc->lhs_multiplier,
                      desc->lhs_shift, desc->input_rounding};
  const Scale right = {desc->rhs_zero_point, desc->rhs_multiplier,
                       desc->rhs_shift, desc->input_rounding};
  const Scale *scales[] = {&left, &right};
  MlirValue values[2];
  // All inputs come before the first op of the body.
  for (int i = 0; i < 2; ++i)
    if (!is_padded(m, m->operands[i]))
      values[i] = luna_generic_input(&m->loops, m->operands[i]);
  for (int i = 0; i < 2; ++i) {
    int32_t zero_point = scales[i]->zero_point;
    values[i] = is_padded(m, m->operands[i])
                    ? padded_input(m, m->operands[i], zero_point)
                    : luna_semantics_centre(m, values[i], b->i64, zero_point);
    values[i] = scaled(m, values[i], scales[i]);
  }
  MlirValue result =
      luna_scalar(b, names[desc->kind], values[LEFT], values[RIGHT]);
  // The unit's numbers have 32 bits.
  result = luna_scalar_resize(b, luna_scalar_resize(b, result, b->i32), b->i64);
  return luna_semantics_requant(m, &desc->requant, result, (MlirValue){NULL},
                                (MlirValue){NULL});
}
