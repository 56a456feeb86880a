#include "luna/content.h"

#include <stdio.h>

#include "llvm-c/blake3.h"

const char *luna_content_record(LunaArena *arena, const char *kind,
                                const void *bytes, size_t length) {
  uint8_t digest[LLVM_BLAKE3_OUT_LEN];
  char text[2 * sizeof digest + 1];
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init(&hasher);
  llvm_blake3_hasher_update(&hasher, bytes, length);
  llvm_blake3_hasher_finalize(&hasher, digest, sizeof digest);
  for (size_t i = 0; i < sizeof digest; ++i)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
  return luna_arena_printf(arena, "%s: %s", kind, text);
}
