#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tosa_to_luna.h"

enum { ENTRIES = 256, LOWEST = -128, MAX_STEPS = 64 };

// Applies `op` to `count` values if it is an integer function of one element
// with constant parameters. Returns false otherwise.
static bool apply(MlirOperation op, int64_t *values, intptr_t count) {
  LunaTosaRescale rescale;
  LunaTosaConst table;
  int64_t min = 0, max = 0;
  if (luna_tosa_rescale(op, &rescale) && !rescale.per_channel &&
      rescale.input_width <= 32) {
    for (intptr_t i = 0; i < count; ++i)
      values[i] = luna_tosa_rescale_value(&rescale, values[i]);
    return true;
  }
  if (luna_tosa_clamp(op, &min, &max)) {
    for (intptr_t i = 0; i < count; ++i)
      values[i] = values[i] < min ? min : values[i] > max ? max : values[i];
    return true;
  }
  if (luna_op_is(op, LUNA_OP_TOSA_TABLE) &&
      luna_tosa_width(mlirOperationGetOperand(op, 0)) == 8 &&
      luna_tosa_const(mlirOperationGetOperand(op, 1), &table) &&
      table.width == 8 && table.count == ENTRIES) {
    for (intptr_t i = 0; i < count; ++i)
      values[i] = luna_tosa_const_at(&table, values[i] - LOWEST);
    return true;
  }
  return false;
}

// The steps of a table, the last first, and the int8 value they start from.
typedef struct Steps {
  MlirOperation ops[MAX_STEPS];
  intptr_t count;
  MlirValue input;
} Steps;

// Collects steps backwards from `root` through results with one use, and keeps
// those after the first int8 value.
static void collect(MlirOperation root, Steps *steps) {
  MlirOperation op = root;
  for (intptr_t i = 0; i < MAX_STEPS; ++i) {
    if (mlirOperationIsNull(op) || mlirOperationGetNumOperands(op) == 0 ||
        (i > 0 && !luna_is_used_once(mlirOperationGetResult(op, 0))) ||
        !mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(root)) ||
        !apply(op, NULL, 0))
      return;
    steps->ops[i] = op;
    MlirValue input = mlirOperationGetOperand(op, 0);
    if (luna_tosa_width(input) == 8) {
      steps->count = i + 1;
      steps->input = input;
    }
    op = luna_defining_op(input);
  }
}

// Fills `table`. Returns true if it is the identity.
static bool fill_table(const Steps *steps, int8_t table[ENTRIES]) {
  int64_t values[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i)
    values[i] = i + LOWEST;
  for (intptr_t i = steps->count - 1; i >= 0; --i)
    apply(steps->ops[i], values, ENTRIES);
  bool identity = true;
  for (int i = 0; i < ENTRIES; ++i) {
    table[i] = (int8_t)values[i];
    identity = identity && values[i] == i + LOWEST;
  }
  return identity;
}

bool luna_tosa_rewrite_table(const LunaTosaChain *chain) {
  MlirOperation root = chain->root;
  if (luna_tosa_width(mlirOperationGetResult(root, 0)) != 8)
    return false;
  Steps steps = {.count = 0};
  collect(root, &steps);
  if (steps.count == 0)
    return false;
  int8_t table[ENTRIES];
  if (fill_table(&steps, table)) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(root, 0), steps.input);
    return true;
  }
  LunaBuilder b = luna_builder_before(root, root);
  MlirType type = luna_list_type(luna_element_of(steps.input), ENTRIES);
  LunaTosaUnit spec = {
      .name = "luna.table",
      .builder = b,
      .inputs = {steps.input, luna_build_data(&b, type, table)},
      .input_count = 2,
  };
  luna_tosa_replace(root, &spec);
  return true;
}
