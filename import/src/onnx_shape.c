// Operators that make constants or change shapes, elements untouched.

#include "onnx.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

ONNX_HANDLER(identity) {
  (void)c;
  n->outputs[0] = n->inputs[0];
  return true;
}

ONNX_HANDLER(dropout) {
  OnnxValue *training = onnx_input(n, 2);
  if (training && (!training->data || onnx_int_at(training, 0) != 0))
    return onnx_fail(c, "training mode is not supported");
  n->outputs[0] = n->inputs[0];
  if (n->output_count > 1) {
    MlirValue ones = onnx_splat(c, ONNX_BOOL, &n->inputs[0]->shape, 1);
    n->outputs[1] = onnx_from_ir(c, ONNX_BOOL, &n->inputs[0]->shape, ones);
  }
  return true;
}

static OnnxValue *constant_list(OnnxImport *c, const OnnxNode *n) {
  const Onnx__AttributeProto *attr = onnx_attr(n, "value_ints");
  if (attr && attr->n_ints <= ONNX_MAX_FOLD_ELEMS)
    return onnx_new_ints(c, attr->ints, (int)attr->n_ints);
  attr = onnx_attr(n, "value_floats");
  if (!attr || attr->n_floats > ONNX_MAX_FOLD_ELEMS)
    return NULL;
  int64_t count = (int64_t)attr->n_floats;
  OnnxShape shape = onnx_shape(1, &count);
  return onnx_new_const(c, ONNX_F32, &shape, attr->floats);
}

ONNX_HANDLER(constant) {
  OnnxShape scalar = {.rank = 0};
  const Onnx__AttributeProto *attr = onnx_attr(n, "value");
  if (attr && attr->t) {
    n->outputs[0] = onnx_read_tensor(c, attr->t);
  } else if ((attr = onnx_attr(n, "value_int")) && attr->has_i) {
    n->outputs[0] = onnx_new_const(c, ONNX_I64, &scalar, &attr->i);
  } else if ((attr = onnx_attr(n, "value_float")) && attr->has_f) {
    n->outputs[0] = onnx_new_const(c, ONNX_F32, &scalar, &attr->f);
  } else {
    n->outputs[0] = constant_list(c, n);
  }
  return n->outputs[0] != NULL || onnx_fail(c, "has no value of a known kind");
}

// Reads a list of dimensions from input `index`.
static bool read_shape(OnnxImport *c, const OnnxNode *n, int index,
                       OnnxShape *shape) {
  int64_t dims[ONNX_MAX_RANK];
  int rank = onnx_input_ints(c, n, index, dims, ONNX_MAX_RANK);
  if (rank < 0)
    return onnx_fail(c, "has no shape");
  *shape = onnx_shape(rank, dims);
  return true;
}

// All elements alike: small ones as constants, others as a splat.
static OnnxValue *fill(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                       double value) {
  int64_t count = onnx_elems(shape);
  if (count > ONNX_MAX_FOLD_ELEMS)
    return onnx_from_ir(c, type, shape, onnx_splat(c, type, shape, value));
  uint8_t *data = luna_arena_alloc(c->arena, (uint64_t)count,
                                   (uint64_t)onnx_type_bytes(type));
  for (int64_t i = 0; i < count; ++i)
    onnx_set_float(type, data, i, value);
  return onnx_new_const(c, type, shape, data);
}

ONNX_HANDLER(constant_of_shape) {
  OnnxShape shape;
  const Onnx__AttributeProto *attr = onnx_attr(n, "value");
  OnnxType type = ONNX_F32;
  double value = 0.0;
  if (attr && attr->t) {
    OnnxValue *given = onnx_read_tensor(c, attr->t);
    if (!given)
      return false;
    if (onnx_elems(&given->shape) != 1)
      return onnx_fail(c, "value has more than one element");
    type = given->type;
    value = onnx_float_at(given, 0);
  }
  if (!read_shape(c, n, 0, &shape) || !onnx_check_shape(c, &shape))
    return false;
  n->outputs[0] = fill(c, type, &shape, value);
  return true;
}

