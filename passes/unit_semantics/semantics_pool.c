// Pooling: loops over the part of each window that lies in the input.

#include "luna-c/build_loop.h"
#include "luna-c/build_scalar.h"
#include "unit_semantics.h"

enum { INPUT };

// What is left of a window along an axis: [first, end).
typedef struct Span {
  MlirValue first, end;
} Span;

static Span clip_window(LunaUnitSemantics *m, const LunaPoolDesc *desc,
                        int axis, MlirValue out) {
  const LunaBuilder *b = &m->b;
  MlirValue start = luna_scalar_sub(
      b, luna_scalar_mul(b, out, luna_scalar_index(b, desc->stride[axis])),
      luna_scalar_index(b, desc->pad[2 * axis]));
  MlirValue stop =
      luna_scalar_add(b, start, luna_scalar_index(b, desc->kernel[axis]));
  MlirValue extent =
      luna_scalar_index(b, luna_extent(m->operands[INPUT], 1 + axis));
  return (Span){luna_scalar_max(b, start, luna_scalar_index(b, 0)),
                luna_scalar_min(b, stop, extent)};
}

static MlirValue count_of(LunaUnitSemantics *m, const Span *span) {
  const LunaBuilder *b = &m->b;
  MlirValue count = luna_scalar_sub(b, span->end, span->first);
  return luna_scalar_max(b, count, luna_scalar_index(b, 0));
}

// TOSA's reciprocal_scale: the mean of `count` values.
static MlirValue mean(LunaUnitSemantics *m, MlirValue sum, MlirValue count) {
  const LunaBuilder *b = &m->b;
  MlirValue one = luna_scalar_i32(b, 1);
  count = luna_scalar_to(b, "arith.index_cast", count, b->i32);
  count = luna_scalar_max(b, count, one);
  MlirValue zeros =
      luna_scalar_unary(b, "math.ctlz", luna_scalar_sub(b, count, one));
  MlirValue k = luna_scalar_sub(b, luna_scalar_i32(b, 32), zeros);
  k = luna_scalar_resize(b, k, b->i64);
  MlirValue numerator = luna_scalar(
      b, "arith.shli", luna_scalar_int(b, b->i64, (1 << 30) + 1), k);
  MlirValue multiplier =
      luna_scalar_div(b, numerator, luna_scalar_resize(b, count, b->i64));
  MlirValue shift = luna_scalar_add(b, luna_scalar_int(b, b->i64, 30), k);
  sum = luna_scalar_resize(b, luna_scalar_resize(b, sum, b->i32), b->i64);
  return luna_semantics_scale(m, sum, luna_scalar_resize(b, multiplier, b->i32),
                              shift, LUNA_ROUND_SINGLE);
}

static MlirValue pool_window(LunaUnitSemantics *m, const LunaPoolDesc *desc,
                             const Span *spans, MlirValue init) {
  LunaBuilder *b = &m->b;
  bool is_max = desc->kind == LUNA_POOL_MAX;
  MlirValue at[4] = {luna_generic_index(&m->loops, 0)};
  at[3] = luna_generic_index(&m->loops, 3);
  LunaLoop rows = luna_loop(b, spans[0].first, spans[0].end, init);
  LunaLoop columns = luna_loop(b, spans[1].first, spans[1].end, rows.carried);
  at[1] = rows.index;
  at[2] = columns.index;
  MlirValue value = luna_scalar_extract(b, m->operands[INPUT], at);
  if (is_max)
    value = luna_scalar_max(b, columns.carried, value);
  else
    value = luna_scalar_add(
        b, columns.carried,
        luna_semantics_centre(m, value, b->i64, desc->input_zero_point));
  return luna_loop_end(&rows, luna_loop_end(&columns, value));
}

MlirValue luna_semantics_pool(LunaUnitSemantics *m, const LunaPoolDesc *desc) {
  const LunaBuilder *b = &m->b;
  int64_t high = (INT64_C(1) << (mlirIntegerTypeGetWidth(m->element) - 1)) - 1;
  Span spans[2];
  for (int i = 0; i < 2; ++i)
    spans[i] = clip_window(m, desc, i, luna_generic_index(&m->loops, 1 + i));
  if (desc->kind == LUNA_POOL_MAX)
    return pool_window(m, desc, spans,
                       luna_scalar_int(b, m->element, -high - 1));
  MlirValue sum = pool_window(m, desc, spans, luna_scalar_int(b, b->i64, 0));
  MlirValue count =
      luna_scalar_mul(b, count_of(m, &spans[0]), count_of(m, &spans[1]));
  MlirValue zero_point = luna_scalar_int(b, b->i64, desc->output_zero_point);
  sum = luna_scalar_add(b, mean(m, sum, count), zero_point);
  sum = luna_scalar_clamp(b, sum, -high - 1, high);
  return luna_scalar_resize(b, sum, m->element);
}
