#ifndef LUNA_ONNX_LIVE_H
#define LUNA_ONNX_LIVE_H

//===-- onnx_live.h - sizes that only the running program knows -----------===//
//
// A value of such a size is a tensor of its bound and a live count, an index
// that the program computes. Operators run over the bound. What lies behind the
// count must not show: an operator is read for such an input only where a rule
// says that it does not, or masks it.
//
//===----------------------------------------------------------------------===//

#include "onnx.h"

/// Runs the handler of a node whose inputs are looked up, by the rule of its
/// operator where one of them has a live count; false after an error, also for
/// an operator without a rule.
bool luna_onnx_run(LunaOnnxImport *c, LunaOnnxNode *n);

/// Reads the bound of the size of tensor `name`: what the options say, else
/// `known`, which is -1 where the model tells of none. False after an error.
bool luna_onnx_bound(LunaOnnxImport *c, const char *name, int64_t known,
                     int64_t *bound);
/// Has the program say the live count of tensor `name` where its bound may not
/// hold it, as `known` is larger or -1. False after an error: what is inside of
/// a subgraph cannot be said.
bool luna_onnx_report(LunaOnnxImport *c, const char *name, MlirValue count,
                      int64_t known, int64_t bound);

/// Returns the value with a live count along `axis`, the rest as in `like`.
LunaOnnxValue *luna_onnx_with_live(LunaOnnxImport *c,
                                   const LunaOnnxValue *value,
                                   const LunaOnnxLive *like, int axis);
/// Returns the value as one of the size of its bound.
LunaOnnxValue *luna_onnx_without_live(LunaOnnxImport *c,
                                      const LunaOnnxValue *value);
/// Returns the name of a node's first output, "" if it has none.
const char *luna_onnx_first_output(const LunaOnnxNode *n);

/// Neither one dimension nor none.
enum { LUNA_ONNX_NO_AXIS = -2 };
/// Returns the dimension that is live where control flow merges two values: the
/// one that is in either, or in which they differ; -1 for none, and
/// LUNA_ONNX_NO_AXIS where there are several, or the ranks differ.
int luna_onnx_live_axis(const LunaOnnxValue *a, const LunaOnnxValue *b);

/// Returns how many indices of `axis` hold elements, an index: the live count,
/// also above the bound, or the extent.
MlirValue luna_onnx_count(LunaOnnxImport *c, const LunaOnnxValue *value,
                          int axis);

/// Returns a value of static size that is `neutral` behind the live count.
LunaOnnxValue *luna_onnx_mask(LunaOnnxImport *c, LunaOnnxValue *value,
                              const LunaOnnxLive *live, double neutral);
/// Builds the IR of a value with `bound` indices along `axis`: cut, or zeros
/// behind.
MlirValue luna_onnx_resize(LunaOnnxImport *c, LunaOnnxValue *value, int axis,
                           int64_t bound);

#endif // LUNA_ONNX_LIVE_H
