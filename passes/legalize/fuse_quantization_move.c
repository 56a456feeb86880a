// Operators that only move elements, and clamps: they are made on integers in
// place, whose scale goes along.

#include "fuse_quantization.h"

#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { ALL_OPERANDS = -1 };

static const LunaFuseMove moves[] = {
    {LUNA_OP_TOSA_CONCAT, ALL_OPERANDS, true, false},
    {LUNA_OP_TOSA_GATHER, 1, false, false},
    {LUNA_OP_TOSA_MAX_POOL2D, 1, true, true},
    {LUNA_OP_TOSA_PAD, 1, true, false},
    {LUNA_OP_TOSA_REDUCE_MAX, 1, true, true},
    {LUNA_OP_TOSA_REDUCE_MIN, 1, true, true},
    {LUNA_OP_TOSA_RESHAPE, 1, true, false},
    {LUNA_OP_TOSA_REVERSE, 1, true, false},
    {LUNA_OP_TOSA_SLICE, 1, false, false},
    {LUNA_OP_TOSA_TILE, 1, true, false},
    {LUNA_OP_TOSA_TRANSPOSE, 1, true, false},
    {LUNA_OP_TENSOR_EXTRACT_SLICE, 1, false, false},
};

const LunaFuseMove *luna_fuse_find_move(MlirOperation op) {
  if (mlirOperationIsNull(op))
    return NULL;
  for (size_t i = 0; i < sizeof moves / sizeof *moves; ++i)
    if (luna_op_is(op, moves[i].name))
      return &moves[i];
  return NULL;
}

intptr_t luna_fuse_operand_count(const LunaFuseMove *move, MlirOperation op) {
  return move->operands == ALL_OPERANDS ? mlirOperationGetNumOperands(op)
                                        : move->operands;
}

static MlirValue result_of(MlirOperation op) {
  return mlirOperationGetResult(op, 0);
}

static void set_element(MlirValue value, MlirType element) {
  mlirValueSetType(value, luna_with_element(mlirValueGetType(value), element));
}

// Reads what a pad fills with, 0 for another op; false where it is computed.
static bool read_fill(MlirOperation op, float *fill) {
  *fill = 0;
  return !luna_op_is(op, LUNA_OP_TOSA_PAD) ||
         luna_literal_number(mlirOperationGetOperand(op, 2), fill);
}

// Gives `op` the integer element type, after its operands; a pad fills with
// `fill`.
static void set_integers(MlirOperation op, MlirType element, int64_t fill) {
  LunaBuilder b = luna_builder_before(op, op);
  if (luna_op_is(op, LUNA_OP_TOSA_PAD))
    mlirOperationSetOperand(op, 2,
                            luna_build_const_one(&b, element, (double)fill));
  set_element(result_of(op), element);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

MlirOperation luna_fuse_yield(MlirOperation op, intptr_t branch) {
  return mlirBlockGetTerminator(luna_body(op, branch));
}

// Both branches yield integers that stand for the same numbers.
static bool sink_branch(MlirOperation op, intptr_t k) {
  LunaQuant quants[2];
  MlirOperation yields[2];
  for (intptr_t r = 0; r < 2; ++r) {
    yields[r] = luna_fuse_yield(op, r);
    if (!luna_quant_source(mlirOperationGetOperand(yields[r], k), &quants[r]))
      return false;
  }
  if (!luna_quant_is_like(&quants[0], &quants[1]))
    return false;
  for (intptr_t r = 0; r < 2; ++r)
    mlirOperationSetOperand(yields[r], k, luna_quant_ints(&quants[r]));
  MlirValue ints = mlirOperationGetResult(op, k);
  set_element(ints, quants[0].element);
  luna_quant_dequantize_result(ints, &quants[0], mlirAttributeGetNull());
  return true;
}

bool luna_fuse_is_branch(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_SCF_IF) && mlirOperationGetNumResults(op) > 0;
}

static bool sink_branches(MlirOperation op) {
  bool any = false;
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
    any |= sink_branch(op, k);
  return any;
}

//===----------------------------------------------------------------------===//
// Sinking
//===----------------------------------------------------------------------===//

bool luna_fuse_sink(MlirOperation op) {
  if (luna_fuse_is_branch(op))
    return sink_branches(op);
  const LunaFuseMove *move = luna_fuse_find_move(op);
  if (!move)
    return luna_fuse_sink_relu(op) || luna_fuse_sink_picker(op) ||
           luna_fuse_sink_max(op);
  LunaQuant quants[LUNA_FUSE_MAX_OPERANDS];
  intptr_t count = luna_fuse_operand_count(move, op);
  float fill;
  // A pad must be of zeros, which integers have as well.
  if (count < 1 || count > LUNA_FUSE_MAX_OPERANDS || !read_fill(op, &fill) ||
      fill != 0)
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!luna_quant_source(mlirOperationGetOperand(op, i), &quants[i]) ||
        (move->compares && !luna_quant_keeps_order(&quants[i])) ||
        (count > 1 && !luna_quant_is_like(&quants[i], &quants[0])))
      return false;
  MlirAttribute scales = mlirAttributeGetNull();
  if (!quants[0].is_uniform) {
    scales = luna_quant_moved_scales(op, &quants[0]);
    if (mlirAttributeIsNull(scales))
      return false;
  }
  for (intptr_t i = 0; i < count; ++i)
    mlirOperationSetOperand(op, i, luna_quant_ints(&quants[i]));
  set_integers(op, quants[0].element, quants[0].zero);
  luna_quant_dequantize_result(result_of(op), &quants[0], scales);
  return true;
}

