// LUNA's convolutions and matrix products: luna ops on channels-last tensors.

#include "linger.h"

#include "onnx_conv.h"

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static MlirValue bias_value(LunaOnnxImport *c, LunaOnnxValue *bias) {
  MlirValue none = {NULL};
  return bias ? luna_onnx_ir(c, bias) : none;
}

static bool check_bias(LunaOnnxImport *c, const LunaOnnxValue *bias,
                       int64_t channels) {
  return !bias ||
         (bias->type == LUNA_ONNX_I32 &&
          luna_onnx_elems(&bias->shape) == channels && bias->shape.rank == 1) ||
         luna_onnx_fail(c, "bias must be int32 with %lld elements",
                        (long long)channels);
}

typedef struct LunaConv {
  LunaOnnxWindow window;
  int64_t ic, oc, groups;
  LunaOnnxType type;
  int shift;
} LunaConv;

// [1, H, W, C] for the unit, from a window of one or two dimensions.
static LunaShape plane(const LunaOnnxWindow *w, const int64_t *sizes,
                       int64_t channels) {
  LunaShape shape = {4, {1, 1, sizes[0], channels}};
  if (w->rank == 2) {
    shape.dims[1] = sizes[0];
    shape.dims[2] = sizes[1];
  }
  return shape;
}

static bool read_conv(LunaOnnxImport *c, LunaOnnxNode *n, LunaConv *conv) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t kernel[3];
  int x, w, o, rank = in->rank - 2;
  if (rank < 1 || rank > 2 || weight->rank != in->rank || in->dims[0] != 1)
    return luna_onnx_fail(c, "needs an input [1, C, (H,) W] and a weight of as "
                             "many dimensions");
  for (int i = 0; i < rank; ++i)
    kernel[i] = weight->dims[i + 2];
  conv->ic = in->dims[1];
  conv->oc = weight->dims[0];
  conv->groups = luna_onnx_attr_int(n, "group", 1);
  if (conv->groups < 1 || conv->groups > conv->ic ||
      conv->ic % conv->groups != 0 || conv->oc % conv->groups != 0 ||
      weight->dims[1] != conv->ic / conv->groups)
    return luna_onnx_fail(c,
                          "%lld groups do not fit %lld channels and the weight",
                          (long long)conv->groups, (long long)conv->ic);
  if (!luna_onnx_check_shape(c, weight) ||
      !luna_onnx_read_window(c, n, in, kernel, &conv->window) ||
      !luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_w", &w) ||
      !luna_linger_scale(c, n, "scale_o", &o) ||
      !luna_linger_bits(c, n, &conv->type))
    return false;
  conv->shift = x + w - o;
  return check_bias(c, luna_onnx_input(n, 2), conv->oc);
}

