// Loops over the steps of a sequence, in ONNX values.

#include "onnx.h"

void onnx_steps_open(OnnxImport *c, OnnxSteps *steps, OnnxType type,
                     const OnnxShape *shape, OnnxValue **state) {
  LunaTimeSpec spec = {.steps = shape->dims[0],
                       .is_reverse = steps->is_reverse,
                       .count = steps->states + 1};
  for (int i = 0; i < steps->states; ++i)
    spec.first[i] = onnx_ir(c, state[i]);
  spec.first[steps->states] = onnx_empty(c, type, shape);
  steps->type = type;
  steps->shape = *shape;
  steps->outer = c->block;
  steps->loop = luna_time_loop(c->block, c->location, &spec);
  c->block = steps->loop.body;
  for (int i = 0; i < steps->states; ++i)
    state[i] = onnx_from_ir(c, state[i]->type, &state[i]->shape,
                            steps->loop.carried[i]);
}

OnnxValue *onnx_steps_take(OnnxImport *c, const OnnxSteps *steps,
                           OnnxValue *value, MlirValue source) {
  const int64_t *dims = value->shape.dims;
  OnnxShape row = onnx_shape(2, (int64_t[]){dims[1], dims[2]});
  MlirValue cut = luna_time_take(&steps->loop, source, 0);
  return onnx_from_ir(c, value->type, &row,
                      onnx_reshape(c, cut, value->type, &row));
}

OnnxValue *onnx_steps_close(OnnxImport *c, const OnnxSteps *steps,
                            OnnxValue *row, OnnxValue **state) {
  const LunaTimeLoop *loop = &steps->loop;
  const int64_t *dims = steps->shape.dims;
  OnnxShape slot = onnx_shape(3, (int64_t[]){1, dims[1], dims[2]});
  MlirValue next[LUNA_TIME_MAX_CARRIED];
  if (row) {
    for (int i = 0; i < steps->states; ++i)
      next[i] = onnx_ir(c, state[i]);
    MlirValue added = onnx_reshape(c, onnx_ir(c, row), steps->type, &slot);
    next[steps->states] =
        luna_time_put(loop, added, loop->carried[steps->states], 0);
    luna_time_end(loop, next);
  }
  c->block = steps->outer;
  if (!row)
    return NULL;
  for (int i = 0; i < steps->states; ++i)
    state[i] = onnx_from_ir(c, state[i]->type, &state[i]->shape,
                            luna_time_last(loop, i));
  return onnx_from_ir(c, steps->type, &steps->shape,
                      luna_time_last(loop, steps->states));
}

OnnxValue *onnx_steps_part(OnnxImport *c, OnnxValue *value, int64_t at,
                           int64_t size) {
  OnnxShape shape = value->shape;
  int64_t starts[ONNX_MAX_RANK] = {0};
  starts[shape.rank - 1] = at * size;
  shape.dims[shape.rank - 1] = size;
  return onnx_from_ir(
      c, value->type, &shape,
      onnx_slice(c, onnx_ir(c, value), value->type, &shape, starts, NULL));
}
