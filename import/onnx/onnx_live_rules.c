// How operators are read for inputs with a live count: a rule says where the
// count of an input goes, and masks what would take part though it is dead.
// An operator without a rule is refused.

#include "onnx_live.h"

#include <math.h>
#include <string.h>

// The live counts of a node's inputs, NULL for those without one. The inputs
// that a rule sees have the size of their bound.
typedef const LunaOnnxLive *const Lives[];
typedef bool (*Rule)(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives);

static bool same_count(const LunaOnnxLive *a, const LunaOnnxLive *b) {
  return luna_same_value(a->count, b->count);
}

static bool fail_counts(LunaOnnxImport *c, const LunaOnnxLive *a,
                        const LunaOnnxLive *b) {
  return luna_onnx_fail(c,
                        "the sizes of '%s' and '%s' are known while running "
                        "only, and may differ",
                        a->name, b->name);
}

static bool fail_axis(LunaOnnxImport *c, const LunaOnnxLive *live,
                      const char *why) {
  return luna_onnx_fail(c,
                        "the size of '%s', here dimension %d, is known while "
                        "running only: %s",
                        live->name, live->axis, why);
}

// Gives all outputs the count, of which the elements behind are unknown.
static void set_live(LunaOnnxImport *c, LunaOnnxNode *n,
                     const LunaOnnxLive *live, int axis) {
  LunaOnnxLive unknown = *live;
  unknown.is_zero_behind = false;
  for (int i = 0; i < n->output_count; ++i)
    if (n->outputs[i])
      n->outputs[i] = luna_onnx_with_live(c, n->outputs[i], &unknown, axis);
}

static bool run(LunaOnnxImport *c, LunaOnnxNode *n) {
  return n->op->handler(c, n);
}

// The only live count, which must be that of input `i`; NULL after an error.
static const LunaOnnxLive *only(LunaOnnxImport *c, const LunaOnnxNode *n,
                                Lives lives, int i) {
  for (int k = 0; k < n->input_count; ++k)
    if (k != i && lives[k]) {
      fail_axis(c, lives[k], "this operator takes no such input here");
      return NULL;
    }
  return lives[i];
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

// The count that inputs which broadcast share, at an axis of the result; false
// after an error.
static bool find_shared(LunaOnnxImport *c, const LunaOnnxNode *n, Lives lives,
                        int rank, LunaOnnxLive *shared) {
  shared->name = NULL;
  for (int i = 0; i < n->input_count; ++i) {
    if (!lives[i])
      continue;
    int axis = lives[i]->axis + rank - n->inputs[i]->shape.rank;
    if (shared->name && (axis != shared->axis || !same_count(lives[i], shared)))
      return fail_counts(c, shared, lives[i]);
    *shared = *lives[i];
    shared->axis = axis;
  }
  for (int i = 0; i < n->input_count; ++i) {
    if (!n->inputs[i] || lives[i])
      continue;
    int axis = shared->axis - rank + n->inputs[i]->shape.rank;
    if (axis >= 0 && n->inputs[i]->shape.dims[axis] != 1)
      return fail_axis(c, shared, "it does not broadcast to a known one");
  }
  return true;
}

// A division by what is dead must not fail.
static void make_divisible(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const char *name = n->proto->op_type;
  if ((strcmp(name, "Div") == 0 || strcmp(name, "Mod") == 0) && lives[1] &&
      luna_onnx_is_int(n->inputs[1]->type))
    n->inputs[1] = luna_onnx_mask(c, n->inputs[1], lives[1], 1);
}

static bool elementwise(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  LunaOnnxLive shared;
  int rank = 0;
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i] && n->inputs[i]->shape.rank > rank)
      rank = n->inputs[i]->shape.rank;
  if (!find_shared(c, n, lives, rank, &shared))
    return false;
  make_divisible(c, n, lives);
  if (!run(c, n))
    return false;
  set_live(c, n, &shared, shared.axis);
  return true;
}

