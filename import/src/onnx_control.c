// If, Loop and Scan become scf.if, scf.for and scf.while.
//
// Bodies see the values around them. What a branch or an iteration yields is
// in the model's layout, except where both branches have it channels last.

#include "onnx_qdq.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const Onnx__GraphProto *subgraph(OnnxImport *c, const OnnxNode *n,
                                        const char *name) {
  const Onnx__AttributeProto *attr = onnx_attr(n, name);
  if (attr && attr->g)
    return attr->g;
  onnx_fail(c, "has no subgraph '%s'", name);
  return NULL;
}

static MlirRegion wrap(MlirBlock block) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}

// The one element of a bool tensor as an i1.
static bool read_condition(OnnxImport *c, OnnxValue *value, MlirValue *out) {
  if (value->type != ONNX_BOOL || onnx_elems(&value->shape) != 1)
    return onnx_fail(c, "condition must be one bool");
  *out = onnx_extract(c, onnx_ir(c, value), value->shape.rank);
  return true;
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

typedef struct Branches {
  MlirBlock blocks[2];
  OnnxValue **outputs[2];
} Branches;

static bool read_branches(OnnxImport *c, const OnnxNode *n, Branches *b) {
  static const char *const names[2] = {"then_branch", "else_branch"};
  MlirBlock outer = c->block;
  bool ok = true;
  for (int i = 0; i < 2; ++i) {
    b->blocks[i] = mlirBlockCreate(0, NULL, NULL);
    b->outputs[i] = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, n->output_count);
    c->block = b->blocks[i];
    const Onnx__GraphProto *graph = ok ? subgraph(c, n, names[i]) : NULL;
    ok = graph && onnx_read_subgraph(c, graph, NULL, 0, b->outputs[i],
                                     (size_t)n->output_count);
    c->block = outer;
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
  const Onnx__GraphProto *graph = subgraph(
      c, n, onnx_int_at(n->inputs[0], 0) ? "then_branch" : "else_branch");
  return graph && onnx_read_subgraph(c, graph, NULL, 0, n->outputs,
                                     (size_t)n->output_count);
}

ONNX_HANDLER(if) {
  MlirValue condition;
  if (n->inputs[0]->data && onnx_elems(&n->inputs[0]->shape) == 1)
    return constant_if(c, n);
  if (!read_condition(c, n->inputs[0], &condition))
    return false;
  Branches b;
  if (!read_branches(c, n, &b)) {
    mlirBlockDestroy(b.blocks[0]);
    mlirBlockDestroy(b.blocks[1]);
    return false;
  }
  int count = n->output_count;
  MlirType *types = LUNA_ARENA_ARRAY(c->arena, MlirType, count);
  bool *last = LUNA_ARENA_ARRAY(c->arena, bool, count);
  MlirBlock outer = c->block;
  // What an output is like whose integers cross the end of the branches.
  OnnxValue **like = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, count);
  for (int k = 0; k < count; ++k)
    like[k] = onnx_qdq_join(c, n, k, b.outputs, b.blocks);
  for (int i = 0; i < 2; ++i) {
    MlirValue *yields = LUNA_ARENA_ARRAY(c->arena, MlirValue, count);
    c->block = b.blocks[i];
    for (int k = 0; k < count; ++k) {
      last[k] = (onnx_prefers_last(b.outputs[0][k]) &&
                 !mlirValueIsNull(b.outputs[1][k]->last)) ||
                (onnx_prefers_last(b.outputs[1][k]) &&
                 !mlirValueIsNull(b.outputs[0][k]->last));
      yields[k] = last[k] ? onnx_ir_last(c, b.outputs[i][k])
                          : onnx_ir(c, b.outputs[i][k]);
      types[k] = mlirValueGetType(yields[k]);
    }
    onnx_emit_op(c, "scf.yield", NULL, 0, yields, count, NULL, 0, NULL, 0);
  }
  c->block = outer;
  MlirRegion regions[2] = {wrap(b.blocks[0]), wrap(b.blocks[1])};
  MlirOperation op = onnx_emit_op(c, "scf.if", types, count, &condition, 1,
                                  NULL, 0, regions, 2);
  for (int k = 0; k < count; ++k) {
    const OnnxValue *value = b.outputs[0][k];
    MlirValue made = mlirOperationGetResult(op, k);
    n->outputs[k] = last[k]
                        ? onnx_from_last(c, value->type, &value->shape, made)
                        : onnx_from_ir(c, value->type, &value->shape, made);
    if (like[k])
      n->outputs[k] = onnx_qdq_like(c, like[k], n->outputs[k]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Loops in general
//===----------------------------------------------------------------------===//

// A loop in the making: values carried from iteration to iteration, and
// tensors that take a row per iteration.
typedef struct Loop {
  const Onnx__GraphProto *body;
  int carried_count, scan_count;
  /// Initial values; then, as seen in the body; then, what the body yields.
  OnnxValue **carried, **inside, **yielded;
  MlirBlock block;
  MlirValue index;
  /// Rows that go into the scan outputs, and where.
  OnnxValue **rows;
  OnnxShape *scan_shapes;
  int *scan_axes;
  bool *scan_backwards;
  int64_t trip_count;
} Loop;

static void open_body(OnnxImport *c, Loop *loop) {
  loop->block = mlirBlockCreate(0, NULL, NULL);
  loop->index =
      mlirBlockAddArgument(loop->block, onnx_index_type(c), c->location);
  loop->inside = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, loop->carried_count);
  c->block = loop->block;
  for (int i = 0; i < loop->carried_count; ++i) {
    const OnnxValue *value = loop->carried[i];
    MlirValue argument = mlirBlockAddArgument(
        loop->block, onnx_tensor_type(c, value->type, &value->shape),
        c->location);
    loop->inside[i] = onnx_from_ir(c, value->type, &value->shape, argument);
  }
}

static bool check_carried(OnnxImport *c, const Loop *loop) {
  for (int i = 0; i < loop->carried_count; ++i)
    if (loop->yielded[i]->type != loop->carried[i]->type ||
        !onnx_same_shape(&loop->yielded[i]->shape, &loop->carried[i]->shape))
      return onnx_fail(c,
                       "value %d changes its type or shape from iteration "
                       "to iteration",
                       i);
  return true;
}

// Writes row `i` of this iteration into its scan output; gives the new one.
static MlirValue insert_row(OnnxImport *c, const Loop *loop, int i,
                            MlirValue into) {
  const OnnxShape *shape = &loop->scan_shapes[i];
  int axis = loop->scan_axes[i];
  OnnxShape row = *shape;
  row.dims[axis] = 1;
  MlirValue at = loop->index;
  if (loop->scan_backwards[i])
    at = onnx_s2(c, "arith.subi", onnx_lit_index(c, loop->trip_count - 1), at);
  MlirValue operands[3] = {
      onnx_reshape(c, onnx_ir(c, loop->rows[i]), loop->rows[i]->type, &row),
      into, at};
  int64_t offsets[ONNX_MAX_RANK], strides[ONNX_MAX_RANK];
  for (int d = 0; d < shape->rank; ++d) {
    offsets[d] = d == axis ? INT64_MIN : 0;
    strides[d] = 1;
  }
  int32_t segments[5] = {1, 1, 1, 0, 0};
  OnnxAttr attrs[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(c->context, 5, segments)},
      {"static_offsets", onnx_i64s_attr(c, offsets, shape->rank)},
      {"static_sizes", onnx_i64s_attr(c, row.dims, shape->rank)},
      {"static_strides", onnx_i64s_attr(c, strides, shape->rank)},
  };
  return onnx_emit(c, "tensor.insert_slice", mlirValueGetType(into), operands,
                   3, attrs, 4);
}

// Ends the body with what it carries on, after `lead` values.
static void close_body(OnnxImport *c, Loop *loop, const MlirValue *lead,
                       int lead_count) {
  int count = lead_count + loop->carried_count + loop->scan_count;
  MlirValue *yields = LUNA_ARENA_ARRAY(c->arena, MlirValue, count);
  int at = 0;
  for (int i = 0; i < lead_count; ++i)
    yields[at++] = lead[i];
  for (int i = 0; i < loop->carried_count; ++i)
    yields[at++] = onnx_ir(c, loop->yielded[i]);
  for (int i = 0; i < loop->scan_count; ++i) {
    MlirValue into = mlirBlockAddArgument(
        loop->block,
        onnx_tensor_type(c, loop->rows[i]->type, &loop->scan_shapes[i]),
        c->location);
    yields[at++] = insert_row(c, loop, i, into);
  }
  onnx_emit_op(c, "scf.yield", NULL, 0, yields, count, NULL, 0, NULL, 0);
}

// The initial values of all that is carried, scan outputs included.
static int initial_values(OnnxImport *c, const Loop *loop, MlirValue *values) {
  int count = 0;
  for (int i = 0; i < loop->carried_count; ++i)
    values[count++] = onnx_ir(c, loop->carried[i]);
  for (int i = 0; i < loop->scan_count; ++i)
    values[count++] =
        onnx_splat(c, loop->rows[i]->type, &loop->scan_shapes[i], 0);
  return count;
}

static void set_outputs(OnnxImport *c, OnnxNode *n, const Loop *loop,
                        MlirOperation op, int first) {
  for (int i = 0; i < loop->carried_count + loop->scan_count; ++i) {
    bool scan = i >= loop->carried_count;
    int k = i - loop->carried_count;
    n->outputs[i] =
        onnx_from_ir(c, scan ? loop->rows[k]->type : loop->carried[i]->type,
                     scan ? &loop->scan_shapes[k] : &loop->carried[i]->shape,
                     mlirOperationGetResult(op, first + i));
  }
}

static void make_for(OnnxImport *c, OnnxNode *n, Loop *loop, MlirValue trips) {
  int count = loop->carried_count + loop->scan_count;
  MlirValue *operands = LUNA_ARENA_ARRAY(c->arena, MlirValue, count + 3);
  MlirType *types = LUNA_ARENA_ARRAY(c->arena, MlirType, count);
  operands[0] = onnx_lit_index(c, 0);
  operands[1] = trips;
  operands[2] = onnx_lit_index(c, 1);
  initial_values(c, loop, operands + 3);
  for (int i = 0; i < count; ++i)
    types[i] = mlirValueGetType(operands[i + 3]);
  MlirRegion region = wrap(loop->block);
  MlirOperation op = onnx_emit_op(c, "scf.for", types, count, operands,
                                  count + 3, NULL, 0, &region, 1);
  set_outputs(c, n, loop, op, 0);
}

// The test of a loop: an iteration is left and the condition holds.
static MlirBlock make_test(OnnxImport *c, const MlirType *types, int count,
                           MlirValue trips) {
  MlirBlock outer = c->block, block = mlirBlockCreate(0, NULL, NULL);
  MlirValue *forwarded = LUNA_ARENA_ARRAY(c->arena, MlirValue, count + 2);
  MlirValue index = mlirBlockAddArgument(block, types[0], c->location);
  MlirValue keep = mlirBlockAddArgument(
      block, mlirIntegerTypeGet(c->context, 1), c->location);
  c->block = block;
  MlirValue left = onnx_compare_index(c, ONNX_LT, index, trips);
  forwarded[0] = onnx_s2(c, "arith.andi", left, keep);
  forwarded[1] = index;
  for (int i = 1; i < count; ++i)
    forwarded[i + 1] = mlirBlockAddArgument(block, types[i], c->location);
  onnx_emit_op(c, "scf.condition", NULL, 0, forwarded, count + 1, NULL, 0, NULL,
               0);
  c->block = outer;
  return block;
}

static void make_while(OnnxImport *c, OnnxNode *n, Loop *loop, MlirValue trips,
                       MlirValue condition) {
  int count = 1 + loop->carried_count + loop->scan_count;
  MlirValue *operands = LUNA_ARENA_ARRAY(c->arena, MlirValue, count + 1);
  MlirType *types = LUNA_ARENA_ARRAY(c->arena, MlirType, count);
  operands[0] = onnx_lit_index(c, 0);
  operands[1] = condition;
  initial_values(c, loop, operands + 2);
  types[0] = onnx_index_type(c);
  for (int i = 1; i < count; ++i)
    types[i] = mlirValueGetType(operands[i + 1]);
  MlirRegion regions[2] = {wrap(make_test(c, types, count, trips)),
                           wrap(loop->block)};
  MlirOperation op = onnx_emit_op(c, "scf.while", types, count, operands,
                                  count + 1, NULL, 0, regions, 2);
  set_outputs(c, n, loop, op, 1);
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

// The size a scan output has: the trip count, or what the model declares.
static bool declared_rows(OnnxImport *c, const char *name, int64_t *rows) {
  const Onnx__GraphProto *graph = c->model->graph;
  for (size_t i = 0; i < graph->n_output + graph->n_value_info; ++i) {
    const Onnx__ValueInfoProto *info =
        i < graph->n_output ? graph->output[i]
                            : graph->value_info[i - graph->n_output];
    OnnxType type;
    OnnxShape shape = {.rank = 0};
    bool known = false;
    if (!info->name || strcmp(info->name, name) != 0)
      continue;
    if (!onnx_read_type(c, info, &type, &shape, &known))
      return false;
    if (known && shape.rank > 0) {
      *rows = shape.dims[0];
      return true;
    }
  }
  return onnx_fail(c,
                   "output '%s' takes as many rows as there are iterations, "
                   "which is not known and not declared",
                   name);
}

static bool set_scan_shapes(OnnxImport *c, const OnnxNode *n, Loop *loop) {
  loop->scan_shapes = LUNA_ARENA_ARRAY(c->arena, OnnxShape, loop->scan_count);
  loop->scan_axes = LUNA_ARENA_ARRAY(c->arena, int, loop->scan_count);
  loop->scan_backwards = LUNA_ARENA_ARRAY(c->arena, bool, loop->scan_count);
  for (int i = 0; i < loop->scan_count; ++i) {
    const OnnxShape *row = &loop->rows[i]->shape;
    int64_t rows = loop->trip_count;
    if (rows < 0 &&
        !declared_rows(c, n->proto->output[loop->carried_count + i], &rows))
      return false;
    if (row->rank + 1 > ONNX_MAX_RANK)
      return onnx_fail(c, "scan output has too many dimensions");
    OnnxShape *shape = &loop->scan_shapes[i];
    *shape = onnx_shape(row->rank + 1, NULL);
    shape->dims[0] = rows;
    for (int d = 0; d < row->rank; ++d)
      shape->dims[d + 1] = row->dims[d];
    if (!onnx_check_shape(c, shape))
      return false;
  }
  return true;
}

// Reads the body: inputs are the iteration, the condition (which holds, or
// there would be no iteration) and the carried values.
static bool read_loop_body(OnnxImport *c, const OnnxNode *n, Loop *loop,
                           OnnxValue **condition) {
  static const uint8_t yes[1] = {1};
  OnnxShape scalar = {.rank = 0};
  int count = loop->carried_count + 2;
  OnnxValue **inputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, count);
  MlirValue iteration = onnx_index_to(c, loop->index, ONNX_I64);
  inputs[0] = onnx_from_ir(c, ONNX_I64, &scalar,
                           onnx_from_scalar(c, iteration, &scalar, ONNX_I64));
  inputs[0]->symbol = inputs[0];
  inputs[1] = onnx_new_const(c, ONNX_BOOL, &scalar, yes);
  for (int i = 0; i < loop->carried_count; ++i)
    inputs[i + 2] = loop->inside[i];
  int results = 1 + loop->carried_count + loop->scan_count;
  OnnxValue **outputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, results);
  if (!onnx_read_subgraph(c, loop->body, inputs, (size_t)count, outputs,
                          (size_t)results))
    return false;
  *condition = outputs[0];
  loop->yielded = outputs + 1;
  loop->rows = outputs + 1 + loop->carried_count;
  return check_carried(c, loop) && set_scan_shapes(c, n, loop);
}

