// Scan becomes scf.for.

#include "onnx_control.h"
#include "onnx_graph.h"

typedef struct ScanIn {
  int count;
  LunaOnnxValue **values;
  int *axes;
  bool *backwards;
} ScanIn;

// Reads one entry per scan input or output; absent lists read as zeros.
static bool read_scan_list(LunaOnnxImport *c, const LunaOnnxNode *n,
                           const char *name, int count, int64_t *list) {
  for (int i = 0; i < count; ++i)
    list[i] = 0;
  int found = luna_onnx_attr_ints(c, n, name, list, count);
  return found == -1 || found == count ||
         luna_onnx_fail(c, "'%s' needs %d entries", name, count);
}

static bool read_scan_inputs(LunaOnnxImport *c, const LunaOnnxNode *n,
                             LunaOnnxIteration *loop, ScanIn *in) {
  int64_t *axes = LUNA_ARENA_ARRAY(c->arena, int64_t, in->count);
  int64_t *directions = LUNA_ARENA_ARRAY(c->arena, int64_t, in->count);
  in->axes = LUNA_ARENA_ARRAY(c->arena, int, in->count);
  in->backwards = LUNA_ARENA_ARRAY(c->arena, bool, in->count);
  if (!read_scan_list(c, n, "scan_input_axes", in->count, axes) ||
      !read_scan_list(c, n, "scan_input_directions", in->count, directions))
    return false;
  for (int i = 0; i < in->count; ++i) {
    const LunaShape *shape = &in->values[i]->shape;
    if (!luna_onnx_axis(c, axes[i], shape->rank, &in->axes[i]))
      return false;
    in->backwards[i] = directions[i] != 0;
    if (i > 0 && shape->dims[in->axes[i]] != loop->trip_count)
      return luna_onnx_fail(c, "scan inputs have different lengths");
    loop->trip_count = shape->dims[in->axes[i]];
  }
  return true;
}

// The row of a scan input that this iteration sees.
static LunaOnnxValue *scan_row(LunaOnnxImport *c, const LunaOnnxIteration *loop,
                               const ScanIn *in, int i, MlirValue source) {
  const LunaOnnxValue *value = in->values[i];
  int axis = in->axes[i];
  LunaShape shape = {.rank = 0};
  for (int d = 0; d < value->shape.rank; ++d)
    if (d != axis)
      shape.dims[shape.rank++] = value->shape.dims[d];
  MlirValue row = luna_build_slice_at(
      c->b, source, axis, luna_onnx_row_at(c, loop, in->backwards[i]), 1);
  return luna_onnx_from_ir(c, value->type, &shape,
                           luna_build_reshape(c->b, row, &shape));
}

static bool set_scan_outputs(LunaOnnxImport *c, const LunaOnnxNode *n,
                             LunaOnnxIteration *loop) {
  int count = loop->scan_count;
  int64_t *axes = LUNA_ARENA_ARRAY(c->arena, int64_t, count);
  int64_t *directions = LUNA_ARENA_ARRAY(c->arena, int64_t, count);
  if (!read_scan_list(c, n, "scan_output_axes", count, axes) ||
      !read_scan_list(c, n, "scan_output_directions", count, directions) ||
      !luna_onnx_set_scan_shapes(c, n, loop))
    return false;
  for (int i = 0; i < count; ++i) {
    LunaShape *shape = &loop->scan_shapes[i];
    int axis;
    if (!luna_onnx_axis(c, axes[i], shape->rank, &axis))
      return false;
    for (int d = 0; d < axis; ++d)
      shape->dims[d] = shape->dims[d + 1];
    shape->dims[axis] = loop->trip_count;
    loop->scan_axes[i] = axis;
    loop->scan_backwards[i] = directions[i] != 0;
  }
  return true;
}

static bool read_scan_body(LunaOnnxImport *c, const LunaOnnxNode *n,
                           LunaOnnxIteration *loop, const ScanIn *in,
                           const MlirValue *sources) {
  int count = loop->carried_count + in->count;
  LunaOnnxValue **inputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, count);
  for (int i = 0; i < loop->carried_count; ++i)
    inputs[i] = loop->inside[i];
  for (int i = 0; i < in->count; ++i)
    inputs[loop->carried_count + i] = scan_row(c, loop, in, i, sources[i]);
  LunaOnnxValue **outputs =
      LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, n->output_count);
  if (!luna_onnx_read_subgraph(c, loop->body, inputs, (size_t)count, outputs,
                               (size_t)n->output_count))
    return false;
  loop->yielded = outputs;
  loop->rows = outputs + loop->carried_count;
  return luna_onnx_check_carried(c, loop) && set_scan_outputs(c, n, loop);
}

bool luna_onnx_op_scan(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxIteration loop = {.body = luna_onnx_subgraph(c, n, "body")};
  ScanIn in = {.count = (int)luna_onnx_attr_int(n, "num_scan_inputs", 0)};
  if (!loop.body)
    return false;
  loop.carried_count = n->input_count - in.count;
  loop.scan_count = n->output_count - loop.carried_count;
  if (in.count < 1 || loop.carried_count < 0 || loop.scan_count < 0)
    return luna_onnx_fail(c, "numbers of inputs and outputs do not agree");
  for (int i = 0; i < n->input_count; ++i)
    if (!n->inputs[i] || !luna_onnx_check_shape(c, &n->inputs[i]->shape))
      return luna_onnx_fail(c, "input %d is left out", i);
  loop.carried = n->inputs;
  in.values = n->inputs + loop.carried_count;
  if (!read_scan_inputs(c, n, &loop, &in))
    return false;
  MlirValue *sources = LUNA_ARENA_ARRAY(c->arena, MlirValue, in.count);
  for (int i = 0; i < in.count; ++i)
    sources[i] = luna_onnx_ir(c, in.values[i]);
  MlirBlock outer = c->b->block;
  luna_onnx_set_carried(c, &loop);
  luna_onnx_open_body(c, &loop);
  bool ok = read_scan_body(c, n, &loop, &in, sources);
  if (ok)
    luna_onnx_close_body(c, &loop, NULL, 0);
  c->b->block = outer;
  if (!ok) {
    luna_onnx_destroy_block(c, loop.block);
    return false;
  }
  return luna_onnx_make_for(c, n, &loop,
                            luna_scalar_index(c->b, loop.trip_count));
}
