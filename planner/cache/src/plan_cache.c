#include "luna/plan_cache.h"

#include <string.h>

static LunaCacheKey key_of(LunaPlanKept kept, LunaPlanBytes record) {
  static const char *const kinds[] = {
      [LUNA_PLAN_EXACT] = "plan",
      [LUNA_PLAN_BEST] = "bestplan",
  };
  return (LunaCacheKey){.kind = kinds[kept],
                        .record = record.items,
                        .record_bytes = (size_t)record.count};
}

static bool find(void *data, LunaPlanKept kept, LunaPlanBytes record,
                 LunaArena *arena, LunaPlanBytes *plan, bool *is_trusted) {
  LunaCacheKey key = key_of(kept, record);
  LunaCacheValue value;
  if (!(kept == LUNA_PLAN_EXACT ? luna_cache_get_or_claim
                                : luna_cache_get)(data, &key, &value))
    return false;
  uint8_t *copy = LUNA_ARENA_ARRAY(arena, uint8_t, value.length);
  if (value.length > 0)
    memcpy(copy, value.bytes, value.length);
  *plan = (LunaPlanBytes){copy, value.length};
  *is_trusted = value.is_trusted;
  luna_cache_value_deinit(&value);
  return true;
}

static void reject(void *data, LunaPlanKept kept, LunaPlanBytes record) {
  LunaCacheKey key = key_of(kept, record);
  luna_cache_reject(data, &key);
}

static void keep(void *data, LunaPlanKept kept, LunaPlanBytes record,
                 LunaPlanBytes plan) {
  LunaCacheKey key = key_of(kept, record);
  luna_cache_put(data, &key, plan.items, (size_t)plan.count);
}

LunaPlanSource luna_plan_cache_source(LunaCache *cache, bool takes_best) {
  if (!cache)
    return (LunaPlanSource){0};
  return (LunaPlanSource){.data = cache,
                          .find = find,
                          .reject = reject,
                          .keep = keep,
                          .takes_best = takes_best};
}
