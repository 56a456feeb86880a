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
  MlirValue one = onnx_lit_int(c, ONNX_I64, 1);
  MlirValue half =
      onnx_s2(c, "arith.shrsi", x, onnx_s2(c, "arith.subi", shift, one));
  return onnx_s2(c, "arith.shrsi", onnx_s2(c, "arith.addi", half, one), one);
}

MlirValue onnx_luna_round(OnnxImport *c, MlirValue x, int shift) {
  if (shift == 0)
    return x;
  if (shift < 0)
    return onnx_s2(c, "arith.shli", x, onnx_lit_int(c, ONNX_I64, -shift));
  return onnx_luna_round_by(c, x, onnx_lit_int(c, ONNX_I64, shift));
}

MlirValue onnx_luna_clamp(OnnxImport *c, MlirValue x, int64_t low,
                          int64_t high) {
  x = onnx_max(c, ONNX_I64, x, onnx_lit_int(c, ONNX_I64, low));
  return onnx_min(c, ONNX_I64, x, onnx_lit_int(c, ONNX_I64, high));
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
  OnnxShape shape = onnx_shape(2, (int64_t[]){COLUMNS, LUNA_CURVE_PIECES});
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
  MlirValue index[2] = {onnx_lit_index(c, row), piece};
  return onnx_tensor_extract(c, table, index, 2,
                             onnx_element_type(c, ONNX_I64));
}

MlirValue onnx_luna_curve(OnnxImport *c, const LunaCurve *curve,
                          MlirValue table, MlirValue x) {
  x = onnx_luna_clamp(c, x, -curve->limit, curve->limit);
  MlirValue zero = onnx_lit_int(c, ONNX_I64, 0);
  MlirValue size = onnx_max(c, ONNX_I64, x, onnx_sub(c, ONNX_I64, zero, x));
  MlirValue piece = onnx_lit_index(c, 0), one = onnx_lit_index(c, 1);
  for (int k = 0; k < LUNA_CURVE_PIECES - 1; ++k) {
    MlirValue above = onnx_compare(c, ONNX_I64, ONNX_GT, size,
                                   onnx_lit_int(c, ONNX_I64, curve->bands[k]));
    piece = onnx_select(c, above, onnx_s2(c, "arith.addi", piece, one), piece);
  }
  MlirValue y =
      onnx_mul(c, ONNX_I64, onnx_luna_entry(c, table, SLOPE, piece), x);
  y = onnx_s2(c, "arith.shrsi", y, onnx_luna_entry(c, table, SHIFT, piece));
  MlirValue negative = onnx_compare(c, ONNX_I64, ONNX_LT, x, zero);
  MlirValue bias =
      onnx_select(c, negative, onnx_luna_entry(c, table, NEGATIVE, piece),
                  onnx_luna_entry(c, table, BIAS, piece));
  return onnx_add(c, ONNX_I64, y, bias);
}