static void window_attrs(LunaOnnxImport *c, const LunaOnnxWindow *w,
                         LunaAttr *attrs) {
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
static MlirValue conv_weight(LunaOnnxImport *c, LunaOnnxValue *weight,
                             const LunaConv *conv) {
  static const int normal[4] = {0, 2, 3, 1}, depthwise[4] = {2, 3, 0, 1};
  const LunaOnnxWindow *w = &conv->window;
  bool deep = conv->groups > 1;
  LunaShape shape = luna_onnx_shape(
      4, (int64_t[]){deep ? conv->groups : conv->oc,
                     deep ? conv->oc / conv->groups : conv->ic,
                     w->rank == 2 ? w->kernel[0] : 1, w->kernel[w->rank - 1]});
  LunaOnnxValue *raised = luna_onnx_reshape_value(c, weight, &shape);
  return luna_onnx_permuted_ir(c, raised, deep ? depthwise : normal);
}

// The convolution of a channels-last input by one group, or depthwise.
static MlirValue conv_op(LunaOnnxImport *c, const LunaConv *conv,
                         MlirValue input, LunaOnnxValue *weight,
                         LunaOnnxValue *bias, const LunaOnnxValue *result) {
  MlirValue inputs[2] = {input, conv_weight(c, weight, conv)};
  LunaShape out = plane(&conv->window, conv->window.out, conv->oc);
  LunaAttr attrs[6];
  window_attrs(c, &conv->window, attrs);
  attrs[3] = (LunaAttr){"kind", luna_i32_attr(c->b->context, conv->groups > 1)};
  attrs[4] = (LunaAttr){"requant", luna_linger_requant_attr(c, result)};
  return luna_linger_emit(c, "luna.conv2d", inputs, bias_value(c, bias),
                          conv->type, &out, attrs, 5);
}

// Entries [at, at + count) of dimension 0; NULL of NULL.
static LunaOnnxValue *entries(LunaOnnxImport *c, LunaOnnxValue *value,
                              int64_t at, int64_t count) {
  if (!value)
    return NULL;
  LunaShape shape = value->shape;
  int64_t starts[LUNA_ONNX_MAX_RANK] = {at};
  shape.dims[0] = count;
  return luna_onnx_from_ir(
      c, value->type, &shape,
      luna_build_slice(c->b, luna_onnx_ir(c, value), starts, shape.dims));
}

// Group by group, joined: the unit has no other groups.
static MlirValue conv_groups(LunaOnnxImport *c, const LunaOnnxNode *n,
                             const LunaConv *conv, MlirValue input,
                             const LunaOnnxValue *result) {
  LunaConv part = *conv;
  MlirValue *made = LUNA_ARENA_ARRAY(c->arena, MlirValue, (size_t)conv->groups);
  part.ic /= conv->groups;
  part.oc /= conv->groups;
  part.groups = 1;
  LunaShape cut = plane(&conv->window, conv->window.in, part.ic);
  for (int64_t i = 0; i < conv->groups; ++i) {
    int64_t starts[4] = {0, 0, 0, i * part.ic};
    made[i] = conv_op(c, &part, luna_build_slice(c->b, input, starts, cut.dims),
                      entries(c, n->inputs[1], i * part.oc, part.oc),
                      entries(c, luna_onnx_input(n, 2), i * part.oc, part.oc),
                      result);
  }
  return luna_build_concat(c->b, (int)conv->groups, made, 3);
}

LUNA_LINGER_HANDLER(conv) {
  LunaConv conv = {.groups = 1};
  if (!luna_linger_needs_i8(c, n, 2) || !read_conv(c, n, &conv))
    return false;
  const LunaOnnxWindow *w = &conv.window;
  LunaShape model = n->inputs[0]->shape;
  model.dims[1] = conv.oc;
  for (int i = 0; i < w->rank; ++i)
    model.dims[i + 2] = w->out[i];
  LunaShape in = plane(w, w->in, conv.ic);
  if (!luna_onnx_check_shape(c, &model))
    return false;
  LunaOnnxValue *result = luna_onnx_new_value(c, conv.type, &model);
  if (!luna_linger_set_requant(c, result, conv.shift))
    return false;
  MlirValue input = luna_build_reshape(c->b, luna_onnx_ir_last(c, n->inputs[0]),
                                       &in),
            made;
  if (conv.groups > 1 && conv.groups < conv.ic) {
    made = conv_groups(c, n, &conv, input, result);
    result->has_requant = false;
  } else {
    made =
        conv_op(c, &conv, input, n->inputs[1], luna_onnx_input(n, 2), result);
    result->unit = mlirOpResultGetOwner(made);
  }
  LunaShape last = luna_onnx_shape_last(&model);
  result->last = luna_build_reshape(c->b, made, &last);
  n->outputs[0] = result;
  return true;
}

// x * weight + bias, each of its channel: depthwise, of a kernel of one.
LUNA_LINGER_HANDLER(batch_norm) {
  LunaOnnxNode node = *n;
  const LunaShape *in = &n->inputs[0]->shape;
  int64_t channels = in->rank > 1 ? in->dims[1] : 0;
  LunaShape shape = {4, {channels, 1, 1, 1}};
  LunaOnnxValue *inputs[3] = {n->inputs[0], NULL, luna_onnx_input(n, 2)};
  if (!luna_linger_needs_i8(c, n, 2))
    return false;
  if (in->rank != 4 || luna_onnx_elems(&n->inputs[1]->shape) != channels)
    return luna_onnx_fail(c, "needs an input [1, C, H, W] and C weights");
  inputs[1] = luna_onnx_reshape_value(c, n->inputs[1], &shape);
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
  return luna_linger_op_conv(c, &node);
}

// Transposed: TOSA's out_pad is minus what ONNX cuts off, plus what it adds.
LUNA_LINGER_HANDLER(conv_transpose) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t pads[4] = {0}, stride[2] = {1, 1}, more[2] = {0, 0};
  int x, w, o;
  LunaOnnxType type;
  if (!luna_linger_needs_i8(c, n, 2))
    return false;
  if (in->rank != 4 || weight->rank != 4 || in->dims[0] != 1 ||
      luna_onnx_attr_int(n, "group", 1) != 1 || weight->dims[0] != in->dims[1])
    return luna_onnx_fail(
        c, "needs an input [1, C, H, W], a weight of 4 dimensions "
           "and one group");
  if (luna_onnx_attr_ints(c, n, "pads", pads, 4) == -2 ||
      luna_onnx_attr_ints(c, n, "strides", stride, 2) == -2 ||
      luna_onnx_attr_ints(c, n, "output_padding", more, 2) == -2 ||
      !luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_w", &w) ||
      !luna_linger_scale(c, n, "scale_o", &o) ||
      !luna_linger_bits(c, n, &type) ||
      !check_bias(c, luna_onnx_input(n, 2), weight->dims[1]))
    return false;
  LunaShape model = {4, {1, weight->dims[1], 0, 0}};
  int64_t out_pad[4];
  for (int i = 0; i < 2; ++i) {
    if (stride[i] < 1 || stride[i] > 16 || pads[i] < 0 || pads[i + 2] < 0 ||
        more[i] < 0 || more[i] > 16 || pads[i] > 64 || pads[i + 2] > 64)
      return luna_onnx_fail(c, "strides or pads are out of range");
    out_pad[2 * i] = -pads[i];
    out_pad[2 * i + 1] = more[i] - pads[i + 2];
    model.dims[i + 2] = (in->dims[i + 2] - 1) * stride[i] +
                        weight->dims[i + 2] + out_pad[2 * i] +
                        out_pad[2 * i + 1];
  }
  LunaOnnxValue *result = luna_onnx_new_value(c, type, &model);
  if (!luna_onnx_check_shape(c, &model) ||
      !luna_linger_set_requant(c, result, x + w - o))
    return false;
  static const int perm[4] = {1, 2, 3, 0};
  MlirValue inputs[2] = {luna_onnx_ir_last(c, n->inputs[0]),
                         luna_onnx_permuted_ir(c, n->inputs[1], perm)};
  LunaAttr attrs[5] = {{"stride", luna_i64s_attr(c->b->context, 2, stride)},
                       {"pad", luna_i64s_attr(c->b->context, 4, out_pad)},
                       {"kind", luna_i32_attr(c->b->context, 2)},
                       {"requant", luna_linger_requant_attr(c, result)}};
  LunaShape out = luna_onnx_shape_last(&model);
  result->last = luna_linger_emit(c, "luna.conv2d", inputs,
                                  bias_value(c, luna_onnx_input(n, 2)), type,
                                  &out, attrs, 4);
  result->unit = mlirOpResultGetOwner(result->last);
  n->outputs[0] = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static bool matmul_result(LunaOnnxImport *c, const LunaOnnxNode *n,
                          const char *second, const LunaShape *shape,
                          LunaOnnxValue **result) {
  int x, w, o;
  LunaOnnxType type;
  if (!luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, second, &w) ||
      !luna_linger_scale(c, n, "scale_o", &o) ||
      !luna_linger_bits(c, n, &type) || !luna_onnx_check_shape(c, shape))
    return false;
  *result = luna_onnx_new_value(c, type, shape);
  return luna_linger_set_requant(c, *result, x + w - o);
}

