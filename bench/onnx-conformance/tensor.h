#ifndef LUNA_CONFORMANCE_TENSOR_H
#define LUNA_CONFORMANCE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A tensor of a test file, elements row-major, bool as one byte.
typedef struct Tensor {
  int type, rank;
  int64_t dims[8];
  size_t byte_count;
  uint8_t *bytes;
  char problem[128];
} Tensor;

/// Reads a serialised TensorProto; false where its type is not supported.
bool tensor_read(Tensor *tensor, const void *bytes, size_t byte_count);
void tensor_free(Tensor *tensor);

/// Returns the first elements of each dimension of `found`, as many as the
/// tensor has; `sizes` are those of `found`, none smaller. The caller frees it.
uint8_t *tensor_take(const Tensor *tensor, const uint8_t *found,
                     const int64_t *sizes);

/// Compares with what was computed: integers exactly, numbers within 1e-3
/// relative (bfloat16: one unit of its last place) or 1e-6 absolute (as ONNX's
/// own runner). Says what differs.
bool tensor_matches(const Tensor *expected, const void *found,
                    size_t found_bytes, char *message, size_t message_bytes);

/// Gives outputs of bfloat16 that type where the test's files do not.
void model_fix_types(const void *bytes, size_t byte_count, Tensor *outputs,
                     int count);

/// Returns the names of the inputs of a model that are no initialisers.
int model_input_names(const void *bytes, size_t byte_count, char names[][128],
                      int max);

#endif // LUNA_CONFORMANCE_TENSOR_H
