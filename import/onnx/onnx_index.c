// Operators whose elements depend on where they stand, and what those that read
// or place elements by index share. Most are one linalg.generic whose body
// computes where an element comes from.

#include "onnx_index.h"

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

MlirValue onnx_add_index(OnnxImport *c, MlirValue a, MlirValue b) {
  return onnx_s2(c, "arith.addi", a, b);
}

MlirValue onnx_read_index(OnnxImport *c, const OnnxSource *s,
                          const MlirValue *at, int rank, int64_t size) {
  OnnxType type = s->index_value->type;
  MlirValue raw =
      onnx_tensor_extract(c, s->indices, at, rank, onnx_element_type(c, type));
  MlirValue index = onnx_cast_index(c, raw, type);
  MlirValue zero = onnx_lit_index(c, 0);
  MlirValue negative = onnx_compare_index(c, ONNX_LT, index, zero);
  index = onnx_select(c, negative,
                      onnx_add_index(c, index, onnx_lit_index(c, size)), index);
  index = onnx_s2(c, "arith.maxsi", index, zero);
  return onnx_s2(c, "arith.minsi", index, onnx_lit_index(c, size - 1));
}

MlirValue onnx_read_data(OnnxImport *c, const OnnxSource *s,
                         const MlirValue *at) {
  return onnx_tensor_extract(c, s->data, at, s->value->shape.rank,
                             onnx_element_type(c, s->value->type));
}

bool onnx_set_generated(OnnxImport *c, OnnxNode *n, OnnxType type,
                        const OnnxShape *shape, OnnxElement element,
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
  const OnnxShape *from = &s->value->shape, *at = &s->index_value->shape;
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
  MlirValue raw =
      onnx_tensor_extract(c, s->indices, at, rank, onnx_element_type(c, type));
  if (onnx_is_float(type)) {
    raw = onnx_cast(c, raw, type, ONNX_I64);
    type = ONNX_I64;
  }
  MlirValue hot = onnx_cast_index(c, raw, type);
  MlirValue negative =
      onnx_compare_index(c, ONNX_LT, hot, onnx_lit_index(c, 0));
  hot = onnx_select(c, negative,
                    onnx_add_index(c, hot, onnx_lit_index(c, s->k)), hot);
  MlirValue is_hot = onnx_compare_index(c, ONNX_EQ, hot, index[s->axis]);
  pair[0] = onnx_select(c, is_hot, onnx_lit_index(c, 1), onnx_lit_index(c, 0));
  return onnx_tensor_extract(c, s->data, pair, 1,
                             onnx_element_type(c, s->value->type));
}

ONNX_HANDLER(one_hot) {
  OnnxSource s = {.value = n->inputs[2], .index_value = n->inputs[0]};
  double depth;
  OnnxShape shape = n->inputs[0]->shape;
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
  MlirValue column = onnx_add_index(c, index[0], onnx_lit_index(c, s->k));
  MlirValue on = onnx_compare_index(c, ONNX_EQ, column, index[1]);
  return onnx_select(c, on, onnx_lit_int(c, (OnnxType)s->axis, 1),
                     onnx_lit_int(c, (OnnxType)s->axis, 0));
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
  MlirValue edge = onnx_add_index(c, index[rank - 2], onnx_lit_index(c, s->k));
  MlirValue keep =
      onnx_compare_index(c, s->flag ? ONNX_GE : ONNX_LE, index[rank - 1], edge);
  return onnx_select(c, keep, onnx_read_data(c, s, index),
                     onnx_lit_int(c, s->value->type, 0));
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
  MlirValue raw =
      onnx_tensor_extract(c, s->indices, &index[s->batch], 1,
                          onnx_element_type(c, s->index_value->type));
  MlirValue length =
      onnx_s2(c, "arith.minsi", onnx_cast_index(c, raw, s->index_value->type),
              onnx_lit_index(c, s->value->shape.dims[s->axis]));
  MlirValue inside = onnx_compare_index(c, ONNX_LT, index[s->axis], length);
  MlirValue mirrored =
      onnx_s2(c, "arith.subi", length,
              onnx_add_index(c, index[s->axis], onnx_lit_index(c, 1)));
  at[s->axis] = onnx_select(c, inside, mirrored, index[s->axis]);
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
