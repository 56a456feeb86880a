// Constants, and what operators that only move elements make of them.

#include "fuse_quantization.h"

#include <string.h>

#include "luna-c/build_tosa.h"
#include "luna-c/dialect.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

MlirAttribute luna_literal_attr(MlirValue value) {
  MlirAttribute values = luna_constant_value(value);
  if (mlirAttributeIsNull(values))
    return values;
  return mlirAttributeIsADenseElements(values)
             ? values
             : lunaDenseElementsFromResource(values);
}

bool luna_literal_of(MlirAttribute values, LunaLiteral *literal) {
  if (mlirAttributeIsNull(values))
    return false;
  MlirType type = mlirAttributeGetType(values);
  MlirType element = mlirShapedTypeGetElementType(type);
  *literal = (LunaLiteral){
      .type = type,
      .element_bytes = luna_element_type_bytes(element),
      .count = mlirElementsAttrGetNumElements(values),
      .is_splat = mlirDenseElementsAttrIsSplat(values),
  };
  bool is_bit =
      mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) % 8 != 0;
  if (literal->element_bytes == 0 || is_bit || literal->count == 0)
    return false;
  literal->bytes = mlirDenseElementsAttrGetRawData(values);
  return true;
}

bool luna_literal_read(MlirValue value, LunaLiteral *literal) {
  return luna_literal_of(luna_literal_attr(value), literal);
}

int64_t luna_literal_int(const LunaLiteral *literal, int64_t i) {
  const uint8_t *at =
      literal->bytes + (literal->is_splat ? 0 : i) * literal->element_bytes;
  uint64_t bits = 0;
  for (int64_t b = 0; b < literal->element_bytes; ++b)
    bits |= (uint64_t)at[b] << (8 * b);
  if (literal->element_bytes == 8)
    return (int64_t)bits;
  uint64_t sign = UINT64_C(1) << (8 * literal->element_bytes - 1);
  return (int64_t)(bits ^ sign) - (int64_t)sign;
}

float luna_literal_float(const LunaLiteral *literal, int64_t i) {
  float number;
  memcpy(&number, literal->bytes + (literal->is_splat ? 0 : i) * 4, 4);
  return number;
}

MlirValue luna_literal_make(const LunaLiteral *literal, const LunaBuilder *b) {
  size_t bytes = (size_t)(literal->element_bytes *
                          (literal->is_splat ? 1 : literal->count));
  return luna_build_const(b, mlirDenseElementsAttrRawBufferGet(
                                 literal->type, bytes, literal->bytes));
}

bool luna_literal_number(MlirValue value, float *number) {
  LunaLiteral literal;
  LunaQuant quant;
  if (luna_quant_source(value, &quant)) {
    if (!quant.is_uniform || quant.is_unsigned ||
        !luna_literal_read(luna_quant_ints(&quant), &literal) ||
        (!literal.is_splat && literal.count != 1))
      return false;
    *number = (float)(luna_literal_int(&literal, 0) - quant.zero) * quant.scale;
    return true;
  }
  if (!luna_literal_read(value, &literal) ||
      (!literal.is_splat && literal.count != 1) ||
      !mlirTypeIsAF32(mlirShapedTypeGetElementType(literal.type)))
    return false;
  *number = luna_literal_float(&literal, 0);
  return true;
}

//===----------------------------------------------------------------------===//
// Literals that were moved
//===----------------------------------------------------------------------===//

enum { MAX_MOVES = 16 };

typedef struct Strided {
  int64_t start, strides[LUNA_RANK_MAX];
} Strided;

// Where element [0, …] of the result lies, and how far apart its neighbours do.
static bool read_transpose(MlirOperation op, const int64_t *strides,
                           intptr_t rank, Strided *from) {
  int64_t perms[LUNA_RANK_MAX];
  if (!luna_attr_ints(op, "perms", perms, rank))
    return false;
  for (intptr_t i = 0; i < rank; ++i) {
    if (perms[i] < 0 || perms[i] >= rank)
      return false;
    from->strides[i] = strides[perms[i]];
  }
  return true;
}

static bool read_slice(MlirOperation op, const int64_t *strides, intptr_t rank,
                       Strided *from) {
  MlirOperation starts = luna_defining_op(mlirOperationGetOperand(op, 1));
  if (!luna_op_is(starts, LUNA_OP_TOSA_CONST_SHAPE))
    return false;
  MlirAttribute list = luna_attr(starts, "values");
  for (intptr_t i = 0; i < rank; ++i) {
    int64_t start = (int64_t)mlirDenseElementsAttrGetIndexValue(list, i);
    from->start += start * strides[i];
    from->strides[i] = strides[i];
  }
  return true;
}

static void set_strides(MlirType type, int64_t *strides) {
  int64_t stride = 1;
  for (intptr_t i = (intptr_t)mlirShapedTypeGetRank(type); i-- > 0;) {
    strides[i] = stride;
    stride *= mlirShapedTypeGetDimSize(type, i);
  }
}

// Copies the elements of `from` that are those of `to`, in its order.
static void copy_strided(const LunaLiteral *from, const Strided *where,
                         const LunaLiteral *to, uint8_t *out) {
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(to->type);
  int64_t index[LUNA_RANK_MAX] = {0}, at = where->start;
  for (int64_t k = 0; k < to->count; ++k) {
    memcpy(out + k * to->element_bytes, from->bytes + at * to->element_bytes,
           (size_t)to->element_bytes);
    for (intptr_t d = rank; d-- > 0;) {
      at += where->strides[d];
      if (++index[d] < mlirShapedTypeGetDimSize(to->type, d))
        break;
      at -= index[d] * where->strides[d];
      index[d] = 0;
    }
  }
}

