// WHILE: an scf.while of the two graphs that it calls. What grows from
// iteration to iteration is carried with a bound, and how much of it is valid.

#include "tflite_control.h"
#include "tflite_valid.h"

// What a loop carries: inputs, variables, and the valid lengths of inputs.
typedef struct Loop {
  const LunaTfliteCarried *carried;
  int64_t inputs, valid_count;
  MlirValue *inits; ///< of inputs
  MlirType *types;  ///< of all that is carried
  int *axes;        ///< the valid dimension of each input, or -1
  int64_t *bounds;
  bool *is_given; ///< by the caller
  bool *is_fixed; ///< the body returns the input unchanged
  bool is_new;    ///< the body gives what has no bound yet: it is read again
} Loop;

static int64_t total_of(const Loop *loop) {
  return loop->inputs + loop->carried->variable_count + loop->valid_count;
}

// Sets the types and starts of all that is carried. `inits` takes the latter.
static void start_loop(LunaTfliteNode *node, Loop *loop, MlirValue *inits) {
  LunaBuilder *b = node->builder;
  LunaValidLengths *lengths = &node->import->lengths;
  int64_t variables = loop->carried->variable_count;
  int64_t at = loop->inputs + variables;
  for (int64_t i = 0; i < loop->inputs; ++i) {
    inits[i] = loop->inits[i];
    if (loop->axes[i] >= 0) {
      inits[at++] = luna_valid_count(lengths, b, inits[i], loop->axes[i]);
      inits[i] = luna_valid_fit(b, inits[i], loop->axes[i], loop->bounds[i]);
    }
  }
  for (int64_t i = 0; i < variables; ++i)
    inits[loop->inputs + i] =
        loop->carried->before[loop->carried->variables[i]];
  loop->valid_count = at - loop->inputs - variables;
  for (int64_t i = 0; i < at; ++i)
    loop->types[i] = mlirValueGetType(inits[i]);
}

// Reads the arguments of a block, and what is valid of them.
static void read_block(LunaTfliteNode *node, const Loop *loop, MlirBlock block,
                       MlirValue *arguments) {
  LunaTfliteImport *import = node->import;
  const LunaTfliteCarried *carried = loop->carried;
  int64_t at = loop->inputs + carried->variable_count;
  for (int64_t i = 0; i < loop->inputs; ++i) {
    arguments[i] = loop->is_fixed[i] ? loop->inits[i]
                                     : mlirBlockGetArgument(block, (intptr_t)i);
    if (loop->axes[i] < 0)
      continue;
    LunaValidLength valid = {.count =
                                 mlirBlockGetArgument(block, (intptr_t)at++),
                             .name = luna_tflite_output(node, i)->name};
    luna_valid_set(&import->lengths, arguments[i], &valid, loop->axes[i]);
  }
  for (int64_t i = 0; i < carried->variable_count; ++i)
    import->variables.items[carried->variables[i]].value =
        mlirBlockGetArgument(block, (intptr_t)(loop->inputs + i));
}

// The dimension in which `value` is not as the loop carries input `i`, or which
// is valid; -1 for none, -2 for several.
static int other_axis(LunaTfliteNode *node, const Loop *loop, int64_t i,
                      MlirValue value) {
  const LunaValidLength *valid = luna_tflite_valid(node, value);
  LunaShape shape = luna_shape_of(value);
  int axis = valid ? valid->axis : loop->axes[i];
  if (!mlirTypeEqual(luna_element_of(value),
                     mlirShapedTypeGetElementType(loop->types[i])) ||
      shape.rank != mlirShapedTypeGetRank(loop->types[i]) ||
      (loop->axes[i] >= 0 && loop->axes[i] != axis))
    return -2;
  for (int d = 0; d < shape.rank; ++d) {
    if (shape.dims[d] == mlirShapedTypeGetDimSize(loop->types[i], d) ||
        d == axis)
      continue;
    if (axis >= 0)
      return -2;
    axis = d;
  }
  return axis;
}

// Has the loop carry what its body gives for input `i`: as it is, or with a
// bound, for which the body is read again.
static bool carry(LunaTfliteNode *node, Loop *loop, int64_t i,
                  MlirValue value) {
  int axis = other_axis(node, loop, i, value);
  if (axis == -2)
    return luna_tflite_fail(node,
                            "its body gives another type or shape for output "
                            "%lld than it takes",
                            (long long)i);
  if (axis < 0 || loop->is_given[i] ||
      (loop->axes[i] >= 0 && luna_extent(value, axis) <= loop->bounds[i]))
    return true;
  loop->axes[i] = axis;
  loop->is_new = loop->is_given[i] = true;
  return luna_tflite_bound(node, luna_tflite_output(node, i)->name, -1,
                           &loop->bounds[i]);
}

