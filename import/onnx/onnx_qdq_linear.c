// Operators that carry their scales with them: QLinearConv and QLinearMatMul,
// and those of the domain com.microsoft. Each is the plain operator between
// DequantizeLinear and QuantizeLinear.

#include "onnx_qdq.h"

#include <string.h>

enum { ALL_THE_REST = 0, NONE = -1, MAX_OPERANDS = 16 };

// Operands come as value, scale, zero point; the result's scale and zero point
// stand at `target`.
typedef struct Linear {
  const char *name, *base;
  int first, operands, target, bias;
} Linear;

static const Linear linears[] = {
    {"QGemm", "Gemm", 0, 2, 7, 6},
    {"QLinearAdd", "Add", 0, 2, 6, NONE},
    {"QLinearAveragePool", "AveragePool", 0, 1, 3, NONE},
    {"QLinearConcat", "Concat", 2, ALL_THE_REST, 0, NONE},
    {"QLinearConv", "Conv", 0, 2, 6, 8},
    {"QLinearGlobalAveragePool", "GlobalAveragePool", 0, 1, 3, NONE},
    {"QLinearLeakyRelu", "LeakyRelu", 0, 1, 3, NONE},
    {"QLinearMatMul", "MatMul", 0, 2, 6, NONE},
    {"QLinearMul", "Mul", 0, 2, 6, NONE},
    {"QLinearSigmoid", "Sigmoid", 0, 1, 3, NONE},
    {"QLinearSoftmax", "Softmax", 0, 1, 3, NONE},
};

static const Linear *find_linear(const char *name) {
  for (size_t i = 0; i < sizeof linears / sizeof *linears; ++i)
    if (strcmp(linears[i].name, name) == 0)
      return &linears[i];
  return NULL;
}

// The dimension of operand `index` that several scales go along.
static int scale_axis(const OnnxNode *n, const Linear *linear, int index,
                      const OnnxValue *value) {
  if (strcmp(linear->base, "Conv") == 0)
    return index == 1 ? 0 : 1;
  if (strcmp(linear->base, "Gemm") == 0)
    return onnx_attr_int(n, "transB", 0) ? 0 : 1;
  return value->shape.rank - 1;
}

// A bias in units of x_scale * w_scale.
static OnnxValue *remember_bias(OnnxImport *c, const OnnxValue *x,
                                const OnnxValue *w, OnnxValue *bias) {
  int64_t count = w->quant->scale_count;
  if (bias->type != ONNX_I32)
    return NULL;
  float *products = LUNA_ARENA_ARRAY(c->arena, float, count);
  for (int64_t i = 0; i < count; ++i)
    products[i] = x->quant->scales[0] * w->quant->scales[i];
  LunaShape shape = onnx_shape(count > 1 ? 1 : 0, &count);
  return onnx_qdq_remember(
      c, bias, onnx_new_const(c, ONNX_F32, &shape, products), NULL, 0);
}

// What the result is quantised to; without a zero point its type is that of
// the first operand.
static bool read_target(OnnxImport *c, const OnnxNode *n, const Linear *linear,
                        OnnxQdqNode *q) {
  const OnnxValue *scale = onnx_input(n, linear->target);
  const OnnxValue *zero = onnx_input(n, linear->target + 1);
  q->has_target = scale != NULL;
  if (scale && !onnx_qdq_read_target(c, scale, zero, &q->target))
    return false;
  const OnnxValue *first = onnx_input(n, linear->first);
  if (scale && !zero && first && first->type == ONNX_I8) {
    q->target.type = ONNX_I8;
    q->target.zero = 0;
  }
  return true;
}

// Reads the operands as float values that stand for integers; false where one
// cannot be remembered so.
static bool read_operands(OnnxImport *c, const OnnxNode *n,
                          const Linear *linear, OnnxNode *inner) {
  int count = linear->operands == ALL_THE_REST
                  ? (n->input_count - linear->first) / 3
                  : linear->operands;
  if (count < 1 || count > MAX_OPERANDS)
    return false;
  for (int i = 0; i < count; ++i) {
    int at = linear->first + 3 * i;
    OnnxValue *value = onnx_input(n, at), *scale = onnx_input(n, at + 1);
    if (!value || !scale || (value->type != ONNX_I8 && value->type != ONNX_U8))
      return false;
    inner->inputs[i] = onnx_qdq_remember(c, value, scale, onnx_input(n, at + 2),
                                         scale_axis(n, linear, i, value));
    if (!inner->inputs[i])
      return false;
  }
  inner->input_count = count;
  OnnxValue *bias = linear->bias == NONE ? NULL : onnx_input(n, linear->bias);
  if (!bias)
    return true;
  inner->inputs[count] =
      remember_bias(c, inner->inputs[0], inner->inputs[1], bias);
  inner->input_count = count + 1;
  return inner->inputs[count] != NULL;
}

// The plain operator on floats, where it is not made in integers.
static bool make_floats(OnnxImport *c, OnnxNode *inner) {
  for (int i = 0; i < inner->input_count; ++i)
    inner->inputs[i] = onnx_qdq_made(c, inner->inputs[i]);
  return inner->op->handler(c, inner);
}

static bool set_output(OnnxImport *c, OnnxNode *n, const OnnxQdqNode *q) {
  n->outputs[0] = q->node->outputs[0];
  if (!q->has_target)
    return n->outputs[0] != NULL;
  OnnxValue *ints = onnx_qdq_quantized(c, n->outputs[0], &q->target);
  n->outputs[0] = ints ? onnx_qdq_as_type(c, ints, q->target.type) : NULL;
  return ints != NULL;
}

bool onnx_qdq_linear(OnnxImport *c, OnnxNode *n, bool *done) {
  const Linear *linear = find_linear(n->proto->op_type);
  if (!linear || n->output_count != 1 || onnx_attr_int(n, "channels_last", 0))
    return true;
  Onnx__NodeProto *proto = LUNA_ARENA_ARRAY(c->arena, Onnx__NodeProto, 1);
  *proto = *n->proto;
  proto->op_type = luna_arena_printf(c->arena, "%s", linear->base);
  OnnxNode inner = {
      .proto = proto,
      .op = onnx_find_op(c, "", linear->base),
      .inputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, MAX_OPERANDS + 1),
      .outputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, 1),
      .output_count = 1};
  OnnxQdqNode q = {.node = &inner, .name = linear->base};
  if (!read_target(c, n, linear, &q) || !read_operands(c, n, linear, &inner))
    return true;
  OnnxQdqHandler handler = onnx_qdq_find(linear->base);
  bool made = false;
  if (handler && !handler(c, &q, &made))
    return false;
  // The operators of ONNX itself have exact loops for the rest.
  if (!made && n->op->handler != onnx_op_qlinear)
    return true;
  *done = true;
  return (made || make_floats(c, &inner)) && set_output(c, n, &q);
}

ONNX_HANDLER(qlinear) {
  (void)n;
  return onnx_fail(c, "needs constant scales and zero points, one for each "
                      "tensor or one per channel of a weight, and channels "
                      "second");
}
