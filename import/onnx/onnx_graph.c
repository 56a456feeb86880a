// Graphs: nodes in order, the function @main.

#include "onnx_graph.h"

#include "half.h"
#include "onnx_opset.h"
#include "onnx_valid.h"
#include "open_dimensions.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static bool check_op(LunaOnnxImport *c, const Onnx__NodeProto *proto,
                     const LunaOnnxOp *op) {
  const char *domain = proto->domain ? proto->domain : "";
  if (!op)
    return luna_onnx_fail(c, "operator '%s%s%s' is not supported", domain,
                          domain[0] ? "." : "", proto->op_type);
  int inputs = (int)proto->n_input;
  if (inputs < op->min_inputs || inputs > op->max_inputs)
    return luna_onnx_fail(c, "has %zu inputs, %d to %d are possible",
                          proto->n_input, op->min_inputs, op->max_inputs);
  for (int i = 0; i < op->min_inputs; ++i)
    if (!proto->input[i][0])
      return luna_onnx_fail(c, "input %d is left out", i);
  return true;
}

static bool look_up_inputs(LunaOnnxImport *c, LunaOnnxNode *n) {
  const Onnx__NodeProto *proto = n->proto;
  for (int i = 0; i < n->input_count; ++i) {
    if (!proto->input[i][0])
      continue;
    n->inputs[i] = luna_onnx_lookup(c, proto->input[i]);
    if (!n->inputs[i])
      return false;
  }
  return true;
}

static bool define_outputs(LunaOnnxImport *c, const LunaOnnxNode *n) {
  for (int i = 0; i < n->output_count; ++i) {
    if (!n->proto->output[i][0])
      continue;
    if (!n->outputs[i])
      return luna_onnx_fail(c, "output %d is not supported", i);
    if (!luna_onnx_define(c, n->proto->output[i], n->outputs[i]))
      return false;
  }
  return true;
}

static MlirLocation node_location(LunaOnnxImport *c,
                                  const Onnx__NodeProto *node) {
  const char *name = node->name && node->name[0] ? node->name
                     : node->n_output > 0        ? node->output[0]
                                                 : "";
  const char *file = c->options->file_name ? c->options->file_name : "model";
  const char *text = luna_arena_printf(
      c->arena, "%s:%s%s%s", name, node->op_type ? node->op_type : "",
      node->domain && node->domain[0] ? "@" : "",
      node->domain ? node->domain : "");
  return mlirLocationNameGet(
      c->b->context, luna_str(text),
      mlirLocationFileLineColGet(c->b->context, luna_str(file), 0, 0));
}

bool luna_onnx_read_node(LunaOnnxImport *c, const Onnx__NodeProto *proto) {
  c->node = proto;
  if (!proto->op_type)
    return luna_onnx_fail(c, "node has no operator");
  if (c->made_bytes > c->made_limit)
    return luna_onnx_fail(c,
                          "constants computed so far take %lld bytes, at most "
                          "%lld are supported",
                          (long long)c->made_bytes, (long long)c->made_limit);
  LunaOnnxNode n = {
      .proto = proto,
      .op = luna_onnx_find_op(c, proto->domain ? proto->domain : "",
                              proto->op_type),
      .input_count = (int)proto->n_input,
      .output_count = (int)proto->n_output,
  };
  if (!n.op)
    n.op = luna_onnx_local_op(c, proto);
  if (!check_op(c, proto, n.op) || !luna_onnx_check_opset(c, &n))
    return false;
  n.inputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, proto->n_input);
  n.outputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, proto->n_output);
  c->b->location = node_location(c, proto);
  if (!look_up_inputs(c, &n) || !luna_onnx_align_inputs(c, &n))
    return false;
  if (!luna_onnx_run(c, &n))
    return luna_onnx_fail(c, "cannot be read");
  return define_outputs(c, &n);
}

