// Fixed point on the host: scalars of 64 bits in the bodies of linalg.generic.

#include "linger.h"

MlirValue luna_linger_wide(const LunaOnnxScalar *s, int i) {
  return luna_onnx_cast(s->c, s->args[i], s->type, LUNA_ONNX_I64);
}

MlirValue luna_linger_round_by(LunaOnnxImport *c, MlirValue x,
                               MlirValue shift) {
  MlirValue one = luna_scalar_int(c->b, c->b->i64, 1);
  MlirValue half =
      luna_scalar(c->b, "arith.shrsi", x, luna_scalar_sub(c->b, shift, one));
  return luna_scalar(c->b, "arith.shrsi", luna_scalar_add(c->b, half, one),
                     one);
}

MlirValue luna_linger_round(LunaOnnxImport *c, MlirValue x, int shift) {
  if (shift == 0)
    return x;
  if (shift < 0)
    return luna_scalar(c->b, "arith.shli", x,
                       luna_scalar_int(c->b, c->b->i64, -shift));
  return luna_linger_round_by(c, x, luna_scalar_int(c->b, c->b->i64, shift));
}

MlirValue luna_linger_clamp(LunaOnnxImport *c, MlirValue x, int64_t low,
                            int64_t high) {
  x = luna_scalar_max(c->b, x, luna_scalar_int(c->b, c->b->i64, low));
  return luna_scalar_min(c->b, x, luna_scalar_int(c->b, c->b->i64, high));
}

MlirValue luna_linger_saturate(LunaOnnxImport *c, MlirValue x,
                               LunaOnnxType type) {
  int64_t low, high;
  luna_onnx_int_range(type, &low, &high);
  return luna_linger_clamp(c, x, low, high);
}

MlirValue luna_linger_convert(LunaOnnxImport *c, MlirValue x,
                              LunaOnnxType type) {
  return luna_onnx_cast(c, luna_linger_saturate(c, x, type), LUNA_ONNX_I64,
                        type);
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

enum { SLOPE, SHIFT, BIAS, NEGATIVE, COLUMNS };

MlirValue luna_linger_curve_table(LunaOnnxImport *c, const LunaCurve *curve) {
  int64_t numbers[COLUMNS][LUNA_CURVE_PIECES];
  LunaShape shape = {2, {COLUMNS, LUNA_CURVE_PIECES}};
  for (int k = 0; k < LUNA_CURVE_PIECES; ++k) {
    numbers[SLOPE][k] = curve->slopes[k];
    numbers[SHIFT][k] = curve->shifts[k];
    numbers[BIAS][k] = curve->biases[k];
    numbers[NEGATIVE][k] = curve->negatives[k];
  }
  return luna_onnx_const(c, LUNA_ONNX_I64, &shape, numbers);
}

MlirValue luna_linger_entry(LunaOnnxImport *c, MlirValue table, int row,
                            MlirValue piece) {
  MlirValue index[2] = {luna_scalar_index(c->b, row), piece};
  return luna_scalar_extract(c->b, table, index);
}

MlirValue luna_linger_curve(LunaOnnxImport *c, const LunaCurve *curve,
                            MlirValue table, MlirValue x) {
  x = luna_linger_clamp(c, x, -curve->limit, curve->limit);
  MlirValue zero = luna_scalar_int(c->b, c->b->i64, 0);
  MlirValue size = luna_scalar_max(c->b, x, luna_scalar_sub(c->b, zero, x));
  MlirValue piece = luna_scalar_index(c->b, 0),
            one = luna_scalar_index(c->b, 1);
  for (int k = 0; k < LUNA_CURVE_PIECES - 1; ++k) {
    MlirValue above = luna_scalar_compare(
        c->b, LUNA_GT, size, luna_scalar_int(c->b, c->b->i64, curve->bands[k]));
    piece = luna_scalar_select(c->b, above, luna_scalar_add(c->b, piece, one),
                               piece);
  }
  MlirValue y =
      luna_scalar_mul(c->b, luna_linger_entry(c, table, SLOPE, piece), x);
  y = luna_scalar(c->b, "arith.shrsi", y,
                  luna_linger_entry(c, table, SHIFT, piece));
  MlirValue negative = luna_scalar_compare(c->b, LUNA_LT, x, zero);
  MlirValue bias = luna_scalar_select(
      c->b, negative, luna_linger_entry(c, table, NEGATIVE, piece),
      luna_linger_entry(c, table, BIAS, piece));
  return luna_scalar_add(c->b, y, bias);
}
