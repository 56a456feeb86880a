// Operators that join tensors and cut them.

#include "onnx_slice.h"

#include "mlir-c/BuiltinAttributes.h"

bool luna_onnx_op_concat(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaShape shape = n->inputs[0]->shape;
  LunaOnnxType type = n->inputs[0]->type;
  int axis, rank = shape.rank;
  bool last = rank >= 3, any = false;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 1), rank, &axis))
    return false;
  shape.dims[axis] = 0;
  for (int i = 0; i < n->input_count; ++i) {
    LunaOnnxValue *value = n->inputs[i];
    if (!value)
      return luna_onnx_fail(c, "input %d is left out", i);
    for (int d = 0; d < rank; ++d)
      if (value->type != type || value->shape.rank != rank ||
          (d != axis && value->shape.dims[d] != shape.dims[d]))
        return luna_onnx_fail(c, "input %d does not fit input 0", i);
    shape.dims[axis] += value->shape.dims[axis];
    last = last &&
           (!mlirValueIsNull(value->last) || luna_onnx_is_constant(c, value));
    any = any || luna_onnx_prefers_last(value);
  }
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  last = last && any;
  MlirValue *values = LUNA_ARENA_ARRAY(c->arena, MlirValue, n->input_count);
  int count = 0;
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i]->shape.dims[axis] > 0)
      values[count++] = last ? luna_onnx_ir_last(c, n->inputs[i])
                             : luna_onnx_ir(c, n->inputs[i]);
  MlirValue value = luna_build_concat(
      c->b, count, values, last ? luna_onnx_axis_last(axis, rank) : axis);
  n->outputs[0] = last ? luna_onnx_from_last(c, type, &shape, value)
                       : luna_onnx_from_ir(c, type, &shape, value);
  return true;
}

// A slice in the value's current layout.
static LunaOnnxValue *slice_value(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaShape *sizes, const int64_t *starts,
                                  const int64_t *steps) {
  int rank = sizes->rank;
  if (!luna_onnx_prefers_last(value))
    return luna_onnx_from_ir(
        c, value->type, sizes,
        luna_build_strided_slice(c->b, luna_onnx_ir(c, value), starts,
                                 sizes->dims, steps));
  LunaShape last = luna_onnx_shape_last(sizes);
  int64_t starts_last[LUNA_ONNX_MAX_RANK], steps_last[LUNA_ONNX_MAX_RANK];
  for (int i = 0; i < rank; ++i) {
    starts_last[luna_onnx_axis_last(i, rank)] = starts[i];
    steps_last[luna_onnx_axis_last(i, rank)] = steps ? steps[i] : 1;
  }
  return luna_onnx_from_last(
      c, value->type, sizes,
      luna_build_strided_slice(c->b, luna_onnx_ir_last(c, value), starts_last,
                               last.dims, steps_last));
}

bool luna_onnx_op_split(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int axis, parts = n->output_count;
  int64_t sizes[256], start = 0;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0), value->shape.rank,
                      &axis))
    return false;
  int64_t total = value->shape.dims[axis];
  int count = luna_onnx_ints(c, n, 1, "split", sizes, 256);
  if (count == -2 || parts > 256 || parts == 0)
    return luna_onnx_fail(c, "has %d parts, 1 to 256 are possible", parts);
  int64_t each = (total + parts - 1) / parts;
  for (int i = 0; count == -1 && i < parts; ++i)
    sizes[i] = i + 1 < parts ? each : total - each * (parts - 1);
  if (count != -1 && count != parts)
    return luna_onnx_fail(c, "has %d sizes for %d outputs", count, parts);
  for (int i = 0; i < parts; ++i) {
    int64_t starts[LUNA_ONNX_MAX_RANK] = {0};
    LunaShape shape = value->shape;
    shape.dims[axis] = sizes[i];
    starts[axis] = start;
    if (sizes[i] < 0 || sizes[i] > total - start)
      return luna_onnx_fail(c, "parts do not sum to %lld", (long long)total);
    if (!luna_onnx_check_shape(c, &shape))
      return false;
    start += sizes[i];
    n->outputs[i] = slice_value(c, value, &shape, starts, NULL);
  }
  return start == total ||
         luna_onnx_fail(c, "parts do not sum to %lld", (long long)total);
}

