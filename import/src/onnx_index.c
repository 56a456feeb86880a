// Operators that pick or place elements by index. Most are one linalg.generic
// whose body computes where an element comes from.

#include "onnx.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

// What an element function reads from.
typedef struct Source {
  MlirValue data, indices;
  OnnxValue *value, *index_value;
  int axis, batch;
  int64_t k;
  bool flag;
} Source;

static MlirValue add_index(OnnxImport *c, MlirValue a, MlirValue b) {
  return onnx_s2(c, "arith.addi", a, b);
}

// Reads an index, takes negative ones from the end, and keeps it in range.
static MlirValue read_index(OnnxImport *c, const Source *s, const MlirValue *at,
                            int rank, int64_t size) {
  OnnxType type = s->index_value->type;
  MlirValue raw =
      onnx_tensor_extract(c, s->indices, at, rank, onnx_element_type(c, type));
  MlirValue index = onnx_cast_index(c, raw, type);
  MlirValue zero = onnx_lit_index(c, 0);
  MlirValue negative = onnx_compare_index(c, ONNX_LT, index, zero);
  index = onnx_select(c, negative, add_index(c, index, onnx_lit_index(c, size)),
                      index);
  index = onnx_s2(c, "arith.maxsi", index, zero);
  return onnx_s2(c, "arith.minsi", index, onnx_lit_index(c, size - 1));
}

static MlirValue read_data(OnnxImport *c, const Source *s,
                           const MlirValue *at) {
  return onnx_tensor_extract(c, s->data, at, s->value->shape.rank,
                             onnx_element_type(c, s->value->type));
}

static bool set_generated(OnnxImport *c, OnnxNode *n, OnnxType type,
                          const OnnxShape *shape, OnnxElement element,
                          Source *source) {
  if (!onnx_check_shape(c, shape))
    return false;
  n->outputs[0] = onnx_from_ir(c, type, shape,
                               onnx_generate(c, type, shape, element, source));
  return true;
}

