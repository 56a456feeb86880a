#include "tflite_control.h"

#include "luna-c/build_scalar.h"
#include "tflite_valid.h"

LunaTfliteCarried luna_tflite_carried(const LunaTfliteNode *node) {
  LunaTfliteImport *import = node->import;
  int64_t graphs[2], count = (int64_t)import->variables.count;
  bool *is_assigned = LUNA_ARENA_ARRAY(node->arena, bool, count);
  int callees = luna_tflite_callees(import, node->op, graphs);
  for (int i = 0; i < callees; ++i)
    luna_tflite_assigned(import, graphs[i], is_assigned);
  LunaTfliteCarried carried = {
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

void luna_tflite_restore(const LunaTfliteNode *node,
                         const LunaTfliteCarried *carried) {
  for (uint64_t v = 0; v < node->import->variables.count; ++v)
    node->import->variables.items[v].value = carried->before[v];
}

bool luna_tflite_check_count(const LunaTfliteNode *node, int64_t graph_index,
                             int64_t found, int64_t needed, const char *what) {
  return found == needed ||
         luna_tflite_fail(node, "subgraph %lld has %lld %s, needs %lld",
                          (long long)graph_index, (long long)found, what,
                          (long long)needed);
}

bool luna_tflite_check_types(const LunaTfliteNode *node, int64_t graph_index,
                             const int32_t *tensors, int64_t tensor_count,
                             const MlirType *types, int64_t count,
                             const char *what) {
  const LunaTfliteGraph *graph = &node->import->model->graphs[graph_index];
  if (!luna_tflite_check_count(node, graph_index, tensor_count, count, what))
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

bool luna_tflite_add_condition(LunaTfliteNode *node, MlirValue tensor,
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

void luna_tflite_take_results(LunaTfliteNode *node,
                              const LunaTfliteCarried *carried,
                              MlirOperation op) {
  int64_t outputs = node->op->output_count;
  for (int64_t i = 0; i < outputs; ++i)
    node->frame->values[node->op->outputs[i]] =
        mlirOperationGetResult(op, (intptr_t)i);
  for (int64_t i = 0; i < carried->variable_count; ++i)
    node->import->variables.items[carried->variables[i]].value =
        mlirOperationGetResult(op, (intptr_t)(outputs + i));
}

bool luna_tflite_read_arguments(LunaTfliteNode *node, int64_t first,
                                MlirValue *values, MlirType *types) {
  for (int64_t i = first; i < node->op->input_count; ++i) {
    if (!luna_tflite_value(node, i, &values[i - first]))
      return false;
    types[i - first] = mlirValueGetType(values[i - first]);
  }
  return true;
}