//===----------------------------------------------------------------------===//
// Hoisting
//===----------------------------------------------------------------------===//

// Quantises `value` before `before` as `quantize` does.
static MlirOperation quantize_before(MlirOperation before,
                                     MlirOperation quantize, MlirValue value) {
  MlirOperation made = mlirOperationClone(quantize);
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(result_of(quantize)));
  luna_insert_before(before, made);
  // Its scale and zero point are made where they are needed, as one element:
  // those of several, all alike, have the shape of the result.
  LunaBuilder b = luna_builder_before(made, made);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(made); ++i) {
    MlirValue old = mlirOperationGetOperand(made, i);
    LunaLiteral literal;
    if (luna_literal_read(old, &literal)) {
      literal.count = 1;
      literal.type = luna_list_type(luna_element_of(old), 1);
      mlirOperationSetOperand(made, i, luna_literal_make(&literal, &b));
    }
  }
  mlirOperationSetOperand(made, 0, value);
  mlirValueSetType(result_of(made),
                   luna_with_element(mlirValueGetType(value), element));
  return made;
}

// Quantises what both branches yield for `result`.
static int hoist_into_branches(MlirValue result, MlirOperation quantize,
                               MlirOperation *made) {
  MlirOperation op = luna_defining_op(result);
  intptr_t k = mlirOpResultGetResultNumber(result);
  for (intptr_t r = 0; r < 2; ++r) {
    MlirOperation yield = luna_fuse_yield(op, r);
    made[r] =
        quantize_before(yield, quantize, mlirOperationGetOperand(yield, k));
    mlirOperationSetOperand(yield, k, result_of(made[r]));
  }
  return 2;
}

static int hoist_over_move(MlirOperation op, const LunaFuseMove *move,
                           MlirOperation quantize, MlirOperation *made) {
  intptr_t count = luna_fuse_operand_count(move, op);
  for (intptr_t i = 0; i < count; ++i) {
    made[i] = quantize_before(op, quantize, mlirOperationGetOperand(op, i));
    mlirOperationSetOperand(op, i, result_of(made[i]));
  }
  return (int)count;
}

// Quantising is monotone: the largest integer stands for the largest number.
static int hoist_over_max(const LunaFuseWindow *window, MlirOperation quantize,
                          const LunaQuant *quant, MlirOperation *made) {
  LunaQuantTarget target = luna_quant_target_of(quant);
  made[0] = quantize_before(window->op, quantize, window->source);
  luna_fuse_max_of_ints(window, result_of(made[0]),
                        luna_quant_number(&target, window->start));
  return 1;
}

static bool may_hoist(const LunaFuseMove *move, MlirOperation op, float *fill) {
  return move && move->is_hoisted &&
         luna_fuse_operand_count(move, op) <= LUNA_FUSE_MAX_OPERANDS &&
         read_fill(op, fill);
}

int luna_fuse_hoist(MlirOperation quantize,
                    MlirOperation made[LUNA_FUSE_MAX_OPERANDS]) {
  MlirValue value = mlirOperationGetOperand(quantize, 0);
  MlirOperation op = luna_defining_op(value);
  LunaQuant quant;
  if (mlirOperationIsNull(op) || !luna_is_used_once(value) ||
      !luna_quant_read(quantize, &quant) || !quant.is_uniform ||
      quant.is_unsigned)
    return 0;
  const LunaFuseMove *move = luna_fuse_find_move(op);
  LunaFuseWindow window;
  bool is_max = luna_fuse_read_max(op, &window);
  float fill = 0;
  if (!luna_fuse_is_branch(op) && !is_max && !may_hoist(move, op, &fill))
    return 0;
  int count = is_max ? hoist_over_max(&window, quantize, &quant, made)
              : luna_fuse_is_branch(op)
                  ? hoist_into_branches(value, quantize, made)
                  : hoist_over_move(op, move, quantize, made);
  LunaQuantTarget target = luna_quant_target_of(&quant);
  mlirValueReplaceAllUsesOfWith(result_of(quantize), value);
  mlirOperationDestroy(quantize);
  if (move)
    set_integers(op, quant.element, luna_quant_number(&target, fill));
  else
    set_element(value, quant.element);
  return count;
}
