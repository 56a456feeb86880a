#include "tflite_model.h"

#include <string.h>

#include "luna/checked.h"

// More elements than any tensor of a network for a small machine has.
static const int64_t max_elements = INT32_MAX;
// Enough for any network; keeps work on a file made to take long in bounds.
enum { MAX_GRAPHS = 1024 };

// Fields of the tables, by their places in the published schema.
enum { MODEL_CODES = 1, MODEL_GRAPHS = 2, MODEL_BUFFERS = 4 };
enum { CODE_OLD = 0, CODE_CUSTOM = 1, CODE_BUILTIN = 3 };
enum {
  GRAPH_TENSORS,
  GRAPH_INPUTS,
  GRAPH_OUTPUTS,
  GRAPH_OPERATORS,
  GRAPH_NAME
};
enum {
  TENSOR_SHAPE,
  TENSOR_TYPE,
  TENSOR_BUFFER,
  TENSOR_NAME,
  TENSOR_QUANT,
  TENSOR_IS_VARIABLE,
  TENSOR_SPARSITY,
  TENSOR_SIGNATURE,
};
enum { QUANT_SCALE = 2, QUANT_ZERO_POINT = 3, QUANT_AXIS = 6 };
enum {
  OPERATOR_CODE = 0,
  OPERATOR_INPUTS = 1,
  OPERATOR_OUTPUTS = 2,
  OPERATOR_OPTIONS_TYPE = 3,
  OPERATOR_OPTIONS = 4,
  OPERATOR_CUSTOM = 5,
  OPERATOR_INTERMEDIATES = 8,
};
enum { BUFFER_DATA = 0, BUFFER_OFFSET = 1, BUFFER_SIZE = 2 };

typedef struct Code {
  int64_t builtin;
  const char *custom_name;
} Code;

typedef struct Reader {
  LunaFlat *flat;
  LunaArena *arena;
  LunaError *error;
  const Code *codes;
  const LunaFlatVector *buffers;
  int64_t code_count, buffer_count;
  LunaTfliteGraph graph; ///< the one being read
  int64_t graph_index;
  int64_t operator_index; ///< -1 outside of operators
} Reader;

unsigned luna_tflite_element_bytes(int type) {
  switch (type) {
  case LUNA_TFLITE_U8:
  case LUNA_TFLITE_BOOL:
  case LUNA_TFLITE_I8:
    return 1;
  case LUNA_TFLITE_I16:
    return 2;
  case LUNA_TFLITE_F32:
  case LUNA_TFLITE_I32:
    return 4;
  case LUNA_TFLITE_I64:
    return 8;
  default:
    return 0;
  }
}

const char *luna_tflite_type_name(int type) {
  static const char *const names[] = {
      "float32", "float16",    "int32",  "uint8",     "int64",
      "string",  "bool",       "int16",  "complex64", "int8",
      "float64", "complex128", "uint64", "resource",  "variant",
      "uint32",  "uint16",     "int4",   "bfloat16"};
  int count = (int)(sizeof names / sizeof *names);
  return type >= 0 && type < count ? names[type] : "unknown type";
}

static bool fail_file(Reader *reader) {
  return luna_error_set(reader->error, LUNA_ERROR_INPUT,
                        reader->flat->fault_offset,
                        "the TensorFlow Lite file %s (at byte %zu)",
                        reader->flat->fault, reader->flat->fault_offset);
}

// A string of the file, cut at its first zero byte.
static const char *read_string(Reader *reader, LunaFlatTable table,
                               unsigned field) {
  LunaFlatVector text = luna_flat_vector(reader->flat, table, field, 1);
  if (text.offset == 0)
    return "";
  return luna_arena_strndup(reader->arena,
                            (const char *)reader->flat->data + text.offset,
                            text.count);
}

// What names a thing that is not there.
static const char *place(Reader *reader) {
  long long graph = reader->graph_index, op = reader->operator_index;
  return op < 0
             ? luna_arena_printf(reader->arena, "subgraph %lld", graph)
             : luna_arena_printf(reader->arena,
                                 "operator %lld of subgraph %lld", op, graph);
}

