#include "tflite_fixed.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"

// LOG_SOFTMAX on int8, the reference kernel step by step: the logarithm of the
// sum of exponentials in fixed point, once per row, and a difference per
// element.

enum { ENTRIES = 256, INTEGER_BITS = 5, SUM_BITS = 12, LOG_BITS = 6 };
enum { LOG_2 = 1488522236, ROOT_OF_HALF = 1518500250 };
enum { FOURTH_ROOT_OF_HALF = 1805811301, QUARTER = 1 << (29 - LOG_BITS) };

static MlirValue mul_by(LunaBuilder *b, MlirValue x, int64_t y) {
  return luna_tflite_high_mul(b, x, luna_scalar_i32(b, y));
}

// value * 2^bits for a value of 0 and more, saturated.
static MlirValue shift_up(LunaBuilder *b, MlirValue value, MlirValue bits) {
  value = luna_scalar(b, "arith.shli", luna_scalar_resize(b, value, b->i64),
                      luna_scalar_resize(b, bits, b->i64));
  value = luna_scalar_with(b, "arith.minsi", value, INT32_MAX);
  return luna_scalar_resize(b, value, b->i32);
}

// value / 2^bits, rounded to nearest, ties away from zero.
static MlirValue shift_down(LunaBuilder *b, MlirValue value, int bits) {
  MlirValue sign = luna_scalar_with(b, "arith.shrsi", value, 31);
  value = luna_scalar_with(b, "arith.addi", luna_scalar_add(b, value, sign),
                           INT64_C(1) << (bits - 1));
  return luna_scalar_with(b, "arith.shrsi", value, bits);
}

// (x + y) / 2 for a sum of 0 and more, ties up.
static MlirValue half_sum(LunaBuilder *b, MlirValue x, int64_t y) {
  x = luna_scalar_resize(b, x, b->i64);
  x = luna_scalar_with(b, "arith.addi", x, y + 1);
  x = luna_scalar_with(b, "arith.shrsi", x, 1);
  return luna_scalar_resize(b, x, b->i32);
}

// 1 / (1 + a), as luna_fixed_reciprocal.
static MlirValue reciprocal(LunaBuilder *b, MlirValue a) {
  MlirValue half = half_sum(b, a, INT32_MAX);
  MlirValue x = luna_scalar_add(b, luna_scalar_i32(b, 1515870810),
                                mul_by(b, half, -1010580540));
  for (int i = 0; i < 3; ++i) {
    MlirValue rest = luna_scalar_sub(b, luna_scalar_i32(b, 1 << 29),
                                     luna_tflite_high_mul(b, half, x));
    MlirValue step =
        luna_scalar_with(b, "arith.shli", luna_tflite_high_mul(b, x, rest), 2);
    x = luna_scalar_add(b, x, step);
  }
  return shift_up(b, x, luna_scalar_i32(b, 1));
}

// How many powers of two the logarithm is, in Q6.25.
static MlirValue powers(LunaBuilder *b, MlirValue headroom, int64_t more) {
  MlirValue count = luna_scalar_sub(b, luna_scalar_i32(b, SUM_BITS), headroom);
  count = luna_scalar_with(b, "arith.shli", count, 31 - LOG_BITS);
  return luna_scalar_with(b, "arith.addi", count, more);
}

