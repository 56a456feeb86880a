// IF: an scf.if of the two graphs that it calls.

#include "tflite_control.h"
#include "tflite_valid.h"

enum { IF_FIRST_INPUT = 1 };

static bool fill_branch(LunaTfliteNode *node, int64_t graph_index,
                        const LunaTfliteCarried *carried,
                        const MlirValue *arguments, MlirBlock block) {
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
  luna_tflite_restore(node, carried);
  return filled;
}

static MlirType *result_types(LunaTfliteNode *node,
                              const LunaTfliteCarried *carried) {
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
      !luna_tflite_read_arguments(node, IF_FIRST_INPUT, arguments, types) ||
      !luna_tflite_add_condition(node, tensor, &condition))
    return false;
  LunaTfliteCarried carried = luna_tflite_carried(node);
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
    if (!luna_tflite_check_types(node, graphs[i], graph->inputs,
                                 graph->input_count, types, inputs, "inputs") ||
        !luna_tflite_check_count(node, graphs[i], graph->output_count,
                                 node->op->output_count, "outputs") ||
        !fill_branch(node, graphs[i], &carried, arguments, blocks[i]))
      return false;
  }
  return merge(node, &op) &&
         (luna_tflite_take_results(node, &carried, op), true);
}
