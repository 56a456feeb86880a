#ifndef LUNA_HELPER_MESSAGE_H
#define LUNA_HELPER_MESSAGE_H

// What a cache and its helper say to each other on a UNIX socket: the cache
// asks, the helper answers, in turn. A message, little-endian:
//
//   0  "LCH" and a line ending    8  length of the body, u64
//   4  version, u16              16  body: length of the name, u8; the name;
//   6  what it says, u8              bytes
//   7  flags, u8

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache_entry.h"

enum {
  LUNA_HELPER_VERSION = 1,
  LUNA_HELPER_HEAD_BYTES = 16,
  /// The length of "<kind>-<32 hex digits>", at most.
  LUNA_HELPER_NAME_MAX = LUNA_CACHE_KIND_MAX + 1 + 2 * LUNA_CACHE_DIGEST_BYTES,
};

/// No entry is larger that goes to a server or comes from one.
#define LUNA_HELPER_ENTRY_MAX (UINT64_C(256) << 20)

typedef enum LunaHelperWord {
  LUNA_HELPER_GET = 1, ///< entry of this name, please
  LUNA_HELPER_PUT,     ///< keep this entry
  LUNA_HELPER_SIGN,    ///< sign this entry: answered by a signature
  LUNA_HELPER_CHECK,   ///< is this entry signed by a trusted key?
  LUNA_HELPER_PING,    ///< does the server answer?
  LUNA_HELPER_FLUSH,   ///< answer once all that was put has been sent
  LUNA_HELPER_YES,
  LUNA_HELPER_NO,
  LUNA_HELPER_WORDS,
} LunaHelperWord;

enum {
  /// GET: only if it is signed by a trusted key. YES: it is.
  LUNA_HELPER_SIGNED = 1,
  /// GET: where there is none, the asker will make it, unless somebody else
  /// does so in time.
  LUNA_HELPER_CLAIM = 2,
  LUNA_HELPER_FLAGS = 3,
};

typedef struct LunaHelperMessage {
  LunaHelperWord word;
  uint8_t flags;
  char name[LUNA_HELPER_NAME_MAX + 1]; ///< of an entry; "" if it has none
  const uint8_t *bytes;                ///< borrowed from the body
  size_t length;
} LunaHelperMessage;

/// Writes the head of a message, and of its body all but `bytes`. Returns how
/// many bytes those are.
size_t luna_helper_message_write(
    const LunaHelperMessage *message,
    uint8_t bytes[LUNA_HELPER_HEAD_BYTES + 1 + LUNA_HELPER_NAME_MAX]);

/// Reads the head of a message of this version. Returns false if it is none, or
/// its body is too long; writes the length of the body.
bool luna_helper_head_read(const uint8_t head[LUNA_HELPER_HEAD_BYTES],
                           LunaHelperMessage *message, size_t *body_bytes);

/// Reads the body. Returns false if it is none.
bool luna_helper_body_read(const uint8_t *body, size_t length,
                           LunaHelperMessage *message);

#endif // LUNA_HELPER_MESSAGE_H
