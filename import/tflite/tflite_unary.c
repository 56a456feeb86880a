#include <math.h>

#include "tflite_generic.h"
#include "tflite_ops.h"

// Functions of one element besides the activations: SQRT, RSQRT, SQUARE, ROUND,
// ELU and GELU on floats, ABS and RSQRT on integers, LEAKY_RELU on int16.

enum { CODE_RSQRT = 76, CODE_SQUARE = 92, CODE_ABS = 101 };
enum { CODE_ELU = 111, CODE_ROUND = 116, CODE_GELU = 150 };
enum { ENTRIES = 256, LOWEST = -128 };

//===----------------------------------------------------------------------===//
// float32
//===----------------------------------------------------------------------===//

static MlirValue elu(LunaTosaBuilder *builder, MlirValue x) {
  MlirValue is_negative =
      luna_scalar_compare(builder, LUNA_LT, x, luna_scalar_f32(builder, 0));
  return luna_scalar_select(builder, is_negative,
                            luna_scalar_unary(builder, "math.expm1", x), x);
}

static MlirValue mul(LunaTosaBuilder *builder, MlirValue x, double factor) {
  return luna_scalar(builder, "arith.mulf", x,
                     luna_scalar_f32(builder, factor));
}

// x * (1 + erf(x / sqrt(2))) / 2, or with tanh in place of erf.
static MlirValue gelu(LunaTosaBuilder *builder, MlirValue x, bool by_tanh) {
  const double root_of_half = 0.70710678118654752, root = 0.79788456080286536;
  MlirValue argument = mul(builder, x, root_of_half);
  if (by_tanh) {
    MlirValue cube = luna_scalar(builder, "arith.mulf", x,
                                 luna_scalar(builder, "arith.mulf", x, x));
    argument =
        luna_scalar(builder, "arith.addf", x, mul(builder, cube, 0.044715));
    argument = mul(builder, argument, root);
  }
  MlirValue shape =
      luna_scalar_unary(builder, by_tanh ? "math.tanh" : "math.erf", argument);
  shape =
      luna_scalar(builder, "arith.addf", shape, luna_scalar_f32(builder, 1));
  return luna_scalar(builder, "arith.mulf", mul(builder, x, 0.5), shape);
}

static MlirValue apply(LunaTfliteNode *node, MlirValue x) {
  LunaTosaBuilder *builder = node->builder;
  switch (node->op->code) {
  case CODE_SQUARE:
    return luna_scalar(builder, "arith.mulf", x, x);
  case CODE_ROUND:
    return luna_scalar_unary(builder, "math.roundeven", x);
  case CODE_ELU:
    return elu(builder, x);
  case CODE_GELU:
    return gelu(builder, x, luna_node_option_bool(node, 0));
  case CODE_RSQRT:
    return luna_scalar(builder, "arith.divf", luna_scalar_f32(builder, 1),
                       luna_scalar_unary(builder, "math.sqrt", x));
  default:
    return luna_scalar_unary(builder, "math.sqrt", x);
  }
}

bool luna_tfl_map_float(LunaTfliteNode *node) {
  MlirValue value;
  int64_t shape[LUNA_TOSA_MAX_RANK];
  if (!luna_node_value(node, 0, &value))
    return false;
  if (luna_tfl_is_quantized(luna_node_input(node, 0)))
    return luna_tfl_elu_int8(node);
  LunaGeneric generic =
      luna_generic(node->builder, luna_tosa_shape_of(value, shape), shape);
  MlirValue x = luna_generic_input(&generic, value);
  luna_generic_result(&generic, node->builder->f32);
  return luna_node_set(node, 0, luna_generic_end(&generic, apply(node, x)));
}

//===----------------------------------------------------------------------===//
// int8: tables
//===----------------------------------------------------------------------===//

