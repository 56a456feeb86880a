#ifndef LUNA_CACHE_ENTRY_H
#define LUNA_CACHE_ENTRY_H

// An entry as the bytes of its file, little-endian:
//
//   0  magic, 8 bytes      32  digest of the key, 16 bytes
//   8  format, u32         48  record, raw and packed size, u64 each
//  12  flags, u32          72  record, then the packed value
//  16  kind, 16 bytes          XXH3-128 of all before it, 16 bytes

#include "luna/cache.h"

enum {
  LUNA_CACHE_FORMAT = 1,
  LUNA_CACHE_HEADER_BYTES = 72,
  LUNA_CACHE_DIGEST_BYTES = 16,
};

/// The digest of a key: the name of its entry.
typedef struct LunaCacheDigest {
  uint8_t bytes[LUNA_CACHE_DIGEST_BYTES];
} LunaCacheDigest;

/// An entry that was checked; points into the bytes of the file.
typedef struct LunaCacheEntry {
  const char *kind; ///< padded with zeros
  LunaCacheDigest digest;
  const uint8_t *record, *packed;
  size_t record_bytes, raw_bytes, packed_bytes;
  bool is_compressed;
} LunaCacheEntry;

/// Returns true if `kind` can name a file: 1 to LUNA_CACHE_KIND_MAX lower-case
/// letters and digits.
bool luna_cache_kind_is_valid(const char *kind);

/// Returns the digest of a key. Of its bits only the first `bit_count` count,
/// the others are zero: tests force collisions by that.
LunaCacheDigest luna_cache_digest(const LunaCacheKey *key, unsigned bit_count);

/// Returns the bytes of an entry, to be freed, and their number; NULL if memory
/// ran out.
uint8_t *luna_cache_entry_pack(const LunaCacheKey *key,
                               const LunaCacheDigest *digest, const void *bytes,
                               size_t length, size_t *size);

/// Checks a file: its form and checksum. Returns false if one bit of it is not
/// as luna_cache_entry_pack made it.
bool luna_cache_entry_read(const uint8_t *file, size_t size,
                           LunaCacheEntry *entry);

/// Returns true if the entry was made for this key.
bool luna_cache_entry_has_key(const LunaCacheEntry *entry,
                              const LunaCacheKey *key);

/// Unpacks the value into `raw_bytes` bytes at `bytes`. Returns false if it
/// cannot be.
bool luna_cache_entry_unpack(const LunaCacheEntry *entry, uint8_t *bytes);

#endif // LUNA_CACHE_ENTRY_H
