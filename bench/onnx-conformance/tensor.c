#include "tensor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onnx.pb-c.h"

enum { FLOAT16 = 10, BFLOAT16 = 16 };

static size_t element_bytes(int type) {
  switch (type) {
  case 1:
  case 6:
  case 12:
    return 4;
  case 2:
  case 3:
  case 9:
    return 1;
  case 4:
  case 5:
  case FLOAT16:
  case BFLOAT16:
    return 2;
  case 7:
  case 11:
  case 13:
    return 8;
  default:
    return 0;
  }
}

static void store(uint8_t *bytes, size_t size, uint64_t bits) {
  for (size_t i = 0; i < size; ++i)
    bytes[i] = (uint8_t)(bits >> (8 * i));
}

static void read_typed(const Onnx__TensorProto *proto, size_t count,
                       size_t size, uint8_t *bytes) {
  for (size_t i = 0; i < count; ++i)
    if (i < proto->n_float_data)
      memcpy(bytes + 4 * i, &proto->float_data[i], 4);
    else if (i < proto->n_double_data)
      memcpy(bytes + 8 * i, &proto->double_data[i], 8);
    else if (i < proto->n_int64_data)
      store(bytes + size * i, size, (uint64_t)proto->int64_data[i]);
    else if (i < proto->n_uint64_data)
      store(bytes + size * i, size, proto->uint64_data[i]);
    else if (i < proto->n_int32_data)
      store(bytes + size * i, size, (uint64_t)proto->int32_data[i]);
}

bool tensor_read(Tensor *tensor, const void *bytes, size_t byte_count) {
  Onnx__TensorProto *proto =
      onnx__tensor_proto__unpack(NULL, byte_count, bytes);
  if (!proto)
    return false;
  size_t size = element_bytes(proto->data_type), count = 1;
  tensor->rank = 0;
  bool sane = true;
  for (size_t i = 0; i < proto->n_dims && sane; ++i) {
    sane = proto->dims[i] >= 0 && proto->dims[i] <= (1 << 24) &&
           count <= (1 << 24);
    count *= sane ? (size_t)proto->dims[i] : 1;
    if (sane && i < sizeof tensor->dims / sizeof *tensor->dims)
      tensor->dims[tensor->rank++] = proto->dims[i];
  }
  bool ok = sane && size > 0 &&
            (!proto->has_raw_data || proto->raw_data.len == 0 ||
             proto->raw_data.len == size * count);
  if (ok) {
    tensor->type = proto->data_type;
    tensor->byte_count = size * count;
    tensor->bytes = calloc(size * count + 1, 1);
    if (proto->has_raw_data && proto->raw_data.len > 0)
      memcpy(tensor->bytes, proto->raw_data.data, size * count);
    else
      read_typed(proto, count, size, tensor->bytes);
  }
  onnx__tensor_proto__free_unpacked(proto, NULL);
  return ok;
}

void tensor_free(Tensor *tensor) {
  free(tensor->bytes);
  tensor->bytes = NULL;
}

uint8_t *tensor_take(const Tensor *tensor, const uint8_t *found,
                     const int64_t *sizes) {
  size_t size = element_bytes(tensor->type);
  uint8_t *part = calloc(tensor->byte_count + 1, 1);
  for (size_t i = 0; i < tensor->byte_count / size; ++i) {
    size_t rest = i, from = 0, stride = 1;
    for (int d = tensor->rank; d-- > 0; stride *= (size_t)sizes[d]) {
      from += stride * (rest % (size_t)tensor->dims[d]);
      rest /= (size_t)tensor->dims[d];
    }
    memcpy(part + size * i, found + size * from, size);
  }
  return part;
}

