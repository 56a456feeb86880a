#ifndef LUNA_CACHE_REMOTE_H
#define LUNA_CACHE_REMOTE_H

#include "luna/cache.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a cache shares beyond its folder: a server that others use, too, and
/// the keys of those who are trusted. Zero-initialised: nothing is shared.
///
/// What is not in the folder is asked of the server, and kept in the folder.
/// The server is a Redis, or any HTTP server that knows GET and PUT. A program
/// of its own, luna-cache-helper, speaks to it, for all processes of a user; it
/// starts by itself and ends when nobody has asked for a minute.
///
/// Nothing that goes wrong with server or helper is an error: it is a miss.
/// Connections take at most 100 ms, operations 10 s, the waits of one process
/// 10 s in all; a server that failed is left alone for a while.
///
/// Nothing that comes from a server is trusted (LunaCacheValue), unless a key
/// of `trust` has signed it. The same holds for a folder that others can write.
typedef struct LunaCacheRemote {
  /// redis://HOST[:PORT][/DATABASE] or http://HOST[:PORT][/PATH]; NULL: none.
  const char *url;
  /// "read-write" to store there as well; NULL: "read-only".
  const char *mode;
  /// The file of a secret key, which signs what is stored; NULL: nothing is
  /// signed.
  const char *key;
  /// A file of public keys, one a line: whose entries are trusted. NULL: those
  /// of `key` alone.
  const char *trust;
  /// The path of luna-cache-helper; NULL: that in $PATH.
  const char *helper;
  /// A file that gets a line for each value: "hit", "fetched" (from the
  /// server), "missed" or "stored", and kind and digest. NULL: none.
  const char *log;
} LunaCacheRemote;

/// Returns what $LUNA_CACHE_REMOTE, $LUNA_CACHE_MODE, $LUNA_CACHE_KEY,
/// $LUNA_CACHE_TRUST, $LUNA_CACHE_HELPER and $LUNA_CACHE_LOG say; empty ones
/// count as not set. Borrows the environment.
LunaCacheRemote luna_cache_remote_from_environment(void);

/// Checks the form of the address and reads the files of keys. Returns false
/// and writes what is wrong to `message`, of `size` bytes.
bool luna_cache_remote_check(const LunaCacheRemote *remote, char *message,
                             size_t size);

/// As luna_cache_open, with what is shared (copied). What
/// luna_cache_remote_check objects to is left out.
LunaCache *luna_cache_open_shared(const char *folder,
                                  const LunaCacheLimits *limits,
                                  const LunaCacheRemote *remote);

/// Returns true if the server answers.
bool luna_cache_ping(LunaCache *cache);

/// Waits until all that this user has stored was sent to the server: storing
/// does not wait for it. Returns false if something could not be sent.
bool luna_cache_flush(LunaCache *cache);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CACHE_REMOTE_H
