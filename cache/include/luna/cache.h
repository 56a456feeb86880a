#ifndef LUNA_CACHE_H
#define LUNA_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A folder of results that were computed once: bytes by key, shared by any
/// number of processes. Needs neither MLIR nor LLVM.
///
///     LunaCache *cache = luna_cache_open("/home/me/.cache/luna", NULL);
///     LunaCacheKey key = {"table", record, record_bytes};
///     LunaCacheValue value;
///     if (luna_cache_get(cache, &key, &value)) {
///       use(value.bytes, value.length);
///       luna_cache_value_deinit(&value);
///     } else {
///       compute(&bytes, &length);
///       luna_cache_put(cache, &key, bytes, length);
///     }
///     luna_cache_close(cache);
///
/// Nothing that goes wrong with the folder is an error: a folder that cannot be
/// read holds nothing, one that cannot be written keeps nothing, and an entry
/// of which one bit is not as it was written is moved to `quarantine/`, which
/// keeps the last 16, and counts as absent. Readers take no lock and see whole
/// entries only.
///
/// A handle is used by one thread at a time; several handles, in one process or
/// many, may have one folder.
typedef struct LunaCache LunaCache;

enum {
  /// The longest name of a kind of entries: letters, digits.
  LUNA_CACHE_KIND_MAX = 15,
};

/// What is in force where LunaCacheLimits says 0.
#define LUNA_CACHE_DEFAULT_BYTES (UINT64_C(1) << 30)
#define LUNA_CACHE_DEFAULT_ENTRIES UINT64_C(100000)

/// The size that a folder may have. Zero-initialised: the defaults.
typedef struct LunaCacheLimits {
  uint64_t bytes, entries;
} LunaCacheLimits;

/// What an entry is found by: everything that its value depends on.
typedef struct LunaCacheKey {
  /// What sort of value it is, "plan"; keys of different kinds differ.
  const char *kind;
  /// The key itself, of any length: it is stored in the entry and compared
  /// whole, so that a collision of digests is a miss.
  const void *record;
  size_t record_bytes;
  /// True to store the value as it is, for bytes that do not compress.
  bool is_raw;
  /// True if an entry that is not trusted is a miss: what is executed, or
  /// believed without a check.
  bool needs_trust;
} LunaCacheKey;

/// A value that was found; owned, to be freed by luna_cache_value_deinit.
typedef struct LunaCacheValue {
  const uint8_t *bytes;
  size_t length;
  /// True if nobody but this user and root can have written it: folder, entry
  /// and the folders above belong to them, and are not writable by others; or
  /// if a trusted key has signed it (luna/cache_remote.h).
  bool is_trusted;
  void *storage;
} LunaCacheValue;

/// What happened through one handle.
typedef struct LunaCacheCounters {
  uint64_t hits, misses;
  /// Of the misses: entries that were damaged, and digests that collided.
  uint64_t damaged, collisions;
  uint64_t stored, not_stored;
  /// Of the hits: those that a server had (luna/cache_remote.h).
  uint64_t fetched;
  /// Entries removed to keep the limits.
  uint64_t removed;
} LunaCacheCounters;

/// Opens the cache in `folder` (copied), which is made, with the folders above
/// it, when the first value is stored. `limits` may be NULL. Touches no file.
/// Returns NULL if memory ran out, or if `folder` is NULL; all functions take
/// NULL for a cache that holds and keeps nothing.
LunaCache *luna_cache_open(const char *folder, const LunaCacheLimits *limits);

/// Frees the handle.
void luna_cache_close(LunaCache *cache);

/// Returns the folder as given to luna_cache_open, NULL for NULL; borrowed.
const char *luna_cache_folder(const LunaCache *cache);

/// Returns what happened so far.
LunaCacheCounters luna_cache_counters(const LunaCache *cache);

/// Finds the value that was last stored under `key`. Returns false if there is
/// none. A hit counts as a use, to the minute.
bool luna_cache_get(LunaCache *cache, const LunaCacheKey *key,
                    LunaCacheValue *value);

/// As luna_cache_get, for a caller that computes the value if there is none and
/// stores it: meanwhile others that ask so wait for it, a second at most. The
/// claim ends with luna_cache_put or luna_cache_close.
bool luna_cache_get_or_claim(LunaCache *cache, const LunaCacheKey *key,
                             LunaCacheValue *value);

/// Frees the bytes.
void luna_cache_value_deinit(LunaCacheValue *value);

/// Stores a value, in place of one stored before; whoever reads finds one or
/// the other. Removes the entries whose last use is longest ago where the
/// folder exceeds its limits. Returns false if it could not be stored.
///
/// Nothing waits for the disk: after a power failure an entry may be damaged,
/// which the next reader finds.
bool luna_cache_put(LunaCache *cache, const LunaCacheKey *key,
                    const void *bytes, size_t length);

/// Counts an entry that luna_cache_get gave as damaged and moves it to
/// quarantine: for a caller that finds a value to be wrong.
void luna_cache_reject(LunaCache *cache, const LunaCacheKey *key);

/// Entries of one kind.
typedef struct LunaCacheKindStats {
  char kind[LUNA_CACHE_KIND_MAX + 1];
  uint64_t entries, bytes;
} LunaCacheKindStats;

enum { LUNA_CACHE_KINDS_MAX = 16 };

/// What a folder holds.
typedef struct LunaCacheStats {
  /// All entries; `bytes` are those that they take on disk.
  uint64_t entries, bytes;
  /// By kind, in the order of names; only the first LUNA_CACHE_KINDS_MAX kinds.
  LunaCacheKindStats kinds[LUNA_CACHE_KINDS_MAX];
  uint32_t kind_count;
  /// Files in quarantine; those that are being written, values that are being
  /// computed, and what was left behind of them.
  uint64_t quarantined, unfinished;
  bool is_trusted; ///< see LunaCacheValue; of the folder
} LunaCacheStats;

/// Looks through the folder. O(entries).
void luna_cache_stats(LunaCache *cache, LunaCacheStats *stats);

/// Checks every entry whole and moves damaged ones to quarantine. Returns how
/// many there were; `checked` gets the number of entries looked at.
uint64_t luna_cache_verify(LunaCache *cache, uint64_t *checked);

/// Removes the entries whose last use is longest ago until the folder is within
/// `limits` (NULL: those of the cache), and what writers left behind an hour
/// ago. Does nothing while another process trims the folder. Returns the number
/// of entries removed. O(n log n).
uint64_t luna_cache_trim(LunaCache *cache, const LunaCacheLimits *limits);

/// Removes all entries, the quarantine and what is unfinished; no file that a
/// cache has not made. Returns the number of entries removed.
uint64_t luna_cache_clear(LunaCache *cache);

/// Returns the folder that a user chose: `given`, else $LUNA_CACHE, else
/// $XDG_CACHE_HOME/luna, else ~/.cache/luna; NULL, "no cache", where the first
/// of these that is set is "off" or empty, or none is. To be freed.
char *luna_cache_choose_folder(const char *given);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CACHE_H
