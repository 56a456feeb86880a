// Operators that carry their scales with them: QLinearConv and QLinearMatMul,
// and those of the domain com.microsoft. Each is the plain operator between
// DequantizeLinear and QuantizeLinear.

#include "onnx.h"

#include <string.h>

enum { ALL_THE_REST = 0, NONE = -1, MAX_OPERANDS = 17 };

// Operands come as value, scale, zero point; the result's scale and zero point
// stand at `target`.
typedef struct Linear {
  const char *name, *base;
  int first, operands, target, bias;
} Linear;

static const Linear linears[] = {
#define QLINEAR(name, least, most, base, first, operands, target, bias)        \
  {#name, #base, first, operands, target, bias},
#define FUNCTION(...)
#include "onnx_microsoft.def"
    {"QLinearConv", "Conv", 0, 2, 6, 8},
    {"QLinearMatMul", "MatMul", 0, 2, 6, NONE},
};

static const Linear *find_linear(const char *name) {
  for (size_t i = 0; i < sizeof linears / sizeof *linears; ++i)
    if (strcmp(linears[i].name, name) == 0)
      return &linears[i];
  return NULL;
}

// The dimension of operand `index` that several scales go along.
static int scale_axis(const LunaOnnxNode *n, const Linear *linear, int index,
                      const LunaOnnxValue *value) {
  if (strcmp(linear->base, "Conv") == 0)
    return index == 1 ? 0 : 1;
  if (strcmp(linear->base, "Gemm") == 0)
    return luna_onnx_attr_int(n, "transB", 0) ? 0 : 1;
  return value->shape.rank - 1;
}

// A bias in units of x_scale * w_scale.
static LunaOnnxValue *dequantize_bias(LunaOnnxImport *c, const LunaOnnxNode *n,
                                      const Linear *linear,
                                      LunaOnnxValue *bias) {
  LunaOnnxValue *x_scale = n->inputs[linear->first + 1];
  LunaOnnxValue *w_scale = n->inputs[linear->first + 4];
  LunaOnnxQuantization q = {.scale =
                                luna_onnx_apply(c, "Mul", x_scale, w_scale),
                            .axis = bias->shape.rank - 1};
  return q.scale ? luna_onnx_dequantize(c, bias, &q) : NULL;
}

static bool read_operands(LunaOnnxImport *c, const LunaOnnxNode *n,
                          const Linear *linear, LunaOnnxNode *inner) {
  int count = linear->operands == ALL_THE_REST
                  ? (n->input_count - linear->first) / 3
                  : linear->operands;
  if (count < 1 || count >= MAX_OPERANDS)
    return luna_onnx_fail(c, "has %d operands, at most %d are supported", count,
                          MAX_OPERANDS - 1);
  for (int i = 0; i < count; ++i) {
    int at = linear->first + 3 * i;
    LunaOnnxValue *value = luna_onnx_input(n, at);
    LunaOnnxQuantization q = {.scale = luna_onnx_input(n, at + 1),
                              .zero = luna_onnx_input(n, at + 2)};
    if (!value || !q.scale)
      return luna_onnx_fail(c, "input %d is left out", value ? at + 1 : at);
    q.axis = scale_axis(n, linear, i, value);
    inner->inputs[i] = luna_onnx_dequantize(c, value, &q);
    if (!inner->inputs[i])
      return false;
  }
  inner->input_count = count;
  LunaOnnxValue *bias =
      linear->bias == NONE ? NULL : luna_onnx_input(n, linear->bias);
  if (!bias)
    return true;
  inner->inputs[inner->input_count++] = dequantize_bias(c, n, linear, bias);
  return inner->inputs[count] != NULL;
}

// Without a scale the result stays float; without a zero point it has the type
// of the first operand.
static LunaOnnxValue *quantize_result(LunaOnnxImport *c, const LunaOnnxNode *n,
                                      const Linear *linear,
                                      LunaOnnxValue *result) {
  LunaOnnxQuantization q = {.scale = luna_onnx_input(n, linear->target),
                            .zero = luna_onnx_input(n, linear->target + 1),
                            .type = n->inputs[linear->first]->type};
  return q.scale ? luna_onnx_quantize(c, result, &q) : result;
}

bool luna_onnx_op_qlinear(LunaOnnxImport *c, LunaOnnxNode *n) {
  const Linear *linear = find_linear(n->proto->op_type);
  if (!linear || luna_onnx_attr_int(n, "channels_last", 0))
    return luna_onnx_fail(c, "channels must stand second");
  Onnx__NodeProto *proto = LUNA_ARENA_ARRAY(c->arena, Onnx__NodeProto, 1);
  *proto = *n->proto;
  proto->op_type = luna_arena_printf(c->arena, "%s", linear->base);
  LunaOnnxNode inner = {
      .proto = proto,
      .op = luna_onnx_find_op(c, "", linear->base),
      .inputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, MAX_OPERANDS),
      .outputs = LUNA_ARENA_ARRAY(c->arena, LunaOnnxValue *, 1),
      .output_count = 1};
  if (!read_operands(c, n, linear, &inner) || !inner.op->handler(c, &inner))
    return false;
  n->outputs[0] = quantize_result(c, n, linear, inner.outputs[0]);
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Scales that are computed: ONNX's definition, sums of int32
//===----------------------------------------------------------------------===//

// Scales and zero points are constant, or what uses them would be floats: their
// sums round where those of integers do not.
static bool has_constants(const LunaOnnxImport *c, const LunaOnnxNode *n) {
  static const int parameters[] = {1, 2, 4, 5, 6, 7};
  for (size_t i = 0; i < sizeof parameters / sizeof *parameters; ++i)
    if (!luna_onnx_is_constant(c, n->inputs[parameters[i]]))
      return false;
  return true;
}

// saturate(round(acc * (x_scale * w_scale / y_scale)) + zero).
static MlirValue requantize_element(const LunaOnnxScalar *s) {
  LunaOnnxType to = *(const LunaOnnxType *)s->data;
  MlirValue x = luna_onnx_cast(s->c, s->args[0], s->type, LUNA_ONNX_F32);
  MlirValue scale = luna_scalar_div(
      s->b, luna_scalar_mul(s->b, s->args[1], s->args[2]), s->args[3]);
  x = luna_scalar_unary(s->b, "math.roundeven",
                        luna_scalar_mul(s->b, x, scale));
  x = luna_scalar_add(s->b, x,
                      luna_onnx_cast(s->c, s->args[4], to, LUNA_ONNX_F32));
  return luna_onnx_saturate(s->c, x, to);
}

// A scale or zero point, shaped to broadcast along `axis`.
static LunaOnnxValue *along_axis(LunaOnnxImport *c, LunaOnnxValue *value,
                                 int rank, int axis, int64_t size) {
  LunaShape shape = luna_onnx_shape(rank, NULL);
  if (luna_onnx_elems(&value->shape) == 1)
    shape.rank = 0;
  for (int i = 0; i < shape.rank; ++i)
    shape.dims[i] = i == axis ? size : 1;
  return luna_onnx_reshape_value(c, value, &shape);
}

static bool requantize(LunaOnnxImport *c, LunaOnnxNode *n, LunaOnnxValue *sum,
                       int axis, int w_axis) {
  LunaOnnxType to = n->inputs[7]->type;
  int rank = sum->shape.rank;
  int where[5] = {0, axis, w_axis, w_axis, w_axis};
  int from[5] = {0, 1, 4, 6, 7};
  LunaOnnxValue *inputs[5] = {sum};
  if (!luna_onnx_is_int(to) || luna_onnx_type_bytes(to) != 1)
    return luna_onnx_fail(c, "result must be int8 or uint8");
  for (int i = 1; i < 5; ++i) {
    LunaOnnxValue *value = n->inputs[from[i]];
    if (i < 4 && value->type != LUNA_ONNX_F32)
      return luna_onnx_fail(c, "scales must be float");
    inputs[i] = along_axis(c, value, rank, where[i],
                           rank > 0 ? sum->shape.dims[where[i]] : 1);
    if (!inputs[i])
      return false;
  }
  n->outputs[0] = luna_onnx_map(c, &to, inputs, 5, to, requantize_element);
  return n->outputs[0] != NULL;
}

static bool check_operands(LunaOnnxImport *c, const LunaOnnxNode *n) {
  for (int i = 0; i < 8; ++i)
    if (!n->inputs[i])
      return luna_onnx_fail(c, "input %d is left out", i);
  for (int i = 0; i < 4; i += 3)
    if (!luna_onnx_is_int(n->inputs[i]->type) ||
        luna_onnx_type_bytes(n->inputs[i]->type) != 1)
      return luna_onnx_fail(c, "operands must be int8 or uint8");
  return true;
}

bool luna_onnx_op_qlinear_conv(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *bias = luna_onnx_input(n, 8);
  if (!check_operands(c, n))
    return false;
  if (has_constants(c, n))
    return luna_onnx_op_qlinear(c, n);
  // The window is read by the plain node: input, weight and its attributes.
  LunaOnnxValue *sum = luna_onnx_conv_int(c, n, n->inputs[0], n->inputs[3],
                                          n->inputs[2], n->inputs[5]);
  if (!sum)
    return false;
  if (bias) {
    if (bias->type != LUNA_ONNX_I32 || bias->shape.rank != 1)
      return luna_onnx_fail(c, "bias must be a list of int32");
    sum = luna_onnx_apply(
        c, "Add", sum,
        along_axis(c, bias, sum->shape.rank, 1, bias->shape.dims[0]));
  }
  return sum && requantize(c, n, sum, 1, 1);
}

bool luna_onnx_op_qlinear_matmul(LunaOnnxImport *c, LunaOnnxNode *n) {
  if (!check_operands(c, n))
    return false;
  if (has_constants(c, n))
    return luna_onnx_op_qlinear(c, n);
  LunaOnnxValue *sum = luna_onnx_matmul_int(c, n->inputs[0], n->inputs[3],
                                            n->inputs[2], n->inputs[5]);
  if (!sum)
    return false;
  int rank = sum->shape.rank;
  return requantize(c, n, sum, rank > 1 ? rank - 2 : 0,
                    rank > 0 ? rank - 1 : 0);
}

bool luna_onnx_op_conv_integer(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *x = n->inputs[0], *w = n->inputs[1];
  LunaOnnxValue *x_zero = luna_onnx_input(n, 2),
                *w_zero = luna_onnx_input(n, 3);
  if (!luna_onnx_is_int(x->type) || luna_onnx_type_bytes(x->type) != 1 ||
      !luna_onnx_is_int(w->type) || luna_onnx_type_bytes(w->type) != 1)
    return luna_onnx_fail(c, "operands must be int8 or uint8");
  n->outputs[0] = luna_onnx_conv_int(
      c, n, x, w, x_zero ? x_zero : luna_onnx_scalar(c, x->type, 0),
      w_zero ? w_zero : luna_onnx_scalar(c, w->type, 0));
  return n->outputs[0] != NULL;
}
