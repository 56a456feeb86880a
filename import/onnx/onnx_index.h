#ifndef LUNA_ONNX_INDEX_H
#define LUNA_ONNX_INDEX_H

// What operators share that read or place elements by index.

#include "onnx.h"

/// What an element function reads from.
typedef struct OnnxSource {
  MlirValue data, indices;
  OnnxValue *value, *index_value;
  int axis, batch;
  int64_t k;
  bool flag;
} OnnxSource;

/// Reads the two inputs, data and integers; false after an error.
bool onnx_read_source(OnnxImport *c, OnnxNode *n, OnnxSource *s);

/// Checks that the indices have as many dimensions as the data, none larger but
/// that of the axis.
bool onnx_indices_fit(OnnxImport *c, const OnnxSource *s);

/// Makes the node's output element by element.
bool onnx_set_generated(OnnxImport *c, OnnxNode *n, OnnxType type,
                        const LunaShape *shape, OnnxElement element,
                        OnnxSource *source);

/// Reads an index, takes negative ones from the end, and keeps it in range.
MlirValue onnx_read_index(OnnxImport *c, const OnnxSource *s,
                          const MlirValue *at, int64_t size);

/// Reads the element of the data at an index of its rank.
MlirValue onnx_read_data(OnnxImport *c, const OnnxSource *s,
                         const MlirValue *at);

#endif // LUNA_ONNX_INDEX_H
