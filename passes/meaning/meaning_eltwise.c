// Sums, differences and products, element by element.

#include "luna-c/build_scalar.h"
#include "meaning.h"

enum { LEFT, RIGHT };

typedef struct Scale {
  int32_t zero_point, multiplier, shift, rounding;
} Scale;

// The element of an input, an i64, less its zero point and scaled.
static MlirValue scaled_input(LunaMeaning *m, MlirValue value,
                              const Scale *scale) {
  const LunaBuilder *b = &m->b;
  value = luna_meaning_centre(m, value, b->i64, scale->zero_point);
  return scale->multiplier == 0
             ? value
             : luna_meaning_scale(
                   m, value, luna_scalar_i32(b, scale->multiplier),
                   luna_scalar_int(b, b->i64, scale->shift), scale->rounding);
}

MlirValue luna_meaning_eltwise(LunaMeaning *m, const LunaEltwiseDesc *desc) {
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
  MlirValue x = luna_generic_input(&m->loops, m->operands[LEFT]);
  MlirValue y = luna_generic_input(&m->loops, m->operands[RIGHT]);
  x = scaled_input(m, x, &left);
  y = scaled_input(m, y, &right);
  MlirValue result = luna_scalar(b, names[desc->kind], x, y);
  // The unit's numbers have 32 bits.
  result = luna_scalar_resize(b, luna_scalar_resize(b, result, b->i32), b->i64);
  return luna_meaning_requant(m, &desc->requant, result, (MlirValue){NULL},
                              (MlirValue){NULL});
}
