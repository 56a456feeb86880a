// Reductions, arg-max and cumulative sums.

#include "onnx.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reducing
//===----------------------------------------------------------------------===//

static double neutral(OnnxType type, OnnxReduction kind) {
  int64_t low = 0, high = 0;
  if (kind == ONNX_SUM || kind == ONNX_PROD)
    return kind == ONNX_PROD;
  if (onnx_is_float(type))
    return kind == ONNX_MAX ? -INFINITY : INFINITY;
  if (onnx_type_bytes(type) == 8 && onnx_is_unsigned(type))
    return kind == ONNX_MAX ? 0 : -1; // All bits set: the largest.
  if (onnx_type_bytes(type) == 8)
    return kind == ONNX_MAX ? -0x1p63 : 0x1p63;
  onnx_int_range(type, &low, &high);
  return kind == ONNX_MAX ? (double)low : (double)high;
}

static MlirValue combine(OnnxImport *c, OnnxType type, OnnxReduction kind,
                         MlirValue a, MlirValue b) {
  switch (kind) {
  case ONNX_SUM:
    return luna_scalar_add(c->b, a, b);
  case ONNX_PROD:
    return luna_scalar_mul(c->b, a, b);
  case ONNX_MAX:
    return onnx_max(c, type, a, b);
  case ONNX_MIN:
    return onnx_min(c, type, a, b);
  }
  return a;
}

// Channels last where the value is so: axes move along.
static int place(int axis, int rank, bool last) {
  return !last || axis == 0 ? axis : axis == 1 ? rank - 1 : axis - 1;
}

static MlirValue reduce_tosa(OnnxImport *c, MlirValue ir, const bool *axes,
                             int rank, bool last, OnnxReduction kind) {
  static const char *const names[] = {"tosa.reduce_sum", "tosa.reduce_product",
                                      "tosa.reduce_max", "tosa.reduce_min"};
  for (int i = 0; i < rank; ++i) {
    if (!axes[i])
      continue;
    int axis = place(i, rank, last);
    ir = luna_build_reduce(c->b, names[kind], ir, axis);
  }
  return ir;
}

static MlirValue reduce_generic(OnnxImport *c, OnnxType type, MlirValue ir,
                                const LunaShape *from, const LunaShape *to,
                                const bool *axes, bool last,
                                OnnxReduction kind) {
  int loops[ONNX_MAX_RANK];
  for (int i = 0; i < from->rank; ++i) {
    int axis = place(i, from->rank, last);
    loops[axis] = axes[i] ? -1 : axis;
  }
  MlirValue start = onnx_splat(c, type, to, neutral(type, kind));
  LunaGeneric generic = luna_generic(c->b, from);
  MlirValue element = luna_generic_input(&generic, ir);
  MlirValue old = luna_generic_update_at(&generic, start, loops);
  return luna_generic_end(&generic, combine(c, type, kind, old, element));
}

OnnxValue *onnx_reduce(OnnxImport *c, OnnxValue *value, const bool *axes,
                       OnnxReduction kind) {
  LunaShape shape = value->shape;
  int rank = shape.rank;
  bool last = onnx_prefers_last(value), any = false;
  for (int i = 0; i < rank; ++i)
    if (axes[i]) {
      shape.dims[i] = 1;
      any = true;
    }
  if (!any)
    return value;
  MlirValue ir = last ? onnx_ir_last(c, value) : onnx_ir(c, value);
  LunaShape from = last ? onnx_shape_last(&value->shape) : value->shape;
  LunaShape to = last ? onnx_shape_last(&shape) : shape;
  MlirValue made =
      value->type == ONNX_F32 && rank <= 4
          ? reduce_tosa(c, ir, axes, rank, last, kind)
          : reduce_generic(c, value->type, ir, &from, &to, axes, last, kind);
  return last ? onnx_from_last(c, value->type, &shape, made)
              : onnx_from_ir(c, value->type, &shape, made);
}

// Reads the axes of a reduction: an input from opset 13 or 18 on, before that
// an attribute; none means all.
static bool read_axes(OnnxImport *c, const OnnxNode *n, bool *axes) {
  int64_t list[ONNX_MAX_RANK];
  int rank = n->inputs[0]->shape.rank;
  int count = onnx_ints(c, n, 1, "axes", list, ONNX_MAX_RANK);
  if (count == -2)
    return false;
  bool all = count <= 0 && !onnx_attr_int(n, "noop_with_empty_axes", 0);
  for (int i = 0; i < rank; ++i)
    axes[i] = all;
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!onnx_axis(c, list[i], rank, &axis))
      return false;
    axes[axis] = true;
  }
  return true;
}

static OnnxValue *drop_axes(OnnxImport *c, OnnxValue *value, const bool *axes) {
  LunaShape shape = {.rank = 0};
  for (int i = 0; i < value->shape.rank; ++i)
    if (!axes[i])
      shape.dims[shape.rank++] = value->shape.dims[i];
  return onnx_reshape_value(c, value, &shape);
}

