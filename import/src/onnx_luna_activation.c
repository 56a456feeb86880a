// LUNA's sigmoid, tanh, softmax and layer normalisation.

#include "onnx_luna.h"

#include <math.h>
#include <string.h>

typedef double (*Function)(double x);

static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

// clamp(floor(f(x * 2^-from) * 2^to + 0.5)).
static OnnxValue *table(OnnxImport *c, OnnxValue *value, Function f, int from,
                        int to) {
  int8_t entries[256];
  for (int i = 0; i < 256; ++i) {
    double y = floor(ldexp(f(ldexp(i - 128, -from)), to) + 0.5);
    entries[i] = (int8_t)(y < -128 ? -128 : y > 127 ? 127 : y);
  }
  return onnx_luna_table(c, value, entries);
}

ONNX_HANDLER(luna_activation) {
  int x, o;
  if (!onnx_luna_needs_i8(c, n, 1) || !onnx_luna_scale(c, n, "scale_x", &x) ||
      !onnx_luna_scale(c, n, "scale_o", &o))
    return false;
  bool hyperbolic = strcmp(n->proto->op_type, "iqTanh") == 0;
  n->outputs[0] = table(c, n->inputs[0], hyperbolic ? tanh : sigmoid, x, o);
  return true;
}

//===----------------------------------------------------------------------===//
// In float on the host, rounded at the end
//===----------------------------------------------------------------------===//

static bool through_float(OnnxImport *c, OnnxNode *n, OnnxHandler handler) {
  int x, o;
  OnnxValue *output = NULL;
  if (!onnx_luna_needs_i8(c, n, 1) || !onnx_luna_scale(c, n, "scale_x", &x) ||
      !onnx_luna_scale(c, n, "scale_o", &o))
    return false;
  OnnxNode node = *n;
  node.inputs = LUNA_ARENA_ARRAY(c->arena, OnnxValue *, n->input_count);
  node.outputs = &output;
  node.output_count = 1;
  node.inputs[0] = onnx_luna_dequantize(c, n, n->inputs[0], x);
  for (int i = 1; i < n->input_count; ++i) {
    int w;
    if (!onnx_luna_scale(c, n, "scale_w", &w))
      return false;
    int exponent = i == 1 ? w : x + w;
    node.inputs[i] = n->inputs[i]
                         ? onnx_luna_dequantize(c, n, n->inputs[i], exponent)
                         : NULL;
  }
  if (!node.inputs[0] || !handler(c, &node))
    return false;
  n->outputs[0] = onnx_luna_quantize(c, n, output, ldexp(1.0, o), ONNX_I8);
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(luna_softmax) { return through_float(c, n, onnx_op_softmax); }

ONNX_HANDLER(luna_layer_norm) {
  return through_float(c, n, onnx_op_layer_norm);
}
