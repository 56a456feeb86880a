// QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear: luna.quantize and
// luna.dequantize.

#include "onnx.h"

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// Returns the value in one of the layouts.
static MlirValue in_layout(LunaOnnxImport *c, LunaOnnxValue *value, bool last) {
  return last ? luna_onnx_ir_last(c, value) : luna_onnx_ir(c, value);
}

static bool is_one(const LunaOnnxValue *parameter) {
  return !parameter || luna_onnx_elems(&parameter->shape) == 1;
}

// A scale or zero point: one number, or one for each index of `axis`, in the
// value's layout.
static bool add_parameter(LunaOnnxImport *c, LunaOnnxValue *parameter,
                          const LunaOnnxValue *value, int axis,
                          MlirValue *operand) {
  LunaShape shape = luna_onnx_shape(value->shape.rank, NULL);
  if (is_one(parameter)) {
    *operand = luna_onnx_ir(c, parameter);
    return true;
  }
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = i == axis ? value->shape.dims[i] : 1;
  parameter = luna_onnx_reshape_value(c, parameter, &shape);
  if (parameter)
    *operand = in_layout(c, parameter, luna_onnx_prefers_last(value));
  return parameter != NULL;
}

// Adds `name` on a value, its scale and its zero point (which may be NULL).
static LunaOnnxValue *emit(LunaOnnxImport *c, const char *name,
                           LunaOnnxValue *value, const LunaOnnxQuantization *q,
                           LunaOnnxType to) {
  bool last = luna_onnx_prefers_last(value);
  LunaShape shape = last ? luna_onnx_shape_last(&value->shape) : value->shape;
  MlirValue operands[3];
  LunaAttr attrs[2];
  int count = 0;
  LunaOnnxType ints = to == LUNA_ONNX_F32 ? value->type : to;
  if (!luna_onnx_check_shape(c, &shape) ||
      !add_parameter(c, q->scale, value, q->axis, &operands[1]) ||
      (q->zero && !add_parameter(c, q->zero, value, q->axis, &operands[2])))
    return NULL;
  operands[0] = in_layout(c, value, last);
  if (luna_onnx_is_unsigned(ints))
    attrs[count++] = (LunaAttr){"is_unsigned", mlirUnitAttrGet(c->b->context)};
  if (q->ties != LUNA_TIES_EVEN)
    attrs[count++] =
        (LunaAttr){"rounding", luna_i32_attr(c->b->context, q->ties)};
  MlirValue made =
      luna_build_op(c->b, name, luna_onnx_tensor_type(c, to, &shape),
                    q->zero ? 3 : 2, operands, count, attrs);
  return last ? luna_onnx_from_last(c, to, &value->shape, made)
              : luna_onnx_from_ir(c, to, &value->shape, made);
}

static MlirValue cast_element(const LunaOnnxScalar *s) {
  return luna_onnx_cast(s->c, s->args[0], s->type, LUNA_ONNX_F32);
}

LunaOnnxValue *luna_onnx_quantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                  const LunaOnnxQuantization *q) {
  LunaOnnxType to = q->zero ? q->zero->type : q->type;
  if (value && value->type == LUNA_ONNX_I32)
    value = luna_onnx_map(c, NULL, &value, 1, LUNA_ONNX_F32, cast_element);
  if (!value)
    return NULL;
  if (!luna_onnx_is_int(to) || luna_onnx_type_bytes(to) > 2 ||
      q->scale->type != LUNA_ONNX_F32) {
    luna_onnx_fail(c, "needs a float scale and a zero point of 8 or 16 bits");
    return NULL;
  }
  return emit(c, "luna.quantize", value, q, to);
}