ONNX_HANDLER(shape) {
  const OnnxShape *shape = &n->inputs[0]->shape;
  int64_t start = onnx_attr_int(n, "start", 0);
  int64_t end = onnx_attr_int(n, "end", shape->rank);
  start = start < 0 ? start + shape->rank : start;
  end = end < 0 ? end + shape->rank : end;
  start = start < 0 ? 0 : start > shape->rank ? shape->rank : start;
  end = end > shape->rank ? shape->rank : end < start ? start : end;
  n->outputs[0] = onnx_new_ints(c, shape->dims + start, (int)(end - start));
  return true;
}

ONNX_HANDLER(size) {
  int64_t count = onnx_elems(&n->inputs[0]->shape);
  OnnxValue *value = onnx_new_ints(c, &count, 1);
  value->shape.rank = 0;
  n->outputs[0] = value;
  return true;
}

ONNX_HANDLER(range) {
  double start, limit, delta;
  OnnxType type = n->inputs[0]->type;
  if (!onnx_input_float(c, n, 0, 0, &start) ||
      !onnx_input_float(c, n, 1, 0, &limit) ||
      !onnx_input_float(c, n, 2, 1, &delta))
    return false;
  double steps = delta == 0 ? -1 : (limit - start) / delta;
  if (!(steps > 0) || steps > ONNX_MAX_FOLD_ELEMS)
    return onnx_fail(c, "has no or too many steps");
  int64_t count = (int64_t)steps;
  count += (double)count < steps;
  uint8_t *data = luna_arena_alloc(c->arena, (uint64_t)count,
                                   (uint64_t)onnx_type_bytes(type));
  for (int64_t i = 0; i < count; ++i)
    onnx_set_float(type, data, i, start + (double)i * delta);
  OnnxShape shape = onnx_shape(1, &count);
  n->outputs[0] = onnx_new_const(c, type, &shape, data);
  return true;
}

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

// Gives the value in another shape of as many elements.
OnnxValue *onnx_reshape_value(OnnxImport *c, OnnxValue *value,
                              const OnnxShape *shape) {
  if (onnx_elems(&value->shape) != onnx_elems(shape)) {
    onnx_fail(c, "%lld elements cannot take a shape of %lld",
              (long long)onnx_elems(&value->shape),
              (long long)onnx_elems(shape));
    return NULL;
  }
  if (value->data) {
    OnnxValue *made = onnx_new_const(c, value->type, shape, value->data);
    return made;
  }
  if (onnx_same_shape(&value->shape, shape))
    return value;
  OnnxValue *made =
      onnx_from_ir(c, value->type, shape,
                   onnx_reshape(c, onnx_ir(c, value), value->type, shape));
  made->symbol = value->symbol;
  made->symbol_offset = value->symbol_offset;
  // One unknown integer: from here on it has a name.
  if (!made->symbol && onnx_is_int(value->type) && onnx_elems(shape) == 1) {
    value->symbol = made->symbol = value;
    value->symbol_offset = made->symbol_offset = 0;
  }
  return made;
}

