// Operators that place elements by index: a loop over the updates, so that
// later ones win.

#include "onnx_index.h"

#include <string.h>

// Splits a flat index of `shape` into one per dimension.
static void unflatten(OnnxImport *c, MlirValue flat, const OnnxShape *shape,
                      MlirValue *index) {
  for (int i = shape->rank - 1; i >= 0; --i) {
    MlirValue size = onnx_lit_index(c, shape->dims[i]);
    index[i] = onnx_s2(c, "arith.remui", flat, size);
    flat = onnx_s2(c, "arith.divui", flat, size);
  }
}

typedef void (*Place)(OnnxImport *c, const OnnxSource *s,
                      const MlirValue *index, MlirValue *at);

static bool reduction_of(OnnxImport *c, const OnnxNode *n, const char **name) {
  bool add = onnx_attr_is(n, "reduction", "none", "add");
  bool mul = onnx_attr_is(n, "reduction", "none", "mul");
  *name = add ? "add" : mul ? "mul" : NULL;
  return add || mul || onnx_attr_is(n, "reduction", "none", "none") ||
         onnx_fail(c, "reduction must be none, add or mul");
}

static bool scatter(OnnxImport *c, OnnxNode *n, OnnxSource *s,
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

static void place_element(OnnxImport *c, const OnnxSource *s,
                          const MlirValue *index, MlirValue *at) {
  int rank = s->value->shape.rank;
  for (int i = 0; i < rank; ++i)
    at[i] = index[i];
  at[s->axis] =
      onnx_read_index(c, s, index, rank, s->value->shape.dims[s->axis]);
}

ONNX_HANDLER(scatter_elements) {
  OnnxSource s;
  return onnx_read_source(c, n, &s) &&
         onnx_axis(c, onnx_attr_int(n, "axis", 0), s.value->shape.rank,
                   &s.axis) &&
         onnx_indices_fit(c, &s) &&
         scatter(c, n, &s, &s.index_value->shape, place_element);
}

static void place_nd(OnnxImport *c, const OnnxSource *s, const MlirValue *index,
                     MlirValue *at) {
  MlirValue where[ONNX_MAX_RANK];
  int index_rank = s->index_value->shape.rank;
  int depth = (int)s->index_value->shape.dims[index_rank - 1];
  for (int i = 0; i + 1 < index_rank; ++i)
    where[i] = index[i];
  for (int i = 0; i < depth; ++i) {
    where[index_rank - 1] = onnx_lit_index(c, i);
    at[i] = onnx_read_index(c, s, where, index_rank, s->value->shape.dims[i]);
  }
  for (int i = depth; i < s->value->shape.rank; ++i)
    at[i] = index[index_rank - 1 + i - depth];
}

ONNX_HANDLER(scatter_nd) {
  OnnxSource s;
  if (!onnx_read_source(c, n, &s))
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
