#ifndef LUNA_CACHE_HELPER_H
#define LUNA_CACHE_HELPER_H

// The side of the cache that asks the helper (helper_message.h): finds its
// socket, starts it where none answers, and keeps the times.

#include "helper_message.h"
#include "luna/cache_remote.h"

enum {
  /// All that a process waits.
  LUNA_HELPER_WAIT_MS = 10000,
  /// What of that the server may take, so that the helper answers in time.
  LUNA_HELPER_SERVER_MS = 9500,
  /// What a helper may take to start.
  LUNA_HELPER_START_MS = 2000,
  /// How long one that did not answer is left alone.
  LUNA_HELPER_PAUSE_S = 60,
};

typedef struct LunaCacheHelper LunaCacheHelper;

/// Returns a handle; touches nothing. NULL if memory ran out.
LunaCacheHelper *luna_cache_helper_create(const LunaCacheRemote *remote);
/// Frees it. The helper goes on.
void luna_cache_helper_destroy(LunaCacheHelper *helper);

/// Asks, and waits for the answer, no longer than what the handle has left of
/// LUNA_HELPER_WAIT_MS. Returns false if none came; the
/// helper is not asked again then. The answer's bytes lie in `body`, to be
/// freed.
bool luna_cache_helper_ask(LunaCacheHelper *helper,
                           const LunaHelperMessage *question,
                           LunaHelperMessage *answer, uint8_t **body);

/// As luna_cache_helper_ask FLUSH, which may take a minute.
bool luna_cache_helper_flush(LunaCacheHelper *helper);

#endif // LUNA_CACHE_HELPER_H