// A list of tensor numbers, each below `limit` and at least `lowest`.
static const int32_t *read_indices(Reader *reader, LunaFlatTable table,
                                   unsigned field, int32_t lowest,
                                   int64_t limit, int64_t *count) {
  LunaFlatVector list = luna_flat_vector(reader->flat, table, field, 4);
  *count = list.count;
  int32_t *indices = LUNA_ARENA_ARRAY(reader->arena, int32_t, list.count);
  for (uint32_t i = 0; i < list.count; ++i) {
    indices[i] = luna_flat_i32_at(reader->flat, list, i);
    if (indices[i] < lowest || indices[i] >= limit) {
      luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                     "%s names tensor %d, the subgraph has tensors 0 to %lld",
                     place(reader), indices[i], (long long)limit - 1);
      return NULL;
    }
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

bool luna_tflite_resize(LunaTfliteTensor *tensor, int64_t rank,
                        const int64_t *shape) {
  int64_t count = 1;
  for (int64_t d = 0; d < rank; ++d)
    if (shape[d] < 0 || !luna_checked_mul(count, shape[d], &count) ||
        count > max_elements)
      return false;
  memcpy(tensor->shape, shape, (size_t)rank * sizeof *shape);
  tensor->element_count = count;
  return true;
}

static unsigned read_open(Reader *reader, LunaFlatTable table, int64_t rank) {
  LunaFlatVector signature =
      luna_flat_vector(reader->flat, table, TENSOR_SIGNATURE, 4);
  unsigned open = 0;
  for (uint32_t d = 0; d < signature.count && signature.count == rank; ++d)
    if (luna_flat_i32_at(reader->flat, signature, d) < 0)
      open |= 1u << d;
  return open;
}

static bool read_shape(Reader *reader, LunaFlatTable table,
                       LunaTfliteTensor *tensor) {
  LunaFlatVector shape = luna_flat_vector(reader->flat, table, TENSOR_SHAPE, 4);
  if (shape.count > LUNA_TFLITE_MAX_RANK)
    return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "tensor '%s' has %u dimensions, at most %d are "
                          "supported",
                          tensor->name, shape.count, LUNA_TFLITE_MAX_RANK);
  tensor->rank = shape.count;
  tensor->open = read_open(reader, table, tensor->rank);
  tensor->element_count = 1;
  for (uint32_t i = 0; i < shape.count; ++i) {
    int64_t extent = luna_flat_i32_at(reader->flat, shape, i);
    tensor->shape[i] = extent;
    if (!luna_checked_mul(tensor->element_count, extent,
                          &tensor->element_count) ||
        tensor->element_count > max_elements)
      return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                            "tensor '%s' has %lld as dimension %u: dimensions "
                            "are not negative and "
                            "their product is at most %lld",
                            tensor->name, (long long)extent, i,
                            (long long)max_elements);
  }
  return true;
}

// How scales and channels go together is for the operators that use them.
static void read_quant(Reader *reader, LunaFlatTable table,
                       LunaTfliteTensor *tensor) {
  LunaFlatTable quant = luna_flat_table(reader->flat, table, TENSOR_QUANT);
  LunaTfliteQuant *into = &tensor->quant;
  into->scales = luna_flat_vector(reader->flat, quant, QUANT_SCALE, 4);
  into->zero_points =
      luna_flat_vector(reader->flat, quant, QUANT_ZERO_POINT, 8);
  into->axis = luna_flat_i32(reader->flat, quant, QUANT_AXIS, 0);
}

static bool read_data(Reader *reader, LunaFlatTable table,
                      LunaTfliteTensor *tensor) {
  int64_t buffer = luna_flat_u32(reader->flat, table, TENSOR_BUFFER, 0);
  if (buffer >= reader->buffer_count)
    return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "tensor '%s' names buffer %lld, the file has %lld",
                          tensor->name, (long long)buffer,
                          (long long)reader->buffer_count);
  LunaFlatVector data = reader->buffers[buffer];
  if (data.count == 0)
    return true;
  unsigned bytes = luna_tflite_element_bytes(tensor->type);
  if (bytes != 0 && data.count != (uint64_t)tensor->element_count * bytes)
    return luna_error_set(
        reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
        "tensor '%s' holds %u bytes, its %lld elements of %s need %lld",
        tensor->name, data.count, (long long)tensor->element_count,
        luna_tflite_type_name(tensor->type),
        (long long)tensor->element_count * bytes);
  tensor->data = reader->flat->data + data.offset;
  tensor->data_bytes = data.count;
  return true;
}

