#ifndef LUNA_SIGNING_H
#define LUNA_SIGNING_H

// Ed25519 signatures of entries, by libsodium: of the BLAKE2b-512 of the entry.

#include "cache_entry.h"
#include "key_file.h"

/// Whose signatures are trusted, and the key to sign with.
typedef struct LunaSigner {
  LunaKeys trusted;
  uint8_t seed[LUNA_KEY_BYTES];
  bool has_seed;
} LunaSigner;

/// Reads the files of keys; "" is none. The public half of a secret key is
/// trusted. Returns false if a file is not as it must be.
bool luna_signer_open(LunaSigner *signer, const char *key_path,
                      const char *trust_path);

/// Writes key and signature for an entry, which must be one. Returns false if
/// there is no secret key.
bool luna_signer_sign(const LunaSigner *signer, const uint8_t *file,
                      size_t size,
                      uint8_t signature[LUNA_CACHE_SIGNATURE_BYTES]);

/// Returns true if `entry`, read from `file`, is signed by a trusted key.
bool luna_signer_check(const LunaSigner *signer, const LunaCacheEntry *entry,
                       const uint8_t *file, size_t size);

/// Makes a pair of keys: the secret one in a new file `path`, which nobody else
/// may read, the public one in `path`.pub. Returns false and writes what is
/// wrong.
bool luna_signer_make_keys(const char *path, char *message, size_t size);

#endif // LUNA_SIGNING_H
