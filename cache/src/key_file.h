#ifndef LUNA_KEY_FILE_H
#define LUNA_KEY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Files of Ed25519 keys: lines "luna-cache-public-key <64 hex digits>", or one
// line "luna-cache-secret-key <64 hex digits>", which is the seed. Lines that
// are empty or begin with # say nothing.

enum { LUNA_KEY_BYTES = 32, LUNA_KEYS_MAX = 64 };

#define LUNA_KEY_PUBLIC "luna-cache-public-key"
#define LUNA_KEY_SECRET "luna-cache-secret-key"

typedef struct LunaKeys {
  uint8_t keys[LUNA_KEYS_MAX][LUNA_KEY_BYTES];
  int count;
} LunaKeys;

/// Reads the file of one secret key, which nobody else may read, or of 1 to
/// LUNA_KEYS_MAX public keys. Returns false and writes what is wrong.
bool luna_key_file_read(const char *path, bool is_secret, LunaKeys *keys,
                        char *message, size_t size);

#endif // LUNA_KEY_FILE_H
