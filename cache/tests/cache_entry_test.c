// Entries as bytes: no change of a single bit or of the length goes unseen.

#include "cache_entry.h"

#include <stdlib.h>

#include "check.h"
#include "folder.h"

enum { VALUE_BYTES = 300 };

typedef struct Sample {
  LunaCacheKey key;
  uint8_t value[VALUE_BYTES];
  uint8_t *file;
  size_t size;
} Sample;

static Sample make_sample(bool is_raw) {
  Sample sample = {.key = luna_test_key("a record")};
  sample.key.is_raw = is_raw;
  for (size_t i = 0; i < VALUE_BYTES; ++i)
    sample.value[i] = (uint8_t)(i / 10);
  LunaCacheDigest digest = luna_cache_digest(&sample.key, 128);
  sample.file = luna_cache_entry_pack(&sample.key, &digest, sample.value,
                                      VALUE_BYTES, &sample.size);
  CHECK(sample.file);
  return sample;
}

static bool is_read(const uint8_t *file, size_t size) {
  // Of the exact size, so that the address sanitizer sees one byte too far.
  uint8_t *copy = malloc(size + (size == 0));
  LunaCacheEntry entry;
  if (size > 0)
    memcpy(copy, file, size);
  bool is_read = luna_cache_entry_read(copy, size, &entry);
  free(copy);
  return is_read;
}

static void test_value_comes_back(void) {
  for (int is_raw = 0; is_raw < 2; ++is_raw) {
    Sample sample = make_sample(is_raw != 0);
    LunaCacheEntry entry;
    uint8_t value[VALUE_BYTES];
    CHECK(luna_cache_entry_read(sample.file, sample.size, &entry));
    CHECK(luna_cache_entry_has_key(&entry, &sample.key));
    CHECK_EQ(entry.raw_bytes, VALUE_BYTES);
    CHECK_EQ(entry.is_compressed, is_raw == 0);
    CHECK(luna_cache_entry_unpack(&entry, value));
    CHECK(memcmp(value, sample.value, VALUE_BYTES) == 0);
    free(sample.file);
  }
}

static void test_every_bit_counts(void) {
  for (int is_raw = 0; is_raw < 2; ++is_raw) {
    Sample sample = make_sample(is_raw != 0);
    for (size_t bit = 0; bit < 8 * sample.size; ++bit) {
      sample.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
      CHECK(!is_read(sample.file, sample.size));
      sample.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    CHECK(is_read(sample.file, sample.size));
    free(sample.file);
  }
}

static void test_every_length_counts(void) {
  Sample sample = make_sample(false);
  for (size_t size = 0; size < sample.size; ++size)
    CHECK(!is_read(sample.file, size));
  uint8_t *longer = calloc(1, sample.size + 1);
  memcpy(longer, sample.file, sample.size);
  CHECK(!is_read(longer, sample.size + 1));
  free(longer);
  free(sample.file);
}

static void test_empty_value_and_record(void) {
  LunaCacheKey key = luna_test_key("");
  LunaCacheDigest digest = luna_cache_digest(&key, 128);
  LunaCacheEntry entry;
  size_t size = 0;
  uint8_t *file = luna_cache_entry_pack(&key, &digest, NULL, 0, &size);
  CHECK(luna_cache_entry_read(file, size, &entry));
  CHECK(luna_cache_entry_has_key(&entry, &key));
  CHECK_EQ(entry.raw_bytes, 0);
  free(file);
}

static void test_digest_is_of_the_whole_key(void) {
  LunaCacheKey key = luna_test_key("ab");
  LunaCacheDigest digest = luna_cache_digest(&key, 128);
  LunaCacheKey others[] = {luna_test_key("ac"), luna_test_key("a"),
                           luna_test_key("abc"), luna_test_key("ab")};
  others[3].kind = "tes";
  for (int i = 0; i < 4; ++i) {
    LunaCacheDigest other = luna_cache_digest(&others[i], 128);
    CHECK(memcmp(&digest, &other, sizeof digest) != 0);
  }
}

// Names of entries are the same on every computer, also those yet to come.
static void test_digest_is_fixed(void) {
  LunaCacheKey key = luna_test_key("record");
  LunaCacheDigest digest = luna_cache_digest(&key, 128);
  char text[33] = {0};
  for (int i = 0; i < 16; ++i)
    snprintf(text + 2 * i, 3, "%02x", digest.bytes[i]);
  CHECK_STR(text, "51152ba37c0a2febdc0a6319721cded7");
}

static void test_kinds(void) {
  CHECK(luna_cache_kind_is_valid("plan"));
  CHECK(luna_cache_kind_is_valid("a23456789012345"));
  CHECK(!luna_cache_kind_is_valid("a234567890123456"));
  CHECK(!luna_cache_kind_is_valid(""));
  CHECK(!luna_cache_kind_is_valid("../x"));
  CHECK(!luna_cache_kind_is_valid("a-b"));
}

int main(void) {
  RUN_TEST(test_value_comes_back);
  RUN_TEST(test_every_bit_counts);
  RUN_TEST(test_every_length_counts);
  RUN_TEST(test_empty_value_and_record);
  RUN_TEST(test_digest_is_of_the_whole_key);
  RUN_TEST(test_digest_is_fixed);
  RUN_TEST(test_kinds);
  return 0;
}
