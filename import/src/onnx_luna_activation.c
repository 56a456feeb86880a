// LUNA's sigmoid and tanh, of 8 bits as tables for the unit, and its softmax,
// whose exponentials are a table for the host.

#include "onnx_luna.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Sigmoid and tanh
//===----------------------------------------------------------------------===//

static OnnxValue *curve_of_i8(OnnxImport *c, OnnxValue *value,
                              const LunaCurve *curve, int from, int to) {
  int8_t entries[256];
  for (int i = 0; i < 256; ++i) {
    int64_t x = luna_round_shift(i - 128, from - curve->x_bits);
    int64_t y = luna_round_shift(luna_curve_at(curve, x), curve->y_bits - to);
    entries[i] = (int8_t)luna_clamp(y, -128, 127);
  }
  return onnx_luna_table(c, value, entries);
}

static MlirValue curve_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                               const MlirValue *args, int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue x = onnx_cast(c, args[0], type, ONNX_I64);
  x = onnx_luna_round(c, x, node->scales[0] - node->curve->x_bits);
  x = onnx_luna_curve(c, node->curve, node->table, x);
  x = onnx_luna_round(c, x, node->curve->y_bits - node->scales[1]);
  return onnx_luna_convert(c, x, node->type);
}

ONNX_HANDLER(luna_activation) {
  LunaNode node = {.node = *n};
  LunaCurve curve;
  OnnxValue *value = n->inputs[0];
  int *scales = node.scales;
  if (!onnx_luna_chip(c, n, &node.chip) ||
      !onnx_luna_scale(c, n, "scale_x", &scales[0]) ||
      !onnx_luna_scale(c, n, "scale_o", &scales[1]) ||
      !onnx_luna_bits(c, n, &node.type))
    return false;
  if (value->type != ONNX_I8 && value->type != ONNX_I16 &&
      value->type != ONNX_I32)
    return onnx_fail(c, "input must be int8, int16 or int32, is %s",
                     onnx_type_name(value->type));
  // Further away everything is zero or one.
  if (scales[0] < 0 || scales[0] > 31 || scales[1] < 0 || scales[1] > 15)
    return onnx_fail(c, "needs scale_x from 1 to 2^31, scale_o to 2^15");
  if (strcmp(n->op->detail, "tanh") == 0)
    luna_curve_tanh(node.chip, &curve);
  else
    luna_curve_sigmoid(node.chip, &curve);
  if (value->type == ONNX_I8 && node.type == ONNX_I8) {
    n->outputs[0] = curve_of_i8(c, value, &curve, scales[0], scales[1]);
    return true;
  }
  node.curve = &curve;
  node.table = onnx_luna_curve_table(c, &curve);
  n->outputs[0] = onnx_luna_map(c, &node, &value, 1, node.type, curve_element);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

// The exponential of how far an element is below the largest.
static MlirValue exp_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                             const MlirValue *args, int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue x = onnx_cast(c, args[0], type, ONNX_I64);
  MlirValue largest = onnx_cast(c, args[1], type, ONNX_I64);
  MlirValue below =
      onnx_cast_index(c, onnx_sub(c, ONNX_I64, largest, x), ONNX_I64);
  MlirValue y = onnx_tensor_extract(c, node->table, &below, 1,
                                    onnx_element_type(c, ONNX_I32));
  return onnx_cast(c, y, ONNX_I32, node->type);
}

// 2^60 / sum by two steps of Newton's method on 23 bits.
static MlirValue venus_inverse(OnnxImport *c, MlirValue sum) {
  OnnxType type = ONNX_I64;
  MlirValue zeros = onnx_s1(c, "math.ctlz", sum);
  MlirValue shift = onnx_sub(c, type, onnx_lit_int(c, type, 41), zeros);
  MlirValue x = onnx_s2(c, "arith.shrsi", sum, shift);
  MlirValue y = onnx_sub(c, type, onnx_lit_int(c, type, 0xbb5000), x);
  for (int i = 0; i < 2; ++i) {
    MlirValue product = onnx_luna_round(c, onnx_mul(c, type, x, y), 23);
    MlirValue off = onnx_sub(c, type, onnx_lit_int(c, type, 0x400000), product);
    off = onnx_add(c, type, off, off);
    off = onnx_luna_round(c, onnx_mul(c, type, y, off), 23);
    y = onnx_add(c, type, y, off);
  }
  return onnx_s2(c, "arith.shrsi", onnx_add(c, type, y, y), shift);
}

