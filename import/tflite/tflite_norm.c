#include "tflite_ops.h"
#include "tflite_scalar.h"

// L2_NORMALIZATION and LOG_SOFTMAX over the last dimension.

enum { ROOT_OF_HALF = 1518500250, ONE_Q28 = 1 << 28, SCALE_BITS = 7 };

static bool log_softmax_int8(LunaTfliteNode *node, MlirValue value) {
  enum { MAX_CLASSES = 1 << 11 };
  LunaTfliteScale in, out;
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  if (out.scale != 16.0F / 256.0F || out.zero_point != INT8_MAX)
    return luna_tflite_fail(node,
                            "output has scale %g and zero point %lld, needs "
                            "1/16 and 127",
                            (double)out.scale, (long long)out.zero_point);
  if (luna_extent(value, 1) >= MAX_CLASSES)
    return luna_tflite_fail(node, "supported are fewer than %d classes",
                            MAX_CLASSES);
  return luna_tflite_log_softmax_int8(node, value, in.scale);
}

bool luna_tflite_op_log_softmax(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  MlirValue value;
  if (!luna_tflite_rows(node, &value))
    return false;
  if (luna_tflite_input(node, 0)->type != LUNA_TFLITE_F32)
    return log_softmax_int8(node, value);
  MlirValue largest = luna_build_reduce(b, "tosa.reduce_max", value, 1);
  value = luna_build_binary(b, "tosa.sub", value, largest);
  MlirValue sum = luna_build_reduce(b, "tosa.reduce_sum",
                                    luna_build_unary(b, "tosa.exp", value), 1);
  return luna_tflite_set(
      node, 0,
      luna_build_binary(b, "tosa.sub", value,
                        luna_build_unary(b, "tosa.log", sum)));
}

//===----------------------------------------------------------------------===//
// L2_NORMALIZATION
//===----------------------------------------------------------------------===//

static MlirValue normalize_float(LunaBuilder *b, MlirValue value) {
  MlirValue squares = luna_build_binary(b, "tosa.mul", value, value), x[2];
  MlirValue sum = luna_build_reduce(b, "tosa.reduce_sum", squares, 1);
  LunaGeneric generic =
      luna_generic_map(b, 2, (MlirValue[]){value, sum}, b->f32, x);
  MlirValue norm = luna_scalar_max(b, luna_scalar_unary(b, "math.sqrt", x[1]),
                                   luna_scalar_f32(b, (double)1e-6F));
  return luna_generic_end(&generic, luna_scalar_div(b, x[0], norm));
}

// value * 2^bits; nothing saturates in the range of the steps below.
static MlirValue shift_left(LunaBuilder *b, MlirValue value, int bits) {
  return luna_scalar_with(b, "arith.shli", value, bits);
}

// What luna_fixed_inverse_sqrt computes for a sum of squares from 2 on: the
// multiplier, and how far its product is shifted right.
static void inverse_sqrt(LunaBuilder *b, MlirValue sum, MlirValue *multiplier,
                         MlirValue *shift) {
  // Pairs of bits that bring the sum to 2^27 and above, below 2^29.
  MlirValue zeros = luna_tflite_leading_zeros(b, sum);
  MlirValue pairs = luna_scalar_with(
      b, "arith.shrui", luna_scalar_with(b, "arith.subi", zeros, 1), 1);
  pairs = luna_scalar_with(b, "arith.subi", pairs, 1);
  MlirValue left = luna_scalar_with(b, "arith.maxsi", pairs, 0);
  // A sum of 2^29 and more is divided by 4 instead.
  MlirValue right = luna_scalar_sub(b, left, pairs);
  MlirValue x = luna_scalar(b, "arith.shrui", sum, shift_left(b, right, 1));
  x = luna_scalar(b, "arith.shli", x, shift_left(b, left, 1));
  x = luna_scalar_with(b, "arith.shrui", x, 1);
  MlirValue half = luna_scalar_with(b, "arith.shrui",
                                    luna_scalar_with(b, "arith.addi", x, 1), 1);
  MlirValue root = luna_scalar_i32(b, ONE_Q28);
  for (int i = 0; i < 5; ++i) {
    MlirValue square = luna_tflite_high_mul(b, root, root);
    MlirValue cube = shift_left(b, luna_tflite_high_mul(b, square, root), 6);
    root = shift_left(
        b,
        luna_scalar_sub(b,
                        luna_tflite_high_mul(
                            b, luna_scalar_i32(b, ONE_Q28 + ONE_Q28 / 2), root),
                        luna_tflite_high_mul(b, half, cube)),
        3);
  }
  root = luna_tflite_high_mul(b, root, luna_scalar_i32(b, ROOT_OF_HALF));
  *shift = luna_scalar_sub(b, luna_scalar_i32(b, 11), pairs);
  // A negative shift is one of the multiplier.
  MlirValue up = luna_scalar_with(
      b, "arith.maxsi", luna_scalar_sub(b, luna_scalar_i32(b, 0), *shift), 0);
  *multiplier = luna_scalar(b, "arith.shli", root, up);
  *shift = luna_scalar_with(b, "arith.maxsi", *shift, 0);
}

