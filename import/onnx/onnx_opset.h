#ifndef LUNA_ONNX_OPSET_H
#define LUNA_ONNX_OPSET_H

// Operators whose meaning depends on the opset beyond what their handlers read.

#include "onnx_table.h"

/// Checks that the node does not have a meaning of some opsets only that is not
/// read.
bool luna_onnx_check_opset(LunaOnnxImport *c, const LunaOnnxNode *n);

/// Reshapes the second input where, before opset 7, its dimensions start at
/// `axis` of the first, or those of a slope at the channels. False after an
/// error.
bool luna_onnx_align_inputs(LunaOnnxImport *c, LunaOnnxNode *n);

/// Appends the limits of an operator that luna_onnx_check_opset enforces,
/// behind others if `any`.
void luna_onnx_add_opset_limits(LunaText *text, const char *name, bool any);

#endif // LUNA_ONNX_OPSET_H
