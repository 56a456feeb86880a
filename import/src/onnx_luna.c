// LUNA's own operators (domain "thinker", as linger exports them): power-of-
// two scales, results clamp(floor(acc * 2^-s + 0.5)). They become luna ops on
// channels-last tensors; what the unit cannot do becomes linalg for the host.

#include "onnx.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

// Reads a scale and gives its exponent.
static bool read_scale(OnnxImport *c, const OnnxNode *n, const char *name,
                       int *exponent) {
  double scale = onnx_attr_float(n, name, 0.0);
  *exponent = 0;
  int e = 0;
  if (!(scale > 0) || isinf(scale) || frexp(scale, &e) != 0.5)
    return onnx_fail(c, "'%s' must be a power of two, is %g", name, scale);
  *exponent = e - 1;
  if (e < -40 || e > 41)
    return onnx_fail(c, "'%s' is out of range: %g", name, scale);
  return true;
}

static bool read_bits(OnnxImport *c, const OnnxNode *n, OnnxType *type) {
  int64_t bits = onnx_attr_int(n, "o_bits", 8);
  *type = bits == 8 ? ONNX_I8 : bits == 16 ? ONNX_I16 : ONNX_I32;
  return bits == 8 || bits == 16 || bits == 32 ||
         onnx_fail(c, "o_bits must be 8, 16 or 32, is %lld", (long long)bits);
}

static bool needs_i8(OnnxImport *c, const OnnxNode *n, int count) {
  for (int i = 0; i < count; ++i)
    if (!n->inputs[i] || n->inputs[i]->type != ONNX_I8)
      return onnx_fail(c, "input %d must be int8, is %s", i,
                       n->inputs[i] ? onnx_type_name(n->inputs[i]->type)
                                    : "left out");
  return true;
}

// The requantisation of a 32-bit result by `shift` to `type`.
static MlirAttribute requant_attr(OnnxImport *c, const OnnxValue *value) {
  if (value->type == ONNX_I32)
    return onnx_parse_attr(c, "#luna.requant<mode = none>");
  return onnx_parse_attr(
      c, luna_arena_printf(
             c->arena,
             "#luna.requant<mode = shift, shift = %d, clamp_min = %d, "
             "clamp_max = %d>",
             value->shift, (int)value->low, (int)value->high));
}

static bool set_requant(OnnxImport *c, OnnxValue *value, int shift) {
  if (value->type == ONNX_I32 && shift != 0)
    return onnx_fail(c, "32-bit results cannot be shifted by %d", shift);
  if (shift < 0 || shift > 31)
    return onnx_fail(c, "scales need a shift of %d, 0 to 31 are possible",
                     shift);
  value->shift = shift;
  value->has_requant = value->type != ONNX_I32;
  onnx_int_range(value->type, &value->low, &value->high);
  return true;
}

//===----------------------------------------------------------------------===//
// Unit operators
//===----------------------------------------------------------------------===//

// Appends luna.conv2d or luna.matmul: inputs, an optional bias, a result.
static MlirValue emit_unit(OnnxImport *c, const char *name,
                           const MlirValue *inputs, MlirValue bias,
                           OnnxType type, const OnnxShape *shape,
                           OnnxAttr *attrs, int attr_count) {
  MlirValue operands[4] = {inputs[0], inputs[1]};
  int count = 2;
  int32_t segments[6] = {1, 1, 0, 0, 0, 1};
  if (!mlirValueIsNull(bias)) {
    operands[count++] = bias;
    segments[2] = 1;
  }
  operands[count++] = onnx_empty(c, type, shape);
  attrs[attr_count] = (OnnxAttr){"operandSegmentSizes",
                                 mlirDenseI32ArrayGet(c->context, 6, segments)};
  return onnx_emit(c, name, onnx_tensor_type(c, type, shape), operands, count,
                   attrs, attr_count + 1);
}

static MlirValue bias_value(OnnxImport *c, OnnxValue *bias) {
  MlirValue none = {NULL};
  return bias ? onnx_ir(c, bias) : none;
}

