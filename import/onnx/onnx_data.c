// Values that are constants: their elements, and constants made of others.

#include "half.h"
#include "onnx.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Making values
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_onnx_new_value(LunaOnnxImport *c, LunaOnnxType type,
                                   const LunaShape *shape) {
  LunaOnnxValue *value = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue, 1);
  value->type = type;
  value->shape = *shape;
  value->block = c->b->block;
  return value;
}

LunaOnnxValue *luna_onnx_new_const(LunaOnnxImport *c, LunaOnnxType type,
                                   const LunaShape *shape, const void *data) {
  LunaOnnxValue *value = luna_onnx_new_value(c, type, shape);
  value->data = data;
  return value;
}

LunaOnnxValue *luna_onnx_stored_const(LunaOnnxImport *c, LunaOnnxType stored,
                                      const LunaShape *shape,
                                      const void *data) {
  if (!luna_onnx_is_half(stored))
    return luna_onnx_new_const(c, stored, shape, data);
  int64_t count = luna_onnx_elems(shape);
  float *numbers = LUNA_ARENA_ARRAY(c->arena, float, count + 1);
  luna_half_widen(data, count, stored == LUNA_ONNX_BF16, numbers);
  LunaOnnxValue *value = luna_onnx_new_const(c, LUNA_ONNX_F32, shape, numbers);
  value->stored = stored;
  return value;
}

void *luna_onnx_new_data(LunaOnnxImport *c, int64_t count, int element_bytes) {
  c->made_bytes += count * element_bytes;
  return luna_arena_alloc(c->arena, (uint64_t)count, (uint64_t)element_bytes);
}

bool luna_onnx_check_made(LunaOnnxImport *c, int64_t count) {
  return count <= LUNA_ONNX_MAX_MADE_ELEMS ||
         luna_onnx_fail(c,
                        "needs %lld constant factors, at most %d are supported",
                        (long long)count, (int)LUNA_ONNX_MAX_MADE_ELEMS);
}

LunaOnnxValue *luna_onnx_no_elements(LunaOnnxImport *c, LunaOnnxType type,
                                     const LunaShape *shape) {
  static const uint8_t none[1];
  bool is_empty = false;
  for (int i = 0; i < shape->rank; ++i) {
    if (shape->dims[i] < 0)
      return NULL;
    is_empty |= shape->dims[i] == 0;
  }
  return is_empty ? luna_onnx_new_const(c, type, shape, none) : NULL;
}

LunaOnnxValue *luna_onnx_new_ints(LunaOnnxImport *c, const int64_t *values,
                                  int count) {
  int64_t *copy = LUNA_ARENA_ARRAY(c->arena, int64_t, count);
  for (int i = 0; i < count; ++i)
    copy[i] = values[i];
  int64_t dims[1] = {count};
  LunaShape shape = luna_onnx_shape(1, dims);
  return luna_onnx_new_const(c, LUNA_ONNX_I64, &shape, copy);
}

LunaOnnxValue *luna_onnx_scalar(LunaOnnxImport *c, LunaOnnxType type,
                                double value) {
  LunaShape shape = {.rank = 0};
  uint8_t *data = luna_arena_alloc(c->arena, 1, 8);
  luna_onnx_set_float(type, data, 0, value);
  return luna_onnx_new_const(c, type, &shape, data);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t luna_onnx_int_at(const LunaOnnxValue *value, int64_t index) {
  const uint8_t *at = value->data + index * luna_onnx_type_bytes(value->type);
  if (luna_onnx_is_float(value->type)) {
    double number = luna_onnx_float_at(value, index);
    return number >= -9.0e18 && number <= 9.0e18 ? (int64_t)number
           : number < 0                          ? INT64_MIN
                                                 : INT64_MAX;
  }
  int bytes = luna_onnx_type_bytes(value->type);
  uint64_t bits = 0;
  for (int i = 0; i < bytes; ++i)
    bits |= (uint64_t)at[i] << (8 * i);
  if (value->type == LUNA_ONNX_BOOL)
    return bits != 0;
  if (bytes == 8 || luna_onnx_is_unsigned(value->type))
    return (int64_t)bits;
  uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
  return (int64_t)(bits ^ sign) - (int64_t)sign;
}

double luna_onnx_float_at(const LunaOnnxValue *value, int64_t index) {
  const uint8_t *at = value->data + index * luna_onnx_type_bytes(value->type);
  if (value->type == LUNA_ONNX_F32) {
    float number;
    memcpy(&number, at, sizeof number);
    return (double)number;
  }
  if (value->type == LUNA_ONNX_F64) {
    double number;
    memcpy(&number, at, sizeof number);
    return number;
  }
  int64_t number = luna_onnx_int_at(value, index);
  return value->type == LUNA_ONNX_U64 ? (double)(uint64_t)number
                                      : (double)number;
}

void luna_onnx_set_int(LunaOnnxType type, uint8_t *data, int64_t index,
                       int64_t value) {
  int bytes = luna_onnx_type_bytes(type);
  if (luna_onnx_is_float(type)) {
    luna_onnx_set_float(type, data, index, (double)value);
    return;
  }
  uint64_t bits = type == LUNA_ONNX_BOOL ? value != 0 : (uint64_t)value;
  for (int i = 0; i < bytes; ++i)
    data[index * bytes + i] = (uint8_t)(bits >> (8 * i));
}

void luna_onnx_set_float(LunaOnnxType type, uint8_t *data, int64_t index,
                         double value) {
  if (type == LUNA_ONNX_F32) {
    float number = (float)value;
    memcpy(data + 4 * index, &number, sizeof number);
  } else if (type == LUNA_ONNX_F64) {
    memcpy(data + 8 * index, &value, sizeof value);
  } else {
    int64_t number = value >= -9.0e18 && value <= 9.0e18 ? (int64_t)value : 0;
    luna_onnx_set_int(type, data, index, number);
  }
}

//===----------------------------------------------------------------------===//
// Order of elements
//===----------------------------------------------------------------------===//

bool luna_onnx_next_index(const LunaShape *shape, int64_t *index) {
  for (int i = shape->rank - 1; i >= 0; --i) {
    if (++index[i] < shape->dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}