// value * multiplier * 2^(SCALE_BITS - shift - 31), rounded twice.
static MlirValue scale(LunaBuilder *b, MlirValue value, MlirValue multiplier,
                       MlirValue shift) {
  MlirValue zero = luna_scalar_i32(b, 0);
  MlirValue total = luna_scalar_sub(b, luna_scalar_i32(b, SCALE_BITS), shift);
  MlirValue left = luna_scalar_max(b, total, zero);
  MlirValue right = luna_scalar_sub(b, left, total);
  value = luna_tflite_high_mul(b, luna_scalar(b, "arith.shli", value, left),
                               multiplier);
  return luna_tflite_shift_down(b, value, right);
}

static MlirValue normalize_int8(LunaBuilder *b, MlirValue value,
                                int64_t zero_point) {
  MlirValue wide = luna_tflite_widen(b, value, zero_point);
  MlirValue squares = luna_build_binary(b, "tosa.mul", wide, wide);
  MlirValue sums = luna_build_reduce(b, "tosa.reduce_sum", squares, 1);
  // Multiplier and shift once per row.
  LunaGeneric per_row = luna_generic_over(b, sums);
  MlirValue sum = luna_generic_input(&per_row, sums), found[2];
  luna_generic_result(&per_row, b->i32);
  luna_generic_result(&per_row, b->i32);
  MlirValue is_small =
      luna_scalar_compare(b, LUNA_LE, sum, luna_scalar_i32(b, 1));
  inverse_sqrt(b, luna_scalar_with(b, "arith.maxsi", sum, 2), &found[0],
               &found[1]);
  found[0] =
      luna_scalar_select(b, is_small, luna_scalar_i32(b, INT32_MAX), found[0]);
  found[1] = luna_scalar_select(b, is_small, luna_scalar_i32(b, 0), found[1]);
  MlirOperation roots = luna_generic_close(&per_row, found);
  MlirValue all[3] = {wide, mlirOperationGetResult(roots, 0),
                      mlirOperationGetResult(roots, 1)};
  MlirValue x[3];
  LunaGeneric generic = luna_generic_map(b, 3, all, b->i8, x);
  return luna_generic_end(
      &generic, luna_tflite_saturate(b, scale(b, x[0], x[1], x[2]), b->i8));
}

bool luna_tflite_op_l2_normalization(LunaTfliteNode *node) {
  enum { ACTIVATION = 0 };
  LunaTfliteScale in, out;
  MlirValue value;
  if (luna_tflite_option_enum(node, ACTIVATION) != LUNA_TFLITE_ACTIVATION_NONE)
    return luna_tflite_fail(node, "a fused activation is not supported here");
  if (!luna_tflite_rows(node, &value))
    return false;
  if (luna_tflite_input(node, 0)->type == LUNA_TFLITE_F32)
    return luna_tflite_set(node, 0, normalize_float(node->builder, value));
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  if (out.scale != 1.0F / 128.0F || out.zero_point != 0)
    return luna_tflite_fail(node,
                            "output has scale %g and zero point %lld, needs "
                            "1/128 and 0",
                            (double)out.scale, (long long)out.zero_point);
  return luna_tflite_set(node, 0,
                         normalize_int8(node->builder, value, in.zero_point));
}
