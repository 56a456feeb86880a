#ifndef LUNA_ONNX_GRAPH_H
#define LUNA_ONNX_GRAPH_H

#include "onnx.h"

/// Reads the model's graph into a new module with a function @main.
bool luna_onnx_read_main(LunaOnnxImport *c, MlirModule *module);

/// Reads the nodes of a nested graph into the current block: binds `inputs`
/// to its inputs (as many as it has), gives its outputs.
bool luna_onnx_read_subgraph(LunaOnnxImport *c, const Onnx__GraphProto *graph,
                             LunaOnnxValue **inputs, size_t input_count,
                             LunaOnnxValue **outputs, size_t output_count);

#endif // LUNA_ONNX_GRAPH_H
