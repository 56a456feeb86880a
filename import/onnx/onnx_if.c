// If becomes scf.if. What a branch yields is in the model's layout, except
// where both branches have it channels last.

#include "onnx_control.h"
#include "onnx_graph.h"

typedef struct Branches {
  MlirBlock blocks[2];
  LunaOnnxValue **outputs[2];
  bool *last; // Which outputs leave channels last.
} Branches;

static bool read_branches(LunaOnnxImport *c, const LunaOnnxNode *n,
                          Branches *b) {
  static const char *const names[2] = {"then_branch", "else_branch"};
  MlirBlock outer = c->b->block;
  bool ok = true;
  for (int i = 0; i < 2; ++i) {
    b->blocks[i] = mlirBlockCreate(0, NULL, NULL);
    b->outputs[i] =
        LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, n->output_count);
    c->b->block = b->blocks[i];
    const Onnx__GraphProto *graph =
        ok ? luna_onnx_subgraph(c, n, names[i]) : NULL;
    ok = graph && luna_onnx_read_subgraph(c, graph, NULL, 0, b->outputs[i],
                                          (size_t)n->output_count);
    c->b->block = outer;
  }
  for (int k = 0; ok && k < n->output_count; ++k) {
    const LunaOnnxValue *then_value = b->outputs[0][k];
    const LunaOnnxValue *else_value = b->outputs[1][k];
    if (then_value->type != else_value->type ||
        !luna_onnx_same_shape(&then_value->shape, &else_value->shape))
      ok = luna_onnx_fail(
          c, "branches give different types or shapes for output %d", k);
    else
      ok = luna_onnx_check_shape(c, &then_value->shape);
  }
  return ok;
}

// A condition known at import: only that branch is read.
static bool constant_if(LunaOnnxImport *c, LunaOnnxNode *n) {
  const Onnx__GraphProto *graph = luna_onnx_subgraph(
      c, n, luna_onnx_int_at(n->inputs[0], 0) ? "then_branch" : "else_branch");
  return graph && luna_onnx_read_subgraph(c, graph, NULL, 0, n->outputs,
                                          (size_t)n->output_count);
}

// Output `k` leaves both branches channels last, where one has it so only.
static bool leaves_last(const Branches *b, int k) {
  const LunaOnnxValue *first = b->outputs[0][k], *second = b->outputs[1][k];
  return (luna_onnx_prefers_last(first) && !mlirValueIsNull(second->last)) ||
         (luna_onnx_prefers_last(second) && !mlirValueIsNull(first->last));
}

// Ends branch `i`; `types` gets those of its values.
static void close_branch(LunaOnnxImport *c, const Branches *b, int i, int count,
                         MlirType *types) {
  MlirBlock outer = c->b->block;
  MlirValue *yields = LUNA_ARENA_ARRAY(c->arena, MlirValue, count);
  c->b->block = b->blocks[i];
  for (int k = 0; k < count; ++k) {
    LunaOnnxValue *value = b->outputs[i][k];
    yields[k] =
        b->last[k] ? luna_onnx_ir_last(c, value) : luna_onnx_ir(c, value);
    types[k] = mlirValueGetType(yields[k]);
  }
  luna_build_end(c->b, "scf.yield", count, yields);
  c->b->block = outer;
}

static void make_if(LunaOnnxImport *c, LunaOnnxNode *n, Branches *b,
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
    const LunaOnnxValue *value = b->outputs[0][k];
    MlirValue made = mlirOperationGetResult(op, k);
    n->outputs[k] =
        b->last[k] ? luna_onnx_from_last(c, value->type, &value->shape, made)
                   : luna_onnx_from_ir(c, value->type, &value->shape, made);
  }
}

LUNA_ONNX_HANDLER(if) {
  MlirValue condition;
  Branches b;
  if (luna_onnx_evaluate_one(c, n->inputs[0]))
    return constant_if(c, n);
  if (!luna_onnx_read_condition(c, n->inputs[0], &condition))
    return false;
  if (!read_branches(c, n, &b)) {
    mlirBlockDestroy(b.blocks[0]);
    mlirBlockDestroy(b.blocks[1]);
    return false;
  }
  make_if(c, n, &b, condition);
  return true;
}
