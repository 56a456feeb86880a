#include "tflite_fixed.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"

// Operators on two tensors that TOSA lacks: DIV, FLOOR_DIV, FLOOR_MOD, POW,
// SQUARED_DIFFERENCE, each one linalg.generic over the broadcast shape.

enum { VALUES = 511, LARGEST = 255 }; // differences of int8 and a zero point

//===----------------------------------------------------------------------===//
// float32 and int32
//===----------------------------------------------------------------------===//

// Computed in double precision, rounded down, then to single precision.
static MlirValue floor_div(LunaBuilder *b, MlirValue x, MlirValue y) {
  MlirType f64 = mlirF64TypeGet(b->context);
  x = luna_scalar_to(b, "arith.extf", x, f64);
  y = luna_scalar_to(b, "arith.extf", y, f64);
  MlirValue quotient = luna_scalar_div(b, x, y);
  quotient = luna_scalar_unary(b, "math.floor", quotient);
  return luna_scalar_to(b, "arith.truncf", quotient, b->f32);
}

// What the division that cuts off leaves, moved to the sign of the divisor.
static MlirValue floor_mod(LunaBuilder *b, MlirValue x, MlirValue y) {
  MlirValue zero = luna_scalar_f32(b, 0);
  MlirValue rest = luna_scalar(b, "arith.remf", x, y);
  MlirValue differs =
      luna_scalar(b, "arith.xori", luna_scalar_compare(b, LUNA_LT, y, zero),
                  luna_scalar_compare(b, LUNA_LT, rest, zero));
  differs = luna_scalar(b, "arith.andi", differs,
                        luna_scalar_compare(b, LUNA_NE, rest, zero));
  return luna_scalar_select(b, differs, luna_scalar_add(b, rest, y), rest);
}

bool luna_tflite_op_binary_float(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  LunaTflitePair pair;
  MlirValue x[2];
  if (!luna_tflite_read_pair(node, &pair))
    return false;
  LunaGeneric generic = luna_generic_map(b, 2, pair.values, b->f32, x);
  MlirValue value =
      node->op->code == LUNA_TFLITE_OP_FLOOR_DIV   ? floor_div(b, x[0], x[1])
      : node->op->code == LUNA_TFLITE_OP_FLOOR_MOD ? floor_mod(b, x[0], x[1])
      : node->op->code == LUNA_TFLITE_OP_ATAN2
          ? luna_scalar(b, "math.atan2", x[0], x[1])
          : luna_scalar(b, "math.powf", x[0], x[1]);
  return luna_tflite_set(node, 0, luna_generic_end(&generic, value));
}

// A division by 0, which ends the reference kernel, gives 0; that of the lowest
// number by -1, which has no result, the lowest number.
static MlirValue div_i32(LunaBuilder *b, MlirValue x, MlirValue y) {
  MlirValue zero = luna_scalar_i32(b, 0);
  MlirValue minus = luna_scalar_i32(b, -1);
  MlirValue is_zero = luna_scalar_compare(b, LUNA_EQ, y, zero);
  MlirValue is_minus = luna_scalar_compare(b, LUNA_EQ, y, minus);
  MlirValue is_odd = luna_scalar(b, "arith.ori", is_zero, is_minus);
  MlirValue safe = luna_scalar_select(b, is_odd, luna_scalar_i32(b, 1), y);
  MlirValue quotient = luna_scalar_div(b, x, safe);
  quotient =
      luna_scalar_select(b, is_minus, luna_scalar_sub(b, zero, x), quotient);
  return luna_scalar_select(b, is_zero, zero, quotient);
}

//===----------------------------------------------------------------------===//
// DIV on int8
//===----------------------------------------------------------------------===//

// What the reference kernel computes of one operand alone, for every
// difference from the zero point: the dividend shifted left as far as 32 bits
// allow, the reciprocal of the divisor, and by how many bits.
typedef struct DivTables {
  int32_t dividend[VALUES], headroom[VALUES];
  int32_t reciprocal[VALUES], bits[VALUES];
} DivTables;

static void fill_tables(DivTables *tables) {
  for (int i = 0; i < VALUES; ++i) {
    int32_t value = i - LARGEST, magnitude = value < 0 ? -value : value;
    int zeros = 0, signs = 0;
    while (zeros < 32 && magnitude >> (31 - zeros) == 0)
      ++zeros;
    // Bits behind the sign that equal it; -2^k has one more than 2^k.
    uint32_t bits = value < 0 ? ~(uint32_t)value : (uint32_t)value;
    while (signs < 31 && bits >> (30 - signs) == 0)
      ++signs;
    tables->headroom[i] = signs;
    tables->dividend[i] = (int32_t)((int64_t)value * (INT64_C(1) << signs));
    tables->bits[i] = 31 - zeros;
    tables->reciprocal[i] =
        magnitude == 0
            ? 0
            : luna_fixed_reciprocal((int32_t)(((uint32_t)magnitude << zeros) -
                                              (UINT32_C(1) << 31)));
  }
}

static MlirValue table_of(LunaBuilder *b, const int32_t *values) {
  return luna_build_data(b, luna_list_type(b->i32, VALUES), values);
}

static MlirValue look_up(LunaBuilder *b, MlirValue table,
                         MlirValue difference) {
  MlirValue index = luna_scalar_with(b, "arith.addi", difference, LARGEST);
  return luna_scalar_extract(
      b, table,
      (MlirValue[]){luna_scalar_to(b, "arith.index_cast", index, b->index)});
}

