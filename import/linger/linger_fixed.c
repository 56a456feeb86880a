// Fixed point on the host: scalars of 64 bits in the bodies of linalg.generic.

#include "linger.h"

const LunaNode *onnx_luna_node(const OnnxNode *n) {
  return (const LunaNode *)(const void *)n;
}

OnnxValue *onnx_luna_map(OnnxImport *c, const LunaNode *n, OnnxValue **inputs,
                         int count, OnnxType type, OnnxScalarFn fn) {
  return onnx_map(c, &n->node, inputs, count, type, fn);
}

MlirValue onnx_luna_round_by(OnnxImport *c, MlirValue x, MlirValue shift) {
  MlirValue one = luna_scalar_int(c->b, c->b->i64, 1);
  MlirValue half =
      luna_scalar(c->b, "arith.shrsi", x, luna_scalar_sub(c->b, shift, one));
  return luna_scalar(c->b, "arith.shrsi", luna_scalar_add(c->b, half, one),
                     one);
}

MlirValue onnx_luna_round(OnnxImport *c, MlirValue x, int shift) {
  if (shift == 0)
    return x;
  if (shift < 0)
    return luna_scalar(c->b, "arith.shli", x,
                       luna_scalar_int(c->b, c->b->i64, -shift));
  return onnx_luna_round_by(c, x, luna_scalar_int(c->b, c->b->i64, shift));
}

MlirValue onnx_luna_clamp(OnnxImport *c, MlirValue x, int64_t low,
                          int64_t high) {
  x = luna_scalar_max(c->b, x, luna_scalar_int(c->b, c->b->i64, low));
  return luna_scalar_min(c->b, x, luna_scalar_int(c->b, c->b->i64, high));
}

MlirValue onnx_luna_saturate(OnnxImport *c, MlirValue x, OnnxType type) {
  int64_t low, high;
  onnx_int_range(type, &low, &high);
  return onnx_luna_clamp(c, x, low, high);
}

MlirValue onnx_luna_convert(OnnxImport *c, MlirValue x, OnnxType type) {
  return onnx_cast(c, onnx_luna_saturate(c, x, type), ONNX_I64, type);
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

enum { SLOPE, SHIFT, BIAS, NEGATIVE, COLUMNS };

MlirValue onnx_luna_curve_table(OnnxImport *c, const LunaCurve *curve) {
  int64_t numbers[COLUMNS][LUNA_CURVE_PIECES];
  LunaShape shape = {2, {COLUMNS, LUNA_CURVE_PIECES}};
  for (int k = 0; k < LUNA_CURVE_PIECES; ++k) {
    numbers[SLOPE][k] = curve->slopes[k];
    numbers[SHIFT][k] = curve->shifts[k];
    numbers[BIAS][k] = curve->biases[k];
    numbers[NEGATIVE][k] = curve->negatives[k];
  }
  return onnx_const(c, ONNX_I64, &shape, numbers);
}

MlirValue onnx_luna_entry(OnnxImport *c, MlirValue table, int row,
                          MlirValue piece) {
  MlirValue index[2] = {luna_scalar_index(c->b, row), piece};
  return luna_scalar_extract(c->b, table, index);
}

MlirValue onnx_luna_curve(OnnxImport *c, const LunaCurve *curve,
                          MlirValue table, MlirValue x) {
  x = onnx_luna_clamp(c, x, -curve->limit, curve->limit);
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
      luna_scalar_mul(c->b, onnx_luna_entry(c, table, SLOPE, piece), x);
  y = luna_scalar(c->b, "arith.shrsi", y,
                  onnx_luna_entry(c, table, SHIFT, piece));
  MlirValue negative = luna_scalar_compare(c->b, LUNA_LT, x, zero);
  MlirValue bias = luna_scalar_select(
      c->b, negative, onnx_luna_entry(c, table, NEGATIVE, piece),
      onnx_luna_entry(c, table, BIAS, piece));
  return luna_scalar_add(c->b, y, bias);
}