static bool read_source(OnnxImport *c, OnnxNode *n, Source *s) {
  *s = (Source){.value = n->inputs[0], .index_value = n->inputs[1]};
  if (!onnx_is_int(s->index_value->type))
    return onnx_fail(c, "indices must be integers");
  if (!onnx_check_shape(c, &s->value->shape) ||
      !onnx_check_shape(c, &s->index_value->shape))
    return false;
  s->data = onnx_ir(c, s->value);
  s->indices = onnx_ir(c, s->index_value);
  return true;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static MlirValue gather_element(OnnxImport *c, const MlirValue *index,
                                void *data) {
  const Source *s = data;
  MlirValue at[ONNX_MAX_RANK];
  int index_rank = s->index_value->shape.rank;
  for (int i = 0; i < s->axis; ++i)
    at[i] = index[i];
  at[s->axis] = read_index(c, s, index + s->axis, index_rank,
                           s->value->shape.dims[s->axis]);
  for (int i = s->axis + 1; i < s->value->shape.rank; ++i)
    at[i] = index[i - 1 + index_rank];
  return read_data(c, s, at);
}

// One constant index: a slice.
static bool gather_slice(OnnxImport *c, OnnxNode *n, int axis,
                         const OnnxShape *shape) {
  OnnxValue *value = n->inputs[0];
  OnnxShape sizes = value->shape;
  int64_t starts[ONNX_MAX_RANK] = {0};
  int64_t at = onnx_int_at(n->inputs[1], 0), size = sizes.dims[axis];
  if (at < -size || at >= size)
    return onnx_fail(c, "index %lld is outside of %lld elements", (long long)at,
                     (long long)size);
  starts[axis] = at < 0 ? at + size : at;
  sizes.dims[axis] = 1;
  MlirValue cut =
      onnx_slice(c, onnx_ir(c, value), value->type, &sizes, starts, NULL);
  n->outputs[0] = onnx_from_ir(c, value->type, shape,
                               onnx_reshape(c, cut, value->type, shape));
  // An element of a list of one is still the same unknown.
  n->outputs[0]->symbol = size == 1 ? value->symbol : NULL;
  n->outputs[0]->symbol_offset = value->symbol_offset;
  return true;
}

ONNX_HANDLER(gather) {
  Source s = {.axis = 0};
  OnnxShape shape;
  const OnnxShape *from = &n->inputs[0]->shape, *at = &n->inputs[1]->shape;
  int axis;
  if (!onnx_axis(c, onnx_attr_int(n, "axis", 0), from->rank, &axis))
    return false;
  if (from->rank - 1 + at->rank > ONNX_MAX_RANK)
    return onnx_fail(c, "result has too many dimensions");
  shape = onnx_shape(from->rank - 1 + at->rank, NULL);
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = i < axis              ? from->dims[i]
                    : i < axis + at->rank ? at->dims[i - axis]
                                          : from->dims[i - at->rank + 1];
  if (!onnx_check_shape(c, from) || !onnx_check_shape(c, &shape))
    return false;
  if (n->inputs[1]->data && onnx_elems(at) == 1 &&
      onnx_is_int(n->inputs[1]->type))
    return gather_slice(c, n, axis, &shape);
  if (!read_source(c, n, &s))
    return false;
  s.axis = axis;
  return set_generated(c, n, s.value->type, &shape, gather_element, &s);
}

OnnxValue *onnx_take(OnnxImport *c, OnnxValue *value, OnnxValue *indices,
                     int axis) {
  Source s = {.value = value,
              .index_value = indices,
              .data = onnx_ir(c, value),
              .indices = onnx_ir(c, indices),
              .axis = axis};
  OnnxShape shape = value->shape;
  shape.dims[axis] = indices->shape.dims[0];
  if (!onnx_check_shape(c, &shape))
    return NULL;
  return onnx_from_ir(
      c, value->type, &shape,
      onnx_generate(c, value->type, &shape, gather_element, &s));
}

static MlirValue gather_elements_element(OnnxImport *c, const MlirValue *index,
                                         void *data) {
  const Source *s = data;
  MlirValue at[ONNX_MAX_RANK];
  int rank = s->value->shape.rank;
  for (int i = 0; i < rank; ++i)
    at[i] = index[i];
  at[s->axis] = read_index(c, s, index, rank, s->value->shape.dims[s->axis]);
  return read_data(c, s, at);
}

static bool indices_fit(OnnxImport *c, const Source *s) {
  const OnnxShape *from = &s->value->shape, *at = &s->index_value->shape;
  bool fits = at->rank == from->rank;
  for (int i = 0; fits && i < from->rank; ++i)
    fits = i == s->axis || at->dims[i] <= from->dims[i];
  return fits || onnx_fail(c, "indices do not fit the data");
}

ONNX_HANDLER(gather_elements) {
  Source s;
  return read_source(c, n, &s) &&
         onnx_axis(c, onnx_attr_int(n, "axis", 0), s.value->shape.rank,
                   &s.axis) &&
         indices_fit(c, &s) &&
         set_generated(c, n, s.value->type, &s.index_value->shape,
                       gather_elements_element, &s);
}

static MlirValue gather_nd_element(OnnxImport *c, const MlirValue *index,
                                   void *data) {
  const Source *s = data;
  MlirValue at[ONNX_MAX_RANK], where[ONNX_MAX_RANK];
  int index_rank = s->index_value->shape.rank;
  int depth = (int)s->index_value->shape.dims[index_rank - 1];
  for (int i = 0; i + 1 < index_rank; ++i)
    where[i] = index[i];
  for (int i = 0; i < s->batch; ++i)
    at[i] = index[i];
  for (int i = 0; i < depth; ++i) {
    where[index_rank - 1] = onnx_lit_index(c, i);
    at[s->batch + i] =
        read_index(c, s, where, index_rank, s->value->shape.dims[s->batch + i]);
  }
  for (int i = s->batch + depth; i < s->value->shape.rank; ++i)
    at[i] = index[index_rank - 1 + i - s->batch - depth];
  return read_data(c, s, at);
}

ONNX_HANDLER(gather_nd) {
  Source s;
  if (!read_source(c, n, &s))
    return false;
  const OnnxShape *from = &s.value->shape, *at = &s.index_value->shape;
  int64_t depth = at->rank > 0 ? at->dims[at->rank - 1] : 0;
  int64_t batch = onnx_attr_int(n, "batch_dims", 0);
  OnnxShape shape = {.rank = 0};
  if (depth < 1 || batch < 0 || batch >= at->rank || depth > from->rank ||
      batch > from->rank - depth ||
      at->rank - 1 + from->rank - depth - batch > ONNX_MAX_RANK)
    return onnx_fail(c, "indices do not fit the data");
  s.batch = (int)batch;
  for (int i = 0; i < s.batch; ++i)
    if (at->dims[i] != from->dims[i])
      return onnx_fail(c, "batch dimensions differ");
  for (int i = 0; i + 1 < at->rank; ++i)
    shape.dims[shape.rank++] = at->dims[i];
  for (int i = s.batch + (int)depth; i < from->rank; ++i)
    shape.dims[shape.rank++] = from->dims[i];
  return set_generated(c, n, s.value->type, &shape, gather_nd_element, &s);
}

//===----------------------------------------------------------------------===//
// Scatter: a loop over the updates, so that later ones win
//===----------------------------------------------------------------------===//

// Splits a flat index of `shape` into one per dimension.
static void unflatten(OnnxImport *c, MlirValue flat, const OnnxShape *shape,
                      MlirValue *index) {
  for (int i = shape->rank - 1; i >= 0; --i) {
    MlirValue size = onnx_lit_index(c, shape->dims[i]);
    index[i] = onnx_s2(c, "arith.remui", flat, size);
    flat = onnx_s2(c, "arith.divui", flat, size);
  }
}

typedef void (*Place)(OnnxImport *c, const Source *s, const MlirValue *index,
                      MlirValue *at);

static bool reduction_of(OnnxImport *c, const OnnxNode *n, const char **name) {
  bool add = onnx_attr_is(n, "reduction", "none", "add");
  bool mul = onnx_attr_is(n, "reduction", "none", "mul");
  *name = add ? "add" : mul ? "mul" : NULL;
  return add || mul || onnx_attr_is(n, "reduction", "none", "none") ||
         onnx_fail(c, "reduction must be none, add or mul");
}

static bool scatter(OnnxImport *c, OnnxNode *n, Source *s,
                    const OnnxShape *updates, Place place) {
  const char *reduction;
  OnnxType type = s->value->type;
  OnnxValue *update_value = n->inputs[2];
  if (!reduction_of(c, n, &reduction))
    return false;
  if (update_value->type != type ||
      !onnx_same_shape(&update_value->shape, updates) || updates->rank == 0)
    return onnx_fail(c, "updates do not fit the data and the indices");
  MlirValue source = onnx_ir(c, update_value);
  MlirType tensor = onnx_tensor_type(c, type, &s->value->shape);
  MlirValue operands[4] = {onnx_lit_index(c, 0),
                           onnx_lit_index(c, onnx_elems(updates)),
                           onnx_lit_index(c, 1), s->data};
  MlirBlock outer = c->block, body = mlirBlockCreate(0, NULL, NULL);
  MlirValue flat = mlirBlockAddArgument(body, onnx_index_type(c), c->location);
  MlirValue into = mlirBlockAddArgument(body, tensor, c->location);
  c->block = body;
  MlirValue index[ONNX_MAX_RANK], at[ONNX_MAX_RANK + 2];
  unflatten(c, flat, updates, index);
  place(c, s, index, at + 2);
  MlirType element = onnx_element_type(c, type);
  MlirValue value =
      onnx_tensor_extract(c, source, index, updates->rank, element);
  if (reduction) {
    MlirValue old =
        onnx_tensor_extract(c, into, at + 2, s->value->shape.rank, element);
    value = strcmp(reduction, "add") == 0 ? onnx_add(c, type, old, value)
                                          : onnx_mul(c, type, old, value);
  }
  at[0] = value;
  at[1] = into;
  MlirValue made = onnx_emit(c, "tensor.insert", tensor, at,
                             s->value->shape.rank + 2, NULL, 0);
  onnx_emit_op(c, "scf.yield", NULL, 0, &made, 1, NULL, 0, NULL, 0);
  c->block = outer;
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirOperation op =
      onnx_emit_op(c, "scf.for", &tensor, 1, operands, 4, NULL, 0, &region, 1);
  n->outputs[0] =
      onnx_from_ir(c, type, &s->value->shape, mlirOperationGetResult(op, 0));
  return true;
}

static void place_element(OnnxImport *c, const Source *s,
                          const MlirValue *index, MlirValue *at) {
  int rank = s->value->shape.rank;
  for (int i = 0; i < rank; ++i)
    at[i] = index[i];
  at[s->axis] = read_index(c, s, index, rank, s->value->shape.dims[s->axis]);
}

ONNX_HANDLER(scatter_elements) {
  Source s;
  return read_source(c, n, &s) &&
         onnx_axis(c, onnx_attr_int(n, "axis", 0), s.value->shape.rank,
                   &s.axis) &&
         indices_fit(c, &s) &&
         scatter(c, n, &s, &s.index_value->shape, place_element);
}

static void place_nd(OnnxImport *c, const Source *s, const MlirValue *index,
                     MlirValue *at) {
  MlirValue where[ONNX_MAX_RANK];
  int index_rank = s->index_value->shape.rank;
  int depth = (int)s->index_value->shape.dims[index_rank - 1];
  for (int i = 0; i + 1 < index_rank; ++i)
    where[i] = index[i];
  for (int i = 0; i < depth; ++i) {
    where[index_rank - 1] = onnx_lit_index(c, i);
    at[i] = read_index(c, s, where, index_rank, s->value->shape.dims[i]);
  }
  for (int i = depth; i < s->value->shape.rank; ++i)
    at[i] = index[index_rank - 1 + i - depth];
}

ONNX_HANDLER(scatter_nd) {
  Source s;
  if (!read_source(c, n, &s))
    return false;
  const OnnxShape *from = &s.value->shape, *at = &s.index_value->shape;
  int64_t depth = at->rank > 0 ? at->dims[at->rank - 1] : 0;
  OnnxShape updates = {.rank = 0};
  if (depth < 1 || depth > from->rank ||
      at->rank - 1 + from->rank - depth > ONNX_MAX_RANK)
    return onnx_fail(c, "indices do not fit the data");
  for (int i = 0; i + 1 < at->rank; ++i)
    updates.dims[updates.rank++] = at->dims[i];
  for (int i = (int)depth; i < from->rank; ++i)
    updates.dims[updates.rank++] = from->dims[i];
  return scatter(c, n, &s, &updates, place_nd);
}

//===----------------------------------------------------------------------===//
// OneHot, EyeLike, Trilu
//===----------------------------------------------------------------------===//

static MlirValue one_hot_element(OnnxImport *c, const MlirValue *index,
                                 void *data) {
  const Source *s = data;
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
  hot =
      onnx_select(c, negative, add_index(c, hot, onnx_lit_index(c, s->k)), hot);
  MlirValue is_hot = onnx_compare_index(c, ONNX_EQ, hot, index[s->axis]);
  pair[0] = onnx_select(c, is_hot, onnx_lit_index(c, 1), onnx_lit_index(c, 0));
  return onnx_tensor_extract(c, s->data, pair, 1,
                             onnx_element_type(c, s->value->type));
}

ONNX_HANDLER(one_hot) {
  Source s = {.value = n->inputs[2], .index_value = n->inputs[0]};
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
  return set_generated(c, n, s.value->type, &shape, one_hot_element, &s);
}

static MlirValue eye_element(OnnxImport *c, const MlirValue *index,
                             void *data) {
  const Source *s = data;
  MlirValue column = add_index(c, index[0], onnx_lit_index(c, s->k));
  MlirValue on = onnx_compare_index(c, ONNX_EQ, column, index[1]);
  return onnx_select(c, on, onnx_lit_int(c, (OnnxType)s->axis, 1),
                     onnx_lit_int(c, (OnnxType)s->axis, 0));
}

ONNX_HANDLER(eye_like) {
  Source s = {.k = onnx_attr_int(n, "k", 0)};
  OnnxType type = (OnnxType)onnx_attr_int(n, "dtype", n->inputs[0]->type);
  if (n->inputs[0]->shape.rank != 2 || onnx_type_bytes(type) == 0 ||
      s.k > ONNX_MAX_ELEMS || s.k < -ONNX_MAX_ELEMS)
    return onnx_fail(c, "needs a matrix and a supported type");
  s.axis = (int)type;
  return set_generated(c, n, type, &n->inputs[0]->shape, eye_element, &s);
}

static MlirValue trilu_element(OnnxImport *c, const MlirValue *index,
                               void *data) {
  const Source *s = data;
  int rank = s->value->shape.rank;
  MlirValue edge = add_index(c, index[rank - 2], onnx_lit_index(c, s->k));
  MlirValue keep =
      onnx_compare_index(c, s->flag ? ONNX_GE : ONNX_LE, index[rank - 1], edge);
  return onnx_select(c, keep, read_data(c, s, index),
                     onnx_lit_int(c, s->value->type, 0));
}

ONNX_HANDLER(trilu) {
  Source s = {.value = n->inputs[0], .flag = onnx_attr_int(n, "upper", 1) != 0};
  double k;
  if (!onnx_input_float(c, n, 1, 0, &k))
    return false;
  if (s.value->shape.rank < 2 || !onnx_check_shape(c, &s.value->shape))
    return onnx_fail(c, "needs at least 2 dimensions");
  double limit = 2.0 * ONNX_MAX_ELEMS;
  s.k = (int64_t)(k > limit ? limit : k < -limit ? -limit : k);
  s.data = onnx_ir(c, s.value);
  return set_generated(c, n, s.value->type, &s.value->shape, trilu_element, &s);
}

//===----------------------------------------------------------------------===//
// ReverseSequence
//===----------------------------------------------------------------------===//

static MlirValue reverse_element(OnnxImport *c, const MlirValue *index,
                                 void *data) {
  const Source *s = data;
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
              add_index(c, index[s->axis], onnx_lit_index(c, 1)));
  at[s->axis] = onnx_select(c, inside, mirrored, index[s->axis]);
  return read_data(c, s, at);
}

