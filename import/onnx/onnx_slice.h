#ifndef LUNA_ONNX_SLICE_H
#define LUNA_ONNX_SLICE_H

#include "onnx.h"

/// Reads a Slice whose starts or ends the model computes (onnx_slice_at.c).
bool luna_onnx_slice_at(LunaOnnxImport *c, LunaOnnxNode *n);

#endif // LUNA_ONNX_SLICE_H
