#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luna/cache.h"

static char *join(const char *folder, const char *below) {
  size_t size = strlen(folder) + strlen(below) + 1;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s%s", folder, below);
  return path;
}

char *luna_cache_choose_folder(const char *given) {
  const char *folder = given ? given : getenv("LUNA_CACHE");
  if (folder)
    return *folder && strcmp(folder, "off") != 0 ? join(folder, "") : NULL;
  // As the XDG base directory specification has it: only absolute paths count.
  const char *base = getenv("XDG_CACHE_HOME");
  if (base && *base == '/')
    return join(base, "/luna");
  const char *home = getenv("HOME");
  return home && *home == '/' ? join(home, "/.cache/luna") : NULL;
}