// What works on each index of the first dimension by itself, with parameters.
static bool batch(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaOnnxLive *live = only(c, n, lives, 0);
  if (!live)
    return false;
  if (live->axis != 0)
    return fail_axis(c, live, "only that of the first may be");
  if (!run(c, n))
    return false;
  set_live(c, n, live, 0);
  return true;
}

static bool layer_norm(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaOnnxLive *live = only(c, n, lives, 0);
  int axis;
  if (!live || !luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", -1),
                               n->inputs[0]->shape.rank, &axis))
    return false;
  if (live->axis >= axis)
    return fail_axis(c, live, "the mean is taken along it");
  if (!run(c, n))
    return false;
  set_live(c, n, live, live->axis);
  return true;
}

// One scale for all elements.
static bool quantize(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaOnnxLive *live = only(c, n, lives, 0);
  if (!live)
    return false;
  for (int i = 1; i < n->input_count; ++i)
    if (n->inputs[i] && luna_onnx_elems(&n->inputs[i]->shape) != 1)
      return fail_axis(c, live, "several scales are not supported for it");
  if (!run(c, n))
    return false;
  set_live(c, n, live, live->axis);
  return true;
}

static bool identity(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  if (!run(c, n))
    return false;
  n->outputs[0] =
      luna_onnx_with_live(c, n->outputs[0], lives[0], lives[0]->axis);
  return true;
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

static bool transpose(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  int64_t list[LUNA_ONNX_MAX_RANK];
  int rank = n->inputs[0]->shape.rank, to = -1;
  int count = luna_onnx_attr_ints(c, n, "perm", list, LUNA_ONNX_MAX_RANK);
  if (!run(c, n))
    return false;
  for (int i = 0; i < rank; ++i)
    if ((count == -1 ? rank - 1 - i : list[i]) == lives[0]->axis)
      to = i;
  n->outputs[0] = luna_onnx_with_live(c, n->outputs[0], lives[0], to);
  return true;
}

// The dimension of `to` that is dimension `axis` of `from` as it was, with as
// many elements before it and behind it; -1 if there is none.
static int kept_axis(const LunaShape *from, int axis, const LunaShape *to) {
  int64_t before = 1, before_to = 1;
  for (int i = 0; i < axis; ++i)
    before *= from->dims[i];
  for (int i = 0; i < to->rank && before_to <= before; ++i) {
    if (before_to == before && to->dims[i] == from->dims[axis])
      return i;
    before_to *= to->dims[i];
  }
  return -1;
}

// Among dimensions of 1, which one is the live one would be a guess.
static bool reshape(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaOnnxLive *live = only(c, n, lives, 0);
  LunaShape from = n->inputs[0]->shape;
  int64_t list[LUNA_ONNX_MAX_RANK];
  bool is_reshape = strcmp(n->proto->op_type, "Reshape") == 0;
  if (!live || !run(c, n))
    return false;
  int to = from.dims[live->axis] == 1
               ? -1
               : kept_axis(&from, live->axis, &n->outputs[0]->shape);
  if (to >= 0 && is_reshape &&
      (luna_onnx_ints(c, n, 1, "shape", list, LUNA_ONNX_MAX_RANK) <= to ||
       list[to] > 0))
    to = -1;
  if (to < 0)
    return fail_axis(c, live, "a reshape must keep it as it is");
  n->outputs[0] = luna_onnx_with_live(c, n->outputs[0], live, to);
  return true;
}

// Indices that are dead pick something that is dead: they are kept in range.
static bool gather(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  int axis, rank = n->inputs[0]->shape.rank;
  int index_rank = n->inputs[1]->shape.rank;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0), rank, &axis))
    return false;
  if (lives[0] && lives[1])
    return fail_counts(c, lives[0], lives[1]);
  if (lives[0] && lives[0]->axis == axis)
    return fail_axis(c, lives[0], "an index into it cannot be checked");
  if (!run(c, n))
    return false;
  if (lives[1])
    set_live(c, n, lives[1], axis + lives[1]->axis);
  else
    set_live(c, n, lives[0],
             lives[0]->axis < axis ? lives[0]->axis
                                   : lives[0]->axis + index_rank - 1);
  return true;
}