static bool read_tensor(Reader *reader, LunaFlatTable table,
                        LunaTfliteTensor *tensor) {
  tensor->name = read_string(reader, table, TENSOR_NAME);
  tensor->type = (int)luna_flat_i8(reader->flat, table, TENSOR_TYPE, 0);
  tensor->is_variable =
      luna_flat_bool(reader->flat, table, TENSOR_IS_VARIABLE, false);
  if (luna_flat_table(reader->flat, table, TENSOR_SPARSITY).offset != 0)
    return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "tensor '%s' is sparse, only dense ones are "
                          "supported",
                          tensor->name);
  read_quant(reader, table, tensor);
  return read_shape(reader, table, tensor) && read_data(reader, table, tensor);
}

static bool read_tensors(Reader *reader, LunaFlatTable graph) {
  LunaFlatVector list = luna_flat_vector(reader->flat, graph, GRAPH_TENSORS, 4);
  LunaTfliteTensor *tensors =
      LUNA_ARENA_ARRAY(reader->arena, LunaTfliteTensor, list.count);
  reader->graph.tensors = tensors;
  reader->graph.tensor_count = list.count;
  for (uint32_t i = 0; i < list.count && !reader->flat->fault; ++i)
    if (!read_tensor(reader, luna_flat_table_at(reader->flat, list, i),
                     &tensors[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool read_operator(Reader *reader, LunaFlatTable table,
                          LunaTfliteOperator *op) {
  LunaFlat *flat = reader->flat;
  int64_t code = luna_flat_u32(flat, table, OPERATOR_CODE, 0);
  if (code >= reader->code_count)
    return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "%s has code %lld, the file has %lld", place(reader),
                          (long long)code, (long long)reader->code_count);
  op->code = reader->codes[code].builtin;
  op->custom_name = reader->codes[code].custom_name;
  op->options_type =
      (int)(uint8_t)luna_flat_i8(flat, table, OPERATOR_OPTIONS_TYPE, 0);
  op->options = luna_flat_table(flat, table, OPERATOR_OPTIONS);
  LunaFlatVector custom = luna_flat_vector(flat, table, OPERATOR_CUSTOM, 1);
  op->custom_options = flat->data + custom.offset;
  op->custom_bytes = custom.count;
  int64_t limit = reader->graph.tensor_count;
  op->inputs =
      read_indices(reader, table, OPERATOR_INPUTS, -1, limit, &op->input_count);
  op->outputs = read_indices(reader, table, OPERATOR_OUTPUTS, 0, limit,
                             &op->output_count);
  op->intermediates = read_indices(reader, table, OPERATOR_INTERMEDIATES, 0,
                                   limit, &op->intermediate_count);
  return op->inputs && op->outputs && op->intermediates;
}

static bool read_operators(Reader *reader, LunaFlatTable graph) {
  LunaFlatVector list =
      luna_flat_vector(reader->flat, graph, GRAPH_OPERATORS, 4);
  LunaTfliteOperator *operators =
      LUNA_ARENA_ARRAY(reader->arena, LunaTfliteOperator, list.count);
  reader->graph.operators = operators;
  reader->graph.operator_count = list.count;
  for (uint32_t i = 0; i < list.count && !reader->flat->fault; ++i) {
    reader->operator_index = i;
    if (!read_operator(reader, luna_flat_table_at(reader->flat, list, i),
                       &operators[i]))
      return false;
  }
  reader->operator_index = -1;
  return true;
}

static bool read_graph(Reader *reader, LunaFlatTable table) {
  LunaTfliteGraph *graph = &reader->graph;
  *graph = (LunaTfliteGraph){.name = read_string(reader, table, GRAPH_NAME)};
  if (!read_tensors(reader, table) || !read_operators(reader, table))
    return false;
  graph->inputs = read_indices(reader, table, GRAPH_INPUTS, 0,
                               graph->tensor_count, &graph->input_count);
  graph->outputs = read_indices(reader, table, GRAPH_OUTPUTS, 0,
                                graph->tensor_count, &graph->output_count);
  return graph->inputs && graph->outputs;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static void read_codes(Reader *reader, LunaFlatTable model) {
  LunaFlatVector list = luna_flat_vector(reader->flat, model, MODEL_CODES, 4);
  Code *codes = LUNA_ARENA_ARRAY(reader->arena, Code, list.count);
  for (uint32_t i = 0; i < list.count && !reader->flat->fault; ++i) {
    LunaFlatTable table = luna_flat_table_at(reader->flat, list, i);
    // Codes below 127 stand in the old field, for old readers.
    int64_t old = luna_flat_i8(reader->flat, table, CODE_OLD, 0);
    int64_t builtin = luna_flat_i32(reader->flat, table, CODE_BUILTIN, 0);
    codes[i].builtin = builtin > old ? builtin : old;
    codes[i].custom_name = read_string(reader, table, CODE_CUSTOM);
    if (strcmp(codes[i].custom_name, "TFLite_Detection_PostProcess") == 0)
      codes[i].builtin = LUNA_TFLITE_DETECTION;
  }
  reader->codes = codes;
  reader->code_count = list.count;
}

static bool read_buffers(Reader *reader, LunaFlatTable model) {
  LunaFlatVector list = luna_flat_vector(reader->flat, model, MODEL_BUFFERS, 4);
  LunaFlatVector *buffers =
      LUNA_ARENA_ARRAY(reader->arena, LunaFlatVector, list.count);
  for (uint32_t i = 0; i < list.count && !reader->flat->fault; ++i) {
    LunaFlatTable table = luna_flat_table_at(reader->flat, list, i);
    buffers[i] = luna_flat_vector(reader->flat, table, BUFFER_DATA, 1);
    if (luna_flat_u32(reader->flat, table, BUFFER_OFFSET, 0) > 1 &&
        luna_flat_u32(reader->flat, table, BUFFER_SIZE, 0) > 0)
      return luna_error_set(reader->error, LUNA_ERROR_INPUT, i,
                            "buffer %u lies outside of the model, only data "
                            "inside it is supported",
                            i);
  }
  reader->buffers = buffers;
  reader->buffer_count = list.count;
  return true;
}

static bool read_graphs(Reader *reader, LunaFlatTable root,
                        LunaTfliteModel *model) {
  LunaFlatVector list = luna_flat_vector(reader->flat, root, MODEL_GRAPHS, 4);
  if ((list.count == 0 && !reader->flat->fault) || list.count > MAX_GRAPHS)
    return luna_error_set(reader->error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "the TensorFlow Lite file has %u subgraphs, needs 1 "
                          "to %d",
                          list.count, MAX_GRAPHS);
  LunaTfliteGraph *graphs =
      LUNA_ARENA_ARRAY(reader->arena, LunaTfliteGraph, list.count);
  for (uint32_t i = 0; i < list.count && !reader->flat->fault; ++i) {
    reader->graph_index = i;
    if (!read_graph(reader, luna_flat_table_at(reader->flat, list, i)))
      return false;
    graphs[i] = reader->graph;
  }
  model->graphs = graphs;
  model->graph_count = list.count;
  return true;
}

bool luna_tflite_read(LunaTfliteModel *model, const void *bytes, size_t size,
                      LunaArena *arena, LunaError *error) {
  *model = (LunaTfliteModel){.flat = {.data = bytes, .size_bytes = size}};
  Reader reader = {.flat = &model->flat,
                   .arena = arena,
                   .error = error,
                   .operator_index = -1};
  LunaFlatTable root = luna_flat_root(&model->flat, "TFL3");
  read_codes(&reader, root);
  bool read = read_buffers(&reader, root) && read_graphs(&reader, root, model);
  // A damaged file is the cause of all else that looks wrong in it.
  if (model->flat.fault)
    return fail_file(&reader);
  return read;
}
