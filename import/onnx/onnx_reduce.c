// Reductions, arg-max and cumulative sums.

#include "onnx_valid.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reducing
//===----------------------------------------------------------------------===//

double luna_onnx_neutral(LunaOnnxType type, LunaOnnxReduction kind) {
  int64_t low = 0, high = 0;
  if (kind == LUNA_ONNX_SUM || kind == LUNA_ONNX_PROD)
    return kind == LUNA_ONNX_PROD;
  if (luna_onnx_is_float(type))
    return kind == LUNA_ONNX_MAX ? -INFINITY : INFINITY;
  if (luna_onnx_type_bytes(type) == 8 && luna_onnx_is_unsigned(type))
    return kind == LUNA_ONNX_MAX ? 0 : -1; // All bits set: the largest.
  if (luna_onnx_type_bytes(type) == 8)
    return kind == LUNA_ONNX_MAX ? -0x1p63 : 0x1p63;
  luna_onnx_int_range(type, &low, &high);
  return kind == LUNA_ONNX_MAX ? (double)low : (double)high;
}

static MlirValue combine(LunaOnnxImport *c, LunaOnnxType type,
                         LunaOnnxReduction kind, MlirValue a, MlirValue b) {
  switch (kind) {
  case LUNA_ONNX_SUM:
    return luna_scalar_add(c->b, a, b);
  case LUNA_ONNX_PROD:
    return luna_scalar_mul(c->b, a, b);
  case LUNA_ONNX_MAX:
    return luna_onnx_max(c, type, a, b);
  case LUNA_ONNX_MIN:
    return luna_onnx_min(c, type, a, b);
  }
  return a;
}

// Channels last where the value is so: axes move along.
static int place(int axis, int rank, bool last) {
  return last ? luna_onnx_axis_last(axis, rank) : axis;
}

static MlirValue reduce_tosa(LunaOnnxImport *c, MlirValue ir, const bool *axes,
                             int rank, bool last, LunaOnnxReduction kind) {
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

static MlirValue reduce_generic(LunaOnnxImport *c, LunaOnnxType type,
                                MlirValue ir, const LunaShape *from,
                                const LunaShape *to, const bool *axes,
                                bool last, LunaOnnxReduction kind) {
  int loops[LUNA_ONNX_MAX_RANK];
  for (int i = 0; i < from->rank; ++i) {
    int axis = place(i, from->rank, last);
    loops[axis] = axes[i] ? -1 : axis;
  }
  MlirValue start = luna_onnx_splat(c, type, to, luna_onnx_neutral(type, kind));
  LunaGeneric generic = luna_generic(c->b, from);
  MlirValue element = luna_generic_input(&generic, ir);
  MlirValue old = luna_generic_update_at(&generic, start, loops);
  return luna_generic_end(&generic, combine(c, type, kind, old, element));
}

LunaOnnxValue *luna_onnx_reduce(LunaOnnxImport *c, LunaOnnxValue *value,
                                const bool *axes, LunaOnnxReduction kind) {
  LunaShape shape = value->shape;
  int rank = shape.rank;
  bool last = luna_onnx_prefers_last(value), any = false;
  for (int i = 0; i < rank; ++i)
    if (axes[i]) {
      shape.dims[i] = 1;
      any = true;
    }
  if (!any)
    return value;
  MlirValue ir = last ? luna_onnx_ir_last(c, value) : luna_onnx_ir(c, value);
  LunaShape from = last ? luna_onnx_shape_last(&value->shape) : value->shape;
  LunaShape to = last ? luna_onnx_shape_last(&shape) : shape;
  MlirValue made =
      value->type == LUNA_ONNX_F32 && rank <= 4
          ? reduce_tosa(c, ir, axes, rank, last, kind)
          : reduce_generic(c, value->type, ir, &from, &to, axes, last, kind);
  return last ? luna_onnx_from_last(c, value->type, &shape, made)
              : luna_onnx_from_ir(c, value->type, &shape, made);
}

// An input from opset 13 or 18 on, before that an attribute; none means all.
bool luna_onnx_reduced_axes(LunaOnnxImport *c, const LunaOnnxNode *n,
                            bool *axes) {
  int64_t list[LUNA_ONNX_MAX_RANK];
  int rank = n->inputs[0]->shape.rank;
  int count = luna_onnx_ints(c, n, 1, "axes", list, LUNA_ONNX_MAX_RANK);
  if (count == -2)
    return false;
  bool all = count <= 0 && !luna_onnx_attr_int(n, "noop_with_empty_axes", 0);
  for (int i = 0; i < rank; ++i)
    axes[i] = all;
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!luna_onnx_axis(c, list[i], rank, &axis))
      return false;
    axes[axis] = true;
  }
  return true;
}

