#include "onnx_body.h"

#include <math.h>
#include <string.h>

#include "onnx_valid.h"

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static Onnx__AttributeProto *attribute(LunaOnnxImport *c,
                                       const LunaOnnxBodyAttribute *given) {
  Onnx__AttributeProto *proto =
      LUNA_ARENA_ARRAY(c->arena, Onnx__AttributeProto, 1);
  onnx__attribute_proto__init(proto);
  proto->name = (char *)given->name;
  proto->has_i = given->kind == LUNA_ONNX_BODY_NUMBER;
  proto->i = given->number;
  proto->has_f = given->kind == LUNA_ONNX_BODY_REAL;
  proto->f = (float)given->real;
  if (given->kind == LUNA_ONNX_BODY_INTS) {
    proto->n_ints = (size_t)given->list.count;
    proto->ints = LUNA_ARENA_ARRAY(c->arena, int64_t, given->list.count);
    memcpy(proto->ints, given->list.items, proto->n_ints * sizeof(int64_t));
  }
  if (given->kind == LUNA_ONNX_BODY_TEXT) {
    proto->has_s = 1;
    proto->s.len = strlen(given->text);
    proto->s.data = (uint8_t *)luna_arena_printf(c->arena, "%s", given->text);
  }
  return proto;
}

// The outputs have the names of the function's, for messages and bounds.
static Onnx__NodeProto *prototype(LunaOnnxBody *f,
                                  const LunaOnnxBodyNode *node) {
  LunaOnnxImport *c = f->c;
  Onnx__NodeProto *proto = LUNA_ARENA_ARRAY(c->arena, Onnx__NodeProto, 1);
  onnx__node_proto__init(proto);
  proto->op_type = (char *)node->op;
  proto->n_input = (size_t)node->input_count;
  proto->input = LUNA_ARENA_ARRAY(c->arena, char *, node->input_count);
  for (int i = 0; i < node->input_count; ++i)
    proto->input[i] = luna_arena_printf(c->arena, "%d of %s", i, node->op);
  proto->n_output = (size_t)node->more_count + 1;
  proto->output = LUNA_ARENA_ARRAY(c->arena, char *, proto->n_output);
  for (size_t i = 0; i < proto->n_output; ++i)
    proto->output[i] = f->n->proto->output[0];
  const Onnx__NodeProto *own = f->n->proto;
  proto->n_attribute = (size_t)node->attribute_count;
  proto->attribute = LUNA_ARENA_ARRAY(c->arena, Onnx__AttributeProto *,
                                      proto->n_attribute + own->n_attribute);
  for (int i = 0; i < node->attribute_count; ++i)
    proto->attribute[i] = attribute(c, &node->attributes[i]);
  for (size_t i = 0; node->inherits && i < own->n_attribute; ++i)
    proto->attribute[proto->n_attribute++] = own->attribute[i];
  return proto;
}

static LunaOnnxType type_of_numbers(const LunaOnnxBodyNode *node) {
  for (int i = node->input_count - 1; i >= 0; --i)
    if (node->inputs[i].value)
      return node->inputs[i].value->type;
  return LUNA_ONNX_F32;
}

LunaOnnxValue *luna_onnx_body_node(LunaOnnxBody *f,
                                   const LunaOnnxBodyNode *node) {
  LunaOnnxImport *c = f->c;
  if (f->has_failed)
    return NULL;
  // What only bodies call is in no table.
  static const LunaOnnxOp function = {.handler = luna_onnx_op_function,
                                      .takes_valid = LUNA_TAKES_ITSELF};
  const LunaOnnxOp *op = luna_onnx_find_op(c, "", node->op);
  LunaOnnxNode n = {.proto = prototype(f, node),
                    .op = op ? op : &function,
                    .input_count = node->input_count,
                    .output_count = node->more_count + 1};
  n.inputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, n.input_count);
  n.outputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, n.output_count);
  for (int i = 0; i < n.input_count; ++i)
    n.inputs[i] =
        node->inputs[i].is_number
            ? luna_onnx_scalar(c, type_of_numbers(node), node->inputs[i].number)
            : node->inputs[i].value;
  f->has_failed = !luna_onnx_run(c, &n) || !n.outputs[0];
  for (int i = 0; i < node->more_count; ++i)
    *node->more[i] = n.outputs[i + 1];
  return f->has_failed ? NULL : n.outputs[0];
}

void luna_onnx_body_output(LunaOnnxBody *f, int index, LunaOnnxValue *value) {
  if (index < f->n->output_count)
    f->n->outputs[index] = value;
}

