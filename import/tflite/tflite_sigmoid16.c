#include <math.h>

#include "tflite_ops.h"
#include "tflite_wide.h"

// LOGISTIC and TANH on int16, as LOGISTIC and TANH and inside of the LSTM:
// a table of the logistic function with 256 steps of 1/24 and interpolation.

enum {
  ENTRIES = 256,
  LOGISTIC_BITS = 9,
  TANH_BITS = 8,
};

static double logistic(double steps) { return 65536 / (1 + exp(-steps / 24)); }

// Each entry is moved by half of what a straight line to the next one misses
// halfway; the last one is only interpolated to.
MlirValue luna_tflite_sigmoid16_table(LunaBuilder *b) {
  int32_t table[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i) {
    double value = logistic(i), next = logistic(i + 1);
    double miss = logistic(i + 0.5) - (value + next) / 2;
    table[i] = (int32_t)round(value + miss / 2);
  }
  table[ENTRIES - 1] = 65535;
  return luna_build_data(b, luna_list_type(b->i32, ENTRIES), table);
}

static MlirValue apply(LunaBuilder *b, const char *name, MlirValue x,
                       int64_t y) {
  return luna_scalar_with(b, name, x, y);
}

// Adds the table's value at |x|, an integer with `bits` fraction bits.
static MlirValue interpolate(LunaBuilder *b, MlirValue table,
                             MlirValue magnitude, int bits) {
  MlirValue step = apply(b, "arith.shrui", magnitude, bits);
  MlirValue is_high =
      luna_scalar_compare(b, LUNA_GE, step, luna_scalar_i32(b, ENTRIES - 1));
  MlirValue low = apply(b, "arith.minsi", step, ENTRIES - 2);
  MlirValue index = luna_scalar_to(b, "arith.index_cast", low, b->index);
  MlirValue one = luna_scalar_index(b, 1);
  MlirValue first = luna_scalar_extract(b, table, &index);
  MlirValue second = luna_scalar_extract(
      b, table, (MlirValue[]){luna_scalar_add(b, index, one)});
  MlirValue slope = luna_scalar_sub(b, second, first);
  MlirValue fraction = apply(b, "arith.andi", magnitude, (1 << bits) - 1);
  MlirValue between = luna_scalar_add(b, apply(b, "arith.shli", first, bits),
                                      luna_scalar_mul(b, fraction, slope));
  int64_t most = bits == LOGISTIC_BITS ? 0x7FFF << 10 : 0xFFFF << 8;
  return luna_scalar_select(b, is_high, luna_scalar_i32(b, most), between);
}

MlirValue luna_tflite_sigmoid16(LunaBuilder *b, MlirValue table, MlirValue x,
                                LunaTfliteSigmoid16 how) {
  bool is_tanh = how.is_tanh;
  int bits = is_tanh ? TANH_BITS : LOGISTIC_BITS;
  MlirValue zero = luna_scalar_i32(b, 0);
  x = luna_scalar_resize(b, x, b->i32);
  x = apply(b, "arith.muli", x, how.factor);
  if (how.shift > 0) {
    x = apply(b, "arith.addi", x, INT64_C(1) << (how.shift - 1));
    x = apply(b, "arith.shrsi", x, how.shift);
  }
  MlirValue is_negative = luna_scalar_compare(b, LUNA_LT, x, zero);
  MlirValue minus = luna_scalar_sub(b, zero, x);
  MlirValue magnitude = luna_scalar_select(b, is_negative, minus, x);
  MlirValue value = interpolate(b, table, magnitude, bits);
  minus = luna_scalar_sub(b, zero, value);
  int64_t half = 1 << 23, above = is_tanh ? 128 - half : 1 << 9;
  int64_t below = is_tanh ? half + 127 : (1 << 25) + (1 << 9) - 1;
  value =
      luna_scalar_select(b, is_negative, apply(b, "arith.addi", minus, below),
                         apply(b, "arith.addi", value, above));
  value = apply(b, "arith.shrsi", value, is_tanh ? TANH_BITS : 10);
  return luna_scalar_resize(b, value, b->i16);
}

// Says how the input is brought to steps of 3/2^12: powers of two as they are,
// another scale by a factor of 15 bits.
static LunaTfliteSigmoid16 choose(float scale, bool is_tanh) {
  int shift = 12 + luna_tflite_log2(scale);
  if (luna_tflite_is_power_of_two(scale) &&
      (shift == 0 || (is_tanh && shift == 1)))
    return (LunaTfliteSigmoid16){.factor = 3 << shift, .is_tanh = is_tanh};
  LunaTfliteSigmoid16 how = {.is_tanh = is_tanh};
  double factor = (double)scale * 4096.0 * 3.0;
  while (factor <= 32767.0 / 2.0 && how.shift <= 30) {
    ++how.shift;
    factor *= 2;
  }
  how.factor = factor > 32767 ? 0 : (int32_t)factor;
  return how;
}

bool luna_tflite_sigmoid_int16(LunaTfliteNode *node) {
  enum { OUTPUT_LOG2 = -15 };
  LunaBuilder *b = node->builder;
  LunaTfliteScale in, out;
  MlirValue value;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_scales(node, &in, &out))
    return false;
  if (!luna_tflite_is_power_of_two(out.scale) ||
      luna_tflite_log2(out.scale) != OUTPUT_LOG2)
    return luna_tflite_fail(node, "output has scale %g, needs 2^-15",
                            (double)out.scale);
  LunaTfliteSigmoid16 how =
      choose(in.scale, node->op->code == LUNA_TFLITE_OP_TANH);
  // Of 31 bits: 16 of the value, and of the factor what its shift leaves.
  if (how.factor == 0 || how.shift > 30)
    return luna_tflite_fail(
        node, "input has scale %g, allowed are 2^-28 to 2.6", (double)in.scale);
  MlirValue table = luna_tflite_sigmoid16_table(b);
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &value, b->i16, &x);
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic, luna_tflite_sigmoid16(b, table, x, how)));
}
