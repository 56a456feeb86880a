#ifndef LUNA_NPY_H
#define LUNA_NPY_H

// Reads and writes NumPy's .npy files, version 1.0 to 3.0, little-endian, C
// order (NEP 1; https://numpy.org/doc/stable/reference/generated/
// numpy.lib.format.html).

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/error.h"
#include "luna/text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LUNA_NPY_RANK_MAX = 16 };

/// An array in a .npy file.
typedef struct LunaNpy {
  int32_t type; ///< LunaElementType of luna/runtime.h
  bool is_unsigned;
  int32_t rank;
  int64_t dims[LUNA_NPY_RANK_MAX];
  const uint8_t *data; ///< within the bytes that were read, not aligned
  int64_t bytes;
} LunaNpy;

/// Reads the array in `bytes[0..length)`, never out of bounds. Fails with
/// LUNA_ERROR_INPUT if it is not a .npy file, is shorter or longer than its
/// header says, or has an unsupported element type or order.
bool luna_npy_read(const uint8_t *bytes, size_t length, LunaNpy *npy,
                   LunaError *error);

/// Appends a .npy file to `text` for an array of LunaElementType `type`, or of
/// the unsigned integers as wide.
void luna_npy_write(LunaText *text, int32_t type, bool is_unsigned,
                    int32_t rank, const int64_t *dims, const void *data,
                    size_t bytes);

#ifdef __cplusplus
}
#endif

#endif // LUNA_NPY_H
