#include "tflite_node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tflite_import.h"
#include "tflite_ops.h"

// Graphs called many times copy their constants: a bound on what a small file
// can ask for.
enum { CONSTANT_REUSE = 16, SPARE_CONSTANT_BYTES = 1 << 24 };

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

bool luna_tflite_fail(const LunaTfliteNode *node, const char *format, ...) {
  char text[320], output[96] = "", graph[40] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (node->op->output_count > 0)
    snprintf(output, sizeof output, ", output '%.72s'",
             luna_tflite_output(node, 0)->name);
  if (node->frame->graph_index > 0)
    snprintf(graph, sizeof graph, "subgraph %lld, ",
             (long long)node->frame->graph_index);
  char code[24];
  const char *name = luna_tflite_code_name(node->op->code);
  snprintf(code, sizeof code, "code %lld", (long long)node->op->code);
  return luna_error_set(node->import->error, LUNA_ERROR_INPUT,
                        (uint64_t)node->index, "%soperator %lld (%s%s): %s",
                        graph, (long long)node->index, name ? name : code,
                        output, text);
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

const LunaTfliteTensor *luna_tflite_input(const LunaTfliteNode *node,
                                          int64_t i) {
  if (i >= node->op->input_count || node->op->inputs[i] < 0)
    return NULL;
  return &node->frame->graph->tensors[node->op->inputs[i]];
}

const LunaTfliteTensor *luna_tflite_output(const LunaTfliteNode *node,
                                           int64_t i) {
  return &node->frame->graph->tensors[node->op->outputs[i]];
}

static MlirType element_type(const LunaBuilder *b, int type) {
  switch (type) {
  case LUNA_TFLITE_F32:
    return b->f32;
  case LUNA_TFLITE_BOOL:
    return b->i1;
  case LUNA_TFLITE_I8:
  case LUNA_TFLITE_U8:
    return b->i8;
  case LUNA_TFLITE_I16:
    return b->i16;
  case LUNA_TFLITE_I64:
    return b->i64;
  default:
    return b->i32;
  }
}

LunaShape luna_tflite_shape_of(const LunaTfliteTensor *tensor) {
  LunaShape shape = {.rank = (int)tensor->rank};
  memcpy(shape.dims, tensor->shape, (size_t)tensor->rank * sizeof(int64_t));
  return shape;
}

MlirType luna_tflite_tensor_type(const LunaBuilder *b,
                                 const LunaTfliteTensor *tensor) {
  LunaShape shape = luna_tflite_shape_of(tensor);
  return luna_tensor_type(element_type(b, tensor->type), &shape);
}

static MlirAttribute
bool_elements(MlirType type, const LunaTfliteTensor *tensor, LunaArena *arena) {
  int *values = LUNA_ARENA_ARRAY(arena, int, tensor->element_count);
  for (int64_t i = 0; i < tensor->element_count; ++i)
    values[i] = tensor->data[i] != 0;
  return mlirDenseElementsAttrBoolGet(type, (intptr_t)tensor->element_count,
                                      values);
}

MlirAttribute luna_tflite_elements(const LunaBuilder *b,
                                   const LunaTfliteTensor *tensor,
                                   const LunaShape *shape, LunaArena *arena) {
  MlirType type = luna_tensor_type(element_type(b, tensor->type), shape);
  if (tensor->type == LUNA_TFLITE_BOOL)
    return bool_elements(type, tensor, arena);
  const uint8_t *data = tensor->data;
  if (tensor->type == LUNA_TFLITE_U8) {
    uint8_t *moved = LUNA_ARENA_ARRAY(arena, uint8_t, tensor->data_bytes);
    for (size_t i = 0; i < tensor->data_bytes; ++i)
      moved[i] = data[i] ^ 0x80;
    data = moved;
  }
  return mlirDenseElementsAttrRawBufferGet(type, tensor->data_bytes, data);
}

bool luna_tflite_count_constant(LunaTfliteNode *node, uint64_t bytes) {
  LunaTfliteImport *import = node->import;
  import->constant_bytes += bytes;
  if (import->constant_bytes <=
      SPARE_CONSTANT_BYTES + CONSTANT_REUSE * import->model->flat.size_bytes)
    return true;
  return luna_tflite_fail(node, "the graphs that the model calls use its "
                                "constants too many times over");
}

bool luna_tflite_const(LunaTfliteNode *node, const LunaTfliteTensor *tensor,
                       const LunaShape *shape, MlirValue *value) {
  if (luna_tflite_element_bytes(tensor->type) == 0)
    return luna_tflite_fail(node, "'%s' is %s, which is not supported",
                            tensor->name, luna_tflite_type_name(tensor->type));
  if (!luna_tflite_count_constant(node, tensor->data_bytes))
    return false;
  *value = luna_build_const(
      node->builder,
      luna_tflite_elements(node->builder, tensor, shape, node->arena));
  return true;
}

bool luna_tflite_value(LunaTfliteNode *node, int64_t i, MlirValue *value) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor)
    return luna_tflite_fail(node, "input %lld is absent", (long long)i);
  MlirValue *slot = &node->frame->values[node->op->inputs[i]];
  if (mlirValueIsNull(*slot)) {
    if (!tensor->data)
      return luna_tflite_fail(node,
                              "input %lld, '%s', has no value: no operator "
                              "before this one computes it",
                              (long long)i, tensor->name);
    LunaShape shape = luna_tflite_shape_of(tensor);
    if (!luna_tflite_const(node, tensor, &shape, slot))
      return false;
  }
  *value = *slot;
  return true;
}

