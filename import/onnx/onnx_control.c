// What If, Loop and Scan share: subgraphs, and loops with carried values and
// tensors that take a row per iteration.

#include "onnx_control.h"

#include <string.h>

#include "mlir-c/BuiltinTypes.h"

const Onnx__GraphProto *
luna_onnx_subgraph(LunaOnnxImport *c, const LunaOnnxNode *n, const char *name) {
  const Onnx__AttributeProto *attr = luna_onnx_attr(n, name);
  if (attr && attr->g)
    return attr->g;
  luna_onnx_fail(c, "has no subgraph '%s'", name);
  return NULL;
}

bool luna_onnx_read_condition(LunaOnnxImport *c, LunaOnnxValue *value,
                              MlirValue *out) {
  if (value->type != LUNA_ONNX_BOOL || luna_onnx_elems(&value->shape) != 1)
    return luna_onnx_fail(c, "condition must be one bool");
  *out = luna_scalar_only(c->b, luna_onnx_ir(c, value));
  return true;
}

// The size a scan output has: the trip count, or what the model declares.
static bool declared_rows(LunaOnnxImport *c, const char *name, int64_t *rows) {
  LunaShape shape;
  bool known;
  if (!luna_onnx_declared_shape(c, name, &shape, &known))
    return false;
  if (known && shape.rank > 0) {
    *rows = shape.dims[0];
    return true;
  }
  return luna_onnx_fail(
      c,
      "output '%s' takes as many rows as there are iterations, "
      "which is not known and not declared",
      name);
}

bool luna_onnx_set_scan_shapes(LunaOnnxImport *c, const LunaOnnxNode *n,
                               LunaOnnxIteration *loop) {
  loop->scan_shapes = LUNA_ARENA_ARRAY(c->arena, LunaShape, loop->scan_count);
  loop->scan_axes = LUNA_ARENA_ARRAY(c->arena, int, loop->scan_count);
  loop->scan_backwards = LUNA_ARENA_ARRAY(c->arena, bool, loop->scan_count);
  for (int i = 0; i < loop->scan_count; ++i) {
    const LunaShape *row = &loop->rows[i]->shape;
    int64_t rows = loop->trip_count;
    if (rows < 0 &&
        !declared_rows(c, n->proto->output[loop->carried_count + i], &rows))
      return false;
    if (row->rank + 1 > LUNA_ONNX_MAX_RANK)
      return luna_onnx_fail(c, "scan output has too many dimensions");
    LunaShape *shape = &loop->scan_shapes[i];
    *shape = luna_onnx_shape(row->rank + 1, NULL);
    shape->dims[0] = rows;
    for (int d = 0; d < row->rank; ++d)
      shape->dims[d + 1] = row->dims[d];
    if (!luna_onnx_check_shape(c, shape))
      return false;
  }
  return true;
}

void luna_onnx_open_body(LunaOnnxImport *c, LunaOnnxIteration *loop) {
  loop->block = mlirBlockCreate(0, NULL, NULL);
  loop->index = mlirBlockAddArgument(loop->block, c->b->index, c->b->location);
  loop->inside =
      LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, loop->carried_count);
  c->b->block = loop->block;
  for (int i = 0; i < loop->carried_count; ++i) {
    const LunaOnnxValue *value = loop->carried[i];
    MlirValue argument = mlirBlockAddArgument(
        loop->block, luna_onnx_tensor_type(c, value->type, &value->shape),
        c->b->location);
    loop->inside[i] =
        luna_onnx_from_ir(c, value->type, &value->shape, argument);
  }
}

bool luna_onnx_check_carried(LunaOnnxImport *c, const LunaOnnxIteration *loop) {
  for (int i = 0; i < loop->carried_count; ++i)
    if (loop->yielded[i]->type != loop->carried[i]->type ||
        !luna_onnx_same_shape(&loop->yielded[i]->shape,
                              &loop->carried[i]->shape))
      return luna_onnx_fail(c,
                            "value %d changes its type or shape from iteration "
                            "to iteration",
                            i);
  return true;
}

MlirValue luna_onnx_row_at(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                           bool backwards) {
  if (!backwards)
    return loop->index;
  return luna_scalar_sub(c->b, luna_scalar_index(c->b, loop->trip_count - 1),
                         loop->index);
}

// Builds the scan output with row `i` of this iteration; returns it.
static MlirValue insert_row(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                            int i, MlirValue into) {
  LunaShape shape = loop->scan_shapes[i];
  int axis = loop->scan_axes[i];
  shape.dims[axis] = 1;
  MlirValue at = luna_onnx_row_at(c, loop, loop->scan_backwards[i]);
  MlirValue row =
      luna_build_reshape(c->b, luna_onnx_ir(c, loop->rows[i]), &shape);
  return luna_build_insert_at(c->b, row, into, axis, at);
}