static bool read_trip_count(OnnxImport *c, OnnxValue *value, Loop *loop,
                            MlirValue *trips) {
  loop->trip_count = -1;
  if (!value) {
    *trips = onnx_lit_index(c, INT64_MAX);
    return true;
  }
  if (!onnx_is_int(value->type) || onnx_elems(&value->shape) != 1)
    return onnx_fail(c, "trip count must be one integer");
  if (!value->data) {
    MlirValue scalar = onnx_extract(c, onnx_ir(c, value), value->shape.rank);
    *trips = onnx_cast_index(c, scalar, value->type);
    return true;
  }
  int64_t count = onnx_int_at(value, 0);
  loop->trip_count = count < 0 ? 0 : count;
  *trips = onnx_lit_index(c, loop->trip_count);
  return true;
}

// A scan output has room for so many rows: no further iteration runs.
static MlirValue limit_trips(OnnxImport *c, const Loop *loop, MlirValue trips) {
  for (int i = 0; loop->trip_count < 0 && i < loop->scan_count; ++i)
    trips = onnx_s2(c, "arith.minsi", trips,
                    onnx_lit_index(c, loop->scan_shapes[i].dims[0]));
  return trips;
}

static bool finish_loop(OnnxImport *c, OnnxNode *n, Loop *loop, MlirValue trips,
                        OnnxValue *first, OnnxValue *next) {
  MlirBlock outer = mlirOperationGetBlock(
      mlirOpResultGetOwner(trips)); // Where the loop itself goes.
  MlirValue condition = {NULL}, lead[2];
  bool counted =
      next->data && onnx_elems(&next->shape) == 1 && onnx_int_at(next, 0) != 0;
  if (counted) {
    close_body(c, loop, NULL, 0);
  } else {
    lead[0] = onnx_s2(c, "arith.addi", loop->index, onnx_lit_index(c, 1));
    if (!read_condition(c, next, &lead[1]))
      return false;
    close_body(c, loop, lead, 2);
  }
  c->block = outer;
  trips = limit_trips(c, loop, trips);
  bool always = !first || (first->data && onnx_elems(&first->shape) == 1 &&
                           onnx_int_at(first, 0) != 0);
  OnnxShape scalar = {.rank = 0};
  static const uint8_t yes[1] = {1};
  OnnxValue *start =
      always ? onnx_new_const(c, ONNX_BOOL, &scalar, yes) : first;
  if (!counted || !always) {
    if (!read_condition(c, start, &condition))
      return false;
  }
  if (counted && !always)
    trips = onnx_select(c, condition, trips, onnx_lit_index(c, 0));
  if (counted)
    make_for(c, n, loop, trips);
  else
    make_while(c, n, loop, trips, condition);
  return true;
}