// A number of 16 bits of which `mantissa` are its mantissa.
static double half(const uint8_t *bytes, int mantissa) {
  int bits = bytes[0] | bytes[1] << 8, fraction = bits & ((1 << mantissa) - 1);
  int most = (1 << (15 - mantissa)) - 1, exponent = bits >> mantissa & most;
  int bias = most / 2 + mantissa;
  double size = exponent == 0
                    ? ldexp(fraction, 1 - bias)
                    : ldexp(fraction + (1 << mantissa), exponent - bias);
  if (exponent == most)
    size = fraction ? NAN : INFINITY;
  return bits & 0x8000 ? -size : size;
}

static double number(const uint8_t *bytes, int type, size_t i) {
  if (type == FLOAT16 || type == BFLOAT16)
    return half(bytes + 2 * i, type == FLOAT16 ? 10 : 7);
  if (type == 1) {
    float value;
    memcpy(&value, bytes + 4 * i, 4);
    return (double)value;
  }
  double value;
  memcpy(&value, bytes + 8 * i, 8);
  return value;
}

// How bfloat16 is rounded was not defined until opset 19.
static bool close_enough(double a, double b, int type) {
  double relative = type == BFLOAT16 ? 0x1p-7 : 1e-3;
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  if (isinf(a) || isinf(b))
    return a == b;
  return fabs(a - b) <= 1e-6 + relative * fabs(a);
}

bool tensor_matches(const Tensor *expected, const void *found,
                    size_t found_bytes, char *message, size_t message_bytes) {
  const uint8_t *bytes = found;
  if (found_bytes != expected->byte_count) {
    snprintf(message, message_bytes, "has %zu bytes, expected %zu", found_bytes,
             expected->byte_count);
    return false;
  }
  size_t size = element_bytes(expected->type);
  bool is_float = expected->type == 1 || expected->type == 11 ||
                  expected->type == FLOAT16 || expected->type == BFLOAT16;
  for (size_t i = 0; i < expected->byte_count / size; ++i) {
    if (is_float) {
      double a = number(expected->bytes, expected->type, i);
      double b = number(bytes, expected->type, i);
      if (close_enough(a, b, expected->type))
        continue;
      snprintf(message, message_bytes, "element %zu is %g, expected %g", i, b,
               a);
      return false;
    }
    if (memcmp(bytes + size * i, expected->bytes + size * i, size) != 0) {
      snprintf(message, message_bytes, "element %zu is %d, expected %d", i,
               bytes[size * i], expected->bytes[size * i]);
      return false;
    }
  }
  return true;
}

// Tests of opset 13 to 18 hold bfloat16 as uint16.
void model_fix_types(const void *bytes, size_t byte_count, Tensor *outputs,
                     int count) {
  enum { UINT16 = 4 };
  Onnx__ModelProto *model = onnx__model_proto__unpack(NULL, byte_count, bytes);
  const Onnx__GraphProto *graph = model ? model->graph : NULL;
  for (int i = 0; graph && i < count && i < (int)graph->n_output; ++i) {
    const Onnx__TypeProto *type = graph->output[i]->type;
    if (type && type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE &&
        type->tensor_type->elem_type == BFLOAT16 && outputs[i].type == UINT16)
      outputs[i].type = BFLOAT16;
  }
  if (model)
    onnx__model_proto__free_unpacked(model, NULL);
}

int model_input_names(const void *bytes, size_t byte_count, char names[][128],
                      int max) {
  Onnx__ModelProto *model = onnx__model_proto__unpack(NULL, byte_count, bytes);
  int count = 0;
  if (!model)
    return 0;
  const Onnx__GraphProto *graph = model->graph;
  for (size_t i = 0; graph && i < graph->n_input && count < max; ++i) {
    bool listed = false;
    for (size_t k = 0; k < graph->n_initializer; ++k)
      listed = listed ||
               strcmp(graph->initializer[k]->name, graph->input[i]->name) == 0;
    if (!listed)
      snprintf(names[count++], 128, "%s", graph->input[i]->name);
  }
  onnx__model_proto__free_unpacked(model, NULL);
  return count;
}
