// LUNA's convolutions and matrix products: luna ops on channels-last tensors.

#include "linger.h"

#include "onnx_conv.h"

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
  LunaWindow window;
  int64_t ic, oc, groups;
  LunaOnnxType type;
  MlirAttribute requant;
} LunaConv;

// [1, H, W, C] for the unit, from a window of one or two dimensions.
static LunaShape plane(const LunaWindow *w, const int64_t *sizes,
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
  return luna_linger_requant(c, conv->type, x + w - o, &conv->requant) &&
         check_bias(c, luna_onnx_input(n, 2), conv->oc);
}

// The kernel as the unit wants it: [OC, KH, KW, IC], or [KH, KW, C, M].
static MlirValue conv_weight(LunaOnnxImport *c, LunaOnnxValue *weight,
                             const LunaConv *conv) {
  static const int normal[4] = {0, 2, 3, 1}, depthwise[4] = {2, 3, 0, 1};
  const LunaWindow *w = &conv->window;
  bool deep = conv->groups > 1;
  LunaShape shape = luna_onnx_shape(
      4, (int64_t[]){deep ? conv->groups : conv->oc,
                     deep ? conv->oc / conv->groups : conv->ic,
                     w->rank == 2 ? w->kernel[0] : 1, w->kernel[w->rank - 1]});
  LunaOnnxValue *raised = luna_onnx_reshape_value(c, weight, &shape);
  return luna_build_transpose(c->b, luna_onnx_ir(c, raised),
                              deep ? depthwise : normal);
}

// The convolution of a channels-last input by one group, or depthwise.
static MlirValue conv_op(LunaOnnxImport *c, const LunaConv *conv,
                         MlirValue input, LunaOnnxValue *weight,
                         LunaOnnxValue *bias) {
  LunaWindow w = conv->window;
  LunaShape out = plane(&w, w.out, conv->oc);
  luna_onnx_raise_window(&w);
  LunaUnitConv unit = {.input = input,
                       .stride = {w.stride[0], w.stride[1]},
                       .dilation = {w.dilation[0], w.dilation[1]},
                       .pad = {w.low[0], w.high[0], w.low[1], w.high[1]},
                       .kind = conv->groups > 1 ? LUNA_LINGER_DEPTHWISE
                                                : LUNA_LINGER_NORMAL,
                       .requant = conv->requant};
  unit.weight = conv_weight(c, weight, conv);
  unit.bias = bias_value(c, bias);
  return luna_linger_emit_conv(c, &unit, conv->type, &out);
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
                             const LunaConv *conv, MlirValue input) {
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
                      entries(c, luna_onnx_input(n, 2), i * part.oc, part.oc));
  }
  return luna_build_concat(c->b, (int)conv->groups, made, 3);
}

bool luna_linger_op_conv(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaConv conv = {.groups = 1};
  if (!luna_linger_needs_i8(c, n, 2) || !read_conv(c, n, &conv))
    return false;
  const LunaWindow *w = &conv.window;
  LunaShape model = n->inputs[0]->shape;
  model.dims[1] = conv.oc;
  for (int i = 0; i < w->rank; ++i)
    model.dims[i + 2] = w->out[i];
  LunaShape in = plane(w, w->in, conv.ic);
  if (!luna_onnx_check_shape(c, &model))
    return false;
  MlirValue input =
      luna_build_reshape(c->b, luna_onnx_ir_last(c, n->inputs[0]), &in);
  MlirValue made =
      conv.groups > 1 && conv.groups < conv.ic
          ? conv_groups(c, n, &conv, input)
          : conv_op(c, &conv, input, n->inputs[1], luna_onnx_input(n, 2));
  LunaShape last = luna_onnx_shape_last(&model);
  n->outputs[0] = luna_onnx_from_last(c, conv.type, &model,
                                      luna_build_reshape(c->b, made, &last));
  return true;
}

