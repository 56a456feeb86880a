// Operators that walk along one dimension: CumSum and TopK.

#include "along_axis.h"
#include "onnx.h"

bool luna_onnx_op_cumsum(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0], *which = n->inputs[1];
  int axis;
  if (!luna_onnx_evaluate_one(c, which) || value->type == LUNA_ONNX_BOOL)
    return luna_onnx_fail(c, "axis must be one constant number");
  if (!luna_onnx_axis(c, luna_onnx_int_at(which, 0), value->shape.rank, &axis))
    return false;
  n->outputs[0] = luna_onnx_from_ir(
      c, value->type, &value->shape,
      luna_running_sum(c->b, luna_onnx_ir(c, value), axis,
                       luna_onnx_attr_int(n, "exclusive", 0) != 0,
                       luna_onnx_attr_int(n, "reverse", 0) != 0));
  return true;
}

bool luna_onnx_op_top_k(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  LunaShape out = value->shape;
  int64_t k = luna_onnx_attr_int(n, "k", 0);
  int axis;
  if (n->input_count > 1 && luna_onnx_input_ints(c, n, 1, &k, 1) != 1)
    return luna_onnx_fail(c, "k must be one constant number");
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", -1), out.rank, &axis))
    return false;
  if (k < 0 || k > out.dims[axis] || value->type == LUNA_ONNX_BOOL)
    return luna_onnx_fail(c, "k is %lld, 0 to %lld are possible", (long long)k,
                          (long long)out.dims[axis]);
  out.dims[axis] = k;
  n->outputs[0] = luna_onnx_no_elements(c, value->type, &out);
  if (n->output_count > 1)
    n->outputs[1] = luna_onnx_no_elements(c, LUNA_ONNX_I64, &out);
  if (n->outputs[0])
    return true;
  bool is_largest = luna_onnx_attr_int(n, "largest", 1) != 0;
  LunaCompare before = is_largest ? LUNA_GT : LUNA_LT;
  if (luna_onnx_is_unsigned(value->type))
    before = is_largest ? LUNA_UGT : LUNA_ULT;
  MlirValue source = luna_onnx_ir(c, value);
  MlirValue places = luna_first_places(c->b, source, axis, k, before);
  LunaOnnxValue *order = luna_onnx_from_ir(c, LUNA_ONNX_I32, &out, places);
  n->outputs[0] = luna_onnx_from_ir(
      c, value->type, &out, luna_take_places(c->b, source, axis, places));
  if (n->output_count > 1)
    n->outputs[1] = luna_onnx_cast_value(c, order, LUNA_ONNX_I64);
  return true;
}
