// Element by element on quantised values: functions of one number become
// tables of 256 entries, sums and products rescales (onnx_qdq_pair.c), others
// one loop from int8 to int8.

#include "onnx_qdq.h"

#include <math.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

OnnxValue *onnx_qdq_rescaled(OnnxImport *c, const OnnxValue *value,
                             const OnnxTarget *target) {
  const OnnxQuant *quant = value->quant;
  int8_t table[256];
  bool same = true;
  for (int i = 0; i < 256; ++i) {
    float number = (float)(i - 128 - quant->zero) * quant->scales[0];
    table[i] = (int8_t)onnx_quantize_number(target, number);
    same = same && table[i] == i - 128;
  }
  return same ? quant->ints : onnx_qdq_table(c, quant->ints, table);
}

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

// Operands in f32, as the operator has them; results in f32 where one rounding
// decides, else as near as double gets.
typedef double (*Function)(const OnnxNode *n, const float *x, int count);

#define FUNCTION(name)                                                         \
  static double name(const OnnxNode *n, const float *x, int count)
#define UNUSED_REST (void)n, (void)count

FUNCTION(f_add) {
  UNUSED_REST;
  return (double)(x[0] + x[1]);
}
FUNCTION(f_sub) {
  UNUSED_REST;
  return (double)(x[0] - x[1]);
}
FUNCTION(f_mul) {
  UNUSED_REST;
  return (double)(x[0] * x[1]);
}
FUNCTION(f_div) {
  UNUSED_REST;
  return (double)(x[0] / x[1]);
}
FUNCTION(f_min) {
  UNUSED_REST;
  return (double)fminf(x[0], x[1]);
}
FUNCTION(f_max) {
  UNUSED_REST;
  return (double)fmaxf(x[0], x[1]);
}
FUNCTION(f_pow) {
  UNUSED_REST;
  return pow((double)x[0], (double)x[1]);
}
FUNCTION(f_prelu) {
  UNUSED_REST;
  return (double)(x[0] < 0.0f ? x[0] * x[1] : x[0]);
}
FUNCTION(f_relu) {
  UNUSED_REST;
  return (double)fmaxf(x[0], 0.0f);
}
FUNCTION(f_leaky) {
  (void)count;
  float alpha = (float)onnx_attr_float(n, "alpha", 0.01f);
  return (double)(x[0] < 0.0f ? x[0] * alpha : x[0]);
}
FUNCTION(f_clip) {
  float low = (float)onnx_attr_float(n, "min", -INFINITY);
  float high = (float)onnx_attr_float(n, "max", INFINITY);
  if (count > 1 && !isnan(x[1]))
    low = x[1];
  if (count > 2 && !isnan(x[2]))
    high = x[2];
  return (double)fminf(fmaxf(x[0], low), high);
}
FUNCTION(f_sigmoid) {
  UNUSED_REST;
  return 1.0 / (1.0 + exp(-(double)x[0]));
}
FUNCTION(f_tanh) {
  UNUSED_REST;
  return tanh((double)x[0]);
}
FUNCTION(f_hard_sigmoid) {
  (void)count;
  float alpha = (float)onnx_attr_float(n, "alpha", 0.2f);
  float beta = (float)onnx_attr_float(n, "beta", 0.5);
  float scaled = alpha * x[0];
  return (double)fminf(fmaxf(scaled + beta, 0.0f), 1.0f);
}
FUNCTION(f_hard_swish) {
  UNUSED_REST;
  double part = (double)x[0] / 6.0 + 0.5;
  return (double)x[0] * fmin(fmax(part, 0.0), 1.0);
}
FUNCTION(f_elu) {
  (void)count;
  double alpha = onnx_attr_float(n, "alpha", 1.0);
  return x[0] < 0.0f ? alpha * expm1((double)x[0]) : (double)x[0];
}
FUNCTION(f_celu) {
  (void)count;
  double alpha = onnx_attr_float(n, "alpha", 1.0);
  return x[0] < 0.0f ? alpha * expm1((double)x[0] / alpha) : (double)x[0];
}
FUNCTION(f_selu) {
  (void)count;
  double alpha = onnx_attr_float(n, "alpha", 1.67326319217681884765625);
  double gamma = onnx_attr_float(n, "gamma", 1.05070102214813232421875);
  return gamma * (x[0] < 0.0f ? alpha * expm1((double)x[0]) : (double)x[0]);
}
FUNCTION(f_softplus) {
  UNUSED_REST;
  return fmax((double)x[0], 0.0) + log1p(exp(-fabs((double)x[0])));
}
FUNCTION(f_softsign) {
  UNUSED_REST;
  return (double)(x[0] / (1.0f + fabsf(x[0])));
}
FUNCTION(f_mish) { return (double)x[0] * tanh(f_softplus(n, x, count)); }
FUNCTION(f_gelu) {
  (void)count;
  double v = (double)x[0];
  if (onnx_attr_is(n, "approximate", "none", "tanh"))
    return 0.5 * v *
           (1.0 + tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
  return 0.5 * v * (1.0 + erf(v * 0.7071067811865476));
}
FUNCTION(f_erf) {
  UNUSED_REST;
  return erf((double)x[0]);
}
FUNCTION(f_exp) {
  UNUSED_REST;
  return exp((double)x[0]);
}
FUNCTION(f_log) {
  UNUSED_REST;
  return log((double)x[0]);
}
FUNCTION(f_sqrt) {
  UNUSED_REST;
  return (double)sqrtf(x[0]);
}
FUNCTION(f_abs) {
  UNUSED_REST;
  return (double)fabsf(x[0]);
}
FUNCTION(f_neg) {
  UNUSED_REST;
  return (double)-x[0];
}
FUNCTION(f_reciprocal) {
  UNUSED_REST;
  return (double)(1.0f / x[0]);
}

static Function find_function(const char *name) {
  static const struct {
    const char *name;
    Function function;
  } table[] = {
      {"Add", f_add},
      {"Sub", f_sub},
      {"Mul", f_mul},
      {"Div", f_div},
      {"Min", f_min},
      {"Max", f_max},
      {"Pow", f_pow},
      {"PRelu", f_prelu},
      {"Relu", f_relu},
      {"LeakyRelu", f_leaky},
      {"Clip", f_clip},
      {"Sigmoid", f_sigmoid},
      {"Tanh", f_tanh},
      {"HardSigmoid", f_hard_sigmoid},
      {"HardSwish", f_hard_swish},
      {"Elu", f_elu},
      {"Celu", f_celu},
      {"Selu", f_selu},
      {"Softplus", f_softplus},
      {"Softsign", f_softsign},
      {"Mish", f_mish},
      {"Gelu", f_gelu},
      {"Erf", f_erf},
      {"Exp", f_exp},
      {"Log", f_log},
      {"Sqrt", f_sqrt},
      {"Abs", f_abs},
      {"Neg", f_neg},
      {"Reciprocal", f_reciprocal},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0)
      return table[i].function;
  return NULL;
}

enum { MAX_OPERANDS = 3 };

// A constant of one number; an input that is left out is no number.
static bool read_number(const OnnxValue *value, float *number) {
  *number = NAN;
  if (!value)
    return true;
  if (onnx_elems(&value->shape) != 1)
    return false;
  if (value->data && value->type == ONNX_F32) {
    *number = (float)onnx_float_at(value, 0);
    return true;
  }
  if (!onnx_qdq_is_int8(value) || !value->quant->ints->data)
    return false;
  int64_t centred = onnx_int_at(value->quant->ints, 0) - value->quant->zero;
  *number = (float)centred * value->quant->scales[0];
  return true;
}

// Finds the only operand that is no constant number; -1 where that is not so.
static int find_variable(const OnnxNode *n, float *numbers) {
  int variable = -1;
  if (n->input_count > MAX_OPERANDS)
    return -1;
  for (int i = 0; i < n->input_count; ++i) {
    if (read_number(n->inputs[i], &numbers[i]))
      continue;
    if (variable >= 0 || !onnx_qdq_is_int8(n->inputs[i]))
      return -1;
    variable = i;
  }
  return variable;
}

// Constants of one number may still raise the rank.
static bool keeps_shape(const OnnxNode *n, int variable) {
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i] &&
        n->inputs[i]->shape.rank > n->inputs[variable]->shape.rank)
      return false;
  return true;
}

