// Types, shapes, and values in their layouts.

#include "onnx_qdq.h"

#include <string.h>

#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static const struct {
  const char *name;
  int bytes;
  bool is_float, is_int, is_unsigned;
} types[] = {
    [ONNX_UNDEFINED] = {"undefined", 0, false, false, false},
    [ONNX_F32] = {"float", 4, true, false, false},
    [ONNX_U8] = {"uint8", 1, false, true, true},
    [ONNX_I8] = {"int8", 1, false, true, false},
    [ONNX_U16] = {"uint16", 2, false, true, true},
    [ONNX_I16] = {"int16", 2, false, true, false},
    [ONNX_I32] = {"int32", 4, false, true, false},
    [ONNX_I64] = {"int64", 8, false, true, false},
    [ONNX_STRING] = {"string", 0, false, false, false},
    [ONNX_BOOL] = {"bool", 1, false, false, true},
    [ONNX_F16] = {"float16", 0, false, false, false},
    [ONNX_F64] = {"double", 8, true, false, false},
    [ONNX_U32] = {"uint32", 4, false, true, true},
    [ONNX_U64] = {"uint64", 8, false, true, true},
};

static bool is_known(OnnxType type) {
  return (unsigned)type < sizeof types / sizeof *types;
}

const char *onnx_type_name(OnnxType type) {
  return is_known(type) ? types[type].name : "unknown";
}
int onnx_type_bytes(OnnxType type) {
  return is_known(type) ? types[type].bytes : 0;
}
bool onnx_is_float(OnnxType type) {
  return is_known(type) && types[type].is_float;
}
bool onnx_is_unsigned(OnnxType type) {
  return is_known(type) && types[type].is_unsigned;
}
bool onnx_is_int(OnnxType type) { return is_known(type) && types[type].is_int; }

MlirType onnx_element_type(OnnxImport *c, OnnxType type) {
  if (type == ONNX_F32)
    return mlirF32TypeGet(c->context);
  if (type == ONNX_F64)
    return mlirF64TypeGet(c->context);
  if (type == ONNX_BOOL)
    return mlirIntegerTypeGet(c->context, 1);
  return mlirIntegerTypeGet(c->context, 8 * (unsigned)onnx_type_bytes(type));
}

MlirType onnx_tensor_type(OnnxImport *c, OnnxType type,
                          const OnnxShape *shape) {
  return mlirRankedTensorTypeGet(shape->rank, shape->dims,
                                 onnx_element_type(c, type),
                                 mlirAttributeGetNull());
}

void onnx_int_range(OnnxType type, int64_t *low, int64_t *high) {
  int bits = 8 * onnx_type_bytes(type);
  *low = onnx_is_unsigned(type) ? 0 : -(INT64_C(1) << (bits - 1));
  *high = (INT64_C(1) << (onnx_is_unsigned(type) ? bits : bits - 1)) - 1;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

OnnxShape onnx_shape(int rank, const int64_t *dims) {
  OnnxShape shape = {.rank = rank};
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = dims ? dims[i] : -1;
  return shape;
}

int64_t onnx_elems(const OnnxShape *shape) {
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i)
    count *= shape->dims[i];
  return count;
}

bool onnx_check_shape(OnnxImport *c, const OnnxShape *shape) {
  if (shape->rank > ONNX_MAX_RANK)
    return onnx_fail(c, "result has %d dimensions, at most %d are supported",
                     shape->rank, ONNX_MAX_RANK);
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i) {
    if (shape->dims[i] <= 0)
      return onnx_fail(c,
                       "result has a dimension of %lld; tensors without "
                       "elements are not supported",
                       (long long)shape->dims[i]);
    if (!luna_checked_mul(count, shape->dims[i], &count) ||
        count > ONNX_MAX_ELEMS)
      return onnx_fail(c, "result has more than %d elements", ONNX_MAX_ELEMS);
  }
  return true;
}

bool onnx_same_shape(const OnnxShape *a, const OnnxShape *b) {
  if (a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; ++i)
    if (a->dims[i] != b->dims[i])
      return false;
  return true;
}

OnnxShape onnx_shape_last(const OnnxShape *shape) {
  OnnxShape out = *shape;
  for (int i = 1; i + 1 < shape->rank; ++i)
    out.dims[i] = shape->dims[i + 1];
  out.dims[shape->rank - 1] = shape->dims[1];
  return out;
}

bool onnx_broadcast(const OnnxShape *a, const OnnxShape *b, OnnxShape *out) {
  OnnxShape result = {.rank = a->rank > b->rank ? a->rank : b->rank};
  for (int i = 0; i < result.rank; ++i) {
    int ia = i - (result.rank - a->rank), ib = i - (result.rank - b->rank);
    int64_t da = ia >= 0 ? a->dims[ia] : 1, db = ib >= 0 ? b->dims[ib] : 1;
    if (da != db && da != 1 && db != 1)
      return false;
    result.dims[i] = da == 1 ? db : da;
  }
  *out = result;
  return true;
}

