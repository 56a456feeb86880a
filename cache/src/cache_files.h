#ifndef LUNA_CACHE_FILES_H
#define LUNA_CACHE_FILES_H

// The files of a cache:
//
//   <2 hex digits>/<kind>-<32 hex digits>   an entry, by its digest
//   tmp/<process>-<number>                  one that is being written
//   quarantine/<hex digit>                  the last that was damaged
//   lock                                    held while the folder is trimmed

#include <dirent.h>
#include <sys/stat.h>

#include "cache_entry.h"

enum { LUNA_CACHE_CLAIMS_MAX = 4 };

/// A value that this handle computes: cache_claims.h.
typedef struct LunaCacheClaim {
  LunaCacheDigest digest;
  int file;
} LunaCacheClaim;

struct LunaCache {
  char *folder;
  LunaCacheLimits limits;
  LunaCacheCounters counters;
  /// Of the folder and those above; only where it was looked up.
  bool is_trusted, is_trust_known;
  /// How many bits of a digest count: 128 but in tests.
  unsigned digest_bits;
  LunaCacheClaim claims[LUNA_CACHE_CLAIMS_MAX];
  int claim_count;
  /// A file that gets a line for each value, or -1.
  int log;
  /// NULL where nothing is shared.
  struct LunaCacheHelper *helper;
  /// There is a server; what is stored is sent there; it is signed; there are
  /// keys that are trusted.
  bool is_remote, is_sent, has_key, has_trust;
};

enum { LUNA_CACHE_SUBFOLDERS = 256, LUNA_CACHE_NAME_BYTES = 64 };

/// The name of a file, from the folder of the cache.
typedef struct LunaCacheName {
  char text[LUNA_CACHE_NAME_BYTES];
} LunaCacheName;

/// Returns the name of an entry.
LunaCacheName luna_cache_entry_name(const char *kind,
                                    const LunaCacheDigest *digest);

/// Opens the folder; with `makes` it is made first, with those above it.
/// Returns a descriptor, or -1.
int luna_cache_open_root(const LunaCache *cache, bool makes);

/// Returns true if only this user and root can write to the folder or replace
/// it. Looked up once.
bool luna_cache_root_is_trusted(LunaCache *cache, int root);

/// Returns true if only this user and root can have written the file.
bool luna_cache_file_is_trusted(LunaCache *cache, int root, const char *name,
                                const struct stat *status);

/// Reads the regular file `name` whole, without following a link. Returns its
/// bytes, to be freed, or NULL.
uint8_t *luna_cache_read_file(int root, const char *name, size_t *size,
                              struct stat *status);

/// Writes a file under a temporary name and renames it to `name`. Returns false
/// with nothing left behind.
bool luna_cache_write_file(int root, const char *name, const void *bytes,
                           size_t size);

/// Moves an entry to quarantine, or removes it where that fails.
void luna_cache_quarantine(int root, const char *name,
                           const LunaCacheDigest *digest);

/// An entry on disk.
typedef struct LunaCacheFile {
  LunaCacheName name;
  uint64_t bytes; ///< on disk
  struct timespec used;
} LunaCacheFile;

/// Calls visit(context, file) for each entry in the subfolder, or in all where
/// `subfolder` is -1, in no order.
void luna_cache_visit(int root, int subfolder,
                      void (*visit)(void *context, const LunaCacheFile *file),
                      void *context);

/// Calls visit for each file that the cache has made in its folder `name`:
/// "tmp" or "quarantine".
void luna_cache_visit_others(int root, const char *name,
                             void (*visit)(void *context,
                                           const LunaCacheFile *file),
                             void *context);

/// Trims a folder that exceeds its limits, to nine tenths of them.
void luna_cache_keep_limits(LunaCache *cache);

#endif // LUNA_CACHE_FILES_H