static bool by_table(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  float numbers[MAX_OPERANDS] = {0};
  Function function = find_function(q->name);
  int variable = function ? find_variable(n, numbers) : -1;
  if (variable < 0 || !keeps_shape(n, variable) ||
      n->inputs[variable]->shape.rank == 0)
    return true;
  const OnnxQuant *quant = n->inputs[variable]->quant;
  int8_t table[256];
  for (int i = 0; i < 256; ++i) {
    numbers[variable] = (float)(i - 128 - quant->zero) * quant->scales[0];
    float result = (float)function(n, numbers, n->input_count);
    table[i] = (int8_t)onnx_quantize_number(&q->target, result);
  }
  n->outputs[0] =
      onnx_qdq_settled(c, onnx_qdq_table(c, quant->ints, table), &q->target);
  *done = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

typedef struct ElementNode {
  OnnxNode node;
  const OnnxQdqNode *q;
  OnnxScalarFn fn;
} ElementNode;

// Dequantises the operands, applies the operator, quantises: what ONNX says,
// step by step.
static MlirValue element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                         const MlirValue *args, int count) {
  const ElementNode *e = (const ElementNode *)(const void *)n;
  MlirValue numbers[MAX_OPERANDS];
  (void)type;
  for (int i = 0; i < count; ++i) {
    const OnnxQuant *quant = e->q->node->inputs[i]->quant;
    numbers[i] = args[i];
    if (!quant)
      continue;
    numbers[i] = luna_scalar_mul(
        c->b, onnx_qdq_centred(c, args[i], ONNX_I8, quant->zero),
        luna_scalar_f32(c->b, (double)quant->scales[0]));
  }
  const OnnxTarget *target = &e->q->target;
  MlirValue result = e->fn(c, n, ONNX_F32, numbers, count);
  return onnx_round_to(
      c,
      luna_scalar_div(c->b, result,
                      luna_scalar_f32(c->b, (double)target->scale)),
      target);
}