LunaOnnxValue *luna_onnx_dequantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                    const LunaOnnxQuantization *q) {
  int bytes = luna_onnx_type_bytes(value->type);
  if (!luna_onnx_is_int(value->type) || bytes > 4 ||
      (bytes > 2 && luna_onnx_is_unsigned(value->type)) ||
      q->scale->type != LUNA_ONNX_F32 ||
      (q->zero && q->zero->type != value->type)) {
    luna_onnx_fail(c, "type %s is not supported",
                   luna_onnx_type_name(value->type));
    return NULL;
  }
  return emit(c, "luna.dequantize", value, q, LUNA_ONNX_F32);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

// Without a zero point the result is uint8. One scale has no axis.
static bool read_quantization(LunaOnnxImport *c, const LunaOnnxNode *n,
                              LunaOnnxQuantization *q) {
  int rank = n->inputs[0]->shape.rank;
  int64_t axis = luna_onnx_attr_int(n, "axis", rank > 1 ? 1 : 0);
  *q = (LunaOnnxQuantization){.scale = n->inputs[1],
                              .zero = luna_onnx_input(n, 2),
                              .type = LUNA_ONNX_U8};
  return (is_one(q->scale) && is_one(q->zero)) || rank == 0 ||
         luna_onnx_axis(c, axis, rank, &q->axis);
}

bool luna_onnx_op_quantize(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxType type = n->inputs[0]->type;
  LunaOnnxQuantization q;
  if ((type != LUNA_ONNX_F32 && type != LUNA_ONNX_I32) ||
      !read_quantization(c, n, &q))
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(type));
  n->outputs[0] = luna_onnx_quantize(c, n->inputs[0], &q);
  return n->outputs[0] != NULL;
}

bool luna_onnx_op_dequantize(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxQuantization q;
  if (!read_quantization(c, n, &q))
    return false;
  n->outputs[0] = luna_onnx_dequantize(c, n->inputs[0], &q);
  return n->outputs[0] != NULL;
}

static MlirValue zero_point_element(const LunaOnnxScalar *s) {
  MlirValue x = luna_scalar_div(
      s->b,
      luna_scalar_sub(s->b, luna_onnx_lit(s->c, s->type, 0.0), s->args[0]),
      s->args[1]);
  x = luna_onnx_max(
      s->c, s->type,
      luna_onnx_min(s->c, s->type, x, luna_onnx_lit(s->c, s->type, 255.0)),
      luna_onnx_lit(s->c, s->type, 0.0));
  return luna_onnx_saturate(s->c, luna_scalar_unary(s->b, "math.roundeven", x),
                            LUNA_ONNX_U8);
}

// The range always holds 0, so that 0 is exact.
bool luna_onnx_op_dynamic_quantize(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  LunaShape scalar = {.rank = 0};
  bool axes[LUNA_ONNX_MAX_RANK];
  for (int i = 0; i < LUNA_ONNX_MAX_RANK; ++i)
    axes[i] = true;
  if (value->type != LUNA_ONNX_F32 || n->output_count != 3)
    return luna_onnx_fail(c, "needs a float input and three outputs");
  LunaOnnxValue *zero = luna_onnx_scalar(c, LUNA_ONNX_F32, 0);
  LunaOnnxValue *low = luna_onnx_reshape_value(
      c, luna_onnx_reduce(c, value, axes, LUNA_ONNX_MIN), &scalar);
  LunaOnnxValue *high = luna_onnx_reshape_value(
      c, luna_onnx_reduce(c, value, axes, LUNA_ONNX_MAX), &scalar);
  low = luna_onnx_apply(c, "Min", low, zero);
  high = luna_onnx_apply(c, "Max", high, zero);
  LunaOnnxValue *scale =
      luna_onnx_apply(c, "Div", luna_onnx_apply(c, "Sub", high, low),
                      luna_onnx_scalar(c, LUNA_ONNX_F32, 255));
  LunaOnnxValue *pair[2] = {low, scale};
  if (!scale)
    return false;
  n->outputs[1] = scale;
  n->outputs[2] =
      luna_onnx_map(c, n, pair, 2, LUNA_ONNX_U8, zero_point_element);
  if (!n->outputs[2])
    return false;
  n->outputs[0] = luna_onnx_quantize(
      c, value, &(LunaOnnxQuantization){.scale = scale, .zero = n->outputs[2]});
  return n->outputs[0] != NULL;
}
