#include "luna-c/build_scalar.h"
#include "tflite_import.h"
#include "tflite_ops.h"
#include "tflite_valid.h"

// IF and WHILE become scf.if and scf.while. The graphs they call are converted
// in place; the variables that those assign are carried as further values.

enum { IF_FIRST_INPUT = 1 };

// The values that a region gives: the graph's outputs, then variables.
typedef struct Carried {
  int32_t *variables; ///< assigned inside
  int64_t variable_count;
  MlirValue *before; ///< of all variables, when the operator was met
} Carried;

static Carried find_carried(const LunaTfliteNode *node) {
  LunaTfliteImport *import = node->import;
  int64_t graphs[2], count = (int64_t)import->variables.count;
  bool *is_assigned = LUNA_ARENA_ARRAY(node->arena, bool, count);
  int callees = luna_tflite_callees(import, node->op, graphs);
  for (int i = 0; i < callees; ++i)
    luna_tflite_assigned(import, graphs[i], is_assigned);
  Carried carried = {
      .variables = LUNA_ARENA_ARRAY(node->arena, int32_t, count),
      .before = LUNA_ARENA_ARRAY(node->arena, MlirValue, count),
  };
  for (int64_t v = 0; v < count; ++v) {
    carried.before[v] = import->variables.items[v].value;
    if (is_assigned[v])
      carried.variables[carried.variable_count++] = (int32_t)v;
  }
  return carried;
}

static void restore(const LunaTfliteNode *node, const Carried *carried) {
  for (uint64_t v = 0; v < node->import->variables.count; ++v)
    node->import->variables.items[v].value = carried->before[v];
}

static bool check_count(const LunaTfliteNode *node, int64_t graph_index,
                        int64_t found, int64_t needed, const char *what) {
  return found == needed ||
         luna_tflite_fail(node, "subgraph %lld has %lld %s, needs %lld",
                          (long long)graph_index, (long long)found, what,
                          (long long)needed);
}

// Checks that a graph takes, or returns, values of these types. Tensors that
// the file leaves open take their sizes.
static bool check_types(const LunaTfliteNode *node, int64_t graph_index,
                        const int32_t *tensors, int64_t tensor_count,
                        const MlirType *types, int64_t count,
                        const char *what) {
  const LunaTfliteGraph *graph = &node->import->model->graphs[graph_index];
  if (!check_count(node, graph_index, tensor_count, count, what))
    return false;
  for (int64_t i = 0; i < count; ++i) {
    LunaTfliteTensor *tensor = &graph->tensors[tensors[i]];
    if (!luna_tflite_fit(node, tensor, types[i]))
      return luna_tflite_fail(node,
                              "'%s' of subgraph %lld has another type or "
                              "shape than what it stands for here",
                              tensor->name, (long long)graph_index);
  }
  return true;
}

// Adds the one element of a boolean tensor as an i1.
static bool add_condition(LunaTfliteNode *node, MlirValue tensor,
                          MlirValue *condition) {
  LunaBuilder *b = node->builder;
  int64_t rank = luna_rank_of(tensor);
  for (int64_t d = 0; d < rank; ++d)
    if (luna_extent(tensor, d) != 1)
      return luna_tflite_fail(node, "its condition has several elements");
  if (!mlirTypeEqual(luna_element_of(tensor), b->i1))
    return luna_tflite_fail(node, "its condition is not bool");
  *condition = luna_scalar_only(b, tensor);
  return true;
}

//===----------------------------------------------------------------------===//
// IF
//===----------------------------------------------------------------------===//

static bool fill_branch(LunaTfliteNode *node, int64_t graph_index,
                        const Carried *carried, const MlirValue *arguments,
                        MlirBlock block) {
  const LunaTfliteGraph *graph = &node->import->model->graphs[graph_index];
  int64_t total = graph->output_count + carried->variable_count;
  MlirValue *results = LUNA_ARENA_ARRAY(node->arena, MlirValue, total);
  MlirBlock outer = node->builder->block;
  node->builder->block = block;
  luna_tflite_share_operands(node, graph_index, NULL);
  bool filled = luna_tflite_convert_graph(node->import, graph_index, node,
                                          arguments, results);
  if (filled) {
    for (int64_t i = 0; i < carried->variable_count; ++i)
      results[graph->output_count + i] =
          node->import->variables.items[carried->variables[i]].value;
    luna_build_end(node->builder, "scf.yield", (intptr_t)total, results);
  }
  node->builder->block = outer;
  restore(node, carried);
  return filled;
}

