#include "half.h"

#include <string.h>

#include "luna-c/build_generic.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

// What moves the exponent of binary16 to its place in binary32, and its bias.
enum { SHIFT = 13, INFINITE = 0x7f800000 };

float luna_half_number(uint16_t bits, bool is_bfloat) {
  uint32_t word =
      is_bfloat ? (uint32_t)bits << 16 : (uint32_t)(bits & 0x7fff) << SHIFT;
  float number;
  memcpy(&number, &word, sizeof number);
  if (is_bfloat)
    return number;
  if ((bits & 0x7c00) == 0x7c00) {
    word |= INFINITE;
    memcpy(&number, &word, sizeof number);
  } else {
    number *= 0x1p112f;
  }
  return bits & 0x8000 ? -number : number;
}

void luna_half_widen(const uint8_t *from, int64_t count, bool is_bfloat,
                     float *to) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = luna_half_number((uint16_t)(from[2 * i] | from[2 * i + 1] << 8),
                             is_bfloat);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static MlirValue as_float(LunaBuilder *b, MlirValue bits) {
  return luna_scalar_to(b, "arith.bitcast", bits, b->f32);
}

static MlirValue widen_element(LunaBuilder *b, MlirValue bits, bool is_bfloat) {
  if (is_bfloat)
    return as_float(b, luna_scalar_with(b, "arith.shli", bits, 16));
  MlirValue size = luna_scalar_with(b, "arith.andi", bits, 0x7fff);
  MlirValue sign = luna_scalar_with(
      b, "arith.shli", luna_scalar_with(b, "arith.andi", bits, 0x8000), 16);
  MlirValue placed = luna_scalar_with(b, "arith.shli", size, SHIFT);
  MlirValue scaled =
      luna_scalar_mul(b, as_float(b, placed), luna_scalar_f32(b, 0x1p112));
  MlirValue is_finite =
      luna_scalar_compare(b, LUNA_LT, size, luna_scalar_i32(b, 0x7c00));
  MlirValue made = luna_scalar_select(
      b, is_finite, luna_scalar_to(b, "arith.bitcast", scaled, b->i32),
      luna_scalar_with(b, "arith.ori", placed, INFINITE));
  return as_float(b, luna_scalar(b, "arith.ori", made, sign));
}

// Adds half of the last bit that is kept, less the least where that is even,
// and drops what is below.
static MlirValue drop_bits(LunaBuilder *b, MlirValue bits, int count) {
  MlirValue last = luna_scalar_with(
      b, "arith.andi", luna_scalar_with(b, "arith.shrui", bits, count), 1);
  MlirValue half =
      luna_scalar_with(b, "arith.addi", last, (INT64_C(1) << (count - 1)) - 1);
  return luna_scalar_with(b, "arith.shrui", luna_scalar_add(b, bits, half),
                          count);
}

// The bits of a float without its sign as those of binary16.
static MlirValue narrow_size(LunaBuilder *b, MlirValue size) {
  // Below 2^-14, a float whose last bit is 2^-24 rounds the sum.
  enum { LEAST = 113 << 23, TOO_LARGE = 143 << 23, UNIT = 126 << 23 };
  MlirValue sum = luna_scalar_add(b, as_float(b, size),
                                  as_float(b, luna_scalar_i32(b, UNIT)));
  MlirValue low = luna_scalar_with(
      b, "arith.subi", luna_scalar_to(b, "arith.bitcast", sum, b->i32), UNIT);
  MlirValue moved = luna_scalar_with(b, "arith.subi", size, 112 << 23);
  MlirValue made = luna_scalar_select(
      b, luna_scalar_compare(b, LUNA_LT, size, luna_scalar_i32(b, LEAST)), low,
      drop_bits(b, moved, SHIFT));
  return luna_scalar_select(
      b, luna_scalar_compare(b, LUNA_GE, size, luna_scalar_i32(b, TOO_LARGE)),
      luna_scalar_i32(b, 0x7c00), made);
}

// The 16 bits of a float, as i32.
static MlirValue narrow_element(LunaBuilder *b, MlirValue x, bool is_bfloat) {
  MlirValue bits = luna_scalar_to(b, "arith.bitcast", x, b->i32);
  MlirValue size = luna_scalar_with(b, "arith.andi", bits, INT32_MAX);
  MlirValue sign = luna_scalar_with(
      b, "arith.shli", luna_scalar_with(b, "arith.shrui", bits, 31), 15);
  MlirValue is_nan =
      luna_scalar_compare(b, LUNA_GT, size, luna_scalar_i32(b, INFINITE));
  MlirValue made = luna_scalar_select(
      b, is_nan, luna_scalar_i32(b, is_bfloat ? 0x7fc0 : 0x7e00),
      is_bfloat ? drop_bits(b, size, 16) : narrow_size(b, size));
  return luna_scalar(b, "arith.ori", made, sign);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

MlirValue luna_build_from_half(LunaBuilder *b, MlirValue value) {
  bool is_bfloat = mlirTypeIsABF16(luna_element_of(value));
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &value, b->f32, &x);
  MlirValue bits = luna_scalar_to(
      b, "arith.extui", luna_scalar_to(b, "arith.bitcast", x, b->i16), b->i32);
  return luna_generic_end(&generic, widen_element(b, bits, is_bfloat));
}

MlirValue luna_build_to_half(LunaBuilder *b, MlirValue value, MlirType type) {
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &value, type, &x);
  MlirValue bits = luna_scalar_to(
      b, "arith.trunci", narrow_element(b, x, mlirTypeIsABF16(type)), b->i16);
  return luna_generic_end(&generic,
                          luna_scalar_to(b, "arith.bitcast", bits, type));
}

MlirValue luna_build_round_half(LunaBuilder *b, MlirValue value,
                                MlirType type) {
  bool is_bfloat = mlirTypeIsABF16(type);
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &value, b->f32, &x);
  return luna_generic_end(
      &generic, widen_element(b, narrow_element(b, x, is_bfloat), is_bfloat));
}
