// If becomes scf.if. What a branch yields is in the model's layout, except
// where both branches have it channels last. Where the branches' shapes differ
// in one dimension, they yield a tensor of the larger size and a valid length.

#include "onnx_control.h"
#include "onnx_graph.h"
#include "onnx_valid.h"

typedef struct Branches {
  MlirBlock blocks[2];
  LunaOnnxValue **outputs[2];
  bool *last;      // Which outputs leave channels last.
  int *valid_axis; // Of each output, or -1.
  LunaShape *shapes;
  int64_t *most; // Of the valid dimension.
} Branches;

// Decides which shape output `k` has, and which dimension of it is valid.
static bool merge(LunaOnnxImport *c, const LunaOnnxNode *n, Branches *b,
                  int k) {
  const LunaOnnxValue *first = b->outputs[0][k], *second = b->outputs[1][k];
  LunaShape *shape = &b->shapes[k];
  int axis = luna_onnx_valid_axis(first, second);
  b->valid_axis[k] = axis;
  *shape = first->shape;
  if (first->type != second->type || axis == LUNA_ONNX_NO_AXIS)
    return luna_onnx_fail(
        c, "branches give different types or shapes for output %d", k);
  if (axis >= 0) {
    b->most[k] = shape->dims[axis] > second->shape.dims[axis]
                     ? shape->dims[axis]
                     : second->shape.dims[axis];
    if (!luna_onnx_bound(c, n->proto->output[k], b->most[k],
                         &shape->dims[axis]))
      return false;
  }
  return luna_onnx_check_shape(c, shape);
}

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
  b->valid_axis = LUNA_ARENA_ARRAY(c->arena, int, n->output_count);
  b->most = LUNA_ARENA_ARRAY(c->arena, int64_t, n->output_count);
  b->shapes = LUNA_ARENA_ARRAY(c->arena, LunaShape, n->output_count);
  for (int k = 0; ok && k < n->output_count; ++k)
    ok = merge(c, n, b, k);
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
  if (b->valid_axis[k] >= 0)
    return false;
  return (luna_onnx_prefers_last(first) && !mlirValueIsNull(second->last)) ||
         (luna_onnx_prefers_last(second) && !mlirValueIsNull(first->last));
}

// Ends branch `i`, the valid lengths behind its values; `types` gets those of
// both. Returns how many there are.
static int close_branch(LunaOnnxImport *c, const Branches *b, int i, int count,
                        MlirType *types) {
  MlirBlock outer = c->b->block;
  MlirValue *yields = LUNA_ARENA_ARRAY(c->arena, MlirValue, 2 * count);
  int all = count;
  c->b->block = b->blocks[i];
  for (int k = 0; k < count; ++k) {
    LunaOnnxValue *value = b->outputs[i][k];
    int axis = b->valid_axis[k];
    yields[k] = axis >= 0
                    ? luna_onnx_resize(c, value, axis, b->shapes[k].dims[axis])
                : b->last[k] ? luna_onnx_ir_last(c, value)
                             : luna_onnx_ir(c, value);
    if (axis >= 0)
      yields[all++] = luna_onnx_count(c, value, axis);
  }
  for (int k = 0; k < all; ++k)
    types[k] = mlirValueGetType(yields[k]);
  luna_build_end(c->b, "scf.yield", all, yields);
  c->b->block = outer;
  return all;
}

static bool is_zero_behind(const LunaOnnxValue *value) {
  return !value->valid || value->valid->is_zero_behind;
}

static bool set_outputs(LunaOnnxImport *c, LunaOnnxNode *n, const Branches *b,
                        MlirOperation op) {
  int counts = n->output_count;
  for (int k = 0; k < n->output_count; ++k) {
    const LunaOnnxValue *value = b->outputs[0][k];
    MlirValue made = mlirOperationGetResult(op, k);
    const LunaShape *shape = &b->shapes[k];
    n->outputs[k] = b->last[k]
                        ? luna_onnx_from_last(c, value->type, shape, made)
                        : luna_onnx_from_ir(c, value->type, shape, made);
    if (b->valid_axis[k] < 0)
      continue;
    LunaValidLength valid = {.count = mlirOperationGetResult(op, counts++),
                             .name = n->proto->output[k],
                             .is_zero_behind =
                                 is_zero_behind(value) &&
                                 is_zero_behind(b->outputs[1][k])};
    n->outputs[k] =
        luna_onnx_with_valid(c, n->outputs[k], &valid, b->valid_axis[k]);
    if (!luna_onnx_report(c, valid.name, valid.count, b->most[k],
                          shape->dims[b->valid_axis[k]]))
      return false;
  }
  return true;
}

static bool make_if(LunaOnnxImport *c, LunaOnnxNode *n, Branches *b,
                    MlirValue condition) {
  int count = n->output_count, all = 0;
  MlirType *types = LUNA_ARENA_ARRAY(c->arena, MlirType, 2 * count);
  b->last = LUNA_ARENA_ARRAY(c->arena, bool, count);
  for (int k = 0; k < count; ++k)
    b->last[k] = leaves_last(b, k);
  for (int i = 0; i < 2; ++i)
    all = close_branch(c, b, i, count, types);
  MlirRegion regions[2] = {luna_region_of(b->blocks[0]),
                           luna_region_of(b->blocks[1])};
  MlirOperation op = luna_build_spec(c->b, &(LunaOpSpec){
                                               .name = "scf.if",
                                               .operands = &condition,
                                               .operand_count = 1,
                                               .results = types,
                                               .result_count = all,
                                               .owned_regions = regions,
                                               .region_count = 2,
                                           });
  return set_outputs(c, n, b, op);
}

bool luna_onnx_op_if(LunaOnnxImport *c, LunaOnnxNode *n) {
  MlirValue condition;
  Branches b;
  if (luna_onnx_evaluate_one(c, n->inputs[0]))
    return constant_if(c, n);
  if (!luna_onnx_read_condition(c, n->inputs[0], &condition))
    return false;
  if (!read_branches(c, n, &b)) {
    luna_onnx_destroy_block(c, b.blocks[0]);
    luna_onnx_destroy_block(c, b.blocks[1]);
    return false;
  }
  return make_if(c, n, &b, condition);
}