typedef struct Slice {
  LunaOnnxValue *value;
  LunaShape shape;
  int64_t starts[LUNA_ONNX_MAX_RANK], steps[LUNA_ONNX_MAX_RANK];
  bool backwards;
} Slice;

static bool slice_axis(LunaOnnxImport *c, Slice *s, int64_t axis, int64_t start,
                       int64_t end, int64_t step) {
  int d;
  if (!luna_onnx_axis(c, axis, s->shape.rank, &d))
    return false;
  int64_t size = s->value->shape.dims[d];
  if (step == 0)
    return luna_onnx_fail(c, "step is 0");
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  start = start < -size ? low : start < 0 ? start + size : start;
  end = end < -size ? -1 : end < 0 ? end + size : end;
  start = start < 0 ? 0 : start > high ? high : start;
  end = end < low ? low : end > size ? size : end;
  // Steps past the tensor are all alike.
  step = step > size ? size + 1 : step < -size ? -size - 1 : step;
  int64_t span = step > 0 ? end - start : start - end;
  int64_t stride = step > 0 ? step : -step;
  s->shape.dims[d] = span <= 0 ? 0 : (span + stride - 1) / stride;
  s->starts[d] = start;
  s->steps[d] = step;
  s->backwards = s->backwards || step < 0;
  return true;
}

static MlirValue backward_element(LunaOnnxImport *c, const MlirValue *index,
                                  void *data) {
  const Slice *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  for (int i = 0; i < s->shape.rank; ++i) {
    MlirValue scaled =
        luna_scalar_mul(c->b, index[i], luna_scalar_index(c->b, s->steps[i]));
    at[i] =
        luna_scalar_add(c->b, scaled, luna_scalar_index(c->b, s->starts[i]));
  }
  return luna_scalar_extract(c->b, s->value->ir, at);
}

static bool is_computed(const LunaOnnxImport *c, const LunaOnnxNode *n, int i) {
  const LunaOnnxValue *value = luna_onnx_input(n, i);
  return value && !luna_onnx_is_constant(c, value);
}

bool luna_onnx_op_slice(LunaOnnxImport *c, LunaOnnxNode *n) {
  Slice s = {.value = n->inputs[0], .shape = n->inputs[0]->shape};
  int64_t starts[LUNA_ONNX_MAX_RANK], ends[LUNA_ONNX_MAX_RANK],
      axes[LUNA_ONNX_MAX_RANK], steps[LUNA_ONNX_MAX_RANK];
  if (s.value->valid || is_computed(c, n, 1) || is_computed(c, n, 2))
    return luna_onnx_slice_at(c, n);
  int count = luna_onnx_ints(c, n, 1, "starts", starts, LUNA_ONNX_MAX_RANK);
  int axis_count = luna_onnx_ints(c, n, 3, "axes", axes, LUNA_ONNX_MAX_RANK);
  int step_count = luna_onnx_ints(c, n, 4, "steps", steps, LUNA_ONNX_MAX_RANK);
  if (count < 0 ||
      luna_onnx_ints(c, n, 2, "ends", ends, LUNA_ONNX_MAX_RANK) != count ||
      (axis_count != -1 && axis_count != count) ||
      (step_count != -1 && step_count != count))
    return luna_onnx_fail(c, "starts, ends, axes and steps do not agree");
  for (int i = 0; i < s.shape.rank; ++i)
    s.steps[i] = 1;
  for (int i = 0; i < count; ++i)
    if (!slice_axis(c, &s, axis_count == -1 ? i : axes[i], starts[i], ends[i],
                    step_count == -1 ? 1 : steps[i]))
      return false;
  n->outputs[0] = luna_onnx_no_elements(c, s.value->type, &s.shape);
  if (n->outputs[0])
    return true;
  if (!luna_onnx_check_shape(c, &s.shape))
    return false;
  if (!s.backwards) {
    n->outputs[0] = slice_value(c, s.value, &s.shape, s.starts, s.steps);
    return true;
  }
  LunaOnnxValue source = *s.value;
  source.ir = luna_onnx_ir(c, s.value);
  s.value = &source;
  MlirValue made =
      luna_onnx_generate(c, source.type, &s.shape, backward_element, &s);
  n->outputs[0] = luna_onnx_from_ir(c, source.type, &s.shape, made);
  return true;
}
