#ifndef LUNA_CACHE_ENTRY_H
#define LUNA_CACHE_ENTRY_H

// An entry as the bytes of its file, little-endian:
//
//   0  magic, 8 bytes      32  digest of the key, 16 bytes
//   8  format, u32         48  record, raw and packed size, u64 each
//  12  flags, u32          72  record, then the packed value
//  16  kind, 16 bytes          with flag 2: public key and signature, 96 bytes
//                              XXH3-128 of all before it, 16 bytes
//
// Flags: 1, the value is compressed; 2, the entry is signed; 4, it came from
// elsewhere, and its signature was not that of a trusted key.

#include "luna/cache.h"

enum {
  LUNA_CACHE_FORMAT = 2,
  LUNA_CACHE_HEADER_BYTES = 72,
  LUNA_CACHE_DIGEST_BYTES = 16,
  /// A public key and an Ed25519 signature.
  LUNA_CACHE_SIGNATURE_BYTES = 96,
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
  const uint8_t *signature; ///< public key and signature, or NULL
  bool is_compressed;
  bool is_foreign; ///< came from elsewhere, without a trusted signature
} LunaCacheEntry;

/// Returns true if `kind` can name a file: 1 to LUNA_CACHE_KIND_MAX lower-case
/// letters and digits.
bool luna_cache_kind_is_valid(const char *kind);

/// Returns true if `name` is that of an entry: "<kind>-<32 hex digits>".
bool luna_cache_name_is_valid(const char *name);

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

/// Writes the header of an entry as it is signed, with what follows in the file
/// up to the signature or checksum: `rest_bytes` bytes from
/// LUNA_CACHE_HEADER_BYTES. The file must have been read as an entry.
void luna_cache_entry_signed_part(const uint8_t *file, size_t size,
                                  uint8_t header[LUNA_CACHE_HEADER_BYTES],
                                  size_t *rest_bytes);

/// Puts a signature into an entry without one, at `file`, from malloc. Returns
/// the new bytes and their number in `size`; NULL, with the entry as it was, if
/// memory ran out.
uint8_t *
luna_cache_entry_add_signature(uint8_t *file, size_t *size,
                               const uint8_t bytes[LUNA_CACHE_SIGNATURE_BYTES]);

/// Marks an entry as one that came from elsewhere and is not trusted, or, with
/// `is_foreign` false, as one of this folder.
void luna_cache_entry_mark(uint8_t *file, size_t size, bool is_foreign);

#endif // LUNA_CACHE_ENTRY_H
