#ifndef LUNA_PLAN_CACHE_H
#define LUNA_PLAN_CACHE_H

#include "luna/cache.h"
#include "luna/plan_source.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the plans of a cache, as a source that is valid as long as the cache
/// is open; an empty source without a cache. What search has proven counts from
/// trusted entries alone.
LunaPlanSource luna_plan_cache_source(LunaCache *cache, bool takes_best);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_CACHE_H
