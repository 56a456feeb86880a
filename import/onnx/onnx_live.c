// Values with a live count: how they are made, masked and bounded.

#include "onnx_live.h"

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

LunaOnnxValue *luna_onnx_without_live(LunaOnnxImport *c,
                                      const LunaOnnxValue *value) {
  LunaOnnxValue *copy = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue, 1);
  *copy = *value;
  copy->live = NULL;
  return copy;
}

LunaOnnxValue *luna_onnx_with_live(LunaOnnxImport *c,
                                   const LunaOnnxValue *value,
                                   const LunaOnnxLive *like, int axis) {
  LunaOnnxValue *copy = luna_onnx_without_live(c, value);
  LunaOnnxLive *live = LUNA_ARENA_ARRAY(c->arena, LunaOnnxLive, 1);
  *live = *like;
  live->axis = axis;
  copy->live = live;
  return copy;
}

const char *luna_onnx_first_output(const LunaOnnxNode *n) {
  return n->output_count > 0 ? n->proto->output[0] : "";
}

int luna_onnx_live_axis(const LunaOnnxValue *a, const LunaOnnxValue *b) {
  int axis = a->live ? a->live->axis : b->live ? b->live->axis : -1;
  if (a->shape.rank != b->shape.rank ||
      (a->live && b->live && b->live->axis != axis))
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
  return value->live && value->live->axis == axis
             ? value->live->count
             : luna_scalar_index(c->b, value->shape.dims[axis]);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_onnx_mask(LunaOnnxImport *c, LunaOnnxValue *value,
                              const LunaOnnxLive *live, double neutral) {
  if (neutral == 0 && live->is_zero_behind)
    return luna_onnx_without_live(c, value);
  LunaGeneric generic = luna_generic(c->b, &value->shape);
  MlirValue element = luna_generic_input(&generic, luna_onnx_ir(c, value));
  luna_generic_result(&generic, luna_onnx_element_type(c, value->type));
  MlirValue is_live = luna_scalar_compare(
      c->b, LUNA_LT, luna_generic_index(&generic, live->axis), live->count);
  MlirValue masked = luna_scalar_select(c->b, is_live, element,
                                        luna_onnx_lit(c, value->type, neutral));
  return luna_onnx_from_ir(c, value->type, &value->shape,
                           luna_generic_end(&generic, masked));
}

MlirValue luna_onnx_resize(LunaOnnxImport *c, LunaOnnxValue *value, int axis,
                           int64_t bound) {
  LunaShape shape = value->shape;
  int64_t extent = shape.dims[axis];
  int64_t pads[2 * LUNA_ONNX_MAX_RANK] = {0}, start[LUNA_ONNX_MAX_RANK] = {0};
  shape.dims[axis] = bound;
  if (extent == 0)
    return luna_onnx_splat(c, value->type, &shape, 0);
  if (extent >= bound)
    return luna_build_slice(c->b, luna_onnx_ir(c, value), start, shape.dims);
  pads[2 * axis + 1] = bound - extent;
  return luna_onnx_pad(c, luna_onnx_ir(c, value), pads, 0);
}
