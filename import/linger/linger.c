// LUNA's own operators (domain "thinker", as linger exports them): power-of-
// two scales, results clamp(floor(acc * 2^-s + 0.5)). Here is what their files
// share, and the operators that change a scale.

#include "linger.h"

#include <math.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

bool luna_linger_scale(LunaOnnxImport *c, const LunaOnnxNode *n,
                       const char *name, int *exponent) {
  double scale = luna_onnx_attr_float(n, name, 0.0);
  *exponent = 0;
  int e = 0;
  if (!(scale > 0) || isinf(scale) || frexp(scale, &e) != 0.5)
    return luna_onnx_fail(c, "'%s' must be a power of two, is %g", name, scale);
  *exponent = e - 1;
  if (e < -40 || e > 41)
    return luna_onnx_fail(c, "'%s' is out of range: %g", name, scale);
  return true;
}

bool luna_linger_bits(LunaOnnxImport *c, const LunaOnnxNode *n,
                      LunaOnnxType *type) {
  int64_t bits = luna_onnx_attr_int(n, "o_bits", 8);
  *type = bits == 8 ? LUNA_ONNX_I8 : bits == 16 ? LUNA_ONNX_I16 : LUNA_ONNX_I32;
  return bits == 8 || bits == 16 || bits == 32 ||
         luna_onnx_fail(c, "o_bits must be 8, 16 or 32, is %lld",
                        (long long)bits);
}

bool luna_linger_needs_i8(LunaOnnxImport *c, const LunaOnnxNode *n, int count) {
  for (int i = 0; i < count; ++i)
    if (!n->inputs[i] || n->inputs[i]->type != LUNA_ONNX_I8)
      return luna_onnx_fail(
          c, "input %d must be int8, is %s", i,
          n->inputs[i] ? luna_onnx_type_name(n->inputs[i]->type) : "left out");
  return true;
}

//===----------------------------------------------------------------------===//
// Operators of the unit
//===----------------------------------------------------------------------===//

bool luna_linger_requant(LunaOnnxImport *c, LunaOnnxType type, int shift,
                         MlirAttribute *requant) {
  int64_t low, high;
  if (type == LUNA_ONNX_I32 && shift != 0)
    return luna_onnx_fail(c, "32-bit results cannot be shifted by %d", shift);
  if (shift < 0 || shift > 31)
    return luna_onnx_fail(c, "scales need a shift of %d, 0 to 31 are possible",
                          shift);
  luna_onnx_int_range(type, &low, &high);
  *requant = luna_parse_attr(
      c->b->context,
      type == LUNA_ONNX_I32
          ? "#luna.requant<mode = none>"
          : luna_arena_printf(c->arena,
                              "#luna.requant<mode = shift, shift = %d, "
                              "clamp_min = %d, clamp_max = %d>",
                              shift, (int)low, (int)high));
  return true;
}

// Appends luna.conv2d or luna.matmul: two operands, a bias (or a null value),
// and a result. `attrs` has room for one more than `count`.
static MlirValue emit_product(LunaOnnxImport *c, const char *name,
                              const MlirValue *factors, MlirValue bias,
                              MlirType type, LunaAttr *attrs, int count) {
  MlirValue operands[4] = {factors[0], factors[1]};
  int operand_count = 2, has_bias = !mlirValueIsNull(bias);
  int32_t segments[6] = {1, 1, has_bias, 0, 0, 1};
  if (has_bias)
    operands[operand_count++] = bias;
  operands[operand_count++] = luna_build_empty(c->b, type);
  attrs[count++] = (LunaAttr){"operandSegmentSizes",
                              luna_i32s_attr(c->b->context, 6, segments)};
  return luna_build_op(c->b, name, type, operand_count, operands, count, attrs);
}

MlirValue luna_linger_emit_conv(LunaOnnxImport *c, const LunaUnitConv *conv,
                                LunaOnnxType type, const LunaShape *shape) {
  MlirContext context = c->b->context;
  MlirValue factors[2] = {conv->input, conv->weight};
  LunaAttr attrs[] = {
      {"stride", luna_i64s_attr(context, 2, conv->stride)},
      {"dilation", luna_i64s_attr(context, 2, conv->dilation)},
      {"pad", luna_i64s_attr(context, 4, conv->pad)},
      {"kind", luna_i32_attr(context, conv->kind)},
      {"requant", conv->requant},
      {.name = NULL},
  };
  return emit_product(c, "luna.conv2d", factors, conv->bias,
                      luna_onnx_tensor_type(c, type, shape), attrs, 5);
}

MlirValue luna_linger_emit_matmul(LunaOnnxImport *c, const LunaUnitMatmul *m,
                                  LunaOnnxType type, const LunaShape *shape) {
  bool flips = m->is_rhs_transposed;
  LunaShape lhs = {3, {m->batch, m->rows, m->depth}};
  LunaShape rhs = {
      3,
      {m->batch, flips ? m->columns : m->depth, flips ? m->depth : m->columns}};
  LunaShape out = {3, {m->batch, m->rows, m->columns}};
  MlirValue factors[2] = {luna_build_reshape(c->b, m->lhs, &lhs),
                          luna_build_reshape(c->b, m->rhs, &rhs)};
  LunaAttr attrs[3] = {{"requant", m->requant}};
  int count = 1;
  if (flips)
    attrs[count++] =
        (LunaAttr){"rhs_transposed", mlirUnitAttrGet(c->b->context)};
  MlirValue made =
      emit_product(c, "luna.matmul", factors, m->bias,
                   luna_onnx_tensor_type(c, type, &out), attrs, count);
  return luna_build_reshape(c->b, made, shape);
}

//===----------------------------------------------------------------------===//
// Between float and integer, on the host
//===----------------------------------------------------------------------===//

