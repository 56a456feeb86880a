// Operators that only move elements: made on the integers, whose scale goes
// along.

#include "onnx_qdq.h"

#include <string.h>

static bool is_op(const OnnxNode *n, const char *name) {
  return strcmp(n->proto->op_type, name) == 0;
}

// A pad with 0 pads the integers with the zero point.
static bool pads_with_zero(const OnnxNode *n) {
  const OnnxValue *fill = onnx_input(n, 2);
  if (fill && (!fill->data || onnx_elems(&fill->shape) != 1 ||
               onnx_float_at(fill, 0) != 0.0))
    return false;
  return onnx_attr_float(n, "value", 0.0) == 0.0;
}

static bool moves(const OnnxNode *n) {
  static const char *const names[] = {
      "Reshape",  "Flatten", "Squeeze",      "Unsqueeze",    "Transpose",
      "Slice",    "Split",   "Expand",       "Tile",         "Gather",
      "Identity", "Dropout", "DepthToSpace", "SpaceToDepth", "MaxPool",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (is_op(n, names[i]))
      return true;
  if (is_op(n, "Resize") || is_op(n, "Upsample"))
    return onnx_attr_is(n, "mode", "nearest", "nearest");
  return is_op(n, "Pad") && pads_with_zero(n);
}

// Transposes a constant, its scales along; `*done` stays false where the
// permutation is none.
static bool transpose_const(OnnxImport *c, OnnxNode *n, bool *done) {
  OnnxQuant quant = *n->inputs[0]->quant;
  int64_t list[ONNX_MAX_RANK];
  int rank = quant.ints->shape.rank, perm[ONNX_MAX_RANK], axis = 0;
  unsigned seen = 0;
  int count = onnx_attr_ints(c, n, "perm", list, ONNX_MAX_RANK);
  if (count != -1 && count != rank)
    return true;
  for (int i = 0; i < rank; ++i) {
    int64_t from = count == -1 ? rank - 1 - i : list[i];
    if (from < 0 || from >= rank)
      return true;
    perm[i] = (int)from;
    seen |= 1u << from;
    axis = from == quant.axis ? i : axis;
  }
  if (seen != (1u << rank) - 1)
    return true;
  quant.axis = axis;
  quant.ints = onnx_permute(c, quant.ints, perm);
  n->outputs[0] = onnx_qdq_with(c, &quant);
  *done = true;
  return true;
}

// Makes the operator on the integers; each result of their type is like the
// input.
static bool move(OnnxImport *c, OnnxNode *n, OnnxValue *ints, bool *done) {
  enum { MAX_INPUTS = 5 };
  OnnxValue like = *n->inputs[0], *inputs[MAX_INPUTS] = {NULL};
  OnnxNode inner = *n;
  if (like.quant && ints->data && is_op(n, "Transpose"))
    return transpose_const(c, n, done);
  if (n->input_count > MAX_INPUTS ||
      (like.quant && like.quant->scale_count > 1))
    return true;
  memcpy(inputs, n->inputs, (size_t)n->input_count * sizeof *inputs);
  inputs[0] = ints;
  inner.inputs = inputs;
  if (is_op(n, "Pad")) {
    inputs[2] = onnx_scalar(
        c, ONNX_I8,
        (double)(like.quant ? like.quant->zero : -ONNX_UNSIGNED_BIAS));
    inner.input_count = n->input_count > 3 ? n->input_count : 3;
  }
  if (!n->op->handler(c, &inner))
    return onnx_fail(c, "cannot be read");
  *done = true;
  for (int i = 0; ints->data && i < n->output_count; ++i)
    if (n->outputs[i])
      onnx_evaluate(c, n->outputs[i]);
  for (int i = 0; i < n->output_count; ++i)
    if (n->outputs[i] && n->outputs[i]->type == ONNX_I8)
      n->outputs[i] = onnx_qdq_like(c, &like, n->outputs[i]);
  return true;
}

bool onnx_qdq_move(OnnxImport *c, OnnxNode *n, bool *done) {
  const OnnxValue *first = onnx_input(n, 0);
  if (!first || !moves(n))
    return true;
  if (first->quant)
    return move(c, n, first->quant->ints, done);
  return !first->biased || first->data || move(c, n, first->biased, done);
}
