#include <math.h>

#include "tflite_ops.h"
#include "tflite_wide.h"

// LOGISTIC and TANH on int16, as LOGISTIC and TANH and inside of the LSTM:
// a table of the logistic function with 256 steps of 1/24 and interpolation.

enum { ENTRIES = 256, LOGISTIC_BITS = 9, TANH_BITS = 8, CODE_TANH = 28 };

static double logistic(double steps) { return 65536 / (1 + exp(-steps / 24)); }

// Each entry is moved by half of what a straight line to the next one misses
// halfway; the last one is only interpolated to.
MlirValue luna_tfl_sigmoid16_table(LunaTosaBuilder *builder) {
  int64_t shape[1] = {ENTRIES};
  int32_t table[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i) {
    double value = logistic(i), next = logistic(i + 1);
    double miss = logistic(i + 0.5) - (value + next) / 2;
    table[i] = (int32_t)round(value + miss / 2);
  }
  table[ENTRIES - 1] = 65535;
  return luna_tosa_const(
      builder, mlirDenseElementsAttrInt32Get(
                   luna_tosa_type(builder->i32, 1, shape), ENTRIES, table));
}

static MlirValue int32(LunaTosaBuilder *builder, int64_t value) {
  return luna_scalar_int(builder, builder->i32, value);
}

static MlirValue apply(LunaTosaBuilder *builder, const char *name, MlirValue a,
                       int64_t b) {
  return luna_scalar(builder, name, a, int32(builder, b));
}

// Adds the table's value at |x|, an integer with `bits` fraction bits.
static MlirValue interpolate(LunaTosaBuilder *builder, MlirValue table,
                             MlirValue magnitude, int bits) {
  MlirValue step = apply(builder, "arith.shrui", magnitude, bits);
  MlirValue is_high =
      luna_scalar_compare(builder, LUNA_GE, step, int32(builder, ENTRIES - 1));
  MlirValue low = apply(builder, "arith.minsi", step, ENTRIES - 2);
  MlirValue index =
      luna_scalar_to(builder, "arith.index_cast", low, builder->index);
  MlirValue one = luna_scalar_int(builder, builder->index, 1);
  MlirValue first = luna_scalar_lookup(builder, table, index);
  MlirValue second = luna_scalar_lookup(
      builder, table, luna_scalar(builder, "arith.addi", index, one));
  MlirValue slope = luna_scalar(builder, "arith.subi", second, first);
  MlirValue fraction = apply(builder, "arith.andi", magnitude, (1 << bits) - 1);
  MlirValue between = luna_scalar(
      builder, "arith.addi", apply(builder, "arith.shli", first, bits),
      luna_scalar(builder, "arith.muli", fraction, slope));
  int64_t most = bits == LOGISTIC_BITS ? 0x7FFF << 10 : 0xFFFF << 8;
  return luna_scalar_select(builder, is_high, int32(builder, most), between);
}

MlirValue luna_tfl_sigmoid16(LunaTosaBuilder *builder, MlirValue table,
                             MlirValue x, LunaSigmoid16 how) {
  bool is_tanh = how.is_tanh;
  int bits = is_tanh ? TANH_BITS : LOGISTIC_BITS;
  MlirValue zero = int32(builder, 0);
  x = luna_scalar_resize(builder, x, builder->i32);
  x = apply(builder, "arith.muli", x, how.factor);
  if (how.shift > 0) {
    x = apply(builder, "arith.addi", x, INT64_C(1) << (how.shift - 1));
    x = apply(builder, "arith.shrsi", x, how.shift);
  }
  MlirValue is_negative = luna_scalar_compare(builder, LUNA_LT, x, zero);
  MlirValue minus = luna_scalar(builder, "arith.subi", zero, x);
  MlirValue magnitude = luna_scalar_select(builder, is_negative, minus, x);
  MlirValue value = interpolate(builder, table, magnitude, bits);
  minus = luna_scalar(builder, "arith.subi", zero, value);
  int64_t half = 1 << 23, above = is_tanh ? 128 - half : 1 << 9;
  int64_t below = is_tanh ? half + 127 : (1 << 25) + (1 << 9) - 1;
  value = luna_scalar_select(builder, is_negative,
                             apply(builder, "arith.addi", minus, below),
                             apply(builder, "arith.addi", value, above));
  value = apply(builder, "arith.shrsi", value, is_tanh ? TANH_BITS : 10);
  return luna_scalar_resize(builder, value, builder->i16);
}

// Says how the input is brought to steps of 3/2^12: powers of two as they are,
// another scale by a factor of 15 bits.
static LunaSigmoid16 choose(float scale, bool is_tanh) {
  int shift = 12 + luna_tfl_log2(scale);
  if (luna_tfl_is_power_of_two(scale) &&
      (shift == 0 || (is_tanh && shift == 1)))
    return (LunaSigmoid16){.factor = 3 << shift, .is_tanh = is_tanh};
  LunaSigmoid16 how = {.is_tanh = is_tanh};
  double factor = (double)scale * 4096.0 * 3.0;
  while (factor <= 32767.0 / 2.0 && how.shift <= 30) {
    ++how.shift;
    factor *= 2;
  }
  how.factor = factor > 32767 ? 0 : (int32_t)factor;
  return how;
}

bool luna_tfl_sigmoid_int16(LunaTfliteNode *node) {
  enum { OUTPUT_LOG2 = -15 };
  LunaTosaBuilder *builder = node->builder;
  LunaTfliteScale in, out;
  MlirValue value;
  int64_t shape[LUNA_TOSA_MAX_RANK];
  if (!luna_node_value(node, 0, &value) ||
      !luna_node_scale(node, luna_node_input(node, 0), &in) ||
      !luna_node_scale(node, luna_node_output(node, 0), &out))
    return false;
  if (!luna_tfl_is_power_of_two(out.scale) ||
      luna_tfl_log2(out.scale) != OUTPUT_LOG2)
    return luna_node_fail(node, "output has scale %g, needs 2^-15",
                          (double)out.scale);
  LunaSigmoid16 how = choose(in.scale, node->op->code == CODE_TANH);
  // Of 31 bits: 16 of the value, and of the factor what its shift leaves.
  if (how.factor == 0 || how.shift > 30)
    return luna_node_fail(node, "input has scale %g, allowed are 2^-28 to 2.6",
                          (double)in.scale);
  MlirValue table = luna_tfl_sigmoid16_table(builder);
  LunaGeneric generic =
      luna_generic(builder, luna_tosa_shape_of(value, shape), shape);
  MlirValue x = luna_generic_input(&generic, value);
  luna_generic_result(&generic, builder->i16);
  return luna_node_set(
      node, 0,
      luna_generic_end(&generic, luna_tfl_sigmoid16(builder, table, x, how)));
}
