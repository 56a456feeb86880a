#include "tflite_generic.h"
#include "tflite_ops.h"

// Operators on two tensors that TOSA lacks: DIV, FLOOR_DIV, FLOOR_MOD, POW,
// SQUARED_DIFFERENCE, each one linalg.generic over the broadcast shape.

enum { CODE_FLOOR_DIV = 90, CODE_FLOOR_MOD = 95 };
enum { VALUES = 511, LARGEST = 255 }; // differences of int8 and a zero point

// Opens the loops over two operands and gives their elements.
static LunaGeneric open_pair(LunaTosaBuilder *builder,
                             const LunaTflitePair *pair, MlirType element,
                             MlirValue elements[2]) {
  int64_t shape[LUNA_TOSA_MAX_RANK];
  int64_t rank =
      luna_tosa_broadcast_shape(pair->values[0], pair->values[1], shape);
  LunaGeneric generic = luna_generic(builder, rank, shape);
  for (int i = 0; i < 2; ++i)
    elements[i] = luna_generic_input(&generic, pair->values[i]);
  luna_generic_result(&generic, element);
  return generic;
}

//===----------------------------------------------------------------------===//
// float32 and int32
//===----------------------------------------------------------------------===//

// Computed in double precision, rounded down, then to single precision.
static MlirValue floor_div(LunaTosaBuilder *builder, MlirValue a, MlirValue b) {
  MlirType f64 = mlirF64TypeGet(builder->context);
  a = luna_scalar_to(builder, "arith.extf", a, f64);
  b = luna_scalar_to(builder, "arith.extf", b, f64);
  MlirValue quotient = luna_scalar(builder, "arith.divf", a, b);
  quotient = luna_scalar_unary(builder, "math.floor", quotient);
  return luna_scalar_to(builder, "arith.truncf", quotient, builder->f32);
}

// What the division that cuts off leaves, moved to the sign of the divisor.
static MlirValue floor_mod(LunaTosaBuilder *builder, MlirValue a, MlirValue b) {
  MlirValue zero = luna_scalar_f32(builder, 0);
  MlirValue rest = luna_scalar(builder, "arith.remf", a, b);
  MlirValue differs = luna_scalar(
      builder, "arith.xori", luna_scalar_compare(builder, LUNA_LT, b, zero),
      luna_scalar_compare(builder, LUNA_LT, rest, zero));
  differs = luna_scalar(builder, "arith.andi", differs,
                        luna_scalar_compare(builder, LUNA_NE, rest, zero));
  return luna_scalar_select(builder, differs,
                            luna_scalar(builder, "arith.addf", rest, b), rest);
}

bool luna_tfl_binary_float(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  LunaTflitePair pair;
  MlirValue x[2];
  if (!luna_tfl_read_pair(node, &pair))
    return false;
  LunaGeneric generic = open_pair(builder, &pair, builder->f32, x);
  MlirValue value = node->op->code == CODE_FLOOR_DIV
                        ? floor_div(builder, x[0], x[1])
                    : node->op->code == CODE_FLOOR_MOD
                        ? floor_mod(builder, x[0], x[1])
                        : luna_scalar(builder, "math.powf", x[0], x[1]);
  return luna_node_set(node, 0, luna_generic_end(&generic, value));
}

