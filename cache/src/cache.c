#define _XOPEN_SOURCE 700

#include "luna/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_claims.h"
#include "cache_helper.h"
#include "cache_shared.h"

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
  cache->log = -1;
  cache->digest_bits = 8 * LUNA_CACHE_DIGEST_BYTES;
  if (cache->folder)
    return cache;
  free(cache);
  return NULL;
}

void luna_cache_close(LunaCache *cache) {
  if (cache) {
    luna_cache_release_all(cache);
    luna_cache_helper_destroy(cache->helper);
    if (cache->log >= 0)
      close(cache->log);
    free(cache->folder);
  }
  free(cache);
}

const char *luna_cache_folder(const LunaCache *cache) {
  return cache ? cache->folder : NULL;
}

LunaCacheCounters luna_cache_counters(const LunaCache *cache) {
  return cache ? cache->counters : (LunaCacheCounters){0};
}

//===- Reading ------------------------------------------------------------===//

typedef enum Outcome { HIT, ABSENT, DAMAGED, COLLISION, NOT_TRUSTED } Outcome;

// An entry that is looked for.
typedef struct Search {
  const LunaCacheKey *key;
  LunaCacheDigest digest;
  LunaCacheName name;
} Search;

static Search search_for(const LunaCache *cache, const LunaCacheKey *key) {
  LunaCacheDigest digest = luna_cache_digest(key, cache->digest_bits);
  return (Search){key, digest, luna_cache_entry_name(key->kind, &digest)};
}

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

// Checks a file and takes its value. What is not trusted is not unpacked where
// it takes much memory: a few bytes may say that they are gigabytes.
static Outcome take_value(LunaCache *cache, const Search *search,
                          const uint8_t *file, size_t size, bool is_trusted,
                          LunaCacheValue *value) {
  enum { UNTRUSTED_BYTES_MAX = 64 << 20 };
  LunaCacheEntry entry;
  if (!luna_cache_entry_read(file, size, &entry) ||
      !is_same(&entry.digest, &search->digest))
    return DAMAGED;
  if (!luna_cache_entry_has_key(&entry, search->key))
    return judge_other(cache, &entry, &search->digest);
  is_trusted &= !entry.is_foreign;
  // What is not trusted for its place may be for its signature.
  if (search->key->needs_trust && !is_trusted && entry.signature)
    is_trusted = luna_cache_is_signed(cache, file, size);
  if (!is_trusted &&
      (search->key->needs_trust || entry.raw_bytes > UNTRUSTED_BYTES_MAX))
    return NOT_TRUSTED;
  uint8_t *bytes = malloc(entry.raw_bytes + 1);
  if (!bytes)
    return ABSENT;
  if (!luna_cache_entry_unpack(&entry, bytes)) {
    free(bytes);
    return DAMAGED;
  }
  bytes[entry.raw_bytes] = 0; // a text ends
  *value = (LunaCacheValue){bytes, entry.raw_bytes, is_trusted, bytes};
  return HIT;
}

static Outcome find_in_folder(LunaCache *cache, const Search *search,
                              LunaCacheValue *value) {
  int root = luna_cache_open_root(cache, false);
  if (root < 0)
    return ABSENT;
  struct stat status;
  size_t size = 0;
  const char *name = search->name.text;
  Outcome outcome = ABSENT;
  uint8_t *file = luna_cache_read_file(root, name, &size, &status);
  if (file) {
    bool is_trusted = luna_cache_file_is_trusted(cache, root, name, &status);
    outcome = take_value(cache, search, file, size, is_trusted, value);
    free(file);
  }
  if (outcome == DAMAGED)
    luna_cache_quarantine(root, name, &search->digest);
  close(root);
  return outcome;
}

//===- The server ---------------------------------------------------------===//

static bool write_entry(LunaCache *cache, const Search *search,
                        const uint8_t *file, size_t size);

// What comes from the server is kept in the folder, marked unless it is signed.
static Outcome find_on_server(LunaCache *cache, const Search *search,
                              bool claims, LunaCacheValue *value) {
  size_t size = 0;
  bool is_signed = search->key->needs_trust;
  uint8_t *file =
      luna_cache_fetch(cache, search->name.text + 3, claims, &is_signed, &size);
  if (!file)
    return ABSENT;
  Outcome outcome = take_value(cache, search, file, size, is_signed, value);
  if (outcome == HIT) {
    luna_cache_entry_mark(file, size, !is_signed);
    write_entry(cache, search, file, size);
  }
  free(file);
  return outcome;
}