bool luna_tflite_rows(LunaTfliteNode *node, MlirValue *value) {
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  if (!luna_tflite_value(node, 0, value))
    return false;
  if (input->rank < 1)
    return luna_tflite_fail(node, "needs at least one dimension");
  int64_t length = input->shape[input->rank - 1];
  LunaShape shape = {2, {input->element_count / length, length}};
  *value = luna_build_reshape(node->builder, *value, &shape);
  return true;
}

bool luna_tflite_need_element(const LunaTfliteNode *node,
                              const LunaTfliteTensor *tensor, MlirValue value) {
  MlirType type = element_type(node->builder, tensor->type);
  if (mlirTypeEqual(luna_element_of(value), type))
    return true;
  return luna_tflite_fail(node,
                          "output '%s' is %s, which this operator does "
                          "not give for its inputs",
                          tensor->name, luna_tflite_type_name(tensor->type));
}

static LunaTfliteTensor *open_output(const LunaTfliteNode *node, int64_t i) {
  LunaTfliteTensor *tensor = &node->frame->graph->tensors[node->op->outputs[i]];
  return node->import->is_resized && tensor->open ? tensor : NULL;
}

static bool fail_size(const LunaTfliteNode *node) {
  return luna_tflite_fail(node, "its output has no or too many elements");
}

bool luna_tflite_follow(const LunaTfliteNode *node, int64_t d, int64_t size) {
  LunaTfliteTensor *tensor = open_output(node, 0);
  if (!tensor || !(tensor->open >> d & 1))
    return true;
  LunaShape shape = luna_tflite_shape_of(tensor);
  shape.dims[d] = size;
  return (size > 0 && luna_tflite_resize(tensor, tensor->rank, shape.dims)) ||
         fail_size(node);
}

static bool is_open_to(const LunaTfliteTensor *tensor, const LunaShape *shape) {
  bool is_open = tensor->rank == shape->rank;
  for (int64_t d = 0; is_open && d < tensor->rank; ++d)
    is_open = tensor->open >> d & 1 || shape->dims[d] == tensor->shape[d];
  return is_open;
}

// Their values have as many elements as the output, in another shape.
static bool is_reshaped(const LunaTfliteNode *node) {
  static const int codes[] = {LUNA_TFLITE_OP_EXPAND_DIMS,
                              LUNA_TFLITE_OP_FULLY_CONNECTED,
                              LUNA_TFLITE_OP_RESHAPE, LUNA_TFLITE_OP_SQUEEZE};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    if (node->op->code == codes[i])
      return true;
  return false;
}

// The shape of an output of which one dimension is open, by its elements.
static bool shape_by_count(const LunaTfliteTensor *tensor, int64_t elements,
                           LunaShape *shape) {
  int open = -1;
  *shape = luna_tflite_shape_of(tensor);
  for (int d = 0; d < shape->rank; ++d) {
    bool is_open = tensor->open >> d & 1;
    if (is_open ? open >= 0 : elements % shape->dims[d] != 0)
      return false;
    if (is_open)
      open = d;
    else
      elements /= shape->dims[d];
  }
  shape->dims[open] = elements;
  return true;
}

// Gives the open dimensions of an output the sizes that its value has.
static bool follow_value(const LunaTfliteNode *node, int64_t i,
                         const LunaShape *value) {
  LunaTfliteTensor *tensor = open_output(node, i);
  LunaShape shape = *value;
  int64_t elements = 1;
  if (!tensor)
    return true;
  for (int d = 0; d < value->rank; ++d)
    elements *= value->dims[d];
  if (!shape_by_count(tensor, elements, &shape)) {
    if (is_reshaped(node) || !is_open_to(tensor, value))
      return luna_tflite_fail(node,
                              "the open dimensions of '%s' do not follow from "
                              "the sizes of the inputs",
                              tensor->name);
    shape = *value;
  }
  return luna_tflite_resize(tensor, tensor->rank, shape.dims) ||
         fail_size(node);
}

bool luna_tflite_set(LunaTfliteNode *node, int64_t i, MlirValue value) {
  const LunaTfliteTensor *tensor = luna_tflite_output(node, i);
  LunaShape computed = luna_shape_of(value);
  if (!follow_value(node, i, &computed))
    return false;
  LunaShape output = luna_tflite_shape_of(tensor);
  int64_t elements = 1;
  for (int d = 0; d < computed.rank; ++d)
    elements *= computed.dims[d];
  if (elements != tensor->element_count)
    return luna_tflite_fail(
        node, "computes %lld elements, output '%s' has %lld",
        (long long)elements, tensor->name, (long long)tensor->element_count);
  if (!luna_tflite_need_element(node, tensor, value))
    return false;
  node->frame->values[node->op->outputs[i]] =
      luna_build_reshape(node->builder, value, &output);
  return true;
}

