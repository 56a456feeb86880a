#ifndef LUNA_ONNX_INDEX_H
#define LUNA_ONNX_INDEX_H

// What operators share that read or place elements by index.

#include "onnx.h"

typedef struct LunaOnnxSource LunaOnnxSource;

/// Builds the place in the data, `at`, that the indices name at `index`.
typedef void (*LunaOnnxPlace)(LunaOnnxImport *c, const LunaOnnxSource *s,
                              const MlirValue *index, MlirValue *at);

/// What an element function reads from.
struct LunaOnnxSource {
  MlirValue data, indices;
  LunaOnnxValue *value, *index_value;
  LunaOnnxPlace place;
  int axis, batch;
  int64_t k;
  bool flag;
};

/// Reads the two inputs, data and integers; false after an error.
bool luna_onnx_read_source(LunaOnnxImport *c, LunaOnnxNode *n,
                           LunaOnnxSource *s);

/// Reads them for indices along one axis, which have as many dimensions as the
/// data, none larger but that; false after an error.
bool luna_onnx_read_elements(LunaOnnxImport *c, LunaOnnxNode *n,
                             LunaOnnxSource *s);

/// Reads them for indices whose last dimension names a place behind `batch`
/// dimensions of the data; false after an error. `shape` is that of what lies
/// at all places.
bool luna_onnx_read_nd(LunaOnnxImport *c, LunaOnnxNode *n, int64_t batch,
                       LunaOnnxSource *s, LunaShape *shape);

/// Builds the node's output element by element; false after an error.
bool luna_onnx_set_generated(LunaOnnxImport *c, LunaOnnxNode *n,
                             LunaOnnxType type, const LunaShape *shape,
                             LunaOnnxElement element, LunaOnnxSource *source);

/// Builds the read of an index: negative ones count from the end, and it is
/// kept in range.
MlirValue luna_onnx_read_index(LunaOnnxImport *c, const LunaOnnxSource *s,
                               const MlirValue *at, int64_t size);

/// Builds the read of the element of the data at an index of its rank.
MlirValue luna_onnx_read_data(LunaOnnxImport *c, const LunaOnnxSource *s,
                              const MlirValue *at);

#endif // LUNA_ONNX_INDEX_H
