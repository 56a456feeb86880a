#include "tflite_generic.h"
#include "tflite_ops.h"

// LOG_SOFTMAX on int8, the reference kernel step by step: the logarithm of the
// sum of exponentials in fixed point, once per row, and a difference per
// element.

enum { ENTRIES = 256, INTEGER_BITS = 5, SUM_BITS = 12, LOG_BITS = 6 };
enum { LOG_2 = 1488522236, ROOT_OF_HALF = 1518500250 };
enum { FOURTH_ROOT_OF_HALF = 1805811301, QUARTER = 1 << (29 - LOG_BITS) };

static MlirValue int32(LunaTosaBuilder *builder, int64_t value) {
  return luna_scalar_int(builder, builder->i32, value);
}

static MlirValue op(LunaTosaBuilder *builder, const char *name, MlirValue a,
                    MlirValue b) {
  return luna_scalar(builder, name, a, b);
}

static MlirValue add(LunaTosaBuilder *builder, MlirValue a, MlirValue b) {
  return luna_scalar(builder, "arith.addi", a, b);
}

static MlirValue mul(LunaTosaBuilder *builder, MlirValue a, MlirValue b) {
  return luna_scalar_high_mul(builder, a, b);
}

static MlirValue mul_by(LunaTosaBuilder *builder, MlirValue a, int64_t b) {
  return luna_scalar_high_mul(builder, a, int32(builder, b));
}

// value * 2^bits for a value of 0 and more, saturated.
static MlirValue shift_up(LunaTosaBuilder *builder, MlirValue value,
                          MlirValue bits) {
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  value = op(builder, "arith.shli", luna_scalar_resize(builder, value, i64),
             luna_scalar_resize(builder, bits, i64));
  value = op(builder, "arith.minsi", value,
             luna_scalar_int(builder, i64, INT32_MAX));
  return luna_scalar_resize(builder, value, builder->i32);
}

// value / 2^bits, rounded to nearest, ties away from zero.
static MlirValue shift_down(LunaTosaBuilder *builder, MlirValue value,
                            int bits) {
  MlirValue sign = op(builder, "arith.shrsi", value, int32(builder, 31));
  value = add(builder, add(builder, value, sign),
              int32(builder, INT64_C(1) << (bits - 1)));
  return op(builder, "arith.shrsi", value, int32(builder, bits));
}

// (a + b) / 2 for a sum of 0 and more, ties up.
static MlirValue half_sum(LunaTosaBuilder *builder, MlirValue a, int64_t b) {
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  a = luna_scalar_resize(builder, a, i64);
  a = add(builder, a, luna_scalar_int(builder, i64, b + 1));
  a = op(builder, "arith.shrsi", a, luna_scalar_int(builder, i64, 1));
  return luna_scalar_resize(builder, a, builder->i32);
}

// 1 / (1 + a), as luna_fixed_reciprocal.
static MlirValue reciprocal(LunaTosaBuilder *builder, MlirValue a) {
  MlirValue half = half_sum(builder, a, INT32_MAX);
  MlirValue x = add(builder, int32(builder, 1515870810),
                    mul_by(builder, half, -1010580540));
  for (int i = 0; i < 3; ++i) {
    MlirValue rest = op(builder, "arith.subi", int32(builder, 1 << 29),
                        mul(builder, half, x));
    MlirValue step =
        op(builder, "arith.shli", mul(builder, x, rest), int32(builder, 2));
    x = add(builder, x, step);
  }
  return shift_up(builder, x, int32(builder, 1));
}

// How many powers of two the logarithm is, in Q6.25.
static MlirValue powers(LunaTosaBuilder *builder, MlirValue headroom,
                        int64_t more) {
  MlirValue count =
      op(builder, "arith.subi", int32(builder, SUM_BITS), headroom);
  count = op(builder, "arith.shli", count, int32(builder, 31 - LOG_BITS));
  return add(builder, count, int32(builder, more));
}

