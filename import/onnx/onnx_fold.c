// Constants computed at import, so that shape arithmetic leaves no op behind.
//
// Operators that only move elements fold whatever their type; arithmetic folds
// in int64 or double and is rounded to the result's type.

#include "onnx.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

typedef double (*FloatFn)(double a, double b);
// False where there is no result (a division by zero).
typedef bool (*IntFn)(int64_t a, int64_t b, int64_t *out);

static double add_f(double a, double b) { return a + b; }
static double sub_f(double a, double b) { return a - b; }
static double mul_f(double a, double b) { return a * b; }
static double div_f(double a, double b) { return a / b; }
static double min_f(double a, double b) { return a < b ? a : b; }
static double max_f(double a, double b) { return a > b ? a : b; }
static double eq_f(double a, double b) { return a == b; }
static double lt_f(double a, double b) { return a < b; }
static double gt_f(double a, double b) { return a > b; }
static double le_f(double a, double b) { return a <= b; }
static double ge_f(double a, double b) { return a >= b; }
static double and_f(double a, double b) { return a != 0 && b != 0; }
static double or_f(double a, double b) { return a != 0 || b != 0; }
static double not_f(double a, double b) { return a == 0 && b == b; }
static double neg_f(double a, double b) { return b == b ? -a : a; }
static double abs_f(double a, double b) { return b == b ? fabs(a) : a; }
static double floor_f(double a, double b) { return b == b ? floor(a) : a; }
static double ceil_f(double a, double b) { return b == b ? ceil(a) : a; }
static double sqrt_f(double a, double b) { return b == b ? sqrt(a) : a; }

static bool add_i(int64_t a, int64_t b, int64_t *out) {
  *out = (int64_t)((uint64_t)a + (uint64_t)b);
  return true;
}
static bool sub_i(int64_t a, int64_t b, int64_t *out) {
  *out = (int64_t)((uint64_t)a - (uint64_t)b);
  return true;
}
static bool mul_i(int64_t a, int64_t b, int64_t *out) {
  *out = (int64_t)((uint64_t)a * (uint64_t)b);
  return true;
}
static bool div_i(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return false;
  *out = a / b;
  return true;
}
static bool mod_i(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || b == -1)
    return false;
  *out = a % b;
  if (*out != 0 && (*out < 0) != (b < 0))
    *out += b;
  return true;
}
static bool min_i(int64_t a, int64_t b, int64_t *out) {
  *out = a < b ? a : b;
  return true;
}
static bool max_i(int64_t a, int64_t b, int64_t *out) {
  *out = a > b ? a : b;
  return true;
}
static bool eq_i(int64_t a, int64_t b, int64_t *out) {
  *out = a == b;
  return true;
}
static bool lt_i(int64_t a, int64_t b, int64_t *out) {
  *out = a < b;
  return true;
}
static bool gt_i(int64_t a, int64_t b, int64_t *out) {
  *out = a > b;
  return true;
}
static bool le_i(int64_t a, int64_t b, int64_t *out) {
  *out = a <= b;
  return true;
}
static bool ge_i(int64_t a, int64_t b, int64_t *out) {
  *out = a >= b;
  return true;
}
static bool neg_i(int64_t a, int64_t b, int64_t *out) {
  (void)b;
  *out = (int64_t)(0 - (uint64_t)a);
  return true;
}
static bool abs_i(int64_t a, int64_t b, int64_t *out) {
  return a < 0 ? neg_i(a, b, out) : add_i(a, 0, out);
}

