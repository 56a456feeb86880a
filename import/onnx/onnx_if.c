// If becomes scf.if. What a branch yields is in the model's layout, except
// where both branches have it channels last.

#include "onnx_control.h"
#include "onnx_graph.h"

typedef struct Branches {
  MlirBlock blocks[2];
  OnnxValue **outputs[2];
  bool *last; // Which outputs leave channels last.
} Branches;

static bool read_branches(OnnxImport *c, const OnnxNode *n, Branches *b) {
  static const char *const names[2] = {"then_branch", "else_branch"};
  MlirBlock outer = c->b->block;
  bool ok = true;
  for (int i = 0; i < 2; ++i) {
    b->blocks[i] = mlirBlockCreate(0, NULL, NULL);
    b->outputs[i] = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, n->output_count);
    c->b->block = b->blocks[i];
    const Onnx__GraphProto *graph = ok ? onnx_subgraph(c, n, names[i]) : NULL;
    ok = graph && onnx_read_subgraph(c, graph, NULL, 0, b->outputs[i],
                                     (size_t)n->output_count);
    c->b->block = outer;
  }
  for (int k = 0; ok && k < n->output_count; ++k) {
    const OnnxValue *then_value = b->outputs[0][k];
    const OnnxValue *else_value = b->outputs[1][k];
    if (then_value->type != else_value->type ||
        !onnx_same_shape(&then_value->shape, &else_value->shape))
      ok = onnx_fail(c, "branches give different types or shapes for output %d",
                     k);
    else
      ok = onnx_check_shape(c, &then_value->shape);
  }
  return ok;
}

// A condition known at import: only that branch is read.
static bool constant_if(OnnxImport *c, OnnxNode *n) {
  const Onnx__GraphProto *graph = onnx_subgraph(
      c, n, onnx_int_at(n->inputs[0], 0) ? "then_branch" : "else_branch");
  return graph && onnx_read_subgraph(c, graph, NULL, 0, n->outputs,
                                     (size_t)n->output_count);
}

// Output `k` leaves both branches channels last, where one has it so only.
static bool leaves_last(const Branches *b, int k) {
  const OnnxValue *first = b->outputs[0][k], *second = b->outputs[1][k];
  return (onnx_prefers_last(first) && !mlirValueIsNull(second->last)) ||
         (onnx_prefers_last(second) && !mlirValueIsNull(first->last));
}

// Ends branch `i`; `types` gets those of its values.
static void close_branch(OnnxImport *c, const Branches *b, int i, int count,
                         MlirType *types) {
  MlirBlock outer = c->b->block;
  MlirValue *yields = LUNA_ARENA_ARRAY(c->arena, MlirValue, count);
  c->b->block = b->blocks[i];
  for (int k = 0; k < count; ++k) {
    OnnxValue *value = b->outputs[i][k];
    yields[k] = b->last[k] ? onnx_ir_last(c, value) : onnx_ir(c, value);
    types[k] = mlirValueGetType(yields[k]);
  }
  luna_build_end(c->b, "scf.yield", count, yields);
  c->b->block = outer;
}

static void make_if(OnnxImport *c, OnnxNode *n, Branches *b,
                    MlirValue condition) {
  int count = n->output_count;
  MlirType *types = LUNA_ARENA_ARRAY(c->arena, MlirType, count);
  b->last = LUNA_ARENA_ARRAY(c->arena, bool, count);
  for (int k = 0; k < count; ++k)
    b->last[k] = leaves_last(b, k);
  for (int i = 0; i < 2; ++i)
    close_branch(c, b, i, count, types);
  MlirRegion regions[2] = {luna_region_of(b->blocks[0]),
                           luna_region_of(b->blocks[1])};
  MlirOperation op = luna_build_spec(c->b, &(LunaOpSpec){
                                               .name = "scf.if",
                                               .operands = &condition,
                                               .operand_count = 1,
                                               .results = types,
                                               .result_count = count,
                                               .owned_regions = regions,
                                               .region_count = 2,
                                           });
  for (int k = 0; k < count; ++k) {
    const OnnxValue *value = b->outputs[0][k];
    MlirValue made = mlirOperationGetResult(op, k);
    n->outputs[k] = b->last[k]
                        ? onnx_from_last(c, value->type, &value->shape, made)
                        : onnx_from_ir(c, value->type, &value->shape, made);
  }
}

ONNX_HANDLER(if) {
  MlirValue condition;
  Branches b;
  if (onnx_evaluate_one(c, n->inputs[0]))
    return constant_if(c, n);
  if (!onnx_read_condition(c, n->inputs[0], &condition))
    return false;
  if (!read_branches(c, n, &b)) {
    mlirBlockDestroy(b.blocks[0]);
    mlirBlockDestroy(b.blocks[1]);
    return false;
  }
  make_if(c, n, &b, condition);
  return true;
}
