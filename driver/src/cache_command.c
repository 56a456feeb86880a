#define _POSIX_C_SOURCE 200809L

#include "cache_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared_cache.h"

typedef bool (*Action)(LunaCache *cache, const LunacOptions *options,
                       LunaText *text, LunaError *error);

static LunaCacheLimits limits_of(const LunacOptions *options) {
  return (LunaCacheLimits){(uint64_t)options->max_bytes,
                           (uint64_t)options->max_entries};
}

static void add_remote(LunaCache *cache, LunaText *text) {
  LunaCacheRemote remote = luna_cache_remote_from_environment();
  if (remote.url)
    luna_text_printf(text, "%-16s%s, %s, %s\n", "remote", remote.url,
                     remote.mode ? remote.mode : "read-only",
                     luna_cache_ping(cache) ? "answers" : "does not answer");
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
  add_remote(cache, text);
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

static bool flush(LunaCache *cache, const LunacOptions *options, LunaText *text,
                  LunaError *error) {
  (void)options, (void)text;
  if (!luna_cache_remote_from_environment().url)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "there is no server; --cache-remote=URL names one");
  return luna_cache_flush(cache) ||
         luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "not all entries could be sent to the server");
}

static bool make_key(const LunacOptions *options, LunaError *error) {
  const char *helper = luna_cache_remote_from_environment().helper;
  if (!options->cache_key)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "make-key needs --cache-key=FILE, the file to make");
  execlp(helper, helper, "--make-key", options->cache_key, (char *)NULL);
  return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                        "cannot start '%s': %s", helper, strerror(errno));
}

bool luna_cache_command(const LunacOptions *options, LunaText *text,
                        LunaError *error) {
  static const struct {
    const char *name;
    Action run;
  } actions[] = {
      {"stats", stats}, {"verify", verify}, {"trim", trim},
      {"clear", clear}, {"flush", flush},
  };
  bool makes_key = strcmp(options->model, "make-key") == 0;
  LunacOptions settings = *options;
  if (makes_key)
    settings.cache_key = NULL; // it is yet to be made
  if (!luna_shared_cache_set_up(&settings, error))
    return false;
  if (makes_key)
    return make_key(options, error);
  char *folder = luna_cache_choose_folder(options->cache);
  if (!folder)
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "the cache is off; --cache=DIR names one");
  LunaCache *cache = luna_shared_cache_open(folder);
  bool ok = true;
  for (size_t i = 0; i < sizeof actions / sizeof *actions; ++i)
    if (strcmp(actions[i].name, options->model) == 0)
      ok = actions[i].run(cache, options, text, error);
  luna_cache_close(cache);
  free(folder);
  return ok;
}