static bool read_initializers(LunaOnnxImport *c,
                              const Onnx__GraphProto *graph) {
  if (graph->n_sparse_initializer > 0)
    return luna_onnx_fail(c, "sparse initializers are not supported");
  for (size_t i = 0; i < graph->n_initializer; ++i) {
    const Onnx__TensorProto *tensor = graph->initializer[i];
    if (!tensor->name)
      return luna_onnx_fail(c, "initializer %zu has no name", i);
    LunaOnnxValue *value = luna_onnx_read_tensor(c, tensor);
    if (!value || !luna_onnx_define(c, tensor->name, value))
      return false;
  }
  return true;
}

static bool read_nodes(LunaOnnxImport *c, const Onnx__GraphProto *graph) {
  const Onnx__NodeProto *outer = c->node;
  MlirLocation location = c->b->location;
  for (size_t i = 0; i < graph->n_node; ++i)
    if (!luna_onnx_read_node(c, graph->node[i]))
      return false;
  c->node = outer;
  c->b->location = location;
  return true;
}

static LunaOnnxValue *graph_output(LunaOnnxImport *c,
                                   const Onnx__GraphProto *graph, size_t i) {
  if (graph->output[i]->name)
    return luna_onnx_lookup(c, graph->output[i]->name);
  luna_onnx_fail(c, "output %zu of the graph has no name", i);
  return NULL;
}

bool luna_onnx_read_subgraph(LunaOnnxImport *c, const Onnx__GraphProto *graph,
                             LunaOnnxValue **inputs, size_t input_count,
                             LunaOnnxValue **outputs, size_t output_count) {
  if (c->depth >= LUNA_ONNX_MAX_DEPTH)
    return luna_onnx_fail(c, "subgraphs are nested deeper than %d",
                          LUNA_ONNX_MAX_DEPTH);
  if (graph->n_input != input_count || graph->n_output != output_count)
    return luna_onnx_fail(c,
                          "subgraph has %zu inputs and %zu outputs, needs %zu "
                          "and %zu",
                          graph->n_input, graph->n_output, input_count,
                          output_count);
  luna_onnx_open_scope(c);
  ++c->depth;
  bool ok = true;
  for (size_t i = 0; ok && i < input_count; ++i)
    ok = graph->input[i]->name
             ? luna_onnx_define(c, graph->input[i]->name, inputs[i])
             : luna_onnx_fail(c, "subgraph input has no name");
  ok = ok && read_initializers(c, graph) && read_nodes(c, graph);
  for (size_t i = 0; ok && i < output_count; ++i) {
    outputs[i] = graph_output(c, graph, i);
    ok = outputs[i] != NULL;
  }
  --c->depth;
  luna_onnx_close_scope(c);
  return ok;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static LunaConstantType constant_type(LunaOnnxType type) {
  type = luna_onnx_computed(type);
  return (LunaConstantType){
      .bits = type == LUNA_ONNX_BOOL ? 1 : 8 * luna_onnx_type_bytes(type),
      .is_float = luna_onnx_is_float(type),
      .is_unsigned = luna_onnx_is_unsigned(type),
  };
}

static bool fix_input(LunaOnnxImport *c, const LunaImportConstant *constant,
                      LunaOnnxType type, const LunaShape *shape) {
  int64_t count = luna_onnx_elems(shape);
  LunaOnnxType computed = luna_onnx_computed(type);
  size_t needed =
      (size_t)count *
      (size_t)(luna_onnx_is_half(type) ? 2 : luna_onnx_type_bytes(type));
  if (constant->bytes && constant->byte_count != needed)
    return luna_onnx_fail(c, "input '%s' is given %zu bytes, it has %zu",
                          constant->name, constant->byte_count, needed);
  if (!constant->bytes &&
      !luna_constant_check(constant, constant_type(type), c->error))
    return false;
  uint8_t *data = luna_onnx_new_data(c, count, luna_onnx_type_bytes(computed));
  for (int64_t i = 0; !constant->bytes && i < count; ++i)
    luna_onnx_set_float(computed, data, i, constant->number);
  return luna_onnx_define(
      c, constant->name,
      constant->bytes ? luna_onnx_stored_const(c, type, shape, constant->bytes)
                      : luna_onnx_new_const(c, computed, shape, data));
}

// The names of the dimensions that an input leaves open, for a message.
static const char *open_names(LunaOnnxImport *c,
                              const Onnx__ValueInfoProto *info) {
  LunaOpenDimensions open = {.arena = c->arena};
  const char *list = "";
  luna_onnx_list_open(c, info, &open);
  for (uint64_t i = 0; i < open.count; ++i)
    list = luna_arena_printf(c->arena, "%s%s'%.40s'", list, i > 0 ? ", " : "",
                             open.items[i].name);
  return open.count > 0 ? list : "all of its dimensions, which have no number";
}

static bool has_zero(const Onnx__ValueInfoProto *info) {
  const Onnx__TensorShapeProto *shape = info->type->tensor_type->shape;
  for (size_t i = 0; shape && i < shape->n_dim; ++i)
    if (shape->dim[i]->value_case ==
            ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
        shape->dim[i]->dim_value == 0)
      return true;
  return false;
}

static bool check_input(LunaOnnxImport *c, const Onnx__ValueInfoProto *info,
                        LunaOnnxType type, const LunaShape *shape, bool known) {
  const char *name = info->name;
  if (type == LUNA_ONNX_UNDEFINED)
    return luna_onnx_fail(c, "input '%s' has no type", name);
  if (!known)
    return luna_onnx_fail(
        c, "input '%s' has a shape that is not fixed%s: give a size for %s",
        name, has_zero(info) ? " (a 0 in it counts as open)" : "",
        open_names(c, info));
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] < 0)
      return luna_onnx_fail(c, "input '%s' has a dimension of %lld", name,
                            (long long)shape->dims[i]);
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] > LUNA_ONNX_MAX_ELEMS ||
        (count *= shape->dims[i]) > LUNA_ONNX_MAX_ELEMS)
      return luna_onnx_fail(c, "input '%s' has more than %d elements", name,
                            LUNA_ONNX_MAX_ELEMS);
  return true;
}