static bool check_bias(OnnxImport *c, const OnnxValue *bias, int64_t channels) {
  return !bias ||
         (bias->type == ONNX_I32 && onnx_elems(&bias->shape) == channels &&
          bias->shape.rank == 1) ||
         onnx_fail(c, "bias must be int32 with %lld elements",
                   (long long)channels);
}

typedef struct LunaConv {
  OnnxWindow window;
  int64_t ic, oc, groups;
  OnnxType type;
  int shift;
} LunaConv;

// [1, H, W, C] for the unit, from a window of one or two dimensions.
static OnnxShape plane(const OnnxWindow *w, const int64_t *sizes,
                       int64_t channels) {
  OnnxShape shape = onnx_shape(4, (int64_t[]){1, 1, sizes[0], channels});
  if (w->rank == 2) {
    shape.dims[1] = sizes[0];
    shape.dims[2] = sizes[1];
  }
  return shape;
}

static bool read_conv(OnnxImport *c, OnnxNode *n, LunaConv *conv) {
  const OnnxShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t kernel[3];
  int x, w, o, rank = in->rank - 2;
  if (rank < 1 || rank > 2 || weight->rank != in->rank || in->dims[0] != 1)
    return onnx_fail(c, "needs an input [1, C, (H,) W] and a weight of as "
                        "many dimensions");
  for (int i = 0; i < rank; ++i)
    kernel[i] = weight->dims[i + 2];
  conv->ic = in->dims[1];
  conv->oc = weight->dims[0];
  conv->groups = onnx_attr_int(n, "group", 1);
  if (conv->groups < 1 || conv->groups > conv->ic ||
      conv->ic % conv->groups != 0 || conv->oc % conv->groups != 0 ||
      weight->dims[1] != conv->ic / conv->groups ||
      (conv->groups != 1 && conv->groups != conv->ic))
    return onnx_fail(c,
                     "%lld groups of %lld channels: only one group or "
                     "depthwise is supported",
                     (long long)conv->groups, (long long)conv->ic);
  if (!onnx_check_shape(c, weight) ||
      !onnx_read_window(c, n, in, kernel, &conv->window) ||
      !read_scale(c, n, "scale_x", &x) || !read_scale(c, n, "scale_w", &w) ||
      !read_scale(c, n, "scale_o", &o) || !read_bits(c, n, &conv->type))
    return false;
  conv->shift = x + w - o;
  return check_bias(c, onnx_input(n, 2), conv->oc);
}

static void window_attrs(OnnxImport *c, const OnnxWindow *w, OnnxAttr *attrs) {
  bool one = w->rank == 1;
  int64_t stride[2] = {one ? 1 : w->stride[0], w->stride[w->rank - 1]};
  int64_t dilation[2] = {one ? 1 : w->dilation[0], w->dilation[w->rank - 1]};
  int64_t pad[4] = {one ? 0 : w->low[0], one ? 0 : w->high[0],
                    w->low[w->rank - 1], w->high[w->rank - 1]};
  attrs[0] = (OnnxAttr){"stride", onnx_i64s_attr(c, stride, 2)};
  attrs[1] = (OnnxAttr){"dilation", onnx_i64s_attr(c, dilation, 2)};
  attrs[2] = (OnnxAttr){"pad", onnx_i64s_attr(c, pad, 4)};
}

// The kernel as the unit wants it: [OC, KH, KW, IC], or [KH, KW, C, M].
static MlirValue conv_weight(OnnxImport *c, OnnxValue *weight,
                             const LunaConv *conv) {
  static const int normal[4] = {0, 2, 3, 1}, depthwise[4] = {2, 3, 0, 1};
  const OnnxWindow *w = &conv->window;
  bool deep = conv->groups > 1;
  OnnxShape shape = onnx_shape(
      4, (int64_t[]){deep ? conv->groups : conv->oc,
                     deep ? conv->oc / conv->groups : conv->ic,
                     w->rank == 2 ? w->kernel[0] : 1, w->kernel[w->rank - 1]});
  OnnxValue *raised = onnx_reshape_value(c, weight, &shape);
  return onnx_ir(c, onnx_permute(c, raised, deep ? depthwise : normal));
}