ONNX_HANDLER(reshape) {
  OnnxShape shape;
  int64_t dims[ONNX_MAX_RANK];
  const OnnxShape *from = &n->inputs[0]->shape;
  int rank = onnx_ints(c, n, 1, "shape", dims, ONNX_MAX_RANK);
  if (rank < 0)
    return onnx_fail(c, "has no shape");
  shape = onnx_shape(rank, dims);
  int64_t known = 1;
  int open = -1;
  for (int i = 0; i < rank; ++i) {
    if (dims[i] == 0 && !onnx_attr_int(n, "allowzero", 0)) {
      if (i >= from->rank)
        return onnx_fail(c, "shape takes dimension %d, the input has %d", i,
                         from->rank);
      shape.dims[i] = from->dims[i];
    }
    if (dims[i] == -1 && open >= 0)
      return onnx_fail(c, "shape leaves two dimensions open");
    if (dims[i] == -1) {
      open = i;
      continue;
    }
    if (shape.dims[i] <= 0 || shape.dims[i] > ONNX_MAX_ELEMS ||
        (known *= shape.dims[i]) > ONNX_MAX_ELEMS)
      return onnx_fail(c, "shape has a dimension of %lld",
                       (long long)shape.dims[i]);
  }
  if (open >= 0)
    shape.dims[open] = onnx_elems(from) / known;
  if (!onnx_check_shape(c, &shape))
    return false;
  n->outputs[0] = onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(flatten) {
  const OnnxShape *from = &n->inputs[0]->shape;
  int64_t axis = onnx_attr_int(n, "axis", 1);
  axis = axis < 0 ? axis + from->rank : axis;
  if (axis < 0 || axis > from->rank)
    return onnx_fail(c, "axis is outside of %d dimensions", from->rank);
  OnnxShape shape = onnx_shape(2, (int64_t[]){1, 1});
  for (int i = 0; i < from->rank; ++i)
    shape.dims[i < axis ? 0 : 1] *= from->dims[i];
  n->outputs[0] = onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(squeeze) {
  const OnnxShape *from = &n->inputs[0]->shape;
  int64_t axes[ONNX_MAX_RANK];
  int count = onnx_ints(c, n, 1, "axes", axes, ONNX_MAX_RANK);
  bool drop[ONNX_MAX_RANK] = {false};
  if (count == -2)
    return false;
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!onnx_axis(c, axes[i], from->rank, &axis))
      return false;
    if (from->dims[axis] != 1)
      return onnx_fail(c, "dimension %d has size %lld, only 1 can be dropped",
                       axis, (long long)from->dims[axis]);
    drop[axis] = true;
  }
  OnnxShape shape = {.rank = 0};
  for (int i = 0; i < from->rank; ++i)
    if (count == -1 ? from->dims[i] != 1 : !drop[i])
      shape.dims[shape.rank++] = from->dims[i];
  n->outputs[0] = onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(unsqueeze) {
  const OnnxShape *from = &n->inputs[0]->shape;
  int64_t axes[ONNX_MAX_RANK];
  int count = onnx_ints(c, n, 1, "axes", axes, ONNX_MAX_RANK);
  bool is_new[ONNX_MAX_RANK] = {false};
  if (count < 0)
    return onnx_fail(c, "has no axes");
  int rank = from->rank + count, at = 0;
  if (rank > ONNX_MAX_RANK)
    return onnx_fail(c, "result has %d dimensions, at most %d are supported",
                     rank, ONNX_MAX_RANK);
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!onnx_axis(c, axes[i], rank, &axis))
      return false;
    if (is_new[axis])
      return onnx_fail(c, "axis %d is given twice", axis);
    is_new[axis] = true;
  }
  OnnxShape shape = onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = is_new[i] ? 1 : from->dims[at++];
  n->outputs[0] = onnx_reshape_value(c, n->inputs[0], &shape);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(transpose) {
  OnnxValue *value = n->inputs[0];
  int rank = value->shape.rank, perm[ONNX_MAX_RANK];
  int64_t list[ONNX_MAX_RANK];
  int count = onnx_attr_ints(c, n, "perm", list, ONNX_MAX_RANK);
  unsigned seen = 0;
  if (count != -1 && count != rank)
    return onnx_fail(c, "perm has %d entries, the input %d dimensions", count,
                     rank);
  for (int i = 0; i < rank; ++i) {
    int64_t at = count == -1 ? rank - 1 - i : list[i];
    if (at < 0 || at >= rank || (seen >> at & 1))
      return onnx_fail(c, "perm is no permutation");
    seen |= 1u << at;
    perm[i] = (int)at;
  }
  // A transpose to or from channels last only changes the point of view.
  bool to_last = rank >= 3 && perm[0] == 0 && perm[rank - 1] == 1;
  bool from_last = rank >= 3 && perm[0] == 0 && perm[1] == rank - 1;
  for (int i = 1; i < rank; ++i) {
    to_last = to_last && (i + 1 == rank || perm[i] == i + 1);
    from_last = from_last && (i == 1 || perm[i] == i - 1);
  }
  OnnxShape shape = onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = value->shape.dims[perm[i]];
  if (to_last && !mlirValueIsNull(value->last)) {
    n->outputs[0] = onnx_from_ir(c, value->type, &shape, value->last);
  } else if (from_last && !mlirValueIsNull(value->ir)) {
    n->outputs[0] = onnx_from_last(c, value->type, &shape, value->ir);
  } else {
    MlirValue ir = onnx_transpose(c, onnx_ir(c, value), value->type,
                                  &value->shape, perm, &shape);
    n->outputs[0] = onnx_from_ir(c, value->type, &shape, ir);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Joining and cutting
//===----------------------------------------------------------------------===//

// Where axis `axis` lies when channels are last.
static int axis_last(int axis, int rank) {
  return axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1;
}

ONNX_HANDLER(concat) {
  OnnxShape shape = n->inputs[0]->shape;
  OnnxType type = n->inputs[0]->type;
  int axis, rank = shape.rank;
  bool last = rank >= 3, any = false;
  if (!onnx_axis(c, onnx_attr_int(n, "axis", 1), rank, &axis))
    return false;
  shape.dims[axis] = 0;
  for (int i = 0; i < n->input_count; ++i) {
    OnnxValue *value = n->inputs[i];
    if (!value)
      return onnx_fail(c, "input %d is left out", i);
    for (int d = 0; d < rank; ++d)
      if (value->type != type || value->shape.rank != rank ||
          (d != axis && value->shape.dims[d] != shape.dims[d]))
        return onnx_fail(c, "input %d does not fit input 0", i);
    shape.dims[axis] += value->shape.dims[axis];
    last = last && (value->data || !mlirValueIsNull(value->last));
    any = any || onnx_prefers_last(value);
  }
  if (!onnx_check_shape(c, &shape))
    return false;
  last = last && any;
  MlirValue *values = LUNA_ARENA_ARRAY(c->arena, MlirValue, n->input_count);
  int count = 0;
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i]->shape.dims[axis] > 0)
      values[count++] =
          last ? onnx_ir_last(c, n->inputs[i]) : onnx_ir(c, n->inputs[i]);
  OnnxShape out = last ? onnx_shape_last(&shape) : shape;
  MlirValue value = onnx_concat(c, values, count, type, &out,
                                last ? axis_last(axis, rank) : axis);
  n->outputs[0] = last ? onnx_from_last(c, type, &shape, value)
                       : onnx_from_ir(c, type, &shape, value);
  return true;
}

