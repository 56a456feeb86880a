// Functions that a model defines itself: a call reads the function's nodes,
// with its inputs and attributes in their place.

#include <string.h>

#include "onnx_graph.h"

// A call that is being read, and the one around it.
struct LunaOnnxCall {
  const Onnx__FunctionProto *function;
  const LunaOnnxNode *node;
  struct LunaOnnxCall *outer;
};

// Calls in calls grow without bound as the file does not.
enum { MAX_CALLED_NODES = 1 << 16, DEFAULTS_TAG = 11 };

static bool is_text(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "") == 0;
}

static const Onnx__FunctionProto *find_function(const LunaOnnxImport *c,
                                                const Onnx__NodeProto *node) {
  for (size_t i = 0; i < c->model->n_functions; ++i) {
    const Onnx__FunctionProto *function = c->model->functions[i];
    if (is_text(function->name, node->op_type) &&
        is_text(function->domain, node->domain))
      return function;
  }
  return NULL;
}

const LunaOnnxOp *luna_onnx_local_op(const LunaOnnxImport *c,
                                     const Onnx__NodeProto *node) {
  static const LunaOnnxOp row = {.handler = luna_onnx_op_local,
                                 .max_inputs = LUNA_ONNX_MANY_INPUTS,
                                 .takes_valid = LUNA_TAKES_ITSELF};
  return find_function(c, node) ? &row : NULL;
}

//===----------------------------------------------------------------------===//
// Nodes of a call
//===----------------------------------------------------------------------===//

static Onnx__NodeProto *bind_node(LunaOnnxImport *c, const LunaOnnxCall *call,
                                  const Onnx__NodeProto *node);

static Onnx__GraphProto *bind_graph(LunaOnnxImport *c, const LunaOnnxCall *call,
                                    const Onnx__GraphProto *graph) {
  Onnx__GraphProto *bound = LUNA_ARENA_ARRAY(c->arena, Onnx__GraphProto, 1);
  *bound = *graph;
  bound->node = LUNA_ARENA_ARRAY(c->arena, Onnx__NodeProto *, graph->n_node);
  for (size_t i = 0; i < graph->n_node; ++i)
    bound->node[i] = bind_node(c, call, graph->node[i]);
  return bound;
}

// An attribute that names one of the call is that; NULL where it has none.
static Onnx__AttributeProto *
bind_attribute(LunaOnnxImport *c, const LunaOnnxCall *call,
               const Onnx__AttributeProto *attribute) {
  bool refers = attribute->ref_attr_name && attribute->ref_attr_name[0];
  const Onnx__AttributeProto *from =
      refers ? luna_onnx_attr(call->node, attribute->ref_attr_name) : attribute;
  if (!from)
    return NULL;
  Onnx__AttributeProto *bound =
      LUNA_ARENA_ARRAY(c->arena, Onnx__AttributeProto, 1);
  *bound = *from;
  bound->name = attribute->name;
  if (!refers && from->g)
    bound->g = bind_graph(c, call, from->g);
  return bound;
}

// True for the name of an input that the call leaves out.
static bool is_left_out(const LunaOnnxCall *call, const char *name) {
  const Onnx__FunctionProto *function = call->function;
  for (size_t i = 0; i < function->n_input; ++i)
    if (strcmp(function->input[i], name) == 0)
      return !luna_onnx_input(call->node, (int)i);
  return false;
}

static Onnx__NodeProto *bind_node(LunaOnnxImport *c, const LunaOnnxCall *call,
                                  const Onnx__NodeProto *node) {
  static char nothing[1];
  Onnx__NodeProto *bound = LUNA_ARENA_ARRAY(c->arena, Onnx__NodeProto, 1);
  *bound = *node;
  bound->attribute =
      LUNA_ARENA_ARRAY(c->arena, Onnx__AttributeProto *, node->n_attribute);
  bound->n_attribute = 0;
  for (size_t i = 0; i < node->n_attribute; ++i) {
    Onnx__AttributeProto *made = bind_attribute(c, call, node->attribute[i]);
    if (made)
      bound->attribute[bound->n_attribute++] = made;
  }
  bound->input = LUNA_ARENA_ARRAY(c->arena, char *, node->n_input);
  for (size_t i = 0; i < node->n_input; ++i)
    bound->input[i] =
        is_left_out(call, node->input[i]) ? nothing : node->input[i];
  return bound;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool check_call(LunaOnnxImport *c, const LunaOnnxCall *call) {
  const Onnx__FunctionProto *function = call->function;
  size_t inputs = call->node->proto->n_input;
  if (inputs > function->n_input)
    return luna_onnx_fail(c, "has %zu inputs, the function has %zu", inputs,
                          function->n_input);
  for (const LunaOnnxCall *outer = call->outer; outer; outer = outer->outer)
    if (outer->function == function)
      return luna_onnx_fail(c, "the function calls itself");
  for (unsigned i = 0; i < function->base.n_unknown_fields; ++i)
    if (function->base.unknown_fields[i].tag == DEFAULTS_TAG)
      return luna_onnx_fail(c, "the function has attributes with defaults, "
                               "which are not supported");
  c->called_nodes += function->n_node;
  return c->called_nodes <= MAX_CALLED_NODES ||
         luna_onnx_fail(c, "calls of functions have more than %d nodes",
                        MAX_CALLED_NODES);
}

static bool read_body(LunaOnnxImport *c, LunaOnnxNode *n,
                      const LunaOnnxCall *call) {
  const Onnx__FunctionProto *function = call->function;
  bool ok = true;
  for (size_t i = 0; ok && i < function->n_input; ++i) {
    LunaOnnxValue *value = luna_onnx_input(n, (int)i);
    ok = !value || luna_onnx_define(c, function->input[i], value);
  }
  for (size_t i = 0; ok && i < function->n_node; ++i)
    ok = luna_onnx_read_node(c, bind_node(c, call, function->node[i]));
  c->node = n->proto;
  for (int i = 0; ok && i < n->output_count; ++i) {
    if ((size_t)i >= function->n_output)
      return luna_onnx_fail(c, "the function has %zu outputs",
                            function->n_output);
    if (n->proto->output[i][0])
      n->outputs[i] = luna_onnx_lookup(c, function->output[i]);
    ok = n->outputs[i] || !n->proto->output[i][0];
  }
  return ok;
}

bool luna_onnx_op_local(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxCall call = {
      .function = find_function(c, n->proto), .node = n, .outer = c->call};
  LunaOnnxScope *scope = c->scope;
  int64_t opset = c->opset;
  if (!check_call(c, &call))
    return false;
  for (size_t i = 0; i < call.function->n_opset_import; ++i)
    if (is_text(call.function->opset_import[i]->domain, ""))
      c->opset = call.function->opset_import[i]->version;
  // The function sees no names of the graph around the call.
  c->call = &call;
  c->scope = NULL;
  luna_onnx_open_scope(c);
  bool ok = read_body(c, n, &call);
  c->scope = scope;
  c->call = call.outer;
  c->opset = opset;
  return ok;
}
