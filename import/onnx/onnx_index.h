#ifndef LUNA_ONNX_INDEX_H
#define LUNA_ONNX_INDEX_H

// What operators share that read or place elements by index.

#include "onnx.h"

/// What an element function reads from.
typedef struct LunaOnnxSource {
  MlirValue data, indices;
  LunaOnnxValue *value, *index_value;
  int axis, batch;
  int64_t k;
  bool flag;
} LunaOnnxSource;

/// Reads the two inputs, data and integers; false after an error.
bool luna_onnx_read_source(LunaOnnxImport *c, LunaOnnxNode *n,
                           LunaOnnxSource *s);

/// Checks that the indices have as many dimensions as the data, none larger but
/// that of the axis.
bool luna_onnx_indices_fit(LunaOnnxImport *c, const LunaOnnxSource *s);

/// Builds the node's output element by element; false after an error.
bool luna_onnx_set_generated(LunaOnnxImport *c, LunaOnnxNode *n,
                             LunaOnnxType type, const LunaShape *shape,
                             LunaOnnxElement element, LunaOnnxSource *source);

/// Builds the indices that a flat one is in `shape`, one per dimension.
void luna_onnx_unflatten(LunaOnnxImport *c, MlirValue flat,
                         const LunaShape *shape, MlirValue *index);

/// Builds the read of an index: negative ones count from the end, and it is
/// kept in range.
MlirValue luna_onnx_read_index(LunaOnnxImport *c, const LunaOnnxSource *s,
                               const MlirValue *at, int64_t size);

/// Builds the read of the element of the data at an index of its rank.
MlirValue luna_onnx_read_data(LunaOnnxImport *c, const LunaOnnxSource *s,
                              const MlirValue *at);

#endif // LUNA_ONNX_INDEX_H
