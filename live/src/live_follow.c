// Which rule an operator has.

#include "live_rules.h"

static const LunaLiveRule rules[] = {
    [LUNA_LIVE_ACROSS] = luna_live_rule_across,
    [LUNA_LIVE_ARGMAX] = luna_live_rule_argmax,
    [LUNA_LIVE_BATCH] = luna_live_rule_batch,
    [LUNA_LIVE_BROADCAST] = luna_live_rule_broadcast,
    [LUNA_LIVE_CAST] = luna_live_rule_cast,
    [LUNA_LIVE_CONCAT] = luna_live_rule_concat,
    [LUNA_LIVE_DIM] = luna_live_rule_dim,
    [LUNA_LIVE_EMPTY] = luna_live_rule_empty,
    [LUNA_LIVE_EXTRACT_SLICE] = luna_live_rule_extract_slice,
    [LUNA_LIVE_GATHER] = luna_live_rule_gather,
    [LUNA_LIVE_INSERT_SLICE] = luna_live_rule_insert_slice,
    [LUNA_LIVE_LOOPS] = luna_live_rule_loops,
    [LUNA_LIVE_MATMUL] = luna_live_rule_matmul,
    [LUNA_LIVE_PAD] = luna_live_rule_pad,
    [LUNA_LIVE_REDUCE] = luna_live_rule_reduce,
    [LUNA_LIVE_RESHAPE] = luna_live_rule_reshape,
    [LUNA_LIVE_RESIZE] = luna_live_rule_resize,
    [LUNA_LIVE_SAME] = luna_live_rule_same,
    [LUNA_LIVE_SLICE] = luna_live_rule_slice,
    [LUNA_LIVE_TILE] = luna_live_rule_tile,
    [LUNA_LIVE_TRANSPOSE] = luna_live_rule_transpose,
};

static void replace_operands(const LunaLives *lives, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue old = mlirOperationGetOperand(op, i);
    MlirValue now = luna_live_now(lives, old);
    if (!luna_same_value(old, now))
      mlirOperationSetOperand(op, i, now);
  }
}

// What is live of the results is known, as of what rules build.
static bool is_followed(const LunaLives *lives, MlirOperation op) {
  if (mlirOperationGetNumResults(op) == 0)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  return luna_live_find(lives, result) ||
         !luna_same_value(luna_live_now(lives, result), result);
}

// Returns true, and the dimension, or -1, if a result is open.
static bool gives_open(MlirOperation op, int *axis) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    *axis = luna_live_open_axis(type);
    if (mlirTypeIsARankedTensor(type) && !mlirShapedTypeHasStaticShape(type))
      return true;
  }
  return false;
}

typedef struct Search {
  const LunaLives *lives;
  LunaLive found;
} Search;

static bool find_nested(MlirOperation op, void *data) {
  Search *search = data;
  const LunaLive *live = luna_live_operand(search->lives, op);
  if (live)
    search->found = *live;
  return !live;
}

bool luna_live_follow(LunaLives *lives, MlirOperation op) {
  Search search = {lives, {.axis = -1}};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  int axis = -1;
  if (is_followed(lives, op))
    return true;
  replace_operands(lives, op);
  const LunaLive *live = luna_live_operand(lives, op);
  if (!live && !luna_walk(op, find_nested, &search))
    live = &search.found;
  if (!live && !gives_open(op, &axis))
    return true;
  LunaLiveRule rule = rules[luna_shape_rule(name.data, name.length)->live];
  if (rule)
    return rule(lives, op);
  return live ? luna_live_refuse(lives, live,
                                 "this operator is not supported for it")
              : luna_live_refuse_axis(lives, axis);
}
