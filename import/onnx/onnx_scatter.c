// Operators that place elements by index: a loop over the updates, so that
// later ones win.

#include "onnx_index.h"

#include <string.h>

void luna_onnx_unflatten(LunaOnnxImport *c, MlirValue flat,
                         const LunaShape *shape, MlirValue *index) {
  for (int i = shape->rank - 1; i >= 0; --i) {
    MlirValue size = luna_scalar_index(c->b, shape->dims[i]);
    index[i] = luna_scalar(c->b, "arith.remui", flat, size);
    flat = luna_scalar(c->b, "arith.divui", flat, size);
  }
}

typedef void (*Place)(LunaOnnxImport *c, const LunaOnnxSource *s,
                      const MlirValue *index, MlirValue *at);

static bool reduction_of(LunaOnnxImport *c, const LunaOnnxNode *n,
                         const char **name) {
  bool add = luna_onnx_attr_is(n, "reduction", "none", "add");
  bool mul = luna_onnx_attr_is(n, "reduction", "none", "mul");
  *name = add ? "add" : mul ? "mul" : NULL;
  return add || mul || luna_onnx_attr_is(n, "reduction", "none", "none") ||
         luna_onnx_fail(c, "reduction must be none, add or mul");
}

static bool scatter(LunaOnnxImport *c, LunaOnnxNode *n, LunaOnnxSource *s,
                    const LunaShape *updates, Place place) {
  const char *reduction;
  LunaOnnxType type = s->value->type;
  LunaOnnxValue *update_value = n->inputs[2];
  if (!reduction_of(c, n, &reduction))
    return false;
  if (update_value->type != type ||
      !luna_onnx_same_shape(&update_value->shape, updates) ||
      updates->rank == 0)
    return luna_onnx_fail(c, "updates do not fit the data and the indices");
  MlirValue source = luna_onnx_ir(c, update_value);
  MlirType tensor = luna_onnx_tensor_type(c, type, &s->value->shape);
  MlirValue operands[4] = {luna_scalar_index(c->b, 0),
                           luna_scalar_index(c->b, luna_onnx_elems(updates)),
                           luna_scalar_index(c->b, 1), s->data};
  MlirBlock outer = c->b->block, body = mlirBlockCreate(0, NULL, NULL);
  MlirValue flat = mlirBlockAddArgument(body, c->b->index, c->b->location);
  MlirValue into = mlirBlockAddArgument(body, tensor, c->b->location);
  c->b->block = body;
  MlirValue index[LUNA_ONNX_MAX_RANK], at[LUNA_ONNX_MAX_RANK + 2];
  luna_onnx_unflatten(c, flat, updates, index);
  place(c, s, index, at + 2);
  MlirValue value = luna_scalar_extract(c->b, source, index);
  if (reduction) {
    MlirValue old = luna_scalar_extract(c->b, into, at + 2);
    value = strcmp(reduction, "add") == 0 ? luna_scalar_add(c->b, old, value)
                                          : luna_scalar_mul(c->b, old, value);
  }
  at[0] = value;
  at[1] = into;
  MlirValue made = luna_build_op(c->b, "tensor.insert", tensor,
                                 s->value->shape.rank + 2, at, 0, NULL);
  luna_build_end(c->b, "scf.yield", 1, &made);
  c->b->block = outer;
  MlirRegion region = luna_region_of(body);
  MlirOperation op = luna_build_spec(c->b, &(LunaOpSpec){
                                               .name = "scf.for",
                                               .operands = operands,
                                               .operand_count = 4,
                                               .results = &tensor,
                                               .result_count = 1,
                                               .owned_regions = &region,
                                               .region_count = 1,
                                           });
  n->outputs[0] = luna_onnx_from_ir(c, type, &s->value->shape,
                                    mlirOperationGetResult(op, 0));
  return true;
}

static void place_element(LunaOnnxImport *c, const LunaOnnxSource *s,
                          const MlirValue *index, MlirValue *at) {
  int rank = s->value->shape.rank;
  for (int i = 0; i < rank; ++i)
    at[i] = index[i];
  at[s->axis] =
      luna_onnx_read_index(c, s, index, s->value->shape.dims[s->axis]);
}

bool luna_onnx_op_scatter_elements(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  return luna_onnx_read_source(c, n, &s) &&
         luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", 0),
                        s.value->shape.rank, &s.axis) &&
         luna_onnx_indices_fit(c, &s) &&
         scatter(c, n, &s, &s.index_value->shape, place_element);
}

static void place_nd(LunaOnnxImport *c, const LunaOnnxSource *s,
                     const MlirValue *index, MlirValue *at) {
  MlirValue where[LUNA_ONNX_MAX_RANK];
  int index_rank = s->index_value->shape.rank;
  int depth = (int)s->index_value->shape.dims[index_rank - 1];
  for (int i = 0; i + 1 < index_rank; ++i)
    where[i] = index[i];
  for (int i = 0; i < depth; ++i) {
    where[index_rank - 1] = luna_scalar_index(c->b, i);
    at[i] = luna_onnx_read_index(c, s, where, s->value->shape.dims[i]);
  }
  for (int i = depth; i < s->value->shape.rank; ++i)
    at[i] = index[index_rank - 1 + i - depth];
}

bool luna_onnx_op_scatter_nd(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  if (!luna_onnx_read_source(c, n, &s))
    return false;
  const LunaShape *from = &s.value->shape, *at = &s.index_value->shape;
  int64_t depth = at->rank > 0 ? at->dims[at->rank - 1] : 0;
  LunaShape updates = {.rank = 0};
  if (depth < 1 || depth > from->rank ||
      at->rank - 1 + from->rank - depth > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c, "indices do not fit the data");
  for (int i = 0; i + 1 < at->rank; ++i)
    updates.dims[updates.rank++] = at->dims[i];
  for (int i = (int)depth; i < from->rank; ++i)
    updates.dims[updates.rank++] = from->dims[i];
  return scatter(c, n, &s, &updates, place_nd);
}
