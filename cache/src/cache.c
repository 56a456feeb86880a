#define _XOPEN_SOURCE 700

#include "luna/cache.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"

LunaCache *luna_cache_open(const char *folder, const LunaCacheLimits *limits) {
  LunaCache *cache = folder ? calloc(1, sizeof *cache) : NULL;
  if (!cache)
    return NULL;
  cache->folder = strdup(folder);
  cache->limits = limits ? *limits : (LunaCacheLimits){0};
  if (cache->limits.bytes == 0)
    cache->limits.bytes = LUNA_CACHE_DEFAULT_BYTES;
  if (cache->limits.entries == 0)
    cache->limits.entries = LUNA_CACHE_DEFAULT_ENTRIES;
  cache->digest_bits = 8 * LUNA_CACHE_DIGEST_BYTES;
  if (cache->folder)
    return cache;
  free(cache);
  return NULL;
}

void luna_cache_close(LunaCache *cache) {
  if (cache)
    free(cache->folder);
  free(cache);
}

const char *luna_cache_folder(const LunaCache *cache) {
  return cache ? cache->folder : NULL;
}

LunaCacheCounters luna_cache_counters(const LunaCache *cache) {
  return cache ? cache->counters : (LunaCacheCounters){0};
}

//===- Reading ------------------------------------------------------------===//

typedef enum Outcome { HIT, ABSENT, DAMAGED, COLLISION } Outcome;

static bool is_same(const LunaCacheDigest *a, const LunaCacheDigest *b) {
  return memcmp(a->bytes, b->bytes, LUNA_CACHE_DIGEST_BYTES) == 0;
}

// Of an entry of another key: a collision of digests, or misnamed.
static Outcome judge_other(const LunaCache *cache, const LunaCacheEntry *entry,
                           const LunaCacheDigest *digest) {
  LunaCacheKey own = {.kind = entry->kind,
                      .record = entry->record,
                      .record_bytes = entry->record_bytes};
  LunaCacheDigest made = luna_cache_digest(&own, cache->digest_bits);
  return is_same(&made, digest) ? COLLISION : DAMAGED;
}

static Outcome take_value(const LunaCache *cache, const LunaCacheKey *key,
                          const LunaCacheDigest *digest, const uint8_t *file,
                          size_t size, LunaCacheValue *value) {
  LunaCacheEntry entry;
  if (!luna_cache_entry_read(file, size, &entry) ||
      !is_same(&entry.digest, digest))
    return DAMAGED;
  if (!luna_cache_entry_has_key(&entry, key))
    return judge_other(cache, &entry, digest);
  uint8_t *bytes = malloc(entry.raw_bytes + 1);
  if (!bytes)
    return ABSENT;
  if (!luna_cache_entry_unpack(&entry, bytes)) {
    free(bytes);
    return DAMAGED;
  }
  bytes[entry.raw_bytes] = 0; // a text ends
  value->bytes = value->storage = bytes;
  value->length = entry.raw_bytes;
  return HIT;
}

static Outcome find(LunaCache *cache, const LunaCacheKey *key, int root,
                    LunaCacheValue *value) {
  LunaCacheDigest digest = luna_cache_digest(key, cache->digest_bits);
  LunaCacheName name = luna_cache_entry_name(key->kind, &digest);
  struct stat status;
  size_t size = 0;
  uint8_t *file = luna_cache_read_file(root, name.text, &size, &status);
  if (!file)
    return ABSENT;
  Outcome outcome = take_value(cache, key, &digest, file, size, value);
  free(file);
  if (outcome == HIT)
    value->is_trusted =
        luna_cache_file_is_trusted(cache, root, name.text, &status);
  if (outcome == DAMAGED)
    luna_cache_quarantine(root, name.text, &digest);
  return outcome;
}

bool luna_cache_get(LunaCache *cache, const LunaCacheKey *key,
                    LunaCacheValue *value) {
  *value = (LunaCacheValue){0};
  if (!cache || !luna_cache_kind_is_valid(key->kind))
    return false;
  int root = luna_cache_open_root(cache, false);
  Outcome outcome = root < 0 ? ABSENT : find(cache, key, root, value);
  if (root >= 0)
    close(root);
  LunaCacheCounters *counters = &cache->counters;
  counters->hits += outcome == HIT;
  counters->misses += outcome != HIT;
  counters->damaged += outcome == DAMAGED;
  counters->collisions += outcome == COLLISION;
  return outcome == HIT;
}

void luna_cache_value_deinit(LunaCacheValue *value) {
  free(value->storage);
  *value = (LunaCacheValue){0};
}

void luna_cache_reject(LunaCache *cache, const LunaCacheKey *key) {
  int root = cache ? luna_cache_open_root(cache, false) : -1;
  if (root < 0)
    return;
  LunaCacheDigest digest = luna_cache_digest(key, cache->digest_bits);
  LunaCacheName name = luna_cache_entry_name(key->kind, &digest);
  luna_cache_quarantine(root, name.text, &digest);
  close(root);
  ++cache->counters.damaged;
}

//===- Writing ------------------------------------------------------------===//

typedef struct Total {
  uint64_t entries, bytes;
} Total;

static void add(void *context, const LunaCacheFile *file) {
  Total *total = context;
  ++total->entries;
  total->bytes += file->bytes;
}

// A folder that exceeds a limit has a subfolder that exceeds its share: no
// other is looked at. Trimming makes room for many entries.
static void keep_limits(LunaCache *cache, int root, int subfolder) {
  Total total = {0};
  luna_cache_visit(root, subfolder, add, &total);
  if (total.entries <= cache->limits.entries / LUNA_CACHE_SUBFOLDERS &&
      total.bytes <= cache->limits.bytes / LUNA_CACHE_SUBFOLDERS)
    return;
  luna_cache_keep_limits(cache);
}

bool luna_cache_put(LunaCache *cache, const LunaCacheKey *key,
                    const void *bytes, size_t length) {
  if (!cache || !luna_cache_kind_is_valid(key->kind))
    return false;
  size_t size = 0;
  LunaCacheDigest digest = luna_cache_digest(key, cache->digest_bits);
  LunaCacheName name = luna_cache_entry_name(key->kind, &digest);
  uint8_t *file = luna_cache_entry_pack(key, &digest, bytes, length, &size);
  int root = file && size <= cache->limits.bytes
                 ? luna_cache_open_root(cache, true)
                 : -1;
  bool is_stored =
      root >= 0 && luna_cache_write_file(root, name.text, file, size);
  if (is_stored)
    keep_limits(cache, root, digest.bytes[0]);
  if (root >= 0)
    close(root);
  free(file);
  cache->counters.stored += is_stored;
  cache->counters.not_stored += !is_stored;
  return is_stored;
}
