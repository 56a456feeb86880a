// LUNA's sigmoid and tanh, of 8 bits as tables for the unit, and its gated
// linear unit on the host.

#include "linger.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Sigmoid and tanh
//===----------------------------------------------------------------------===//

static LunaOnnxValue *curve_of_i8(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaCurve *curve, int from, int to) {
  int8_t entries[256];
  for (int i = 0; i < 256; ++i) {
    int64_t x = luna_round_shift(i - 128, from - curve->x_bits);
    int64_t y = luna_round_shift(luna_curve_at(curve, x), curve->y_bits - to);
    entries[i] = (int8_t)luna_clamp(y, -128, 127);
  }
  return luna_linger_table(c, value, entries);
}

static MlirValue curve_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue x = luna_linger_wide(s, 0);
  x = luna_linger_round(s->c, x, node->scales[0] - node->curve->x_bits);
  x = luna_linger_curve(s->c, node->curve, node->table, x);
  x = luna_linger_round(s->c, x, node->curve->y_bits - node->scales[1]);
  return luna_linger_convert(s->c, x, node->type);
}

bool luna_linger_op_activation(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaFixed node = {.curve = NULL};
  LunaCurve curve;
  LunaOnnxValue *value = n->inputs[0];
  int *scales = node.scales;
  if (!luna_linger_arithmetic(c, n, &node.arithmetic) ||
      !luna_linger_scale(c, n, "scale_x", &scales[0]) ||
      !luna_linger_scale(c, n, "scale_o", &scales[1]) ||
      !luna_linger_bits(c, n, &node.type))
    return false;
  if (value->type != LUNA_ONNX_I8 && value->type != LUNA_ONNX_I16 &&
      value->type != LUNA_ONNX_I32)
    return luna_onnx_fail(c, "input must be int8, int16 or int32, is %s",
                          luna_onnx_type_name(value->type));
  // Further away everything is zero or one.
  if (scales[0] < 0 || scales[0] > 31 || scales[1] < 0 || scales[1] > 15)
    return luna_onnx_fail(c, "needs scale_x from 1 to 2^31, scale_o to 2^15");
  if (strcmp(n->op->detail, "tanh") == 0)
    luna_curve_tanh(node.arithmetic->curves, &curve);
  else
    luna_curve_sigmoid(node.arithmetic->curves, &curve);
  if (value->type == LUNA_ONNX_I8 && node.type == LUNA_ONNX_I8) {
    n->outputs[0] = curve_of_i8(c, value, &curve, scales[0], scales[1]);
    return true;
  }
  node.curve = &curve;
  node.table = luna_linger_curve_table(c, &curve);
  n->outputs[0] = luna_onnx_map(c, &node, &value, 1, node.type, curve_element);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Gated linear unit
//===----------------------------------------------------------------------===//

// Fraction bits of the gates.
enum { GATE_BITS = 15 };

static MlirValue gate_table(LunaOnnxImport *c, LunaCurveForm form, int scale) {
  LunaCurve curve;
  int32_t entries[256];
  LunaShape list = {1, {256}};
  luna_curve_sigmoid(form, &curve);
  for (int i = 0; i < 256; ++i) {
    int64_t x = luna_round_shift(i - 128, scale - curve.x_bits);
    int64_t y = luna_curve_at(&curve, x);
    // More than 31 bits are rounded to 31 first.
    int bits = curve.y_bits > 31 ? 31 : curve.y_bits;
    y = luna_round_shift(y, curve.y_bits - bits);
    y = luna_clamp(y, INT32_MIN, INT32_MAX);
    entries[i] = (int32_t)luna_round_shift(y, bits - GATE_BITS);
  }
  return luna_onnx_const(c, LUNA_ONNX_I32, &list, entries);
}

static MlirValue gated_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue at =
      luna_scalar_add(s->b, luna_onnx_cast_index(s->c, s->args[1], s->type),
                      luna_scalar_index(s->b, 128));
  MlirValue gate = luna_scalar_extract(s->b, node->table, &at);
  MlirValue y =
      luna_scalar_mul(s->b, luna_linger_wide(s, 0),
                      luna_onnx_cast(s->c, gate, LUNA_ONNX_I32, LUNA_ONNX_I64));
  y = luna_linger_round(s->c, y, GATE_BITS + node->scales[0] - node->scales[1]);
  return luna_linger_convert(s->c, y, LUNA_ONNX_I8);
}

bool luna_linger_op_glu(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaFixed node = {.curve = NULL};
  LunaOnnxValue *value = n->inputs[0], *halves[2];
  int axis, *scales = node.scales;
  if (!luna_linger_needs_i8(c, n, 1) ||
      !luna_linger_arithmetic(c, n, &node.arithmetic) ||
      !luna_linger_scale(c, n, "scale_x", &scales[0]) ||
      !luna_linger_scale(c, n, "scale_o", &scales[1]) ||
      !luna_linger_bits(c, n, &node.type) ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "dim", -1), value->shape.rank,
                      &axis))
    return false;
  if (node.type != LUNA_ONNX_I8 || value->shape.dims[axis] % 2 != 0)
    return luna_onnx_fail(c, "needs an even dimension and a result of 8 bits");
  if (scales[0] < 0 || scales[0] > 27 || scales[1] < -16 || scales[1] > 40)
    return luna_onnx_fail(c,
                          "needs scale_x from 1 to 2^27, scale_o from 2^-16");
  LunaShape half = value->shape;
  half.dims[axis] /= 2;
  int64_t starts[LUNA_ONNX_MAX_RANK] = {0}, steps[LUNA_ONNX_MAX_RANK];
  for (int i = 0; i < LUNA_ONNX_MAX_RANK; ++i)
    steps[i] = 1;
  for (int i = 0; i < 2; ++i) {
    starts[axis] = i * half.dims[axis];
    halves[i] =
        luna_onnx_from_ir(c, LUNA_ONNX_I8, &half,
                          luna_build_strided_slice(c->b, luna_onnx_ir(c, value),
                                                   starts, half.dims, steps));
  }
  node.table = gate_table(c, node.arithmetic->curves, scales[0]);
  n->outputs[0] =
      luna_onnx_map(c, &node, halves, 2, LUNA_ONNX_I8, gated_element);
  return n->outputs[0] != NULL;
}