// The dimensions of the indices come first, but the last one and, in
// GatherElements, all of them.
static bool gather_at(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaOnnxLive *live = only(c, n, lives, 1);
  bool is_nd = strcmp(n->proto->op_type, "GatherND") == 0;
  if (!live)
    return false;
  if (is_nd && (live->axis == n->inputs[1]->shape.rank - 1 ||
                luna_onnx_attr_int(n, "batch_dims", 0) != 0))
    return fail_axis(c, live, "so many indices make a place");
  if (!run(c, n))
    return false;
  set_live(c, n, live, live->axis);
  return true;
}

//===----------------------------------------------------------------------===//
// Along the dimension
//===----------------------------------------------------------------------===//

// Where an axis is once those that are reduced have gone.
static int axis_left(int axis, const bool *axes) {
  int left = axis;
  for (int i = 0; i < axis; ++i)
    left -= axes[i];
  return left;
}

// The sum, divided by how many elements are live; 0 where none is, on every
// target.
static bool mean_of_live(LunaOnnxImport *c, LunaOnnxNode *n,
                         const LunaOnnxLive *live, const bool *axes) {
  LunaOnnxValue *value = n->inputs[0];
  LunaShape scalar = {.rank = 0};
  int64_t others = 1;
  for (int i = 0; i < value->shape.rank; ++i)
    others *= axes[i] && i != live->axis ? value->shape.dims[i] : 1;
  MlirValue count = luna_scalar_with(c->b, "arith.maxsi", live->count, 1);
  count = luna_onnx_index_to(
      c, luna_scalar_with(c->b, "arith.muli", count, others), value->type);
  LunaOnnxValue *divisor = luna_onnx_from_ir(
      c, value->type, &scalar, luna_build_from_scalar(c->b, count, &scalar));
  LunaOnnxValue *sum = luna_onnx_reduce(c, value, axes, LUNA_ONNX_SUM);
  n->outputs[0] = luna_onnx_apply(c, "Div", sum, divisor);
  if (n->outputs[0] && !luna_onnx_attr_int(n, "keepdims", 1))
    n->outputs[0] = luna_onnx_drop_axes(c, n->outputs[0], axes);
  return n->outputs[0] != NULL;
}

static double neutral_of(const LunaOnnxNode *n, LunaOnnxType type) {
  const char *name = n->proto->op_type;
  bool is_least = strcmp(name, "ReduceMin") == 0;
  if (strcmp(name, "ReduceProd") == 0)
    return 1;
  if (is_least || strcmp(name, "ReduceMax") == 0 ||
      strcmp(name, "ReduceLogSumExp") == 0)
    return luna_onnx_neutral(type, is_least ? LUNA_ONNX_MIN : LUNA_ONNX_MAX);
  return 0;
}

static bool reduce(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaOnnxLive *live = only(c, n, lives, 0);
  bool axes[LUNA_ONNX_MAX_RANK];
  if (!live || !luna_onnx_reduced_axes(c, n, axes))
    return false;
  if (axes[live->axis]) {
    n->inputs[0] = luna_onnx_mask(c, n->inputs[0], live,
                                  neutral_of(n, n->inputs[0]->type));
    return strcmp(n->proto->op_type, "ReduceMean") == 0 &&
                   luna_onnx_is_float(n->inputs[0]->type)
               ? mean_of_live(c, n, live, axes)
               : run(c, n);
  }
  if (!run(c, n))
    return false;
  set_live(c, n, live,
           luna_onnx_attr_int(n, "keepdims", 1) ? live->axis
                                                : axis_left(live->axis, axes));
  return true;
}

