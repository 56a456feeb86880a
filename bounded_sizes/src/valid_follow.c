// Which rule an operator has.

#include "valid_rules.h"

static const LunaValidRule rules[] = {
    [LUNA_VALID_ACROSS] = luna_valid_rule_across,
    [LUNA_VALID_ARGMAX] = luna_valid_rule_argmax,
    [LUNA_VALID_BATCH] = luna_valid_rule_batch,
    [LUNA_VALID_BROADCAST] = luna_valid_rule_broadcast,
    [LUNA_VALID_CAST] = luna_valid_rule_cast,
    [LUNA_VALID_CONCAT] = luna_valid_rule_concat,
    [LUNA_VALID_DIM] = luna_valid_rule_dim,
    [LUNA_VALID_EMPTY] = luna_valid_rule_empty,
    [LUNA_VALID_EXTRACT_SLICE] = luna_valid_rule_extract_slice,
    [LUNA_VALID_GATHER] = luna_valid_rule_gather,
    [LUNA_VALID_INSERT_SLICE] = luna_valid_rule_insert_slice,
    [LUNA_VALID_LOOPS] = luna_valid_rule_loops,
    [LUNA_VALID_MATMUL] = luna_valid_rule_matmul,
    [LUNA_VALID_PAD] = luna_valid_rule_pad,
    [LUNA_VALID_REDUCE] = luna_valid_rule_reduce,
    [LUNA_VALID_RESHAPE] = luna_valid_rule_reshape,
    [LUNA_VALID_RESIZE] = luna_valid_rule_resize,
    [LUNA_VALID_SAME] = luna_valid_rule_same,
    [LUNA_VALID_SLICE] = luna_valid_rule_slice,
    [LUNA_VALID_TILE] = luna_valid_rule_tile,
    [LUNA_VALID_TRANSPOSE] = luna_valid_rule_transpose,
};

static void replace_operands(const LunaValidLengths *lengths,
                             MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue old = mlirOperationGetOperand(op, i);
    MlirValue now = luna_valid_now(lengths, old);
    if (!luna_same_value(old, now))
      mlirOperationSetOperand(op, i, now);
  }
}

// What is valid of the results is known, as of what rules build.
static bool is_followed(const LunaValidLengths *lengths, MlirOperation op) {
  if (mlirOperationGetNumResults(op) == 0)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  return luna_valid_find(lengths, result) ||
         !luna_same_value(luna_valid_now(lengths, result), result);
}

// Returns true, and the dimension, or -1, if a result is open.
static bool gives_open(MlirOperation op, int *axis) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    *axis = luna_valid_open_axis(type);
    if (mlirTypeIsARankedTensor(type) && !mlirShapedTypeHasStaticShape(type))
      return true;
  }
  return false;
}

typedef struct Search {
  const LunaValidLengths *lengths;
  LunaValidLength found;
} Search;

static bool find_nested(MlirOperation op, void *data) {
  Search *search = data;
  const LunaValidLength *valid = luna_valid_operand(search->lengths, op);
  if (valid)
    search->found = *valid;
  return !valid;
}

bool luna_valid_follow(LunaValidLengths *lengths, MlirOperation op) {
  Search search = {lengths, {.axis = -1}};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  int axis = -1;
  if (is_followed(lengths, op))
    return true;
  replace_operands(lengths, op);
  const LunaValidLength *valid = luna_valid_operand(lengths, op);
  if (!valid && !luna_walk(op, find_nested, &search))
    valid = &search.found;
  if (!valid && !gives_open(op, &axis))
    return true;
  LunaValidRule rule = rules[luna_shape_rule(name.data, name.length)->valid];
  if (rule)
    return rule(lengths, op);
  return valid ? luna_valid_refuse(lengths, valid,
                                   "this operator is not supported for it")
               : luna_valid_refuse_axis(lengths, axis);
}
