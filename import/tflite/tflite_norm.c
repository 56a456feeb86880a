#include "tflite_generic.h"
#include "tflite_ops.h"

// L2_NORMALIZATION and LOG_SOFTMAX over the last dimension.

enum { ROOT_OF_HALF = 1518500250, ONE_Q28 = 1 << 28, SCALE_BITS = 7 };

// Makes the value rows of its last dimension.
static bool read_rows(LunaTfliteNode *node, MlirValue *value) {
  const LunaTfliteTensor *input = luna_node_input(node, 0);
  if (!luna_node_value(node, 0, value))
    return false;
  if (input->rank < 1)
    return luna_node_fail(node, "needs at least one dimension");
  int64_t length = input->shape[input->rank - 1];
  int64_t shape[2] = {input->element_count / length, length};
  *value = luna_tosa_reshape(node->builder, *value, 2, shape);
  return true;
}

static bool log_softmax_int8(LunaTfliteNode *node, MlirValue value) {
  enum { MAX_CLASSES = 1 << 11 };
  LunaTfliteScale in, out;
  if (!luna_node_scale(node, luna_node_input(node, 0), &in) ||
      !luna_node_scale(node, luna_node_output(node, 0), &out))
    return false;
  if (out.scale != 16.0F / 256.0F || out.zero_point != INT8_MAX)
    return luna_node_fail(node,
                          "output has scale %g and zero point %lld, needs "
                          "1/16 and 127",
                          (double)out.scale, (long long)out.zero_point);
  if (luna_tosa_extent(value, 1) >= MAX_CLASSES)
    return luna_node_fail(node, "supported are fewer than %d classes",
                          MAX_CLASSES);
  return luna_tfl_log_softmax_int8(node, value, in.scale);
}

bool luna_tfl_log_softmax(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  MlirType f32 = builder->f32;
  MlirValue value;
  if (!read_rows(node, &value))
    return false;
  if (luna_node_input(node, 0)->type != LUNA_TFLITE_F32)
    return log_softmax_int8(node, value);
  MlirValue largest = luna_tosa_reduce(builder, "tosa.reduce_max", value, 1);
  value = luna_tosa_binary(builder, "tosa.sub", value, largest, f32);
  MlirValue sum =
      luna_tosa_reduce(builder, "tosa.reduce_sum",
                       luna_tosa_unary(builder, "tosa.exp", value), 1);
  return luna_node_set(
      node, 0,
      luna_tosa_binary(builder, "tosa.sub", value,
                       luna_tosa_unary(builder, "tosa.log", sum), f32));
}

//===----------------------------------------------------------------------===//
// L2_NORMALIZATION
//===----------------------------------------------------------------------===//

static MlirValue normalize_float(LunaTosaBuilder *builder, MlirValue value) {
  int64_t shape[2];
  MlirValue squares =
      luna_tosa_binary(builder, "tosa.mul", value, value, builder->f32);
  MlirValue sum = luna_tosa_reduce(builder, "tosa.reduce_sum", squares, 1);
  luna_tosa_shape_of(value, shape);
  LunaGeneric generic = luna_generic(builder, 2, shape);
  MlirValue x = luna_generic_input(&generic, value);
  MlirValue norm = luna_generic_input(&generic, sum);
  luna_generic_result(&generic, builder->f32);
  norm = luna_scalar(builder, "arith.maximumf",
                     luna_scalar_unary(builder, "math.sqrt", norm),
                     luna_scalar_f32(builder, (double)1e-6F));
  return luna_generic_end(&generic,
                          luna_scalar(builder, "arith.divf", x, norm));
}

static MlirValue int32(LunaTosaBuilder *builder, int64_t value) {
  return luna_scalar_int(builder, builder->i32, value);
}

static MlirValue op(LunaTosaBuilder *builder, const char *name, MlirValue a,
                    MlirValue b) {
  return luna_scalar(builder, name, a, b);
}

// value * 2^bits; nothing saturates in the range of the steps below.
static MlirValue shift_left(LunaTosaBuilder *builder, MlirValue value,
                            int bits) {
  return op(builder, "arith.shli", value, int32(builder, bits));
}

// What luna_fixed_inverse_sqrt computes for a sum of squares from 2 on: the
// multiplier, and how far its product is shifted right.
static void inverse_sqrt(LunaTosaBuilder *builder, MlirValue sum,
                         MlirValue *multiplier, MlirValue *shift) {
  // Pairs of bits that bring the sum to 2^27 and above, below 2^29.
  MlirValue zeros = luna_scalar_leading_zeros(builder, sum);
  MlirValue pairs = op(builder, "arith.shrui",
                       op(builder, "arith.subi", zeros, int32(builder, 1)),
                       int32(builder, 1));
  pairs = op(builder, "arith.subi", pairs, int32(builder, 1));
  MlirValue left = op(builder, "arith.maxsi", pairs, int32(builder, 0));
  // A sum of 2^29 and more is divided by 4 instead.
  MlirValue right = op(builder, "arith.subi", left, pairs);
  MlirValue x = op(builder, "arith.shrui", sum, shift_left(builder, right, 1));
  x = op(builder, "arith.shli", x, shift_left(builder, left, 1));
  x = op(builder, "arith.shrui", x, int32(builder, 1));
  MlirValue half =
      op(builder, "arith.shrui",
         op(builder, "arith.addi", x, int32(builder, 1)), int32(builder, 1));
  MlirValue root = int32(builder, ONE_Q28);
  for (int i = 0; i < 5; ++i) {
    MlirValue square = luna_scalar_high_mul(builder, root, root);
    MlirValue cube =
        shift_left(builder, luna_scalar_high_mul(builder, square, root), 6);
    root =
        shift_left(builder,
                   op(builder, "arith.subi",
                      luna_scalar_high_mul(
                          builder, int32(builder, ONE_Q28 + ONE_Q28 / 2), root),
                      luna_scalar_high_mul(builder, half, cube)),
                   3);
  }
  root = luna_scalar_high_mul(builder, root, int32(builder, ROOT_OF_HALF));
  *shift = op(builder, "arith.subi", int32(builder, 11), pairs);
  // A negative shift is one of the multiplier.
  MlirValue up = op(builder, "arith.maxsi",
                    op(builder, "arith.subi", int32(builder, 0), *shift),
                    int32(builder, 0));
  *multiplier = op(builder, "arith.shli", root, up);
  *shift = op(builder, "arith.maxsi", *shift, int32(builder, 0));
}

