// Decoding an ONNX file and reading the tensors and types in it.
//
// protobuf-c recurses into nested messages without a limit and allocates as
// the file says. So the nesting is checked first, on the wire, and the decoder
// allocates through an allocator with a budget.

#include "onnx.h"

#include <stdlib.h>
#include <string.h>

#include "luna/checked.h"
#include "luna/text.h"
#include "open_dimensions.h"

//===----------------------------------------------------------------------===//
// Nesting
//===----------------------------------------------------------------------===//

// The messages that can hold themselves, and what leads to them.
typedef enum Kind {
  KIND_NONE,
  KIND_MODEL,
  KIND_GRAPH,
  KIND_NODE,
  KIND_ATTRIBUTE,
  KIND_VALUE_INFO,
  KIND_TYPE,
  KIND_TYPE_HOLDER,
  KIND_FUNCTION,
  KIND_TRAINING,
} Kind;

static const struct {
  Kind from;
  unsigned field;
  Kind to;
} nestings[] = {
    {KIND_MODEL, 7, KIND_GRAPH},       {KIND_MODEL, 20, KIND_TRAINING},
    {KIND_MODEL, 25, KIND_FUNCTION},   {KIND_TRAINING, 1, KIND_GRAPH},
    {KIND_TRAINING, 2, KIND_GRAPH},    {KIND_FUNCTION, 7, KIND_NODE},
    {KIND_GRAPH, 1, KIND_NODE},        {KIND_GRAPH, 11, KIND_VALUE_INFO},
    {KIND_GRAPH, 12, KIND_VALUE_INFO}, {KIND_GRAPH, 13, KIND_VALUE_INFO},
    {KIND_NODE, 5, KIND_ATTRIBUTE},    {KIND_ATTRIBUTE, 6, KIND_GRAPH},
    {KIND_ATTRIBUTE, 11, KIND_GRAPH},  {KIND_ATTRIBUTE, 14, KIND_TYPE},
    {KIND_ATTRIBUTE, 15, KIND_TYPE},   {KIND_VALUE_INFO, 2, KIND_TYPE},
    {KIND_TYPE, 4, KIND_TYPE_HOLDER},  {KIND_TYPE, 5, KIND_TYPE_HOLDER},
    {KIND_TYPE, 9, KIND_TYPE_HOLDER},  {KIND_TYPE_HOLDER, 1, KIND_TYPE},
    {KIND_TYPE_HOLDER, 2, KIND_TYPE},
};

static Kind nested_kind(Kind from, uint64_t field) {
  for (size_t i = 0; i < sizeof nestings / sizeof *nestings; ++i)
    if (nestings[i].from == from && nestings[i].field == field)
      return nestings[i].to;
  return KIND_NONE;
}

static bool read_varint(const uint8_t **at, const uint8_t *end,
                        uint64_t *value) {
  *value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (*at == end)
      return false;
    uint8_t byte = *(*at)++;
    *value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return true;
  }
  return false;
}