void luna_onnx_body_refuse(LunaOnnxBody *f, bool condition,
                           const char *message) {
  if (condition && !f->has_failed)
    f->has_failed = !luna_onnx_fail(f->c, "%s", message);
}

bool luna_onnx_op_function(LunaOnnxImport *c, LunaOnnxNode *n) {
  enum { BODY_OPSET = 24 };
  LunaOnnxBody f = {.c = c, .n = n};
  int64_t opset = c->opset;
  const LunaOnnxBodyRow *row = luna_onnx_bodies;
  while (strcmp(row->name, n->proto->op_type) != 0)
    ++row;
  c->opset = BODY_OPSET;
  row->build(&f);
  c->opset = opset;
  return !f.has_failed;
}

//===----------------------------------------------------------------------===//
// What bodies ask
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_onnx_body_list(LunaOnnxBody *f, LunaOnnxInts list) {
  return luna_onnx_new_ints(f->c, list.items, list.count);
}
LunaOnnxValue *luna_onnx_body_scalar(LunaOnnxBody *f, int64_t number) {
  return luna_onnx_scalar(f->c, LUNA_ONNX_I64, (double)number);
}

LunaOnnxInts luna_onnx_body_range(LunaOnnxBody *f, int64_t first, int64_t end) {
  LunaOnnxInts list = {0};
  (void)f;
  while (first < end && list.count < LUNA_ONNX_BODY_LIST)
    list.items[list.count++] = first++;
  return list;
}

LunaOnnxInts luna_onnx_body_swapped(LunaOnnxBody *f,
                                    const LunaOnnxValue *value) {
  int rank = (int)luna_onnx_body_rank(f, value);
  LunaOnnxInts list = luna_onnx_body_range(f, 0, rank);
  if (rank > 1) {
    list.items[rank - 1] = rank - 2;
    list.items[rank - 2] = rank - 1;
  }
  return list;
}

bool luna_onnx_body_has(LunaOnnxBody *f, const LunaOnnxValue *value) {
  (void)f;
  return value != NULL;
}
bool luna_onnx_body_given(LunaOnnxBody *f, const char *attribute) {
  return luna_onnx_attr(f->n, attribute) != NULL;
}
bool luna_onnx_body_wants(LunaOnnxBody *f, int64_t output) {
  return output < f->n->output_count && f->n->proto->output[output][0];
}
bool luna_onnx_body_is_bool(LunaOnnxBody *f, const LunaOnnxValue *value) {
  (void)f;
  return value && value->type == LUNA_ONNX_BOOL;
}

int64_t luna_onnx_body_rank(LunaOnnxBody *f, const LunaOnnxValue *value) {
  (void)f;
  return value ? value->shape.rank : 0;
}

int64_t luna_onnx_body_dim(LunaOnnxBody *f, const LunaOnnxValue *value,
                           int64_t axis) {
  int64_t rank = luna_onnx_body_rank(f, value);
  axis = axis < 0 ? axis + rank : axis;
  luna_onnx_body_refuse(f, axis < 0 || axis >= rank,
                        "an input has too few dimensions");
  return f->has_failed || value->shape.dims[axis] < 1 ? 1
                                                      : value->shape.dims[axis];
}

int64_t luna_onnx_body_count(LunaOnnxBody *f, const LunaOnnxValue *value) {
  (void)f;
  return value ? luna_onnx_elems(&value->shape) : 0;
}

int64_t luna_onnx_body_at(LunaOnnxBody *f, LunaOnnxValue *value,
                          int64_t index) {
  bool is_there = index < luna_onnx_body_count(f, value);
  luna_onnx_body_refuse(f, !is_there || !luna_onnx_evaluate(f->c, value),
                        "an input that says sizes must be constant");
  return f->has_failed ? 0 : luna_onnx_int_at(value, index);
}

int64_t luna_onnx_body_entries(LunaOnnxBody *f, const char *attribute) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(f->n, attribute);
  return attr ? (int64_t)attr->n_ints : 0;
}
int64_t luna_onnx_body_entry(LunaOnnxBody *f, const char *attribute,
                             int64_t index) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(f->n, attribute);
  return index < luna_onnx_body_entries(f, attribute) ? attr->ints[index] : 0;
}

double luna_onnx_body_sqrt(LunaOnnxBody *f, double number) {
  (void)f;
  return sqrt(number);
}
double luna_onnx_body_infinity(LunaOnnxBody *f) {
  (void)f;
  return INFINITY;
}