// What takes a float to an integer, or back.
typedef struct Scaled {
  LunaOnnxType to;
  double factor;
} Scaled;

// The number as a float, times the factor.
static MlirValue scale_element(const LunaOnnxScalar *s) {
  const Scaled *scaled = s->data;
  MlirValue x = luna_onnx_cast(s->c, s->args[0], s->type, LUNA_ONNX_F32);
  return luna_scalar_mul(s->b, x, luna_scalar_f32(s->b, scaled->factor));
}

// clamp(floor(x * factor + 0.5)), to 32 bits.
static MlirValue quantize_element(const LunaOnnxScalar *s) {
  MlirValue x = scale_element(s);
  x = luna_scalar_add(s->b, x, luna_scalar_f32(s->b, 0.5));
  x = luna_scalar_unary(s->b, "math.floor", x);
  // The largest float that fits.
  x = luna_scalar_min(s->b, x, luna_scalar_f32(s->b, 2147483520.0));
  return luna_onnx_saturate(s->c, x, LUNA_ONNX_I32);
}

LunaOnnxValue *luna_linger_quantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                    double factor, LunaOnnxType to) {
  Scaled scaled = {to, factor};
  LunaOnnxQuantization q = {.type = to, .ties = LUNA_TIES_UP};
  if (to == LUNA_ONNX_I32)
    return luna_onnx_map(c, &scaled, &value, 1, to, quantize_element);
  q.scale = luna_onnx_scalar(c, LUNA_ONNX_F32, 1 / factor);
  return q.scale ? luna_onnx_quantize(c, value, &q) : NULL;
}

LunaOnnxValue *luna_linger_dequantize(LunaOnnxImport *c, LunaOnnxValue *value,
                                      int exponent) {
  Scaled scaled = {LUNA_ONNX_F32, ldexp(1.0, -exponent)};
  return luna_onnx_map(c, &scaled, &value, 1, LUNA_ONNX_F32, scale_element);
}

static MlirValue cast_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue x =
      luna_linger_round(s->c, luna_linger_wide(s, 0), node->scales[0]);
  return luna_linger_convert(s->c, x, node->type);
}

LunaOnnxValue *luna_linger_cast(LunaOnnxImport *c, LunaOnnxValue *value,
                                int shift, LunaOnnxType to) {
  LunaFixed node = {.type = to, .scales = {shift}};
  return value->type == to && shift == 0
             ? value
             : luna_onnx_map(c, &node, &value, 1, to, cast_element);
}

bool luna_linger_op_quant(LunaOnnxImport *c, LunaOnnxNode *n) {
  int x;
  int64_t bits = luna_onnx_attr_int(n, "data_bits", 8);
  if (n->inputs[0]->type != LUNA_ONNX_F32 ||
      (bits != 8 && bits != 16 && bits != 32))
    return luna_onnx_fail(c, "quantises float to 8, 16 or 32 bits only");
  if (!luna_linger_scale(
          c, n, luna_onnx_attr(n, "scale_x") ? "scale_x" : "scale_o", &x))
    return false;
  n->outputs[0] = luna_linger_quantize(c, n->inputs[0], ldexp(1.0, x),
                                       bits == 8    ? LUNA_ONNX_I8
                                       : bits == 16 ? LUNA_ONNX_I16
                                                    : LUNA_ONNX_I32);
  return n->outputs[0] != NULL;
}

bool luna_linger_op_dequant(LunaOnnxImport *c, LunaOnnxNode *n) {
  int o;
  if (!luna_onnx_is_int(n->inputs[0]->type))
    return luna_onnx_fail(c, "input must be an integer tensor");
  if (!luna_linger_scale(
          c, n, luna_onnx_attr(n, "scale_o") ? "scale_o" : "scale_x", &o))
    return false;
  n->outputs[0] = luna_linger_dequantize(c, n->inputs[0], o);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

LunaOnnxValue *luna_linger_table(LunaOnnxImport *c, LunaOnnxValue *value,
                                 const int8_t *entries) {
  bool last = luna_onnx_prefers_last(value);
  LunaShape shape = last ? luna_onnx_shape_last(&value->shape) : value->shape;
  LunaShape list = {1, {256}};
  MlirValue operands[3] = {
      last ? luna_onnx_ir_last(c, value) : luna_onnx_ir(c, value),
      luna_onnx_const(c, LUNA_ONNX_I8, &list, entries),
      luna_build_empty(c->b, luna_onnx_tensor_type(c, LUNA_ONNX_I8, &shape))};
  MlirValue made = luna_build_op(c->b, "luna.table",
                                 luna_onnx_tensor_type(c, LUNA_ONNX_I8, &shape),
                                 3, operands, 0, NULL);
  return last ? luna_onnx_from_last(c, LUNA_ONNX_I8, &value->shape, made)
              : luna_onnx_from_ir(c, LUNA_ONNX_I8, &value->shape, made);
}

LunaOnnxValue *luna_linger_rescale(LunaOnnxImport *c, LunaOnnxValue *value,
                                   int from, int to) {
  int8_t entries[256];
  if (from == to)
    return value;
  for (int i = 0; i < 256; ++i) {
    double y = floor(ldexp(i - 128, to - from) + 0.5);
    entries[i] = (int8_t)(y < -128 ? -128 : y > 127 ? 127 : y);
  }
  return luna_linger_table(c, value, entries);
}

bool luna_linger_op_requant(LunaOnnxImport *c, LunaOnnxNode *n) {
  int x, o;
  if (!luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_o", &o) || !luna_linger_needs_i8(c, n, 1))
    return false;
  n->outputs[0] = luna_linger_rescale(c, n->inputs[0], x, o);
  return n->outputs[0] != NULL;
}