// value * multiplier * 2^(SCALE_BITS - shift - 31), rounded twice.
static MlirValue scale(LunaTosaBuilder *builder, MlirValue value,
                       MlirValue multiplier, MlirValue shift) {
  MlirValue zero = int32(builder, 0), one = int32(builder, 1);
  MlirValue total =
      op(builder, "arith.subi", int32(builder, SCALE_BITS), shift);
  MlirValue left = op(builder, "arith.maxsi", total, zero);
  MlirValue right = op(builder, "arith.subi", left, total);
  value = luna_scalar_high_mul(builder, op(builder, "arith.shli", value, left),
                               multiplier);
  // Ties go away from zero; where nothing is shifted, nothing is rounded.
  MlirValue half =
      op(builder, "arith.shrui", op(builder, "arith.shli", one, right), one);
  MlirValue sign = op(builder, "arith.shrsi", value, int32(builder, 31));
  sign = luna_scalar_select(
      builder, luna_scalar_compare(builder, LUNA_EQ, right, zero), zero, sign);
  value =
      op(builder, "arith.addi", op(builder, "arith.addi", value, half), sign);
  return op(builder, "arith.shrsi", value, right);
}

static MlirValue normalize_int8(LunaTosaBuilder *builder, MlirValue value,
                                int64_t zero_point) {
  int64_t shape[2];
  MlirValue wide = luna_tosa_widen(builder, value, zero_point);
  MlirValue squares =
      luna_tosa_binary(builder, "tosa.mul", wide, wide, builder->i32);
  MlirValue sums = luna_tosa_reduce(builder, "tosa.reduce_sum", squares, 1);
  luna_tosa_shape_of(value, shape);
  // Multiplier and shift once per row.
  int64_t rows[2] = {shape[0], 1};
  LunaGeneric per_row = luna_generic(builder, 2, rows);
  MlirValue sum = luna_generic_input(&per_row, sums), found[2];
  luna_generic_result(&per_row, builder->i32);
  luna_generic_result(&per_row, builder->i32);
  MlirValue is_small =
      luna_scalar_compare(builder, LUNA_LE, sum, int32(builder, 1));
  inverse_sqrt(builder, op(builder, "arith.maxsi", sum, int32(builder, 2)),
               &found[0], &found[1]);
  found[0] = luna_scalar_select(builder, is_small, int32(builder, INT32_MAX),
                                found[0]);
  found[1] = luna_scalar_select(builder, is_small, int32(builder, 0), found[1]);
  MlirOperation roots = luna_generic_close(&per_row, found);
  LunaGeneric generic = luna_generic(builder, 2, shape);
  MlirValue x = luna_generic_input(&generic, wide);
  MlirValue multiplier =
      luna_generic_input(&generic, mlirOperationGetResult(roots, 0));
  MlirValue shift =
      luna_generic_input(&generic, mlirOperationGetResult(roots, 1));
  luna_generic_result(&generic, builder->i8);
  x = scale(builder, x, multiplier, shift);
  return luna_generic_end(&generic,
                          luna_scalar_saturate(builder, x, builder->i8));
}

bool luna_tfl_l2_normalization(LunaTfliteNode *node) {
  enum { ACTIVATION = 0 };
  LunaTfliteScale in, out;
  MlirValue value;
  if (luna_node_option_enum(node, ACTIVATION) != LUNA_TFLITE_ACTIVATION_NONE)
    return luna_node_fail(node, "a fused activation is not supported here");
  if (!read_rows(node, &value))
    return false;
  if (luna_node_input(node, 0)->type == LUNA_TFLITE_F32)
    return luna_node_set(node, 0, normalize_float(node->builder, value));
  if (!luna_node_scale(node, luna_node_input(node, 0), &in) ||
      !luna_node_scale(node, luna_node_output(node, 0), &out))
    return false;
  if (out.scale != 1.0F / 128.0F || out.zero_point != 0)
    return luna_node_fail(node,
                          "output has scale %g and zero point %lld, needs "
                          "1/128 and 0",
                          (double)out.scale, (long long)out.zero_point);
  return luna_node_set(node, 0,
                       normalize_int8(node->builder, value, in.zero_point));
}