// A slice in whichever layout the value is at hand in.
static OnnxValue *slice_value(OnnxImport *c, OnnxValue *value,
                              const OnnxShape *sizes, const int64_t *starts,
                              const int64_t *steps) {
  int rank = sizes->rank;
  if (!onnx_prefers_last(value))
    return onnx_from_ir(
        c, value->type, sizes,
        onnx_slice(c, onnx_ir(c, value), value->type, sizes, starts, steps));
  OnnxShape last = onnx_shape_last(sizes);
  int64_t starts_last[ONNX_MAX_RANK], steps_last[ONNX_MAX_RANK];
  for (int i = 0; i < rank; ++i) {
    starts_last[axis_last(i, rank)] = starts[i];
    steps_last[axis_last(i, rank)] = steps ? steps[i] : 1;
  }
  return onnx_from_last(c, value->type, sizes,
                        onnx_slice(c, onnx_ir_last(c, value), value->type,
                                   &last, starts_last, steps_last));
}

ONNX_HANDLER(split) {
  OnnxValue *value = n->inputs[0];
  int axis, parts = n->output_count;
  int64_t sizes[256], start = 0;
  if (!onnx_axis(c, onnx_attr_int(n, "axis", 0), value->shape.rank, &axis))
    return false;
  int64_t total = value->shape.dims[axis];
  int count = onnx_ints(c, n, 1, "split", sizes, 256);
  if (count == -2 || parts > 256 || parts == 0)
    return onnx_fail(c, "has %d parts, 1 to 256 are possible", parts);
  int64_t each = (total + parts - 1) / parts;
  for (int i = 0; count == -1 && i < parts; ++i)
    sizes[i] = i + 1 < parts ? each : total - each * (parts - 1);
  if (count != -1 && count != parts)
    return onnx_fail(c, "has %d sizes for %d outputs", count, parts);
  for (int i = 0; i < parts; ++i) {
    int64_t starts[ONNX_MAX_RANK] = {0};
    OnnxShape shape = value->shape;
    shape.dims[axis] = sizes[i];
    starts[axis] = start;
    if (sizes[i] < 0 || sizes[i] > total - start)
      return onnx_fail(c, "parts do not sum to %lld", (long long)total);
    if (!onnx_check_shape(c, &shape))
      return false;
    start += sizes[i];
    n->outputs[i] = slice_value(c, value, &shape, starts, NULL);
  }
  return start == total ||
         onnx_fail(c, "parts do not sum to %lld", (long long)total);
}

