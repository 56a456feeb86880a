// Loops over the steps of a sequence, in ONNX values.

#include "onnx.h"

void luna_onnx_steps_open(LunaOnnxImport *c, LunaOnnxSteps *steps,
                          LunaOnnxType type, const LunaShape *shape,
                          LunaOnnxValue **state) {
  LunaTimeSpec spec = {.steps = shape->dims[0],
                       .is_reverse = steps->is_reverse,
                       .count = steps->states + 1};
  for (int i = 0; i < steps->states; ++i)
    spec.first[i] = luna_onnx_ir(c, state[i]);
  spec.first[steps->states] =
      luna_build_empty(c->b, luna_onnx_tensor_type(c, type, shape));
  steps->type = type;
  steps->shape = *shape;
  steps->loop = luna_time_loop(c->b, &spec);
  for (int i = 0; i < steps->states; ++i)
    steps->before[i] = state[i] = luna_onnx_from_ir(
        c, state[i]->type, &state[i]->shape, steps->loop.carried[i]);
}

LunaOnnxValue *luna_onnx_steps_take(LunaOnnxImport *c,
                                    const LunaOnnxSteps *steps,
                                    LunaOnnxValue *value, MlirValue source) {
  const int64_t *dims = value->shape.dims;
  LunaShape row = {2, {dims[1], dims[2]}};
  MlirValue cut = luna_build_slice_at(c->b, source, 0, steps->loop.at, 1);
  return luna_onnx_from_ir(c, value->type, &row,
                           luna_build_reshape(c->b, cut, &row));
}

static MlirValue running(const LunaOnnxScalar *s) {
  MlirValue length = luna_onnx_cast(s->c, s->args[0], s->type, LUNA_ONNX_I64);
  return luna_scalar_compare(s->b, LUNA_LT, s->args[1], length);
}

// Past the end of a sequence the state stays and the row is zero; NULL after an
// error.
static LunaOnnxValue *mask(LunaOnnxImport *c, const LunaOnnxSteps *steps,
                           LunaOnnxValue *row, LunaOnnxValue **state) {
  LunaShape scalar = {.rank = 0};
  LunaShape column = {2, {luna_onnx_elems(&steps->lengths->shape), 1}};
  MlirValue at = luna_onnx_index_to(c, steps->loop.at, LUNA_ONNX_I64);
  LunaOnnxValue *pair[2] = {
      luna_onnx_reshape_value(c, steps->lengths, &column),
      luna_onnx_from_ir(c, LUNA_ONNX_I64, &scalar,
                        luna_build_from_scalar(c->b, at, &scalar))};
  LunaOnnxValue *runs =
      luna_onnx_map(c, NULL, pair, 2, LUNA_ONNX_BOOL, running);
  row = luna_onnx_where(c, runs, row, luna_onnx_scalar(c, row->type, 0));
  for (int i = 0; i < steps->states; ++i)
    state[i] = luna_onnx_where(c, runs, state[i], steps->before[i]);
  return row;
}

LunaOnnxValue *luna_onnx_steps_close(LunaOnnxImport *c,
                                     const LunaOnnxSteps *steps,
                                     LunaOnnxValue *row,
                                     LunaOnnxValue **state) {
  const LunaTimeLoop *loop = &steps->loop;
  const int64_t *dims = steps->shape.dims;
  LunaShape slot = {3, {1, dims[1], dims[2]}};
  MlirValue next[LUNA_TIME_MAX_CARRIED];
  if (row && steps->lengths)
    row = mask(c, steps, row, state);
  if (!row) {
    c->b->block = loop->outer;
    return NULL;
  }
  for (int i = 0; i < steps->states; ++i)
    next[i] = luna_onnx_ir(c, state[i]);
  MlirValue added = luna_build_reshape(c->b, luna_onnx_ir(c, row), &slot);
  next[steps->states] = luna_build_insert_at(
      c->b, added, loop->carried[steps->states], 0, loop->at);
  luna_time_end(loop, next);
  for (int i = 0; i < steps->states; ++i)
    state[i] = luna_onnx_from_ir(c, state[i]->type, &state[i]->shape,
                                 luna_time_last(loop, i));
  return luna_onnx_from_ir(c, steps->type, &steps->shape,
                           luna_time_last(loop, steps->states));
}

LunaOnnxValue *luna_onnx_steps_part(LunaOnnxImport *c, LunaOnnxValue *value,
                                    int64_t at, int64_t size) {
  LunaShape shape = value->shape;
  int64_t starts[LUNA_ONNX_MAX_RANK] = {0};
  starts[shape.rank - 1] = at * size;
  shape.dims[shape.rank - 1] = size;
  return luna_onnx_from_ir(
      c, value->type, &shape,
      luna_build_slice(c->b, luna_onnx_ir(c, value), starts, shape.dims));
}
