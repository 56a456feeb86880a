#ifndef LUNA_ONNX_VALID_H
#define LUNA_ONNX_VALID_H

//===-- onnx_valid.h - sizes that only the running program knows
//-----------===//
//
// A value of such a size is a tensor of its bound and a valid length
// (luna-c/bounded_sizes.h). An operator is read for such an input as for one of
// the bound; then the valid lengths are followed through the IR that it became.
// So a handler may not let the extent of the valid dimension into its
// constants: which ones do not, a table says.
//
//===----------------------------------------------------------------------===//

#include "onnx.h"

/// Runs the handler of a node whose inputs are looked up, and gives its outputs
/// valid lengths where an input has one; false after an error, also for an
/// operator that takes no such input.
bool luna_onnx_run(LunaOnnxImport *c, LunaOnnxNode *n);
/// Returns what is valid of a value that the node being read has made so far,
/// or NULL: the dimension is that of the model. `*ok` is set to false after an
/// error.
const LunaValidLength *luna_onnx_valid(LunaOnnxImport *c,
                                       const LunaOnnxValue *value, bool *ok);

/// Reads the bound of the size of tensor `name`: what the options say, else
/// `known`, which is -1 where the model tells of none. False after an error.
bool luna_onnx_bound(LunaOnnxImport *c, const char *name, int64_t known,
                     int64_t *bound);
/// Has the program say the valid length of tensor `name` where its bound may
/// not hold it, as `known` is larger or -1. False after an error: what is
/// inside of a subgraph cannot be said.
bool luna_onnx_report(LunaOnnxImport *c, const char *name, MlirValue count,
                      int64_t known, int64_t bound);

/// Returns the value with a valid length along `axis`, the rest as in `like`.
LunaOnnxValue *luna_onnx_with_valid(LunaOnnxImport *c,
                                    const LunaOnnxValue *value,
                                    const LunaValidLength *like, int axis);
/// Notes what is valid of the IR of a value, where it has a valid length.
void luna_onnx_note_valid(LunaOnnxImport *c, const LunaOnnxValue *value);
/// Returns the name of a node's first output, "" if it has none.
const char *luna_onnx_first_output(const LunaOnnxNode *n);

/// Neither one dimension nor none.
enum { LUNA_ONNX_NO_AXIS = -2 };
/// Returns the dimension that is valid where control flow merges two values:
/// the one that is in either, or in which they differ; -1 for none, and
/// LUNA_ONNX_NO_AXIS where there are several, or the ranks differ.
int luna_onnx_valid_axis(const LunaOnnxValue *a, const LunaOnnxValue *b);

/// Returns how many indices of `axis` hold elements, an index: the valid
/// length, also above the bound, or the extent.
MlirValue luna_onnx_count(LunaOnnxImport *c, const LunaOnnxValue *value,
                          int axis);

/// Returns the value as one of static size that is 0 behind the valid length.
LunaOnnxValue *luna_onnx_mask(LunaOnnxImport *c, LunaOnnxValue *value);
/// Builds the IR of a value with `bound` indices along `axis`: cut, or zeros
/// behind.
MlirValue luna_onnx_resize(LunaOnnxImport *c, LunaOnnxValue *value, int axis,
                           int64_t bound);

#endif // LUNA_ONNX_VALID_H