ONNX_HANDLER(loop) {
  Loop loop = {.body = subgraph(c, n, "body")};
  loop.carried_count = n->input_count > 2 ? n->input_count - 2 : 0;
  loop.scan_count = n->output_count - loop.carried_count;
  loop.carried = n->inputs + 2;
  MlirBlock outer = c->block;
  OnnxValue *first = onnx_input(n, 1), *next = NULL;
  MlirValue trips;
  if (!loop.body)
    return false;
  if (loop.scan_count < 0)
    return onnx_fail(c, "has %d outputs, needs at least %d", n->output_count,
                     loop.carried_count);
  for (int i = 0; i < loop.carried_count; ++i)
    if (!loop.carried[i] || !onnx_check_shape(c, &loop.carried[i]->shape))
      return onnx_fail(c, "carried value %d is left out", i);
  if (first && first->type != ONNX_BOOL)
    return onnx_fail(c, "condition must be one bool");
  if (!read_trip_count(c, onnx_input(n, 0), &loop, &trips))
    return false;
  open_body(c, &loop);
  bool ok = read_loop_body(c, n, &loop, &next);
  if (ok && first && onnx_elems(&first->shape) != 1)
    ok = onnx_fail(c, "condition must be one bool");
  if (ok && (next->type != ONNX_BOOL || onnx_elems(&next->shape) != 1))
    ok = onnx_fail(c, "condition must be one bool");
  if (!ok) {
    c->block = outer;
    mlirBlockDestroy(loop.block);
    return false;
  }
  return finish_loop(c, n, &loop, trips, first, next);
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

typedef struct ScanIn {
  int count;
  OnnxValue **values;
  int *axes;
  bool *backwards;
} ScanIn;

// Reads one entry per scan input or output; absent lists read as zeros.
static bool read_scan_list(OnnxImport *c, const OnnxNode *n, const char *name,
                           int count, int64_t *list) {
  for (int i = 0; i < count; ++i)
    list[i] = 0;
  int found = onnx_attr_ints(c, n, name, list, count);
  return found == -1 || found == count ||
         onnx_fail(c, "'%s' needs %d entries", name, count);
}

static bool read_scan_inputs(OnnxImport *c, const OnnxNode *n, Loop *loop,
                             ScanIn *in) {
  int64_t *axes = LUNA_ARENA_ARRAY(c->arena, int64_t, in->count);
  int64_t *directions = LUNA_ARENA_ARRAY(c->arena, int64_t, in->count);
  in->axes = LUNA_ARENA_ARRAY(c->arena, int, in->count);
  in->backwards = LUNA_ARENA_ARRAY(c->arena, bool, in->count);
  if (!read_scan_list(c, n, "scan_input_axes", in->count, axes) ||
      !read_scan_list(c, n, "scan_input_directions", in->count, directions))
    return false;
  for (int i = 0; i < in->count; ++i) {
    const OnnxShape *shape = &in->values[i]->shape;
    if (!onnx_axis(c, axes[i], shape->rank, &in->axes[i]))
      return false;
    in->backwards[i] = directions[i] != 0;
    if (i > 0 && shape->dims[in->axes[i]] != loop->trip_count)
      return onnx_fail(c, "scan inputs have different lengths");
    loop->trip_count = shape->dims[in->axes[i]];
  }
  return true;
}

// The row of a scan input that this iteration sees.
static OnnxValue *scan_row(OnnxImport *c, const Loop *loop, const ScanIn *in,
                           int i, MlirValue source) {
  const OnnxValue *value = in->values[i];
  int axis = in->axes[i], rank = value->shape.rank;
  OnnxShape row = {.rank = 0}, sizes = value->shape;
  int64_t offsets[ONNX_MAX_RANK], strides[ONNX_MAX_RANK];
  sizes.dims[axis] = 1;
  for (int d = 0; d < rank; ++d) {
    offsets[d] = d == axis ? INT64_MIN : 0;
    strides[d] = 1;
    if (d != axis)
      row.dims[row.rank++] = value->shape.dims[d];
  }
  MlirValue at = loop->index;
  if (in->backwards[i])
    at = onnx_s2(c, "arith.subi", onnx_lit_index(c, loop->trip_count - 1), at);
  MlirValue operands[2] = {source, at};
  int32_t segments[4] = {1, 1, 0, 0};
  OnnxAttr attrs[] = {
      {"operandSegmentSizes", mlirDenseI32ArrayGet(c->context, 4, segments)},
      {"static_offsets", onnx_i64s_attr(c, offsets, rank)},
      {"static_sizes", onnx_i64s_attr(c, sizes.dims, rank)},
      {"static_strides", onnx_i64s_attr(c, strides, rank)},
  };
  MlirValue cut = onnx_emit(c, "tensor.extract_slice",
                            onnx_tensor_type(c, value->type, &sizes), operands,
                            2, attrs, 4);
  return onnx_from_ir(c, value->type, &row,
                      onnx_reshape(c, cut, value->type, &row));
}

static bool set_scan_outputs(OnnxImport *c, const OnnxNode *n, Loop *loop) {
  int count = loop->scan_count;
  int64_t *axes = LUNA_ARENA_ARRAY(c->arena, int64_t, count);
  int64_t *directions = LUNA_ARENA_ARRAY(c->arena, int64_t, count);
  if (!read_scan_list(c, n, "scan_output_axes", count, axes) ||
      !read_scan_list(c, n, "scan_output_directions", count, directions) ||
      !set_scan_shapes(c, n, loop))
    return false;
  for (int i = 0; i < count; ++i) {
    OnnxShape *shape = &loop->scan_shapes[i];
    int axis;
    if (!onnx_axis(c, axes[i], shape->rank, &axis))
      return false;
    for (int d = 0; d < axis; ++d)
      shape->dims[d] = shape->dims[d + 1];
    shape->dims[axis] = loop->trip_count;
    loop->scan_axes[i] = axis;
    loop->scan_backwards[i] = directions[i] != 0;
  }
  return true;
}

static bool read_scan_body(OnnxImport *c, const OnnxNode *n, Loop *loop,
                           const ScanIn *in, const MlirValue *sources) {
  int count = loop->carried_count + in->count;
  OnnxValue **inputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, count);
  for (int i = 0; i < loop->carried_count; ++i)
    inputs[i] = loop->inside[i];
  for (int i = 0; i < in->count; ++i)
    inputs[loop->carried_count + i] = scan_row(c, loop, in, i, sources[i]);
  OnnxValue **outputs =
      LUNA_ARENA_ARRAY(c->arena, OnnxValue *, n->output_count);
  if (!onnx_read_subgraph(c, loop->body, inputs, (size_t)count, outputs,
                          (size_t)n->output_count))
    return false;
  loop->yielded = outputs;
  loop->rows = outputs + loop->carried_count;
  return check_carried(c, loop) && set_scan_outputs(c, n, loop);
}