typedef struct Slice {
  OnnxValue *value;
  OnnxShape shape;
  int64_t starts[ONNX_MAX_RANK], steps[ONNX_MAX_RANK];
  bool backwards;
} Slice;

static bool slice_axis(OnnxImport *c, Slice *s, int64_t axis, int64_t start,
                       int64_t end, int64_t step) {
  int d;
  if (!onnx_axis(c, axis, s->shape.rank, &d))
    return false;
  int64_t size = s->value->shape.dims[d];
  if (step == 0)
    return onnx_fail(c, "step is 0");
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

static MlirValue backward_element(OnnxImport *c, const MlirValue *index,
                                  void *data) {
  const Slice *s = data;
  MlirValue at[ONNX_MAX_RANK];
  for (int i = 0; i < s->shape.rank; ++i) {
    MlirValue scaled =
        onnx_s2(c, "arith.muli", index[i], onnx_lit_index(c, s->steps[i]));
    at[i] = onnx_s2(c, "arith.addi", scaled, onnx_lit_index(c, s->starts[i]));
  }
  return onnx_tensor_extract(c, s->value->ir, at, s->shape.rank,
                             onnx_element_type(c, s->value->type));
}

// A slice whose start is only known at run time but whose size is fixed:
// both ends are one unknown plus constants.
static bool dynamic_slice(OnnxImport *c, OnnxNode *n) {
  OnnxValue *value = n->inputs[0], *start = onnx_input(n, 1);
  OnnxValue *end = onnx_input(n, 2);
  int64_t axis = 0, step = 1;
  int d;
  if (!start || !end || !start->symbol || start->symbol != end->symbol ||
      onnx_input_ints(c, n, 3, &axis, 1) == -2 ||
      onnx_input_ints(c, n, 4, &step, 1) == -2 || step != 1 ||
      !onnx_axis(c, axis, value->shape.rank, &d))
    return onnx_fail(c, "starts and ends must be constant, or differ by a "
                        "constant");
  OnnxShape shape = value->shape;
  shape.dims[d] = end->symbol_offset - start->symbol_offset;
  if (!onnx_check_shape(c, &shape) || shape.dims[d] > value->shape.dims[d])
    return onnx_fail(c, "slice is larger than its input");
  // Kept in range, whatever the input says.
  MlirValue at = onnx_cast_index(
      c, onnx_extract(c, onnx_ir(c, start), start->shape.rank), start->type);
  int64_t room = value->shape.dims[d] - shape.dims[d];
  at = onnx_s2(c, "arith.minsi", at, onnx_lit_index(c, room));
  at = onnx_s2(c, "arith.maxsi", at, onnx_lit_index(c, 0));
  MlirValue operands[2] = {onnx_ir(c, value), at};
  int64_t offsets[ONNX_MAX_RANK] = {0}, strides[ONNX_MAX_RANK];
  for (int i = 0; i < shape.rank; ++i) {
    strides[i] = 1;
    offsets[i] = i == d ? INT64_MIN : 0;
  }
  int32_t segments[4] = {1, 1, 0, 0};
  OnnxAttr attrs[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(c->context, 4, segments)},
      {"static_offsets", onnx_i64s_attr(c, offsets, shape.rank)},
      {"static_sizes", onnx_i64s_attr(c, shape.dims, shape.rank)},
      {"static_strides", onnx_i64s_attr(c, strides, shape.rank)},
  };
  MlirValue made = onnx_emit(c, "tensor.extract_slice",
                             onnx_tensor_type(c, value->type, &shape), operands,
                             2, attrs, 4);
  n->outputs[0] = onnx_from_ir(c, value->type, &shape, made);
  return true;
}

