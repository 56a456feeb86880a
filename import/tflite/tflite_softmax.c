#include <math.h>

#include "tflite_fixed.h"
#include "tflite_ops.h"

// SOFTMAX. The int8 form is TensorFlow Lite's reference kernel step by step in
// 32-bit TOSA: exponentials by table, their sum, its reciprocal by three steps
// of Newton and Raphson in fixed point, and a product per element.

enum { ENTRIES = 256, INTEGER_BITS = 5, SUM_BITS = 12 };

//===----------------------------------------------------------------------===//
// float32
//===----------------------------------------------------------------------===//

static MlirValue softmax_float(LunaBuilder *b, MlirValue value, float beta) {
  MlirType f32 = b->f32;
  MlirValue largest = luna_build_reduce(b, "tosa.reduce_max", value, 1);
  value = luna_build_binary(b, "tosa.sub", value, largest);
  if (beta != 1)
    value =
        luna_build_binary(b, "tosa.mul", value,
                          luna_build_const_like(b, value, f32, (double)beta));
  value = luna_build_unary(b, "tosa.exp", value);
  MlirValue sum = luna_build_reduce(b, "tosa.reduce_sum", value, 1);
  return luna_build_binary(b, "tosa.mul", value,
                           luna_build_unary(b, "tosa.reciprocal", sum));
}

//===----------------------------------------------------------------------===//
// int8
//===----------------------------------------------------------------------===//

static MlirValue binary(LunaBuilder *b, const char *name, MlirValue lhs,
                        MlirValue rhs) {
  return luna_build_binary(b, name, lhs, rhs);
}

static MlirValue constant(LunaBuilder *b, MlirValue like, int64_t value) {
  return luna_build_const_like(b, like, b->i32, (double)value);
}

// A right shift, rounded to nearest, ties up.
static MlirValue shift_right(LunaBuilder *b, MlirValue value,
                             MlirValue amount) {
  MlirValue operands[2] = {value, amount};
  LunaAttr round = {"round", mlirBoolAttrGet(b->context, true)};
  return luna_build_op(b, "tosa.arithmetic_right_shift",
                       mlirValueGetType(value), 2, operands, 1, &round);
}

// exp(diff) in Q0.31 for each difference from the largest, -255 to 0.
static void fill_exponentials(double beta, double scale,
                              int32_t table[ENTRIES]) {
  double real = beta * scale * (double)(1 << (31 - INTEGER_BITS));
  double most = (double)((INT64_C(1) << 31) - 1);
  LunaMultiplier by = luna_quantize_multiplier(real < most ? real : most);
  int32_t radius = luna_fixed_input_radius(INTEGER_BITS, by.shift);
  for (int i = 0; i < ENTRIES; ++i) {
    int32_t difference = i - (ENTRIES - 1);
    table[i] = difference < -radius
                   ? 0
                   : luna_fixed_exp(luna_fixed_multiply(difference, by));
  }
}

static MlirValue exponentials(LunaBuilder *b, MlirValue value,
                              const int32_t *table) {
  MlirValue wide = luna_build_cast(b, value, b->i32);
  MlirValue largest = luna_build_reduce(b, "tosa.reduce_max", value, 1);
  largest = luna_build_cast(b, largest, b->i32);
  MlirValue index = binary(b, "tosa.sub", wide, largest);
  index = binary(b, "tosa.add", index, constant(b, index, ENTRIES - 1));
  LunaShape shape = luna_shape_of(value);
  LunaShape flat = {2, {1, shape.dims[0] * shape.dims[1]}};
  LunaShape table_shape = {3, {1, ENTRIES, 1}};
  LunaShape found_shape = {3, {1, flat.dims[1], 1}};
  MlirValue operands[2] = {
      luna_build_data(b, luna_tensor_type(b->i32, &table_shape), table),
      luna_build_reshape(b, index, &flat)};
  MlirValue found =
      luna_build_op(b, "tosa.gather", luna_tensor_type(b->i32, &found_shape), 2,
                    operands, 0, NULL);
  return luna_build_reshape(b, found, &shape);
}

// 1 / ((1 + a) / 2) / 2 in Q0.31 for a = 2^31 (x - 1), x the sum shifted so
// that its highest bit is bit 31.
static MlirValue reciprocal(LunaBuilder *b, MlirValue shifted) {
  MlirValue one = constant(b, shifted, 1);
  // (a + 2^31) / 2: the sum shifted by one less, in 31 bits.
  MlirValue operands[2] = {shifted, one};
  MlirValue half =
      luna_build_op(b, "tosa.logical_right_shift", mlirValueGetType(shifted), 2,
                    operands, 0, NULL);
  MlirValue x =
      luna_build_mul_shift(b, half, constant(b, shifted, -1010580540), 31);
  x = binary(b, "tosa.add", x, constant(b, shifted, 1515870810));
  for (int i = 0; i < 3; ++i) {
    MlirValue rest = luna_build_mul_shift(b, half, x, 31);
    rest = binary(b, "tosa.sub", constant(b, shifted, 1 << 29), rest);
    MlirValue step = luna_build_mul_shift(b, x, rest, 31);
    step = binary(b, "tosa.logical_left_shift", step, constant(b, shifted, 2));
    x = binary(b, "tosa.add", x, step);
  }
  // x * 2, saturated.
  MlirValue most = constant(b, shifted, (1 << 30) - 1);
  return luna_build_select(b, luna_build_compare(b, "tosa.greater", x, most),
                           constant(b, shifted, INT32_MAX),
                           binary(b, "tosa.logical_left_shift", x, one));
}

