#ifndef LUNA_ONNX_FUNCTIONS_H
#define LUNA_ONNX_FUNCTIONS_H

// The elementwise operators of ONNX: what each computes and which types it
// takes.
#include "onnx.h"

typedef enum LunaOnnxAccepts {
  LUNA_ONNX_ACCEPTS_ANY,
  LUNA_ONNX_ACCEPTS_FLOATS,
  LUNA_ONNX_ACCEPTS_INTS,
  LUNA_ONNX_ACCEPTS_BOOLS,
} LunaOnnxAccepts;

typedef struct LunaOnnxElementwise {
  const char *name;
  /// Number of inputs; 0: any number, from left to right.
  int arity;
  /// The TOSA operator for float (bool where it accepts only those), or NULL.
  const char *tosa;
  /// Builds one element in the current block.
  LunaOnnxScalarFn fn;
  LunaOnnxAccepts accepts;
  bool gives_bool;
} LunaOnnxElementwise;

/// Returns the operator of that name, or NULL.
const LunaOnnxElementwise *luna_onnx_find_elementwise(const char *name);

#endif // LUNA_ONNX_FUNCTIONS_H