// log(sum) in Q5.26 of a sum of 1 and more in Q12.19: a power of two times a
// number near the fourth root of a half, of which a quotient of polynomials
// gives the logarithm.
static MlirValue logarithm(LunaBuilder *b, MlirValue sum) {
  MlirValue one = luna_scalar_i32(b, 1);
  MlirValue zeros = luna_tflite_leading_zeros(b, sum);
  MlirValue first = shift_up(b, sum, luna_scalar_sub(b, zeros, one));
  first = shift_up(b, mul_by(b, first, ROOT_OF_HALF), one);
  MlirValue smaller = mul_by(b, sum, ROOT_OF_HALF);
  MlirValue headroom =
      luna_scalar_sub(b, luna_tflite_leading_zeros(b, smaller), one);
  MlirValue second = shift_up(b, sum, headroom);
  MlirValue power = luna_scalar_max(b, powers(b, zeros, QUARTER),
                                    powers(b, headroom, -QUARTER));
  MlirValue r = luna_scalar_min(b, first, second);
  MlirValue p = half_sum(b, r, FOURTH_ROOT_OF_HALF);
  MlirValue q = luna_scalar_with(b, "arith.subi", r, FOURTH_ROOT_OF_HALF);
  q = luna_scalar_add(b, q, q);
  MlirValue square = luna_tflite_high_mul(b, q, q);
  MlirValue above =
      luna_scalar_add(b, luna_tflite_high_mul(b, q, r),
                      mul_by(b, luna_tflite_high_mul(b, q, square), 117049297));
  MlirValue inner =
      luna_scalar_add(b, luna_scalar_add(b, luna_scalar_i32(b, 1057819769), q),
                      mul_by(b, square, 127690142));
  MlirValue below = luna_scalar_add(b, luna_tflite_high_mul(b, p, inner),
                                    mul_by(b, q, 638450708));
  MlirValue value =
      luna_scalar_add(b, mul_by(b, power, LOG_2),
                      luna_tflite_high_mul(b, shift_down(b, above, LOG_BITS),
                                           reciprocal(b, below)));
  return luna_scalar(b, "arith.shli", value, one);
}

typedef struct LogScale {
  LunaMultiplier input, reverse;
  int32_t least; ///< of the differences that count
} LogScale;

static bool read_scale(LunaTfliteNode *node, float scale, LogScale *logs) {
  double real = (double)scale * (double)(1 << (31 - INTEGER_BITS));
  double most = (double)((INT64_C(1) << 31) - 1);
  logs->input = luna_quantize_multiplier(real < most ? real : most);
  if (logs->input.shift < 1)
    return luna_tflite_fail(node, "its input has too small a scale");
  logs->reverse = luna_quantize_multiplier(
      (double)(INT64_C(1) << (31 - logs->input.shift)) /
      (double)logs->input.multiplier);
  logs->least = -luna_fixed_input_radius(INTEGER_BITS, logs->input.shift);
  return true;
}

// The sums' logarithms, and the least differences that they leave.
static MlirOperation per_row(LunaBuilder *b, MlirValue sums,
                             const LogScale *logs) {
  MlirValue results[2];
  LunaGeneric generic = luna_generic_over(b, sums);
  MlirValue sum = luna_generic_input(&generic, sums);
  luna_generic_result(&generic, b->i32);
  luna_generic_result(&generic, b->i32);
  results[0] = logarithm(b, sum);
  MlirValue lowest = luna_scalar_with(b, "arith.addi", results[0], INT32_MIN);
  results[1] = luna_scalar_max(b, luna_scalar_i32(b, logs->least - 1),
                               luna_tflite_multiply(b, lowest, logs->reverse));
  return luna_generic_close(&generic, results);
}

bool luna_tflite_log_softmax_int8(LunaTfliteNode *node, MlirValue value,
                                  float scale) {
  LunaBuilder *b = node->builder;
  LogScale logs = {.least = 0};
  if (!read_scale(node, scale, &logs))
    return false;
  MlirValue sums = luna_tflite_sum_of_powers(b, value, (double)scale);
  MlirValue largest = luna_build_reduce(b, "tosa.reduce_max", value, 1);
  MlirOperation rows = per_row(b, sums, &logs);
  MlirValue all[4] = {value, largest, mlirOperationGetResult(rows, 0),
                      mlirOperationGetResult(rows, 1)};
  MlirValue in[4];
  LunaGeneric generic = luna_generic_map(b, 4, all, b->i8, in);
  MlirValue x = luna_scalar_sub(b, luna_scalar_resize(b, in[0], b->i32),
                                luna_scalar_resize(b, in[1], b->i32));
  MlirValue counts = luna_scalar_compare(b, LUNA_GT, x, in[3]);
  x = luna_tflite_multiply(b, x, logs.input);
  x = shift_down(b, luna_scalar_sub(b, x, in[2]), 31 - 5 - 4);
  x = luna_scalar_with(b, "arith.addi", x, INT8_MAX);
  x = luna_tflite_saturate(b, x, b->i8);
  return luna_tflite_set(
      node, 0,
      luna_generic_end(
          &generic, luna_scalar_select(b, counts, x,
                                       luna_scalar_int(b, b->i8, INT8_MIN))));
}
