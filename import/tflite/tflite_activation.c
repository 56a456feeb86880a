#include <math.h>

#include "tflite_fixed.h"
#include "tflite_ops.h"

// Activations that stand alone. On int8 every function of one element is a
// table of 256 results, filled with TensorFlow Lite's own integer arithmetic.

enum { ENTRIES = 256, LOWEST = -128, HIGHEST = 127 };

static int8_t clamp8(int64_t value) {
  return (int8_t)luna_fixed_saturate(value, 8);
}

bool luna_tflite_lookup8(LunaTfliteNode *node, const int8_t *table) {
  LunaBuilder *b = node->builder;
  MlirValue operands[2];
  if (!luna_tflite_value(node, 0, &operands[0]))
    return false;
  operands[1] = luna_build_data(b, luna_list_type(b->i8, ENTRIES), table);
  return luna_tflite_set(node, 0,
                         luna_build_op(b, "tosa.table",
                                       mlirValueGetType(operands[0]), 2,
                                       operands, 0, NULL));
}

static bool is_float(const LunaTfliteNode *node) {
  return luna_tflite_input(node, 0)->type == LUNA_TFLITE_F32;
}

static bool apply_float(LunaTfliteNode *node, const char *name) {
  MlirValue value;
  return luna_tflite_value(node, 0, &value) &&
         luna_tflite_set(node, 0, luna_build_unary(node->builder, name, value));
}

//===----------------------------------------------------------------------===//
// LOGISTIC, TANH
//===----------------------------------------------------------------------===//

bool luna_tflite_op_sigmoid(LunaTfliteNode *node) {
  enum { INTEGER_BITS = 4 };
  bool is_tanh = node->op->code == LUNA_TFLITE_OP_TANH;
  LunaTfliteScale in, out;
  int8_t table[ENTRIES];
  if (is_float(node))
    return apply_float(node, is_tanh ? "tosa.tanh" : "tosa.sigmoid");
  if (luna_tflite_input(node, 0)->type == LUNA_TFLITE_I16)
    return luna_tflite_sigmoid_int16(node);
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  int64_t expected = is_tanh ? 0 : LOWEST;
  if (out.zero_point != expected)
    return luna_tflite_fail(node, "output has zero point %lld, needs %lld",
                            (long long)out.zero_point, (long long)expected);
  LunaMultiplier by = luna_quantize_multiplier(
      (double)in.scale * (double)(1 << (31 - INTEGER_BITS)));
  int32_t radius = luna_fixed_input_radius(INTEGER_BITS, by.shift);
  for (int i = 0; i < ENTRIES; ++i) {
    int32_t input = (int32_t)(i + LOWEST - in.zero_point);
    if (input <= -radius || input >= radius) {
      table[i] = input <= -radius ? LOWEST : HIGHEST;
      continue;
    }
    int32_t scaled = luna_fixed_multiply(input, by);
    table[i] =
        is_tanh
            ? clamp8(luna_fixed_divide_by_pot(luna_fixed_tanh(scaled), 31 - 7))
            : clamp8(luna_fixed_divide_by_pot(luna_fixed_logistic(scaled),
                                              31 - 8) +
                     LOWEST);
  }
  return luna_tflite_lookup8(node, table);
}

//===----------------------------------------------------------------------===//
// HARD_SWISH
//===----------------------------------------------------------------------===//

static int16_t clamp16(int64_t value) {
  return (int16_t)luna_fixed_saturate(value, 16);
}

// a * b / 2^15, rounded to nearest, ties up.
static int16_t high_mul16(int16_t a, int16_t b) {
  int32_t product = (int32_t)a * b;
  int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return clamp16((product + nudge) / (1 << 15));
}

static int16_t narrow_multiplier(int32_t multiplier) {
  return clamp16(((int64_t)multiplier + (1 << 15)) >> 16);
}

typedef struct HardSwish {
  LunaMultiplier output, relu;
  int64_t input_zp, output_zp;
} HardSwish;