OnnxValue *onnx_square(OnnxImport *c, const OnnxNode *n, OnnxValue *value) {
  return onnx_apply(c, n, "Mul", value, value);
}

static OnnxValue *log_sum_exp(OnnxImport *c, const OnnxNode *n,
                              OnnxValue *value, const bool *axes) {
  OnnxValue *top = onnx_reduce(c, value, axes, ONNX_MAX);
  OnnxValue *low =
      onnx_apply(c, n, "Exp", onnx_apply(c, n, "Sub", value, top), NULL);
  if (!low)
    return NULL;
  OnnxValue *sum = onnx_reduce(c, low, axes, ONNX_SUM);
  return onnx_apply(c, n, "Add", onnx_apply(c, n, "Log", sum, NULL), top);
}

OnnxValue *onnx_mean(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                     const bool *axes) {
  if (!value)
    return NULL;
  OnnxValue *sum = onnx_reduce(c, value, axes, ONNX_SUM);
  int64_t count = onnx_elems(&value->shape) / onnx_elems(&sum->shape);
  if (!onnx_is_float(value->type))
    return onnx_apply(c, n, "Div", sum,
                      onnx_scalar(c, value->type, (double)count));
  return onnx_apply(c, n, "Mul", sum,
                    onnx_scalar(c, value->type, 1.0 / (double)count));
}

static OnnxValue *reduce_by_name(OnnxImport *c, const OnnxNode *n,
                                 OnnxValue *value, const bool *axes) {
  const char *name = n->proto->op_type + strlen("Reduce");
  if (strcmp(name, "Sum") == 0)
    return onnx_reduce(c, value, axes, ONNX_SUM);
  if (strcmp(name, "Max") == 0)
    return onnx_reduce(c, value, axes, ONNX_MAX);
  if (strcmp(name, "Min") == 0)
    return onnx_reduce(c, value, axes, ONNX_MIN);
  if (strcmp(name, "Prod") == 0)
    return onnx_reduce(c, value, axes, ONNX_PROD);
  if (strcmp(name, "Mean") == 0)
    return onnx_mean(c, n, value, axes);
  if (strcmp(name, "LogSumExp") == 0)
    return log_sum_exp(c, n, value, axes);
  if (strcmp(name, "LogSum") == 0)
    return onnx_apply(c, n, "Log", onnx_reduce(c, value, axes, ONNX_SUM), NULL);
  if (strcmp(name, "L1") == 0)
    return onnx_reduce(c, onnx_apply(c, n, "Abs", value, NULL), axes, ONNX_SUM);
  value = onnx_square(c, n, value);
  OnnxValue *sum = value ? onnx_reduce(c, value, axes, ONNX_SUM) : NULL;
  return strcmp(name, "L2") == 0 ? onnx_apply(c, n, "Sqrt", sum, NULL) : sum;
}

ONNX_HANDLER(reduce) {
  bool axes[ONNX_MAX_RANK];
  OnnxValue *value = n->inputs[0];
  bool is_float = onnx_is_float(value->type);
  const char *name = n->proto->op_type + strlen("Reduce");
  if (value->type == ONNX_BOOL ||
      (!is_float && (name[0] == 'L' || strcmp(name, "Mean") == 0)))
    return onnx_fail(c, "type %s is not supported",
                     onnx_type_name(value->type));
  if (!onnx_check_shape(c, &value->shape) || !read_axes(c, n, axes))
    return false;
  OnnxValue *made = reduce_by_name(c, n, value, axes);
  if (made && !onnx_attr_int(n, "keepdims", 1))
    made = drop_axes(c, made, axes);
  n->outputs[0] = made;
  return made != NULL;
}

//===----------------------------------------------------------------------===//
// Arg-max and arg-min
//===----------------------------------------------------------------------===//

// The index of the best element along `axis`, kept as size 1.
static OnnxValue *arg_best(OnnxImport *c, OnnxValue *value, int axis, bool min,
                           bool last_one) {
  LunaShape shape = value->shape;
  int loops[ONNX_MAX_RANK];
  shape.dims[axis] = 1;
  for (int i = 0; i < shape.rank; ++i)
    loops[i] = i == axis ? -1 : i;
  MlirValue source = onnx_ir(c, value);
  MlirValue starts[2] = {
      onnx_splat(c, value->type, &shape,
                 neutral(value->type, min ? ONNX_MIN : ONNX_MAX)),
      onnx_splat(c, ONNX_I64, &shape, 0)};
  LunaGeneric generic = luna_generic(c->b, &value->shape);
  MlirValue element = luna_generic_input(&generic, source);
  MlirValue best = luna_generic_update_at(&generic, starts[0], loops);
  MlirValue best_index = luna_generic_update_at(&generic, starts[1], loops);
  MlirValue index = luna_generic_index(&generic, axis);
  MlirValue better = onnx_compare(c, value->type,
                                  min ? (last_one ? LUNA_LE : LUNA_LT)
                                      : (last_one ? LUNA_GE : LUNA_GT),
                                  element, best);
  MlirValue yields[2] = {luna_scalar_select(c->b, better, element, best),
                         luna_scalar_select(c->b, better,
                                            onnx_index_to(c, index, ONNX_I64),
                                            best_index)};
  MlirOperation op = luna_generic_close(&generic, yields);

  return onnx_from_ir(c, ONNX_I64, &shape, mlirOperationGetResult(op, 1));
}

