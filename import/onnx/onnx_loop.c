// Loop becomes scf.for where its condition never changes, else scf.while. The
// body of one that carries a growing value is read again, with a valid length.

#include "luna/checked.h"
#include "onnx_control.h"
#include "onnx_graph.h"
#include "onnx_valid.h"

// Reads the body: inputs are the iteration, the condition (which holds, or
// there would be no iteration) and the carried values.
static bool read_loop_body(LunaOnnxImport *c, LunaOnnxIteration *loop,
                           LunaOnnxValue **condition) {
  static const uint8_t yes[1] = {1};
  LunaShape scalar = {.rank = 0};
  int count = loop->carried_count + 2;
  LunaOnnxValue **inputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, count);
  MlirValue iteration = luna_onnx_index_to(c, loop->index, LUNA_ONNX_I64);
  inputs[0] =
      luna_onnx_from_ir(c, LUNA_ONNX_I64, &scalar,
                        luna_build_from_scalar(c->b, iteration, &scalar));
  inputs[0]->symbol = inputs[0];
  inputs[1] = luna_onnx_new_const(c, LUNA_ONNX_BOOL, &scalar, yes);
  for (int i = 0; i < loop->carried_count; ++i)
    inputs[i + 2] = loop->inside[i];
  int results = 1 + loop->carried_count + loop->scan_count;
  LunaOnnxValue **outputs =
      LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, results);
  if (!luna_onnx_read_subgraph(c, loop->body, inputs, (size_t)count, outputs,
                               (size_t)results))
    return false;
  *condition = outputs[0];
  loop->yielded = outputs + 1;
  loop->rows = outputs + 1 + loop->carried_count;
  return true;
}

// A body is read again for each time that one around it is.
enum { MAX_READ_AGAIN = 256 };

// How large a value gets that grows by so much in each iteration; -1 where that
// is not known, or too much.
static int64_t grown(const LunaOnnxIteration *loop, int64_t extent,
                     int64_t growth) {
  int64_t size;
  if (growth <= 0)
    return extent;
  return loop->trip_count >= 0 &&
                 luna_checked_mul(growth, loop->trip_count, &size) &&
                 luna_checked_add(size, extent, &size) &&
                 size <= LUNA_ONNX_MAX_ELEMS
             ? size
             : -1;
}

// Finds how value `i` grows, and its bound; `*is_new` is true if the body must
// be read again for it. A value that grows faster the larger it is has no bound
// that follows from the model.
static bool bound_carried(LunaOnnxImport *c, const LunaOnnxNode *n,
                          LunaOnnxIteration *loop, int i, bool *is_new) {
  const LunaOnnxValue *inside = loop->inside[i], *next = loop->yielded[i];
  LunaOnnxCarried *carried = &loop->values[i];
  int axis = luna_onnx_valid_axis(inside, next);
  if (axis < 0 || inside->type != next->type)
    return true; // The same shape, or refused by luna_onnx_check_carried.
  int64_t growth = next->shape.dims[axis] - inside->shape.dims[axis];
  int64_t extent = loop->carried[i]->shape.dims[axis];
  if (carried->valid_axis >= 0 &&
      growth <= (carried->growth > 0 ? carried->growth : 0))
    return true;
  bool is_linear = carried->growth < 0;
  carried->valid_axis = axis;
  carried->growth = growth > 0 ? growth : 0;
  carried->known = is_linear ? grown(loop, extent, growth) : -1;
  *is_new = true;
  return luna_onnx_bound(c, luna_onnx_output_name(n, loop, i), carried->known,
                         &carried->shape.dims[axis]);
}

// Reads the body until all that it carries has a bound.
static bool read_bounded_body(LunaOnnxImport *c, const LunaOnnxNode *n,
                              LunaOnnxIteration *loop,
                              LunaOnnxValue **condition) {
  for (bool is_new = true; is_new;) {
    is_new = false;
    if (!read_loop_body(c, loop, condition))
      return false;
    for (int i = 0; i < loop->carried_count; ++i)
      if (!bound_carried(c, n, loop, i, &is_new))
        return false;
    if (!is_new)
      break;
    if (c->abandoned.count == MAX_READ_AGAIN)
      return luna_onnx_fail(c,
                            "loops with growing values are nested so that "
                            "bodies are read again more than %d times",
                            MAX_READ_AGAIN);
    *LUNA_VECTOR_ADD(c->arena, &c->abandoned) = loop->block;
    luna_onnx_open_body(c, loop);
  }
  return luna_onnx_check_carried(c, loop);
}

static bool is_true(LunaOnnxImport *c, LunaOnnxValue *value) {
  return luna_onnx_evaluate_one(c, value) && luna_onnx_int_at(value, 0) != 0;
}