static bool arg(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  bool axes[LUNA_ONNX_MAX_RANK] = {false};
  LunaOnnxValue *value = n->inputs[0];
  bool is_least = strcmp(n->proto->op_type, "ArgMin") == 0;
  int axis;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0), value->shape.rank,
                      &axis))
    return false;
  axes[axis] = true;
  if (axis == lives[0]->axis) {
    if (luna_onnx_attr_int(n, "select_last_index", 0))
      return fail_axis(c, lives[0], "the last index of it is not known");
    n->inputs[0] = luna_onnx_mask(
        c, value, lives[0],
        luna_onnx_neutral(value->type,
                          is_least ? LUNA_ONNX_MIN : LUNA_ONNX_MAX));
    return run(c, n);
  }
  if (!run(c, n))
    return false;
  set_live(c, n, lives[0],
           luna_onnx_attr_int(n, "keepdims", 1)
               ? lives[0]->axis
               : axis_left(lives[0]->axis, axes));
  return true;
}

// Behind the count nothing weighs.
static bool softmax(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  bool axes[LUNA_ONNX_MAX_RANK];
  if (!luna_onnx_softmax_axes(c, n, axes))
    return false;
  if (axes[lives[0]->axis])
    n->inputs[0] = luna_onnx_mask(c, n->inputs[0], lives[0], -INFINITY);
  if (!run(c, n))
    return false;
  set_live(c, n, lives[0], lives[0]->axis);
  return true;
}

// Rows and columns pass; what is summed over is 0 behind the count.
static bool matmul(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  bool is_summed[2];
  int rank = 0, to = -1;
  const LunaOnnxLive *live = NULL;
  for (int i = 0; i < 2; ++i) {
    int own = n->inputs[i]->shape.rank;
    if (own < 2)
      return luna_onnx_fail(c, "a vector cannot be multiplied by what has a "
                               "size that is known while running only");
    rank = own > rank ? own : rank;
    is_summed[i] = lives[i] && lives[i]->axis == own - 1 - i;
  }
  if (is_summed[0] && is_summed[1]) {
    if (!same_count(lives[0], lives[1]))
      return fail_counts(c, lives[0], lives[1]);
    for (int i = 0; i < 2; ++i)
      n->inputs[i] = luna_onnx_mask(c, n->inputs[i], lives[i], 0);
    return run(c, n);
  }
  for (int i = 0; i < 2; ++i) {
    int own = n->inputs[i]->shape.rank, other = n->inputs[1 - i]->shape.rank;
    if (!lives[i])
      continue;
    if (is_summed[i])
      return fail_axis(c, lives[i], "the other operand has a known one");
    int from_end = own - lives[i]->axis;
    bool is_batch = from_end > 2;
    bool is_shared = lives[1 - i] && is_batch &&
                     from_end == other - lives[1 - i]->axis &&
                     same_count(lives[0], lives[1]);
    if (lives[1 - i] && !is_shared)
      return fail_axis(c, lives[i], "another dimension of the result is, too");
    if (is_batch && !is_shared && from_end <= other &&
        n->inputs[1 - i]->shape.dims[other - from_end] != 1)
      return fail_axis(c, lives[i], "it does not broadcast to a known one");
    live = lives[i];
    to = rank - from_end;
  }
  if (!run(c, n))
    return false;
  set_live(c, n, live, to);
  return true;
}