// x * weight + bias, each of its channel: depthwise, of a kernel of one.
bool luna_linger_op_batch_norm(LunaOnnxImport *c, LunaOnnxNode *n) {
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
bool luna_linger_op_conv_transpose(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  int64_t pads[4] = {0}, stride[2] = {1, 1}, more[2] = {0, 0};
  int64_t dilation[2] = {1, 1};
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
      luna_onnx_attr_ints(c, n, "dilations", dilation, 2) == -2 ||
      !luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_w", &w) ||
      !luna_linger_scale(c, n, "scale_o", &o) ||
      !luna_linger_bits(c, n, &type) ||
      !check_bias(c, luna_onnx_input(n, 2), weight->dims[1]))
    return false;
  if (dilation[0] != 1 || dilation[1] != 1)
    return luna_onnx_fail(c, "dilations are not supported");
  LunaShape model = {4, {1, weight->dims[1], 0, 0}};
  int64_t out_pad[4];
  for (int i = 0; i < 2; ++i) {
    if (stride[i] < 1 || stride[i] > 16 || pads[i] < 0 || pads[i + 2] < 0 ||
        more[i] < 0 || more[i] > 16 || pads[i] > 64 || pads[i + 2] > 64)
      return luna_onnx_fail(c, "strides or pads are out of range");
    out_pad[2 * i] = -pads[i];
    out_pad[2 * i + 1] = more[i] - pads[i + 2];
    model.dims[i + 2] =
        luna_window_cover(in->dims[i + 2], weight->dims[i + 2], stride[i]) +
        out_pad[2 * i] + out_pad[2 * i + 1];
  }
  static const int perm[4] = {1, 2, 3, 0};
  LunaUnitConv unit = {.stride = {stride[0], stride[1]},
                       .dilation = {1, 1},
                       .pad = {out_pad[0], out_pad[1], out_pad[2], out_pad[3]},
                       .kind = LUNA_LINGER_TRANSPOSED};
  if (!luna_onnx_check_shape(c, &model) ||
      !luna_linger_requant(c, type, x + w - o, &unit.requant))
    return false;
  unit.input = luna_onnx_ir_last(c, n->inputs[0]);
  unit.weight = luna_build_transpose(c->b, luna_onnx_ir(c, n->inputs[1]), perm);
  unit.bias = bias_value(c, luna_onnx_input(n, 2));
  LunaShape out = luna_onnx_shape_last(&model);
  n->outputs[0] = luna_onnx_from_last(
      c, type, &model, luna_linger_emit_conv(c, &unit, type, &out));
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Reads the scales, that of the second factor being `second`, and makes the
// node's output of the product.
static bool set_product(LunaOnnxImport *c, LunaOnnxNode *n, const char *second,
                        LunaUnitMatmul *m, const LunaShape *shape) {
  int x, w, o;
  LunaOnnxType type;
  if (!luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, second, &w) ||
      !luna_linger_scale(c, n, "scale_o", &o) ||
      !luna_linger_bits(c, n, &type) || !luna_onnx_check_shape(c, shape) ||
      !luna_linger_requant(c, type, x + w - o, &m->requant))
    return false;
  m->lhs = luna_onnx_ir(c, n->inputs[0]);
  m->rhs = luna_onnx_ir(c, n->inputs[1]);
  n->outputs[0] = luna_onnx_from_ir(c, type, shape,
                                    luna_linger_emit_matmul(c, m, type, shape));
  return true;
}

bool luna_linger_op_linear(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *in = &n->inputs[0]->shape, *weight = &n->inputs[1]->shape;
  if (!luna_linger_needs_i8(c, n, 2))
    return false;
  if (in->rank < 1 || weight->rank != 2 ||
      in->dims[in->rank - 1] != weight->dims[1])
    return luna_onnx_fail(c, "input's last dimension does not fit the weight");
  LunaShape model = *in;
  model.dims[in->rank - 1] = weight->dims[0];
  if (!check_bias(c, luna_onnx_input(n, 2), weight->dims[0]))
    return false;
  LunaUnitMatmul m = {.batch = 1,
                      .rows = luna_onnx_elems(in) / weight->dims[1],
                      .depth = weight->dims[1],
                      .columns = weight->dims[0],
                      .is_rhs_transposed = true,
                      .bias = bias_value(c, luna_onnx_input(n, 2))};
  return set_product(c, n, "scale_w", &m, &model);
}

bool luna_linger_op_bmm(LunaOnnxImport *c, LunaOnnxNode *n) {
  const LunaShape *a = &n->inputs[0]->shape, *b = &n->inputs[1]->shape;
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
  LunaUnitMatmul m = {.rows = a->dims[rank - 2],
                      .depth = a->dims[rank - 1],
                      .columns = b->dims[rank - 1]};
  m.batch = luna_onnx_elems(a) / (m.rows * m.depth);
  return set_product(c, n, "scale_y", &m, &model);
}