static int8_t hard_swish(const HardSwish *params, int input) {
  int16_t value = (int16_t)((input - params->input_zp) * (1 << 7));
  int16_t before_shift =
      high_mul16(value, narrow_multiplier(params->output.multiplier));
  int shift = params->relu.shift;
  int16_t relu = value;
  if (shift > 0)
    relu = clamp16((int64_t)relu * (INT64_C(1) << (shift - 1)));
  relu = high_mul16(relu, narrow_multiplier(params->relu.multiplier));
  if (shift > 0)
    relu = clamp16((int64_t)relu * 2);
  if (shift < 0)
    relu = (int16_t)luna_fixed_divide_by_pot(relu, -shift);
  relu = (int16_t)((relu + (1 << 15)) / 2);
  int16_t product = (int16_t)((int32_t)relu * before_shift / (1 << 15));
  return clamp8(luna_fixed_divide_by_pot(product, -params->output.shift) +
                params->output_zp);
}

static MlirValue hard_swish_float(LunaBuilder *b, MlirValue value) {
  MlirType f32 = b->f32;
  MlirValue three = luna_build_const_like(b, value, f32, 3);
  MlirValue sixth = luna_build_const_like(b, value, f32, (double)(1.0F / 6.0F));
  MlirValue gate = luna_build_clamp_float(
      b, luna_build_binary(b, "tosa.add", value, three), 0, 6);
  return luna_build_binary(
      b, "tosa.mul", luna_build_binary(b, "tosa.mul", value, gate), sixth);
}

bool luna_tflite_op_hard_swish(LunaTfliteNode *node) {
  LunaTfliteScale in, out;
  MlirValue value;
  int8_t table[ENTRIES];
  if (!luna_tflite_value(node, 0, &value))
    return false;
  if (is_float(node))
    return luna_tflite_set(node, 0, hard_swish_float(node->builder, value));
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  float fine_scale = (1.0F / 128.0F) * in.scale;
  HardSwish params = {
      .output = luna_quantize_multiplier((double)(fine_scale / out.scale)),
      .relu =
          luna_quantize_multiplier((double)(fine_scale / (3.0F / 32768.0F))),
      .input_zp = in.zero_point,
      .output_zp = out.zero_point,
  };
  if (params.output.shift > 0 || params.relu.shift > 31)
    return luna_tflite_fail(node, "its input's scale is too large for its "
                                  "output's");
  for (int i = 0; i < ENTRIES; ++i)
    table[i] = hard_swish(&params, i + LOWEST);
  return luna_tflite_lookup8(node, table);
}

//===----------------------------------------------------------------------===//
// RELU, RELU6, RELU_N1_TO_1, RELU_0_TO_1
//===----------------------------------------------------------------------===//

bool luna_tflite_op_activation(LunaTfliteNode *node) {
  int64_t code = node->op->code;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  LunaTfliteScale in, out;
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  if (luna_tflite_is_quantized(output)) {
    if (!luna_tflite_scales(node, &in, &out))
      return false;
    if (!luna_tflite_same_scale(in, out) &&
        !luna_tflite_rescale_real(node, (double)(in.scale / out.scale),
                                  in.zero_point, out.zero_point,
                                  luna_element_of(value), &value))
      return false;
  }
  if (code == LUNA_TFLITE_OP_RELU_0_TO_1)
    return luna_tflite_set(node, 0,
                           luna_build_clamp_float(node->builder, value, 0, 1));
  int64_t activation = code == LUNA_TFLITE_OP_RELU ? LUNA_TFLITE_ACTIVATION_RELU
                       : code == LUNA_TFLITE_OP_RELU6
                           ? LUNA_TFLITE_ACTIVATION_RELU6
                           : LUNA_TFLITE_ACTIVATION_RELU_N1_TO_1;
  return luna_tflite_activate(node, output, activation, &value) &&
         luna_tflite_set(node, 0, value);
}

//===----------------------------------------------------------------------===//
// LEAKY_RELU, PRELU
//===----------------------------------------------------------------------===//

// Adds `value` where `sign` is at least 0 and `below` elsewhere.
static MlirValue choose(LunaBuilder *b, MlirValue sign, MlirValue value,
                        MlirValue below) {
  MlirType element = luna_element_of(sign);
  MlirValue zero = luna_build_const_like(b, sign, element, 0);
  return luna_build_select(
      b, luna_build_compare(b, "tosa.greater_equal", sign, zero), value, below);
}

