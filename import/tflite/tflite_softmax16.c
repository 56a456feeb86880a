#include <math.h>

#include "tflite_ops.h"
#include "tflite_wide.h"

// SOFTMAX on int16, the reference kernel step by step: exponentials from a
// table over [-10, 0], their sum, its reciprocal from a table of 1 / (1 + x),
// and a product per element.

static MlirValue int32(LunaTosaBuilder *builder, int64_t value) {
  return luna_scalar_int(builder, builder->i32, value);
}

static float reciprocal_of_more(float x) { return 1.0F / (1.0F + x); }

static MlirValue exponentials(LunaTosaBuilder *builder, MlirValue value,
                              LunaMultiplier by) {
  const float unit = 10.0F / 65535.0F;
  int16_t table[LUNA_TABLE16_ENTRIES];
  int64_t shape[2];
  luna_tfl_fill_table16(expf, unit * -65535.0F, unit * 0.0F, table);
  MlirValue lookup = luna_tfl_table16(builder, table);
  MlirValue largest = luna_tosa_reduce(builder, "tosa.reduce_max", value, 1);
  luna_tosa_shape_of(value, shape);
  LunaGeneric generic = luna_generic(builder, 2, shape);
  MlirValue x = luna_generic_input(&generic, value);
  MlirValue most = luna_generic_input(&generic, largest);
  luna_generic_result(&generic, builder->i32);
  x = luna_scalar(builder, "arith.subi",
                  luna_scalar_resize(builder, x, builder->i32),
                  luna_scalar_resize(builder, most, builder->i32));
  x = luna_scalar_multiply(builder, x, by);
  x = luna_scalar(builder, "arith.addi", x, int32(builder, INT16_MAX));
  x = luna_scalar_clamp(builder, x, INT16_MIN, INT16_MAX);
  return luna_generic_end(&generic, luna_tfl_lookup16(builder, lookup, x));
}

// The reciprocal of a sum shifted up to bit 30, which is 1 to 2.
static MlirValue reciprocals(LunaTosaBuilder *builder, MlirValue sum) {
  const float unit = 1.0F / 65535.0F;
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  int16_t table[LUNA_TABLE16_ENTRIES];
  int64_t shape[2];
  luna_tfl_fill_table16(reciprocal_of_more, unit * 0.0F, unit * 65535.0F,
                        table);
  MlirValue lookup = luna_tfl_table16(builder, table);
  luna_tosa_shape_of(sum, shape);
  LunaGeneric generic = luna_generic(builder, 2, shape);
  MlirValue x = luna_generic_input(&generic, sum);
  luna_generic_result(&generic, builder->i32);
  MlirValue left =
      luna_scalar(builder, "arith.subi", luna_scalar_leading_zeros(builder, x),
                  int32(builder, 1));
  x = luna_scalar(builder, "arith.shli", luna_scalar_resize(builder, x, i64),
                  luna_scalar_resize(builder, left, i64));
  x = luna_scalar(builder, "arith.addi", x,
                  luna_scalar_int(builder, i64, 1 << 13));
  x = luna_scalar(builder, "arith.shrsi", x, luna_scalar_int(builder, i64, 14));
  x = luna_scalar_resize(builder, x, builder->i32);
  x = luna_scalar(builder, "arith.subi", x,
                  int32(builder, (1 << 15) + (1 << 16)));
  x = luna_scalar_clamp(builder, x, INT16_MIN, INT16_MAX);
  return luna_generic_end(&generic, luna_tfl_lookup16(builder, lookup, x));
}

MlirValue luna_tfl_softmax_int16(LunaTosaBuilder *builder, MlirValue value,
                                 LunaMultiplier by) {
  int64_t shape[2];
  luna_tosa_shape_of(value, shape);
  MlirValue powers = exponentials(builder, value, by);
  MlirValue sum = luna_tosa_reduce(builder, "tosa.reduce_sum", powers, 1);
  MlirValue scale = reciprocals(builder, sum);
  LunaGeneric generic = luna_generic(builder, 2, shape);
  MlirValue x = luna_generic_input(&generic, powers);
  MlirValue total = luna_generic_input(&generic, sum);
  MlirValue factor = luna_generic_input(&generic, scale);
  luna_generic_result(&generic, builder->i16);
  MlirValue shift = luna_scalar(builder, "arith.subi", int32(builder, 31),
                                luna_scalar_leading_zeros(builder, total));
  MlirValue half =
      luna_scalar(builder, "arith.shli", int32(builder, 1),
                  luna_scalar(builder, "arith.subi", shift, int32(builder, 1)));
  x = luna_scalar(builder, "arith.muli", x, factor);
  x = luna_scalar(builder, "arith.addi", x, half);
  x = luna_scalar(builder, "arith.shrsi", x, shift);
  x = luna_scalar_clamp(builder, x, 0, INT16_MAX);
  return luna_generic_end(&generic,
                          luna_scalar_resize(builder, x, builder->i16));
}