bool onnx_axis(OnnxImport *c, int64_t axis, int rank, int *out) {
  if (axis < -rank || axis >= rank)
    return onnx_fail(c, "axis %lld is outside of %d dimensions",
                     (long long)axis, rank);
  *out = (int)(axis < 0 ? axis + rank : axis);
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

OnnxValue *onnx_new_value(OnnxImport *c, OnnxType type,
                          const OnnxShape *shape) {
  OnnxValue *value = LUNA_ARENA_ARRAY(c->arena, OnnxValue, 1);
  value->type = type;
  value->shape = *shape;
  value->block = c->block;
  return value;
}

OnnxValue *onnx_new_const(OnnxImport *c, OnnxType type, const OnnxShape *shape,
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

OnnxValue *onnx_new_ints(OnnxImport *c, const int64_t *values, int count) {
  int64_t *copy = LUNA_ARENA_ARRAY(c->arena, int64_t, count);
  for (int i = 0; i < count; ++i)
    copy[i] = values[i];
  int64_t dims[1] = {count};
  OnnxShape shape = onnx_shape(1, dims);
  return onnx_new_const(c, ONNX_I64, &shape, copy);
}

OnnxValue *onnx_scalar(OnnxImport *c, OnnxType type, double value) {
  OnnxShape shape = {.rank = 0};
  uint8_t *data = luna_arena_alloc(c->arena, 1, 8);
  onnx_set_float(type, data, 0, value);
  return onnx_new_const(c, type, &shape, data);
}

OnnxValue *onnx_permute(OnnxImport *c, OnnxValue *value, const int *perm) {
  if (value->data)
    return onnx_fold_transpose(c, value, perm);
  OnnxShape shape;
  MlirValue ir = onnx_transpose(c, onnx_ir(c, value), value->type,
                                &value->shape, perm, &shape);
  return onnx_from_ir(c, value->type, &shape, ir);
}

MlirValue onnx_permuted_ir(OnnxImport *c, OnnxValue *value, const int *perm) {
  // MLIR keeps a copy; weights are most of a model, so ours goes at once.
  LunaArena *arena = c->arena, scratch = {0};
  if (value->data)
    c->arena = &scratch;
  MlirValue ir = onnx_ir(c, onnx_permute(c, value, perm));
  c->arena = arena;
  luna_arena_destroy(&scratch);
  return ir;
}

OnnxValue *onnx_from_ir(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                        MlirValue ir) {
  OnnxValue *value = onnx_new_value(c, type, shape);
  value->ir = ir;
  return value;
}

OnnxValue *onnx_from_last(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                          MlirValue last) {
  OnnxValue *value = onnx_new_value(c, type, shape);
  value->last = last;
  return value;
}

bool onnx_prefers_last(const OnnxValue *value) {
  if (onnx_qdq_is_unmade(value))
    return onnx_prefers_last(value->quant ? value->quant->ints : value->biased);
  return mlirValueIsNull(value->ir) && !mlirValueIsNull(value->last);
}

// (0, 2, 3, …, 1), or its inverse (0, n-1, 1, 2, …).
static void last_permutation(int rank, bool inverse, int *perm) {
  perm[0] = 0;
  for (int i = 1; i < rank; ++i)
    perm[i] =
        inverse ? (i == 1 ? rank - 1 : i - 1) : (i + 1 == rank ? 1 : i + 1);
}

MlirValue onnx_ir(OnnxImport *c, OnnxValue *value) {
  if (value->data)
    return onnx_const(c, value->type, &value->shape, value->data);
  value = onnx_qdq_made(c, value);
  if (!mlirValueIsNull(value->ir))
    return value->ir;
  int perm[ONNX_MAX_RANK];
  last_permutation(value->shape.rank, true, perm);
  OnnxShape last = onnx_shape_last(&value->shape), shape;
  MlirValue ir =
      onnx_transpose(c, value->last, value->type, &last, perm, &shape);
  if (mlirBlockEqual(c->block, value->block))
    value->ir = ir;
  return ir;
}

MlirValue onnx_ir_last(OnnxImport *c, OnnxValue *value) {
  value = onnx_qdq_made(c, value);
  if (!mlirValueIsNull(value->last))
    return value->last;
  int perm[ONNX_MAX_RANK];
  last_permutation(value->shape.rank, false, perm);
  if (value->data)
    return onnx_permuted_ir(c, value, perm);
  OnnxShape shape;
  MlirValue last =
      onnx_transpose(c, value->ir, value->type, &value->shape, perm, &shape);
  if (mlirBlockEqual(c->block, value->block))
    value->last = last;
  return last;
}

//===----------------------------------------------------------------------===//
// Elements of constants
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
// Inputs of nodes
//===----------------------------------------------------------------------===//

OnnxValue *onnx_input(const OnnxNode *n, int index) {
  return index < n->input_count ? n->inputs[index] : NULL;
}

int onnx_input_ints(OnnxImport *c, const OnnxNode *n, int index, int64_t *list,
                    int max) {
  OnnxValue *value = onnx_input(n, index);
  if (!value)
    return -1;
  int64_t count = onnx_elems(&value->shape);
  if (!value->data || value->shape.rank > 1 || count > max ||
      !onnx_is_int(value->type)) {
    onnx_fail(c, "input '%s' must be a constant list of at most %d integers",
              n->proto->input[index], max);
    return -2;
  }
  for (int64_t i = 0; i < count; ++i)
    list[i] = onnx_int_at(value, i);
  return (int)count;
}

int onnx_ints(OnnxImport *c, const OnnxNode *n, int input, const char *name,
              int64_t *list, int max) {
  int count = onnx_input_ints(c, n, input, list, max);
  return count == -1 ? onnx_attr_ints(c, n, name, list, max) : count;
}

bool onnx_input_float(OnnxImport *c, const OnnxNode *n, int index,
                      double absent, double *number) {
  OnnxValue *value = onnx_input(n, index);
  *number = absent;
  if (!value)
    return true;
  if (!value->data || onnx_elems(&value->shape) != 1)
    return onnx_fail(c, "input '%s' must be one constant number",
                     n->proto->input[index]);
  *number = onnx_float_at(value, 0);
  return true;
}
