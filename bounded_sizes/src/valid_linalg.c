// linalg: what is valid of an operand is so of a loop. What the loop writes is
// valid in the same way; sums over the loop end at it.

#include "valid_rules.h"

#include "luna-c/build_scalar.h"
#include "luna-c/linalg_operands.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

typedef struct Loops {
  LunaValidLengths *lengths;
  MlirOperation op;
  MlirAttribute maps;
  MlirBlock body;
  intptr_t inputs;
  /// The loop that is valid, or -1; as which value is.
  int loop;
  LunaValidLength valid;
} Loops;

static MlirAffineMap map_of(const Loops *loops, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(loops->maps, i));
}

// The loop that is the index of dimension `d` of operand `i`, or -1.
static int loop_of(const Loops *loops, intptr_t i, int d) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map_of(loops, i), d);
  return mlirAffineExprIsADim(expr) ? (int)mlirAffineDimExprGetPosition(expr)
                                    : -1;
}

// The dimension of operand `i` whose index the valid loop is, or -1.
static int dimension_of(const Loops *loops, intptr_t i) {
  int rank = (int)mlirAffineMapGetNumResults(map_of(loops, i));
  int at = -1;
  for (int d = 0; d < rank; ++d)
    if (loop_of(loops, i, d) == loops->loop)
      at = d;
  return at;
}

// Notes that `loop` is as valid as an operand.
static bool add_loop(Loops *loops, const LunaValidLength *valid, int loop) {
  if (loop < 0)
    return luna_valid_refuse(loops->lengths, valid,
                             "the operator works along it");
  if (loops->loop >= 0 &&
      (loop != loops->loop || !luna_valid_same(valid, &loops->valid)))
    return luna_valid_refuse_pair(loops->lengths, &loops->valid, valid);
  loops->loop = loop;
  loops->valid = *valid;
  return true;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

// Returns true, and the loop, if `value` is the index of one.
static bool is_index(MlirValue value, int *loop) {
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, LUNA_OP_LINALG_INDEX))
    return false;
  *loop = (int)luna_attr_int(op, "dim", 0);
  return true;
}

// What the body reads of a tensor by indices.
static bool add_extract(Loops *loops, MlirOperation op) {
  const LunaValidLength *valid =
      luna_valid_find(loops->lengths, mlirOperationGetOperand(op, 0));
  if (!valid)
    return true;
  int loop;
  if (!is_index(mlirOperationGetOperand(op, 1 + valid->axis), &loop))
    return luna_valid_refuse(loops->lengths, valid,
                             "an index into it cannot be checked");
  return add_loop(loops, valid, loop);
}

static bool add_body(Loops *loops) {
  for (MlirOperation op = mlirBlockGetFirstOperation(loops->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (luna_op_is(op, LUNA_OP_TENSOR_EXTRACT)) {
      mlirOperationSetOperand(
          op, 0,
          luna_valid_now(loops->lengths, mlirOperationGetOperand(op, 0)));
      if (!add_extract(loops, op))
        return false;
    }
  }
  return true;
}

// Builds the choice between two numbers by whether the loop is at what is
// valid.
static MlirValue choose(const Loops *loops, MlirOperation before,
                        MlirValue if_valid, MlirValue otherwise) {
  LunaBuilder b = luna_builder_before(before, before);
  LunaAttr loop = {"dim", luna_i64_attr(b.context, loops->loop)};
  MlirValue index =
      luna_build_op(&b, "linalg.index", b.index, 0, NULL, 1, &loop);
  return luna_scalar_select(
      &b, luna_scalar_compare(&b, LUNA_LT, index, loops->valid.count), if_valid,
      otherwise);
}

static bool is_division(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_CEILDIVSI, LUNA_OP_ARITH_CEILDIVUI,
                        LUNA_OP_ARITH_DIVSI, LUNA_OP_ARITH_DIVUI,
                        LUNA_OP_ARITH_FLOORDIVSI, LUNA_OP_ARITH_REMSI,
                        LUNA_OP_ARITH_REMUI);
}

// Has operand `i` of an op of the body be `neutral` where that is dead.
static void guard(const Loops *loops, MlirOperation op, intptr_t i,
                  int64_t neutral) {
  MlirValue value = mlirOperationGetOperand(op, i);
  int64_t number;
  int loop;
  if (luna_constant_number(value, &number) || is_index(value, &loop))
    return;
  LunaBuilder b = luna_builder_before(op, op);
  MlirValue other = luna_scalar_int(&b, mlirValueGetType(value), neutral);
  mlirOperationSetOperand(op, i, choose(loops, op, value, other));
}