bool luna_tflite_op_leaky_relu(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  float alpha = luna_tflite_option_f32(node, 0);
  LunaTfliteScale in, out;
  int8_t table[ENTRIES];
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  if (is_float(node)) {
    MlirValue factor = luna_build_const_like(b, value, b->f32, (double)alpha);
    MlirValue below = luna_build_binary(b, "tosa.mul", value, factor);
    return luna_tflite_set(node, 0, choose(b, value, value, below));
  }
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  LunaMultiplier above, below;
  double slope = (double)(in.scale * alpha / out.scale);
  if (!luna_tflite_multiplier(node, (double)(in.scale / out.scale), &above) ||
      !luna_tflite_multiplier(node, fabs(slope), &below))
    return false;
  below = luna_quantize_signed(slope);
  if (luna_tflite_input(node, 0)->type == LUNA_TFLITE_I16)
    return luna_tflite_leaky_relu_int16(node, above, below);
  for (int i = 0; i < ENTRIES; ++i) {
    int32_t input = (int32_t)(i + LOWEST - in.zero_point);
    int64_t scaled = luna_fixed_multiply(input, input >= 0 ? above : below);
    table[i] = clamp8(scaled + out.zero_point);
  }
  return luna_tflite_lookup8(node, table);
}

static bool prelu_quantized(LunaTfliteNode *node, MlirValue value,
                            MlirValue alpha) {
  LunaBuilder *b = node->builder;
  LunaTfliteScale in, slope, out;
  if (!luna_tflite_scales(node, &in, &out) ||
      !luna_tflite_scale(node, luna_tflite_input(node, 1), &slope))
    return false;
  MlirType element = luna_element_of(value);
  MlirValue wide = luna_tflite_widen(b, value, in.zero_point);
  MlirValue below = luna_build_binary(
      b, "tosa.mul", wide, luna_tflite_widen(b, alpha, slope.zero_point));
  MlirValue above = wide;
  double ratio = (double)in.scale / (double)out.scale;
  if (!luna_tflite_rescale_real(node, ratio, 0, out.zero_point, element,
                                &above) ||
      !luna_tflite_rescale_real(
          node, (double)in.scale * (double)slope.scale / (double)out.scale, 0,
          out.zero_point, element, &below))
    return false;
  return luna_tflite_set(node, 0, choose(b, wide, above, below));
}

bool luna_tflite_op_prelu(LunaTfliteNode *node) {
  MlirValue value, alpha;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_value(node, 1, &alpha))
    return false;
  const LunaTfliteTensor *slopes = luna_tflite_input(node, 1);
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  for (int64_t d = 1; d <= slopes->rank; ++d) {
    int64_t extent = slopes->shape[slopes->rank - d];
    if (extent != 1 &&
        (d > input->rank || extent != input->shape[input->rank - d]))
      return luna_tflite_fail(node, "slopes '%s' do not go with the input",
                              slopes->name);
  }
  if (!is_float(node))
    return prelu_quantized(node, value, alpha);
  if (slopes->type != LUNA_TFLITE_F32)
    return luna_tflite_fail(node, "slopes '%s' must be float32", slopes->name);
  MlirValue below = luna_build_binary(node->builder, "tosa.mul", value, alpha);
  return luna_tflite_set(node, 0, choose(node->builder, value, value, below));
}

//===----------------------------------------------------------------------===//
// Functions of one float
//===----------------------------------------------------------------------===//

bool luna_tflite_op_unary_float(LunaTfliteNode *node) {
  static const struct {
    int64_t code;
    const char *name;
  } names[] = {
      {8, "tosa.floor"},  {47, "tosa.exp"},  {59, "tosa.negate"},
      {66, "tosa.sin"},   {73, "tosa.log"},  {101, "tosa.abs"},
      {104, "tosa.ceil"}, {108, "tosa.cos"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (names[i].code != node->op->code)
      continue;
    if (names[i].code != 59)
      return apply_float(node, names[i].name);
    MlirValue value;
    if (!luna_tflite_value(node, 0, &value))
      return false;
    MlirValue zero =
        luna_build_const_like(node->builder, value, node->builder->f32, 0);
    return luna_tflite_set(
        node, 0, luna_build_binary(node->builder, "tosa.sub", zero, value));
  }
  return luna_tflite_fail(node, "is not a function of one element");
}