static bool gemm(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaOnnxLive *live = only(c, n, lives, 0);
  if (!live)
    return false;
  if (live->axis != (luna_onnx_attr_int(n, "transA", 0) ? 1 : 0))
    return fail_axis(c, live, "the other operand has a known one");
  if (n->input_count > 2 && n->inputs[2] && n->inputs[2]->shape.rank == 2 &&
      n->inputs[2]->shape.dims[0] != 1)
    return fail_axis(c, live, "it does not broadcast to a known one");
  if (!run(c, n))
    return false;
  set_live(c, n, live, 0);
  return true;
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

// Pieces one behind the other: each covers what was dead of those before.
static LunaOnnxValue *append(LunaOnnxImport *c, const LunaOnnxNode *n,
                             Lives lives, int axis, LunaShape shape,
                             MlirValue *count) {
  LunaOnnxType type = n->inputs[0]->type;
  MlirValue into = luna_onnx_splat(c, type, &shape, 0);
  *count = luna_scalar_index(c->b, 0);
  for (int i = 0; i < n->input_count; ++i) {
    LunaOnnxValue *piece = n->inputs[i];
    int64_t extent = piece->shape.dims[axis];
    if (extent == 0)
      continue;
    MlirValue at =
        luna_scalar_clamp(c->b, *count, 0, shape.dims[axis] - extent);
    into = luna_build_insert_at(c->b, luna_onnx_ir(c, piece), into, axis, at);
    *count = luna_scalar_add(c->b, *count,
                             lives[i] ? lives[i]->count
                                      : luna_scalar_index(c->b, extent));
  }
  return luna_onnx_from_ir(c, type, &shape, into);
}

static bool concat_along(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives,
                         const LunaOnnxLive *first) {
  LunaShape shape = n->inputs[0]->shape;
  int axis = first->axis;
  LunaOnnxLive live = *first;
  live.is_zero_behind = true;
  shape.dims[axis] = 0;
  for (int i = 0; i < n->input_count; ++i) {
    const LunaShape *own = &n->inputs[i]->shape;
    for (int d = 0; d < shape.rank; ++d)
      if (n->inputs[i]->type != n->inputs[0]->type || own->rank != shape.rank ||
          (d != axis && own->dims[d] != shape.dims[d]))
        return luna_onnx_fail(c, "input %d does not fit input 0", i);
    shape.dims[axis] += own->dims[axis];
    if (!lives[i])
      continue;
    if (lives[i]->axis != axis)
      return fail_counts(c, &live, lives[i]);
    live.is_zero_behind &= lives[i]->is_zero_behind;
  }
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  LunaOnnxValue *all = append(c, n, lives, axis, shape, &live.count);
  n->outputs[0] = luna_onnx_with_live(c, all, &live, axis);
  return true;
}

static bool concat(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  int axis;
  const LunaOnnxLive *live = NULL;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 1),
                      n->inputs[0]->shape.rank, &axis))
    return false;
  for (int i = 0; i < n->input_count; ++i) {
    if (!n->inputs[i])
      return luna_onnx_fail(c, "input %d is left out", i);
    if (lives[i] && lives[i]->axis == axis)
      return concat_along(c, n, lives, lives[i]);
    live = live ? live : lives[i];
  }
  for (int i = 0; i < n->input_count; ++i)
    if (!lives[i])
      return fail_axis(c, live, "another input has a known one");
    else if (lives[i]->axis != live->axis || !same_count(lives[i], live))
      return fail_counts(c, live, lives[i]);
  if (!run(c, n))
    return false;
  set_live(c, n, live, live->axis);
  return true;
}

//===----------------------------------------------------------------------===//
// Shape, Size
//===----------------------------------------------------------------------===//

static MlirValue count_times(LunaOnnxImport *c, const LunaOnnxLive *live,
                             int64_t others) {
  return luna_onnx_index_to(
      c, luna_scalar_with(c->b, "arith.muli", live->count, others),
      LUNA_ONNX_I64);
}

static bool shape(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  if (!run(c, n))
    return false;
  LunaOnnxValue *known = n->outputs[0];
  MlirValue sizes[LUNA_ONNX_MAX_RANK];
  int rank = n->inputs[0]->shape.rank, count = (int)known->shape.dims[0];
  int64_t start = luna_onnx_attr_int(n, "start", 0);
  start = start < -rank ? 0 : start < 0 ? start + rank : start;
  if (lives[0]->axis < start || lives[0]->axis >= start + count)
    return true;
  for (int i = 0; i < count; ++i)
    sizes[i] = i + start == lives[0]->axis
                   ? count_times(c, lives[0], 1)
                   : luna_onnx_lit(c, LUNA_ONNX_I64,
                                   (double)luna_onnx_int_at(known, i));
  n->outputs[0] = luna_onnx_from_ir(
      c, LUNA_ONNX_I64, &known->shape,
      luna_build_op(c->b, "tensor.from_elements",
                    luna_onnx_tensor_type(c, LUNA_ONNX_I64, &known->shape),
                    count, sizes, 0, NULL));
  return true;
}

