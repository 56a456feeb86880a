// Operators that pick elements by index: one linalg.generic each, or a slice.

#include "onnx_index.h"

static MlirValue gather_element(LunaOnnxImport *c, const MlirValue *index,
                                void *data) {
  const LunaOnnxSource *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  s->place(c, s, index, at);
  return luna_onnx_read_data(c, s, at);
}

static void place_row(LunaOnnxImport *c, const LunaOnnxSource *s,
                      const MlirValue *index, MlirValue *at) {
  int index_rank = s->index_value->shape.rank;
  for (int i = 0; i < s->axis; ++i)
    at[i] = index[i];
  at[s->axis] = luna_onnx_read_index(c, s, index + s->axis,
                                     s->value->shape.dims[s->axis]);
  for (int i = s->axis + 1; i < s->value->shape.rank; ++i)
    at[i] = index[i - 1 + index_rank];
}

// One constant index: a slice.
static bool gather_slice(LunaOnnxImport *c, LunaOnnxNode *n, int axis,
                         const LunaShape *shape) {
  LunaOnnxValue *value = n->inputs[0];
  LunaShape sizes = value->shape;
  int64_t starts[LUNA_ONNX_MAX_RANK] = {0};
  int64_t at = luna_onnx_int_at(n->inputs[1], 0), size = sizes.dims[axis];
  if (at < -size || at >= size)
    return luna_onnx_fail(c, "index %lld is outside of %lld elements",
                          (long long)at, (long long)size);
  starts[axis] = at < 0 ? at + size : at;
  sizes.dims[axis] = 1;
  MlirValue cut =
      luna_build_slice(c->b, luna_onnx_ir(c, value), starts, sizes.dims);
  n->outputs[0] = luna_onnx_from_ir(c, value->type, shape,
                                    luna_build_reshape(c->b, cut, shape));
  // An element of a list of one is still the same unknown.
  n->outputs[0]->symbol = size == 1 ? value->symbol : NULL;
  n->outputs[0]->symbol_offset = value->symbol_offset;
  return true;
}

bool luna_onnx_op_gather(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s = {.axis = 0};
  LunaShape shape;
  const LunaShape *from = &n->inputs[0]->shape, *at = &n->inputs[1]->shape;
  int axis;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0), from->rank, &axis))
    return false;
  if (from->rank - 1 + at->rank > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c, "result has too many dimensions");
  shape = luna_onnx_shape(from->rank - 1 + at->rank, NULL);
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = i < axis              ? from->dims[i]
                    : i < axis + at->rank ? at->dims[i - axis]
                                          : from->dims[i - at->rank + 1];
  if (!luna_onnx_check_shape(c, from) || !luna_onnx_check_shape(c, &shape))
    return false;
  if (luna_onnx_is_int(n->inputs[1]->type) &&
      luna_onnx_evaluate_one(c, n->inputs[1]))
    return gather_slice(c, n, axis, &shape);
  if (!luna_onnx_read_source(c, n, &s))
    return false;
  s.axis = axis;
  s.place = place_row;
  return luna_onnx_set_generated(c, n, s.value->type, &shape, gather_element,
                                 &s);
}

LunaOnnxValue *luna_onnx_take(LunaOnnxImport *c, LunaOnnxValue *value,
                              LunaOnnxValue *indices, int axis) {
  LunaOnnxSource s = {.value = value,
                      .index_value = indices,
                      .data = luna_onnx_ir(c, value),
                      .indices = luna_onnx_ir(c, indices),
                      .place = place_row,
                      .axis = axis};
  LunaShape shape = value->shape;
  shape.dims[axis] = indices->shape.dims[0];
  if (!luna_onnx_check_shape(c, &shape))
    return NULL;
  return luna_onnx_from_ir(
      c, value->type, &shape,
      luna_onnx_generate(c, value->type, &shape, gather_element, &s));
}

bool luna_onnx_op_gather_elements(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  return luna_onnx_read_elements(c, n, &s) &&
         luna_onnx_set_generated(c, n, s.value->type, &s.index_value->shape,
                                 gather_element, &s);
}

bool luna_onnx_op_gather_nd(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  LunaShape shape;
  return luna_onnx_read_nd(c, n, luna_onnx_attr_int(n, "batch_dims", 0), &s,
                           &shape) &&
         luna_onnx_set_generated(c, n, s.value->type, &shape, gather_element,
                                 &s);
}
