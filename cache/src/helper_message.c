#include "helper_message.h"

#include <string.h>

#include "little_endian.h"

static const uint8_t magic[4] = {'L', 'C', 'H', '\n'};

size_t luna_helper_message_write(
    const LunaHelperMessage *message,
    uint8_t bytes[LUNA_HELPER_HEAD_BYTES + 1 + LUNA_HELPER_NAME_MAX]) {
  size_t name = strlen(message->name);
  memcpy(bytes, magic, sizeof magic);
  luna_number_put(bytes + 4, LUNA_HELPER_VERSION, 2);
  bytes[6] = (uint8_t)message->word;
  bytes[7] = message->flags;
  luna_number_put(bytes + 8, 1 + name + message->length, 8);
  bytes[LUNA_HELPER_HEAD_BYTES] = (uint8_t)name;
  memcpy(bytes + LUNA_HELPER_HEAD_BYTES + 1, message->name, name);
  return LUNA_HELPER_HEAD_BYTES + 1 + name;
}

bool luna_helper_head_read(const uint8_t head[LUNA_HELPER_HEAD_BYTES],
                           LunaHelperMessage *message, size_t *body_bytes) {
  uint64_t length = luna_number_at(head + 8, 8);
  *message =
      (LunaHelperMessage){.word = (LunaHelperWord)head[6], .flags = head[7]};
  if (memcmp(head, magic, sizeof magic) != 0 ||
      luna_number_at(head + 4, 2) != LUNA_HELPER_VERSION ||
      head[6] < LUNA_HELPER_GET || head[6] >= LUNA_HELPER_WORDS ||
      head[7] > LUNA_HELPER_FLAGS || length == 0 ||
      length > 1 + LUNA_HELPER_NAME_MAX + LUNA_HELPER_ENTRY_MAX)
    return false;
  *body_bytes = (size_t)length;
  return true;
}

bool luna_helper_body_read(const uint8_t *body, size_t length,
                           LunaHelperMessage *message) {
  if (length == 0 || body[0] > LUNA_HELPER_NAME_MAX || body[0] > length - 1)
    return false;
  memcpy(message->name, body + 1, body[0]);
  message->name[body[0]] = '\0';
  message->bytes = body + 1 + body[0];
  message->length = length - 1 - body[0];
  return strlen(message->name) == body[0] &&
         (body[0] == 0 || luna_cache_name_is_valid(message->name));
}