// What is dead divides by nothing and picks what is there.
static void guard_body(const Loops *loops) {
  for (MlirOperation op = mlirBlockGetFirstOperation(loops->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (is_division(op))
      guard(loops, op, 1, 1);
    if (luna_op_is(op, LUNA_OP_TENSOR_EXTRACT))
      for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
        guard(loops, op, i, 0);
  }
}

// A sum over what is dead stays what it was.
static void end_sums(const Loops *loops) {
  MlirOperation yield = mlirBlockGetTerminator(loops->body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    mlirOperationSetOperand(
        yield, i,
        choose(loops, yield, mlirOperationGetOperand(yield, i),
               mlirBlockGetArgument(loops->body, loops->inputs + i)));
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

static bool add_operands(Loops *loops) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loops->op); ++i) {
    const LunaValidLength *valid =
        luna_valid_find(loops->lengths, mlirOperationGetOperand(loops->op, i));
    if (valid && !add_loop(loops, valid, loop_of(loops, i, valid->axis)))
      return false;
  }
  return mlirBlockIsNull(loops->body) || add_body(loops);
}

// A tensor without elements of its own, or with one for all.
static bool is_blank(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  return luna_valid_fits_any(value) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_TENSOR_EMPTY, LUNA_OP_LINALG_FILL);
}

// Along the valid loop operands have as many elements, or any number.
static bool check_operands(Loops *loops) {
  int64_t bound = luna_extent(loops->valid.value, loops->valid.axis);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loops->op); ++i) {
    MlirValue operand = mlirOperationGetOperand(loops->op, i);
    int at = dimension_of(loops, i);
    if (at < 0)
      continue;
    const LunaValidLength *valid = luna_valid_find(loops->lengths, operand);
    if (luna_extent(operand, at) != bound)
      return luna_valid_refuse(loops->lengths, &loops->valid,
                               "another input has another bound");
    if (!valid && bound > 1 && !is_blank(operand))
      return luna_valid_refuse(loops->lengths, &loops->valid,
                               "it does not broadcast to a known one");
  }
  return true;
}

static bool is_reduction(const Loops *loops) {
  for (intptr_t i = loops->inputs; i < mlirOperationGetNumOperands(loops->op);
       ++i)
    if (dimension_of(loops, i) >= 0)
      return false;
  return true;
}

static bool give_results(Loops *loops) {
  int64_t bound = luna_extent(loops->valid.value, loops->valid.axis);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loops->op); ++i) {
    int at = dimension_of(loops, loops->inputs + i);
    if (at < 0)
      return luna_valid_refuse(loops->lengths, &loops->valid,
                               "not all results have it");
    luna_valid_give(loops->lengths, loops->op, i, &loops->valid, at, bound);
  }
  return true;
}

static MlirBlock body_of(MlirOperation op) {
  bool has_body = LUNA_OP_IS_ANY(op, LUNA_OP_LINALG_GENERIC, LUNA_OP_LINALG_MAP,
                                 LUNA_OP_LINALG_REDUCE);
  return has_body ? luna_body(op, 0) : (MlirBlock){NULL};
}

bool luna_valid_rule_loops(LunaValidLengths *lengths, MlirOperation op) {
  Loops loops = {.lengths = lengths,
                 .op = op,
                 .maps = mlirLinalgGetIndexingMapsAttribute(op),
                 .body = body_of(op),
                 .inputs = luna_linalg_input_count(op),
                 .loop = -1};
  bool has_body = !mlirBlockIsNull(loops.body);
  if (mlirAttributeIsNull(loops.maps))
    return luna_valid_refuse_axis(lengths, 0);
  if (!add_operands(&loops))
    return false;
  if (loops.loop < 0)
    return luna_valid_refuse_axis(lengths, 0);
  if (!check_operands(&loops))
    return false;
  bool is_sum = is_reduction(&loops);
  if (is_sum && !has_body)
    return luna_valid_refuse(lengths, &loops.valid,
                             "the operator works along it");
  if (has_body)
    guard_body(&loops);
  if (!is_sum)
    return give_results(&loops);
  end_sums(&loops);
  return true;
}