ONNX_HANDLER(reverse_sequence) {
  Source s;
  if (!read_source(c, n, &s) ||
      !onnx_axis(c, onnx_attr_int(n, "time_axis", 0), s.value->shape.rank,
                 &s.axis) ||
      !onnx_axis(c, onnx_attr_int(n, "batch_axis", 1), s.value->shape.rank,
                 &s.batch))
    return false;
  if (s.index_value->shape.rank != 1 || s.axis == s.batch ||
      s.index_value->shape.dims[0] != s.value->shape.dims[s.batch])
    return onnx_fail(c, "needs one length per batch entry");
  return set_generated(c, n, s.value->type, &s.value->shape, reverse_element,
                       &s);
}

//===----------------------------------------------------------------------===//
// DepthToSpace, SpaceToDepth
//===----------------------------------------------------------------------===//

static bool read_block(OnnxImport *c, const OnnxNode *n, int64_t *block) {
  *block = onnx_attr_int(n, "blocksize", 0);
  return (n->inputs[0]->shape.rank == 4 && *block >= 1 && *block <= 1024) ||
         onnx_fail(c, "needs 4 dimensions and a block size of 1 to 1024");
}

static bool shuffle(OnnxImport *c, OnnxNode *n, const OnnxShape *split,
                    const int *perm, const OnnxShape *out) {
  OnnxValue *value = onnx_reshape_value(c, n->inputs[0], split);
  if (!value || !onnx_check_shape(c, out))
    return false;
  n->outputs[0] = onnx_reshape_value(c, onnx_permute(c, value, perm), out);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(depth_to_space) {
  static const int dcr[6] = {0, 3, 4, 1, 5, 2}, crd[6] = {0, 1, 4, 2, 5, 3};
  int64_t b;
  const int64_t *d = n->inputs[0]->shape.dims;
  if (!read_block(c, n, &b))
    return false;
  bool first = onnx_attr_is(n, "mode", "DCR", "DCR");
  int64_t depth = d[1] / (b * b);
  OnnxShape split =
      first ? onnx_shape(6, (int64_t[]){d[0], b, b, depth, d[2], d[3]})
            : onnx_shape(6, (int64_t[]){d[0], depth, b, b, d[2], d[3]});
  OnnxShape out = onnx_shape(4, (int64_t[]){d[0], depth, d[2] * b, d[3] * b});
  return shuffle(c, n, &split, first ? dcr : crd, &out);
}

ONNX_HANDLER(space_to_depth) {
  static const int perm[6] = {0, 3, 5, 1, 2, 4};
  int64_t b;
  const int64_t *d = n->inputs[0]->shape.dims;
  if (!read_block(c, n, &b))
    return false;
  OnnxShape split =
      onnx_shape(6, (int64_t[]){d[0], d[1], d[2] / b, b, d[3] / b, b});
  OnnxShape out =
      onnx_shape(4, (int64_t[]){d[0], d[1] * b * b, d[2] / b, d[3] / b});
  return shuffle(c, n, &split, perm, &out);
}
