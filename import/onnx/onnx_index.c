// Operators whose elements depend on where they stand, and what those that read
// or place elements by index share. Most are one linalg.generic whose body
// computes where an element comes from.

#include "onnx_index.h"

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

MlirValue luna_onnx_read_index(LunaOnnxImport *c, const LunaOnnxSource *s,
                               const MlirValue *at, int64_t size) {
  LunaOnnxType type = s->index_value->type;
  MlirValue raw = luna_scalar_extract(c->b, s->indices, at);
  MlirValue index = luna_onnx_cast_index(c, raw, type);
  MlirValue zero = luna_scalar_index(c->b, 0);
  MlirValue negative = luna_scalar_compare(c->b, LUNA_LT, index, zero);
  index = luna_scalar_select(
      c->b, negative,
      luna_scalar_add(c->b, index, luna_scalar_index(c->b, size)), index);
  index = luna_scalar_max(c->b, index, zero);
  return luna_scalar_min(c->b, index, luna_scalar_index(c->b, size - 1));
}

MlirValue luna_onnx_read_data(LunaOnnxImport *c, const LunaOnnxSource *s,
                              const MlirValue *at) {
  return luna_scalar_extract(c->b, s->data, at);
}

bool luna_onnx_set_generated(LunaOnnxImport *c, LunaOnnxNode *n,
                             LunaOnnxType type, const LunaShape *shape,
                             LunaOnnxElement element, LunaOnnxSource *source) {
  if (!luna_onnx_check_shape(c, shape))
    return false;
  n->outputs[0] = luna_onnx_from_ir(
      c, type, shape, luna_onnx_generate(c, type, shape, element, source));
  return true;
}

bool luna_onnx_read_source(LunaOnnxImport *c, LunaOnnxNode *n,
                           LunaOnnxSource *s) {
  *s = (LunaOnnxSource){.value = n->inputs[0], .index_value = n->inputs[1]};
  if (!luna_onnx_is_int(s->index_value->type))
    return luna_onnx_fail(c, "indices must be integers");
  if (!luna_onnx_check_shape(c, &s->value->shape) ||
      !luna_onnx_check_shape(c, &s->index_value->shape))
    return false;
  s->data = luna_onnx_ir(c, s->value);
  s->indices = luna_onnx_ir(c, s->index_value);
  return true;
}

static void place_element(LunaOnnxImport *c, const LunaOnnxSource *s,
                          const MlirValue *index, MlirValue *at) {
  for (int i = 0; i < s->value->shape.rank; ++i)
    at[i] = index[i];
  at[s->axis] =
      luna_onnx_read_index(c, s, index, s->value->shape.dims[s->axis]);
}

bool luna_onnx_read_elements(LunaOnnxImport *c, LunaOnnxNode *n,
                             LunaOnnxSource *s) {
  if (!luna_onnx_read_source(c, n, s) ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0), s->value->shape.rank,
                      &s->axis))
    return false;
  const LunaShape *from = &s->value->shape, *at = &s->index_value->shape;
  bool fits = at->rank == from->rank;
  for (int i = 0; fits && i < from->rank; ++i)
    fits = i == s->axis || at->dims[i] <= from->dims[i];
  s->place = place_element;
  return fits || luna_onnx_fail(c, "indices do not fit the data");
}

static void place_nd(LunaOnnxImport *c, const LunaOnnxSource *s,
                     const MlirValue *index, MlirValue *at) {
  MlirValue where[LUNA_ONNX_MAX_RANK];
  const LunaShape *from = &s->value->shape, *list = &s->index_value->shape;
  int last = list->rank - 1, first = s->batch;
  int end = first + (int)list->dims[last];
  for (int i = 0; i < last; ++i)
    where[i] = index[i];
  for (int i = 0; i < first; ++i)
    at[i] = index[i];
  for (int i = first; i < end; ++i) {
    where[last] = luna_scalar_index(c->b, i - first);
    at[i] = luna_onnx_read_index(c, s, where, from->dims[i]);
  }
  for (int i = end; i < from->rank; ++i)
    at[i] = index[last + i - end];
}

