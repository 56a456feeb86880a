// QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear: luna.quantize and
// luna.dequantize.

#include "onnx.h"

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// The layout that a value is at hand in, for it and what goes along.
static MlirValue in_layout(OnnxImport *c, OnnxValue *value, bool last) {
  return last ? onnx_ir_last(c, value) : onnx_ir(c, value);
}

// A scale or zero point: one number, or one for each index of `axis`, in the
// value's layout.
static bool add_parameter(OnnxImport *c, OnnxValue *parameter,
                          const OnnxValue *value, int axis,
                          MlirValue *operand) {
  LunaShape shape = onnx_shape(value->shape.rank, NULL);
  if (onnx_elems(&parameter->shape) == 1) {
    *operand = onnx_ir(c, parameter);
    return true;
  }
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = i == axis ? value->shape.dims[i] : 1;
  parameter = onnx_reshape_value(c, parameter, &shape);
  if (parameter)
    *operand = in_layout(c, parameter, onnx_prefers_last(value));
  return parameter != NULL;
}

// Adds `name` on a value, its scale and its zero point (which may be NULL).
static OnnxValue *emit(OnnxImport *c, const char *name, OnnxValue *value,
                       const OnnxQuantization *q, OnnxType to) {
  bool last = onnx_prefers_last(value);
  LunaShape shape = last ? onnx_shape_last(&value->shape) : value->shape;
  MlirValue operands[3];
  LunaAttr is_unsigned = {"is_unsigned", mlirUnitAttrGet(c->b->context)};
  OnnxType ints = to == ONNX_F32 ? value->type : to;
  if (!onnx_check_shape(c, &shape) ||
      !add_parameter(c, q->scale, value, q->axis, &operands[1]) ||
      (q->zero && !add_parameter(c, q->zero, value, q->axis, &operands[2])))
    return NULL;
  operands[0] = in_layout(c, value, last);
  MlirValue made = luna_build_op(c->b, name, onnx_tensor_type(c, to, &shape),
                                 q->zero ? 3 : 2, operands,
                                 onnx_is_unsigned(ints) ? 1 : 0, &is_unsigned);
  return last ? onnx_from_last(c, to, &value->shape, made)
              : onnx_from_ir(c, to, &value->shape, made);
}

static MlirValue cast_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                              const MlirValue *args, int count) {
  (void)n, (void)count;
  return onnx_cast(c, args[0], type, ONNX_F32);
}

OnnxValue *onnx_quantize(OnnxImport *c, OnnxValue *value,
                         const OnnxQuantization *q) {
  OnnxType to = q->zero ? q->zero->type : q->type;
  if (value && value->type == ONNX_I32)
    value = onnx_map(c, NULL, &value, 1, ONNX_F32, cast_element);
  if (!value)
    return NULL;
  if (!onnx_is_int(to) || onnx_type_bytes(to) > 2 ||
      q->scale->type != ONNX_F32) {
    onnx_fail(c, "needs a float scale and a zero point of 8 or 16 bits");
    return NULL;
  }
  return emit(c, "luna.quantize", value, q, to);
}

OnnxValue *onnx_dequantize(OnnxImport *c, OnnxValue *value,
                           const OnnxQuantization *q) {
  int bytes = onnx_type_bytes(value->type);
  if (!onnx_is_int(value->type) || bytes > 4 ||
      (bytes > 2 && onnx_is_unsigned(value->type)) ||
      q->scale->type != ONNX_F32 || (q->zero && q->zero->type != value->type)) {
    onnx_fail(c, "type %s is not supported", onnx_type_name(value->type));
    return NULL;
  }
  return emit(c, "luna.dequantize", value, q, ONNX_F32);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

// Without a zero point the result is uint8.
static bool read_quantization(OnnxImport *c, const OnnxNode *n,
                              OnnxQuantization *q) {
  int rank = n->inputs[0]->shape.rank;
  int64_t axis = onnx_attr_int(n, "axis", rank > 1 ? 1 : 0);
  *q = (OnnxQuantization){
      .scale = n->inputs[1], .zero = onnx_input(n, 2), .type = ONNX_U8};
  return rank == 0 || onnx_axis(c, axis, rank, &q->axis);
}

ONNX_HANDLER(quantize) {
  OnnxType type = n->inputs[0]->type;
  OnnxQuantization q;
  if ((type != ONNX_F32 && type != ONNX_I32) || !read_quantization(c, n, &q))
    return onnx_fail(c, "type %s is not supported", onnx_type_name(type));
  n->outputs[0] = onnx_quantize(c, n->inputs[0], &q);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(dequantize) {
  OnnxQuantization q;
  if (!read_quantization(c, n, &q))
    return false;
  n->outputs[0] = onnx_dequantize(c, n->inputs[0], &q);
  return n->outputs[0] != NULL;
}

static MlirValue zero_point_element(OnnxImport *c, const OnnxNode *n,
                                    OnnxType type, const MlirValue *args,
                                    int count) {
  (void)n, (void)count;
  MlirValue x = luna_scalar_div(
      c->b, luna_scalar_sub(c->b, onnx_lit(c, type, 0.0), args[0]), args[1]);
  x = onnx_max(c, type, onnx_min(c, type, x, onnx_lit(c, type, 255.0)),
               onnx_lit(c, type, 0.0));
  return onnx_saturate(c, luna_scalar_unary(c->b, "math.roundeven", x),
                       ONNX_U8);
}

// The range always holds 0, so that 0 is exact.
ONNX_HANDLER(dynamic_quantize) {
  OnnxValue *value = n->inputs[0];
  LunaShape scalar = {.rank = 0};
  bool axes[ONNX_MAX_RANK];
  for (int i = 0; i < ONNX_MAX_RANK; ++i)
    axes[i] = true;
  if (value->type != ONNX_F32 || n->output_count != 3)
    return onnx_fail(c, "needs a float input and three outputs");
  OnnxValue *zero = onnx_scalar(c, ONNX_F32, 0);
  OnnxValue *low =
      onnx_reshape_value(c, onnx_reduce(c, value, axes, ONNX_MIN), &scalar);
  OnnxValue *high =
      onnx_reshape_value(c, onnx_reduce(c, value, axes, ONNX_MAX), &scalar);
  low = onnx_apply(c, n, "Min", low, zero);
  high = onnx_apply(c, n, "Max", high, zero);
  OnnxValue *scale = onnx_apply(c, n, "Div", onnx_apply(c, n, "Sub", high, low),
                                onnx_scalar(c, ONNX_F32, 255));
  OnnxValue *pair[2] = {low, scale};
  if (!scale)
    return false;
  n->outputs[1] = scale;
  n->outputs[2] = onnx_map(c, n, pair, 2, ONNX_U8, zero_point_element);
  if (!n->outputs[2])
    return false;
  n->outputs[0] = onnx_quantize(
      c, value, &(OnnxQuantization){.scale = scale, .zero = n->outputs[2]});
  return n->outputs[0] != NULL;
}