// Returns true if the message is whole and nested no deeper than `depth`.
static bool check_nesting(Kind kind, const uint8_t *at, const uint8_t *end,
                          int depth) {
  if (depth == 0)
    return false;
  while (at < end) {
    uint64_t key = 0, size = 0;
    if (!read_varint(&at, end, &key))
      return false;
    switch (key & 7) {
    case 0:
      if (!read_varint(&at, end, &size))
        return false;
      continue;
    case 1:
      size = 8;
      break;
    case 2:
      if (!read_varint(&at, end, &size))
        return false;
      break;
    case 5:
      size = 4;
      break;
    default:
      return false;
    }
    if (size > (uint64_t)(end - at))
      return false;
    Kind inner = (key & 7) == 2 ? nested_kind(kind, key >> 3) : KIND_NONE;
    if (inner != KIND_NONE && !check_nesting(inner, at, at + size, depth - 1))
      return false;
    at += size;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

// Memory of the decoder, freed with plain free().
typedef struct Budget {
  size_t left;
} Budget;

static void *budget_alloc(void *data, size_t byte_count) {
  Budget *budget = data;
  if (byte_count > budget->left)
    return NULL;
  budget->left -= byte_count;
  return malloc(byte_count ? byte_count : 1);
}

static void budget_free(void *data, void *pointer) {
  (void)data;
  free(pointer);
}

// Attribute, graph, node: three messages for one level of subgraphs.
enum { MAX_NESTING = 3 * LUNA_ONNX_MAX_DEPTH + 8 };

Onnx__ModelProto *luna_onnx_decode(LunaOnnxImport *c, const void *bytes,
                                   size_t byte_count) {
  const uint8_t *at = bytes;
  if (byte_count == 0 ||
      !check_nesting(KIND_MODEL, at, at + byte_count, MAX_NESTING)) {
    luna_onnx_fail(
        c,
        "file is not a whole ONNX model (%zu bytes, at most %d levels of "
        "subgraphs)",
        byte_count, LUNA_ONNX_MAX_DEPTH);
    return NULL;
  }
  // A node of a few bytes becomes a struct of about a hundred.
  Budget budget = {.left = byte_count > SIZE_MAX / 128
                               ? SIZE_MAX
                               : 40 * byte_count + (1 << 20)};
  ProtobufCAllocator allocator = {
      .alloc = budget_alloc, .free = budget_free, .allocator_data = &budget};
  Onnx__ModelProto *model =
      onnx__model_proto__unpack(&allocator, byte_count, bytes);
  if (!model)
    luna_onnx_fail(c, "file is no ONNX model: it cannot be decoded");
  return model;
}

void luna_onnx_model_free(Onnx__ModelProto *model) {
  if (!model)
    return;
  Budget budget = {0};
  ProtobufCAllocator allocator = {
      .alloc = budget_alloc, .free = budget_free, .allocator_data = &budget};
  onnx__model_proto__free_unpacked(model, &allocator);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static bool read_dims(LunaOnnxImport *c, const Onnx__TensorProto *tensor,
                      LunaShape *shape) {
  if (tensor->n_dims > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c,
                          "tensor '%s' has %zu dimensions, at most %d are "
                          "supported",
                          tensor->name ? tensor->name : "", tensor->n_dims,
                          LUNA_ONNX_MAX_RANK);
  *shape = luna_onnx_shape((int)tensor->n_dims, tensor->dims);
  for (int i = 0; i < shape->rank; ++i)
    if (shape->dims[i] < 0 || shape->dims[i] > LUNA_ONNX_MAX_ELEMS)
      return luna_onnx_fail(c, "tensor '%s' has a dimension of %lld",
                            tensor->name ? tensor->name : "",
                            (long long)shape->dims[i]);
  return true;
}

static const char *find_entry(const Onnx__TensorProto *tensor,
                              const char *key) {
  for (size_t i = 0; i < tensor->n_external_data; ++i) {
    const Onnx__StringStringEntryProto *entry = tensor->external_data[i];
    if (entry->key && entry->value && strcmp(entry->key, key) == 0)
      return entry->value;
  }
  return NULL;
}

// A path that stays in the folder: relative, no "..", no drive or backslash.
static bool is_inside(const char *path) {
  if (!path[0] || path[0] == '/' || strchr(path, '\\') || strchr(path, ':'))
    return false;
  for (const char *part = path; part;) {
    const char *slash = strchr(part, '/');
    size_t length = slash ? (size_t)(slash - part) : strlen(part);
    if (length == 2 && part[0] == '.' && part[1] == '.')
      return false;
    part = slash ? slash + 1 : NULL;
  }
  return true;
}

static bool read_number(const char *text, uint64_t absent, uint64_t *value) {
  *value = absent;
  if (!text)
    return true;
  char *end = NULL;
  *value = strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == 0;
}

static const uint8_t *read_external(LunaOnnxImport *c,
                                    const Onnx__TensorProto *tensor,
                                    uint64_t byte_count) {
  const char *path = find_entry(tensor, "location");
  uint64_t offset = 0, length = 0;
  if (!path || !is_inside(path) || !c->options->folder ||
      !read_number(find_entry(tensor, "offset"), 0, &offset) ||
      !read_number(find_entry(tensor, "length"), byte_count, &length)) {
    luna_onnx_fail(
        c,
        "tensor '%s' lies in the file '%s', which is not a path inside "
        "the model's folder",
        tensor->name, path ? path : "");
    return NULL;
  }
  LunaText text = {0};
  LunaError error = {0};
  uint8_t *data = NULL;
  if (!luna_text_read_below(&text, c->options->folder, path, (size_t)1 << 31,
                            &error))
    luna_onnx_fail(c, "tensor '%s': %s", tensor->name, error.message);
  else if (length != byte_count || offset > text.length ||
           byte_count > text.length - offset)
    luna_onnx_fail(
        c, "tensor '%s' needs %llu bytes at %llu of '%s', which has %zu",
        tensor->name, (unsigned long long)byte_count,
        (unsigned long long)offset, path, text.length);
  else {
    data = luna_arena_alloc(c->arena, byte_count, 1);
    memcpy(data, text.data + offset, byte_count);
  }
  luna_text_deinit(&text);
  return data;
}

static bool wrong_count(LunaOnnxImport *c, const Onnx__TensorProto *tensor,
                        uint64_t found, int64_t needed, const char *unit) {
  return luna_onnx_fail(c, "tensor '%s' has %llu %s, its shape needs %lld",
                        tensor->name ? tensor->name : "",
                        (unsigned long long)found, unit, (long long)needed);
}

// Copies the elements of a typed field (float_data, int32_data, …).
static bool read_typed(LunaOnnxImport *c, const Onnx__TensorProto *t,
                       LunaOnnxType type, int64_t count, uint8_t *data) {
  size_t n = type == LUNA_ONNX_F32                            ? t->n_float_data
             : type == LUNA_ONNX_F64                          ? t->n_double_data
             : type == LUNA_ONNX_I64                          ? t->n_int64_data
             : type == LUNA_ONNX_U32 || type == LUNA_ONNX_U64 ? t->n_uint64_data
                                                              : t->n_int32_data;
  if (n != (uint64_t)count)
    return wrong_count(c, t, n, count, "elements");
  for (int64_t i = 0; i < count; ++i)
    if (type == LUNA_ONNX_F32)
      luna_onnx_set_float(type, data, i, (double)t->float_data[i]);
    else if (type == LUNA_ONNX_F64)
      luna_onnx_set_float(type, data, i, t->double_data[i]);
    else if (type == LUNA_ONNX_I64)
      luna_onnx_set_int(type, data, i, t->int64_data[i]);
    else if (type == LUNA_ONNX_U32 || type == LUNA_ONNX_U64)
      luna_onnx_set_int(type, data, i, (int64_t)t->uint64_data[i]);
    else
      luna_onnx_set_int(type, data, i, t->int32_data[i]);
  return true;
}

// The elements of a tensor as the file has them, of `type`; NULL after an
// error.
static const uint8_t *read_elements(LunaOnnxImport *c,
                                    const Onnx__TensorProto *tensor,
                                    LunaOnnxType type, int64_t count) {
  uint64_t byte_count =
      (uint64_t)count *
      (uint64_t)(luna_onnx_is_half(type) ? 2 : luna_onnx_type_bytes(type));
  if (tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
    return read_external(c, tensor, byte_count);
  if (tensor->has_raw_data) {
    static const uint8_t none[1];
    if (tensor->raw_data.len == byte_count)
      return byte_count ? tensor->raw_data.data : none;
    wrong_count(c, tensor, tensor->raw_data.len, (int64_t)byte_count, "bytes");
    return NULL;
  }
  // Checked before the allocation: the file must hold what it promises.
  size_t held = tensor->n_float_data + tensor->n_double_data +
                tensor->n_int32_data + tensor->n_int64_data +
                tensor->n_uint64_data;
  if (held < (uint64_t)count) {
    wrong_count(c, tensor, held, count, "elements");
    return NULL;
  }
  // Halves are the lower bits of int32.
  uint8_t *data = luna_arena_alloc(c->arena, byte_count, 1);
  return read_typed(c, tensor, luna_onnx_is_half(type) ? LUNA_ONNX_U16 : type,
                    count, data)
             ? data
             : NULL;
}

LunaOnnxValue *luna_onnx_read_tensor(LunaOnnxImport *c,
                                     const Onnx__TensorProto *tensor) {
  LunaShape shape;
  if (!read_dims(c, tensor, &shape))
    return NULL;
  LunaOnnxType stored = (LunaOnnxType)tensor->data_type;
  LunaOnnxType type = luna_onnx_computed(stored);
  if (luna_onnx_type_bytes(type) == 0) {
    luna_onnx_fail(
        c, "tensor '%s' has elements of type %s, which is not supported",
        tensor->name ? tensor->name : "", luna_onnx_type_name(type));
    return NULL;
  }
  int64_t count = 1;
  for (int i = 0; i < shape.rank; ++i)
    if (!luna_checked_mul(count, shape.dims[i], &count) ||
        count > LUNA_ONNX_MAX_ELEMS) {
      luna_onnx_fail(c, "tensor '%s' has more than %d elements",
                     tensor->name ? tensor->name : "", LUNA_ONNX_MAX_ELEMS);
      return NULL;
    }
  const uint8_t *data = read_elements(c, tensor, stored, count);
  return data ? luna_onnx_stored_const(c, stored, &shape, data) : NULL;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// The name of a dimension that is open, NULL for one of a size.
static const char *open_name(LunaOnnxImport *c, const char *tensor, int axis,
                             const Onnx__TensorShapeProto__Dimension *dim) {
  if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
      dim->dim_value > 0)
    return NULL;
  bool has_name =
      dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM &&
      dim->dim_param && *dim->dim_param;
  return has_name ? dim->dim_param
                  : luna_arena_printf(c->arena, "%s.%d", tensor, axis);
}

static bool read_type_shape(LunaOnnxImport *c, const char *name,
                            const Onnx__TensorShapeProto *proto,
                            LunaShape *shape, bool *known) {
  if (proto->n_dim > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c,
                          "'%s' has %zu dimensions, at most %d are supported",
                          name, proto->n_dim, LUNA_ONNX_MAX_RANK);
  *shape = luna_onnx_shape((int)proto->n_dim, NULL);
  for (int i = 0; i < shape->rank; ++i) {
    const char *open = open_name(c, name, i, proto->dim[i]);
    shape->dims[i] =
        open ? luna_import_size(c->options, open) : proto->dim[i]->dim_value;
    *known = *known && shape->dims[i] > 0;
  }
  return true;
}

void luna_onnx_list_open(LunaOnnxImport *c, const Onnx__ValueInfoProto *info,
                         LunaOpenDimensions *list) {
  bool is_tensor =
      info->type &&
      info->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE &&
      info->type->tensor_type->shape;
  for (size_t i = 0; is_tensor && i < info->type->tensor_type->shape->n_dim;
       ++i) {
    const char *name = open_name(c, info->name, (int)i,
                                 info->type->tensor_type->shape->dim[i]);
    if (name)
      luna_open_dimension_add(list, name, 0);
  }
}

bool luna_onnx_read_type(LunaOnnxImport *c, const Onnx__ValueInfoProto *info,
                         LunaOnnxType *type, LunaShape *shape, bool *known) {
  const char *name = info->name ? info->name : "";
  *known = false;
  *type = LUNA_ONNX_UNDEFINED;
  if (!info->type || info->type->value_case == ONNX__TYPE_PROTO__VALUE__NOT_SET)
    return true;
  if (info->type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
    return luna_onnx_fail(c,
                          "'%s' is a sequence, map or optional; only tensors "
                          "are supported",
                          name);
  const Onnx__TypeProto__Tensor *tensor = info->type->tensor_type;
  *type = (LunaOnnxType)tensor->elem_type;
  if (luna_onnx_type_bytes(luna_onnx_computed(*type)) == 0)
    return luna_onnx_fail(
        c, "'%s' has elements of type %s, which is not supported", name,
        luna_onnx_type_name(*type));
  if (!tensor->shape)
    return true;
  *known = true;
  return read_type_shape(c, name, tensor->shape, shape, known);
}

bool luna_onnx_declared_shape(LunaOnnxImport *c, const char *name,
                              LunaShape *shape, bool *known) {
  const Onnx__GraphProto *graph = c->model->graph;
  *known = false;
  *shape = luna_onnx_shape(0, NULL);
  for (size_t i = 0; !*known && i < graph->n_output + graph->n_value_info;
       ++i) {
    const Onnx__ValueInfoProto *info =
        i < graph->n_output ? graph->output[i]
                            : graph->value_info[i - graph->n_output];
    LunaOnnxType type;
    if (info->name && strcmp(info->name, name) == 0 &&
        !luna_onnx_read_type(c, info, &type, shape, known))
      return false;
  }
  return true;
}