LunaOnnxValue *luna_onnx_drop_axes(LunaOnnxImport *c, LunaOnnxValue *value,
                                   const bool *axes) {
  LunaShape shape = {.rank = 0};
  for (int i = 0; i < value->shape.rank; ++i)
    if (!axes[i])
      shape.dims[shape.rank++] = value->shape.dims[i];
  return luna_onnx_reshape_value(c, value, &shape);
}

LunaOnnxValue *luna_onnx_square(LunaOnnxImport *c, LunaOnnxValue *value) {
  return luna_onnx_apply(c, "Mul", value, value);
}

static LunaOnnxValue *log_sum_exp(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const bool *axes) {
  LunaOnnxValue *top = luna_onnx_reduce(c, value, axes, LUNA_ONNX_MAX);
  LunaOnnxValue *low =
      luna_onnx_apply(c, "Exp", luna_onnx_apply(c, "Sub", value, top), NULL);
  if (!low)
    return NULL;
  LunaOnnxValue *sum = luna_onnx_reduce(c, low, axes, LUNA_ONNX_SUM);
  return luna_onnx_apply(c, "Add", luna_onnx_apply(c, "Log", sum, NULL), top);
}

// How many elements of `others` for each valid index there are, at least one: a
// mean of none is 0 on every target.
static LunaOnnxValue *valid_divisor(LunaOnnxImport *c, LunaOnnxType type,
                                    const LunaValidLength *valid,
                                    int64_t others) {
  LunaShape scalar = {.rank = 0};
  MlirValue count = luna_scalar_with(c->b, "arith.maxsi", valid->count, 1);
  count = luna_onnx_index_to(
      c, luna_scalar_with(c->b, "arith.muli", count, others), type);
  return luna_onnx_from_ir(c, type, &scalar,
                           luna_build_from_scalar(c->b, count, &scalar));
}

LunaOnnxValue *luna_onnx_mean(LunaOnnxImport *c, LunaOnnxValue *value,
                              const bool *axes) {
  bool ok = true;
  const LunaValidLength *valid = value ? luna_onnx_valid(c, value, &ok) : NULL;
  if (!value || !ok)
    return NULL;
  LunaOnnxValue *sum = luna_onnx_reduce(c, value, axes, LUNA_ONNX_SUM);
  if (valid && axes[valid->axis])
    return luna_onnx_apply(c, "Div", sum,
                           valid_divisor(c, value->type, valid,
                                         luna_onnx_elems(&value->shape) /
                                             luna_onnx_elems(&sum->shape) /
                                             value->shape.dims[valid->axis]));
  int64_t count = luna_onnx_elems(&value->shape) / luna_onnx_elems(&sum->shape);
  if (!luna_onnx_is_float(value->type))
    return luna_onnx_apply(c, "Div", sum,
                           luna_onnx_scalar(c, value->type, (double)count));
  return luna_onnx_apply(c, "Mul", sum,
                         luna_onnx_scalar(c, value->type, 1.0 / (double)count));
}

static LunaOnnxValue *reduce_by_name(LunaOnnxImport *c, const LunaOnnxNode *n,
                                     LunaOnnxValue *value, const bool *axes) {
  const char *name = n->proto->op_type + strlen("Reduce");
  if (strcmp(name, "Sum") == 0)
    return luna_onnx_reduce(c, value, axes, LUNA_ONNX_SUM);
  if (strcmp(name, "Max") == 0)
    return luna_onnx_reduce(c, value, axes, LUNA_ONNX_MAX);
  if (strcmp(name, "Min") == 0)
    return luna_onnx_reduce(c, value, axes, LUNA_ONNX_MIN);
  if (strcmp(name, "Prod") == 0)
    return luna_onnx_reduce(c, value, axes, LUNA_ONNX_PROD);
  if (strcmp(name, "Mean") == 0)
    return luna_onnx_mean(c, value, axes);
  if (strcmp(name, "LogSumExp") == 0)
    return log_sum_exp(c, value, axes);
  if (strcmp(name, "LogSum") == 0)
    return luna_onnx_apply(
        c, "Log", luna_onnx_reduce(c, value, axes, LUNA_ONNX_SUM), NULL);
  if (strcmp(name, "L1") == 0)
    return luna_onnx_reduce(c, luna_onnx_apply(c, "Abs", value, NULL), axes,
                            LUNA_ONNX_SUM);
  value = luna_onnx_square(c, value);
  LunaOnnxValue *sum =
      value ? luna_onnx_reduce(c, value, axes, LUNA_ONNX_SUM) : NULL;
  return strcmp(name, "L2") == 0 ? luna_onnx_apply(c, "Sqrt", sum, NULL) : sum;
}

