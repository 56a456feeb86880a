// ReLU and Clip of int8 values: a clamp, which tosa-to-luna makes that of
// the unit operator before it.

#include "linger.h"

#include <math.h>
#include <string.h>

enum {
  // How many nodes the search for a scale goes through.
  MAX_MOVES = 32,
};

// Clamps an int8 value, in its current layout.
static LunaOnnxValue *clamp_value(LunaOnnxImport *c, LunaOnnxValue *value,
                                  int64_t low, int64_t high) {
  bool last = luna_onnx_prefers_last(value);
  MlirValue made = luna_build_clamp_int(
      c->b, last ? luna_onnx_ir_last(c, value) : luna_onnx_ir(c, value), low,
      high);
  return last ? luna_onnx_from_last(c, LUNA_ONNX_I8, &value->shape, made)
              : luna_onnx_from_ir(c, LUNA_ONNX_I8, &value->shape, made);
}

bool luna_linger_op_relu(LunaOnnxImport *c, LunaOnnxNode *n) {
  if (n->inputs[0]->type != LUNA_ONNX_I8)
    return luna_onnx_op_elementwise(c, n);
  n->outputs[0] = clamp_value(c, n->inputs[0], 0, 127);
  return true;
}

//===----------------------------------------------------------------------===//
// Clip
//===----------------------------------------------------------------------===//

static const Onnx__NodeProto *find_maker(LunaOnnxImport *c, const char *name) {
  const Onnx__GraphProto *graph = c->model->graph;
  for (size_t i = 0; i < graph->n_node; ++i)
    for (size_t k = 0; k < graph->node[i]->n_output; ++k)
      if (strcmp(graph->node[i]->output[k], name) == 0)
        return graph->node[i];
  return NULL;
}

// Returns true if the results have the scale of the first input.
static bool keeps_scale(const char *name) {
  static const char *const names[] = {
      "Clip",    "Expand",    "Flatten", "Identity", "MaxPool",
      "Pad",     "Relu",      "Reshape", "Slice",    "Split",
      "Squeeze", "Transpose", "Tile",    "Unsqueeze"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

// Int8 values do not know their scale: the operator of linger that made this
// one says it.
static bool find_scale(LunaOnnxImport *c, const char *name, int *exponent) {
  const char *value = name;
  for (int i = 0; i < MAX_MOVES; ++i) {
    LunaOnnxNode node = {.proto = find_maker(c, value)};
    if (!node.proto || !node.proto->op_type)
      break;
    if (luna_onnx_attr(&node, "scale_o"))
      return luna_linger_scale(c, &node, "scale_o", exponent);
    if (strcmp(node.proto->op_type, "Quant") == 0)
      return luna_linger_scale(c, &node, "scale_x", exponent);
    if (!keeps_scale(node.proto->op_type) || node.proto->n_input == 0)
      break;
    value = node.proto->input[0];
  }
  return luna_onnx_fail(
      c, "bounds are floats, but no operator says the scale of '%s'", name);
}

// A bound, an input or before opset 11 an attribute, in the value's units;
// `*known` is false where it is none that import can take.
static bool read_bound(LunaOnnxImport *c, const LunaOnnxNode *n, int input,
                       const char *name, int64_t *bound, bool *known) {
  LunaOnnxValue *value = luna_onnx_input(n, input);
  double real = luna_onnx_attr_float(n, name, NAN);
  bool is_one = value && luna_onnx_evaluate_one(c, value);
  if (is_one) {
    if (value->type == LUNA_ONNX_I8)
      *bound = luna_onnx_int_at(value, 0);
    if (value->type == LUNA_ONNX_F32)
      real = luna_onnx_float_at(value, 0);
  }
  *known =
      !value ||
      (is_one && (value->type == LUNA_ONNX_I8 || value->type == LUNA_ONNX_F32));
  if (isnan(real) || !*known || (value && value->type == LUNA_ONNX_I8))
    return true;
  int scale;
  if (!find_scale(c, n->proto->input[0], &scale))
    return false;
  real = floor(ldexp(real, scale) + 0.5);
  *bound = real < -128 ? -128 : real > 127 ? 127 : (int64_t)real;
  return true;
}

// linger leaves the bounds floats, in the units of the real numbers.
bool luna_linger_op_clip(LunaOnnxImport *c, LunaOnnxNode *n) {
  int64_t low = -128, high = 127;
  bool known[2];
  if (n->inputs[0]->type != LUNA_ONNX_I8)
    return luna_onnx_op_clip(c, n);
  if (!read_bound(c, n, 1, "min", &low, &known[0]) ||
      !read_bound(c, n, 2, "max", &high, &known[1]))
    return false;
  if (!known[0] || !known[1])
    return luna_onnx_op_clip(c, n);
  // The upper bound counts where the lower one is above it.
  n->outputs[0] = clamp_value(c, n->inputs[0], low < high ? low : high, high);
  return true;
}
