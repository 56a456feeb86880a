#include "luna-c/build_scalar.h"
#include "tflite_import.h"
#include "tflite_ops.h"

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

// A slice may become a view with strides, the value of the other branch not;
// their common type would have unknown strides. What leaves a region is copied
// where it is one.
static MlirValue settle(LunaBuilder *b, MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (!mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_TOSA_RESHAPE))
    op = luna_defining_op(mlirOperationGetOperand(op, 0));
  if (mlirOperationIsNull(op) ||
      !(luna_op_is(op, LUNA_OP_TOSA_SLICE) ||
        luna_op_is(op, LUNA_OP_TENSOR_EXTRACT_SLICE)))
    return value;
  // No dynamic extents, the value to copy, no size hint.
  static const int32_t segments[3] = {0, 1, 0};
  LunaAttr attribute = {"operandSegmentSizes",
                        mlirDenseI32ArrayGet(b->context, 3, segments)};
  return luna_build_op(b, "bufferization.alloc_tensor", mlirValueGetType(value),
                       1, &value, 1, &attribute);
}

// Ends a region with `values`.
static void add_terminator(LunaTfliteNode *node, const char *name,
                           MlirValue *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = settle(node->builder, values[i]);
  luna_build_end(node->builder, name, (intptr_t)count, values);
}

// Checks that a graph takes, or returns, values of these types.
static bool check_types(const LunaTfliteNode *node, int64_t graph_index,
                        const int32_t *tensors, int64_t tensor_count,
                        const MlirType *types, int64_t count,
                        const char *what) {
  const LunaTfliteGraph *graph = &node->import->model->graphs[graph_index];
  if (tensor_count != count)
    return luna_tflite_fail(node, "subgraph %lld has %lld %s, needs %lld",
                            (long long)graph_index, (long long)tensor_count,
                            what, (long long)count);
  for (int64_t i = 0; i < count; ++i) {
    const LunaTfliteTensor *tensor = &graph->tensors[tensors[i]];
    if (luna_tflite_element_bytes(tensor->type) == 0 ||
        !mlirTypeEqual(luna_tflite_tensor_type(node->builder, tensor),
                       types[i]))
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
  bool filled = luna_tflite_convert_graph(node->import, graph_index, node,
                                          arguments, results);
  if (filled) {
    for (int64_t i = 0; i < carried->variable_count; ++i)
      results[graph->output_count + i] =
          node->import->variables.items[carried->variables[i]].value;
    add_terminator(node, "scf.yield", results, total);
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
        !check_types(node, graphs[i], graph->outputs, graph->output_count,
                     results, node->op->output_count, "outputs") ||
        !fill_branch(node, graphs[i], &carried, arguments, blocks[i]))
      return false;
  }
  take_results(node, &carried, op);
  return true;
}

//===----------------------------------------------------------------------===//
// WHILE
//===----------------------------------------------------------------------===//

// Converts one of the two graphs of a loop into its region, whose arguments
// are the loop's values. The condition ends with scf.condition.
static bool fill_loop(LunaTfliteNode *node, int64_t graph_index,
                      const Carried *carried, MlirBlock block,
                      bool is_condition) {
  LunaTfliteImport *import = node->import;
  int64_t inputs = node->op->input_count, variables = carried->variable_count;
  const LunaTfliteGraph *graph = &import->model->graphs[graph_index];
  MlirValue *arguments = LUNA_ARENA_ARRAY(node->arena, MlirValue, inputs);
  MlirValue *results = LUNA_ARENA_ARRAY(
      node->arena, MlirValue, 1 + graph->output_count + inputs + variables);
  for (int64_t i = 0; i < inputs; ++i)
    arguments[i] = mlirBlockGetArgument(block, (intptr_t)i);
  for (int64_t i = 0; i < variables; ++i)
    import->variables.items[carried->variables[i]].value =
        mlirBlockGetArgument(block, (intptr_t)(inputs + i));
  node->builder->block = block;
  if (!luna_tflite_convert_graph(import, graph_index, node, arguments, results))
    return false;
  int64_t count = graph->output_count;
  if (is_condition) {
    if (!add_condition(node, results[0], &results[0]))
      return false;
    for (int64_t i = 0; i < inputs; ++i)
      results[1 + i] = arguments[i];
    count = 1 + inputs;
  }
  for (int64_t i = 0; i < variables; ++i)
    results[count + i] = import->variables.items[carried->variables[i]].value;
  add_terminator(node, is_condition ? "scf.condition" : "scf.yield", results,
                 count + variables);
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
         check_types(node, graphs[1], body->outputs, body->output_count, types,
                     inputs, "outputs") &&
         check_types(node, node->frame->graph_index, node->op->outputs, inputs,
                     types, inputs, "outputs");
}

bool luna_tflite_op_while(LunaTfliteNode *node) {
  int64_t graphs[2], inputs = node->op->input_count;
  luna_tflite_callees(node->import, node->op, graphs);
  Carried carried = find_carried(node);
  int64_t total = inputs + carried.variable_count;
  MlirValue *values = LUNA_ARENA_ARRAY(node->arena, MlirValue, total);
  MlirType *types = LUNA_ARENA_ARRAY(node->arena, MlirType, total);
  MlirLocation *locations = LUNA_ARENA_ARRAY(node->arena, MlirLocation, total);
  if (!read_arguments(node, 0, values, types) ||
      !check_loop(node, graphs, types))
    return false;
  for (int64_t i = 0; i < carried.variable_count; ++i) {
    values[inputs + i] = carried.before[carried.variables[i]];
    types[inputs + i] = mlirValueGetType(values[inputs + i]);
  }
  for (int64_t i = 0; i < total; ++i)
    locations[i] = node->builder->location;
  MlirRegion regions[2];
  MlirBlock blocks[2], outer = node->builder->block;
  for (int i = 0; i < 2; ++i) {
    blocks[i] = mlirBlockCreate((intptr_t)total, types, locations);
    regions[i] = luna_region_of(blocks[i]);
  }
  LunaOpSpec spec = {.name = "scf.while",
                     .operands = values,
                     .operand_count = (intptr_t)total,
                     .results = types,
                     .result_count = (intptr_t)total,
                     .owned_regions = regions,
                     .region_count = 2};
  MlirOperation op = luna_build_spec(node->builder, &spec);
  bool filled = fill_loop(node, graphs[0], &carried, blocks[0], true) &&
                fill_loop(node, graphs[1], &carried, blocks[1], false);
  node->builder->block = outer;
  restore(node, &carried);
  if (filled)
    take_results(node, &carried, op);
  return filled;
}