bool luna_onnx_op_reduce(LunaOnnxImport *c, LunaOnnxNode *n) {
  bool axes[LUNA_ONNX_MAX_RANK];
  LunaOnnxValue *value = n->inputs[0];
  bool is_float = luna_onnx_is_float(value->type);
  const char *name = n->proto->op_type + strlen("Reduce");
  if (value->type == LUNA_ONNX_BOOL ||
      (!is_float && (name[0] == 'L' || strcmp(name, "Mean") == 0)))
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(value->type));
  if (!luna_onnx_check_shape(c, &value->shape) ||
      !luna_onnx_reduced_axes(c, n, axes))
    return false;
  LunaOnnxValue *made = reduce_by_name(c, n, value, axes);
  if (made && !luna_onnx_attr_int(n, "keepdims", 1))
    made = luna_onnx_drop_axes(c, made, axes);
  n->outputs[0] = made;
  return made != NULL;
}

//===----------------------------------------------------------------------===//
// Arg-max and arg-min
//===----------------------------------------------------------------------===//

// The index of the best element along `axis`, kept as size 1.
static LunaOnnxValue *arg_best(LunaOnnxImport *c, LunaOnnxValue *value,
                               int axis, bool min, bool last_one) {
  LunaShape shape = value->shape;
  int loops[LUNA_ONNX_MAX_RANK];
  shape.dims[axis] = 1;
  for (int i = 0; i < shape.rank; ++i)
    loops[i] = i == axis ? -1 : i;
  MlirValue source = luna_onnx_ir(c, value);
  MlirValue starts[2] = {
      luna_onnx_splat(
          c, value->type, &shape,
          luna_onnx_neutral(value->type, min ? LUNA_ONNX_MIN : LUNA_ONNX_MAX)),
      luna_onnx_splat(c, LUNA_ONNX_I64, &shape, 0)};
  LunaGeneric generic = luna_generic(c->b, &value->shape);
  MlirValue element = luna_generic_input(&generic, source);
  MlirValue best = luna_generic_update_at(&generic, starts[0], loops);
  MlirValue best_index = luna_generic_update_at(&generic, starts[1], loops);
  MlirValue index = luna_generic_index(&generic, axis);
  MlirValue better = luna_onnx_compare(c, value->type,
                                       min ? (last_one ? LUNA_LE : LUNA_LT)
                                           : (last_one ? LUNA_GE : LUNA_GT),
                                       element, best);
  MlirValue yields[2] = {
      luna_scalar_select(c->b, better, element, best),
      luna_scalar_select(c->b, better,
                         luna_onnx_index_to(c, index, LUNA_ONNX_I64),
                         best_index)};
  MlirOperation op = luna_generic_close(&generic, yields);

  return luna_onnx_from_ir(c, LUNA_ONNX_I64, &shape,
                           mlirOperationGetResult(op, 1));
}

bool luna_onnx_op_arg(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int axis;
  if (value->type == LUNA_ONNX_BOOL ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0), value->shape.rank,
                      &axis))
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(value->type));
  LunaOnnxValue *made =
      arg_best(c, value, axis, strcmp(n->proto->op_type, "ArgMin") == 0,
               luna_onnx_attr_int(n, "select_last_index", 0) != 0);
  bool axes[LUNA_ONNX_MAX_RANK] = {false};
  axes[axis] = true;
  if (!luna_onnx_attr_int(n, "keepdims", 1))
    made = luna_onnx_drop_axes(c, made, axes);
  n->outputs[0] = made;
  return made != NULL;
}

static MlirValue hardmax_element(const LunaOnnxScalar *s) {
  MlirValue same = luna_scalar_compare(s->b, LUNA_EQ, s->args[0], s->args[1]);
  return luna_scalar_select(s->b, same, luna_scalar_f32(s->b, 1.0),
                            luna_scalar_f32(s->b, 0.0));
}

bool luna_onnx_op_hardmax(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int axis, rank = value->shape.rank;
  if (value->type != LUNA_ONNX_F32 ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", -1), rank, &axis))
    return luna_onnx_fail(c, "is supported for float");
  int64_t size = value->shape.dims[axis];
  if (!luna_onnx_check_made(c, size))
    return false;
  int64_t *numbers = luna_onnx_new_data(c, size, sizeof *numbers);
  for (int64_t i = 0; i < size; ++i)
    numbers[i] = i;
  LunaShape shape = luna_onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = i == axis ? size : 1;
  LunaOnnxValue *pair[2] = {
      arg_best(c, value, axis, false, false),
      luna_onnx_new_const(c, LUNA_ONNX_I64, &shape, numbers)};
  n->outputs[0] = luna_onnx_map(c, n, pair, 2, LUNA_ONNX_F32, hardmax_element);
  return n->outputs[0] != NULL;
}
