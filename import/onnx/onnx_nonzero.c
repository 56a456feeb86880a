// NonZero: the places of the elements that are not 0, and how many there are.

#include "onnx_valid.h"

// The places of a constant are one, too.
static bool find_known(LunaOnnxImport *c, LunaOnnxNode *n,
                       const LunaOnnxValue *value) {
  int64_t index[LUNA_ONNX_MAX_RANK] = {0};
  int64_t elements = luna_onnx_elems(&value->shape), found = 0, at = 0;
  int rank = value->shape.rank;
  for (int64_t i = 0; i < elements; ++i)
    found += luna_onnx_float_at(value, i) != 0;
  if (!luna_onnx_check_made(c, found * rank))
    return false;
  LunaShape shape = luna_onnx_shape(2, (int64_t[]){rank, found});
  int64_t *places = luna_onnx_new_data(c, found * rank + 1, sizeof *places);
  for (int64_t i = 0; i < elements; ++i) {
    if (luna_onnx_float_at(value, i) != 0) {
      for (int d = 0; d < rank; ++d)
        places[d * found + at] = index[d];
      ++at;
    }
    luna_onnx_next_index(&value->shape, index);
  }
  n->outputs[0] = luna_onnx_new_const(c, LUNA_ONNX_I64, &shape, places);
  return true;
}

bool luna_onnx_op_non_zero(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  const char *name = luna_onnx_first_output(n);
  int64_t elements = luna_onnx_elems(&value->shape);
  int64_t bound;
  if (value->shape.rank == 0)
    return luna_onnx_fail(c, "a scalar has no places");
  if (!luna_onnx_check_shape(c, &value->shape))
    return false;
  if (!value->valid && luna_onnx_evaluate(c, value))
    return find_known(c, n, value);
  if (value->valid)
    value = luna_onnx_mask(c, value);
  MlirValue source = luna_onnx_ir(c, value);
  if (!luna_onnx_bound(c, name, elements, &bound))
    return false;
  LunaShape shape = luna_onnx_shape(2, (int64_t[]){value->shape.rank, bound});
  if (!luna_onnx_check_shape(c, &shape))
    return false;
  LunaValidLength valid = {.name = name, .is_zero_behind = true};
  MlirValue places = luna_find_places(c->b, source, bound, true, &valid.count);
  n->outputs[0] = luna_onnx_with_valid(
      c, luna_onnx_from_ir(c, LUNA_ONNX_I64, &shape, places), &valid, 1);
  return luna_onnx_report(c, name, valid.count, elements, bound);
}
