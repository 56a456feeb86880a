// LUNA's convolutions and matrix products: luna ops on channels-last tensors.

#include "linger.h"

#include "onnx_conv.h"

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

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
static LunaShape plane(const OnnxWindow *w, const int64_t *sizes,
                       int64_t channels) {
  LunaShape shape = {4, {1, 1, sizes[0], channels}};
  if (w->rank == 2) {
    shape.dims[1] = sizes[0];
    shape.dims[2] = sizes[1];
  }
  return shape;
}

static bool read_conv(OnnxImport *c, OnnxNode *n, LunaConv *conv) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
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
      weight->dims[1] != conv->ic / conv->groups)
    return onnx_fail(c, "%lld groups do not fit %lld channels and the weight",
                     (long long)conv->groups, (long long)conv->ic);
  if (!onnx_check_shape(c, weight) ||
      !onnx_read_window(c, n, in, kernel, &conv->window) ||
      !onnx_luna_scale(c, n, "scale_x", &x) ||
      !onnx_luna_scale(c, n, "scale_w", &w) ||
      !onnx_luna_scale(c, n, "scale_o", &o) ||
      !onnx_luna_bits(c, n, &conv->type))
    return false;
  conv->shift = x + w - o;
  return check_bias(c, onnx_input(n, 2), conv->oc);
}

static void window_attrs(OnnxImport *c, const OnnxWindow *w, LunaAttr *attrs) {
  bool one = w->rank == 1;
  int64_t stride[2] = {one ? 1 : w->stride[0], w->stride[w->rank - 1]};
  int64_t dilation[2] = {one ? 1 : w->dilation[0], w->dilation[w->rank - 1]};
  int64_t pad[4] = {one ? 0 : w->low[0], one ? 0 : w->high[0],
                    w->low[w->rank - 1], w->high[w->rank - 1]};
  attrs[0] = (LunaAttr){"stride", luna_i64s_attr(c->b->context, 2, stride)};
  attrs[1] = (LunaAttr){"dilation", luna_i64s_attr(c->b->context, 2, dilation)};
  attrs[2] = (LunaAttr){"pad", luna_i64s_attr(c->b->context, 4, pad)};
}

// The kernel as the unit wants it: [OC, KH, KW, IC], or [KH, KW, C, M].
static MlirValue conv_weight(OnnxImport *c, OnnxValue *weight,
                             const LunaConv *conv) {
  static const int normal[4] = {0, 2, 3, 1}, depthwise[4] = {2, 3, 0, 1};
  const OnnxWindow *w = &conv->window;
  bool deep = conv->groups > 1;
  LunaShape shape = onnx_shape(
      4, (int64_t[]){deep ? conv->groups : conv->oc,
                     deep ? conv->oc / conv->groups : conv->ic,
                     w->rank == 2 ? w->kernel[0] : 1, w->kernel[w->rank - 1]});
  OnnxValue *raised = onnx_reshape_value(c, weight, &shape);
  return onnx_permuted_ir(c, raised, deep ? depthwise : normal);
}

// The convolution of a channels-last input by one group, or depthwise.
static MlirValue conv_op(OnnxImport *c, const LunaConv *conv, MlirValue input,
                         OnnxValue *weight, OnnxValue *bias,
                         const OnnxValue *result) {
  MlirValue inputs[2] = {input, conv_weight(c, weight, conv)};
  LunaShape out = plane(&conv->window, conv->window.out, conv->oc);
  LunaAttr attrs[6];
  window_attrs(c, &conv->window, attrs);
  attrs[3] = (LunaAttr){"kind", luna_i32_attr(c->b->context, conv->groups > 1)};
  attrs[4] = (LunaAttr){"requant", onnx_luna_requant_attr(c, result)};
  return onnx_luna_emit(c, "luna.conv2d", inputs, bias_value(c, bias),
                        conv->type, &out, attrs, 5);
}

// Entries [at, at + count) of dimension 0; NULL of NULL.
static OnnxValue *entries(OnnxImport *c, OnnxValue *value, int64_t at,
                          int64_t count) {
  if (!value)
    return NULL;
  LunaShape shape = value->shape;
  int64_t starts[ONNX_MAX_RANK] = {at};
  shape.dims[0] = count;
  return onnx_from_ir(
      c, value->type, &shape,
      luna_build_slice(c->b, onnx_ir(c, value), starts, shape.dims));
}

