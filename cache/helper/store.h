#ifndef LUNA_STORE_H
#define LUNA_STORE_H

// The server that entries are shared by.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote_url.h"

enum {
  LUNA_STORE_CONNECT_MS = 100,
  LUNA_STORE_OPERATION_MS = 10000,
  /// How long a server that failed is left alone: at first, and at most.
  LUNA_STORE_PAUSE_MS = 1000,
  LUNA_STORE_PAUSE_MAX_MS = 60000,
  /// How long somebody who claimed a value has it for himself.
  LUNA_STORE_CLAIM_MS = 1000,
};

typedef enum LunaStoreResult {
  LUNA_STORE_OK,
  LUNA_STORE_ABSENT,
  LUNA_STORE_FAILED,
} LunaStoreResult;

/// Bytes from malloc.
typedef struct LunaStoreBytes {
  uint8_t *items;
  size_t count;
} LunaStoreBytes;

/// A kind of server. Functions return by `deadline` (luna_helper_now).
typedef struct LunaStoreKind {
  /// Returns a connection, NULL if there is none.
  void *(*connect)(const LunaRemoteUrl *url, const char *text);
  void (*disconnect)(void *connection);
  LunaStoreResult (*get)(void *connection, const char *name, int64_t deadline,
                         LunaStoreBytes *bytes);
  LunaStoreResult (*put)(void *connection, const char *name,
                         const LunaStoreBytes *bytes, int64_t deadline);
  /// LUNA_STORE_ABSENT: somebody else has claimed the value. NULL where the
  /// server cannot tell.
  LunaStoreResult (*claim)(void *connection, const char *name,
                           int64_t deadline);
} LunaStoreKind;

extern const LunaStoreKind luna_store_redis, luna_store_http;

/// A server, for any number of threads. One that failed is left alone for a
/// while: everything fails at once.
typedef struct LunaStore LunaStore;

/// Returns the server at an address, which must be valid; NULL if memory ran
/// out.
LunaStore *luna_store_create(const char *url);

/// Frees it with its connections; no operation may run.
void luna_store_destroy(LunaStore *store);

/// Fetches an entry.
LunaStoreResult luna_store_get(LunaStore *store, const char *name,
                               int64_t deadline, LunaStoreBytes *bytes);
/// Stores an entry.
LunaStoreResult luna_store_put(LunaStore *store, const char *name,
                               const LunaStoreBytes *bytes, int64_t deadline);
/// Claims a value that the caller is about to compute, for
/// LUNA_STORE_CLAIM_MS. Returns LUNA_STORE_ABSENT if somebody else has.
LunaStoreResult luna_store_claim(LunaStore *store, const char *name,
                                 int64_t deadline);

/// Returns until when the server is left alone; 0 if it is not.
int64_t luna_store_pause_end(LunaStore *store);

#endif // LUNA_STORE_H
