// Operators whose elements depend on where they stand, and what those that read
// or place elements by index share. Most are one linalg.generic whose body
// computes where an element comes from.

#include "onnx_index.h"

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

MlirValue onnx_read_index(OnnxImport *c, const OnnxSource *s,
                          const MlirValue *at, int64_t size) {
  OnnxType type = s->index_value->type;
  MlirValue raw = luna_scalar_extract(c->b, s->indices, at);
  MlirValue index = onnx_cast_index(c, raw, type);
  MlirValue zero = luna_scalar_index(c->b, 0);
  MlirValue negative = luna_scalar_compare(c->b, LUNA_LT, index, zero);
  index = luna_scalar_select(
      c->b, negative,
      luna_scalar_add(c->b, index, luna_scalar_index(c->b, size)), index);
  index = luna_scalar_max(c->b, index, zero);
  return luna_scalar_min(c->b, index, luna_scalar_index(c->b, size - 1));
}

MlirValue onnx_read_data(OnnxImport *c, const OnnxSource *s,
                         const MlirValue *at) {
  return luna_scalar_extract(c->b, s->data, at);
}

bool onnx_set_generated(OnnxImport *c, OnnxNode *n, OnnxType type,
                        const LunaShape *shape, OnnxElement element,
                        OnnxSource *source) {
  if (!onnx_check_shape(c, shape))
    return false;
  n->outputs[0] = onnx_from_ir(c, type, shape,
                               onnx_generate(c, type, shape, element, source));
  return true;
}

bool onnx_read_source(OnnxImport *c, OnnxNode *n, OnnxSource *s) {
  *s = (OnnxSource){.value = n->inputs[0], .index_value = n->inputs[1]};
  if (!onnx_is_int(s->index_value->type))
    return onnx_fail(c, "indices must be integers");
  if (!onnx_check_shape(c, &s->value->shape) ||
      !onnx_check_shape(c, &s->index_value->shape))
    return false;
  s->data = onnx_ir(c, s->value);
  s->indices = onnx_ir(c, s->index_value);
  return true;
}

bool onnx_indices_fit(OnnxImport *c, const OnnxSource *s) {
  const LunaShape *from = &s->value->shape, *at = &s->index_value->shape;
  bool fits = at->rank == from->rank;
  for (int i = 0; fits && i < from->rank; ++i)
    fits = i == s->axis || at->dims[i] <= from->dims[i];
  return fits || onnx_fail(c, "indices do not fit the data");
}

//===----------------------------------------------------------------------===//
// OneHot, EyeLike, Trilu
//===----------------------------------------------------------------------===//

