#include "cache_command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "luna/cache.h"

typedef bool (*Action)(LunaCache *cache, const LunacOptions *options,
                       LunaText *text, LunaError *error);

static LunaCacheLimits limits_of(const LunacOptions *options) {
  return (LunaCacheLimits){(uint64_t)options->max_bytes,
                           (uint64_t)options->max_entries};
}

static bool stats(LunaCache *cache, const LunacOptions *options, LunaText *text,
                  LunaError *error) {
  LunaCacheStats found;
  (void)options, (void)error;
  luna_cache_stats(cache, &found);
  luna_text_printf(text, "%-16s%s%s\n", "folder", luna_cache_folder(cache),
                   found.is_trusted ? "" : " (not trusted: others may write)");
  luna_text_printf(text, "%-16s%8" PRIu64 " %14" PRIu64 " bytes\n", "entries",
                   found.entries, found.bytes);
  for (uint32_t i = 0; i < found.kind_count; ++i)
    luna_text_printf(text, "  %-14s%8" PRIu64 " %14" PRIu64 " bytes\n",
                     found.kinds[i].kind, found.kinds[i].entries,
                     found.kinds[i].bytes);
  luna_text_printf(text, "%-16s%8" PRIu64 "\n%-16s%8" PRIu64 "\n", "quarantine",
                   found.quarantined, "unfinished", found.unfinished);
  return true;
}

static bool verify(LunaCache *cache, const LunacOptions *options,
                   LunaText *text, LunaError *error) {
  uint64_t checked = 0;
  uint64_t damaged = luna_cache_verify(cache, &checked);
  (void)options;
  luna_text_printf(text, "%" PRIu64 " entries checked\n", checked);
  return damaged == 0 ||
         luna_error_set(error, LUNA_ERROR_CHECK, LUNA_ERROR_NO_ITEM,
                        "%" PRIu64 " damaged entries went to quarantine",
                        damaged);
}

static bool trim(LunaCache *cache, const LunacOptions *options, LunaText *text,
                 LunaError *error) {
  LunaCacheLimits limits = limits_of(options);
  (void)error;
  luna_text_printf(text, "%" PRIu64 " entries removed\n",
                   luna_cache_trim(cache, &limits));
  return true;
}

static bool clear(LunaCache *cache, const LunacOptions *options, LunaText *text,
                  LunaError *error) {
  (void)options, (void)error;
  luna_text_printf(text, "%" PRIu64 " entries removed\n",
                   luna_cache_clear(cache));
  return true;
}

bool luna_cache_command(const LunacOptions *options, LunaText *text,
                        LunaError *error) {
  static const struct {
    const char *name;
    Action run;
  } actions[] = {
      {"stats", stats}, {"verify", verify}, {"trim", trim}, {"clear", clear}};
  char *folder = luna_cache_choose_folder(options->cache);
  if (!folder)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "the cache is off; --cache=DIR names one");
  LunaCache *cache = luna_cache_open(folder, NULL);
  bool ok = true;
  for (size_t i = 0; i < sizeof actions / sizeof *actions; ++i)
    if (strcmp(actions[i].name, options->model) == 0)
      ok = actions[i].run(cache, options, text, error);
  luna_cache_close(cache);
  free(folder);
  return ok;
}
