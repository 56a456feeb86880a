// Quantised values: what DequantizeLinear and QuantizeLinear stand for, and
// which operator between them is made in integers.

#include "onnx_qdq.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// DequantizeLinear and QuantizeLinear
//===----------------------------------------------------------------------===//

static int64_t read_axis(const OnnxNode *n) {
  int rank = n->inputs[0]->shape.rank;
  return onnx_attr_int(n, "axis", rank > 1 ? 1 : 0);
}

static bool dequantize(OnnxImport *c, OnnxNode *n, bool *done) {
  n->outputs[0] = onnx_qdq_remember(c, n->inputs[0], n->inputs[1],
                                    onnx_input(n, 2), read_axis(n));
  *done = n->outputs[0] != NULL;
  return true;
}

// Quantises a constant, with one scale or one along an axis.
static OnnxValue *fold_quantize(OnnxImport *c, const OnnxNode *n) {
  const OnnxValue *value = n->inputs[0], *zero = onnx_input(n, 2);
  const float *scales = onnx_qdq_scales(c, n->inputs[1]);
  OnnxTarget target = {
      .type = zero ? zero->type : ONNX_U8, .low = INT8_MIN, .high = INT8_MAX};
  int64_t axis = read_axis(n), size = onnx_elems(&n->inputs[1]->shape);
  int rank = value->shape.rank;
  axis = axis < 0 ? axis + rank : axis;
  if (!scales || (target.type != ONNX_I8 && target.type != ONNX_U8) ||
      !onnx_qdq_zero(zero, target.type, &target.zero) ||
      (size > 1 &&
       (axis < 0 || axis >= rank || value->shape.dims[axis] != size)))
    return NULL;
  int64_t inner = 1, count = onnx_elems(&value->shape);
  for (int i = (int)axis + 1; i < rank; ++i)
    inner *= value->shape.dims[i];
  uint8_t *data = onnx_new_data(c, count, 1);
  for (int64_t i = 0; i < count; ++i) {
    target.scale = scales[size > 1 ? i / inner % size : 0];
    onnx_set_int(ONNX_I8, data, i,
                 onnx_quantize_number(&target, (float)onnx_float_at(value, i)));
  }
  return onnx_qdq_as_type(c, onnx_new_const(c, ONNX_I8, &value->shape, data),
                          target.type);
}

typedef struct TargetNode {
  OnnxNode node;
  const OnnxTarget *target;
} TargetNode;

static MlirValue quantize_element(OnnxImport *c, const OnnxNode *n,
                                  OnnxType type, const MlirValue *args,
                                  int count) {
  const OnnxTarget *target = ((const TargetNode *)(const void *)n)->target;
  (void)type, (void)count;
  return onnx_round_to(
      c,
      luna_scalar_div(c->b, args[0],
                      luna_scalar_f32(c->b, (double)target->scale)),
      target);
}

OnnxValue *onnx_qdq_quantized(OnnxImport *c, OnnxValue *value,
                              const OnnxTarget *target) {
  if (value->quant && value->quant->is_settled)
    return value->quant->ints;
  if (onnx_qdq_is_int8(value))
    return onnx_qdq_rescaled(c, value, target);
  TargetNode node = {.target = target};
  value = onnx_qdq_made(c, value);
  return onnx_map(c, &node.node, &value, 1, ONNX_I8, quantize_element);
}

static bool quantize(OnnxImport *c, OnnxNode *n, bool *done) {
  OnnxTarget target;
  OnnxValue *value = n->inputs[0];
  if (value->type != ONNX_F32)
    return true;
  if (value->data) {
    n->outputs[0] = fold_quantize(c, n);
    *done = n->outputs[0] != NULL;
    return true;
  }
  if (value->shape.rank == 0 ||
      !onnx_qdq_read_target(c, n->inputs[1], onnx_input(n, 2), &target))
    return true;
  OnnxValue *ints = onnx_qdq_quantized(c, value, &target);
  if (!ints)
    return false;
  n->outputs[0] = onnx_qdq_as_type(c, ints, target.type);
  *done = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

OnnxQdqHandler onnx_qdq_find(const char *name) {
  static const struct {
    const char *name;
    OnnxQdqHandler handler;
  } table[] = {
      {"Conv", onnx_qdq_conv},
      {"ConvTranspose", onnx_qdq_conv_transpose},
      {"Gemm", onnx_qdq_gemm},
      {"MatMul", onnx_qdq_matmul},
      {"AveragePool", onnx_qdq_average_pool},
      {"GlobalAveragePool", onnx_qdq_global_average},
      {"ReduceMean", onnx_qdq_global_average},
      {"Concat", onnx_qdq_concat},
      {"Clip", onnx_qdq_element},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0)
      return table[i].handler;
  return onnx_scalar_fn(name) ? onnx_qdq_element : NULL;
}

static bool any_int8(const OnnxNode *n) {
  for (int i = 0; i < n->input_count; ++i)
    if (onnx_qdq_is_int8(n->inputs[i]))
      return true;
  return false;
}

static bool read_operator(OnnxImport *c, OnnxNode *n, bool *done) {
  const char *name = n->proto->op_type;
  if (!onnx_qdq_move(c, n, done))
    return false;
  if (*done)
    return true;
  OnnxQdqHandler handler = any_int8(n) ? onnx_qdq_find(name) : NULL;
  if (!handler || n->output_count != 1)
    return true;
  OnnxQdqNode q = {.node = n, .name = name};
  q.has_target = onnx_qdq_find_target(c, n->proto->output[0], &q.target);
  return handler(c, &q, done);
}

bool onnx_qdq_node(OnnxImport *c, OnnxNode *n, bool *done) {
  const OnnxHandler handler = n->op->handler;
  if (handler == onnx_op_dequantize)
    return dequantize(c, n, done);
  if (handler == onnx_op_quantize)
    return quantize(c, n, done);
  if (handler == onnx_op_qlinear || handler == onnx_op_qlinear_conv ||
      handler == onnx_op_qlinear_matmul)
    return onnx_qdq_linear(c, n, done);
  const char *domain = n->proto->domain ? n->proto->domain : "";
  if (domain[0] && strcmp(domain, "ai.onnx") != 0)
    return true;
  return read_operator(c, n, done);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static bool same_scale(const OnnxQuant *a, const OnnxQuant *b) {
  return a->scales[0] == b->scales[0] && a->zero == b->zero;
}

OnnxValue *onnx_qdq_join(OnnxImport *c, const OnnxNode *n, int k,
                         OnnxValue **values[2], const MlirBlock blocks[2]) {
  OnnxValue *first = values[0][k], *second = values[1][k];
  OnnxTarget target;
  if (first->type == ONNX_U8 && first->biased && second->biased) {
    values[0][k] = first->biased;
    values[1][k] = second->biased;
    return first;
  }
  if (onnx_qdq_is_int8(first) && onnx_qdq_is_int8(second) &&
      same_scale(first->quant, second->quant)) {
    values[0][k] = first->quant->ints;
    values[1][k] = second->quant->ints;
    return first;
  }
  if (first->type != ONNX_F32 || first->shape.rank == 0 ||
      !onnx_qdq_find_target(c, n->proto->output[k], &target))
    return NULL;
  MlirBlock outer = c->b->block;
  for (int i = 0; i < 2; ++i) {
    c->b->block = blocks[i];
    values[i][k] = onnx_qdq_quantized(c, values[i][k], &target);
    c->b->block = outer;
    if (!values[i][k])
      return NULL;
  }
  return onnx_qdq_settled(c, values[0][k], &target);
}