// A division by 0, which ends the reference kernel, gives 0; that of the lowest
// number by -1, which has no result, the lowest number.
static MlirValue div_i32(LunaTosaBuilder *builder, MlirValue a, MlirValue b) {
  MlirType i32 = builder->i32;
  MlirValue zero = luna_scalar_int(builder, i32, 0);
  MlirValue minus = luna_scalar_int(builder, i32, -1);
  MlirValue is_zero = luna_scalar_compare(builder, LUNA_EQ, b, zero);
  MlirValue is_minus = luna_scalar_compare(builder, LUNA_EQ, b, minus);
  MlirValue is_odd = luna_scalar(builder, "arith.ori", is_zero, is_minus);
  MlirValue safe =
      luna_scalar_select(builder, is_odd, luna_scalar_int(builder, i32, 1), b);
  MlirValue quotient = luna_scalar(builder, "arith.divsi", a, safe);
  quotient = luna_scalar_select(
      builder, is_minus, luna_scalar(builder, "arith.subi", zero, a), quotient);
  return luna_scalar_select(builder, is_zero, zero, quotient);
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

static MlirValue table_of(LunaTosaBuilder *builder, const int32_t *values) {
  int64_t shape[1] = {VALUES};
  return luna_tosa_const(
      builder, mlirDenseElementsAttrInt32Get(
                   luna_tosa_type(builder->i32, 1, shape), VALUES, values));
}

static MlirValue look_up(LunaTosaBuilder *builder, MlirValue table,
                         MlirValue difference) {
  MlirValue index =
      luna_scalar(builder, "arith.addi", difference,
                  luna_scalar_int(builder, builder->i32, LARGEST));
  return luna_scalar_lookup(
      builder, table,
      luna_scalar_to(builder, "arith.index_cast", index, builder->index));
}

// value * multiplier / 2^31 / 2^shift, for a shift that is computed.
static MlirValue scale_down(LunaTosaBuilder *builder, MlirValue value,
                            int32_t multiplier, MlirValue shift) {
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  LunaMultiplier by = {.multiplier = multiplier};
  value = luna_scalar_resize(builder, luna_scalar_multiply(builder, value, by),
                             i64);
  shift = luna_scalar_to(builder, "arith.extsi", shift, i64);
  // Ties away from zero: (value + 2^(shift - 1) - (value < 0)) >> shift.
  MlirValue one = luna_scalar_int(builder, i64, 1);
  MlirValue half =
      luna_scalar(builder, "arith.shrsi",
                  luna_scalar(builder, "arith.shli", one, shift), one);
  MlirValue sign = luna_scalar(builder, "arith.shrsi", value,
                               luna_scalar_int(builder, i64, 63));
  // Where nothing is shifted, nothing is rounded.
  sign =
      luna_scalar_select(builder,
                         luna_scalar_compare(builder, LUNA_EQ, half,
                                             luna_scalar_int(builder, i64, 0)),
                         half, sign);
  value = luna_scalar(builder, "arith.addi", value, half);
  value = luna_scalar(builder, "arith.addi", value, sign);
  return luna_scalar_resize(
      builder, luna_scalar(builder, "arith.shrsi", value, shift), builder->i32);
}

static bool div_int8(LunaTfliteNode *node, LunaTflitePair *pair,
                     MlirValue *value) {
  LunaTosaBuilder *builder = node->builder;
  MlirType i32 = builder->i32;
  LunaTfliteScale out;
  DivTables *tables = LUNA_ARENA_ARRAY(node->arena, DivTables, 1);
  MlirValue x[2];
  if (!luna_node_scale(node, luna_node_output(node, 0), &out))
    return false;
  LunaMultiplier by = luna_quantize_multiplier(
      (double)(pair->scales[0].scale / (pair->scales[1].scale * out.scale)));
  // The smallest shift to the right is that of 1 / 255.
  if (by.shift > 22)
    return luna_node_fail(node, "its scales ask for too large a factor");
  fill_tables(tables);
  MlirValue dividends = table_of(builder, tables->dividend);
  MlirValue headrooms = table_of(builder, tables->headroom);
  MlirValue reciprocals = table_of(builder, tables->reciprocal);
  MlirValue bits = table_of(builder, tables->bits);
  LunaGeneric generic = open_pair(builder, pair, builder->i8, x);
  for (int i = 0; i < 2; ++i)
    x[i] = luna_scalar(
        builder, "arith.subi", luna_scalar_resize(builder, x[i], i32),
        luna_scalar_int(builder, i32, pair->scales[i].zero_point));
  MlirValue zero = luna_scalar_int(builder, i32, 0);
  MlirValue turned = luna_scalar_select(
      builder, luna_scalar_compare(builder, LUNA_LT, x[1], zero),
      luna_scalar(builder, "arith.subi", zero, x[0]), x[0]);
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  MlirValue product = luna_scalar(
      builder, "arith.muli",
      luna_scalar_resize(builder, look_up(builder, dividends, turned), i64),
      luna_scalar_resize(builder, look_up(builder, reciprocals, x[1]), i64));
  product = luna_scalar(builder, "arith.addi", product,
                        luna_scalar_int(builder, i64, INT64_C(1) << 30));
  product = luna_scalar(builder, "arith.shrsi", product,
                        luna_scalar_int(builder, i64, 31));
  MlirValue shift =
      luna_scalar(builder, "arith.addi", look_up(builder, bits, x[1]),
                  look_up(builder, headrooms, turned));
  shift = luna_scalar(builder, "arith.subi", shift,
                      luna_scalar_int(builder, i32, by.shift));
  // Beyond 32 bits nothing is left.
  shift = luna_scalar_clamp(builder, shift, 0, 40);
  MlirValue result = scale_down(
      builder, luna_scalar_resize(builder, product, i32), by.multiplier, shift);
  result = luna_scalar(builder, "arith.addi", result,
                       luna_scalar_int(builder, i32, out.zero_point));
  *value = luna_generic_end(&generic,
                            luna_scalar_saturate(builder, result, builder->i8));
  return true;
}

bool luna_tfl_div(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  LunaTflitePair pair;
  MlirValue x[2], value;
  if (!luna_tfl_read_pair(node, &pair))
    return false;
  if (pair.is_quantized)
    return div_int8(node, &pair, &value) && luna_tfl_finish_pair(node, value);
  MlirType element = luna_tosa_element(pair.values[0]);
  LunaGeneric generic = open_pair(builder, &pair, element, x);
  value = mlirTypeIsAF32(element)
              ? luna_scalar(builder, "arith.divf", x[0], x[1])
              : div_i32(builder, x[0], x[1]);
  return luna_tfl_finish_pair(node, luna_generic_end(&generic, value));
}

//===----------------------------------------------------------------------===//
// SQUARED_DIFFERENCE
//===----------------------------------------------------------------------===//

static bool squared_quantized(LunaTfliteNode *node, LunaTflitePair *pair) {
  LunaTosaBuilder *builder = node->builder;
  MlirType i32 = builder->i32, element = luna_tosa_element(pair->values[0]);
  int shift = pair->tensors[0]->type == LUNA_TFLITE_I16 ? 0 : 7;
  LunaTfliteScale out;
  MlirValue x[2];
  if (!luna_node_scale(node, luna_node_output(node, 0), &out))
    return false;
  float first = pair->scales[0].scale, second = pair->scales[1].scale;
  double twice_largest = 2.0 * (double)(first > second ? first : second);
  // The product of integer and scale is one of floats.
  float unit = (float)(1 << (2 * shift)) * out.scale;
  LunaMultiplier by =
      luna_quantize_multiplier(twice_largest * twice_largest / (double)unit);
  if (!luna_tosa_can_rescale(by))
    return luna_node_fail(node, "its scales ask for too large a factor");
  LunaGeneric generic = open_pair(builder, pair, element, x);
  for (int i = 0; i < 2; ++i) {
    LunaMultiplier scale =
        luna_quantize_multiplier((double)pair->scales[i].scale / twice_largest);
    x[i] = luna_scalar(
        builder, "arith.subi", luna_scalar_resize(builder, x[i], i32),
        luna_scalar_int(builder, i32, pair->scales[i].zero_point));
    x[i] = luna_scalar(builder, "arith.shli", x[i],
                       luna_scalar_int(builder, i32, shift));
    x[i] = luna_scalar_multiply(builder, x[i], scale);
  }
  MlirValue difference = luna_scalar(builder, "arith.subi", x[0], x[1]);
  MlirValue square = luna_scalar(builder, "arith.muli", difference, difference);
  return luna_node_set(
      node, 0,
      luna_generic_end(&generic,
                       luna_scalar_requantize(builder, square, by,
                                              out.zero_point, element)));
}

bool luna_tfl_squared_difference(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  LunaTflitePair pair;
  if (!luna_tfl_read_pair(node, &pair))
    return false;
  if (pair.is_quantized)
    return squared_quantized(node, &pair);
  MlirType element = luna_tosa_element(pair.values[0]);
  MlirValue difference = luna_tosa_binary(builder, "tosa.sub", pair.values[0],
                                          pair.values[1], element);
  return luna_node_set(
      node, 0,
      luna_tosa_binary(builder, "tosa.mul", difference, difference, element));
}
