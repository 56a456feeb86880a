#define _POSIX_C_SOURCE 200809L // setenv

#include "shared_cache.h"

#include <stdlib.h>

#include "luna/prefix.h"

bool luna_shared_cache_set_up(const LunacOptions *options, LunaError *error) {
  LunaArena arena = {0};
  enum { MESSAGE_BYTES = 1024 };
  const struct {
    const char *name, *value;
    int replaces;
  } variables[] = {
      {"LUNA_CACHE_REMOTE", options->cache_remote, 1},
      {"LUNA_CACHE_MODE", options->cache_mode, 1},
      {"LUNA_CACHE_KEY", options->cache_key, 1},
      {"LUNA_CACHE_TRUST", options->cache_trust, 1},
      {"LUNA_CACHE_HELPER", luna_prefix_path(&arena, "bin/luna-cache-helper"),
       0},
  };
  char message[MESSAGE_BYTES];
  for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
    if (variables[i].value)
      setenv(variables[i].name, variables[i].value, variables[i].replaces);
  luna_arena_destroy(&arena);
  LunaCacheRemote remote = luna_cache_remote_from_environment();
  return luna_cache_remote_check(&remote, message, sizeof message) ||
         luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM, "%s",
                        message);
}

LunaCache *luna_shared_cache_open(const char *folder) {
  LunaCacheRemote remote = luna_cache_remote_from_environment();
  return luna_cache_open_shared(folder, NULL, &remote);
}
