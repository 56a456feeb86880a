// Reads any bytes as .npy, within bounds; an accepted array is written and
// reads back equal.

#include <stdlib.h>
#include <string.h>

#include "luna/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaNpy npy, again;
  LunaError error;
  if (!luna_npy_read(data, size, &npy, &error))
    return 0;
  LunaText text = {0};
  luna_npy_write(&text, npy.type, npy.is_unsigned, npy.rank, npy.dims, npy.data,
                 (size_t)npy.bytes);
  bool is_read =
      luna_npy_read((const uint8_t *)text.data, text.length, &again, &error);
  if (!is_read || again.type != npy.type || again.rank != npy.rank ||
      again.bytes != npy.bytes ||
      memcmp(again.data, npy.data, (size_t)npy.bytes) != 0)
    abort();
  luna_text_deinit(&text);
  return 0;
}
