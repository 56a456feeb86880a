// LUNA's operators on elements: sums, products, quotients, joining, padding
// and shuffling.

#include "linger.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

// The multiplier and shift of an input that is scaled by 2^-shift, rounded.
static void scale_attrs(LunaOnnxImport *c, const char *multiplier,
                        const char *shift_name, int shift, LunaAttr *attrs,
                        int *count) {
  if (shift == 0)
    return;
  attrs[(*count)++] =
      (LunaAttr){multiplier, luna_i32_attr(c->b->context, 1 << 30)};
  attrs[(*count)++] =
      (LunaAttr){shift_name, luna_i32_attr(c->b->context, 30 + shift)};
}

// Brings both operands to the result's rank, channels last where they are so.
static bool eltwise_operands(LunaOnnxImport *c, LunaOnnxNode *n,
                             LunaShape *model, bool *last, MlirValue *values) {
  LunaOnnxValue *a = n->inputs[0], *b = n->inputs[1];
  if (!luna_broadcast(&a->shape, &b->shape, model) || model->rank > 4)
    return luna_onnx_fail(c, "shapes do not broadcast in at most 4 dimensions");
  bool same = luna_onnx_same_shape(&a->shape, &b->shape);
  *last = same && (luna_onnx_prefers_last(a) || luna_onnx_prefers_last(b));
  for (int i = 0; i < 2; ++i) {
    LunaOnnxValue *value = n->inputs[i];
    LunaShape raised = luna_onnx_shape(model->rank, NULL);
    int shift = model->rank - value->shape.rank;
    for (int d = 0; d < model->rank; ++d)
      raised.dims[d] = d < shift ? 1 : value->shape.dims[d - shift];
    values[i] = *last
                    ? luna_onnx_ir_last(c, value)
                    : luna_build_reshape(c->b, luna_onnx_ir(c, value), &raised);
  }
  return true;
}

bool luna_linger_op_eltwise(LunaOnnxImport *c, LunaOnnxNode *n) {
  const char *op = n->op->detail;
  int x, y, o, attr_count = 1;
  LunaOnnxType type;
  LunaShape model;
  LunaAttr attrs[6] = {{.name = "requant"}};
  bool last = false, product = strcmp(op, "luna.mul") == 0;
  MlirValue operands[3];
  if (!luna_linger_needs_i8(c, n, 2) ||
      !luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_y", &y) ||
      !luna_linger_scale(c, n, "scale_o", &o) ||
      !luna_linger_bits(c, n, &type) ||
      !eltwise_operands(c, n, &model, &last, operands))
    return false;
  if (type != LUNA_ONNX_I8 || x - o > 30 || y - o > 30 || o - x > 20 ||
      o - y > 20)
    return luna_onnx_fail(c, "needs int8 and scales that are closer together");
  if (!luna_linger_requant(c, type, product ? x + y - o : 0, &attrs[0].value))
    return false;
  if (!product) {
    scale_attrs(c, "lhs_multiplier", "lhs_shift", x - o, attrs, &attr_count);
    scale_attrs(c, "rhs_multiplier", "rhs_shift", y - o, attrs, &attr_count);
  }
  LunaShape out = last ? luna_onnx_shape_last(&model) : model;
  operands[2] = luna_build_empty(c->b, luna_onnx_tensor_type(c, type, &out));
  MlirValue made = luna_build_op(c->b, op, luna_onnx_tensor_type(c, type, &out),
                                 3, operands, attr_count, attrs);
  n->outputs[0] = last ? luna_onnx_from_last(c, type, &model, made)
                       : luna_onnx_from_ir(c, type, &model, made);
  return true;
}

// x times the inverse of y, the lowest number for y = 0.
static MlirValue div_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue x = luna_linger_wide(s, 0);
  MlirValue y = luna_onnx_cast_index(s->c, s->args[1], s->type);
  MlirValue none =
      luna_scalar_compare(s->b, LUNA_EQ, y, luna_scalar_index(s->b, 0));
  y = luna_scalar_add(s->b, y, luna_scalar_index(s->b, 128));
  MlirValue inverse = luna_scalar_extract(s->b, node->table, &y);
  x = luna_linger_round(s->c, luna_scalar_mul(s->b, x, inverse),
                        LUNA_INVERSE_BITS - node->scales[0]);
  x = luna_scalar_select(s->b, none,
                         luna_scalar_int(s->b, s->b->i64, INT32_MIN), x);
  return luna_linger_convert(s->c, x, LUNA_ONNX_I8);
}

static MlirValue inverse_table(LunaOnnxImport *c) {
  int64_t entries[256];
  LunaShape list = {1, {256}};
  for (int i = 0; i < 256; ++i)
    entries[i] = i == 128 ? 0 : luna_inverse(i - 128);
  return luna_onnx_const(c, LUNA_ONNX_I64, &list, entries);
}

