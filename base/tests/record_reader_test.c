// Fields come back as they were appended, and none where there is none.

#include "luna/record_reader.h"

#include "check.h"

static void make(LunaText *record) {
  luna_record_number(record, UINT64_C(0x123456789abcdef0));
  luna_record_bytes(record, "ab\0c", 4);
  luna_record_string(record, "text");
  luna_record_string(record, "");
  luna_record_string(record, NULL);
}

// Reads all fields. Returns false if one was not there.
static bool read_all(const char *bytes, size_t length, LunaArena *arena) {
  LunaRecordReader reader = {.bytes = (const uint8_t *)bytes, .length = length};
  size_t count = 0;
  uint64_t number = luna_record_read_number(&reader);
  const void *four = luna_record_read_bytes(&reader, &count);
  const char *text = luna_record_read_string(&reader, arena);
  const char *empty = luna_record_read_string(&reader, arena);
  const char *none = luna_record_read_string(&reader, arena);
  if (reader.is_damaged)
    return false;
  CHECK(number == UINT64_C(0x123456789abcdef0));
  CHECK(count == 4 && memcmp(four, "ab\0c", 4) == 0);
  CHECK_STR(text, "text");
  CHECK_STR(empty, "");
  CHECK(!none);
  CHECK_EQ(reader.length, 0);
  return true;
}

static void every_length_that_is_cut_is_damaged(void) {
  LunaArena arena = {0};
  LunaText record = {0};
  make(&record);
  for (size_t length = 0; length < record.length; ++length)
    CHECK(!read_all(record.data, length, &arena));
  CHECK(read_all(record.data, record.length, &arena));
  luna_text_deinit(&record);
  luna_arena_destroy(&arena);
}

static void strings_must_end(void) {
  LunaArena arena = {0};
  LunaText record = {0};
  luna_record_bytes(&record, "abc", 3);
  LunaRecordReader reader = {.bytes = (const uint8_t *)record.data,
                             .length = record.length};
  CHECK(!luna_record_read_string(&reader, &arena));
  CHECK(reader.is_damaged);
  luna_text_deinit(&record);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(every_length_that_is_cut_is_damaged);
  RUN_TEST(strings_must_end);
  return 0;
}