// log(sum) in Q5.26 of a sum of 1 and more in Q12.19: a power of two times a
// number near the fourth root of a half, of which a quotient of polynomials
// gives the logarithm.
static MlirValue logarithm(LunaTosaBuilder *builder, MlirValue sum) {
  MlirValue one = int32(builder, 1);
  MlirValue zeros = luna_scalar_leading_zeros(builder, sum);
  MlirValue first =
      shift_up(builder, sum, op(builder, "arith.subi", zeros, one));
  first = shift_up(builder, mul_by(builder, first, ROOT_OF_HALF), one);
  MlirValue smaller = mul_by(builder, sum, ROOT_OF_HALF);
  MlirValue headroom = op(builder, "arith.subi",
                          luna_scalar_leading_zeros(builder, smaller), one);
  MlirValue second = shift_up(builder, sum, headroom);
  MlirValue power = op(builder, "arith.maxsi", powers(builder, zeros, QUARTER),
                       powers(builder, headroom, -QUARTER));
  MlirValue r = op(builder, "arith.minsi", first, second);
  MlirValue p = half_sum(builder, r, FOURTH_ROOT_OF_HALF);
  MlirValue q =
      op(builder, "arith.subi", r, int32(builder, FOURTH_ROOT_OF_HALF));
  q = add(builder, q, q);
  MlirValue square = mul(builder, q, q);
  MlirValue above = add(builder, mul(builder, q, r),
                        mul_by(builder, mul(builder, q, square), 117049297));
  MlirValue inner = add(builder, add(builder, int32(builder, 1057819769), q),
                        mul_by(builder, square, 127690142));
  MlirValue below =
      add(builder, mul(builder, p, inner), mul_by(builder, q, 638450708));
  MlirValue value = add(builder, mul_by(builder, power, LOG_2),
                        mul(builder, shift_down(builder, above, LOG_BITS),
                            reciprocal(builder, below)));
  return op(builder, "arith.shli", value, one);
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
    return luna_node_fail(node, "its input has too small a scale");
  logs->reverse = luna_quantize_multiplier(
      (double)(INT64_C(1) << (31 - logs->input.shift)) /
      (double)logs->input.multiplier);
  logs->least = -luna_input_radius(INTEGER_BITS, logs->input.shift);
  return true;
}

// The sums' logarithms, and the least differences that they leave.
static MlirOperation per_row(LunaTosaBuilder *builder, MlirValue sums,
                             const LogScale *logs) {
  int64_t shape[2];
  MlirValue results[2];
  luna_tosa_shape_of(sums, shape);
  LunaGeneric generic = luna_generic(builder, 2, shape);
  MlirValue sum = luna_generic_input(&generic, sums);
  luna_generic_result(&generic, builder->i32);
  luna_generic_result(&generic, builder->i32);
  results[0] = logarithm(builder, sum);
  MlirValue lowest = add(builder, results[0], int32(builder, INT32_MIN));
  results[1] = op(builder, "arith.maxsi", int32(builder, logs->least - 1),
                  luna_scalar_multiply(builder, lowest, logs->reverse));
  return luna_generic_close(&generic, results);
}

bool luna_tfl_log_softmax_int8(LunaTfliteNode *node, MlirValue value,
                               float scale) {
  LunaTosaBuilder *builder = node->builder;
  LogScale logs = {.least = 0};
  int64_t shape[2];
  if (!read_scale(node, scale, &logs))
    return false;
  luna_tosa_shape_of(value, shape);
  MlirValue sums = luna_tfl_sum_of_powers(builder, value, (double)scale);
  MlirValue largest = luna_tosa_reduce(builder, "tosa.reduce_max", value, 1);
  MlirOperation rows = per_row(builder, sums, &logs);
  LunaGeneric generic = luna_generic(builder, 2, shape);
  MlirValue x = luna_generic_input(&generic, value);
  MlirValue most = luna_generic_input(&generic, largest);
  MlirValue log = luna_generic_input(&generic, mlirOperationGetResult(rows, 0));
  MlirValue least =
      luna_generic_input(&generic, mlirOperationGetResult(rows, 1));
  luna_generic_result(&generic, builder->i8);
  x = op(builder, "arith.subi", luna_scalar_resize(builder, x, builder->i32),
         luna_scalar_resize(builder, most, builder->i32));
  MlirValue counts = luna_scalar_compare(builder, LUNA_GT, x, least);
  x = luna_scalar_multiply(builder, x, logs.input);
  x = shift_down(builder, op(builder, "arith.subi", x, log), 31 - 5 - 4);
  x = add(builder, x, int32(builder, INT8_MAX));
  x = luna_scalar_saturate(builder, x, builder->i8);
  return luna_node_set(
      node, 0,
      luna_generic_end(
          &generic,
          luna_scalar_select(builder, counts, x,
                             luna_scalar_int(builder, builder->i8, INT8_MIN))));
}