static bool size(LunaOnnxImport *c, LunaOnnxNode *n, Lives lives) {
  const LunaShape *from = &n->inputs[0]->shape;
  LunaShape scalar = {.rank = 0};
  int64_t others = luna_onnx_elems(from) / from->dims[lives[0]->axis];
  n->outputs[0] = luna_onnx_from_ir(
      c, LUNA_ONNX_I64, &scalar,
      luna_build_from_scalar(c->b, count_times(c, lives[0], others), &scalar));
  return true;
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

// A row without a rule is of a handler that knows live counts itself.
typedef struct RuleRow {
  const char *name;
  Rule rule;
} RuleRow;

static const RuleRow rules[] = {
    {"ArgMax", arg},
    {"ArgMin", arg},
    {"AveragePool", batch},
    {"BatchNormalization", batch},
    {"Cast", elementwise},
    {"CastLike", elementwise},
    {"Clip", elementwise},
    {"Concat", concat},
    {"Conv", batch},
    {"DequantizeLinear", quantize},
    {"Dropout", identity},
    {"Flatten", reshape},
    {"Gather", gather},
    {"GatherElements", gather_at},
    {"GatherND", gather_at},
    {"Gemm", gemm},
    {"GlobalAveragePool", batch},
    {"GlobalMaxPool", batch},
    {"Identity", identity},
    {"LayerNormalization", layer_norm},
    {"LogSoftmax", softmax},
    {"Loop", NULL},
    {"MatMul", matmul},
    {"MaxPool", batch},
    {"NonZero", NULL},
    {"QuantizeLinear", quantize},
    {"ReduceL1", reduce},
    {"ReduceL2", reduce},
    {"ReduceLogSum", reduce},
    {"ReduceLogSumExp", reduce},
    {"ReduceMax", reduce},
    {"ReduceMean", reduce},
    {"ReduceMin", reduce},
    {"ReduceProd", reduce},
    {"ReduceSum", reduce},
    {"ReduceSumSquare", reduce},
    {"Reshape", reshape},
    {"Shape", shape},
    {"Size", size},
    {"Slice", NULL},
    {"Softmax", softmax},
    {"Squeeze", reshape},
    {"Transpose", transpose},
    {"Unsqueeze", reshape},
    {"Where", elementwise},
};

// The row of a node's operator, which must be ONNX's own; NULL for none.
static const RuleRow *row_of(const LunaOnnxNode *n) {
  static const RuleRow each = {"", elementwise};
  const char *domain = n->proto->domain ? n->proto->domain : "";
  if (domain[0] && strcmp(domain, "ai.onnx") != 0)
    return NULL;
  if (n->op->handler == luna_onnx_op_elementwise)
    return &each;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (strcmp(rules[i].name, n->proto->op_type) == 0)
      return &rules[i];
  return NULL;
}

bool luna_onnx_run(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaOnnxLive **lives =
      LUNA_ARENA_ARRAY(c->arena, const LunaOnnxLive *, n->input_count);
  const LunaOnnxLive *any = NULL;
  for (int i = 0; i < n->input_count; ++i) {
    lives[i] = n->inputs[i] ? n->inputs[i]->live : NULL;
    any = any ? any : lives[i];
  }
  if (!any)
    return run(c, n);
  const RuleRow *row = row_of(n);
  if (!row)
    return fail_axis(c, any, "this operator is not supported for it");
  if (!row->rule)
    return run(c, n);
  for (int i = 0; i < n->input_count; ++i)
    if (lives[i])
      n->inputs[i] = luna_onnx_without_live(c, n->inputs[i]);
  return row->rule(c, n, lives);
}