ONNX_HANDLER(arg) {
  OnnxValue *value = n->inputs[0];
  int axis;
  if (value->type == ONNX_BOOL ||
      !onnx_axis(c, onnx_attr_int(n, "axis", 0), value->shape.rank, &axis))
    return onnx_fail(c, "type %s is not supported",
                     onnx_type_name(value->type));
  OnnxValue *made =
      arg_best(c, value, axis, strcmp(n->proto->op_type, "ArgMin") == 0,
               onnx_attr_int(n, "select_last_index", 0) != 0);
  bool axes[ONNX_MAX_RANK] = {false};
  axes[axis] = true;
  if (!onnx_attr_int(n, "keepdims", 1))
    made = drop_axes(c, made, axes);
  n->outputs[0] = made;
  return made != NULL;
}

static MlirValue hardmax_element(OnnxImport *c, const OnnxNode *n,
                                 OnnxType type, const MlirValue *args,
                                 int count) {
  (void)n, (void)type, (void)count;
  MlirValue same = luna_scalar_compare(c->b, LUNA_EQ, args[0], args[1]);
  return luna_scalar_select(c->b, same, luna_scalar_f32(c->b, 1.0),
                            luna_scalar_f32(c->b, 0.0));
}

ONNX_HANDLER(hardmax) {
  OnnxValue *value = n->inputs[0];
  int axis, rank = value->shape.rank;
  if (value->type != ONNX_F32 ||
      !onnx_axis(c, onnx_attr_int(n, "axis", -1), rank, &axis))
    return onnx_fail(c, "is supported for float");
  int64_t size = value->shape.dims[axis];
  if (!onnx_check_made(c, size))
    return false;
  int64_t *numbers = onnx_new_data(c, size, sizeof *numbers);
  for (int64_t i = 0; i < size; ++i)
    numbers[i] = i;
  LunaShape shape = onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = i == axis ? size : 1;
  OnnxValue *pair[2] = {arg_best(c, value, axis, false, false),
                        onnx_new_const(c, ONNX_I64, &shape, numbers)};
  n->outputs[0] = onnx_map(c, n, pair, 2, ONNX_F32, hardmax_element);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Cumulative sums
//===----------------------------------------------------------------------===//

typedef struct Triangle {
  OnnxType type;
  bool reverse, exclusive;
} Triangle;

// 1 where element [row, column] takes part in the sum.
static MlirValue triangle_element(OnnxImport *c, const MlirValue *index,
                                  void *data) {
  const Triangle *t = data;
  LunaCompare compare = t->reverse ? (t->exclusive ? LUNA_GT : LUNA_GE)
                                   : (t->exclusive ? LUNA_LT : LUNA_LE);
  MlirValue in = luna_scalar_compare(c->b, compare, index[0], index[1]);
  return luna_scalar_select(c->b, in, onnx_lit(c, t->type, 1),
                            onnx_lit(c, t->type, 0));
}

// A product with a triangular matrix of ones, along the axis moved to the end.
ONNX_HANDLER(cumsum) {
  OnnxValue *value = n->inputs[0], *which = n->inputs[1];
  Triangle t = {value->type, onnx_attr_int(n, "reverse", 0) != 0,
                onnx_attr_int(n, "exclusive", 0) != 0};
  int axis, rank = value->shape.rank, perm[ONNX_MAX_RANK];
  if (!onnx_evaluate_one(c, which) || value->type == ONNX_BOOL)
    return onnx_fail(c, "axis must be one constant number");
  if (!onnx_axis(c, onnx_int_at(which, 0), rank, &axis))
    return false;
  int64_t size = value->shape.dims[axis];
  LunaShape square_shape = {2, {size, size}};
  if (!onnx_check_shape(c, &square_shape))
    return false;
  for (int i = 0; i < rank; ++i)
    perm[i] = i;
  perm[axis] = rank - 1;
  perm[rank - 1] = axis;
  OnnxValue *ones = onnx_from_ir(
      c, t.type, &square_shape,
      onnx_generate(c, t.type, &square_shape, triangle_element, &t));
  OnnxValue *made = onnx_matmul(c, onnx_permute(c, value, perm), ones);
  n->outputs[0] = made ? onnx_permute(c, made, perm) : NULL;
  return made != NULL;
}