static int8_t clamp8(int64_t value) {
  return (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
}

static bool read_scales(LunaTfliteNode *node, LunaTfliteScale *in,
                        LunaTfliteScale *out) {
  return luna_node_scale(node, luna_node_input(node, 0), in) &&
         luna_node_scale(node, luna_node_output(node, 0), out);
}

// The table of the reference kernel comes from single-precision arithmetic.
bool luna_tfl_elu_int8(LunaTfliteNode *node) {
  LunaTfliteScale in, out;
  int8_t table[ENTRIES];
  if (!read_scales(node, &in, &out))
    return false;
  float steps = 1 / out.scale;
  for (int i = 0; i < ENTRIES; ++i) {
    float x = in.scale * (float)(i + LOWEST - in.zero_point);
    float y = x < 0 ? expf(x) - 1 : x;
    float rounded = roundf(y * steps) + (float)out.zero_point;
    table[i] = rounded > 127 ? 127 : clamp8((int64_t)fmaxf(rounded, -128));
  }
  return luna_tfl_lookup8(node, table);
}

static int8_t abs8(int32_t difference, LunaTfliteScale in,
                   LunaTfliteScale out) {
  int32_t value = difference < 0 ? -difference : difference;
  if (in.scale != out.scale)
    value = luna_multiply(
        value, luna_quantize_multiplier((double)(in.scale / out.scale)));
  return clamp8(value + out.zero_point);
}

// 1 / sqrt(difference), in 20 more bits at first. Nothing is defined below the
// zero point; at it, and below, the result is the largest.
static int8_t rsqrt8(int32_t difference, LunaTfliteScale in,
                     LunaTfliteScale out) {
  enum { BITS = 20 };
  if (difference <= 0)
    return INT8_MAX;
  LunaMultiplier root = luna_fixed_inverse_sqrt(difference);
  LunaMultiplier by =
      luna_quantize_multiplier(1.0 / (double)(sqrtf(in.scale) * out.scale));
  root.shift += BITS;
  by.shift -= BITS;
  return clamp8(luna_multiply(luna_multiply(1, root), by) + out.zero_point);
}

static bool abs_int16(LunaTfliteNode *node, LunaTfliteScale in,
                      LunaTfliteScale out) {
  LunaTosaBuilder *builder = node->builder;
  MlirType i32 = builder->i32;
  MlirValue value;
  int64_t shape[LUNA_TOSA_MAX_RANK];
  if (!luna_node_value(node, 0, &value))
    return false;
  LunaGeneric generic =
      luna_generic(builder, luna_tosa_shape_of(value, shape), shape);
  MlirValue x = luna_generic_input(&generic, value);
  luna_generic_result(&generic, builder->i16);
  x = luna_scalar_resize(builder, x, i32);
  x = luna_scalar(
      builder, "arith.maxsi", x,
      luna_scalar(builder, "arith.subi", luna_scalar_int(builder, i32, 0), x));
  if (in.scale != out.scale)
    x = luna_scalar_multiply(
        builder, x, luna_quantize_multiplier((double)(in.scale / out.scale)));
  return luna_node_set(
      node, 0,
      luna_generic_end(&generic,
                       luna_scalar_saturate(builder, x, builder->i16)));
}

bool luna_tfl_abs_rsqrt(LunaTfliteNode *node) {
  const LunaTfliteTensor *input = luna_node_input(node, 0);
  LunaTfliteScale in, out;
  LunaMultiplier ratio;
  int8_t table[ENTRIES];
  if (input->type == LUNA_TFLITE_F32)
    return node->op->code == CODE_ABS ? luna_tfl_unary_float(node)
                                      : luna_tfl_map_float(node);
  if (!read_scales(node, &in, &out) ||
      !luna_node_multiplier(node, (double)(in.scale / out.scale), &ratio))
    return false;
  bool is_abs = node->op->code == CODE_ABS;
  if (input->type == LUNA_TFLITE_I16)
    return abs_int16(node, in, out);
  for (int i = 0; i < ENTRIES; ++i) {
    int32_t difference = (int32_t)(i + LOWEST - in.zero_point);
    table[i] = is_abs ? abs8(difference, in, out) : rsqrt8(difference, in, out);
  }
  return luna_tfl_lookup8(node, table);
}

//===----------------------------------------------------------------------===//
// LEAKY_RELU on int16
//===----------------------------------------------------------------------===//

bool luna_tfl_leaky_relu_int16(LunaTfliteNode *node, LunaMultiplier above,
                               LunaMultiplier below) {
  LunaTosaBuilder *builder = node->builder;
  MlirValue value;
  int64_t shape[LUNA_TOSA_MAX_RANK];
  if (!luna_node_value(node, 0, &value))
    return false;
  LunaGeneric generic =
      luna_generic(builder, luna_tosa_shape_of(value, shape), shape);
  MlirValue x = luna_generic_input(&generic, value);
  luna_generic_result(&generic, builder->i16);
  MlirValue is_positive = luna_scalar_compare(
      builder, LUNA_GE, x, luna_scalar_int(builder, builder->i16, 0));
  MlirValue result = luna_scalar_select(
      builder, is_positive, luna_scalar_multiply(builder, x, above),
      luna_scalar_multiply(builder, x, below));
  return luna_node_set(
      node, 0,
      luna_generic_end(&generic,
                       luna_scalar_saturate(builder, result, builder->i16)));
}