static bool by_loop(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  OnnxValue *inputs[MAX_OPERANDS];
  ElementNode node = {.node = *n, .q = q, .fn = onnx_scalar_fn(q->name)};
  if (!node.fn || n->input_count > MAX_OPERANDS)
    return true;
  for (int i = 0; i < n->input_count; ++i) {
    const OnnxValue *value = n->inputs[i];
    if (!value || value->type != ONNX_F32 ||
        (value->quant && !onnx_qdq_is_int8(value)))
      return true;
    inputs[i] = value->quant ? value->quant->ints : n->inputs[i];
  }
  *done = true;
  OnnxValue *made =
      onnx_map(c, &node.node, inputs, n->input_count, ONNX_I8, element);
  if (!made)
    return false;
  n->outputs[0] = onnx_qdq_settled(c, made, &q->target);
  return true;
}

// max(x, 0) in the scale of x: a clamp at the zero point.
static bool relu(OnnxImport *c, OnnxNode *n, bool *done) {
  const OnnxQuant *quant = n->inputs[0]->quant;
  OnnxValue *ints = quant->ints;
  *done = true;
  n->outputs[0] = n->inputs[0];
  if (quant->zero <= INT8_MIN)
    return true;
  int8_t table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = (int8_t)(i - 128 < quant->zero ? quant->zero : i - 128);
  n->outputs[0] =
      onnx_qdq_like(c, n->inputs[0], onnx_qdq_table(c, ints, table));
  return true;
}

bool onnx_qdq_element(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  const OnnxValue *first = n->inputs[0];
  // What is settled goes only on to clamps, or a sum that it holds already.
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i] && n->inputs[i]->quant &&
        n->inputs[i]->quant->is_settled) {
      n->outputs[0] = n->inputs[i];
      *done = true;
      return true;
    }
  bool is_relu = strcmp(q->name, "Relu") == 0;
  if (!q->has_target)
    return is_relu && first->shape.rank > 0 ? relu(c, n, done) : true;
  return by_table(c, q, done) && (*done || onnx_qdq_pair(c, q, done)) &&
         (*done || by_loop(c, q, done));
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

static bool is_like(const OnnxQuant *a, const OnnxQuant *b) {
  return a->scales[0] == b->scales[0] && a->zero == b->zero;
}

bool onnx_qdq_concat(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node, inner = *n;
  bool alike = true;
  for (int i = 0; i < n->input_count; ++i) {
    if (!onnx_qdq_is_int8(n->inputs[i]) || n->inputs[i]->shape.rank == 0)
      return true;
    alike = alike && is_like(n->inputs[i]->quant, n->inputs[0]->quant);
  }
  if (!alike && !q->has_target)
    return true;
  inner.inputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, n->input_count);
  for (int i = 0; i < n->input_count; ++i)
    inner.inputs[i] = alike ? n->inputs[i]->quant->ints
                            : onnx_qdq_rescaled(c, n->inputs[i], &q->target);
  *done = true;
  if (!onnx_op_concat(c, &inner))
    return false;
  n->outputs[0] = alike ? onnx_qdq_like(c, n->inputs[0], inner.outputs[0])
                        : onnx_qdq_settled(c, inner.outputs[0], &q->target);
  return true;
}
