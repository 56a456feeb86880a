// Unsigned bytes: signed ones with the highest bit flipped, by tables that move
// on until they meet.

#include "fuse_quantization.h"

#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue result_of(MlirOperation op) {
  return mlirOperationGetResult(op, 0);
}

enum { UNSIGNED_BIAS = 128 };

static MlirOperation flip_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value), null = {NULL};
  LunaLiteral table;
  if (!luna_op_is(op, LUNA_OP_TOSA_TABLE) ||
      !luna_literal_read(mlirOperationGetOperand(op, 1), &table) ||
      table.count != 256 || table.element_bytes != 1)
    return null;
  for (int i = 0; i < 256; ++i)
    if (table.bytes[table.is_splat ? 0 : i] != i)
      return null;
  return op;
}

static MlirValue flipped_literal(MlirOperation before,
                                 const LunaLiteral *literal) {
  LunaArena arena = {0};
  LunaLiteral made = *literal;
  int64_t count = literal->is_splat ? 1 : literal->count;
  uint8_t *bytes = luna_arena_alloc(&arena, (uint64_t)count, 1);
  for (int64_t i = 0; i < count; ++i)
    bytes[i] = literal->bytes[i] ^ 0x80;
  made.bytes = bytes;
  LunaBuilder b = luna_builder_before(before, before);
  MlirValue value = luna_literal_make(&made, &b);
  luna_arena_destroy(&arena);
  return value;
}

// The bytes with the highest bit flipped: those that were flipped before, a
// constant, or a table behind what makes them.
static MlirValue flipped(MlirOperation before, MlirValue bytes) {
  LunaLiteral literal;
  MlirOperation flip = flip_of(bytes);
  if (!mlirOperationIsNull(flip))
    return mlirOperationGetOperand(flip, 0);
  if (luna_literal_read(bytes, &literal))
    return flipped_literal(before, &literal);
  for (MlirOpOperand use = mlirValueGetFirstUse(bytes);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (luna_op_is(user, LUNA_OP_TOSA_TABLE) &&
        mlirBlockEqual(mlirOperationGetBlock(user),
                       mlirOperationGetBlock(before)) &&
        mlirOperationIsBeforeInBlock(user, before) &&
        !mlirOperationIsNull(flip_of(result_of(user))))
      return result_of(user);
  }
  int8_t table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = (int8_t)(i < 128 ? i : i - 256);
  LunaBuilder b = luna_builder_before(before, before);
  return luna_quant_make_table(&b, bytes, table);
}

static void set_zero(MlirOperation op, const LunaQuant *quant) {
  LunaBuilder b = luna_builder_before(op, op);
  MlirValue zero = luna_build_const_one(&b, quant->element,
                                        (double)(quant->zero - UNSIGNED_BIAS));
  MlirValue operands[3] = {mlirOperationGetOperand(op, 0),
                           mlirOperationGetOperand(op, 1), zero};
  static const char *const bounds[] = {"clamp_min", "clamp_max"};
  for (int i = 0; i < 2; ++i)
    if (!mlirAttributeIsNull(luna_attr(op, bounds[i])))
      luna_set_attr(
          op, bounds[i],
          luna_i32_attr(b.context, (int32_t)luna_attr_int(op, bounds[i], 0) -
                                       UNSIGNED_BIAS));
  mlirOperationSetOperands(op, 3, operands);
  mlirOperationRemoveAttributeByName(op, luna_str("is_unsigned"));
}

void luna_fuse_make_signed(MlirOperation op) {
  LunaQuant quant;
  MlirValue result = result_of(op);
  MlirType type = mlirValueGetType(result);
  if (!luna_quant_read(op, &quant) || !quant.is_unsigned ||
      mlirIntegerTypeGetWidth(quant.element) != 8 ||
      mlirShapedTypeGetRank(type) == 0 || !mlirShapedTypeHasStaticShape(type))
    return;
  set_zero(op, &quant);
  if (luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE)) {
    mlirOperationSetOperand(op, 0, flipped(op, mlirOperationGetOperand(op, 0)));
    return;
  }
  MlirValue bytes = flipped(mlirOperationGetNextInBlock(op), result);
  MlirOperation flip = luna_defining_op(bytes);
  mlirValueReplaceAllUsesExcept(result, bytes, 1, &flip);
}

static void set_flipped(MlirOperation op, MlirValue value) {
  MlirValue bytes = flipped(mlirOperationGetNextInBlock(op), value);
  MlirOperation flip = luna_defining_op(bytes);
  mlirValueReplaceAllUsesExcept(value, bytes, 1, &flip);
}

static bool sink_flip_of_branch(MlirOperation op, intptr_t k) {
  MlirOperation flips[2];
  for (intptr_t r = 0; r < 2; ++r) {
    flips[r] = flip_of(mlirOperationGetOperand(luna_fuse_yield(op, r), k));
    if (mlirOperationIsNull(flips[r]))
      return false;
  }
  for (intptr_t r = 0; r < 2; ++r)
    mlirOperationSetOperand(luna_fuse_yield(op, r), k,
                            mlirOperationGetOperand(flips[r], 0));
  set_flipped(op, mlirOperationGetResult(op, k));
  return true;
}

static bool sink_flip_of_move(MlirOperation op, const LunaFuseMove *move) {
  MlirOperation flips[LUNA_FUSE_MAX_OPERANDS];
  LunaLiteral fill = {.count = 0};
  intptr_t count = luna_fuse_operand_count(move, op);
  if (move->compares || count > LUNA_FUSE_MAX_OPERANDS)
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    flips[i] = flip_of(mlirOperationGetOperand(op, i));
    if (mlirOperationIsNull(flips[i]))
      return false;
  }
  bool is_pad = luna_op_is(op, LUNA_OP_TOSA_PAD);
  if (is_pad && !luna_literal_read(mlirOperationGetOperand(op, 2), &fill))
    return false;
  LunaBuilder b = luna_builder_before(op, op);
  if (is_pad)
    mlirOperationSetOperand(
        op, 2,
        luna_build_const_one(
            &b, b.i8,
            (double)(int8_t)(luna_literal_int(&fill, 0) ^ -UNSIGNED_BIAS)));
  for (intptr_t i = 0; i < count; ++i)
    mlirOperationSetOperand(op, i, mlirOperationGetOperand(flips[i], 0));
  set_flipped(op, result_of(op));
  return true;
}

bool luna_fuse_sink_flip(MlirOperation op) {
  bool any = false;
  if (luna_fuse_is_branch(op))
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      any |= sink_flip_of_branch(op, k);
  else if (luna_fuse_find_move(op))
    any = sink_flip_of_move(op, luna_fuse_find_move(op));
  else if (luna_op_is(op, LUNA_OP_TOSA_TABLE) &&
           !mlirOperationIsNull(flip_of(result_of(op)))) {
    MlirOperation first = flip_of(mlirOperationGetOperand(op, 0));
    any = !mlirOperationIsNull(first);
    if (any)
      luna_quant_replace(op, mlirOperationGetOperand(first, 0));
  }
  return any;
}
