// Reads any bytes as an entry, and again with the checksum made right, since no
// change would pass it.

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cache_entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_entry(const uint8_t *file, size_t size) {
  LunaCacheEntry entry;
  enum { LARGEST = 1 << 20 };
  if (!luna_cache_entry_read(file, size, &entry) || entry.raw_bytes > LARGEST)
    return;
  uint8_t *value = malloc(entry.raw_bytes + 1);
  luna_cache_entry_unpack(&entry, value);
  free(value);
  LunaCacheKey key = {.kind = entry.kind,
                      .record = entry.record,
                      .record_bytes = entry.record_bytes};
  if (!luna_cache_entry_has_key(&entry, &key))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_entry(data, size);
  if (size < LUNA_CACHE_DIGEST_BYTES)
    return 0;
  XXH128_canonical_t sum;
  size_t before = size - LUNA_CACHE_DIGEST_BYTES;
  uint8_t *file = malloc(size);
  memcpy(file, data, before);
  XXH128_canonicalFromHash(&sum, XXH3_128bits(file, before));
  memcpy(file + before, sum.digest, LUNA_CACHE_DIGEST_BYTES);
  read_entry(file, size);
  free(file);
  return 0;
}