ONNX_HANDLER(slice) {
  Slice s = {.value = n->inputs[0], .shape = n->inputs[0]->shape};
  int64_t starts[ONNX_MAX_RANK], ends[ONNX_MAX_RANK], axes[ONNX_MAX_RANK],
      steps[ONNX_MAX_RANK];
  const OnnxValue *first = onnx_input(n, 1);
  if (first && !first->data)
    return dynamic_slice(c, n);
  int count = onnx_ints(c, n, 1, "starts", starts, ONNX_MAX_RANK);
  int axis_count = onnx_ints(c, n, 3, "axes", axes, ONNX_MAX_RANK);
  int step_count = onnx_ints(c, n, 4, "steps", steps, ONNX_MAX_RANK);
  if (count < 0 || onnx_ints(c, n, 2, "ends", ends, ONNX_MAX_RANK) != count ||
      (axis_count != -1 && axis_count != count) ||
      (step_count != -1 && step_count != count))
    return onnx_fail(c, "starts, ends, axes and steps do not agree");
  for (int i = 0; i < s.shape.rank; ++i)
    s.steps[i] = 1;
  for (int i = 0; i < count; ++i)
    if (!slice_axis(c, &s, axis_count == -1 ? i : axes[i], starts[i], ends[i],
                    step_count == -1 ? 1 : steps[i]))
      return false;
  if (!onnx_check_shape(c, &s.shape))
    return false;
  if (!s.backwards) {
    n->outputs[0] = slice_value(c, s.value, &s.shape, s.starts, s.steps);
    return true;
  }
  OnnxValue source = *s.value;
  source.ir = onnx_ir(c, s.value);
  s.value = &source;
  MlirValue made =
      onnx_generate(c, source.type, &s.shape, backward_element, &s);
  n->outputs[0] = onnx_from_ir(c, source.type, &s.shape, made);
  return true;
}

//===----------------------------------------------------------------------===//
// Repeating
//===----------------------------------------------------------------------===//

static OnnxValue *broadcast_to(OnnxImport *c, OnnxValue *value,
                               const OnnxShape *shape) {
  OnnxLoop loop = {
      .loop_count = shape->rank,
      .input_count = 1,
      .result_count = 1,
      .inputs = {onnx_ir(c, value)},
      .maps = {onnx_broadcast_map(c, &value->shape, shape)},
      .inits = {onnx_empty(c, value->type, shape)},
      .init_maps = {onnx_identity_map(c, shape->rank)},
  };
  onnx_loop_begin(c, &loop);
  MlirOperation op = onnx_loop_end(c, &loop, &loop.args[0]);
  return onnx_from_ir(c, value->type, shape, mlirOperationGetResult(op, 0));
}

ONNX_HANDLER(expand) {
  OnnxShape shape;
  OnnxValue *value = n->inputs[0];
  if (!read_shape(c, n, 1, &shape))
    return false;
  if (!onnx_broadcast(&value->shape, &shape, &shape))
    return onnx_fail(c, "input does not broadcast to the shape");
  if (!onnx_check_shape(c, &shape))
    return false;
  if (onnx_same_shape(&shape, &value->shape))
    n->outputs[0] = value;
  else if (value->data && onnx_elems(&value->shape) == 1)
    n->outputs[0] = fill(c, value->type, &shape, onnx_float_at(value, 0));
  else
    n->outputs[0] = broadcast_to(c, value, &shape);
  return true;
}

ONNX_HANDLER(tile) {
  OnnxValue *value = n->inputs[0];
  OnnxShape shape = value->shape;
  int64_t repeats[ONNX_MAX_RANK];
  int count = onnx_input_ints(c, n, 1, repeats, ONNX_MAX_RANK);
  if (count < 0 || count != shape.rank)
    return onnx_fail(c, "needs one number of repeats per dimension");
  for (int i = 0; i < count; ++i) {
    if (repeats[i] <= 0 || repeats[i] > ONNX_MAX_ELEMS)
      return onnx_fail(c, "repeats a dimension %lld times",
                       (long long)repeats[i]);
    shape.dims[i] *= repeats[i];
  }
  if (!onnx_check_shape(c, &shape))
    return false;
  MlirValue operands[2] = {onnx_ir(c, value),
                           onnx_const_shape(c, repeats, count)};
  MlirValue made =
      onnx_emit(c, "tosa.tile", onnx_tensor_type(c, value->type, &shape),
                operands, 2, NULL, 0);
  n->outputs[0] = onnx_from_ir(c, value->type, &shape, made);
  return true;
}