// Brings what the body gives to the bounds; the counts go behind `at` values.
static int64_t add_counts(LunaTfliteNode *node, const Loop *loop,
                          MlirValue *values, int64_t at) {
  LunaBuilder *b = node->builder;
  for (int64_t i = 0; i < loop->inputs; ++i) {
    if (loop->axes[i] < 0)
      continue;
    values[at++] =
        luna_valid_count(&node->import->lengths, b, values[i], loop->axes[i]);
    values[i] = luna_valid_fit(b, values[i], loop->axes[i], loop->bounds[i]);
  }
  return at;
}

// Converts one of the two graphs of a loop into its region, whose arguments
// are the loop's values. The condition ends with scf.condition.
static bool fill_loop(LunaTfliteNode *node, int64_t graph_index, Loop *loop,
                      MlirBlock block, bool is_condition) {
  LunaTfliteImport *import = node->import;
  const LunaTfliteCarried *carried = loop->carried;
  int64_t inputs = loop->inputs;
  const LunaTfliteGraph *graph = &import->model->graphs[graph_index];
  MlirValue *arguments = LUNA_ARENA_ARRAY(node->arena, MlirValue, inputs);
  MlirValue *results =
      LUNA_ARENA_ARRAY(node->arena, MlirValue,
                       1 + graph->output_count + inputs + total_of(loop));
  MlirValue *values = results + (is_condition ? 1 : 0);
  node->builder->block = block;
  read_block(node, loop, block, arguments);
  luna_tflite_share_operands(node, graph_index, loop->is_fixed);
  if (!luna_tflite_convert_graph(import, graph_index, node, arguments, results))
    return false;
  if (is_condition && !luna_tflite_add_condition(node, results[0], &results[0]))
    return false;
  for (int64_t i = 0; i < inputs; ++i)
    if (is_condition)
      values[i] = arguments[i];
    else if (!carry(node, loop, i, values[i]))
      return false;
  if (loop->is_new)
    return true;
  for (int64_t i = 0; i < carried->variable_count; ++i)
    values[inputs + i] = import->variables.items[carried->variables[i]].value;
  int64_t count =
      add_counts(node, loop, values, inputs + carried->variable_count);
  luna_build_end(node->builder, is_condition ? "scf.condition" : "scf.yield",
                 (intptr_t)count + is_condition, results);
  return true;
}

static bool check_loop(LunaTfliteNode *node, const int64_t graphs[2],
                       const MlirType *types) {
  const LunaTfliteGraph *condition = &node->import->model->graphs[graphs[0]];
  const LunaTfliteGraph *body = &node->import->model->graphs[graphs[1]];
  int64_t inputs = node->op->input_count;
  if (node->op->output_count != inputs)
    return luna_tflite_fail(node,
                            "has %lld inputs and %lld outputs, needs as "
                            "many of both",
                            (long long)inputs,
                            (long long)node->op->output_count);
  if (condition->output_count != 1)
    return luna_tflite_fail(node,
                            "subgraph %lld has %lld outputs, a condition "
                            "has one",
                            (long long)graphs[0],
                            (long long)condition->output_count);
  return luna_tflite_check_types(node, graphs[0], condition->inputs,
                                 condition->input_count, types, inputs,
                                 "inputs") &&
         luna_tflite_check_types(node, graphs[1], body->inputs,
                                 body->input_count, types, inputs, "inputs") &&
         luna_tflite_check_count(node, graphs[1], body->output_count, inputs,
                                 "outputs") &&
         luna_tflite_check_types(node, node->frame->graph_index,
                                 node->op->outputs, inputs, types, inputs,
                                 "outputs");
}

