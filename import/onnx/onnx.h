#ifndef LUNA_ONNX_H
#define LUNA_ONNX_H

// What the files of the ONNX reader share. Functions here start with
// luna_onnx_; everything that can fail gives false (or a null value) after
// luna_onnx_fail.

#include "onnx_build.h"
#include "onnx_import.h"
#include "onnx_operators.h"
#include "onnx_table.h"

#endif // LUNA_ONNX_H