ONNX_HANDLER(scan) {
  Loop loop = {.body = subgraph(c, n, "body")};
  ScanIn in = {.count = (int)onnx_attr_int(n, "num_scan_inputs", 0)};
  if (!loop.body)
    return false;
  if (c->opset < 9)
    return onnx_fail(c, "with a batch dimension (opset 8) is not supported");
  loop.carried_count = n->input_count - in.count;
  loop.scan_count = n->output_count - loop.carried_count;
  if (in.count < 1 || loop.carried_count < 0 || loop.scan_count < 0)
    return onnx_fail(c, "numbers of inputs and outputs do not agree");
  for (int i = 0; i < n->input_count; ++i)
    if (!n->inputs[i] || !onnx_check_shape(c, &n->inputs[i]->shape))
      return onnx_fail(c, "input %d is left out", i);
  loop.carried = n->inputs;
  in.values = n->inputs + loop.carried_count;
  if (!read_scan_inputs(c, n, &loop, &in))
    return false;
  MlirValue *sources = LUNA_ARENA_ARRAY(c->arena, MlirValue, in.count);
  for (int i = 0; i < in.count; ++i)
    sources[i] = onnx_ir(c, in.values[i]);
  MlirBlock outer = c->block;
  open_body(c, &loop);
  bool ok = read_scan_body(c, n, &loop, &in, sources);
  if (ok)
    close_body(c, &loop, NULL, 0);
  c->block = outer;
  if (!ok) {
    mlirBlockDestroy(loop.block);
    return false;
  }
  make_for(c, n, &loop, onnx_lit_index(c, loop.trip_count));
  return true;
}
