// Looking through the whole folder: statistics, verification, trimming.

#define _GNU_SOURCE // flock

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "cache_files.h"

//===- Statistics ---------------------------------------------------------===//

static void add_to_kind(LunaCacheStats *stats, const LunaCacheFile *file) {
  const char *name = file->name.text + 3;
  size_t length = strcspn(name, "-");
  uint32_t at = 0;
  while (at < stats->kind_count &&
         (strlen(stats->kinds[at].kind) != length ||
          memcmp(stats->kinds[at].kind, name, length) != 0))
    ++at;
  if (at == LUNA_CACHE_KINDS_MAX)
    return;
  if (at == stats->kind_count) {
    ++stats->kind_count;
    memcpy(stats->kinds[at].kind, name, length);
  }
  ++stats->kinds[at].entries;
  stats->kinds[at].bytes += file->bytes;
}

static void add(void *context, const LunaCacheFile *file) {
  LunaCacheStats *stats = context;
  ++stats->entries;
  stats->bytes += file->bytes;
  add_to_kind(stats, file);
}

static void count(void *context, const LunaCacheFile *file) {
  (void)file;
  ++*(uint64_t *)context;
}

static int by_kind(const void *a, const void *b) {
  return strcmp(((const LunaCacheKindStats *)a)->kind,
                ((const LunaCacheKindStats *)b)->kind);
}

void luna_cache_stats(LunaCache *cache, LunaCacheStats *stats) {
  *stats = (LunaCacheStats){0};
  int root = cache ? luna_cache_open_root(cache, false) : -1;
  if (root < 0)
    return;
  luna_cache_visit(root, -1, add, stats);
  luna_cache_visit_others(root, "tmp", count, &stats->unfinished);
  luna_cache_visit_others(root, "quarantine", count, &stats->quarantined);
  stats->is_trusted = luna_cache_root_is_trusted(cache, root);
  close(root);
  qsort(stats->kinds, stats->kind_count, sizeof *stats->kinds, by_kind);
}

//===- Lists of entries ---------------------------------------------------===//

typedef struct Files {
  LunaCacheFile *items;
  size_t count, capacity;
} Files;

// Where memory runs out, the rest is left out.
static void collect(void *context, const LunaCacheFile *file) {
  Files *files = context;
  if (files->count == files->capacity) {
    size_t capacity = files->capacity ? 2 * files->capacity : 256;
    LunaCacheFile *items = realloc(files->items, capacity * sizeof *items);
    if (!items)
      return;
    files->items = items;
    files->capacity = capacity;
  }
  files->items[files->count++] = *file;
}

static uint64_t remove_files(int root, const Files *files) {
  uint64_t removed = 0;
  for (size_t i = 0; i < files->count; ++i)
    removed += unlinkat(root, files->items[i].name.text, 0) == 0;
  return removed;
}

//===- Verification -------------------------------------------------------===//

static bool is_intact(const LunaCache *cache, int root,
                      const LunaCacheFile *file) {
  struct stat status;
  size_t size = 0;
  LunaCacheEntry entry;
  uint8_t *bytes = luna_cache_read_file(root, file->name.text, &size, &status);
  if (!bytes)
    return true; // removed meanwhile, or not readable by this user
  bool is_intact = luna_cache_entry_read(bytes, size, &entry);
  if (is_intact) {
    LunaCacheKey key = {.kind = entry.kind,
                        .record = entry.record,
                        .record_bytes = entry.record_bytes};
    LunaCacheDigest digest = luna_cache_digest(&key, cache->digest_bits);
    LunaCacheName name = luna_cache_entry_name(entry.kind, &digest);
    uint8_t *value = malloc(entry.raw_bytes + 1);
    is_intact = strcmp(name.text, file->name.text) == 0 &&
                (!value || luna_cache_entry_unpack(&entry, value));
    free(value);
  }
  free(bytes);
  return is_intact;
}

