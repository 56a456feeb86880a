#include <math.h>

#include "tflite_fixed.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"

// Functions of one element besides the activations: SQRT, RSQRT, SQUARE, ROUND,
// ELU and GELU on floats, ABS and RSQRT on integers, LEAKY_RELU on int16.

enum { ENTRIES = 256, LOWEST = -128 };

//===----------------------------------------------------------------------===//
// float32
//===----------------------------------------------------------------------===//

static MlirValue elu(LunaBuilder *b, MlirValue x) {
  MlirValue is_negative =
      luna_scalar_compare(b, LUNA_LT, x, luna_scalar_f32(b, 0));
  return luna_scalar_select(b, is_negative,
                            luna_scalar_unary(b, "math.expm1", x), x);
}

static MlirValue mul(LunaBuilder *b, MlirValue x, double factor) {
  return luna_scalar_mul(b, x, luna_scalar_f32(b, factor));
}

// x * (1 + erf(x / sqrt(2))) / 2, or with tanh in place of erf.
static MlirValue gelu(LunaBuilder *b, MlirValue x, bool by_tanh) {
  const double root_of_half = 0.70710678118654752, root = 0.79788456080286536;
  MlirValue argument = mul(b, x, root_of_half);
  if (by_tanh) {
    MlirValue cube = luna_scalar_mul(b, x, luna_scalar_mul(b, x, x));
    argument = luna_scalar_add(b, x, mul(b, cube, 0.044715));
    argument = mul(b, argument, root);
  }
  MlirValue shape =
      luna_scalar_unary(b, by_tanh ? "math.tanh" : "math.erf", argument);
  shape = luna_scalar_add(b, shape, luna_scalar_f32(b, 1));
  return luna_scalar_mul(b, mul(b, x, 0.5), shape);
}

static MlirValue sign(LunaBuilder *b, MlirValue x) {
  MlirValue zero = luna_scalar_f32(b, 0);
  MlirValue below =
      luna_scalar_select(b, luna_scalar_compare(b, LUNA_LT, x, zero),
                         luna_scalar_f32(b, -1), zero);
  return luna_scalar_select(b, luna_scalar_compare(b, LUNA_GT, x, zero),
                            luna_scalar_f32(b, 1), below);
}

static MlirValue apply(LunaTfliteNode *node, MlirValue x) {
  LunaBuilder *b = node->builder;
  switch (node->op->code) {
  case LUNA_TFLITE_OP_SQUARE:
    return luna_scalar_mul(b, x, x);
  case LUNA_TFLITE_OP_SIGN:
    return sign(b, x);
  case LUNA_TFLITE_OP_ROUND:
    return luna_scalar_unary(b, "math.roundeven", x);
  case LUNA_TFLITE_OP_ELU:
    return elu(b, x);
  case LUNA_TFLITE_OP_GELU:
    return gelu(b, x, luna_tflite_option_bool(node, 0));
  case LUNA_TFLITE_OP_RSQRT:
    return luna_scalar_div(b, luna_scalar_f32(b, 1),
                           luna_scalar_unary(b, "math.sqrt", x));
  default:
    return luna_scalar_unary(b, "math.sqrt", x);
  }
}

bool luna_tflite_op_map_float(LunaTfliteNode *node) {
  MlirValue value, x;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  if (luna_tflite_is_quantized(luna_tflite_input(node, 0)))
    return luna_tflite_elu_int8(node);
  LunaGeneric generic =
      luna_generic_map(node->builder, 1, &value, node->builder->f32, &x);
  return luna_tflite_set(node, 0, luna_generic_end(&generic, apply(node, x)));
}

//===----------------------------------------------------------------------===//
// int8: tables
//===----------------------------------------------------------------------===//

static int8_t clamp8(int64_t value) {
  return (int8_t)luna_fixed_saturate(value, 8);
}

// The table of the reference kernel comes from single-precision arithmetic.
bool luna_tflite_elu_int8(LunaTfliteNode *node) {
  LunaTfliteScale in, out;
  int8_t table[ENTRIES];
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  float steps = 1 / out.scale;
  for (int i = 0; i < ENTRIES; ++i) {
    float x = in.scale * (float)(i + LOWEST - in.zero_point);
    float y = x < 0 ? expf(x) - 1 : x;
    float rounded = roundf(y * steps) + (float)out.zero_point;
    table[i] = rounded > 127 ? 127 : clamp8((int64_t)fmaxf(rounded, -128));
  }
  return luna_tflite_lookup8(node, table);
}

static int8_t abs8(int32_t difference, LunaTfliteScale in,
                   LunaTfliteScale out) {
  int32_t value = difference < 0 ? -difference : difference;
  if (in.scale != out.scale)
    value = luna_fixed_multiply(
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
  return clamp8(luna_fixed_multiply(luna_fixed_multiply(1, root), by) +
                out.zero_point);
}

static bool abs_int16(LunaTfliteNode *node, LunaTfliteScale in,
                      LunaTfliteScale out) {
  LunaBuilder *b = node->builder;
  MlirType i32 = b->i32;
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &value, b->i16, &x);
  x = luna_scalar_resize(b, x, i32);
  x = luna_scalar_max(b, x, luna_scalar_sub(b, luna_scalar_i32(b, 0), x));
  if (in.scale != out.scale)
    x = luna_tflite_multiply(
        b, x, luna_quantize_multiplier((double)(in.scale / out.scale)));
  return luna_tflite_set(
      node, 0, luna_generic_end(&generic, luna_tflite_saturate(b, x, b->i16)));
}

bool luna_tflite_op_abs_rsqrt(LunaTfliteNode *node) {
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  LunaTfliteScale in, out;
  LunaMultiplier ratio;
  int8_t table[ENTRIES];
  if (input->type == LUNA_TFLITE_F32)
    return node->op->code == LUNA_TFLITE_OP_ABS
               ? luna_tflite_op_unary_float(node)
               : luna_tflite_op_map_float(node);
  if (!luna_tflite_scales(node, &in, &out) ||
      !luna_tflite_multiplier(node, (double)(in.scale / out.scale), &ratio))
    return false;
  bool is_abs = node->op->code == LUNA_TFLITE_OP_ABS;
  if (input->type == LUNA_TFLITE_I16)
    return abs_int16(node, in, out);
  for (int i = 0; i < ENTRIES; ++i) {
    int32_t difference = (int32_t)(i + LOWEST - in.zero_point);
    table[i] = is_abs ? abs8(difference, in, out) : rsqrt8(difference, in, out);
  }
  return luna_tflite_lookup8(node, table);
}

//===----------------------------------------------------------------------===//
// LEAKY_RELU on int16
//===----------------------------------------------------------------------===//

bool luna_tflite_leaky_relu_int16(LunaTfliteNode *node, LunaMultiplier above,
                                  LunaMultiplier below) {
  LunaBuilder *b = node->builder;
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value))
    return false;
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &value, b->i16, &x);
  MlirValue is_positive =
      luna_scalar_compare(b, LUNA_GE, x, luna_scalar_int(b, b->i16, 0));
  MlirValue result =
      luna_scalar_select(b, is_positive, luna_tflite_multiply(b, x, above),
                         luna_tflite_multiply(b, x, below));
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic, luna_tflite_saturate(b, result, b->i16)));
}