static bool read_input(LunaOnnxImport *c, const Onnx__ValueInfoProto *info) {
  LunaOnnxType type;
  LunaShape shape = {.rank = 0};
  bool known = false;
  if (!info->name)
    return luna_onnx_fail(c, "an input of the model has no name");
  if (luna_onnx_find_value(
          c, info->name)) // An initialiser that is listed as an input too.
    return true;
  const LunaImportConstant *constant =
      luna_constant_of_input(c->options, info->name);
  if (!luna_onnx_read_type(c, info, &type, &shape, &known))
    return false;
  // A list that is always empty.
  if (constant && constant->bytes && constant->byte_count == 0 &&
      shape.rank == 1 && has_zero(info))
    return luna_onnx_define(
        c, info->name, luna_onnx_no_elements(c, type, &(LunaShape){.rank = 1}));
  if (!check_input(c, info, type, &shape, known))
    return false;
  if (constant)
    return fix_input(c, constant, type, &shape);
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  MlirValue argument = mlirBlockAddArgument(
      c->b->block, luna_onnx_tensor_type(c, type, &shape),
      mlirLocationNameGet(c->b->context, luna_str(info->name),
                          mlirLocationUnknownGet(c->b->context)));
  if (luna_onnx_is_half(type))
    argument = luna_build_from_half(c->b, argument);
  LunaOnnxValue *value =
      luna_onnx_from_ir(c, luna_onnx_computed(type), &shape, argument);
  value->stored = luna_onnx_is_half(type) ? type : LUNA_ONNX_UNDEFINED;
  return luna_onnx_define(c, info->name, value);
}

// What a caller knows an argument or result by.
typedef struct Name {
  const char *text;
  bool is_unsigned;
} Name;

