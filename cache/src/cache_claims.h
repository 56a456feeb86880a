#ifndef LUNA_CACHE_CLAIMS_H
#define LUNA_CACHE_CLAIMS_H

// A process that computes a value has claimed it: it holds the lock of a file
// in tmp/. Others wait for it a little.

#include "cache_files.h"

/// How long others wait.
enum { LUNA_CACHE_CLAIM_MS = 1000 };

/// Claims the value of this digest, once nobody else has. Does without where
/// that takes LUNA_CACHE_CLAIM_MS or the folder cannot be written.
void luna_cache_claim(LunaCache *cache, const LunaCacheDigest *digest);

/// Releases the claim, if there is one.
void luna_cache_release(LunaCache *cache, const LunaCacheDigest *digest);

/// Releases all claims.
void luna_cache_release_all(LunaCache *cache);

#endif // LUNA_CACHE_CLAIMS_H
