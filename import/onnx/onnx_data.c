// Values that are constants: their elements, and constants made of others.

#include "onnx.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Making values
//===----------------------------------------------------------------------===//

OnnxValue *onnx_new_value(OnnxImport *c, OnnxType type,
                          const LunaShape *shape) {
  OnnxValue *value = LUNA_ARENA_ARRAY(c->arena, OnnxValue, 1);
  value->type = type;
  value->shape = *shape;
  value->block = c->b->block;
  return value;
}

OnnxValue *onnx_new_const(OnnxImport *c, OnnxType type, const LunaShape *shape,
                          const void *data) {
  OnnxValue *value = onnx_new_value(c, type, shape);
  value->data = data;
  return value;
}

void *onnx_new_data(OnnxImport *c, int64_t count, int element_bytes) {
  c->made_bytes += count * element_bytes;
  return luna_arena_alloc(c->arena, (uint64_t)count, (uint64_t)element_bytes);
}

bool onnx_check_made(OnnxImport *c, int64_t count) {
  return count <= ONNX_MAX_MADE_ELEMS ||
         onnx_fail(c, "needs %lld constant factors, at most %d are supported",
                   (long long)count, (int)ONNX_MAX_MADE_ELEMS);
}

OnnxValue *onnx_no_elements(OnnxImport *c, OnnxType type,
                            const LunaShape *shape) {
  static const uint8_t none[1];
  bool is_empty = shape->rank == 1 && shape->dims[0] == 0;
  return is_empty ? onnx_new_const(c, type, shape, none) : NULL;
}

OnnxValue *onnx_new_ints(OnnxImport *c, const int64_t *values, int count) {
  int64_t *copy = LUNA_ARENA_ARRAY(c->arena, int64_t, count);
  for (int i = 0; i < count; ++i)
    copy[i] = values[i];
  int64_t dims[1] = {count};
  LunaShape shape = onnx_shape(1, dims);
  return onnx_new_const(c, ONNX_I64, &shape, copy);
}

OnnxValue *onnx_scalar(OnnxImport *c, OnnxType type, double value) {
  LunaShape shape = {.rank = 0};
  uint8_t *data = luna_arena_alloc(c->arena, 1, 8);
  onnx_set_float(type, data, 0, value);
  return onnx_new_const(c, type, &shape, data);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t onnx_int_at(const OnnxValue *value, int64_t index) {
  const uint8_t *at = value->data + index * onnx_type_bytes(value->type);
  if (onnx_is_float(value->type)) {
    double number = onnx_float_at(value, index);
    return number >= -9.0e18 && number <= 9.0e18 ? (int64_t)number
           : number < 0                          ? INT64_MIN
                                                 : INT64_MAX;
  }
  int bytes = onnx_type_bytes(value->type);
  uint64_t bits = 0;
  for (int i = 0; i < bytes; ++i)
    bits |= (uint64_t)at[i] << (8 * i);
  if (value->type == ONNX_BOOL)
    return bits != 0;
  if (bytes == 8 || onnx_is_unsigned(value->type))
    return (int64_t)bits;
  uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
  return (int64_t)(bits ^ sign) - (int64_t)sign;
}

double onnx_float_at(const OnnxValue *value, int64_t index) {
  const uint8_t *at = value->data + index * onnx_type_bytes(value->type);
  if (value->type == ONNX_F32) {
    float number;
    memcpy(&number, at, sizeof number);
    return (double)number;
  }
  if (value->type == ONNX_F64) {
    double number;
    memcpy(&number, at, sizeof number);
    return number;
  }
  int64_t number = onnx_int_at(value, index);
  return value->type == ONNX_U64 ? (double)(uint64_t)number : (double)number;
}

void onnx_set_int(OnnxType type, uint8_t *data, int64_t index, int64_t value) {
  int bytes = onnx_type_bytes(type);
  if (onnx_is_float(type)) {
    onnx_set_float(type, data, index, (double)value);
    return;
  }
  uint64_t bits = type == ONNX_BOOL ? value != 0 : (uint64_t)value;
  for (int i = 0; i < bytes; ++i)
    data[index * bytes + i] = (uint8_t)(bits >> (8 * i));
}

void onnx_set_float(OnnxType type, uint8_t *data, int64_t index, double value) {
  if (type == ONNX_F32) {
    float number = (float)value;
    memcpy(data + 4 * index, &number, sizeof number);
  } else if (type == ONNX_F64) {
    memcpy(data + 8 * index, &value, sizeof value);
  } else {
    int64_t number = value >= -9.0e18 && value <= 9.0e18 ? (int64_t)value : 0;
    onnx_set_int(type, data, index, number);
  }
}

//===----------------------------------------------------------------------===//
// Order of elements
//===----------------------------------------------------------------------===//

bool onnx_next_index(const LunaShape *shape, int64_t *index) {
  for (int i = shape->rank - 1; i >= 0; --i) {
    if (++index[i] < shape->dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}

OnnxValue *onnx_fold_transpose(OnnxImport *c, const OnnxValue *value,
                               const int *perm) {
  int rank = value->shape.rank, bytes = onnx_type_bytes(value->type);
  LunaShape out = value->shape;
  int64_t strides[ONNX_MAX_RANK], stride = 1, moved[ONNX_MAX_RANK];
  for (int i = rank - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= value->shape.dims[i];
  }
  for (int i = 0; i < rank; ++i) {
    out.dims[i] = value->shape.dims[perm[i]];
    moved[i] = strides[perm[i]];
  }
  int64_t count = onnx_elems(&out), index[ONNX_MAX_RANK] = {0};
  uint8_t *data = onnx_new_data(c, count, bytes);
  for (int64_t k = 0; k < count; ++k) {
    int64_t from = 0;
    for (int i = 0; i < rank; ++i)
      from += index[i] * moved[i];
    memcpy(data + k * bytes, value->data + from * bytes, (size_t)bytes);
    onnx_next_index(&out, index);
  }
  return onnx_new_const(c, value->type, &out, data);
}
