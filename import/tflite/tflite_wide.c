#include "tflite_wide.h"

#include <math.h>

enum { STEPS = LUNA_TABLE16_ENTRIES - 1, FRACTION_BITS = 7 };

static float exact_log2(float scale) {
  return logf(scale) * (1.0F / logf(2.0F));
}

int luna_tflite_log2(float scale) { return (int)roundf(exact_log2(scale)); }

bool luna_tflite_is_power_of_two(float scale) {
  float log = exact_log2(scale);
  return fabsf(log - roundf(log)) < 1e-3F;
}

static int16_t saturate(float value) {
  value = value < -32768.0F ? -32768.0F : value;
  return (int16_t)(value > 32767.0F ? 32767.0F : value);
}

// Each entry is moved by half of what a straight line to the next one misses
// halfway, all in single precision.
void luna_tflite_fill_table16(float (*function)(float), float low, float high,
                              int16_t table[LUNA_TABLE16_ENTRIES]) {
  const float span = 2.0F / 65535.0F;
  const float per_unit = 65536.0F / (span * 32767.0F - span * -32768.0F);
  float step = (high - low) / STEPS, half_step = step / 2;
  for (int i = 0; i < STEPS; ++i) {
    float at = low + (float)i * step;
    float value = function(at), middle = function(at + half_step);
    float next = function(low + (float)(i + 1) * step);
    float sample = roundf(value * per_unit);
    float line = roundf((next * per_unit + sample) / 2);
    float miss = roundf((line - roundf(middle * per_unit)) / 2);
    table[i] = saturate(sample - miss);
  }
  table[STEPS] = saturate(roundf(function(high) * per_unit));
}

MlirValue luna_tflite_table16(LunaBuilder *b,
                              const int16_t table[LUNA_TABLE16_ENTRIES]) {
  return luna_build_data(b, luna_list_type(b->i16, LUNA_TABLE16_ENTRIES),
                         table);
}

MlirValue luna_tflite_lookup16(LunaBuilder *b, MlirValue table,
                               MlirValue value) {
  MlirType i32 = b->i32;
  MlirValue bits = luna_scalar_i32(b, FRACTION_BITS);
  MlirValue step = luna_scalar(b, "arith.shrsi", value, bits);
  step = luna_scalar_with(b, "arith.addi", step, STEPS / 2);
  MlirValue index = luna_scalar_to(b, "arith.index_cast", step, b->index);
  MlirValue one = luna_scalar_index(b, 1);
  MlirValue first =
      luna_scalar_resize(b, luna_scalar_extract(b, table, &index), i32);
  MlirValue second = luna_scalar_resize(
      b,
      luna_scalar_extract(b, table,
                          (MlirValue[]){luna_scalar_add(b, index, one)}),
      i32);
  MlirValue fraction =
      luna_scalar_with(b, "arith.andi", value, (1 << FRACTION_BITS) - 1);
  MlirValue delta =
      luna_scalar_mul(b, luna_scalar_sub(b, second, first), fraction);
  delta = luna_scalar_with(b, "arith.addi", delta, 1 << (FRACTION_BITS - 1));
  delta = luna_scalar(b, "arith.shrsi", delta, bits);
  return luna_scalar_add(b, first, delta);
}
