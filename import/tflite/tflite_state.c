#include <string.h>

#include "tflite_import.h"
#include "tflite_ops.h"

enum { MAX_VARIABLES = 1024 };

// State of a model: resource variables, which all graphs reach by name, and
// variable tensors. Both become values that the function takes and gives, and
// that branches and loops carry where they assign them.

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static LunaFlat *flat_of(const LunaTfliteImport *import) {
  return (LunaFlat *)&import->model->flat;
}

// Returns container and name of a VAR_HANDLE as one string.
static const char *shared_name(const LunaTfliteImport *import,
                               const LunaTfliteOperator *op) {
  LunaFlat *flat = flat_of(import);
  LunaFlatVector container = luna_flat_vector(flat, op->options, 0, 1);
  LunaFlatVector name = luna_flat_vector(flat, op->options, 1, 1);
  const char *data = (const char *)flat->data;
  return luna_arena_printf(import->arena, "%.*s%s%.*s", (int)container.count,
                           data + container.offset, container.count ? "/" : "",
                           (int)name.count, data + name.offset);
}

int32_t luna_tflite_handle(const LunaTfliteImport *import,
                           const LunaTfliteOperator *op) {
  const char *name = shared_name(import, op);
  for (uint64_t v = 0; v < import->variables.count; ++v)
    if (import->variables.items[v].tensor_index < 0 &&
        strcmp(import->variables.items[v].name, name) == 0)
      return (int32_t)v;
  return -1;
}

int32_t luna_tflite_variable_of(const LunaTfliteImport *import,
                                int64_t graph_index, int64_t tensor_index) {
  for (uint64_t v = 0; v < import->variables.count; ++v)
    if (import->variables.items[v].graph_index == graph_index &&
        import->variables.items[v].tensor_index == tensor_index)
      return (int32_t)v;
  return -1;
}

static int32_t add_variable(LunaTfliteImport *import,
                            const LunaTfliteVariable *variable) {
  *LUNA_VECTOR_ADD(import->arena, &import->variables) = *variable;
  return (int32_t)import->variables.count - 1;
}

//===----------------------------------------------------------------------===//
// Finding them
//===----------------------------------------------------------------------===//

int luna_tflite_callees(const LunaTfliteImport *import,
                        const LunaTfliteOperator *op, int64_t *graphs) {
  int count =
      op->code == LUNA_TFLITE_OP_CALL_ONCE                                ? 1
      : op->code == LUNA_TFLITE_OP_IF || op->code == LUNA_TFLITE_OP_WHILE ? 2
                                                                          : 0;
  for (int i = 0; i < count; ++i)
    graphs[i] = luna_flat_i32(flat_of(import), op->options, (unsigned)i, 0);
  return count;
}

static bool is_same_type(const LunaTfliteTensor *a, const LunaTfliteTensor *b) {
  return a->type == b->type && a->rank == b->rank &&
         memcmp(a->shape, b->shape, sizeof a->shape) == 0;
}

// Notes what a read or an assignment shows of a variable.
static bool note_use(LunaTfliteNode *node, int32_t handle,
                     const LunaTfliteTensor *tensor) {
  LunaTfliteVariable *variable = &node->import->variables.items[handle];
  if (!variable->tensor)
    variable->tensor = tensor;
  if (is_same_type(variable->tensor, tensor))
    return true;
  return luna_tflite_fail(node,
                          "variable '%s' has another type or shape in '%s' "
                          "than in '%s'",
                          variable->name, tensor->name, variable->tensor->name);
}

static bool note_initial(LunaTfliteNode *node, int32_t handle,
                         const LunaTfliteTensor *tensor) {
  if (!tensor->data)
    return luna_tflite_fail(node,
                            "a graph that runs once may only assign "
                            "constants, '%s' is computed",
                            tensor->name);
  node->import->variables.items[handle].initial = tensor;
  return true;
}

// Returns the variable of a VAR_HANDLE, new or not.
static int32_t note_handle(LunaTfliteNode *node) {
  LunaTfliteImport *import = node->import;
  int32_t handle = luna_tflite_handle(import, node->op);
  if (handle >= 0)
    return handle;
  LunaTfliteVariable variable = {.name = shared_name(import, node->op),
                                 .graph_index = -1,
                                 .tensor_index = -1};
  return add_variable(import, &variable);
}