void luna_onnx_close_body(LunaOnnxImport *c, LunaOnnxIteration *loop,
                          const MlirValue *lead, int lead_count) {
  int count = lead_count + loop->carried_count + loop->scan_count;
  MlirValue *yields = LUNA_ARENA_ARRAY(c->arena, MlirValue, count);
  int at = 0;
  for (int i = 0; i < lead_count; ++i)
    yields[at++] = lead[i];
  for (int i = 0; i < loop->carried_count; ++i)
    yields[at++] = luna_onnx_ir(c, loop->yielded[i]);
  for (int i = 0; i < loop->scan_count; ++i) {
    MlirValue into = mlirBlockAddArgument(
        loop->block,
        luna_onnx_tensor_type(c, loop->rows[i]->type, &loop->scan_shapes[i]),
        c->b->location);
    yields[at++] = insert_row(c, loop, i, into);
  }
  luna_build_end(c->b, "scf.yield", count, yields);
}

// The initial values of all that is carried, scan outputs included.
static int initial_values(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                          MlirValue *values) {
  int count = 0;
  for (int i = 0; i < loop->carried_count; ++i)
    values[count++] = luna_onnx_ir(c, loop->carried[i]);
  for (int i = 0; i < loop->scan_count; ++i)
    values[count++] =
        luna_onnx_splat(c, loop->rows[i]->type, &loop->scan_shapes[i], 0);
  return count;
}

static void set_outputs(LunaOnnxImport *c, LunaOnnxNode *n,
                        const LunaOnnxIteration *loop, MlirOperation op,
                        int first) {
  for (int i = 0; i < loop->carried_count + loop->scan_count; ++i) {
    bool scan = i >= loop->carried_count;
    int k = i - loop->carried_count;
    n->outputs[i] = luna_onnx_from_ir(
        c, scan ? loop->rows[k]->type : loop->carried[i]->type,
        scan ? &loop->scan_shapes[k] : &loop->carried[i]->shape,
        mlirOperationGetResult(op, first + i));
  }
}

void luna_onnx_make_for(LunaOnnxImport *c, LunaOnnxNode *n,
                        LunaOnnxIteration *loop, MlirValue trips) {
  int count = loop->carried_count + loop->scan_count;
  MlirValue *operands = LUNA_ARENA_ARRAY(c->arena, MlirValue, count + 3);
  MlirType *types = LUNA_ARENA_ARRAY(c->arena, MlirType, count);
  operands[0] = luna_scalar_index(c->b, 0);
  operands[1] = trips;
  operands[2] = luna_scalar_index(c->b, 1);
  initial_values(c, loop, operands + 3);
  for (int i = 0; i < count; ++i)
    types[i] = mlirValueGetType(operands[i + 3]);
  MlirRegion region = luna_region_of(loop->block);
  MlirOperation op = luna_build_spec(c->b, &(LunaOpSpec){
                                               .name = "scf.for",
                                               .operands = operands,
                                               .operand_count = count + 3,
                                               .results = types,
                                               .result_count = count,
                                               .owned_regions = &region,
                                               .region_count = 1,
                                           });
  set_outputs(c, n, loop, op, 0);
}

// The test of a loop: an iteration is left and the condition holds.
static MlirBlock make_test(LunaOnnxImport *c, const MlirType *types, int count,
                           MlirValue trips) {
  MlirBlock outer = c->b->block, block = mlirBlockCreate(0, NULL, NULL);
  MlirValue *forwarded = LUNA_ARENA_ARRAY(c->arena, MlirValue, count + 2);
  MlirValue index = mlirBlockAddArgument(block, types[0], c->b->location);
  MlirValue keep = mlirBlockAddArgument(block, c->b->i1, c->b->location);
  c->b->block = block;
  MlirValue left = luna_scalar_compare(c->b, LUNA_LT, index, trips);
  forwarded[0] = luna_scalar(c->b, "arith.andi", left, keep);
  forwarded[1] = index;
  for (int i = 1; i < count; ++i)
    forwarded[i + 1] = mlirBlockAddArgument(block, types[i], c->b->location);
  luna_build_end(c->b, "scf.condition", count + 1, forwarded);
  c->b->block = outer;
  return block;
}

void luna_onnx_make_while(LunaOnnxImport *c, LunaOnnxNode *n,
                          LunaOnnxIteration *loop, MlirValue trips,
                          MlirValue condition) {
  int count = 1 + loop->carried_count + loop->scan_count;
  MlirValue *operands = LUNA_ARENA_ARRAY(c->arena, MlirValue, count + 1);
  MlirType *types = LUNA_ARENA_ARRAY(c->arena, MlirType, count);
  operands[0] = luna_scalar_index(c->b, 0);
  operands[1] = condition;
  initial_values(c, loop, operands + 2);
  types[0] = c->b->index;
  for (int i = 1; i < count; ++i)
    types[i] = mlirValueGetType(operands[i + 1]);
  MlirRegion regions[2] = {luna_region_of(make_test(c, types, count, trips)),
                           luna_region_of(loop->block)};
  MlirOperation op = luna_build_spec(c->b, &(LunaOpSpec){
                                               .name = "scf.while",
                                               .operands = operands,
                                               .operand_count = count + 1,
                                               .results = types,
                                               .result_count = count,
                                               .owned_regions = regions,
                                               .region_count = 2,
                                           });
  set_outputs(c, n, loop, op, 1);
}