// Lines of several processes do not mix.
static void note(const LunaCache *cache, const char *what,
                 const Search *search) {
  char line[LUNA_CACHE_NAME_BYTES + 16];
  int length =
      snprintf(line, sizeof line, "%s %s\n", what, search->name.text + 3);
  if (cache->log >= 0 && write(cache->log, line, (size_t)length) < 0)
    return; // it is only told
}

static bool count(LunaCache *cache, const Search *search, Outcome outcome,
                  bool was_fetched) {
  LunaCacheCounters *counters = &cache->counters;
  bool is_hit = outcome == HIT;
  counters->hits += is_hit;
  counters->misses += !is_hit;
  counters->fetched += was_fetched;
  counters->damaged += outcome == DAMAGED;
  counters->collisions += outcome == COLLISION;
  note(cache, was_fetched ? "fetched" : is_hit ? "hit" : "missed", search);
  return is_hit;
}

static bool look_up(LunaCache *cache, const LunaCacheKey *key, bool claims,
                    LunaCacheValue *value) {
  *value = (LunaCacheValue){0};
  if (!cache || !luna_cache_kind_is_valid(key->kind))
    return false;
  Search search = search_for(cache, key);
  Outcome outcome = find_in_folder(cache, &search, value), second = ABSENT;
  if (outcome != HIT && claims) {
    luna_cache_claim(cache, &search.digest);
    Outcome again = find_in_folder(cache, &search, value);
    outcome = again == ABSENT ? outcome : again;
  }
  if (outcome != HIT && cache->is_remote)
    second = find_on_server(cache, &search, claims, value);
  outcome = second == ABSENT ? outcome : second;
  if (outcome == HIT)
    luna_cache_release(cache, &search.digest);
  return count(cache, &search, outcome, second == HIT);
}

bool luna_cache_get(LunaCache *cache, const LunaCacheKey *key,
                    LunaCacheValue *value) {
  return look_up(cache, key, false, value);
}

bool luna_cache_get_or_claim(LunaCache *cache, const LunaCacheKey *key,
                             LunaCacheValue *value) {
  return look_up(cache, key, true, value);
}

void luna_cache_value_deinit(LunaCacheValue *value) {
  free(value->storage);
  *value = (LunaCacheValue){0};
}

void luna_cache_reject(LunaCache *cache, const LunaCacheKey *key) {
  int root = cache ? luna_cache_open_root(cache, false) : -1;
  if (root < 0)
    return;
  Search search = search_for(cache, key);
  luna_cache_quarantine(root, search.name.text, &search.digest);
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

static bool write_entry(LunaCache *cache, const Search *search,
                        const uint8_t *file, size_t size) {
  int root =
      size <= cache->limits.bytes ? luna_cache_open_root(cache, true) : -1;
  bool is_stored =
      root >= 0 && luna_cache_write_file(root, search->name.text, file, size);
  if (is_stored)
    keep_limits(cache, root, search->digest.bytes[0]);
  if (root >= 0)
    close(root);
  return is_stored;
}

// True for a folder that others can write: entries there need a signature.
static bool is_shared_folder(LunaCache *cache) {
  int root = luna_cache_open_root(cache, true);
  bool is_shared = root >= 0 && !luna_cache_root_is_trusted(cache, root);
  if (root >= 0)
    close(root);
  return is_shared;
}

bool luna_cache_put(LunaCache *cache, const LunaCacheKey *key,
                    const void *bytes, size_t length) {
  if (!cache || !luna_cache_kind_is_valid(key->kind))
    return false;
  size_t size = 0;
  Search search = search_for(cache, key);
  uint8_t *file =
      luna_cache_entry_pack(key, &search.digest, bytes, length, &size);
  if (file && cache->has_key && is_shared_folder(cache))
    file = luna_cache_sign(cache, file, &size);
  bool is_stored = file && write_entry(cache, &search, file, size);
  // Nobody would take what must be signed and is not.
  if (file && cache->is_sent && (cache->has_key || !key->needs_trust))
    luna_cache_send(cache, search.name.text + 3, file, size);
  free(file);
  luna_cache_release(cache, &search.digest);
  note(cache, "stored", &search);
  cache->counters.stored += is_stored;
  cache->counters.not_stored += !is_stored;
  return is_stored;
}