static const struct {
  const char *name;
  FloatFn floats;
  IntFn ints;
  bool gives_bool;
} functions[] = {
    {"Add", add_f, add_i, false},      {"Sub", sub_f, sub_i, false},
    {"Mul", mul_f, mul_i, false},      {"Div", div_f, div_i, false},
    {"Mod", NULL, mod_i, false},       {"Min", min_f, min_i, false},
    {"Max", max_f, max_i, false},      {"Equal", eq_f, eq_i, true},
    {"Less", lt_f, lt_i, true},        {"Greater", gt_f, gt_i, true},
    {"LessOrEqual", le_f, le_i, true}, {"GreaterOrEqual", ge_f, ge_i, true},
    {"And", and_f, NULL, true},        {"Or", or_f, NULL, true},
    {"Not", not_f, NULL, true},        {"Neg", neg_f, neg_i, false},
    {"Abs", abs_f, abs_i, false},      {"Floor", floor_f, NULL, false},
    {"Ceil", ceil_f, NULL, false},     {"Sqrt", sqrt_f, NULL, false},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static int find_function(const char *name) {
  for (int i = 0; i < FUNCTION_COUNT; ++i)
    if (strcmp(functions[i].name, name) == 0)
      return i;
  return -1;
}

// Applies function `f` to a and b (the same value for unary ones).
static OnnxValue *fold_pair(OnnxImport *c, int f, const OnnxValue *a,
                            const OnnxValue *b) {
  bool ints = onnx_is_int(a->type);
  LunaShape shape;
  if (a->type != b->type ||
      (ints ? !functions[f].ints : !functions[f].floats) ||
      !luna_broadcast(&a->shape, &b->shape, &shape) ||
      !onnx_check_shape(c, &shape) || onnx_elems(&shape) > ONNX_MAX_FOLD_ELEMS)
    return NULL;
  OnnxType type = functions[f].gives_bool ? ONNX_BOOL : a->type;
  int64_t count = onnx_elems(&shape), index[ONNX_MAX_RANK] = {0};
  uint8_t *data = onnx_new_data(c, count, onnx_type_bytes(type));
  for (int64_t k = 0; k < count; ++k, onnx_next_index(&shape, index)) {
    int64_t ia = onnx_broadcast_offset(&a->shape, shape.rank, index);
    int64_t ib = onnx_broadcast_offset(&b->shape, shape.rank, index), out = 0;
    if (!ints)
      onnx_set_float(
          type, data, k,
          functions[f].floats(onnx_float_at(a, ia), onnx_float_at(b, ib)));
    else if (functions[f].ints(onnx_int_at(a, ia), onnx_int_at(b, ib), &out))
      onnx_set_int(type, data, k, out);
    else
      return NULL;
  }
  return onnx_new_const(c, type, &shape, data);
}

static OnnxValue *fold_arithmetic(OnnxImport *c, const OnnxNode *n) {
  int f = find_function(n->proto->op_type);
  if (f < 0 || n->input_count == 0 || onnx_attr_int(n, "fmod", 0))
    return NULL;
  OnnxValue *value = n->inputs[0];
  if (n->input_count == 1)
    return fold_pair(c, f, value, value);
  for (int i = 1; value && i < n->input_count; ++i)
    value = fold_pair(c, f, value, n->inputs[i]);
  return value;
}

//===----------------------------------------------------------------------===//
// Cast, Where, Range
//===----------------------------------------------------------------------===//

static OnnxValue *fold_cast(OnnxImport *c, const OnnxNode *n) {
  const OnnxValue *value = n->inputs[0];
  OnnxType to = (OnnxType)onnx_attr_int(n, "to", 0);
  int64_t count = onnx_elems(&value->shape);
  if (strcmp(n->proto->op_type, "Cast") != 0 || onnx_type_bytes(to) == 0 ||
      count > ONNX_MAX_FOLD_ELEMS)
    return NULL;
  uint8_t *data = onnx_new_data(c, count, onnx_type_bytes(to));
  for (int64_t i = 0; i < count; ++i)
    if (onnx_is_float(value->type) && to == ONNX_BOOL)
      data[i] = onnx_float_at(value, i) != 0.0;
    else if (onnx_is_float(value->type) || onnx_is_float(to))
      onnx_set_float(to, data, i, onnx_float_at(value, i));
    else
      onnx_set_int(to, data, i, onnx_int_at(value, i));
  return onnx_new_const(c, to, &value->shape, data);
}

static OnnxValue *fold_where(OnnxImport *c, const OnnxNode *n) {
  if (strcmp(n->proto->op_type, "Where") != 0)
    return NULL;
  const OnnxValue *condition = n->inputs[0];
  LunaShape shape;
  int bytes = onnx_type_bytes(n->inputs[1]->type);
  if (n->inputs[1]->type != n->inputs[2]->type ||
      condition->type != ONNX_BOOL ||
      !luna_broadcast(&n->inputs[1]->shape, &n->inputs[2]->shape, &shape) ||
      !luna_broadcast(&condition->shape, &shape, &shape) ||
      !onnx_check_shape(c, &shape) || onnx_elems(&shape) > ONNX_MAX_FOLD_ELEMS)
    return NULL;
  int64_t count = onnx_elems(&shape), index[ONNX_MAX_RANK] = {0};
  uint8_t *data = onnx_new_data(c, count, bytes);
  for (int64_t k = 0; k < count; ++k, onnx_next_index(&shape, index)) {
    int64_t at = onnx_broadcast_offset(&condition->shape, shape.rank, index);
    const OnnxValue *from = n->inputs[condition->data[at] ? 1 : 2];
    at = onnx_broadcast_offset(&from->shape, shape.rank, index);
    memcpy(data + k * bytes, from->data + at * bytes, (size_t)bytes);
  }
  return onnx_new_const(c, n->inputs[1]->type, &shape, data);
}

static OnnxValue *fold_reduce(OnnxImport *c, const OnnxNode *n) {
  const OnnxValue *value = n->inputs[0];
  bool product = strcmp(n->proto->op_type, "ReduceProd") == 0;
  if ((!product && strcmp(n->proto->op_type, "ReduceSum") != 0) ||
      value->shape.rank != 1 || !onnx_is_int(value->type) ||
      value->shape.dims[0] > 64)
    return NULL;
  int64_t result = product ? 1 : 0;
  for (int64_t i = 0; i < value->shape.dims[0]; ++i)
    product ? mul_i(result, onnx_int_at(value, i), &result)
            : add_i(result, onnx_int_at(value, i), &result);
  LunaShape shape =
      onnx_shape((int)(onnx_attr_int(n, "keepdims", 1) != 0), (int64_t[]){1});
  uint8_t *data = luna_arena_alloc(c->arena, 1, 8);
  onnx_set_int(value->type, data, 0, result);
  return onnx_new_const(c, value->type, &shape, data);
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

static OnnxValue *fold_concat(OnnxImport *c, const OnnxNode *n) {
  if (strcmp(n->proto->op_type, "Concat") != 0)
    return NULL;
  OnnxType type = n->inputs[0]->type;
  int bytes = onnx_type_bytes(type);
  int64_t total = 0, at = 0;
  for (int i = 0; i < n->input_count; ++i) {
    if (n->inputs[i]->shape.rank != 1 || n->inputs[i]->type != type)
      return NULL;
    total += n->inputs[i]->shape.dims[0];
  }
  if (total > ONNX_MAX_FOLD_ELEMS)
    return NULL;
  uint8_t *data = onnx_new_data(c, total, bytes);
  for (int i = 0; i < n->input_count; ++i) {
    int64_t size = n->inputs[i]->shape.dims[0] * bytes;
    if (size > 0)
      memcpy(data + at, n->inputs[i]->data, (size_t)size);
    at += size;
  }
  LunaShape shape = onnx_shape(1, &total);
  return onnx_new_const(c, type, &shape, data);
}

// Gather along axis 0.
static OnnxValue *fold_gather(OnnxImport *c, const OnnxNode *n) {
  if (strcmp(n->proto->op_type, "Gather") != 0)
    return NULL;
  const OnnxValue *from = n->inputs[0], *indices = n->inputs[1];
  if (from->shape.rank == 0 || onnx_attr_int(n, "axis", 0) != 0 ||
      !onnx_is_int(indices->type) || from->shape.dims[0] == 0 ||
      from->shape.rank - 1 + indices->shape.rank > ONNX_MAX_RANK)
    return NULL;
  LunaShape shape = indices->shape;
  for (int i = 1; i < from->shape.rank; ++i)
    shape.dims[shape.rank++] = from->shape.dims[i];
  int64_t row = onnx_elems(&from->shape) / from->shape.dims[0];
  row *= onnx_type_bytes(from->type);
  int64_t count = onnx_elems(&indices->shape);
  if (!onnx_check_shape(c, &shape) || onnx_elems(&shape) > ONNX_MAX_FOLD_ELEMS)
    return NULL;
  uint8_t *data = onnx_new_data(c, count, row);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = onnx_int_at(indices, i);
    at = at < 0 ? at + from->shape.dims[0] : at;
    if (at < 0 || at >= from->shape.dims[0]) {
      onnx_fail(c, "index %lld is outside of %lld elements", (long long)at,
                (long long)from->shape.dims[0]);
      return NULL;
    }
    memcpy(data + i * row, from->data + at * row, (size_t)row);
  }
  return onnx_new_const(c, from->type, &shape, data);
}

// Slice of a list.
static OnnxValue *fold_slice(OnnxImport *c, const OnnxNode *n) {
  const OnnxValue *from = n->inputs[0];
  int64_t start = 0, end = 0, step = 1, axis = 0;
  if (strcmp(n->proto->op_type, "Slice") != 0 || from->shape.rank != 1 ||
      onnx_ints(c, n, 1, "starts", &start, 1) != 1 ||
      onnx_ints(c, n, 2, "ends", &end, 1) != 1 ||
      onnx_ints(c, n, 3, "axes", &axis, 1) == -2 ||
      onnx_ints(c, n, 4, "steps", &step, 1) == -2)
    return NULL;
  int64_t size = from->shape.dims[0], bytes = onnx_type_bytes(from->type);
  start = start < 0 ? start + size : start;
  end = end < 0 ? end + size : end;
  start = start < 0 ? 0 : start > size ? size : start;
  end = end < start ? start : end > size ? size : end;
  if (step <= 0)
    return NULL;
  int64_t count = (end - start) / step + ((end - start) % step != 0);
  uint8_t *data = onnx_new_data(c, count, bytes);
  for (int64_t i = 0; i < count; ++i)
    memcpy(data + i * bytes, from->data + (start + i * step) * bytes,
           (size_t)bytes);
  LunaShape shape = onnx_shape(1, &count);
  return onnx_new_const(c, from->type, &shape, data);
}

static OnnxValue *fold_transpose(OnnxImport *c, const OnnxNode *n) {
  OnnxValue *value = n->inputs[0];
  int64_t list[ONNX_MAX_RANK];
  int perm[ONNX_MAX_RANK], rank = value->shape.rank;
  unsigned seen = 0;
  if (strcmp(n->proto->op_type, "Transpose") != 0 || rank == 0 ||
      onnx_elems(&value->shape) > (1 << 24))
    return NULL;
  int count = onnx_attr_ints(c, n, "perm", list, ONNX_MAX_RANK);
  if (count != -1 && count != rank)
    return NULL;
  for (int i = 0; i < rank; ++i) {
    int64_t at = count == -1 ? rank - 1 - i : list[i];
    if (at < 0 || at >= rank || (seen >> at & 1))
      return NULL;
    seen |= 1u << at;
    perm[i] = (int)at;
  }
  return onnx_fold_transpose(c, value, perm);
}

bool onnx_fold(OnnxImport *c, OnnxNode *n, bool *done) {
  typedef OnnxValue *(*Fold)(OnnxImport *c, const OnnxNode *n);
  static const Fold folds[] = {fold_arithmetic, fold_cast,     fold_where,
                               fold_reduce,     fold_concat,   fold_gather,
                               fold_slice,      fold_transpose};
  *done = false;
  if (n->output_count != 1 || n->input_count == 0 ||
      (n->proto->domain && n->proto->domain[0]))
    return true;
  for (int i = 0; i < n->input_count; ++i)
    if (!n->inputs[i] || !n->inputs[i]->data ||
        onnx_elems(&n->inputs[i]->shape) == 0)
      return true;
  for (size_t i = 0; i < sizeof folds / sizeof *folds; ++i) {
    n->outputs[0] = folds[i](c, n);
    if (c->error->code != LUNA_ERROR_NONE)
      return false;
    if (n->outputs[0]) {
      *done = true;
      return true;
    }
  }
  return true;
}