static MlirType *result_types(LunaTfliteNode *node, const Carried *carried) {
  int64_t outputs = node->op->output_count;
  MlirType *types = LUNA_ARENA_ARRAY(node->arena, MlirType,
                                     outputs + carried->variable_count);
  for (int64_t i = 0; i < outputs; ++i)
    types[i] =
        luna_tflite_tensor_type(node->builder, luna_tflite_output(node, i));
  for (int64_t i = 0; i < carried->variable_count; ++i)
    types[outputs + i] =
        mlirValueGetType(carried->before[carried->variables[i]]);
  return types;
}

// Makes the results of the operation the values of outputs and variables.
static void take_results(LunaTfliteNode *node, const Carried *carried,
                         MlirOperation op) {
  int64_t outputs = node->op->output_count;
  for (int64_t i = 0; i < outputs; ++i)
    node->frame->values[node->op->outputs[i]] =
        mlirOperationGetResult(op, (intptr_t)i);
  for (int64_t i = 0; i < carried->variable_count; ++i)
    node->import->variables.items[carried->variables[i]].value =
        mlirOperationGetResult(op, (intptr_t)(outputs + i));
}

// Reads the values of inputs `first` on and their types.
static bool read_arguments(LunaTfliteNode *node, int64_t first,
                           MlirValue *values, MlirType *types) {
  for (int64_t i = first; i < node->op->input_count; ++i) {
    if (!luna_tflite_value(node, i, &values[i - first]))
      return false;
    types[i - first] = mlirValueGetType(values[i - first]);
  }
  return true;
}

// The type of result `k`: that of both branches, or with one valid dimension.
static bool merge_result(LunaTfliteNode *node, MlirOperation op, intptr_t k,
                         int *axis, int64_t *most, int64_t *bound) {
  LunaValidLengths *lengths = &node->import->lengths;
  MlirOperation end = mlirBlockGetTerminator(luna_body(op, 0));
  MlirOperation other = mlirBlockGetTerminator(luna_body(op, 1));
  bool is_output = k < node->op->output_count;
  const LunaTfliteTensor *tensor =
      is_output ? luna_tflite_output(node, k) : NULL;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(end, k));
  if (!mlirTypeEqual(luna_element_of(mlirOperationGetOperand(end, k)),
                     luna_element_of(mlirOperationGetOperand(other, k))) ||
      !luna_valid_merge(lengths, op, k, axis, most) ||
      (*axis >= 0 && !is_output))
    return luna_tflite_fail(node,
                            "its branches give different types or shapes for "
                            "output %lld",
                            (long long)k);
  if (*axis < 0)
    mlirValueSetType(mlirOperationGetResult(op, k), type);
  return *axis < 0 || luna_tflite_bound(node, tensor->name, *most, bound);
}

// Gives the results of an scf.if the types that its regions yield.
static bool merge(LunaTfliteNode *node, MlirOperation *op) {
  LunaTfliteImport *import = node->import;
  intptr_t count = mlirOperationGetNumResults(*op);
  int *axes = LUNA_ARENA_ARRAY(node->arena, int, count);
  int64_t *most = LUNA_ARENA_ARRAY(node->arena, int64_t, count);
  int64_t *bounds = LUNA_ARENA_ARRAY(node->arena, int64_t, count);
  for (intptr_t k = 0; k < count; ++k)
    if (!merge_result(node, *op, k, &axes[k], &most[k], &bounds[k]))
      return false;
  *op = luna_valid_join(&import->lengths, *op, axes, bounds);
  for (intptr_t k = 0; k < node->op->output_count; ++k) {
    LunaTfliteTensor *tensor =
        &node->frame->graph->tensors[node->op->outputs[k]];
    MlirValue result = mlirOperationGetResult(*op, k);
    const LunaValidLength *valid = luna_tflite_valid(node, result);
    if (!luna_tflite_fit(node, tensor, mlirValueGetType(result)))
      return luna_tflite_fail(node,
                              "its branches give another type or shape than "
                              "'%s' has",
                              tensor->name);
    if (valid &&
        !luna_tflite_set_valid(node, result, *valid, tensor->name, most[k]))
      return false;
  }
  return true;
}

