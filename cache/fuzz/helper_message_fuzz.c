// Reads any bytes as a message between cache and helper; what is read is
// written again and must be the same.

#include <stdlib.h>
#include <string.h>

#include "helper_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LunaHelperMessage message;
  uint8_t again[LUNA_HELPER_HEAD_BYTES + 1 + LUNA_HELPER_NAME_MAX];
  size_t body = 0;
  if (size < LUNA_HELPER_HEAD_BYTES ||
      !luna_helper_head_read(data, &message, &body) ||
      body > size - LUNA_HELPER_HEAD_BYTES)
    return 0;
  if (!luna_helper_body_read(data + LUNA_HELPER_HEAD_BYTES, body, &message))
    return 0;
  size_t count = luna_helper_message_write(&message, again);
  if (count + message.length != LUNA_HELPER_HEAD_BYTES + body ||
      memcmp(again, data, count) != 0)
    abort();
  return 0;
}