ONNX_HANDLER(luna_conv) {
  LunaConv conv = {.groups = 1};
  if (!needs_i8(c, n, 2) || !read_conv(c, n, &conv))
    return false;
  const OnnxWindow *w = &conv.window;
  OnnxShape model = n->inputs[0]->shape;
  model.dims[1] = conv.oc;
  for (int i = 0; i < w->rank; ++i)
    model.dims[i + 2] = w->out[i];
  OnnxShape in = plane(w, w->in, conv.ic), out = plane(w, w->out, conv.oc);
  if (!onnx_check_shape(c, &model))
    return false;
  OnnxValue *result = onnx_new_value(c, conv.type, &model);
  if (!set_requant(c, result, conv.shift))
    return false;
  MlirValue inputs[2] = {
      onnx_reshape(c, onnx_ir_last(c, n->inputs[0]), ONNX_I8, &in),
      conv_weight(c, n->inputs[1], &conv)};
  OnnxAttr attrs[6];
  window_attrs(c, w, attrs);
  attrs[3] = (OnnxAttr){"kind", onnx_i32_attr(c, conv.groups > 1)};
  attrs[4] = (OnnxAttr){"requant", requant_attr(c, result)};
  MlirValue made =
      emit_unit(c, "luna.conv2d", inputs, bias_value(c, onnx_input(n, 2)),
                conv.type, &out, attrs, 5);
  result->unit = mlirOpResultGetOwner(made);
  OnnxShape last = onnx_shape_last(&model);
  result->last = onnx_reshape(c, made, conv.type, &last);
  n->outputs[0] = result;
  return true;
}