bool luna_onnx_read_nd(LunaOnnxImport *c, LunaOnnxNode *n, int64_t batch,
                       LunaOnnxSource *s, LunaShape *shape) {
  if (!luna_onnx_read_source(c, n, s))
    return false;
  const LunaShape *from = &s->value->shape, *at = &s->index_value->shape;
  int64_t depth = at->rank > 0 ? at->dims[at->rank - 1] : 0;
  if (depth < 1 || batch < 0 || batch >= at->rank || depth > from->rank ||
      batch > from->rank - depth ||
      at->rank - 1 + from->rank - depth - batch > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c, "indices do not fit the data");
  s->place = place_nd;
  s->batch = (int)batch;
  for (int i = 0; i < s->batch; ++i)
    if (at->dims[i] != from->dims[i])
      return luna_onnx_fail(c, "batch dimensions differ");
  *shape = luna_onnx_shape(at->rank - 1, at->dims);
  for (int i = s->batch + (int)depth; i < from->rank; ++i)
    shape->dims[shape->rank++] = from->dims[i];
  return true;
}

//===----------------------------------------------------------------------===//
// OneHot, EyeLike, Trilu
//===----------------------------------------------------------------------===//

static MlirValue one_hot_element(LunaOnnxImport *c, const MlirValue *index,
                                 void *data) {
  const LunaOnnxSource *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK], pair[1];
  int rank = s->index_value->shape.rank;
  for (int i = 0; i < rank; ++i)
    at[i] = index[i < s->axis ? i : i + 1];
  LunaOnnxType type = s->index_value->type;
  MlirValue raw = luna_scalar_extract(c->b, s->indices, at);
  if (luna_onnx_is_float(type)) {
    raw = luna_onnx_cast(c, raw, type, LUNA_ONNX_I64);
    type = LUNA_ONNX_I64;
  }
  MlirValue hot = luna_onnx_cast_index(c, raw, type);
  MlirValue negative =
      luna_scalar_compare(c->b, LUNA_LT, hot, luna_scalar_index(c->b, 0));
  hot = luna_scalar_select(
      c->b, negative, luna_scalar_add(c->b, hot, luna_scalar_index(c->b, s->k)),
      hot);
  MlirValue is_hot = luna_scalar_compare(c->b, LUNA_EQ, hot, index[s->axis]);
  pair[0] = luna_scalar_select(c->b, is_hot, luna_scalar_index(c->b, 1),
                               luna_scalar_index(c->b, 0));
  return luna_scalar_extract(c->b, s->data, pair);
}

bool luna_onnx_op_one_hot(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s = {.value = n->inputs[2], .index_value = n->inputs[0]};
  double depth;
  LunaShape shape = n->inputs[0]->shape;
  if (!luna_onnx_input_float(c, n, 1, 0, &depth) ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", -1), shape.rank + 1,
                      &s.axis))
    return false;
  if (!(depth >= 1 && depth <= LUNA_ONNX_MAX_ELEMS) ||
      s.value->shape.rank != 1 || s.value->shape.dims[0] != 2 ||
      shape.rank == LUNA_ONNX_MAX_RANK || s.index_value->type == LUNA_ONNX_BOOL)
    return luna_onnx_fail(c, "depth must be positive, values a list of two");
  s.k = (int64_t)depth;
  for (int i = shape.rank; i > s.axis; --i)
    shape.dims[i] = shape.dims[i - 1];
  shape.dims[s.axis] = s.k;
  ++shape.rank;
  s.data = luna_onnx_ir(c, s.value);
  s.indices = luna_onnx_ir(c, s.index_value);
  return luna_onnx_set_generated(c, n, s.value->type, &shape, one_hot_element,
                                 &s);
}

static MlirValue eye_element(LunaOnnxImport *c, const MlirValue *index,
                             void *data) {
  const LunaOnnxSource *s = data;
  MlirValue column =
      luna_scalar_add(c->b, index[0], luna_scalar_index(c->b, s->k));
  MlirValue on = luna_scalar_compare(c->b, LUNA_EQ, column, index[1]);
  return luna_scalar_select(c->b, on,
                            luna_onnx_lit(c, (LunaOnnxType)s->axis, 1),
                            luna_onnx_lit(c, (LunaOnnxType)s->axis, 0));
}

