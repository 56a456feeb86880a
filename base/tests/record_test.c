#include "luna/record.h"

#include "check.h"

static void numbers_are_little_endian(void) {
  LunaText record = {0};
  luna_record_number(&record, UINT64_C(0x0102030405060708));
  CHECK_EQ(record.length, 8);
  CHECK_EQ(record.data[0], 8);
  CHECK_EQ(record.data[7], 1);
  luna_text_deinit(&record);
}

// Fields cannot be told apart wrongly: "ab","c" is not "a","bc".
static void lengths_separate_texts(void) {
  LunaText a = {0}, b = {0};
  luna_record_bytes(&a, "ab", 2);
  luna_record_bytes(&a, "c", 1);
  luna_record_bytes(&b, "a", 1);
  luna_record_bytes(&b, "bc", 2);
  luna_record_bytes(&b, NULL, 0);
  CHECK_EQ(a.length + 8, b.length);
  CHECK(memcmp(a.data, b.data, a.length) != 0);
  luna_text_deinit(&a);
  luna_text_deinit(&b);
}

// The value that xxhsum -H2 prints.
static void the_digest_is_xxh3(void) {
  static const uint8_t expected[16] = {0x06, 0xb0, 0x5a, 0xb6, 0x73, 0x3a,
                                       0x61, 0x85, 0x78, 0xaf, 0x5f, 0x94,
                                       0x89, 0x2f, 0x39, 0x50};
  LunaDigest digest = luna_digest("abc", 3);
  CHECK(memcmp(digest.bytes, expected, 16) == 0);
}

static void equal_records_have_one_index(void) {
  LunaArena arena = {0};
  LunaRecordSet set = {0};
  for (int round = 0; round < 2; ++round)
    for (uint32_t i = 0; i < 1000; ++i)
      CHECK_EQ(luna_record_add(&set, &arena, &i, sizeof i), i);
  CHECK_EQ(luna_record_add(&set, &arena, "", 0), 1000);
  CHECK_EQ(luna_record_add(&set, &arena, "", 0), 1000);
  CHECK_EQ(set.added, 2002);
  CHECK_EQ(set.records.count, 1001);
  CHECK_EQ(set.collisions, 0);
  luna_arena_destroy(&arena);
}

static LunaDigest digest_of_length(const void *bytes, uint64_t length) {
  (void)bytes;
  return (LunaDigest){{(uint8_t)length}};
}

static void records_of_equal_digests_stay_apart(void) {
  LunaArena arena = {0};
  LunaRecordSet set = {.digest = digest_of_length};
  CHECK_EQ(luna_record_add(&set, &arena, "aa", 2), 0);
  CHECK_EQ(luna_record_add(&set, &arena, "bb", 2), 1);
  CHECK_EQ(luna_record_add(&set, &arena, "c", 1), 2);
  CHECK_EQ(luna_record_add(&set, &arena, "cc", 2), 3);
  CHECK_EQ(set.collisions, 3);
  CHECK_EQ(luna_record_add(&set, &arena, "bb", 2), 1);
  CHECK_EQ(luna_record_add(&set, &arena, "cc", 2), 3);
  CHECK_EQ(set.records.count, 4);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(numbers_are_little_endian);
  RUN_TEST(lengths_separate_texts);
  RUN_TEST(the_digest_is_xxh3);
  RUN_TEST(equal_records_have_one_index);
  RUN_TEST(records_of_equal_digests_stay_apart);
  return 0;
}