LUNA_LINGER_HANDLER(linear) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  LunaOnnxValue *result;
  if (!luna_linger_needs_i8(c, n, 2))
    return false;
  if (in->rank < 1 || weight->rank != 2 ||
      in->dims[in->rank - 1] != weight->dims[1])
    return luna_onnx_fail(c, "input's last dimension does not fit the weight");
  LunaShape model = *in;
  model.dims[in->rank - 1] = weight->dims[0];
  if (!matmul_result(c, n, "scale_w", &model, &result) ||
      !check_bias(c, luna_onnx_input(n, 2), weight->dims[0]))
    return false;
  int64_t depth = weight->dims[1], rows = luna_onnx_elems(in) / depth;
  LunaShape lhs = {3, {1, rows, depth}};
  LunaShape rhs = {3, {1, weight->dims[0], depth}};
  LunaShape out = {3, {1, rows, weight->dims[0]}};
  MlirValue inputs[2] = {
      luna_build_reshape(c->b, luna_onnx_ir(c, n->inputs[0]), &lhs),
      luna_onnx_ir(c, luna_onnx_reshape_value(c, n->inputs[1], &rhs))};
  LunaAttr attrs[3] = {{"requant", luna_linger_requant_attr(c, result)},
                       {"rhs_transposed", mlirUnitAttrGet(c->b->context)}};
  MlirValue made = luna_linger_emit(c, "luna.matmul", inputs,
                                    bias_value(c, luna_onnx_input(n, 2)),
                                    result->type, &out, attrs, 2);
  result->unit = mlirOpResultGetOwner(made);
  result->ir = luna_build_reshape(c->b, made, &model);
  n->outputs[0] = result;
  return true;
}

