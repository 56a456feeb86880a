#ifndef LUNA_ONNX_GRAPH_H
#define LUNA_ONNX_GRAPH_H

#include "onnx.h"

/// Sorts the nodes of all graphs of the model, so that each follows those whose
/// outputs it takes; false after an error: a cycle.
bool luna_onnx_sort(LunaOnnxImport *c);

/// Reads the model's graph into a new module with a function @main; false after
/// an error.
bool luna_onnx_read_main(LunaOnnxImport *c, MlirModule *module);

/// Reads the nodes of a nested graph into the current block, with `inputs` as
/// its inputs, and writes its outputs; false after an error.
bool luna_onnx_read_subgraph(LunaOnnxImport *c, const Onnx__GraphProto *graph,
                             LunaOnnxValue **inputs, size_t input_count,
                             LunaOnnxValue **outputs, size_t output_count);

#endif // LUNA_ONNX_GRAPH_H
