#ifndef LUNA_ONNX_BUILD_H
#define LUNA_ONNX_BUILD_H

// Building ops where ONNX's element type says more than MLIR's: constants, and
// numbers that may be unsigned.

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "onnx_import.h"

/// Adds a constant tensor, all elements or one for all.
MlirValue luna_onnx_const(LunaOnnxImport *c, LunaOnnxType type,
                          const LunaShape *shape, const void *data);
MlirValue luna_onnx_splat(LunaOnnxImport *c, LunaOnnxType type,
                          const LunaShape *shape, double value);
/// Pads with a number: `pads` holds low and high of each dimension.
MlirValue luna_onnx_pad(LunaOnnxImport *c, MlirValue value, const int64_t *pads,
                        double fill);

/// Builds a tensor element by element: `element` gets the indices, of type
/// index and in the result's order, and returns the element.
typedef MlirValue (*LunaOnnxElement)(LunaOnnxImport *c, const MlirValue *index,
                                     void *data);
MlirValue luna_onnx_generate(LunaOnnxImport *c, LunaOnnxType type,
                             const LunaShape *shape, LunaOnnxElement element,
                             void *data);

/// Adds a number.
MlirValue luna_onnx_lit(LunaOnnxImport *c, LunaOnnxType type, double value);
/// Adds a comparison, LUNA_EQ to LUNA_GE, or arithmetic on two numbers.
MlirValue luna_onnx_compare(LunaOnnxImport *c, LunaOnnxType type,
                            LunaCompare how, MlirValue x, MlirValue y);
MlirValue luna_onnx_div(LunaOnnxImport *c, LunaOnnxType type, MlirValue x,
                        MlirValue y);
MlirValue luna_onnx_min(LunaOnnxImport *c, LunaOnnxType type, MlirValue x,
                        MlirValue y);
MlirValue luna_onnx_max(LunaOnnxImport *c, LunaOnnxType type, MlirValue x,
                        MlirValue y);
/// Builds 1 / (1 + exp(-x)).
MlirValue luna_onnx_sigmoid(LunaOnnxImport *c, LunaOnnxType type, MlirValue x);

/// Converts a number; to bool, it is compared with 0.
MlirValue luna_onnx_cast(LunaOnnxImport *c, MlirValue value, LunaOnnxType from,
                         LunaOnnxType to);
/// Converts to and from type index.
MlirValue luna_onnx_cast_index(LunaOnnxImport *c, MlirValue value,
                               LunaOnnxType from);
MlirValue luna_onnx_index_to(LunaOnnxImport *c, MlirValue index,
                             LunaOnnxType to);
/// Clamps a float to the range of integer type `to` and converts it.
MlirValue luna_onnx_saturate(LunaOnnxImport *c, MlirValue value,
                             LunaOnnxType to);

#endif // LUNA_ONNX_BUILD_H
