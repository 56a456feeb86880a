// Slices whose starts or ends the model computes while it runs, and slices of
// what has a valid length. How much is taken of a dimension may be known: from
// constants, where both ends are one unknown plus constants, or as the model
// declares it. The start is then moved so that all of it lies in the dimension.
// Else the result has a valid length.

#include "onnx_slice.h"
#include "onnx_valid.h"

typedef struct Cut {
  LunaOnnxNode *n;
  LunaOnnxValue *value, *start, *end;
  LunaShape shape;    // of the result
  LunaShape declared; // the same, as the model has it; no rank if it has none
  MlirValue at[LUNA_ONNX_MAX_RANK];
  int64_t steps[LUNA_ONNX_MAX_RANK];
  // The dimension whose size only the running program knows, or -1: where it
  // starts in the value, and how much is taken.
  int valid_axis;
  bool is_at_start;
  MlirValue valid_start;
  LunaValidLength valid;
} Cut;

// Builds entry `i` of a list as a place in a dimension of `count` of at most
// `size` elements: negative ones count from the end. It is clamped in its own
// type, as an index may be smaller.
static MlirValue build_place(LunaOnnxImport *c, LunaOnnxValue *list, int i,
                             MlirValue count, int64_t size) {
  MlirValue at = luna_scalar_index(c->b, i), zero = luna_scalar_index(c->b, 0);
  MlirValue entry = luna_scalar_extract(c->b, luna_onnx_ir(c, list), &at);
  entry = luna_onnx_cast_index(c, luna_scalar_clamp(c->b, entry, -size, size),
                               list->type);
  return luna_scalar_select(c->b,
                            luna_scalar_compare(c->b, LUNA_LT, entry, zero),
                            luna_scalar_add(c->b, entry, count), entry);
}

static int64_t known_place(const LunaOnnxValue *list, int i, int64_t size) {
  int64_t entry = luna_onnx_int_at(list, i);
  entry = entry < -size ? -size : entry > size ? size : entry;
  return entry < 0 ? entry + size : entry;
}

// How many elements are taken of dimension `d`, -1 where that is not known.
static int64_t known_count(const Cut *cut, int i, int d) {
  const LunaOnnxValue *start = cut->start, *end = cut->end;
  int64_t span, step = cut->steps[d], size = cut->value->shape.dims[d];
  if (cut->value->valid && cut->value->valid->axis == d)
    return -1;
  if (start->data && end->data)
    span = known_place(end, i, size) - known_place(start, i, size);
  else if (start->symbol && start->symbol == end->symbol)
    span = end->symbol_offset - start->symbol_offset;
  else
    return cut->declared.rank == cut->shape.rank ? cut->declared.dims[d] : -1;
  return span <= 0 ? 0 : (span + step - 1) / step;
}

static bool cut_valid(LunaOnnxImport *c, Cut *cut, int i, int d) {
  int64_t size = cut->value->shape.dims[d], step = cut->steps[d];
  MlirValue zero = luna_scalar_index(c->b, 0);
  MlirValue count = luna_scalar_min(c->b, luna_onnx_count(c, cut->value, d),
                                    luna_scalar_index(c->b, size));
  const char *name = luna_onnx_first_output(cut->n);
  if (cut->valid_axis >= 0 ||
      (cut->value->valid && cut->value->valid->axis != d))
    return luna_onnx_fail(c, "takes parts of two dimensions whose sizes are "
                             "known while running only");
  MlirValue places[2];
  LunaOnnxValue *lists[2] = {cut->start, cut->end};
  for (int k = 0; k < 2; ++k)
    places[k] = luna_scalar_min(
        c->b,
        luna_scalar_max(c->b, build_place(c, lists[k], i, count, size), zero),
        count);
  MlirValue span =
      luna_scalar_max(c->b, luna_scalar_sub(c->b, places[1], places[0]), zero);
  span =
      luna_scalar(c->b, "arith.ceildivsi", span, luna_scalar_index(c->b, step));
  cut->valid_axis = d;
  cut->valid_start = places[0];
  cut->is_at_start =
      cut->start->data && step == 1 && luna_onnx_int_at(cut->start, i) == 0;
  cut->valid = (LunaValidLength){.count = span, .name = name};
  // A constant end bounds what is taken from a constant start.
  if (cut->start->data && cut->end->data &&
      luna_onnx_int_at(cut->start, i) >= 0 &&
      luna_onnx_int_at(cut->end, i) >= 0)
    size = known_place(cut->end, i, size) - known_place(cut->start, i, size);
  int64_t most = size <= 0 ? 1 : (size - 1) / step + 1;
  return luna_onnx_bound(c, name, most, &cut->shape.dims[d]) &&
         luna_onnx_report(c, name, span, most, cut->shape.dims[d]);
}

static bool cut_axis(LunaOnnxImport *c, Cut *cut, int i, int64_t axis,
                     int64_t step) {
  int d;
  if (!luna_onnx_axis(c, axis, cut->shape.rank, &d))
    return false;
  int64_t size = cut->value->shape.dims[d];
  if (step < 1)
    return luna_onnx_fail(c, "step %lld from a computed start is not positive",
                          (long long)step);
  cut->steps[d] = step > size ? size : step;
  int64_t count = known_count(cut, i, d);
  if (count == -1)
    return cut_valid(c, cut, i, d);
  if (count < 1 || (count - 1) * cut->steps[d] >= size)
    return luna_onnx_fail(c, "takes %lld elements of a dimension of %lld",
                          (long long)count, (long long)size);
  cut->shape.dims[d] = count;
  MlirValue start =
      build_place(c, cut->start, i, luna_scalar_index(c->b, size), size);
  cut->at[d] =
      luna_scalar_clamp(c->b, start, 0, size - 1 - (count - 1) * cut->steps[d]);
  return true;
}