static bool fail_computed(const LunaTfliteNode *node, int64_t i) {
  return luna_tflite_fail(node,
                          "input %lld, '%s', is computed by the model; "
                          "only a constant is supported here",
                          (long long)i, luna_tflite_input(node, i)->name);
}

bool luna_tflite_need_const(const LunaTfliteNode *node, int64_t i) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor)
    return luna_tflite_fail(node, "input %lld is absent", (long long)i);
  return tensor->data || fail_computed(node, i);
}

// Reads integers of the file.
static void read_ints(const LunaTfliteNode *node,
                      const LunaTfliteTensor *tensor, int64_t *values) {
  const LunaFlat *flat = &node->import->model->flat;
  LunaFlatVector data = {.offset = (size_t)(tensor->data - flat->data)};
  for (int64_t k = 0; k < tensor->element_count; ++k)
    values[k] = tensor->type == LUNA_TFLITE_I32
                    ? luna_flat_i32_at(flat, data, (uint32_t)k)
                    : luna_flat_i64_at(flat, data, (uint32_t)k);
}

// Evaluates integers that operators compute from constants.
static bool evaluate_ints(LunaTfliteNode *node, int64_t i, int64_t *values) {
  MlirValue value;
  if (!luna_tflite_value(node, i, &value))
    return false;
  const LunaConstant *constant = luna_fold_value(node->import->fold, value);
  if (!constant)
    return fail_computed(node, i);
  for (int64_t k = 0; k < constant->count; ++k)
    values[k] = luna_constant_int(constant, k);
  return true;
}

bool luna_tflite_ints(LunaTfliteNode *node, int64_t i, int64_t *values,
                      int64_t limit, int64_t *count) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor)
    return luna_tflite_fail(node, "input %lld is absent", (long long)i);
  if ((tensor->type != LUNA_TFLITE_I32 && tensor->type != LUNA_TFLITE_I64) ||
      tensor->element_count > limit)
    return luna_tflite_fail(
        node,
        "input %lld, '%s', has %lld elements of %s; at most "
        "%lld of int32 or int64 are allowed",
        (long long)i, tensor->name, (long long)tensor->element_count,
        luna_tflite_type_name(tensor->type), (long long)limit);
  *count = tensor->element_count;
  if (!tensor->data)
    return evaluate_ints(node, i, values);
  read_ints(node, tensor, values);
  return true;
}

bool luna_tflite_need_rank(const LunaTfliteNode *node, MlirValue value,
                           int64_t rank) {
  if (luna_rank_of(value) == rank)
    return true;
  return luna_tflite_fail(node, "an input has %lld dimensions, needs %lld",
                          (long long)luna_rank_of(value), (long long)rank);
}

bool luna_tflite_broadcast(const LunaTfliteNode *node, LunaShape other,
                           LunaShape *shape) {
  for (int d = 1; d <= other.rank && d <= shape->rank; ++d) {
    int64_t x = other.dims[other.rank - d], y = shape->dims[shape->rank - d];
    if (x != y && x != 1 && y != 1)
      return luna_tflite_fail(node,
                              "dimensions of %lld and %lld do not go together",
                              (long long)x, (long long)y);
  }
  return luna_broadcast(&other, shape, shape);
}

bool luna_tflite_axis(const LunaTfliteNode *node, int64_t given, int64_t rank,
                      int64_t *axis) {
  *axis = given < 0 ? given + rank : given;
  if (*axis >= 0 && *axis < rank)
    return true;
  return luna_tflite_fail(node, "axis %lld is outside of %lld dimensions",
                          (long long)given, (long long)rank);
}

bool luna_tflite_follow_ints(LunaTfliteNode *node, int64_t i) {
  int64_t sizes[LUNA_TFLITE_MAX_RANK], count = 0;
  if (!open_output(node, 0))
    return true;
  bool is_right =
      luna_tflite_ints(node, i, sizes, LUNA_TFLITE_MAX_RANK, &count);
  for (int64_t d = 0; is_right && d < count; ++d)
    is_right = luna_tflite_follow(node, d, sizes[d]);
  return is_right;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static LunaFlat *flat_of(const LunaTfliteNode *node) {
  // Reading notes faults; the model is the importer's own.
  return (LunaFlat *)&node->import->model->flat;
}

int64_t luna_tflite_option_i32(const LunaTfliteNode *node, unsigned field,
                               int64_t absent) {
  return luna_flat_i32(flat_of(node), node->op->options, field, absent);
}

int64_t luna_tflite_option_enum(const LunaTfliteNode *node, unsigned field) {
  return luna_flat_i8(flat_of(node), node->op->options, field, 0);
}

bool luna_tflite_option_bool(const LunaTfliteNode *node, unsigned field) {
  return luna_flat_bool(flat_of(node), node->op->options, field, false);
}

float luna_tflite_option_f32(const LunaTfliteNode *node, unsigned field) {
  return luna_flat_f32(flat_of(node), node->op->options, field, 0);
}