static Name name_of(const char *text, LunaOnnxType type) {
  return (Name){text, luna_onnx_is_unsigned(type) && type != LUNA_ONNX_BOOL};
}

// The attributes of arguments or results.
static MlirAttribute describe(LunaOnnxImport *c, const Name *names,
                              intptr_t count) {
  MlirContext context = c->b->context;
  MlirAttribute *list = LUNA_ARENA_ARRAY(c->arena, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute attributes[] = {
        luna_named(context, "luna.name",
                   luna_string_attr(context, names[i].text)),
        luna_named(context, "luna.unsigned", mlirUnitAttrGet(context)),
    };
    list[i] = mlirDictionaryAttrGet(context, names[i].is_unsigned ? 2 : 1,
                                    attributes);
  }
  return mlirArrayAttrGet(context, count, list);
}

static MlirAttribute describe_arguments(LunaOnnxImport *c,
                                        const Onnx__GraphProto *graph) {
  intptr_t count = mlirBlockGetNumArguments(c->b->block), k = 0;
  Name *names = LUNA_ARENA_ARRAY(c->arena, Name, count);
  for (size_t i = 0; i < graph->n_input; ++i) {
    const LunaOnnxValue *value = luna_onnx_lookup(c, graph->input[i]->name);
    if (value && !value->data && k < count)
      names[k++] = name_of(graph->input[i]->name, value->type);
  }
  return describe(c, names, k);
}

// What the function returns.
typedef struct Results {
  MlirValue *values;
  Name *names;
  size_t count;
} Results;

static void add_result(Results *results, const char *name, LunaOnnxType type,
                       MlirValue value) {
  results->values[results->count] = value;
  results->names[results->count++] = name_of(name, type);
}

static void add_size(LunaOnnxImport *c, Results *results, const char *name,
                     MlirValue count) {
  LunaShape one = {1, {1}};
  MlirValue size = luna_onnx_index_to(c, count, LUNA_ONNX_I32);
  add_result(results, luna_arena_printf(c->arena, "%s.size", name),
             LUNA_ONNX_I32, luna_build_from_scalar(c->b, size, &one));
}

// The sizes of outputs that only the running program knows, and those that
// their bounds may not hold.
static void add_sizes(LunaOnnxImport *c, const Onnx__GraphProto *graph,
                      LunaOnnxValue **outputs, Results *results) {
  for (size_t i = 0; i < graph->n_output; ++i)
    if (outputs[i]->valid)
      add_size(c, results, graph->output[i]->name, outputs[i]->valid->count);
  for (uint64_t k = 0; k < c->reported.count; ++k) {
    const LunaOnnxReported *reported = &c->reported.items[k];
    bool is_said = false;
    for (size_t i = 0; i < graph->n_output; ++i)
      is_said |= outputs[i]->valid &&
                 luna_same_value(outputs[i]->valid->count, reported->count);
    if (!is_said)
      add_size(c, results, reported->name, reported->count);
  }
}

static LunaOnnxType type_of(const Onnx__ValueInfoProto *info) {
  bool is_tensor = info->type && info->type->value_case ==
                                     ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  return is_tensor ? (LunaOnnxType)info->type->tensor_type->elem_type
                   : LUNA_ONNX_UNDEFINED;
}