// The leading zeros of a sum from 2^19 (one exponential of 1) to 2^31 - 1: one,
// and one more for each power of two above the sum. tosa.clz would do, but its
// lowering has no way on to LLVM.
static MlirValue leading_zeros(LunaBuilder *b, MlirValue sum) {
  enum { LOWEST = 20, HIGHEST = 30, COUNT = HIGHEST - LOWEST + 1 };
  int32_t powers[COUNT];
  LunaShape shape = {2, {1, COUNT}};
  for (int i = 0; i < COUNT; ++i)
    powers[i] = INT32_C(1) << (LOWEST + i);
  MlirValue above = luna_build_compare(
      b, "tosa.greater",
      luna_build_data(b, luna_tensor_type(b->i32, &shape), powers), sum);
  above = luna_build_cast(b, above, b->i32);
  MlirValue count = luna_build_reduce(b, "tosa.reduce_sum", above, 1);
  return binary(b, "tosa.add", count, constant(b, count, 1));
}

// The sums of exponentials, per row, in Q12.19.
static MlirValue sum_powers(LunaBuilder *b, MlirValue powers) {
  return luna_build_reduce(
      b, "tosa.reduce_sum",
      shift_right(b, powers, constant(b, powers, SUM_BITS)), 1);
}

MlirValue luna_tflite_sum_of_powers(LunaBuilder *b, MlirValue value,
                                    double scale) {
  int32_t table[ENTRIES];
  fill_exponentials(1, scale, table);
  return sum_powers(b, exponentials(b, value, table));
}

static MlirValue softmax_int8(LunaBuilder *b, MlirValue value,
                              const int32_t *table) {
  MlirValue powers = exponentials(b, value, table);
  MlirValue sum = sum_powers(b, powers);
  MlirValue zeros = leading_zeros(b, sum);
  MlirValue scale =
      reciprocal(b, binary(b, "tosa.logical_left_shift", sum, zeros));
  // The sum has SUM_BITS integer bits, less its leading zeros.
  MlirValue amount =
      binary(b, "tosa.sub", constant(b, zeros, SUM_BITS + 31 - 8), zeros);
  MlirValue result = luna_build_mul_shift(b, powers, scale, 31);
  result = shift_right(b, result, amount);
  result = binary(b, "tosa.sub", result, constant(b, result, 128));
  result = luna_build_clamp_int(b, result, -128, 127);
  return luna_build_cast(b, result, b->i8);
}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

static bool softmax_int16(LunaTfliteNode *node, MlirValue value,
                          LunaTfliteScale in, LunaTfliteScale out) {
  const double wanted = 1.0 / 32768;
  LunaMultiplier by;
  float beta = luna_tflite_option_f32(node, 0);
  if (fabs((double)out.scale - wanted) > 0.001 * wanted || !(beta > 0))
    return luna_tflite_fail(node,
                            "output has scale %g, needs 1/32768, and beta "
                            "must be positive",
                            (double)out.scale);
  if (luna_extent(value, 1) > INT16_MAX)
    return luna_tflite_fail(node, "more than %d classes are not supported",
                            INT16_MAX);
  return luna_tflite_multiplier(
             node, (double)in.scale * (double)beta / (10.0 / 65535.0), &by) &&
         luna_tflite_set(node, 0,
                         luna_tflite_softmax_int16(node->builder, value, by));
}

bool luna_tflite_op_softmax(LunaTfliteNode *node) {
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  LunaBuilder *b = node->builder;
  float beta = luna_tflite_option_f32(node, 0);
  MlirValue value;
  if (!luna_tflite_rows(node, &value))
    return false;
  if (input->type == LUNA_TFLITE_F32)
    return luna_tflite_set(node, 0, softmax_float(b, value, beta));
  LunaTfliteScale in, out;
  int32_t table[ENTRIES];
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  if (input->type == LUNA_TFLITE_I16)
    return softmax_int16(node, value, in, out);
  if (out.zero_point != -128 || out.scale != 1.0F / 256.0F)
    return luna_tflite_fail(node,
                            "output has scale %g and zero point %lld, "
                            "needs 1/256 and -128",
                            (double)out.scale, (long long)out.zero_point);
  if (luna_extent(value, 1) >= 1 << (SUM_BITS - 1) || !(beta > 0))
    return luna_tflite_fail(node,
                            "supported are fewer than %d classes and a "
                            "positive beta",
                            1 << (SUM_BITS - 1));
  fill_exponentials((double)beta, (double)in.scale, table);
  return luna_tflite_set(node, 0, softmax_int8(b, value, table));
}
