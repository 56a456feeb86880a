#ifndef LUNA_ONNX_GRAPH_H
#define LUNA_ONNX_GRAPH_H

#include "onnx.h"

/// Reads the model's graph into a new module with a function @main.
bool onnx_read_main(OnnxImport *c, MlirModule *module);

#endif // LUNA_ONNX_GRAPH_H