static bool read_trip_count(LunaOnnxImport *c, LunaOnnxValue *value,
                            LunaOnnxIteration *loop, MlirValue *trips) {
  loop->trip_count = -1;
  if (!value) {
    *trips = luna_scalar_index(c->b, INT64_MAX);
    return true;
  }
  if (!luna_onnx_is_int(value->type) || luna_onnx_elems(&value->shape) != 1)
    return luna_onnx_fail(c, "trip count must be one integer");
  if (!luna_onnx_evaluate(c, value)) {
    MlirValue scalar = luna_scalar_only(c->b, luna_onnx_ir(c, value));
    *trips = luna_onnx_cast_index(c, scalar, value->type);
    return true;
  }
  int64_t count = luna_onnx_int_at(value, 0);
  loop->trip_count = count < 0 ? 0 : count;
  *trips = luna_scalar_index(c->b, loop->trip_count);
  return true;
}

// A scan output has room for so many rows: no further iteration runs.
static MlirValue limit_trips(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                             MlirValue trips) {
  for (int i = 0; loop->trip_count < 0 && i < loop->scan_count; ++i)
    if (!loop->scan_is_valid[i])
      trips = luna_scalar_min(
          c->b, trips, luna_scalar_index(c->b, loop->scan_shapes[i].dims[0]));
  return trips;
}

static bool finish_loop(LunaOnnxImport *c, LunaOnnxNode *n,
                        LunaOnnxIteration *loop, MlirValue trips,
                        LunaOnnxValue *first, LunaOnnxValue *next) {
  MlirBlock outer = mlirOperationGetBlock(
      mlirOpResultGetOwner(trips)); // Where the loop itself goes.
  MlirValue condition = {NULL}, lead[2];
  bool counted = is_true(c, next);
  if (counted) {
    luna_onnx_close_body(c, loop, NULL, 0);
  } else {
    lead[0] = luna_scalar_add(c->b, loop->index, luna_scalar_index(c->b, 1));
    if (!luna_onnx_read_condition(c, next, &lead[1]))
      return false;
    luna_onnx_close_body(c, loop, lead, 2);
  }
  c->b->block = outer;
  trips = limit_trips(c, loop, trips);
  bool always = !first || is_true(c, first);
  LunaShape scalar = {.rank = 0};
  static const uint8_t yes[1] = {1};
  LunaOnnxValue *start =
      always ? luna_onnx_new_const(c, LUNA_ONNX_BOOL, &scalar, yes) : first;
  if (!counted || !always) {
    if (!luna_onnx_read_condition(c, start, &condition))
      return false;
  }
  if (counted && !always)
    trips =
        luna_scalar_select(c->b, condition, trips, luna_scalar_index(c->b, 0));
  return counted ? luna_onnx_make_for(c, n, loop, trips)
                 : luna_onnx_make_while(c, n, loop, trips, condition);
}

static bool read_body(LunaOnnxImport *c, const LunaOnnxNode *n,
                      LunaOnnxIteration *loop, LunaOnnxValue *first,
                      LunaOnnxValue **next) {
  if (!read_bounded_body(c, n, loop, next))
    return false;
  if ((first && luna_onnx_elems(&first->shape) != 1) ||
      (*next)->type != LUNA_ONNX_BOOL || luna_onnx_elems(&(*next)->shape) != 1)
    return luna_onnx_fail(c, "condition must be one bool");
  loop->may_stop = !is_true(c, *next) || (first && !is_true(c, first));
  return luna_onnx_set_scan_shapes(c, n, loop);
}

bool luna_onnx_op_loop(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxIteration loop = {.body = luna_onnx_subgraph(c, n, "body")};
  loop.carried_count = n->input_count > 2 ? n->input_count - 2 : 0;
  loop.scan_count = n->output_count - loop.carried_count;
  loop.carried = n->inputs + 2;
  MlirBlock outer = c->b->block;
  LunaOnnxValue *first = luna_onnx_input(n, 1), *next = NULL;
  MlirValue trips;
  if (!loop.body)
    return false;
  if (loop.scan_count < 0)
    return luna_onnx_fail(c, "has %d outputs, needs at least %d",
                          n->output_count, loop.carried_count);
  for (int i = 0; i < loop.carried_count; ++i)
    if (!loop.carried[i])
      return luna_onnx_fail(c, "carried value %d is left out", i);
  for (int i = 0; i < 2 && i < n->input_count; ++i)
    if (n->inputs[i] && n->inputs[i]->valid)
      return luna_onnx_fail(c,
                            "input %d has a size that is known while running "
                            "only",
                            i);
  if (first && first->type != LUNA_ONNX_BOOL)
    return luna_onnx_fail(c, "condition must be one bool");
  if (!read_trip_count(c, luna_onnx_input(n, 0), &loop, &trips))
    return false;
  luna_onnx_set_carried(c, &loop);
  for (int i = 0; i < loop.carried_count; ++i)
    if (!luna_onnx_check_shape(c, &loop.values[i].shape))
      return false;
  luna_onnx_open_body(c, &loop);
  if (!read_body(c, n, &loop, first, &next)) {
    c->b->block = outer;
    luna_onnx_destroy_block(c, loop.block);
    return false;
  }
  return finish_loop(c, n, &loop, trips, first, next);
}