static void read_reverse(MlirOperation op, MlirType type,
                         const int64_t *strides, intptr_t rank, Strided *from) {
  int64_t axis = luna_attr_int(op, "axis", 0);
  for (intptr_t i = 0; i < rank; ++i)
    from->strides[i] = i == axis ? -strides[i] : strides[i];
  from->start =
      (mlirShapedTypeGetDimSize(type, (intptr_t)axis) - 1) * strides[axis];
}

// How `op` reads its operand; false where it is not known.
static bool read_strides(MlirOperation op, MlirType type, intptr_t rank,
                         Strided *from) {
  int64_t strides[LUNA_RANK_MAX];
  set_strides(type, strides);
  if (luna_op_is(op, LUNA_OP_TOSA_TRANSPOSE))
    return read_transpose(op, strides, rank, from);
  if (luna_op_is(op, LUNA_OP_TOSA_SLICE))
    return read_slice(op, strides, rank, from);
  read_reverse(op, type, strides, rank, from);
  return true;
}

// What `op` makes of a literal.
static bool move_literal(LunaArena *arena, MlirOperation op,
                         LunaLiteral *literal) {
  LunaLiteral from = *literal;
  Strided where = {.start = 0};
  literal->type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirShapedTypeHasStaticShape(literal->type))
    return false;
  literal->count = 1;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(literal->type);
  for (intptr_t i = 0; i < rank; ++i)
    literal->count *= mlirShapedTypeGetDimSize(literal->type, i);
  if (literal->count == 0)
    return false;
  if (from.is_splat || luna_op_is(op, LUNA_OP_TOSA_RESHAPE))
    return true;
  if (!read_strides(op, from.type, rank, &where))
    return false;
  uint8_t *out = luna_arena_alloc(arena, (uint64_t)literal->count,
                                  (uint64_t)literal->element_bytes);
  copy_strided(&from, &where, literal, out);
  literal->bytes = out;
  return true;
}

// How far the elements of `type` lie apart when it goes along the dimensions of
// another: 0 where it repeats.
static void set_repeating_strides(MlirType type, intptr_t rank,
                                  int64_t *strides) {
  bool has_rank = rank == mlirShapedTypeGetRank(type);
  set_strides(type, strides);
  for (intptr_t i = 0; i < rank; ++i)
    if (!has_rank || mlirShapedTypeGetDimSize(type, i) == 1)
      strides[i] = 0;
}

// The integers of a constant that a luna.quantize takes.
static bool quantize_literal(LunaArena *arena, MlirOperation op,
                             LunaLiteral *literal) {
  LunaQuant quant;
  LunaQuantTarget target;
  LunaLiteral from = *literal, scales;
  Strided where = {.start = 0};
  if (!luna_quant_read(op, &quant) || !luna_literal_of(quant.scales, &scales))
    return false;
  literal->type = mlirValueGetType(mlirOperationGetResult(op, 0));
  literal->element_bytes = mlirIntegerTypeGetWidth(quant.element) / 8;
  literal->is_splat = false;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(literal->type);
  set_repeating_strides(scales.type, rank, where.strides);
  LunaLiteral each = {literal->type, scales.bytes, 4, literal->count, false};
  uint8_t *list = luna_arena_alloc(arena, (uint64_t)literal->count, 4);
  if (scales.is_splat)
    memset(where.strides, 0, sizeof where.strides);
  copy_strided(&scales, &where, &each, list);
  each.bytes = list;
  uint8_t *out = luna_arena_alloc(arena, (uint64_t)literal->count,
                                  (uint64_t)literal->element_bytes);
  target = luna_quant_target_of(&quant);
  for (int64_t i = 0; i < literal->count; ++i) {
    target.scale = luna_literal_float(&each, i);
    int64_t number = luna_quant_number(&target, luna_literal_float(&from, i));
    for (int64_t b = 0; b < literal->element_bytes; ++b)
      out[i * literal->element_bytes + b] = (uint8_t)(number >> (8 * b));
  }
  literal->bytes = out;
  return true;
}

static bool makes_literal(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_LUNA_QUANTIZE, LUNA_OP_TOSA_RESHAPE,
                        LUNA_OP_TOSA_REVERSE, LUNA_OP_TOSA_SLICE,
                        LUNA_OP_TOSA_TRANSPOSE);
}

bool luna_literal_read_moved(LunaArena *arena, MlirValue value,
                             LunaLiteral *literal) {
  MlirOperation moves[MAX_MOVES];
  int count = 0;
  while (!luna_literal_read(value, literal)) {
    MlirOperation op = luna_defining_op(value);
    if (mlirOperationIsNull(op) || count == MAX_MOVES || !makes_literal(op))
      return false;
    moves[count++] = op;
    value = mlirOperationGetOperand(op, 0);
  }
  while (count > 0) {
    MlirOperation op = moves[--count];
    if (!(luna_op_is(op, LUNA_OP_LUNA_QUANTIZE)
              ? quantize_literal(arena, op, literal)
              : move_literal(arena, op, literal)))
      return false;
  }
  return true;
}
