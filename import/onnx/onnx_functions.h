#ifndef LUNA_ONNX_FUNCTIONS_H
#define LUNA_ONNX_FUNCTIONS_H

// The elementwise operators of ONNX: what each computes and which types it
// takes.
#include "onnx.h"

typedef enum OnnxAccepts {
  ONNX_ACCEPTS_ANY,
  ONNX_ACCEPTS_FLOATS,
  ONNX_ACCEPTS_INTS,
  ONNX_ACCEPTS_BOOLS,
} OnnxAccepts;

typedef struct OnnxElementwise {
  const char *name;
  /// Number of inputs; 0: any number, from left to right.
  int arity;
  /// The TOSA operator for float (bool where it accepts only those), or NULL.
  const char *tosa;
  /// Computes one element in the block at hand.
  OnnxScalarFn fn;
  OnnxAccepts accepts;
  bool gives_bool;
} OnnxElementwise;

/// The operator of that name, or NULL.
const OnnxElementwise *onnx_find_elementwise(const char *name);

#endif // LUNA_ONNX_FUNCTIONS_H
