#include <math.h>

#include "tflite_ops.h"
#include "tflite_wide.h"

// SOFTMAX on int16, the reference kernel step by step: exponentials from a
// table over [-10, 0], their sum, its reciprocal from a table of 1 / (1 + x),
// and a product per element.

static float reciprocal_of_more(float x) { return 1.0F / (1.0F + x); }

static MlirValue exponentials(LunaBuilder *b, MlirValue value,
                              LunaMultiplier by) {
  const float unit = 10.0F / 65535.0F;
  int16_t table[LUNA_TABLE16_ENTRIES];
  luna_tflite_fill_table16(expf, unit * -65535.0F, unit * 0.0F, table);
  MlirValue lookup = luna_tflite_table16(b, table);
  MlirValue largest = luna_build_reduce(b, "tosa.reduce_max", value, 1);
  MlirValue in[2];
  LunaGeneric generic =
      luna_generic_map(b, 2, (MlirValue[]){value, largest}, b->i32, in);
  for (int i = 0; i < 2; ++i)
    in[i] = luna_scalar_resize(b, in[i], b->i32);
  MlirValue x = luna_scalar_sub(b, in[0], in[1]);
  x = luna_tflite_multiply(b, x, by);
  x = luna_scalar_with(b, "arith.addi", x, INT16_MAX);
  x = luna_scalar_clamp(b, x, INT16_MIN, INT16_MAX);
  return luna_generic_end(&generic, luna_tflite_lookup16(b, lookup, x));
}

// The reciprocal of a sum shifted up to bit 30, which is 1 to 2.
static MlirValue reciprocals(LunaBuilder *b, MlirValue sum) {
  const float unit = 1.0F / 65535.0F;
  int16_t table[LUNA_TABLE16_ENTRIES];
  luna_tflite_fill_table16(reciprocal_of_more, unit * 0.0F, unit * 65535.0F,
                           table);
  MlirValue lookup = luna_tflite_table16(b, table);
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &sum, b->i32, &x);
  MlirValue left =
      luna_scalar_with(b, "arith.subi", luna_tflite_leading_zeros(b, x), 1);
  x = luna_scalar(b, "arith.shli", luna_scalar_resize(b, x, b->i64),
                  luna_scalar_resize(b, left, b->i64));
  x = luna_scalar_with(b, "arith.addi", x, 1 << 13);
  x = luna_scalar_with(b, "arith.shrsi", x, 14);
  x = luna_scalar_resize(b, x, b->i32);
  x = luna_scalar_with(b, "arith.subi", x, (1 << 15) + (1 << 16));
  x = luna_scalar_clamp(b, x, INT16_MIN, INT16_MAX);
  return luna_generic_end(&generic, luna_tflite_lookup16(b, lookup, x));
}

MlirValue luna_tflite_softmax_int16(LunaBuilder *b, MlirValue value,
                                    LunaMultiplier by) {
  MlirValue powers = exponentials(b, value, by), in[3];
  MlirValue sum = luna_build_reduce(b, "tosa.reduce_sum", powers, 1);
  MlirValue all[3] = {powers, sum, reciprocals(b, sum)};
  LunaGeneric generic = luna_generic_map(b, 3, all, b->i16, in);
  MlirValue shift = luna_scalar_sub(b, luna_scalar_i32(b, 31),
                                    luna_tflite_leading_zeros(b, in[1]));
  MlirValue half = luna_scalar(b, "arith.shli", luna_scalar_i32(b, 1),
                               luna_scalar_with(b, "arith.subi", shift, 1));
  MlirValue x = luna_scalar_mul(b, in[0], in[2]);
  x = luna_scalar_add(b, x, half);
  x = luna_scalar(b, "arith.shrsi", x, shift);
  x = luna_scalar_clamp(b, x, 0, INT16_MAX);
  return luna_generic_end(&generic, luna_scalar_resize(b, x, b->i16));
}