// Reads the loop for what it carries; false after an error. One whose body
// shows what it grows to is not complete.
static bool read_loop(LunaTfliteNode *node, const int64_t graphs[2], Loop *loop,
                      MlirOperation *op) {
  LunaBuilder *b = node->builder;
  int64_t most = 2 * loop->inputs + loop->carried->variable_count;
  MlirValue *inits = LUNA_ARENA_ARRAY(node->arena, MlirValue, most);
  MlirLocation *locations = LUNA_ARENA_ARRAY(node->arena, MlirLocation, most);
  MlirBlock blocks[2], outer = b->block;
  MlirRegion regions[2];
  start_loop(node, loop, inits);
  if (!check_loop(node, graphs, loop->types))
    return false;
  intptr_t total = (intptr_t)total_of(loop);
  for (intptr_t i = 0; i < total; ++i)
    locations[i] = b->location;
  for (int i = 0; i < 2; ++i) {
    blocks[i] = mlirBlockCreate(total, loop->types, locations);
    regions[i] = luna_region_of(blocks[i]);
  }
  *op = luna_build_spec(b, &(LunaOpSpec){.name = "scf.while",
                                         .operands = inits,
                                         .operand_count = total,
                                         .results = loop->types,
                                         .result_count = total,
                                         .owned_regions = regions,
                                         .region_count = 2});
  loop->is_new = false;
  bool filled = fill_loop(node, graphs[0], loop, blocks[0], true) &&
                fill_loop(node, graphs[1], loop, blocks[1], false);
  b->block = outer;
  luna_tflite_restore(node, loop->carried);
  return filled;
}

// What the body returns unchanged is after the loop what it was before.
static void take_fixed(const LunaTfliteNode *node, const Loop *loop) {
  for (int64_t i = 0; i < loop->inputs; ++i) {
    int32_t output = node->op->outputs[i];
    bool is_fixed = loop->is_fixed[i];
    if (is_fixed)
      node->frame->values[output] = loop->inits[i];
    luna_tflite_share(is_fixed ? luna_tflite_input(node, i) : NULL,
                      &node->frame->graph->tensors[output]);
  }
}

// Gives the outputs what is valid of them.
static bool set_valid(LunaTfliteNode *node, const Loop *loop,
                      MlirOperation op) {
  int64_t at = loop->inputs + loop->carried->variable_count;
  for (int64_t i = 0; i < loop->inputs; ++i) {
    if (loop->axes[i] < 0)
      continue;
    LunaValidLength valid = {.axis = loop->axes[i],
                             .count =
                                 mlirOperationGetResult(op, (intptr_t)at++)};
    if (!luna_tflite_set_valid(node, mlirOperationGetResult(op, (intptr_t)i),
                               valid, luna_tflite_output(node, i)->name,
                               loop->is_given[i] ? -1 : loop->bounds[i]))
      return false;
  }
  return true;
}

bool luna_tflite_op_while(LunaTfliteNode *node) {
  int64_t graphs[2], inputs = node->op->input_count;
  luna_tflite_callees(node->import, node->op, graphs);
  LunaTfliteCarried carried = luna_tflite_carried(node);
  int64_t total = 2 * inputs + carried.variable_count;
  Loop loop = {.carried = &carried,
               .inputs = inputs,
               .inits = LUNA_ARENA_ARRAY(node->arena, MlirValue, inputs),
               .types = LUNA_ARENA_ARRAY(node->arena, MlirType, total),
               .axes = LUNA_ARENA_ARRAY(node->arena, int, inputs),
               .bounds = LUNA_ARENA_ARRAY(node->arena, int64_t, inputs),
               .is_given = LUNA_ARENA_ARRAY(node->arena, bool, inputs),
               .is_fixed = LUNA_ARENA_ARRAY(node->arena, bool, inputs)};
  if (!luna_tflite_read_arguments(node, 0, loop.inits, loop.types))
    return false;
  for (int64_t i = 0; i < inputs; ++i) {
    const LunaValidLength *valid = luna_tflite_valid(node, loop.inits[i]);
    loop.axes[i] = valid ? valid->axis : -1;
    loop.bounds[i] = valid ? luna_extent(loop.inits[i], valid->axis) : 0;
    loop.is_fixed[i] =
        !valid && luna_tflite_returns_input(node->import, graphs[1], i);
  }
  MlirOperation op;
  if (!read_loop(node, graphs, &loop, &op))
    return false;
  while (loop.is_new) {
    mlirOperationRemoveFromParent(op);
    *LUNA_VECTOR_ADD(node->arena, &node->import->abandoned) = op;
    if (!read_loop(node, graphs, &loop, &op))
      return false;
  }
  luna_tflite_take_results(node, &carried, op);
  take_fixed(node, &loop);
  return set_valid(node, &loop, op);
}