// Transposed: TOSA's out_pad is minus what ONNX cuts off, plus what it adds.
ONNX_HANDLER(luna_conv_transpose) {
  const OnnxShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t pads[4] = {0}, stride[2] = {1, 1}, more[2] = {0, 0};
  int x, w, o;
  OnnxType type;
  if (!needs_i8(c, n, 2))
    return false;
  if (in->rank != 4 || weight->rank != 4 || in->dims[0] != 1 ||
      onnx_attr_int(n, "group", 1) != 1 || weight->dims[0] != in->dims[1])
    return onnx_fail(c, "needs an input [1, C, H, W], a weight of 4 dimensions "
                        "and one group");
  if (onnx_attr_ints(c, n, "pads", pads, 4) == -2 ||
      onnx_attr_ints(c, n, "strides", stride, 2) == -2 ||
      onnx_attr_ints(c, n, "output_padding", more, 2) == -2 ||
      !read_scale(c, n, "scale_x", &x) || !read_scale(c, n, "scale_w", &w) ||
      !read_scale(c, n, "scale_o", &o) || !read_bits(c, n, &type) ||
      !check_bias(c, onnx_input(n, 2), weight->dims[1]))
    return false;
  OnnxShape model = onnx_shape(4, (int64_t[]){1, weight->dims[1], 0, 0});
  int64_t out_pad[4];
  for (int i = 0; i < 2; ++i) {
    if (stride[i] < 1 || stride[i] > 16 || pads[i] < 0 || pads[i + 2] < 0 ||
        more[i] < 0 || more[i] > 16 || pads[i] > 64 || pads[i + 2] > 64)
      return onnx_fail(c, "strides or pads are out of range");
    out_pad[2 * i] = -pads[i];
    out_pad[2 * i + 1] = more[i] - pads[i + 2];
    model.dims[i + 2] = (in->dims[i + 2] - 1) * stride[i] +
                        weight->dims[i + 2] + out_pad[2 * i] +
                        out_pad[2 * i + 1];
  }
  OnnxValue *result = onnx_new_value(c, type, &model);
  if (!onnx_check_shape(c, &model) || !set_requant(c, result, x + w - o))
    return false;
  static const int perm[4] = {1, 2, 3, 0};
  MlirValue inputs[2] = {onnx_ir_last(c, n->inputs[0]),
                         onnx_ir(c, onnx_permute(c, n->inputs[1], perm))};
  OnnxAttr attrs[5] = {{"stride", onnx_i64s_attr(c, stride, 2)},
                       {"pad", onnx_i64s_attr(c, out_pad, 4)},
                       {"kind", onnx_i32_attr(c, 2)},
                       {"requant", requant_attr(c, result)}};
  OnnxShape out = onnx_shape_last(&model);
  result->last =
      emit_unit(c, "luna.conv2d", inputs, bias_value(c, onnx_input(n, 2)), type,
                &out, attrs, 4);
  result->unit = mlirOpResultGetOwner(result->last);
  n->outputs[0] = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static bool matmul_result(OnnxImport *c, const OnnxNode *n, const char *second,
                          const OnnxShape *shape, OnnxValue **result) {
  int x, w, o;
  OnnxType type;
  if (!read_scale(c, n, "scale_x", &x) || !read_scale(c, n, second, &w) ||
      !read_scale(c, n, "scale_o", &o) || !read_bits(c, n, &type) ||
      !onnx_check_shape(c, shape))
    return false;
  *result = onnx_new_value(c, type, shape);
  return set_requant(c, *result, x + w - o);
}

ONNX_HANDLER(luna_linear) {
  const OnnxShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  OnnxValue *result;
  if (!needs_i8(c, n, 2))
    return false;
  if (in->rank < 1 || weight->rank != 2 ||
      in->dims[in->rank - 1] != weight->dims[1])
    return onnx_fail(c, "input's last dimension does not fit the weight");
  OnnxShape model = *in;
  model.dims[in->rank - 1] = weight->dims[0];
  if (!matmul_result(c, n, "scale_w", &model, &result) ||
      !check_bias(c, onnx_input(n, 2), weight->dims[0]))
    return false;
  int64_t depth = weight->dims[1], rows = onnx_elems(in) / depth;
  OnnxShape lhs = onnx_shape(3, (int64_t[]){1, rows, depth});
  OnnxShape rhs = onnx_shape(3, (int64_t[]){1, weight->dims[0], depth});
  OnnxShape out = onnx_shape(3, (int64_t[]){1, rows, weight->dims[0]});
  MlirValue inputs[2] = {
      onnx_reshape(c, onnx_ir(c, n->inputs[0]), ONNX_I8, &lhs),
      onnx_ir(c, onnx_reshape_value(c, n->inputs[1], &rhs))};
  OnnxAttr attrs[3] = {{"requant", requant_attr(c, result)},
                       {"rhs_transposed", mlirUnitAttrGet(c->context)}};
  MlirValue made =
      emit_unit(c, "luna.matmul", inputs, bias_value(c, onnx_input(n, 2)),
                result->type, &out, attrs, 2);
  result->unit = mlirOpResultGetOwner(made);
  result->ir = onnx_reshape(c, made, result->type, &model);
  n->outputs[0] = result;
  return true;
}

ONNX_HANDLER(luna_bmm) {
  const OnnxShape *a = &n->inputs[0]->shape, *b = &n->inputs[1]->shape;
  OnnxValue *result;
  int rank = a->rank;
  if (!needs_i8(c, n, 2))
    return false;
  bool fits =
      rank >= 2 && b->rank == rank && a->dims[rank - 1] == b->dims[rank - 2];
  for (int i = 0; fits && i + 2 < rank; ++i)
    fits = a->dims[i] == b->dims[i];
  if (!fits)
    return onnx_fail(c, "operands do not fit each other");
  OnnxShape model = *a;
  model.dims[rank - 1] = b->dims[rank - 1];
  if (!matmul_result(c, n, "scale_y", &model, &result))
    return false;
  int64_t m = a->dims[rank - 2], k = a->dims[rank - 1], w = b->dims[rank - 1];
  int64_t batch = onnx_elems(a) / (m * k);
  OnnxShape lhs = onnx_shape(3, (int64_t[]){batch, m, k});
  OnnxShape rhs = onnx_shape(3, (int64_t[]){batch, k, w});
  OnnxShape out = onnx_shape(3, (int64_t[]){batch, m, w});
  MlirValue none = {NULL};
  MlirValue inputs[2] = {
      onnx_reshape(c, onnx_ir(c, n->inputs[0]), ONNX_I8, &lhs),
      onnx_reshape(c, onnx_ir(c, n->inputs[1]), ONNX_I8, &rhs)};
  OnnxAttr attrs[2] = {{"requant", requant_attr(c, result)}};
  MlirValue made =
      emit_unit(c, "luna.matmul", inputs, none, result->type, &out, attrs, 1);
  result->unit = mlirOpResultGetOwner(made);
  result->ir = onnx_reshape(c, made, result->type, &model);
  n->outputs[0] = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

// The multiplier and shift of an input that is scaled by 2^-shift, rounded.
static void scale_attrs(OnnxImport *c, const char *multiplier,
                        const char *shift_name, int shift, OnnxAttr *attrs,
                        int *count) {
  if (shift == 0)
    return;
  attrs[(*count)++] = (OnnxAttr){multiplier, onnx_i32_attr(c, 1 << 30)};
  attrs[(*count)++] = (OnnxAttr){shift_name, onnx_i32_attr(c, 30 + shift)};
}

// Brings both operands to the result's rank, channels last where they are so.
static bool eltwise_operands(OnnxImport *c, OnnxNode *n, OnnxShape *model,
                             bool *last, MlirValue *values) {
  OnnxValue *a = n->inputs[0], *b = n->inputs[1];
  if (!onnx_broadcast(&a->shape, &b->shape, model) || model->rank > 4)
    return onnx_fail(c, "shapes do not broadcast in at most 4 dimensions");
  bool same = onnx_same_shape(&a->shape, &b->shape);
  *last = same && (onnx_prefers_last(a) || onnx_prefers_last(b));
  for (int i = 0; i < 2; ++i) {
    OnnxValue *value = n->inputs[i];
    OnnxShape raised = onnx_shape(model->rank, NULL);
    int shift = model->rank - value->shape.rank;
    for (int d = 0; d < model->rank; ++d)
      raised.dims[d] = d < shift ? 1 : value->shape.dims[d - shift];
    values[i] = *last ? onnx_ir_last(c, value)
                      : onnx_reshape(c, onnx_ir(c, value), ONNX_I8, &raised);
  }
  return true;
}

ONNX_HANDLER(luna_eltwise) {
  const char *op = n->op->detail;
  int x, y, o, attr_count = 0;
  OnnxType type;
  OnnxShape model;
  OnnxAttr attrs[6];
  bool last = false, product = strcmp(op, "luna.mul") == 0;
  MlirValue operands[3];
  if (!needs_i8(c, n, 2) || !read_scale(c, n, "scale_x", &x) ||
      !read_scale(c, n, "scale_y", &y) || !read_scale(c, n, "scale_o", &o) ||
      !read_bits(c, n, &type) ||
      !eltwise_operands(c, n, &model, &last, operands))
    return false;
  if (type != ONNX_I8 || x - o > 30 || y - o > 30 || o - x > 20 || o - y > 20)
    return onnx_fail(c, "needs int8 and scales that are closer together");
  OnnxValue *result = onnx_new_value(c, type, &model);
  if (!set_requant(c, result, product ? x + y - o : 0))
    return false;
  if (!product) {
    scale_attrs(c, "lhs_multiplier", "lhs_shift", x - o, attrs, &attr_count);
    scale_attrs(c, "rhs_multiplier", "rhs_shift", y - o, attrs, &attr_count);
  }
  attrs[attr_count++] = (OnnxAttr){"requant", requant_attr(c, result)};
  OnnxShape out = last ? onnx_shape_last(&model) : model;
  operands[2] = onnx_empty(c, type, &out);
  MlirValue made = onnx_emit(c, op, onnx_tensor_type(c, type, &out), operands,
                             3, attrs, attr_count);
  *(last ? &result->last : &result->ir) = made;
  result->unit = mlirOpResultGetOwner(made);
  n->outputs[0] = result;
  return true;
}

// Takes the clamp of a ReLU into the operator that made the value, where
// nothing else reads it.
ONNX_HANDLER(luna_relu) {
  OnnxValue *value = n->inputs[0];
  if (value->type != ONNX_I8)
    return onnx_op_elementwise(c, n);
  if (!value->has_requant || mlirOperationIsNull(value->unit) ||
      onnx_use_count(c, n->proto->input[0]) != 1 ||
      !mlirBlockEqual(value->block, c->block)) {
    OnnxShape shape = onnx_prefers_last(value) ? onnx_shape_last(&value->shape)
                                               : value->shape;
    MlirValue input =
        onnx_prefers_last(value) ? onnx_ir_last(c, value) : onnx_ir(c, value);
    OnnxAttr attrs[2] = {{"min_val", onnx_parse_attr(c, "0 : i8")},
                         {"max_val", onnx_parse_attr(c, "127 : i8")}};
    MlirValue made =
        onnx_emit(c, "tosa.clamp", onnx_tensor_type(c, ONNX_I8, &shape), &input,
                  1, attrs, 2);
    n->outputs[0] = onnx_prefers_last(value)
                        ? onnx_from_last(c, ONNX_I8, &value->shape, made)
                        : onnx_from_ir(c, ONNX_I8, &value->shape, made);
    n->outputs[0]->low = 0;
    return true;
  }
  OnnxValue *result = luna_arena_alloc(c->arena, 1, sizeof *result);
  *result = *value;
  result->low = 0;
  mlirOperationSetAttributeByName(value->unit,
                                  mlirStringRefCreateFromCString("requant"),
                                  requant_attr(c, result));
  n->outputs[0] = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Between float and integer, on the host
//===----------------------------------------------------------------------===//

// A node with the numbers its scalar function needs.
typedef struct ScaledNode {
  OnnxNode node;
  OnnxType from, to;
  double factor;
} ScaledNode;

static const ScaledNode *scaled(const OnnxNode *n) {
  return (const ScaledNode *)(const void *)n;
}

// clamp(floor(x * factor + 0.5)).
static MlirValue quantize_element(OnnxImport *c, const OnnxNode *n,
                                  OnnxType type, const MlirValue *args,
                                  int count) {
  (void)count;
  MlirValue x = onnx_cast(c, args[0], type, ONNX_F32);
  x = onnx_mul(c, ONNX_F32, x, onnx_lit(c, ONNX_F32, scaled(n)->factor));
  x = onnx_add(c, ONNX_F32, x, onnx_lit(c, ONNX_F32, 0.5));
  return onnx_saturate(c, onnx_s1(c, "math.floor", x), scaled(n)->to);
}

static OnnxValue *quantize(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                           double factor, OnnxType to) {
  ScaledNode node = {*n, value->type, to, factor};
  return onnx_map(c, &node.node, &value, 1, to, quantize_element);
}

static MlirValue dequantize_element(OnnxImport *c, const OnnxNode *n,
                                    OnnxType type, const MlirValue *args,
                                    int count) {
  (void)count;
  MlirValue x = onnx_cast(c, args[0], type, ONNX_F32);
  return onnx_mul(c, ONNX_F32, x, onnx_lit(c, ONNX_F32, scaled(n)->factor));
}

static OnnxValue *dequantize(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                             int exponent) {
  ScaledNode node = {*n, value->type, ONNX_F32, ldexp(1.0, -exponent)};
  return onnx_map(c, &node.node, &value, 1, ONNX_F32, dequantize_element);
}

ONNX_HANDLER(luna_quant) {
  int x;
  if (n->inputs[0]->type != ONNX_F32 || onnx_attr_int(n, "data_bits", 8) != 8)
    return onnx_fail(c, "quantises float to 8 bits only");
  if (!read_scale(c, n, onnx_attr(n, "scale_x") ? "scale_x" : "scale_o", &x))
    return false;
  n->outputs[0] = quantize(c, n, n->inputs[0], ldexp(1.0, x), ONNX_I8);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(luna_dequant) {
  int o;
  if (!onnx_is_int(n->inputs[0]->type))
    return onnx_fail(c, "input must be an integer tensor");
  if (!read_scale(c, n, onnx_attr(n, "scale_o") ? "scale_o" : "scale_x", &o))
    return false;
  n->outputs[0] = dequantize(c, n, n->inputs[0], o);
  return n->outputs[0] != NULL;
}

// To another scale: 8 bits stay on the unit as a table.
static OnnxValue *rescale(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                          int from, int to);

ONNX_HANDLER(luna_requant) {
  int x, o;
  if (!needs_i8(c, n, 1) || !read_scale(c, n, "scale_x", &x) ||
      !read_scale(c, n, "scale_o", &o))
    return false;
  n->outputs[0] = rescale(c, n, n->inputs[0], x, o);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

typedef double (*Function)(double x);
static double same(double x) { return x; }
static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

// luna.table of clamp(floor(f(x * 2^-from) * 2^to + 0.5)).
static OnnxValue *table(OnnxImport *c, OnnxValue *value, Function f, int from,
                        int to) {
  int8_t entries[256];
  for (int i = 0; i < 256; ++i) {
    double y = floor(ldexp(f(ldexp(i - 128, -from)), to) + 0.5);
    entries[i] = (int8_t)(y < -128 ? -128 : y > 127 ? 127 : y);
  }
  bool last = onnx_prefers_last(value);
  OnnxShape shape = last ? onnx_shape_last(&value->shape) : value->shape;
  OnnxShape list = onnx_shape(1, (int64_t[]){256});
  MlirValue operands[3] = {last ? onnx_ir_last(c, value) : onnx_ir(c, value),
                           onnx_const(c, ONNX_I8, &list, entries),
                           onnx_empty(c, ONNX_I8, &shape)};
  MlirValue made =
      onnx_emit(c, "luna.table", onnx_tensor_type(c, ONNX_I8, &shape), operands,
                3, NULL, 0);
  return last ? onnx_from_last(c, ONNX_I8, &value->shape, made)
              : onnx_from_ir(c, ONNX_I8, &value->shape, made);
}

static OnnxValue *rescale(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                          int from, int to) {
  (void)n;
  return from == to ? value : table(c, value, same, from, to);
}

ONNX_HANDLER(luna_activation) {
  int x, o;
  if (!needs_i8(c, n, 1) || !read_scale(c, n, "scale_x", &x) ||
      !read_scale(c, n, "scale_o", &o))
    return false;
  bool hyperbolic = strcmp(n->proto->op_type, "iqTanh") == 0;
  n->outputs[0] = table(c, n->inputs[0], hyperbolic ? tanh : sigmoid, x, o);
  return true;
}

//===----------------------------------------------------------------------===//
// Joining, padding, pooling
//===----------------------------------------------------------------------===//

ONNX_HANDLER(luna_cat) {
  int o;
  if (!needs_i8(c, n, n->input_count) || !read_scale(c, n, "scale_o", &o))
    return false;
  for (int i = 0; i < n->input_count; ++i) {
    char name[32];
    int x;
    snprintf(name, sizeof name, "scale_x_%d", i);
    if (!read_scale(c, n, name, &x))
      return false;
    n->inputs[i] = rescale(c, n, n->inputs[i], x, o);
  }
  const Onnx__AttributeProto *dim = onnx_attr(n, "dim");
  if (!dim)
    return onnx_op_concat(c, n);
  // linger names the axis `dim`: concat through a node that says `axis`.
  OnnxNode node = *n;
  Onnx__NodeProto proto = *n->proto;
  Onnx__AttributeProto axis = *dim, *list[1] = {&axis};
  char axis_name[] = "axis";
  axis.name = axis_name;
  proto.attribute = list;
  proto.n_attribute = 1;
  node.proto = &proto;
  return onnx_op_concat(c, &node);
}

ONNX_HANDLER(luna_pad) { return needs_i8(c, n, 1) && onnx_op_pad(c, n); }

// Averages of what may be negative round ties up, as the unit does not.
static bool unit_rounds_right(const OnnxValue *value, const OnnxWindow *w) {
  return (value->has_requant && value->low >= 0) ||
         (w->kernel[0] * w->kernel[1]) % 2 == 1;
}

static OnnxValue *pool_on_unit(OnnxImport *c, OnnxValue *value,
                               const OnnxWindow *w, const OnnxShape *model) {
  int64_t high[3];
  OnnxShape in = onnx_shape_last(&value->shape), out = onnx_shape_last(model);
  MlirValue operands[2] = {
      onnx_cut_window(c, onnx_ir_last(c, value), ONNX_I8, &in, w, high),
      onnx_empty(c, ONNX_I8, &out)};
  int64_t pad[4] = {w->low[0], high[0], w->low[1], high[1]};
  OnnxAttr attrs[3] = {{"kernel", onnx_i64s_attr(c, w->kernel, 2)},
                       {"stride", onnx_i64s_attr(c, w->stride, 2)},
                       {"pad", onnx_i64s_attr(c, pad, 4)}};
  MlirValue made =
      onnx_emit(c, "luna.avg_pool2d", onnx_tensor_type(c, ONNX_I8, &out),
                operands, 2, attrs, 3);
  OnnxValue *result = onnx_from_last(c, ONNX_I8, model, made);
  result->low = value->low;
  return result;
}

// On the host: the float average pool, which is exact for sums below 2^24,
// then one rounding.
static OnnxValue *pool_on_host(OnnxImport *c, OnnxNode *n, int x, int o) {
  OnnxNode node = *n;
  Onnx__NodeProto proto = *n->proto;
  OnnxValue *input = dequantize(c, n, n->inputs[0], 0), *output = NULL;
  char name[] = "AveragePool";
  if (!input)
    return NULL;
  proto.op_type = name;
  node.proto = &proto;
  node.inputs = &input;
  node.outputs = &output;
  if (!onnx_op_pool(c, &node))
    return NULL;
  return quantize(c, n, output, ldexp(1.0, o - x), ONNX_I8);
}

ONNX_HANDLER(luna_avg_pool) {
  OnnxValue *value = n->inputs[0];
  int64_t kernel[2];
  int x, o;
  OnnxWindow w;
  if (!needs_i8(c, n, 1) || !read_scale(c, n, "scale_x", &x) ||
      !read_scale(c, n, "scale_o", &o))
    return false;
  if (value->shape.rank != 4 ||
      onnx_attr_ints(c, n, "kernel_shape", kernel, 2) != 2)
    return onnx_fail(c, "needs an input [1, C, H, W] and a kernel of 2 sizes");
  if (!onnx_read_window(c, n, &value->shape, kernel, &w))
    return false;
  OnnxShape model = value->shape;
  model.dims[2] = w.out[0];
  model.dims[3] = w.out[1];
  bool plain = x == o && w.low[0] == 0 && w.low[1] == 0 && w.high[0] == 0 &&
               w.high[1] == 0 && !onnx_attr_int(n, "ceil_mode", 0);
  n->outputs[0] = plain && unit_rounds_right(value, &w)
                      ? pool_on_unit(c, value, &w, &model)
                      : pool_on_host(c, n, x, o);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// In float on the host, rounded at the end
//===----------------------------------------------------------------------===//

static bool through_float(OnnxImport *c, OnnxNode *n, OnnxHandler handler) {
  int x, o;
  OnnxValue *output = NULL;
  if (!needs_i8(c, n, 1) || !read_scale(c, n, "scale_x", &x) ||
      !read_scale(c, n, "scale_o", &o))
    return false;
  OnnxNode node = *n;
  node.inputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, n->input_count);
  node.outputs = &output;
  node.output_count = 1;
  node.inputs[0] = dequantize(c, n, n->inputs[0], x);
  for (int i = 1; i < n->input_count; ++i) {
    int w;
    if (!read_scale(c, n, "scale_w", &w))
      return false;
    int exponent = i == 1 ? w : x + w;
    node.inputs[i] =
        n->inputs[i] ? dequantize(c, n, n->inputs[i], exponent) : NULL;
  }
  if (!node.inputs[0] || !handler(c, &node))
    return false;
  n->outputs[0] = quantize(c, n, output, ldexp(1.0, o), ONNX_I8);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(luna_softmax) { return through_float(c, n, onnx_op_softmax); }

ONNX_HANDLER(luna_layer_norm) {
  return through_float(c, n, onnx_op_layer_norm);
}

// x / y, both in float.
ONNX_HANDLER(luna_div) {
  int x, y, o;
  if (!needs_i8(c, n, 2) || !read_scale(c, n, "scale_x", &x) ||
      !read_scale(c, n, "scale_y", &y) || !read_scale(c, n, "scale_o", &o))
    return false;
  OnnxValue *quotient =
      onnx_apply(c, n, "Div", dequantize(c, n, n->inputs[0], x),
                 dequantize(c, n, n->inputs[1], y));
  n->outputs[0] =
      quotient ? quantize(c, n, quotient, ldexp(1.0, o), ONNX_I8) : NULL;
  return n->outputs[0] != NULL;
}
