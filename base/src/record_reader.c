#include "luna/record_reader.h"

#include <string.h>

enum { NUMBER_BYTES = 8 };

uint64_t luna_record_read_number(LunaRecordReader *reader) {
  uint64_t number = 0;
  reader->is_damaged |= reader->length < NUMBER_BYTES;
  if (reader->is_damaged)
    return 0;
  for (int i = NUMBER_BYTES; i-- > 0;)
    number = number << 8 | reader->bytes[i];
  reader->bytes += NUMBER_BYTES;
  reader->length -= NUMBER_BYTES;
  return number;
}

const void *luna_record_read_bytes(LunaRecordReader *reader, size_t *length) {
  uint64_t count = luna_record_read_number(reader);
  const uint8_t *bytes = reader->bytes;
  *length = 0;
  reader->is_damaged |= count > reader->length;
  if (reader->is_damaged)
    return NULL;
  reader->bytes += count;
  reader->length -= (size_t)count;
  *length = (size_t)count;
  return bytes;
}

void luna_record_string(LunaText *record, const char *string) {
  luna_record_bytes(record, string, string ? strlen(string) + 1 : 0);
}

const char *luna_record_read_string(LunaRecordReader *reader,
                                    LunaArena *arena) {
  size_t length = 0;
  const char *bytes = luna_record_read_bytes(reader, &length);
  if (!bytes || length == 0)
    return NULL;
  reader->is_damaged |= bytes[length - 1] != '\0';
  return reader->is_damaged ? NULL
                            : luna_arena_strndup(arena, bytes, length - 1);
}
