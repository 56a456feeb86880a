#ifndef LUNA_ONNX_GRAPH_H
#define LUNA_ONNX_GRAPH_H

#include "onnx.h"

/// Sorts the nodes of all graphs of the model, so that each follows those whose
/// outputs it takes; false after an error: a cycle.
bool luna_onnx_sort(LunaOnnxImport *c);

/// Reads the model's graph into a new module with a function @main; false after
/// an error.
bool luna_onnx_read_main(LunaOnnxImport *c, MlirModule *module);

/// Reads a node into the current block; false after an error.
bool luna_onnx_read_node(LunaOnnxImport *c, const Onnx__NodeProto *proto);

/// Returns the row of a function that the model defines, or NULL, and reads a
/// call of one (onnx_local.c).
const LunaOnnxOp *luna_onnx_local_op(const LunaOnnxImport *c,
                                     const Onnx__NodeProto *node);
bool luna_onnx_op_local(LunaOnnxImport *c, LunaOnnxNode *n);

/// Reads the nodes of a nested graph into the current block, with `inputs` as
/// its inputs, and writes its outputs; false after an error.
bool luna_onnx_read_subgraph(LunaOnnxImport *c, const Onnx__GraphProto *graph,
                             LunaOnnxValue **inputs, size_t input_count,
                             LunaOnnxValue **outputs, size_t output_count);

#endif // LUNA_ONNX_GRAPH_H
