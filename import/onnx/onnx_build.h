#ifndef LUNA_ONNX_BUILD_H
#define LUNA_ONNX_BUILD_H

// Building ops where ONNX's element type says more than MLIR's: constants, and
// numbers that may be unsigned.

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "onnx_import.h"

/// Adds a constant tensor, all elements or one for all.
MlirValue onnx_const(OnnxImport *c, OnnxType type, const LunaShape *shape,
                     const void *data);
MlirValue onnx_splat(OnnxImport *c, OnnxType type, const LunaShape *shape,
                     double value);
/// Pads with a number: `pads` holds low and high of each dimension.
MlirValue onnx_pad(OnnxImport *c, MlirValue value, const int64_t *pads,
                   double fill);

/// Makes a tensor element by element: `element` gets the indices, of type index
/// and in the result's order, and returns the element.
typedef MlirValue (*OnnxElement)(OnnxImport *c, const MlirValue *index,
                                 void *data);
MlirValue onnx_generate(OnnxImport *c, OnnxType type, const LunaShape *shape,
                        OnnxElement element, void *data);

/// Adds a number.
MlirValue onnx_lit(OnnxImport *c, OnnxType type, double value);
/// Adds a comparison, LUNA_EQ to LUNA_GE, or arithmetic on two numbers.
MlirValue onnx_compare(OnnxImport *c, OnnxType type, LunaCompare how,
                       MlirValue x, MlirValue y);
MlirValue onnx_div(OnnxImport *c, OnnxType type, MlirValue x, MlirValue y);
MlirValue onnx_min(OnnxImport *c, OnnxType type, MlirValue x, MlirValue y);
MlirValue onnx_max(OnnxImport *c, OnnxType type, MlirValue x, MlirValue y);
/// 1 / (1 + exp(-x)).
MlirValue onnx_sigmoid(OnnxImport *c, OnnxType type, MlirValue x);

/// Converts a number; to bool, it is compared with 0.
MlirValue onnx_cast(OnnxImport *c, MlirValue value, OnnxType from, OnnxType to);
/// Converts to and from type index.
MlirValue onnx_cast_index(OnnxImport *c, MlirValue value, OnnxType from);
MlirValue onnx_index_to(OnnxImport *c, MlirValue index, OnnxType to);
/// Clamps a float to the range of integer type `to` and converts it.
MlirValue onnx_saturate(OnnxImport *c, MlirValue value, OnnxType to);

#endif // LUNA_ONNX_BUILD_H
