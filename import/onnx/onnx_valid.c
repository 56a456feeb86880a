// Values with a valid length: how they are made and bounded.

#include "onnx_valid.h"

#include <string.h>

bool luna_onnx_bound(LunaOnnxImport *c, const char *name, int64_t known,
                     int64_t *bound) {
  const LunaImportOptions *options = c->options;
  *LUNA_VECTOR_ADD(c->arena, &c->bounded) = name;
  *bound = known;
  for (size_t i = 0; i < options->bound_count; ++i)
    if (strcmp(options->bounds[i].name, name) == 0)
      *bound = options->bounds[i].size;
  if (*bound == -1 && known == -1)
    return luna_onnx_fail(c,
                          "the size of '%s' is known while running only: give "
                          "a bound, --bound=%s=N",
                          name, name);
  return (*bound > 0 && *bound <= LUNA_ONNX_MAX_ELEMS) ||
         luna_onnx_fail(c, "the bound of '%s' is %lld, must be 1 to %d", name,
                        (long long)*bound, LUNA_ONNX_MAX_ELEMS);
}

bool luna_onnx_report(LunaOnnxImport *c, const char *name, MlirValue count,
                      int64_t known, int64_t bound) {
  if (known >= 0 && known <= bound)
    return true;
  if (c->depth > 0)
    return luna_onnx_fail(c,
                          "the size of '%s' may exceed its bound, %lld, which "
                          "a subgraph cannot report",
                          name, (long long)bound);
  *LUNA_VECTOR_ADD(c->arena, &c->reported) = (LunaOnnxReported){name, count};
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_onnx_with_valid(LunaOnnxImport *c,
                                    const LunaOnnxValue *value,
                                    const LunaValidLength *like, int axis) {
  LunaOnnxValue *copy = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue, 1);
  LunaValidLength *valid = LUNA_ARENA_ARRAY(c->arena, LunaValidLength, 1);
  *copy = *value;
  *valid = *like;
  valid->axis = axis;
  copy->valid = valid;
  luna_onnx_note_valid(c, copy);
  return copy;
}

void luna_onnx_note_valid(LunaOnnxImport *c, const LunaOnnxValue *value) {
  const LunaValidLength *valid = value->valid;
  if (!valid)
    return;
  if (!mlirValueIsNull(value->ir))
    luna_valid_set(&c->lengths, value->ir, valid, valid->axis);
  if (!mlirValueIsNull(value->last))
    luna_valid_set(&c->lengths, value->last, valid,
                   luna_onnx_axis_last(valid->axis, value->shape.rank));
}

const char *luna_onnx_first_output(const LunaOnnxNode *n) {
  return n->output_count > 0 ? n->proto->output[0] : "";
}

int luna_onnx_valid_axis(const LunaOnnxValue *a, const LunaOnnxValue *b) {
  int axis = a->valid ? a->valid->axis : b->valid ? b->valid->axis : -1;
  if (a->shape.rank != b->shape.rank ||
      (a->valid && b->valid && b->valid->axis != axis))
    return LUNA_ONNX_NO_AXIS;
  for (int d = 0; d < a->shape.rank; ++d) {
    if (a->shape.dims[d] == b->shape.dims[d] || d == axis)
      continue;
    if (axis >= 0)
      return LUNA_ONNX_NO_AXIS;
    axis = d;
  }
  return axis;
}

MlirValue luna_onnx_count(LunaOnnxImport *c, const LunaOnnxValue *value,
                          int axis) {
  return value->valid && value->valid->axis == axis
             ? value->valid->count
             : luna_scalar_index(c->b, value->shape.dims[axis]);
}

LunaOnnxValue *luna_onnx_mask(LunaOnnxImport *c, LunaOnnxValue *value) {
  LunaValidLength valid = *value->valid;
  valid.value = luna_onnx_ir(c, value);
  return luna_onnx_from_ir(c, value->type, &value->shape,
                           luna_valid_mask(c->b, &valid, 0));
}

MlirValue luna_onnx_resize(LunaOnnxImport *c, LunaOnnxValue *value, int axis,
                           int64_t bound) {
  LunaShape shape = value->shape;
  shape.dims[axis] = bound;
  return value->shape.dims[axis] == 0
             ? luna_onnx_splat(c, value->type, &shape, 0)
             : luna_valid_fit(c->b, luna_onnx_ir(c, value), axis, bound);
}
