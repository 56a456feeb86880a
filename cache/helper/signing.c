#define _POSIX_C_SOURCE 200809L

#include "signing.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Digest {
  unsigned char bytes[crypto_generichash_BYTES_MAX];
} Digest;

static Digest digest_of(const uint8_t *file, size_t size) {
  Digest digest;
  crypto_generichash_state state;
  uint8_t header[LUNA_CACHE_HEADER_BYTES];
  size_t rest = 0;
  luna_cache_entry_signed_part(file, size, header, &rest);
  crypto_generichash_init(&state, NULL, 0, sizeof digest.bytes);
  crypto_generichash_update(&state, header, sizeof header);
  crypto_generichash_update(&state, file + sizeof header, rest);
  crypto_generichash_final(&state, digest.bytes, sizeof digest.bytes);
  return digest;
}

bool luna_signer_open(LunaSigner *signer, const char *key_path,
                      const char *trust_path) {
  char message[1];
  LunaKeys secret;
  unsigned char secret_key[crypto_sign_SECRETKEYBYTES];
  *signer = (LunaSigner){0};
  if (*trust_path && !luna_key_file_read(trust_path, false, &signer->trusted,
                                         message, sizeof message))
    return false;
  if (!*key_path)
    return true;
  if (!luna_key_file_read(key_path, true, &secret, message, sizeof message))
    return false;
  memcpy(signer->seed, secret.keys[0], sizeof signer->seed);
  signer->has_seed = true;
  if (signer->trusted.count < LUNA_KEYS_MAX)
    crypto_sign_seed_keypair(signer->trusted.keys[signer->trusted.count++],
                             secret_key, signer->seed);
  return true;
}

bool luna_signer_sign(const LunaSigner *signer, const uint8_t *file,
                      size_t size,
                      uint8_t signature[LUNA_CACHE_SIGNATURE_BYTES]) {
  unsigned char secret_key[crypto_sign_SECRETKEYBYTES];
  if (!signer->has_seed)
    return false;
  Digest digest = digest_of(file, size);
  crypto_sign_seed_keypair(signature, secret_key, signer->seed);
  crypto_sign_detached(signature + LUNA_KEY_BYTES, NULL, digest.bytes,
                       sizeof digest.bytes, secret_key);
  sodium_memzero(secret_key, sizeof secret_key);
  return true;
}

bool luna_signer_check(const LunaSigner *signer, const LunaCacheEntry *entry,
                       const uint8_t *file, size_t size) {
  bool is_trusted = false;
  if (!entry->signature)
    return false;
  for (int i = 0; i < signer->trusted.count; ++i)
    is_trusted |=
        memcmp(signer->trusted.keys[i], entry->signature, LUNA_KEY_BYTES) == 0;
  if (!is_trusted)
    return false;
  Digest digest = digest_of(file, size);
  return crypto_sign_verify_detached(entry->signature + LUNA_KEY_BYTES,
                                     digest.bytes, sizeof digest.bytes,
                                     entry->signature) == 0;
}

//===- Keys ---------------------------------------------------------------===//

static bool write_key(const char *path, const char *name,
                      const uint8_t key[LUNA_KEY_BYTES], mode_t mode,
                      char *message, size_t size) {
  char digits[2 * LUNA_KEY_BYTES + 1], line[128];
  sodium_bin2hex(digits, sizeof digits, key, LUNA_KEY_BYTES);
  int length = snprintf(line, sizeof line, "%s %s\n", name, digits);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  bool is_written = file >= 0 && write(file, line, (size_t)length) == length;
  if (!is_written)
    snprintf(message, size, "cannot write '%s': %s", path, strerror(errno));
  if (file >= 0)
    close(file);
  sodium_memzero(digits, sizeof digits);
  sodium_memzero(line, sizeof line);
  return is_written;
}

bool luna_signer_make_keys(const char *path, char *message, size_t size) {
  uint8_t seed[LUNA_KEY_BYTES], public_key[crypto_sign_PUBLICKEYBYTES];
  unsigned char secret_key[crypto_sign_SECRETKEYBYTES];
  char public_path[4096];
  randombytes_buf(seed, sizeof seed);
  crypto_sign_seed_keypair(public_key, secret_key, seed);
  snprintf(public_path, sizeof public_path, "%s.pub", path);
  bool is_made =
      write_key(path, LUNA_KEY_SECRET, seed, 0600, message, size) &&
      write_key(public_path, LUNA_KEY_PUBLIC, public_key, 0644, message, size);
  sodium_memzero(seed, sizeof seed);
  sodium_memzero(secret_key, sizeof secret_key);
  return is_made;
}