static int digit_value(char digit) {
  return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

uint64_t luna_cache_verify(LunaCache *cache, uint64_t *checked) {
  uint64_t damaged = 0;
  Files files = {0};
  int root = cache ? luna_cache_open_root(cache, false) : -1;
  *checked = 0;
  if (root < 0)
    return 0;
  luna_cache_visit(root, -1, collect, &files);
  for (size_t i = 0; i < files.count; ++i) {
    const char *name = files.items[i].name.text;
    LunaCacheDigest digest = {{(uint8_t)(digit_value(name[0]) << 4)}};
    if (is_intact(cache, root, &files.items[i]))
      continue;
    luna_cache_quarantine(root, name, &digest);
    ++damaged;
  }
  *checked = files.count;
  cache->counters.damaged += damaged;
  free(files.items);
  close(root);
  return damaged;
}

//===- Trimming -----------------------------------------------------------===//

typedef struct Trim {
  struct timespec now;
  Files files;
  uint64_t bytes;
} Trim;

// A time that is still to come was set before the clock was set back: nobody
// has used the entry since.
static struct timespec use_of(const LunaCacheFile *file,
                              const struct timespec *now) {
  const struct timespec unknown = {0};
  return file->used.tv_sec > now->tv_sec + 1 ? unknown : file->used;
}

static void collect_used(void *context, const LunaCacheFile *file) {
  Trim *trim = context;
  LunaCacheFile copy = *file;
  copy.used = use_of(file, &trim->now);
  trim->bytes += file->bytes;
  collect(&trim->files, &copy);
}

static int by_use(const void *first, const void *second) {
  const LunaCacheFile *a = first, *b = second;
  if (a->used.tv_sec != b->used.tv_sec)
    return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
  if (a->used.tv_nsec != b->used.tv_nsec)
    return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
  return strcmp(a->name.text, b->name.text);
}

static void collect_stale(void *context, const LunaCacheFile *file) {
  Trim *trim = context;
  enum { HOUR = 3600 };
  int64_t age = (int64_t)trim->now.tv_sec - (int64_t)file->used.tv_sec;
  if (age > HOUR || age < -HOUR)
    collect(&trim->files, file);
}

static void remove_unfinished(int root, Trim *trim) {
  trim->files.count = 0;
  luna_cache_visit_others(root, "tmp", collect_stale, trim);
  remove_files(root, &trim->files);
}

static bool exceeds(uint64_t entries, uint64_t bytes,
                    const LunaCacheLimits *limits) {
  return entries > limits->entries || bytes > limits->bytes;
}

static uint64_t remove_oldest(int root, Trim *trim,
                              const LunaCacheLimits *limits) {
  Files *files = &trim->files;
  uint64_t removed = 0;
  if (files->count > 1)
    qsort(files->items, files->count, sizeof *files->items, by_use);
  for (size_t i = 0;
       i < files->count && exceeds(files->count - i, trim->bytes, limits);
       ++i) {
    removed += unlinkat(root, files->items[i].name.text, 0) == 0;
    trim->bytes -= files->items[i].bytes;
  }
  return removed;
}

// One process at a time trims, and no other waits for it: the order of use is
// that of all entries, which a lock on each subfolder would not give.
static int try_lock(int root) {
  int file =
      openat(root, "lock",
             O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

// Trims a folder that exceeds `limits` to `target`.
static uint64_t trim_to(LunaCache *cache, const LunaCacheLimits *limits,
                        const LunaCacheLimits *target) {
  int root = luna_cache_open_root(cache, false);
  int lock = root >= 0 ? try_lock(root) : -1;
  uint64_t removed = 0;
  if (lock >= 0) {
    Trim trim = {0};
    clock_gettime(CLOCK_REALTIME, &trim.now);
    luna_cache_visit(root, -1, collect_used, &trim);
    if (exceeds(trim.files.count, trim.bytes, limits))
      removed = remove_oldest(root, &trim, target);
    remove_unfinished(root, &trim);
    free(trim.files.items);
    close(lock);
  }
  if (root >= 0)
    close(root);
  cache->counters.removed += removed;
  return removed;
}

uint64_t luna_cache_trim(LunaCache *cache, const LunaCacheLimits *limits) {
  if (!cache)
    return 0;
  LunaCacheLimits target = limits ? *limits : cache->limits;
  if (target.bytes == 0)
    target.bytes = cache->limits.bytes;
  if (target.entries == 0)
    target.entries = cache->limits.entries;
  return trim_to(cache, &target, &target);
}

void luna_cache_keep_limits(LunaCache *cache) {
  LunaCacheLimits target = {cache->limits.bytes / 10 * 9,
                            cache->limits.entries / 10 * 9};
  trim_to(cache, &cache->limits, &target);
}

uint64_t luna_cache_clear(LunaCache *cache) {
  Files files = {0};
  int root = cache ? luna_cache_open_root(cache, false) : -1;
  if (root < 0)
    return 0;
  luna_cache_visit(root, -1, collect, &files);
  uint64_t removed = remove_files(root, &files);
  files.count = 0;
  luna_cache_visit_others(root, "tmp", collect, &files);
  luna_cache_visit_others(root, "quarantine", collect, &files);
  remove_files(root, &files);
  free(files.items);
  close(root);
  return removed;
}