bool luna_tflite_op_if(LunaTfliteNode *node) {
  LunaTfliteImport *import = node->import;
  int64_t graphs[2], inputs = node->op->input_count - IF_FIRST_INPUT;
  luna_tflite_callees(import, node->op, graphs);
  MlirValue *arguments = LUNA_ARENA_ARRAY(node->arena, MlirValue, inputs);
  MlirType *types = LUNA_ARENA_ARRAY(node->arena, MlirType, inputs);
  MlirValue tensor, condition;
  if (!luna_tflite_value(node, 0, &tensor) ||
      !read_arguments(node, IF_FIRST_INPUT, arguments, types) ||
      !add_condition(node, tensor, &condition))
    return false;
  Carried carried = find_carried(node);
  MlirType *results = result_types(node, &carried);
  MlirRegion regions[2];
  MlirBlock blocks[2];
  for (int i = 0; i < 2; ++i) {
    blocks[i] = mlirBlockCreate(0, NULL, NULL);
    regions[i] = luna_region_of(blocks[i]);
  }
  LunaOpSpec spec = {
      .name = "scf.if",
      .operands = &condition,
      .operand_count = 1,
      .results = results,
      .result_count =
          (intptr_t)(node->op->output_count + carried.variable_count),
      .owned_regions = regions,
      .region_count = 2,
  };
  MlirOperation op = luna_build_spec(node->builder, &spec);
  for (int i = 0; i < 2; ++i) {
    const LunaTfliteGraph *graph = &import->model->graphs[graphs[i]];
    if (!check_types(node, graphs[i], graph->inputs, graph->input_count, types,
                     inputs, "inputs") ||
        !check_count(node, graphs[i], graph->output_count,
                     node->op->output_count, "outputs") ||
        !fill_branch(node, graphs[i], &carried, arguments, blocks[i]))
      return false;
  }
  return merge(node, &op) && (take_results(node, &carried, op), true);
}

//===----------------------------------------------------------------------===//
// WHILE
//===----------------------------------------------------------------------===//

// What a loop carries: inputs, variables, and the valid lengths of inputs.
typedef struct Loop {
  const Carried *carried;
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
  const Carried *carried = loop->carried;
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
  const Carried *carried = loop->carried;
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
  if (is_condition && !add_condition(node, results[0], &results[0]))
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
  return check_types(node, graphs[0], condition->inputs, condition->input_count,
                     types, inputs, "inputs") &&
         check_types(node, graphs[1], body->inputs, body->input_count, types,
                     inputs, "inputs") &&
         check_count(node, graphs[1], body->output_count, inputs, "outputs") &&
         check_types(node, node->frame->graph_index, node->op->outputs, inputs,
                     types, inputs, "outputs");
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
  restore(node, loop->carried);
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
  Carried carried = find_carried(node);
  int64_t total = 2 * inputs + carried.variable_count;
  Loop loop = {.carried = &carried,
               .inputs = inputs,
               .inits = LUNA_ARENA_ARRAY(node->arena, MlirValue, inputs),
               .types = LUNA_ARENA_ARRAY(node->arena, MlirType, total),
               .axes = LUNA_ARENA_ARRAY(node->arena, int, inputs),
               .bounds = LUNA_ARENA_ARRAY(node->arena, int64_t, inputs),
               .is_given = LUNA_ARENA_ARRAY(node->arena, bool, inputs),
               .is_fixed = LUNA_ARENA_ARRAY(node->arena, bool, inputs)};
  if (!read_arguments(node, 0, loop.inits, loop.types))
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
  take_results(node, &carried, op);
  take_fixed(node, &loop);
  return set_valid(node, &loop, op);
}