// What is dead is read from where there is something.
static MlirValue valid_element(LunaOnnxImport *c, const MlirValue *index,
                               void *data) {
  const Cut *cut = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  int axis = cut->valid_axis;
  for (int d = 0; d < cut->shape.rank; ++d)
    at[d] = index[d];
  at[axis] = luna_scalar_add(
      c->b, cut->valid_start,
      luna_scalar_with(c->b, "arith.muli", index[axis], cut->steps[axis]));
  at[axis] = luna_scalar_with(c->b, "arith.minsi", at[axis],
                              cut->value->shape.dims[axis] - 1);
  return luna_scalar_extract(c->b, cut->value->ir, at);
}

// The other dimensions are cut; along the valid one, what is taken moves to the
// start.
static void set_output(LunaOnnxImport *c, Cut *cut) {
  int axis = cut->valid_axis;
  LunaShape sizes = cut->shape;
  int64_t steps[LUNA_ONNX_MAX_RANK];
  const LunaValidLength *valid = cut->value->valid;
  for (int d = 0; d < sizes.rank; ++d)
    steps[d] = d == axis ? 1 : cut->steps[d];
  if (axis >= 0)
    sizes.dims[axis] = cut->value->shape.dims[axis];
  MlirValue made = luna_build_slice_from(c->b, luna_onnx_ir(c, cut->value),
                                         cut->at, sizes.dims, steps);
  LunaOnnxValue *output = luna_onnx_from_ir(c, cut->value->type, &sizes, made);
  if (axis < 0) {
    cut->n->outputs[0] =
        valid ? luna_onnx_with_valid(c, output, valid, valid->axis) : output;
    return;
  }
  cut->value = output;
  cut->value->ir = made;
  if (cut->is_at_start)
    made = luna_onnx_resize(c, output, axis, cut->shape.dims[axis]);
  else
    made = luna_onnx_generate(c, output->type, &cut->shape, valid_element, cut);
  output = luna_onnx_from_ir(c, output->type, &cut->shape, made);
  cut->n->outputs[0] = luna_onnx_with_valid(c, output, &cut->valid, axis);
}

static bool is_list(const LunaOnnxValue *value, int64_t most) {
  return value && !value->valid &&
         (value->type == LUNA_ONNX_I32 || value->type == LUNA_ONNX_I64) &&
         value->shape.rank == 1 && value->shape.dims[0] > 0 &&
         value->shape.dims[0] <= most;
}

// A list of integers: an input, or before opset 10 an attribute.
static LunaOnnxValue *read_list(LunaOnnxImport *c, const LunaOnnxNode *n, int i,
                                const char *name) {
  int64_t list[LUNA_ONNX_MAX_RANK];
  LunaOnnxValue *value = luna_onnx_input(n, i);
  int count =
      value ? 0 : luna_onnx_attr_ints(c, n, name, list, LUNA_ONNX_MAX_RANK);
  if (value)
    luna_onnx_evaluate(c, value);
  return count > 0 ? luna_onnx_new_ints(c, list, count) : value;
}

static bool read_cut(LunaOnnxImport *c, Cut *cut) {
  int rank = cut->shape.rank;
  bool known = false;
  if (!is_list(cut->start, rank) || !is_list(cut->end, rank) ||
      !luna_onnx_check_shape(c, &cut->shape))
    return luna_onnx_fail(c,
                          "starts and ends must be lists of at most %d int32 "
                          "or int64",
                          rank);
  if (!cut->value->valid &&
      !luna_onnx_declared_shape(c, luna_onnx_first_output(cut->n),
                                &cut->declared, &known))
    return false;
  cut->declared.rank = known ? cut->declared.rank : -1;
  for (int d = 0; d < rank; ++d) {
    cut->steps[d] = 1;
    cut->at[d] = luna_scalar_index(c->b, 0);
  }
  return true;
}

bool luna_onnx_slice_at(LunaOnnxImport *c, LunaOnnxNode *n) {
  Cut cut = {.n = n,
             .value = n->inputs[0],
             .start = read_list(c, n, 1, "starts"),
             .end = read_list(c, n, 2, "ends"),
             .shape = n->inputs[0]->shape,
             .valid_axis = -1};
  int64_t axes[LUNA_ONNX_MAX_RANK], steps[LUNA_ONNX_MAX_RANK];
  if (!read_cut(c, &cut))
    return false;
  int count = (int)cut.start->shape.dims[0];
  int axis_count = luna_onnx_ints(c, n, 3, "axes", axes, LUNA_ONNX_MAX_RANK);
  int step_count = luna_onnx_ints(c, n, 4, "steps", steps, LUNA_ONNX_MAX_RANK);
  if (cut.end->shape.dims[0] != count ||
      (axis_count != -1 && axis_count != count) ||
      (step_count != -1 && step_count != count))
    return luna_onnx_fail(c, "starts, ends, axes and steps do not agree");
  for (int i = 0; i < count; ++i)
    if (!cut_axis(c, &cut, i, axis_count == -1 ? i : axes[i],
                  step_count == -1 ? 1 : steps[i]))
      return false;
  set_output(c, &cut);
  return true;
}