// Group by group, joined: the unit has no other groups.
static MlirValue conv_groups(OnnxImport *c, const OnnxNode *n,
                             const LunaConv *conv, MlirValue input,
                             const OnnxValue *result) {
  LunaConv part = *conv;
  MlirValue *made = LUNA_ARENA_ARRAY(c->arena, MlirValue, (size_t)conv->groups);
  part.ic /= conv->groups;
  part.oc /= conv->groups;
  part.groups = 1;
  LunaShape cut = plane(&conv->window, conv->window.in, part.ic);
  for (int64_t i = 0; i < conv->groups; ++i) {
    int64_t starts[4] = {0, 0, 0, i * part.ic};
    made[i] =
        conv_op(c, &part, luna_build_slice(c->b, input, starts, cut.dims),
                entries(c, n->inputs[1], i * part.oc, part.oc),
                entries(c, onnx_input(n, 2), i * part.oc, part.oc), result);
  }
  return luna_build_concat(c->b, (int)conv->groups, made, 3);
}

ONNX_HANDLER(luna_conv) {
  LunaConv conv = {.groups = 1};
  if (!onnx_luna_needs_i8(c, n, 2) || !read_conv(c, n, &conv))
    return false;
  const OnnxWindow *w = &conv.window;
  LunaShape model = n->inputs[0]->shape;
  model.dims[1] = conv.oc;
  for (int i = 0; i < w->rank; ++i)
    model.dims[i + 2] = w->out[i];
  LunaShape in = plane(w, w->in, conv.ic);
  if (!onnx_check_shape(c, &model))
    return false;
  OnnxValue *result = onnx_new_value(c, conv.type, &model);
  if (!onnx_luna_set_requant(c, result, conv.shift))
    return false;
  MlirValue input =
                luna_build_reshape(c->b, onnx_ir_last(c, n->inputs[0]), &in),
            made;
  if (conv.groups > 1 && conv.groups < conv.ic) {
    made = conv_groups(c, n, &conv, input, result);
    result->has_requant = false;
  } else {
    made = conv_op(c, &conv, input, n->inputs[1], onnx_input(n, 2), result);
    result->unit = mlirOpResultGetOwner(made);
  }
  LunaShape last = onnx_shape_last(&model);
  result->last = luna_build_reshape(c->b, made, &last);
  n->outputs[0] = result;
  return true;
}

// x * weight + bias, each of its channel: depthwise, of a kernel of one.
ONNX_HANDLER(luna_batch_norm) {
  OnnxNode node = *n;
  const LunaShape *in = &n->inputs[0]->shape;
  int64_t channels = in->rank > 1 ? in->dims[1] : 0;
  LunaShape shape = {4, {channels, 1, 1, 1}};
  OnnxValue *inputs[3] = {n->inputs[0], NULL, onnx_input(n, 2)};
  if (!onnx_luna_needs_i8(c, n, 2))
    return false;
  if (in->rank != 4 || onnx_elems(&n->inputs[1]->shape) != channels)
    return onnx_fail(c, "needs an input [1, C, H, W] and C weights");
  inputs[1] = onnx_reshape_value(c, n->inputs[1], &shape);
  Onnx__AttributeProto group = ONNX__ATTRIBUTE_PROTO__INIT;
  char name[] = "group";
  group.name = name;
  group.has_type = group.has_i = 1;
  group.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
  group.i = channels;
  Onnx__NodeProto proto = *n->proto;
  proto.attribute =
      LUNA_ARENA_ARRAY(c->arena, Onnx__AttributeProto *, proto.n_attribute + 1);
  for (size_t i = 0; i < proto.n_attribute; ++i)
    proto.attribute[i] = n->proto->attribute[i];
  proto.attribute[proto.n_attribute++] = &group;
  node.proto = &proto;
  node.inputs = inputs;
  return onnx_op_luna_conv(c, &node);
}

// Transposed: TOSA's out_pad is minus what ONNX cuts off, plus what it adds.
ONNX_HANDLER(luna_conv_transpose) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t pads[4] = {0}, stride[2] = {1, 1}, more[2] = {0, 0};
  int x, w, o;
  OnnxType type;
  if (!onnx_luna_needs_i8(c, n, 2))
    return false;
  if (in->rank != 4 || weight->rank != 4 || in->dims[0] != 1 ||
      onnx_attr_int(n, "group", 1) != 1 || weight->dims[0] != in->dims[1])
    return onnx_fail(c, "needs an input [1, C, H, W], a weight of 4 dimensions "
                        "and one group");
  if (onnx_attr_ints(c, n, "pads", pads, 4) == -2 ||
      onnx_attr_ints(c, n, "strides", stride, 2) == -2 ||
      onnx_attr_ints(c, n, "output_padding", more, 2) == -2 ||
      !onnx_luna_scale(c, n, "scale_x", &x) ||
      !onnx_luna_scale(c, n, "scale_w", &w) ||
      !onnx_luna_scale(c, n, "scale_o", &o) || !onnx_luna_bits(c, n, &type) ||
      !check_bias(c, onnx_input(n, 2), weight->dims[1]))
    return false;
  LunaShape model = {4, {1, weight->dims[1], 0, 0}};
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
  if (!onnx_check_shape(c, &model) ||
      !onnx_luna_set_requant(c, result, x + w - o))
    return false;
  static const int perm[4] = {1, 2, 3, 0};
  MlirValue inputs[2] = {onnx_ir_last(c, n->inputs[0]),
                         onnx_permuted_ir(c, n->inputs[1], perm)};
  LunaAttr attrs[5] = {{"stride", luna_i64s_attr(c->b->context, 2, stride)},
                       {"pad", luna_i64s_attr(c->b->context, 4, out_pad)},
                       {"kind", luna_i32_attr(c->b->context, 2)},
                       {"requant", onnx_luna_requant_attr(c, result)}};
  LunaShape out = onnx_shape_last(&model);
  result->last =
      onnx_luna_emit(c, "luna.conv2d", inputs, bias_value(c, onnx_input(n, 2)),
                     type, &out, attrs, 4);
  result->unit = mlirOpResultGetOwner(result->last);
  n->outputs[0] = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static bool matmul_result(OnnxImport *c, const OnnxNode *n, const char *second,
                          const LunaShape *shape, OnnxValue **result) {
  int x, w, o;
  OnnxType type;
  if (!onnx_luna_scale(c, n, "scale_x", &x) ||
      !onnx_luna_scale(c, n, second, &w) ||
      !onnx_luna_scale(c, n, "scale_o", &o) || !onnx_luna_bits(c, n, &type) ||
      !onnx_check_shape(c, shape))
    return false;
  *result = onnx_new_value(c, type, shape);
  return onnx_luna_set_requant(c, *result, x + w - o);
}