bool luna_onnx_op_eye_like(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s = {.k = luna_onnx_attr_int(n, "k", 0)};
  LunaOnnxType type =
      (LunaOnnxType)luna_onnx_attr_int(n, "dtype", n->inputs[0]->type);
  if (n->inputs[0]->shape.rank != 2 || luna_onnx_type_bytes(type) == 0 ||
      s.k > LUNA_ONNX_MAX_ELEMS || s.k < -LUNA_ONNX_MAX_ELEMS)
    return luna_onnx_fail(c, "needs a matrix and a supported type");
  s.axis = (int)type;
  return luna_onnx_set_generated(c, n, type, &n->inputs[0]->shape, eye_element,
                                 &s);
}

static MlirValue trilu_element(LunaOnnxImport *c, const MlirValue *index,
                               void *data) {
  const LunaOnnxSource *s = data;
  int rank = s->value->shape.rank;
  MlirValue edge =
      luna_scalar_add(c->b, index[rank - 2], luna_scalar_index(c->b, s->k));
  MlirValue keep = luna_scalar_compare(c->b, s->flag ? LUNA_GE : LUNA_LE,
                                       index[rank - 1], edge);
  return luna_scalar_select(c->b, keep, luna_onnx_read_data(c, s, index),
                            luna_onnx_lit(c, s->value->type, 0));
}

bool luna_onnx_op_trilu(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s = {.value = n->inputs[0],
                      .flag = luna_onnx_attr_int(n, "upper", 1) != 0};
  double k;
  if (!luna_onnx_input_float(c, n, 1, 0, &k))
    return false;
  if (s.value->shape.rank < 2 || !luna_onnx_check_shape(c, &s.value->shape))
    return luna_onnx_fail(c, "needs at least 2 dimensions");
  double limit = 2.0 * LUNA_ONNX_MAX_ELEMS;
  s.k = (int64_t)(k > limit ? limit : k < -limit ? -limit : k);
  s.data = luna_onnx_ir(c, s.value);
  return luna_onnx_set_generated(c, n, s.value->type, &s.value->shape,
                                 trilu_element, &s);
}

//===----------------------------------------------------------------------===//
// ReverseSequence
//===----------------------------------------------------------------------===//

static MlirValue reverse_element(LunaOnnxImport *c, const MlirValue *index,
                                 void *data) {
  const LunaOnnxSource *s = data;
  MlirValue at[LUNA_ONNX_MAX_RANK];
  for (int i = 0; i < s->value->shape.rank; ++i)
    at[i] = index[i];
  MlirValue raw = luna_scalar_extract(c->b, s->indices, &index[s->batch]);
  MlirValue length =
      luna_scalar_min(c->b, luna_onnx_cast_index(c, raw, s->index_value->type),
                      luna_scalar_index(c->b, s->value->shape.dims[s->axis]));
  MlirValue inside = luna_scalar_compare(c->b, LUNA_LT, index[s->axis], length);
  MlirValue mirrored = luna_scalar_sub(
      c->b, length,
      luna_scalar_add(c->b, index[s->axis], luna_scalar_index(c->b, 1)));
  at[s->axis] = luna_scalar_select(c->b, inside, mirrored, index[s->axis]);
  return luna_onnx_read_data(c, s, at);
}

bool luna_onnx_op_reverse_sequence(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  if (!luna_onnx_read_source(c, n, &s) ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "time_axis", 0),
                      s.value->shape.rank, &s.axis) ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "batch_axis", 1),
                      s.value->shape.rank, &s.batch))
    return false;
  if (s.index_value->shape.rank != 1 || s.axis == s.batch ||
      s.index_value->shape.dims[0] != s.value->shape.dims[s.batch])
    return luna_onnx_fail(c, "needs one length per batch entry");
  return luna_onnx_set_generated(c, n, s.value->type, &s.value->shape,
                                 reverse_element, &s);
}
