// What If, Loop and Scan share: subgraphs, and loops with carried values and
// tensors that take a row per iteration.

#include "onnx_control.h"
#include "onnx_valid.h"

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

//===----------------------------------------------------------------------===//
// Scan outputs
//===----------------------------------------------------------------------===//

const char *luna_onnx_output_name(const LunaOnnxNode *n,
                                  const LunaOnnxIteration *loop, int i) {
  const Onnx__GraphProto *body = loop->body;
  const char *name = n->proto->output[i];
  // The body of a Loop gives its condition first.
  const char *inner =
      body->output[body->n_output - (size_t)n->output_count + (size_t)i]->name;
  return name[0] ? name : inner ? inner : "";
}

// How many rows scan output `i` has: the trip count, what the model declares,
// or else the bound of what only the running program knows.
static bool find_rows(LunaOnnxImport *c, const LunaOnnxNode *n,
                      LunaOnnxIteration *loop, int i, int64_t *rows) {
  LunaShape shape;
  bool known;
  const char *name = luna_onnx_output_name(n, loop, loop->carried_count + i);
  *rows = loop->trip_count;
  if (*rows >= 0 && !loop->may_stop)
    return true;
  if (!luna_onnx_declared_shape(c, name, &shape, &known))
    return false;
  if (known && shape.rank > 0) {
    *rows = shape.dims[0];
    return true;
  }
  loop->scan_is_valid[i] = true;
  return luna_onnx_bound(c, name, loop->trip_count, rows);
}

