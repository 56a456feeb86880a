#include "tflite_scalar.h"

// By halves: where the upper half is empty, the lower one moves up.
MlirValue luna_tflite_leading_zeros(const LunaBuilder *b, MlirValue x) {
  MlirValue zero = luna_scalar_i32(b, 0), count = zero;
  for (int bits = 16; bits > 0; bits /= 2) {
    MlirValue high = luna_scalar_with(b, "arith.shrui", x, 32 - bits);
    MlirValue by =
        luna_scalar_select(b, luna_scalar_compare(b, LUNA_EQ, high, zero),
                           luna_scalar_i32(b, bits), zero);
    count = luna_scalar_add(b, count, by);
    x = luna_scalar(b, "arith.shli", x, by);
  }
  return count;
}

// Adds a right shift by a constant that is rounded to nearest, ties up.
static MlirValue shift_right(const LunaBuilder *b, MlirValue value,
                             int amount) {
  value = luna_scalar_with(b, "arith.addi", value, INT64_C(1) << (amount - 1));
  return luna_scalar_with(b, "arith.shrsi", value, amount);
}

MlirValue luna_tflite_high_mul(const LunaBuilder *b, MlirValue x, MlirValue y) {
  MlirValue product = luna_scalar_mul(b, luna_scalar_resize(b, x, b->i64),
                                      luna_scalar_resize(b, y, b->i64));
  return luna_scalar_resize(b, shift_right(b, product, 31), b->i32);
}

MlirValue luna_tflite_multiply(const LunaBuilder *b, MlirValue value,
                               LunaMultiplier by) {
  int left = by.shift > 0 ? by.shift : 0, right = by.shift > 0 ? 0 : -by.shift;
  MlirValue factor = luna_scalar_int(b, b->i64, by.multiplier);
  value = luna_scalar_resize(b, value, b->i64);
  if (left > 0)
    value = luna_scalar_with(b, "arith.shli", value, left);
  value = shift_right(b, luna_scalar_mul(b, value, factor), 31);
  if (right > 0) {
    // Ties go away from zero.
    MlirValue sign = luna_scalar_with(b, "arith.shrsi", value, 63);
    value = shift_right(b, luna_scalar_add(b, value, sign), right);
  }
  return luna_scalar_resize(b, value, b->i32);
}

MlirValue luna_tflite_shift_down(const LunaBuilder *b, MlirValue value,
                                 MlirValue shift) {
  MlirType type = mlirValueGetType(value);
  MlirValue zero = luna_scalar_int(b, type, 0),
            one = luna_scalar_int(b, type, 1);
  MlirValue half = luna_scalar(b, "arith.shrui",
                               luna_scalar(b, "arith.shli", one, shift), one);
  MlirValue sign = luna_scalar_with(b, "arith.shrsi", value,
                                    mlirIntegerTypeGetWidth(type) - 1);
  // Where nothing is shifted, nothing is rounded.
  sign = luna_scalar_select(b, luna_scalar_compare(b, LUNA_EQ, shift, zero),
                            zero, sign);
  value = luna_scalar_add(b, luna_scalar_add(b, value, half), sign);
  return luna_scalar(b, "arith.shrsi", value, shift);
}

MlirValue luna_tflite_saturate(const LunaBuilder *b, MlirValue value,
                               MlirType element) {
  int64_t limit = INT64_C(1) << (mlirIntegerTypeGetWidth(element) - 1);
  return luna_scalar_resize(b, luna_scalar_clamp(b, value, -limit, limit - 1),
                            element);
}

MlirValue luna_tflite_requantize(const LunaBuilder *b, MlirValue value,
                                 LunaMultiplier by, int64_t zero_point,
                                 MlirType element) {
  value = luna_tflite_multiply(b, value, by);
  if (zero_point != 0)
    value = luna_scalar_with(b, "arith.addi", value, zero_point);
  return luna_tflite_saturate(b, value, element);
}
