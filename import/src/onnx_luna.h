#ifndef LUNA_ONNX_LUNA_H
#define LUNA_ONNX_LUNA_H

// What the files of LUNA's own operators share (onnx_luna.c). Scales are given
// by their exponents: a value x with scale 2^e stands for x * 2^-e.

#include "onnx.h"

/// Reads an attribute that must be a power of two and gives its exponent.
bool onnx_luna_scale(OnnxImport *c, const OnnxNode *n, const char *name,
                     int *exponent);
/// Reads o_bits: the type of the result.
bool onnx_luna_bits(OnnxImport *c, const OnnxNode *n, OnnxType *type);
/// Fails unless the first `count` inputs are int8.
bool onnx_luna_needs_i8(OnnxImport *c, const OnnxNode *n, int count);

/// Notes that `value` is what a unit operator makes of a 32-bit result shifted
/// by `shift`; the attribute that says so to the operator.
bool onnx_luna_set_requant(OnnxImport *c, OnnxValue *value, int shift);
MlirAttribute onnx_luna_requant_attr(OnnxImport *c, const OnnxValue *value);
/// Appends luna.conv2d or luna.matmul: inputs, a bias (or a null value), and a
/// result. `attrs` has room for one more than `attr_count`.
MlirValue onnx_luna_emit(OnnxImport *c, const char *name,
                         const MlirValue *inputs, MlirValue bias, OnnxType type,
                         const OnnxShape *shape, OnnxAttr *attrs,
                         int attr_count);

/// Floats to integers of scale `factor`, rounded once; integers to floats.
OnnxValue *onnx_luna_quantize(OnnxImport *c, const OnnxNode *n,
                              OnnxValue *value, double factor, OnnxType to);
OnnxValue *onnx_luna_dequantize(OnnxImport *c, const OnnxNode *n,
                                OnnxValue *value, int exponent);

/// luna.table: entries for -128 to 127.
OnnxValue *onnx_luna_table(OnnxImport *c, OnnxValue *value,
                           const int8_t *entries);
/// An int8 value in another scale.
OnnxValue *onnx_luna_rescale(OnnxImport *c, OnnxValue *value, int from, int to);

#endif // LUNA_ONNX_LUNA_H