bool luna_onnx_set_scan_shapes(LunaOnnxImport *c, const LunaOnnxNode *n,
                               LunaOnnxIteration *loop) {
  loop->scan_shapes = LUNA_ARENA_ARRAY(c->arena, LunaShape, loop->scan_count);
  loop->scan_axes = LUNA_ARENA_ARRAY(c->arena, int, loop->scan_count);
  loop->scan_backwards = LUNA_ARENA_ARRAY(c->arena, bool, loop->scan_count);
  loop->scan_is_valid = LUNA_ARENA_ARRAY(c->arena, bool, loop->scan_count);
  for (int i = 0; i < loop->scan_count; ++i) {
    const LunaShape *row = &loop->rows[i]->shape;
    int64_t rows;
    if (loop->rows[i]->valid)
      return luna_onnx_fail(
          c,
          "a row of '%s' has a size that is known while "
          "running only",
          luna_onnx_output_name(n, loop, loop->carried_count + i));
    if (!find_rows(c, n, loop, i, &rows))
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

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

static int empty_axis(const LunaShape *shape) {
  for (int d = 0; d < shape->rank; ++d)
    if (shape->dims[d] == 0)
      return d;
  return -1;
}

void luna_onnx_set_carried(LunaOnnxImport *c, LunaOnnxIteration *loop) {
  loop->values =
      LUNA_ARENA_ARRAY(c->arena, LunaOnnxCarried, loop->carried_count);
  for (int i = 0; i < loop->carried_count; ++i) {
    const LunaOnnxValue *value = loop->carried[i];
    LunaOnnxCarried *carried = &loop->values[i];
    *carried = (LunaOnnxCarried){.shape = value->shape, .growth = -1};
    carried->valid_axis =
        value->valid ? value->valid->axis : empty_axis(&value->shape);
    if (carried->valid_axis < 0)
      continue;
    int64_t *extent = &carried->shape.dims[carried->valid_axis];
    carried->known = *extent;
    *extent = *extent > 0 ? *extent : 1;
  }
}

void luna_onnx_open_body(LunaOnnxImport *c, LunaOnnxIteration *loop) {
  loop->block = mlirBlockCreate(0, NULL, NULL);
  loop->index = mlirBlockAddArgument(loop->block, c->b->index, c->b->location);
  loop->inside =
      LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, loop->carried_count);
  loop->valid_count = 0;
  c->b->block = loop->block;
  for (int i = 0; i < loop->carried_count; ++i) {
    const LunaOnnxValue *value = loop->carried[i];
    const LunaShape *shape = &loop->values[i].shape;
    MlirValue argument = mlirBlockAddArgument(
        loop->block, luna_onnx_tensor_type(c, value->type, shape),
        c->b->location);
    loop->inside[i] = luna_onnx_from_ir(c, value->type, shape, argument);
  }
  for (int i = 0; i < loop->carried_count; ++i) {
    LunaOnnxCarried *carried = &loop->values[i];
    if (carried->valid_axis < 0)
      continue;
    ++loop->valid_count;
    carried->count =
        mlirBlockAddArgument(loop->block, c->b->index, c->b->location);
    LunaValidLength valid = {
        .count = carried->count,
        .name = loop->body
                    ->input[loop->body->n_input - (size_t)loop->carried_count +
                            (size_t)i]
                    ->name};
    loop->inside[i] =
        luna_onnx_with_valid(c, loop->inside[i], &valid, carried->valid_axis);
  }
}

bool luna_onnx_check_carried(LunaOnnxImport *c, const LunaOnnxIteration *loop) {
  for (int i = 0; i < loop->carried_count; ++i)
    if (loop->yielded[i]->type != loop->carried[i]->type ||
        luna_onnx_valid_axis(loop->inside[i], loop->yielded[i]) !=
            loop->values[i].valid_axis)
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
  if (loop->scan_is_valid[i])
    at = luna_scalar_min(
        c->b, at, luna_scalar_index(c->b, loop->scan_shapes[i].dims[axis] - 1));
  MlirValue row =
      luna_build_reshape(c->b, luna_onnx_ir(c, loop->rows[i]), &shape);
  return luna_build_insert_at(c->b, row, into, axis, at);
}

// What value `i` of the loop becomes: `value` with the bound that it carries.
static MlirValue carried_ir(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                            int i, LunaOnnxValue *value) {
  const LunaOnnxCarried *carried = &loop->values[i];
  int axis = carried->valid_axis;
  return axis < 0 ? luna_onnx_ir(c, value)
                  : luna_onnx_resize(c, value, axis, carried->shape.dims[axis]);
}

// Values that are carried, then the valid lengths of them.
static int list_carried(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                        LunaOnnxValue **values, MlirValue *list) {
  int count = 0;
  for (int i = 0; i < loop->carried_count; ++i)
    list[count++] = carried_ir(c, loop, i, values[i]);
  for (int i = 0; i < loop->carried_count; ++i)
    if (loop->values[i].valid_axis >= 0)
      list[count++] = luna_onnx_count(c, values[i], loop->values[i].valid_axis);
  return count;
}

static int count_all(const LunaOnnxIteration *loop) {
  return loop->carried_count + loop->valid_count + loop->scan_count;
}

void luna_onnx_close_body(LunaOnnxImport *c, LunaOnnxIteration *loop,
                          const MlirValue *lead, int lead_count) {
  int count = lead_count + count_all(loop);
  MlirValue *yields = LUNA_ARENA_ARRAY(c->arena, MlirValue, count);
  int at = 0;
  for (int i = 0; i < lead_count; ++i)
    yields[at++] = lead[i];
  at += list_carried(c, loop, loop->yielded, yields + at);
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
static void initial_values(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                           MlirValue *values) {
  int count = list_carried(c, loop, loop->carried, values);
  for (int i = 0; i < loop->scan_count; ++i)
    values[count++] =
        luna_onnx_splat(c, loop->rows[i]->type, &loop->scan_shapes[i], 0);
}

// Gives output `k` a valid length, which the program says where the bound may
// not hold it.
static bool set_valid_output(LunaOnnxImport *c, LunaOnnxNode *n,
                             const LunaOnnxIteration *loop, int k, int axis,
                             MlirValue count, int64_t known) {
  LunaValidLength valid = {.count = count,
                           .name = luna_onnx_output_name(n, loop, k),
                           .is_zero_behind = k >= loop->carried_count};
  int64_t bound = n->outputs[k]->shape.dims[axis];
  n->outputs[k] = luna_onnx_with_valid(c, n->outputs[k], &valid, axis);
  return luna_onnx_report(c, valid.name, count, known, bound);
}

// `trips` is how many iterations there were.
static bool set_outputs(LunaOnnxImport *c, LunaOnnxNode *n,
                        const LunaOnnxIteration *loop, MlirOperation op,
                        int first, MlirValue trips) {
  int counts = first + loop->carried_count;
  bool ok = true;
  for (int i = 0; i < loop->carried_count; ++i) {
    const LunaOnnxCarried *carried = &loop->values[i];
    n->outputs[i] =
        luna_onnx_from_ir(c, loop->carried[i]->type, &carried->shape,
                          mlirOperationGetResult(op, first + i));
    if (carried->valid_axis >= 0)
      ok = ok && set_valid_output(c, n, loop, i, carried->valid_axis,
                                  mlirOperationGetResult(op, counts++),
                                  carried->known);
  }
  for (int i = 0; i < loop->scan_count; ++i) {
    int k = loop->carried_count + i;
    n->outputs[k] =
        luna_onnx_from_ir(c, loop->rows[i]->type, &loop->scan_shapes[i],
                          mlirOperationGetResult(op, counts + i));
    if (loop->scan_is_valid[i])
      ok = ok && set_valid_output(c, n, loop, k, 0, trips, loop->trip_count);
  }
  return ok;
}

bool luna_onnx_make_for(LunaOnnxImport *c, LunaOnnxNode *n,
                        LunaOnnxIteration *loop, MlirValue trips) {
  int count = count_all(loop);
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
  return set_outputs(c, n, loop, op, 0,
                     luna_scalar_max(c->b, trips, luna_scalar_index(c->b, 0)));
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

bool luna_onnx_make_while(LunaOnnxImport *c, LunaOnnxNode *n,
                          LunaOnnxIteration *loop, MlirValue trips,
                          MlirValue condition) {
  int count = 1 + count_all(loop);
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
  return set_outputs(c, n, loop, op, 1, mlirOperationGetResult(op, 0));
}
