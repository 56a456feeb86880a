// Operators that place elements by index: a loop over the updates, so that
// later ones win.

#include "onnx_index.h"

#include <string.h>

static bool reduction_of(LunaOnnxImport *c, const LunaOnnxNode *n,
                         const char **name) {
  bool add = luna_onnx_attr_is(n, "reduction", "none", "add");
  bool mul = luna_onnx_attr_is(n, "reduction", "none", "mul");
  *name = add ? "add" : mul ? "mul" : NULL;
  return add || mul || luna_onnx_attr_is(n, "reduction", "none", "none") ||
         luna_onnx_fail(c, "reduction must be none, add or mul");
}

static bool scatter(LunaOnnxImport *c, LunaOnnxNode *n, LunaOnnxSource *s,
                    const LunaShape *updates) {
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
  LunaTimeSpec spec = {
      .steps = luna_onnx_elems(updates), .count = 1, .first = {s->data}};
  LunaTimeLoop loop = luna_time_loop(c->b, &spec);
  MlirValue index[LUNA_ONNX_MAX_RANK], at[LUNA_ONNX_MAX_RANK];
  luna_unflatten(c->b, loop.at, updates, index);
  s->place(c, s, index, at);
  MlirValue value = luna_scalar_extract(c->b, source, index);
  if (reduction) {
    MlirValue old = luna_scalar_extract(c->b, loop.carried[0], at);
    value = strcmp(reduction, "add") == 0 ? luna_scalar_add(c->b, old, value)
                                          : luna_scalar_mul(c->b, old, value);
  }
  MlirValue made = luna_scalar_insert(c->b, value, loop.carried[0], at);
  luna_time_end(&loop, &made);
  n->outputs[0] =
      luna_onnx_from_ir(c, type, &s->value->shape, luna_time_last(&loop, 0));
  return true;
}

bool luna_onnx_op_scatter_elements(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  return luna_onnx_read_elements(c, n, &s) &&
         scatter(c, n, &s, &s.index_value->shape);
}

bool luna_onnx_op_scatter_nd(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxSource s;
  LunaShape updates;
  return luna_onnx_read_nd(c, n, 0, &s, &updates) &&
         scatter(c, n, &s, &updates);
}
