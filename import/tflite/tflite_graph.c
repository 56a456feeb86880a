// Graphs: their operators in order.

#include "luna-c/ir.h"
#include "tflite_import.h"
#include "tflite_ops.h"
#include "tflite_valid.h"

// Graphs called by graphs make copies of their operators: a file could ask for
// more than any memory holds.
enum { MAX_WORK = 1000000, MAX_DEPTH = 256 };

static MlirLocation location_of(const LunaTfliteNode *node) {
  MlirContext context = node->builder->context;
  const char *name = node->op->output_count > 0
                         ? luna_tflite_output(node, 0)->name
                     : node->desc ? node->desc->name
                                  : "";
  return mlirLocationNameGet(context, luna_str(name),
                             mlirLocationUnknownGet(context));
}

LunaTfliteNode luna_tflite_node(LunaTfliteImport *import,
                                LunaTfliteFrame *frame, int64_t index) {
  const LunaTfliteOperator *op = &frame->graph->operators[index];
  return (LunaTfliteNode){.import = import,
                          .frame = frame,
                          .op = op,
                          .index = index,
                          .desc = luna_tflite_op(import, op->code),
                          .builder = &import->builder,
                          .arena = import->arena};
}

static bool convert_operator(LunaTfliteImport *import, LunaTfliteFrame *frame,
                             int64_t index) {
  LunaTfliteNode node = luna_tflite_node(import, frame, index);
  const LunaTfliteOperator *op = node.op;
  import->work += 1 + op->input_count + op->output_count;
  if (import->work > MAX_WORK)
    return luna_tflite_fail(&node,
                            "the model has more than %d operators, "
                            "operands and tensors, counting those of called "
                            "graphs at each call",
                            MAX_WORK);
  import->builder.location = location_of(&node);
  if (!luna_tflite_check_operator(&node) || !luna_tflite_run(&node))
    return false;
  if (import->model->flat.fault)
    return luna_tflite_fail(&node, "its options are damaged: the file %s",
                            import->model->flat.fault);
  return true;
}

LunaTfliteFrame luna_tflite_frame(LunaTfliteImport *import,
                                  int64_t graph_index) {
  const LunaTfliteGraph *graph = &import->model->graphs[graph_index];
  LunaTfliteFrame frame = {
      .graph_index = graph_index,
      .graph = graph,
      .values = LUNA_ARENA_ARRAY(import->arena, MlirValue, graph->tensor_count),
      .handles = LUNA_ARENA_ARRAY(import->arena, int32_t, graph->tensor_count),
  };
  for (int64_t t = 0; t < graph->tensor_count; ++t)
    frame.handles[t] = -1;
  return frame;
}

static bool give_results(LunaTfliteImport *import, LunaTfliteFrame *frame,
                         MlirValue *results) {
  const LunaTfliteGraph *graph = frame->graph;
  for (int64_t i = 0; i < graph->output_count; ++i) {
    int32_t t = graph->outputs[i];
    const LunaTfliteTensor *tensor = &graph->tensors[t];
    LunaShape shape = luna_tflite_shape_of(tensor);
    results[i] = frame->values[t];
    if (mlirValueIsNull(results[i]) && tensor->data &&
        luna_tflite_element_bytes(tensor->type) != 0)
      results[i] = luna_build_const(
          &import->builder, luna_tflite_elements(&import->builder, tensor,
                                                 &shape, import->arena));
    if (mlirValueIsNull(results[i]))
      return luna_error_set(import->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "output '%s' of subgraph %lld has no value: no "
                            "operator computes it",
                            tensor->name, (long long)frame->graph_index);
  }
  return true;
}

void luna_tflite_share(const LunaTfliteTensor *from, LunaTfliteTensor *to) {
  bool is_known = from && from->type == to->type &&
                  from->element_count == to->element_count;
  to->data = is_known ? from->data : NULL;
  to->data_bytes = is_known ? from->data_bytes : 0;
}

void luna_tflite_share_operands(const LunaTfliteNode *caller,
                                int64_t graph_index, const bool *is_fixed) {
  const LunaTfliteGraph *graph = &caller->import->model->graphs[graph_index];
  int64_t first = caller->op->input_count - graph->input_count;
  for (int64_t i = 0; i < graph->input_count; ++i) {
    bool is_shared = first >= 0 && (!is_fixed || is_fixed[i]);
    luna_tflite_share(is_shared ? luna_tflite_input(caller, first + i) : NULL,
                      &graph->tensors[graph->inputs[i]]);
  }
}

// Returns which output of the operator the tensor is, or -1.
static int64_t output_of(const LunaTfliteOperator *op, int32_t tensor) {
  for (int64_t k = 0; k < op->output_count; ++k)
    if (op->outputs[k] == tensor)
      return k;
  return -1;
}

static bool returns_input(LunaTfliteImport *import, int64_t graph_index,
                          int64_t i, int depth) {
  const LunaTfliteGraph *graph = &import->model->graphs[graph_index];
  if (depth > MAX_DEPTH || i >= graph->output_count || i >= graph->input_count)
    return false;
  int32_t tensor = graph->outputs[i];
  for (int64_t at = graph->operator_count - 1; at >= 0; --at) {
    const LunaTfliteOperator *op = &graph->operators[at];
    int64_t graphs[2], k = output_of(op, tensor);
    if (++import->work > MAX_WORK)
      return false;
    if (k < 0)
      continue;
    if (op->code != LUNA_TFLITE_OP_WHILE || k >= op->input_count)
      return false;
    luna_tflite_callees(import, op, graphs);
    if (!returns_input(import, graphs[1], k, depth + 1))
      return false;
    tensor = op->inputs[k];
  }
  return tensor == graph->inputs[i];
}

bool luna_tflite_returns_input(LunaTfliteImport *import, int64_t graph_index,
                               int64_t i) {
  return returns_input(import, graph_index, i, 0);
}

bool luna_tflite_convert_graph(LunaTfliteImport *import, int64_t graph_index,
                               const LunaTfliteNode *caller,
                               const MlirValue *arguments, MlirValue *results) {
  if (import->is_active[graph_index])
    return luna_tflite_fail(caller, "calls subgraph %lld, which calls itself",
                            (long long)graph_index);
  if (import->depth > MAX_DEPTH)
    return luna_tflite_fail(caller, "is nested more than %d deep", MAX_DEPTH);
  import->is_active[graph_index] = true;
  ++import->depth;
  MlirLocation outer = import->builder.location;
  import->work += import->model->graphs[graph_index].tensor_count;
  LunaTfliteFrame frame = luna_tflite_frame(import, graph_index);
  for (int64_t i = 0; i < frame.graph->input_count; ++i)
    frame.values[frame.graph->inputs[i]] = arguments[i];
  bool converted = true;
  for (int64_t i = 0; converted && i < frame.graph->operator_count; ++i)
    converted = convert_operator(import, &frame, i);
  import->builder.location = outer;
  converted = converted && give_results(import, &frame, results);
  --import->depth;
  import->is_active[graph_index] = false;
  return converted;
}