// Notes one operator; `is_once` in a graph that CALL_ONCE runs.
static bool note_operator(LunaTfliteNode *node, bool is_once) {
  const LunaTfliteOperator *op = node->op;
  int32_t *handles = node->frame->handles;
  bool is_read = op->code == LUNA_TFLITE_OP_READ_VARIABLE,
       is_assign = op->code == LUNA_TFLITE_OP_ASSIGN_VARIABLE;
  if (op->code == LUNA_TFLITE_OP_VAR_HANDLE && op->output_count == 1) {
    handles[op->outputs[0]] = note_handle(node);
    return true;
  }
  if (is_once && !is_assign)
    return luna_tflite_fail(node, "a graph that runs once may only assign "
                                  "constants to variables");
  if ((is_read && (op->input_count != 1 || op->output_count != 1)) ||
      (is_assign && op->input_count != 2))
    return luna_tflite_fail(node, "has the wrong number of operands");
  if (!is_read && !is_assign)
    return true;
  int32_t handle = op->inputs[0] < 0 ? -1 : handles[op->inputs[0]];
  const LunaTfliteTensor *tensor =
      is_read ? luna_tflite_output(node, 0) : luna_tflite_input(node, 1);
  if (handle < 0 || !tensor)
    return luna_tflite_fail(node,
                            "its variable is not one that VAR_HANDLE made "
                            "in the same graph");
  return note_use(node, handle, tensor) &&
         (!is_once || note_initial(node, handle, tensor));
}

static void note_variable_tensors(LunaTfliteNode *node) {
  for (int64_t i = 0; i < node->op->input_count; ++i) {
    const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
    if (!tensor || !tensor->is_variable)
      continue;
    LunaTfliteVariable variable = {.name = tensor->name,
                                   .tensor = tensor,
                                   .graph_index = node->frame->graph_index,
                                   .tensor_index = node->op->inputs[i]};
    if (luna_tflite_variable_of(node->import, variable.graph_index,
                                variable.tensor_index) < 0)
      add_variable(node->import, &variable);
  }
}

// What a walk over the graphs that are called has met.
typedef struct Reach {
  int64_t *graphs; ///< in the order met
  bool *is_met, *is_once;
  int64_t count;
} Reach;

static Reach reach_from(const LunaTfliteImport *import, int64_t graph_index) {
  int64_t count = import->model->graph_count;
  Reach reach = {
      .graphs = LUNA_ARENA_ARRAY(import->arena, int64_t, count),
      .is_met = LUNA_ARENA_ARRAY(import->arena, bool, count),
      .is_once = LUNA_ARENA_ARRAY(import->arena, bool, count),
  };
  reach.graphs[reach.count++] = graph_index;
  reach.is_met[graph_index] = true;
  return reach;
}

static bool reach_callees(LunaTfliteNode *node, Reach *reach) {
  int64_t graphs[2];
  int count = luna_tflite_callees(node->import, node->op, graphs);
  for (int i = 0; i < count; ++i) {
    int64_t callee = graphs[i];
    if (callee < 0 || callee >= node->import->model->graph_count)
      return luna_tflite_fail(node, "calls subgraph %lld, the model has %lld",
                              (long long)callee,
                              (long long)node->import->model->graph_count);
    bool is_once = node->op->code == LUNA_TFLITE_OP_CALL_ONCE;
    if (reach->is_met[callee] && reach->is_once[callee] != is_once)
      return luna_tflite_fail(node,
                              "calls subgraph %lld, which elsewhere runs "
                              "once",
                              (long long)callee);
    if (is_once && node->frame->graph_index != 0)
      return luna_tflite_fail(node,
                              "only the main graph may call a graph once");
    if (!reach->is_met[callee]) {
      if (is_once)
        luna_tflite_share_operands(node, callee, NULL);
      reach->graphs[reach->count++] = callee;
    }
    reach->is_met[callee] = true;
    reach->is_once[callee] = is_once;
  }
  return true;
}

static bool note_graph(LunaTfliteImport *import, Reach *reach,
                       int64_t graph_index) {
  LunaTfliteFrame frame = luna_tflite_frame(import, graph_index);
  for (int64_t i = 0; i < frame.graph->operator_count; ++i) {
    LunaTfliteNode node = luna_tflite_node(import, &frame, i);
    if (!note_operator(&node, reach->is_once[graph_index]) ||
        !reach_callees(&node, reach))
      return false;
    note_variable_tensors(&node);
    if (import->variables.count > MAX_VARIABLES)
      return luna_tflite_fail(&node, "is one of more than %d variables",
                              MAX_VARIABLES);
  }
  return true;
}