LUNA_LINGER_HANDLER(bmm) {
  const LunaShape *a = &n->inputs[0]->shape, *b = &n->inputs[1]->shape;
  LunaOnnxValue *result;
  int rank = a->rank;
  if (!luna_linger_needs_i8(c, n, 2))
    return false;
  bool fits =
      rank >= 2 && b->rank == rank && a->dims[rank - 1] == b->dims[rank - 2];
  for (int i = 0; fits && i + 2 < rank; ++i)
    fits = a->dims[i] == b->dims[i];
  if (!fits)
    return luna_onnx_fail(c, "operands do not fit each other");
  LunaShape model = *a;
  model.dims[rank - 1] = b->dims[rank - 1];
  if (!matmul_result(c, n, "scale_y", &model, &result))
    return false;
  int64_t m = a->dims[rank - 2], k = a->dims[rank - 1], w = b->dims[rank - 1];
  int64_t batch = luna_onnx_elems(a) / (m * k);
  LunaShape lhs = {3, {batch, m, k}};
  LunaShape rhs = {3, {batch, k, w}};
  LunaShape out = {3, {batch, m, w}};
  MlirValue none = {NULL};
  MlirValue inputs[2] = {
      luna_build_reshape(c->b, luna_onnx_ir(c, n->inputs[0]), &lhs),
      luna_build_reshape(c->b, luna_onnx_ir(c, n->inputs[1]), &rhs)};
  LunaAttr attrs[2] = {{"requant", luna_linger_requant_attr(c, result)}};
  MlirValue made = luna_linger_emit(c, "luna.matmul", inputs, none,
                                    result->type, &out, attrs, 1);
  result->unit = mlirOpResultGetOwner(made);
  result->ir = luna_build_reshape(c->b, made, &model);
  n->outputs[0] = result;
  return true;
}
