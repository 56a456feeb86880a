#define _POSIX_C_SOURCE 200809L

#include "luna/cache_remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key_file.h"
#include "remote_url.h"

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

LunaCacheRemote luna_cache_remote_from_environment(void) {
  return (LunaCacheRemote){
      .url = variable("LUNA_CACHE_REMOTE"),
      .mode = variable("LUNA_CACHE_MODE"),
      .key = variable("LUNA_CACHE_KEY"),
      .trust = variable("LUNA_CACHE_TRUST"),
      .helper = variable("LUNA_CACHE_HELPER"),
      .log = variable("LUNA_CACHE_LOG"),
  };
}

static bool check_url(const char *text, char *message, size_t size) {
  LunaRemoteUrl url;
  const char *problem = text ? luna_remote_url_read(text, &url) : NULL;
  if (problem)
    snprintf(message, size, "the address of the cache '%s' %s", text, problem);
  return !problem;
}

static bool check_mode(const char *mode, char *message, size_t size) {
  if (!mode || strcmp(mode, "read-only") == 0 ||
      strcmp(mode, "read-write") == 0)
    return true;
  snprintf(message, size,
           "the mode of the cache is '%s', allowed are read-only and "
           "read-write",
           mode);
  return false;
}

bool luna_cache_remote_check(const LunaCacheRemote *remote, char *message,
                             size_t size) {
  LunaKeys keys;
  return check_url(remote->url, message, size) &&
         check_mode(remote->mode, message, size) &&
         (!remote->key ||
          luna_key_file_read(remote->key, true, &keys, message, size)) &&
         (!remote->trust ||
          luna_key_file_read(remote->trust, false, &keys, message, size));
}