bool luna_tflite_find_state(LunaTfliteImport *import) {
  Reach reach = reach_from(import, 0);
  for (int64_t i = 0; i < reach.count; ++i)
    if (!note_graph(import, &reach, reach.graphs[i]))
      return false;
  for (uint64_t v = 0; v < import->variables.count; ++v) {
    const LunaTfliteVariable *variable = &import->variables.items[v];
    if (!variable->tensor ||
        luna_tflite_element_bytes(variable->tensor->type) == 0)
      return luna_error_set(import->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "variable '%s' is %s", variable->name,
                            variable->tensor
                                ? luna_tflite_type_name(variable->tensor->type)
                                : "never read nor assigned");
  }
  return true;
}

static void mark_assigned(const LunaTfliteImport *import, int64_t graph_index,
                          const LunaTfliteOperator *op, int32_t *handles,
                          bool *is_assigned) {
  if (op->code == LUNA_TFLITE_OP_VAR_HANDLE)
    handles[op->outputs[0]] = luna_tflite_handle(import, op);
  if (op->code == LUNA_TFLITE_OP_ASSIGN_VARIABLE)
    is_assigned[handles[op->inputs[0]]] = true;
  const LunaTfliteGraph *graph = &import->model->graphs[graph_index];
  for (int64_t i = 0; i < op->input_count; ++i)
    if (op->inputs[i] >= 0 && graph->tensors[op->inputs[i]].is_variable)
      is_assigned[luna_tflite_variable_of(import, graph_index, op->inputs[i])] =
          true;
}

void luna_tflite_assigned(const LunaTfliteImport *import, int64_t graph_index,
                          bool *is_assigned) {
  // luna_tflite_find_state checked all calls and handles on the way.
  Reach reach = reach_from(import, graph_index);
  for (int64_t i = 0; i < reach.count; ++i) {
    const LunaTfliteGraph *graph = &import->model->graphs[reach.graphs[i]];
    int32_t *handles =
        LUNA_ARENA_ARRAY(import->arena, int32_t, graph->tensor_count);
    for (int64_t k = 0; k < graph->operator_count; ++k) {
      const LunaTfliteOperator *op = &graph->operators[k];
      int64_t callees[2];
      int count = luna_tflite_callees(import, op, callees);
      for (int c = 0; c < count; ++c)
        if (!reach.is_met[callees[c]]) {
          reach.is_met[callees[c]] = true;
          reach.graphs[reach.count++] = callees[c];
        }
      mark_assigned(import, reach.graphs[i], op, handles, is_assigned);
    }
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

MlirAttribute luna_tflite_initial(const LunaTfliteImport *import,
                                  const LunaTfliteVariable *variable) {
  const LunaBuilder *b = &import->builder;
  const LunaTfliteTensor *tensor = variable->tensor;
  LunaShape shape = luna_tflite_shape_of(tensor);
  if (variable->initial)
    return luna_tflite_elements(b, variable->initial, &shape, import->arena);
  MlirType type = luna_tflite_tensor_type(b, tensor);
  MlirType element = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsAF32(element))
    return mlirDenseElementsAttrSplatGet(
        type, mlirFloatAttrDoubleGet(b->context, element, 0));
  int64_t zero = 0;
  if (luna_tflite_is_quantized(tensor) && tensor->quant.zero_points.count > 0)
    zero = luna_flat_i64_at(&import->model->flat, tensor->quant.zero_points, 0);
  zero -= tensor->type == LUNA_TFLITE_U8 ? 128 : 0;
  return mlirDenseElementsAttrSplatGet(
      type, mlirIntegerAttrGet(element, (int8_t)zero));
}

bool luna_tflite_op_var_handle(LunaTfliteNode *node) {
  node->frame->handles[node->op->outputs[0]] =
      luna_tflite_handle(node->import, node->op);
  return true;
}

bool luna_tflite_op_read_variable(LunaTfliteNode *node) {
  int32_t handle = node->frame->handles[node->op->inputs[0]];
  return luna_tflite_set(node, 0, node->import->variables.items[handle].value);
}

bool luna_tflite_op_assign_variable(LunaTfliteNode *node) {
  int32_t handle = node->frame->handles[node->op->inputs[0]];
  return luna_tflite_value(node, 1,
                           &node->import->variables.items[handle].value);
}

// What it assigns is the variables' initial value, read beforehand.
bool luna_tflite_op_call_once(LunaTfliteNode *node) {
  (void)node;
  return true;
}
