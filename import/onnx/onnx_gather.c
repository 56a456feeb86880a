// Operators that pick elements by index: one linalg.generic each, or a slice.

#include "onnx_index.h"

static MlirValue gather_element(LunaOnnxImport *c, const MlirValue *index,
                                void *data) {
  const LunaOnnxSource *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  int index_rank = s->index_value->shape.rank;
  for (int i = 0; i < s->axis; ++i)
    at[i] = index[i];
  at[s->axis] = luna_onnx_read_index(c, s, index + s->axis,
                                     s->value->shape.dims[s->axis]);
  for (int i = s->axis + 1; i < s->value->shape.rank; ++i)
    at[i] = index[i - 1 + index_rank];
  return luna_onnx_read_data(c, s, at);
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
  return luna_onnx_set_generated(c, n, s.value->type, &shape, gather_element,
                                 &s);
}

LunaOnnxValue *luna_onnx_take(LunaOnnxImport *c, LunaOnnxValue *value,
                              LunaOnnxValue *indices, int axis) {
  LunaOnnxSource s = {.value = value,
                      .index_value = indices,
                      .data = luna_onnx_ir(c, value),
                      .indices = luna_onnx_ir(c, indices),
                      .axis = axis};
  LunaShape shape = value->shape;
  shape.dims[axis] = indices->shape.dims[0];
  if (!luna_onnx_check_shape(c, &shape))
    return NULL;
  return luna_onnx_from_ir(
      c, value->type, &shape,
      luna_onnx_generate(c, value->type, &shape, gather_element, &s));
}

static MlirValue gather_elements_element(LunaOnnxImport *c,
                                         const MlirValue *index, void *data) {
  const LunaOnnxSource *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  int rank = s->value->shape.rank;
  for (int i = 0; i < rank; ++i)
    at[i] = index[i];
  at[s->axis] =
      luna_onnx_read_index(c, s, index, s->value->shape.dims[s->axis]);
  return luna_onnx_read_data(c, s, at);
}

bool luna_onnx_op_gather_elements(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  return luna_onnx_read_source(c, n, &s) &&
         luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0),
                        s.value->shape.rank, &s.axis) &&
         luna_onnx_indices_fit(c, &s) &&
         luna_onnx_set_generated(c, n, s.value->type, &s.index_value->shape,
                                 gather_elements_element, &s);
}

static MlirValue gather_nd_element(LunaOnnxImport *c, const MlirValue *index,
                                   void *data) {
  const LunaOnnxSource *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK], where[LUNA_ONNX_MAX_RANK];
  int index_rank = s->index_value->shape.rank;
  int depth = (int)s->index_value->shape.dims[index_rank - 1];
  for (int i = 0; i + 1 < index_rank; ++i)
    where[i] = index[i];
  for (int i = 0; i < s->batch; ++i)
    at[i] = index[i];
  for (int i = 0; i < depth; ++i) {
    where[index_rank - 1] = luna_scalar_index(c->b, i);
    at[s->batch + i] =
        luna_onnx_read_index(c, s, where, s->value->shape.dims[s->batch + i]);
  }
  for (int i = s->batch + depth; i < s->value->shape.rank; ++i)
    at[i] = index[index_rank - 1 + i - s->batch - depth];
  return luna_onnx_read_data(c, s, at);
}

bool luna_onnx_op_gather_nd(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  if (!luna_onnx_read_source(c, n, &s))
    return false;
  const LunaShape *from = &s.value->shape, *at = &s.index_value->shape;
  int64_t depth = at->rank > 0 ? at->dims[at->rank - 1] : 0;
  int64_t batch = luna_onnx_attr_int(n, "batch_dims", 0);
  LunaShape shape = {.rank = 0};
  if (depth < 1 || batch < 0 || batch >= at->rank || depth > from->rank ||
      batch > from->rank - depth ||
      at->rank - 1 + from->rank - depth - batch > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c, "indices do not fit the data");
  s.batch = (int)batch;
  for (int i = 0; i < s.batch; ++i)
    if (at->dims[i] != from->dims[i])
      return luna_onnx_fail(c, "batch dimensions differ");
  for (int i = 0; i + 1 < at->rank; ++i)
    shape.dims[shape.rank++] = at->dims[i];
  for (int i = s.batch + (int)depth; i < from->rank; ++i)
    shape.dims[shape.rank++] = from->dims[i];
  return luna_onnx_set_generated(c, n, s.value->type, &shape, gather_nd_element,
                                 &s);
}