ONNX_HANDLER(luna_linear) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  OnnxValue *result;
  if (!onnx_luna_needs_i8(c, n, 2))
    return false;
  if (in->rank < 1 || weight->rank != 2 ||
      in->dims[in->rank - 1] != weight->dims[1])
    return onnx_fail(c, "input's last dimension does not fit the weight");
  LunaShape model = *in;
  model.dims[in->rank - 1] = weight->dims[0];
  if (!matmul_result(c, n, "scale_w", &model, &result) ||
      !check_bias(c, onnx_input(n, 2), weight->dims[0]))
    return false;
  int64_t depth = weight->dims[1], rows = onnx_elems(in) / depth;
  LunaShape lhs = {3, {1, rows, depth}};
  LunaShape rhs = {3, {1, weight->dims[0], depth}};
  LunaShape out = {3, {1, rows, weight->dims[0]}};
  MlirValue inputs[2] = {
      luna_build_reshape(c->b, onnx_ir(c, n->inputs[0]), &lhs),
      onnx_ir(c, onnx_reshape_value(c, n->inputs[1], &rhs))};
  LunaAttr attrs[3] = {{"requant", onnx_luna_requant_attr(c, result)},
                       {"rhs_transposed", mlirUnitAttrGet(c->b->context)}};
  MlirValue made =
      onnx_luna_emit(c, "luna.matmul", inputs, bias_value(c, onnx_input(n, 2)),
                     result->type, &out, attrs, 2);
  result->unit = mlirOpResultGetOwner(made);
  result->ir = luna_build_reshape(c->b, made, &model);
  n->outputs[0] = result;
  return true;
}

ONNX_HANDLER(luna_bmm) {
  const LunaShape *a = &n->inputs[0]->shape, *b = &n->inputs[1]->shape;
  OnnxValue *result;
  int rank = a->rank;
  if (!onnx_luna_needs_i8(c, n, 2))
    return false;
  bool fits =
      rank >= 2 && b->rank == rank && a->dims[rank - 1] == b->dims[rank - 2];
  for (int i = 0; fits && i + 2 < rank; ++i)
    fits = a->dims[i] == b->dims[i];
  if (!fits)
    return onnx_fail(c, "operands do not fit each other");
  LunaShape model = *a;
  model.dims[rank - 1] = b->dims[rank - 1];
  if (!matmul_result(c, n, "scale_y", &model, &result))
    return false;
  int64_t m = a->dims[rank - 2], k = a->dims[rank - 1], w = b->dims[rank - 1];
  int64_t batch = onnx_elems(a) / (m * k);
  LunaShape lhs = {3, {batch, m, k}};
  LunaShape rhs = {3, {batch, k, w}};
  LunaShape out = {3, {batch, m, w}};
  MlirValue none = {NULL};
  MlirValue inputs[2] = {
      luna_build_reshape(c->b, onnx_ir(c, n->inputs[0]), &lhs),
      luna_build_reshape(c->b, onnx_ir(c, n->inputs[1]), &rhs)};
  LunaAttr attrs[2] = {{"requant", onnx_luna_requant_attr(c, result)}};
  MlirValue made = onnx_luna_emit(c, "luna.matmul", inputs, none, result->type,
                                  &out, attrs, 1);
  result->unit = mlirOpResultGetOwner(made);
  result->ir = luna_build_reshape(c->b, made, &model);
  n->outputs[0] = result;
  return true;
}
