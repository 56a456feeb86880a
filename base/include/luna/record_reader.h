#ifndef LUNA_RECORD_READER_H
#define LUNA_RECORD_READER_H

// Reading what the functions of luna/record.h appended, in its order.

#include "luna/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The rest of a record; `is_damaged` once it had not what was read.
typedef struct LunaRecordReader {
  const uint8_t *bytes;
  size_t length;
  bool is_damaged;
} LunaRecordReader;

/// Reads a number; 0 where there is none.
uint64_t luna_record_read_number(LunaRecordReader *reader);

/// Returns bytes, borrowed, and their number; NULL where there are none.
const void *luna_record_read_bytes(LunaRecordReader *reader, size_t *length);

/// Appends a string, which may be NULL, as bytes with its terminator.
void luna_record_string(LunaText *record, const char *string);

/// Returns a string, in `arena`, or NULL: where it was NULL or there is none.
const char *luna_record_read_string(LunaRecordReader *reader, LunaArena *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_RECORD_READER_H