static bool div_int8(LunaTfliteNode *node, LunaTflitePair *pair,
                     MlirValue *value) {
  LunaBuilder *b = node->builder;
  MlirType i32 = b->i32;
  LunaTfliteScale out;
  DivTables *tables = LUNA_ARENA_ARRAY(node->arena, DivTables, 1);
  MlirValue x[2];
  if (!luna_tflite_output_scale(node, &out))
    return false;
  LunaMultiplier by = luna_quantize_multiplier(
      (double)(pair->scales[0].scale / (pair->scales[1].scale * out.scale)));
  // The smallest shift to the right is that of 1 / 255.
  if (by.shift > 22)
    return luna_tflite_fail(node, "its scales ask for too large a factor");
  fill_tables(tables);
  MlirValue dividends = table_of(b, tables->dividend);
  MlirValue headrooms = table_of(b, tables->headroom);
  MlirValue reciprocals = table_of(b, tables->reciprocal);
  MlirValue bits = table_of(b, tables->bits);
  LunaGeneric generic = luna_generic_map(b, 2, pair->values, b->i8, x);
  for (int i = 0; i < 2; ++i)
    x[i] = luna_scalar_with(b, "arith.subi", luna_scalar_resize(b, x[i], i32),
                            pair->scales[i].zero_point);
  MlirValue zero = luna_scalar_i32(b, 0);
  MlirValue turned =
      luna_scalar_select(b, luna_scalar_compare(b, LUNA_LT, x[1], zero),
                         luna_scalar_sub(b, zero, x[0]), x[0]);
  MlirValue product = luna_scalar_mul(
      b, luna_scalar_resize(b, look_up(b, dividends, turned), b->i64),
      luna_scalar_resize(b, look_up(b, reciprocals, x[1]), b->i64));
  product = luna_scalar_with(b, "arith.addi", product, INT64_C(1) << 30);
  product = luna_scalar_with(b, "arith.shrsi", product, 31);
  MlirValue shift =
      luna_scalar_add(b, look_up(b, bits, x[1]), look_up(b, headrooms, turned));
  shift = luna_scalar_with(b, "arith.subi", shift, by.shift);
  // Beyond 32 bits nothing is left.
  shift = luna_scalar_clamp(b, shift, 0, 40);
  by.shift = 0;
  product = luna_tflite_multiply(b, luna_scalar_resize(b, product, i32), by);
  MlirValue result =
      luna_tflite_shift_down(b, luna_scalar_resize(b, product, b->i64),
                             luna_scalar_to(b, "arith.extsi", shift, b->i64));
  result = luna_scalar_resize(b, result, i32);
  result = luna_scalar_with(b, "arith.addi", result, out.zero_point);
  *value = luna_generic_end(&generic, luna_tflite_saturate(b, result, b->i8));
  return true;
}

bool luna_tflite_op_div(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  LunaTflitePair pair;
  MlirValue x[2], value;
  if (!luna_tflite_read_pair(node, &pair))
    return false;
  if (pair.is_quantized)
    return div_int8(node, &pair, &value) &&
           luna_tflite_finish_pair(node, value);
  MlirType element = luna_element_of(pair.values[0]);
  LunaGeneric generic = luna_generic_map(b, 2, pair.values, element, x);
  value = mlirTypeIsAF32(element) ? luna_scalar_div(b, x[0], x[1])
                                  : div_i32(b, x[0], x[1]);
  return luna_tflite_finish_pair(node, luna_generic_end(&generic, value));
}

//===----------------------------------------------------------------------===//
// SQUARED_DIFFERENCE
//===----------------------------------------------------------------------===//

static bool squared_quantized(LunaTfliteNode *node, LunaTflitePair *pair) {
  LunaBuilder *b = node->builder;
  MlirType i32 = b->i32, element = luna_element_of(pair->values[0]);
  int shift = pair->tensors[0]->type == LUNA_TFLITE_I16 ? 0 : 7;
  LunaTfliteScale out;
  MlirValue x[2];
  if (!luna_tflite_output_scale(node, &out))
    return false;
  float first = pair->scales[0].scale, second = pair->scales[1].scale;
  double twice_largest = 2.0 * (double)(first > second ? first : second);
  // The product of integer and scale is one of floats.
  float unit = (float)(1 << (2 * shift)) * out.scale;
  LunaMultiplier by =
      luna_quantize_multiplier(twice_largest * twice_largest / (double)unit);
  if (!luna_tflite_can_rescale(by))
    return luna_tflite_fail(node, "its scales ask for too large a factor");
  LunaGeneric generic = luna_generic_map(b, 2, pair->values, element, x);
  for (int i = 0; i < 2; ++i) {
    LunaMultiplier scale =
        luna_quantize_multiplier((double)pair->scales[i].scale / twice_largest);
    x[i] = luna_scalar_with(b, "arith.subi", luna_scalar_resize(b, x[i], i32),
                            pair->scales[i].zero_point);
    x[i] = luna_scalar_with(b, "arith.shli", x[i], shift);
    x[i] = luna_tflite_multiply(b, x[i], scale);
  }
  MlirValue difference = luna_scalar_sub(b, x[0], x[1]);
  MlirValue square = luna_scalar_mul(b, difference, difference);
  return luna_tflite_set(
      node, 0,
      luna_generic_end(&generic, luna_tflite_requantize(
                                     b, square, by, out.zero_point, element)));
}

bool luna_tflite_op_squared_difference(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  LunaTflitePair pair;
  if (!luna_tflite_read_pair(node, &pair))
    return false;
  if (pair.is_quantized)
    return squared_quantized(node, &pair);
  MlirValue difference =
      luna_build_binary(b, "tosa.sub", pair.values[0], pair.values[1]);
  return luna_tflite_set(
      node, 0, luna_build_binary(b, "tosa.mul", difference, difference));
}