bool luna_linger_op_div(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaFixed node = {.curve = NULL};
  int x, y, o;
  if (!luna_linger_needs_i8(c, n, 2) ||
      !luna_linger_scale(c, n, "scale_x", &x) ||
      !luna_linger_scale(c, n, "scale_y", &y) ||
      !luna_linger_scale(c, n, "scale_o", &o))
    return false;
  node.scales[0] = o - x + y;
  if (node.scales[0] < -16 || node.scales[0] > 15)
    return luna_onnx_fail(c, "needs scales that are closer together");
  node.table = inverse_table(c);
  n->outputs[0] =
      luna_onnx_map(c, &node, n->inputs, 2, LUNA_ONNX_I8, div_element);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Joining, padding, shuffling
//===----------------------------------------------------------------------===//

bool luna_linger_op_cat(LunaOnnxImport *c, LunaOnnxNode *n) {
  int o;
  if (!luna_linger_needs_i8(c, n, n->input_count) ||
      !luna_linger_scale(c, n, "scale_o", &o))
    return false;
  for (int i = 0; i < n->input_count; ++i) {
    char name[32];
    int x;
    snprintf(name, sizeof name, "scale_x_%d", i);
    if (!luna_linger_scale(c, n, name, &x))
      return false;
    n->inputs[i] = luna_linger_rescale(c, n->inputs[i], x, o);
  }
  const Onnx__AttributeProto *dim = luna_onnx_attr(n, "dim");
  if (!dim)
    return luna_onnx_op_concat(c, n);
  // linger names the axis `dim`: concat through a node that says `axis`.
  LunaOnnxNode node = *n;
  Onnx__NodeProto proto = *n->proto;
  Onnx__AttributeProto axis = *dim, *list[1] = {&axis};
  char axis_name[] = "axis";
  axis.name = axis_name;
  proto.attribute = list;
  proto.n_attribute = 1;
  node.proto = &proto;
  return luna_onnx_op_concat(c, &node);
}

// Pads for fewer dimensions than there are mean the last ones.
static LunaOnnxValue *all_pads(LunaOnnxImport *c, const LunaOnnxNode *n) {
  int64_t pads[2 * LUNA_ONNX_MAX_RANK], all[2 * LUNA_ONNX_MAX_RANK] = {0};
  int rank = n->inputs[0]->shape.rank;
  int count = luna_onnx_ints(c, n, 1, "pads", pads, 2 * LUNA_ONNX_MAX_RANK);
  if (count == -2)
    return NULL;
  if (count < 1 || count % 2 != 0 || count > 2 * rank) {
    luna_onnx_fail(c, "has %d pads for %d dimensions", count, rank);
    return NULL;
  }
  for (int i = 0; i < count / 2; ++i) {
    all[rank - count / 2 + i] = pads[i];
    all[2 * rank - count / 2 + i] = pads[count / 2 + i];
  }
  return luna_onnx_new_ints(c, all, 2 * rank);
}

// linger calls the mode `replicate` that ONNX calls `edge`.
bool luna_linger_op_pad(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxNode node = *n;
  Onnx__NodeProto proto = *n->proto;
  Onnx__AttributeProto mode, *list[1] = {&mode};
  char edge[] = "edge";
  if (!luna_linger_needs_i8(c, n, 1))
    return false;
  LunaOnnxValue *inputs[3] = {n->inputs[0], all_pads(c, n),
                              luna_onnx_input(n, 2)};
  if (!inputs[1])
    return false;
  proto.n_attribute = 0;
  if (luna_onnx_attr(n, "mode")) {
    mode = *luna_onnx_attr(n, "mode");
    if (luna_onnx_attr_is(n, "mode", "constant", "replicate"))
      mode.s = (ProtobufCBinaryData){4, (uint8_t *)edge};
    proto.n_attribute = 1;
    proto.attribute = list;
  }
  node.proto = &proto;
  node.inputs = inputs;
  node.input_count = 3;
  return luna_onnx_op_pad(c, &node);
}

// Channels of g groups, [g, k], in the order [k, g]; in the value's layout.
bool luna_linger_op_shuffle(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int64_t axis = luna_onnx_attr_int(n, "axis", 1);
  int64_t groups = luna_onnx_attr_int(n, "groups", 0);
  if (value->shape.rank != 4 || (axis != 1 && axis != 3))
    return luna_onnx_fail(c, "needs 4 dimensions, the channels being 1 or 3");
  if (groups < 1 || value->shape.dims[axis] % groups != 0)
    return luna_onnx_fail(c, "'groups' must divide %lld channels, is %lld",
                          (long long)value->shape.dims[axis],
                          (long long)groups);
  bool last = axis == 1 && luna_onnx_prefers_last(value);
  LunaShape shape = last ? luna_onnx_shape_last(&value->shape) : value->shape;
  int at = last ? 3 : (int)axis;
  LunaShape split = luna_onnx_shape(5, NULL);
  for (int i = 0; i < 4; ++i)
    split.dims[i > at ? i + 1 : i] = shape.dims[i];
  split.dims[at] = groups;
  split.dims[at + 1] = shape.dims[at] / groups;
  int perm[5] = {0, 1, 2, 3, 4};
  perm[at] = at + 1;
  perm[at + 1] = at;
  MlirValue made = luna_build_reshape(
      c->b, last ? luna_onnx_ir_last(c, value) : luna_onnx_ir(c, value),
      &split);
  made = luna_build_transpose(c->b, made, perm);
  made = luna_build_reshape(c->b, made, &shape);
  n->outputs[0] = last
                      ? luna_onnx_from_last(c, value->type, &value->shape, made)
                      : luna_onnx_from_ir(c, value->type, &shape, made);
  return true;
}
