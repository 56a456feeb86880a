#ifndef LUNA_CACHE_SHARED_H
#define LUNA_CACHE_SHARED_H

// What a cache shares with others: entries of a server, signatures.

#include "cache_files.h"
#include "helper_message.h"

/// Fetches the entry of this name from the server. With `is_signed` only one
/// that is signed by a trusted key. With `claims` the caller computes the value
/// if there is none, and others wait for it a little. Returns its bytes, to be
/// freed, which nobody has checked; NULL if there is none. `is_signed` becomes
/// whether a trusted key has signed it.
uint8_t *luna_cache_fetch(LunaCache *cache, const char *name, bool claims,
                          bool *is_signed, size_t *size);

/// Sends an entry to the server; does not wait until it has arrived.
void luna_cache_send(LunaCache *cache, const char *name, const uint8_t *file,
                     size_t size);

/// Puts a signature into an entry, from malloc, if there is a secret key.
/// Returns the entry, which may have moved.
uint8_t *luna_cache_sign(LunaCache *cache, uint8_t *file, size_t *size);

/// Returns true if a trusted key has signed the entry.
bool luna_cache_is_signed(LunaCache *cache, const uint8_t *file, size_t size);

#endif // LUNA_CACHE_SHARED_H