// The outputs, zeros behind those whose size only the running program knows.
static bool read_results(LunaOnnxImport *c, const Onnx__GraphProto *graph,
                         Results *results) {
  size_t count = graph->n_output, most = 2 * count + c->reported.count;
  LunaOnnxValue **outputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, count);
  results->values = LUNA_ARENA_ARRAY(c->arena, MlirValue, most);
  results->names = LUNA_ARENA_ARRAY(c->arena, Name, most);
  for (size_t i = 0; i < count; ++i) {
    outputs[i] = graph_output(c, graph, i);
    if (!outputs[i] || !luna_onnx_check_shape(c, &outputs[i]->shape))
      return false;
    LunaOnnxValue *shown =
        outputs[i]->valid ? luna_onnx_mask(c, outputs[i]) : outputs[i];
    MlirValue ir = luna_onnx_ir(c, shown);
    LunaOnnxType declared = type_of(graph->output[i]);
    if (luna_onnx_is_half(declared) && shown->type == LUNA_ONNX_F32)
      ir = luna_build_to_half(c->b, ir, luna_onnx_element_type(c, declared));
    add_result(results, graph->output[i]->name, shown->type, ir);
  }
  add_sizes(c, graph, outputs, results);
  return true;
}

// Appends the return and makes the block a function of a new module.
static bool make_function(LunaOnnxImport *c, const Onnx__GraphProto *graph,
                          MlirModule *module) {
  Results results = {0};
  c->node = NULL;
  c->b->location = mlirLocationUnknownGet(c->b->context);
  if (!luna_bounds_check(c->bounded.items, c->bounded.count, c->options,
                         c->error) ||
      !read_results(c, graph, &results))
    return false;
  luna_build_end(c->b, "func.return", (intptr_t)results.count, results.values);
  LunaFunctionSpec function = {
      .name = c->options->function ? c->options->function : "main",
      .owned_body = c->b->block,
      .arg_attrs = describe_arguments(c, graph),
      .res_attrs = describe(c, results.names, (intptr_t)results.count),
  };
  *module = mlirModuleCreateEmpty(c->b->location);
  c->b->block = mlirModuleGetBody(*module);
  luna_build_function(c->b, &function);
  // What was only read for its value.
  luna_erase_unused(mlirModuleGetOperation(*module));
  if (mlirOperationVerify(mlirModuleGetOperation(*module)))
    return true;
  mlirModuleDestroy(*module);
  return luna_error_set(c->error, LUNA_ERROR_CHECK, LUNA_ERROR_NO_ITEM,
                        "the module read from this model does not verify");
}

// Lists what the inputs leave open, and checks the names that the caller uses.
static bool check_options(LunaOnnxImport *c, const Onnx__GraphProto *graph) {
  LunaOpenDimensions own = {.arena = c->arena};
  LunaOpenDimensions *open = c->options->open ? c->options->open : &own;
  const char **names = LUNA_ARENA_ARRAY(c->arena, const char *, graph->n_input);
  size_t count = 0;
  for (size_t i = 0; i < graph->n_input; ++i) {
    const char *name = graph->input[i]->name;
    if (!name)
      continue;
    names[count++] = name;
    if (!luna_onnx_find_value(c, name))
      luna_onnx_list_open(c, graph->input[i], open);
  }
  return luna_open_dimensions_check(open, c->options, c->error) &&
         luna_constants_check(names, count, c->options, c->error);
}

bool luna_onnx_read_main(LunaOnnxImport *c, MlirModule *module) {
  const Onnx__GraphProto *graph = c->model->graph;
  c->b->location = mlirLocationUnknownGet(c->b->context);
  c->b->block = mlirBlockCreate(0, NULL, NULL);
  MlirBlock body = c->b->block;
  luna_onnx_open_scope(c);
  bool ok = read_initializers(c, graph) && check_options(c, graph);
  for (size_t i = 0; ok && i < graph->n_input; ++i)
    ok = read_input(c, graph->input[i]);
  if (ok && graph->n_output == 0)
    ok = luna_onnx_fail(c, "model has no outputs");
  if (!ok || !read_nodes(c, graph)) {
    luna_onnx_destroy_block(c, body);
    return false;
  }
  luna_onnx_destroy_abandoned(c);
  MlirModule made = {NULL};
  if (!make_function(c, graph, &made)) {
    // The block belongs to the module once there is one.
    if (made.ptr == NULL)
      luna_onnx_destroy_block(c, body);
    return false;
  }
  *module = made;
  return true;
}