// The factor of an exponential whose products lie in INVERSE_BITS.
static MlirValue inverse_element(OnnxImport *c, const OnnxNode *n,
                                 OnnxType type, const MlirValue *args,
                                 int count) {
  (void)count;
  MlirValue sum = onnx_cast(c, args[0], type, ONNX_I64);
  sum = onnx_luna_saturate(c, sum, ONNX_I32);
  if (onnx_luna_node(n)->chip == LUNA_CHIP_VENUS)
    return venus_inverse(c, sum);
  MlirValue quotient =
      onnx_div(c, ONNX_I64, onnx_lit_int(c, ONNX_I64, INT64_C(1) << 52), sum);
  return onnx_add(c, ONNX_I64, quotient, quotient);
}

static MlirValue softmax_element(OnnxImport *c, const OnnxNode *n,
                                 OnnxType type, const MlirValue *args,
                                 int count) {
  (void)count;
  const LunaNode *node = onnx_luna_node(n);
  MlirValue x = onnx_cast(c, args[0], type, ONNX_I64);
  x = onnx_mul(c, ONNX_I64, x, args[1]);
  x = onnx_luna_round(c, x, node->chip == LUNA_CHIP_VENUS ? 31 : 38);
  x = onnx_luna_round(c, x, LUNA_SOFTMAX_BITS - node->scales[1]);
  return onnx_luna_convert(c, x, ONNX_I8);
}

static MlirValue exp_table(OnnxImport *c, LunaChip chip, int scale) {
  int32_t entries[256];
  OnnxShape list = onnx_shape(1, (int64_t[]){256});
  for (int i = 0; i < 256; ++i)
    entries[i] =
        luna_exp(chip, -(int64_t)i * (INT64_C(1) << (LUNA_EXP_BITS - scale)));
  return onnx_const(c, ONNX_I32, &list, entries);
}

ONNX_HANDLER(luna_softmax) {
  LunaNode node = {.node = *n};
  OnnxValue *value = n->inputs[0], *pair[2];
  bool axes[ONNX_MAX_RANK] = {false};
  int axis, *scales = node.scales;
  int64_t given = onnx_attr_int(n, onnx_attr(n, "dim") ? "dim" : "axis", -1);
  if (!onnx_luna_needs_i8(c, n, 1) || !onnx_luna_chip(c, n, &node.chip) ||
      !onnx_luna_scale(c, n, "scale_x", &scales[0]) ||
      !onnx_luna_scale(c, n, "scale_o", &scales[1]) ||
      !onnx_axis(c, given, value->shape.rank, &axis))
    return false;
  if (scales[0] < 1 || scales[0] > LUNA_EXP_BITS || scales[1] < 0 ||
      scales[1] > LUNA_SOFTMAX_BITS)
    return onnx_fail(c, "needs scale_x from 2 to 2^25, scale_o to 2^15");
  axes[axis] = true;
  node.table = exp_table(c, node.chip, scales[0]);
  // An exponential has 24 bits: so many of them fit 32.
  node.type = value->shape.dims[axis] < 256 ? ONNX_I32 : ONNX_I64;
  pair[0] = value;
  pair[1] = onnx_reduce(c, value, axes, ONNX_MAX);
  pair[0] = onnx_luna_map(c, &node, pair, 2, node.type, exp_element);
  OnnxValue *sum = pair[0] ? onnx_reduce(c, pair[0], axes, ONNX_SUM) : NULL;
  if (!sum)
    return false;
  pair[1] = onnx_luna_map(c, &node, &sum, 1, ONNX_I64, inverse_element);
  n->outputs[0] = onnx_luna_map(c, &node, pair, 2, ONNX_I8, softmax_element);
  return n->outputs[0] != NULL;
}