static MlirValue one_hot_element(OnnxImport *c, const MlirValue *index,
                                 void *data) {
  const OnnxSource *s = data;
  MlirValue at[ONNX_MAX_RANK], pair[1];
  int rank = s->index_value->shape.rank;
  for (int i = 0; i < rank; ++i)
    at[i] = index[i < s->axis ? i : i + 1];
  OnnxType type = s->index_value->type;
  MlirValue raw = luna_scalar_extract(c->b, s->indices, at);
  if (onnx_is_float(type)) {
    raw = onnx_cast(c, raw, type, ONNX_I64);
    type = ONNX_I64;
  }
  MlirValue hot = onnx_cast_index(c, raw, type);
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

ONNX_HANDLER(one_hot) {
  OnnxSource s = {.value = n->inputs[2], .index_value = n->inputs[0]};
  double depth;
  LunaShape shape = n->inputs[0]->shape;
  if (!onnx_input_float(c, n, 1, 0, &depth) ||
      !onnx_axis(c, onnx_attr_int(n, "axis", -1), shape.rank + 1, &s.axis))
    return false;
  if (!(depth >= 1 && depth <= ONNX_MAX_ELEMS) || s.value->shape.rank != 1 ||
      s.value->shape.dims[0] != 2 || shape.rank == ONNX_MAX_RANK ||
      s.index_value->type == ONNX_BOOL)
    return onnx_fail(c, "depth must be positive, values a list of two");
  s.k = (int64_t)depth;
  for (int i = shape.rank; i > s.axis; --i)
    shape.dims[i] = shape.dims[i - 1];
  shape.dims[s.axis] = s.k;
  ++shape.rank;
  s.data = onnx_ir(c, s.value);
  s.indices = onnx_ir(c, s.index_value);
  return onnx_set_generated(c, n, s.value->type, &shape, one_hot_element, &s);
}

static MlirValue eye_element(OnnxImport *c, const MlirValue *index,
                             void *data) {
  const OnnxSource *s = data;
  MlirValue column =
      luna_scalar_add(c->b, index[0], luna_scalar_index(c->b, s->k));
  MlirValue on = luna_scalar_compare(c->b, LUNA_EQ, column, index[1]);
  return luna_scalar_select(c->b, on, onnx_lit(c, (OnnxType)s->axis, 1),
                            onnx_lit(c, (OnnxType)s->axis, 0));
}

ONNX_HANDLER(eye_like) {
  OnnxSource s = {.k = onnx_attr_int(n, "k", 0)};
  OnnxType type = (OnnxType)onnx_attr_int(n, "dtype", n->inputs[0]->type);
  if (n->inputs[0]->shape.rank != 2 || onnx_type_bytes(type) == 0 ||
      s.k > ONNX_MAX_ELEMS || s.k < -ONNX_MAX_ELEMS)
    return onnx_fail(c, "needs a matrix and a supported type");
  s.axis = (int)type;
  return onnx_set_generated(c, n, type, &n->inputs[0]->shape, eye_element, &s);
}

static MlirValue trilu_element(OnnxImport *c, const MlirValue *index,
                               void *data) {
  const OnnxSource *s = data;
  int rank = s->value->shape.rank;
  MlirValue edge =
      luna_scalar_add(c->b, index[rank - 2], luna_scalar_index(c->b, s->k));
  MlirValue keep = luna_scalar_compare(c->b, s->flag ? LUNA_GE : LUNA_LE,
                                       index[rank - 1], edge);
  return luna_scalar_select(c->b, keep, onnx_read_data(c, s, index),
                            onnx_lit(c, s->value->type, 0));
}

ONNX_HANDLER(trilu) {
  OnnxSource s = {.value = n->inputs[0],
                  .flag = onnx_attr_int(n, "upper", 1) != 0};
  double k;
  if (!onnx_input_float(c, n, 1, 0, &k))
    return false;
  if (s.value->shape.rank < 2 || !onnx_check_shape(c, &s.value->shape))
    return onnx_fail(c, "needs at least 2 dimensions");
  double limit = 2.0 * ONNX_MAX_ELEMS;
  s.k = (int64_t)(k > limit ? limit : k < -limit ? -limit : k);
  s.data = onnx_ir(c, s.value);
  return onnx_set_generated(c, n, s.value->type, &s.value->shape, trilu_element,
                            &s);
}

//===----------------------------------------------------------------------===//
// ReverseSequence
//===----------------------------------------------------------------------===//

static MlirValue reverse_element(OnnxImport *c, const MlirValue *index,
                                 void *data) {
  const OnnxSource *s = data;
  MlirValue at[ONNX_MAX_RANK];
  for (int i = 0; i < s->value->shape.rank; ++i)
    at[i] = index[i];
  MlirValue raw = luna_scalar_extract(c->b, s->indices, &index[s->batch]);
  MlirValue length =
      luna_scalar_min(c->b, onnx_cast_index(c, raw, s->index_value->type),
                      luna_scalar_index(c->b, s->value->shape.dims[s->axis]));
  MlirValue inside = luna_scalar_compare(c->b, LUNA_LT, index[s->axis], length);
  MlirValue mirrored = luna_scalar_sub(
      c->b, length,
      luna_scalar_add(c->b, index[s->axis], luna_scalar_index(c->b, 1)));
  at[s->axis] = luna_scalar_select(c->b, inside, mirrored, index[s->axis]);
  return onnx_read_data(c, s, at);
}

ONNX_HANDLER(reverse_sequence) {
  OnnxSource s;
  if (!onnx_read_source(c, n, &s) ||
      !onnx_axis(c, onnx_attr_int(n, "time_axis", 0), s.value->shape.rank,
                 &s.axis) ||
      !onnx_axis(c, onnx_attr_int(n, "batch_axis", 1), s.value->shape.rank,
                 &s.batch))
    return false;
  if (s.index_value->shape.rank != 1 || s.axis == s.batch ||
      s.index_value->shape.dims[0] != s.value->shape.dims[s.batch])
    return onnx_fail(c, "needs one length per batch entry");
  return onnx_set_generated(c, n, s.value->type, &s.value->shape,
                            reverse_element, &s);
}
