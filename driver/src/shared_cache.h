#ifndef LUNA_SHARED_CACHE_H
#define LUNA_SHARED_CACHE_H

// What the cache shares with others, by the options and the environment.

#include "luna/cache_remote.h"
#include "luna/error.h"
#include "options.h"

/// Has the environment say what the options do, for the plugin and for
/// processes that are started: LUNA_CACHE_REMOTE and so on. Fails with
/// LUNA_ERROR_SETUP if an address or a file of keys is not as it must be.
bool luna_shared_cache_set_up(const LunacOptions *options, LunaError *error);

/// Opens the cache in a folder, or none where that is NULL, with what the
/// environment says.
LunaCache *luna_shared_cache_open(const char *folder);

#endif // LUNA_SHARED_CACHE_H
