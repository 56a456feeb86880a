// dladdr1, which tells the program itself from what it loads
#define _GNU_SOURCE

#include "luna/prefix.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

// Somewhere in the file that holds this code.
static const char here;

// The absolute path of that file, to be freed; NULL if it cannot be told.
static char *own_file(void) {
  Dl_info info;
  struct link_map *object = NULL;
  if (!dladdr1(&here, &info, (void **)&object, RTLD_DL_LINKMAP) || !object)
    return NULL;
  // The program itself has no name there.
  return realpath(object->l_name[0] ? object->l_name : "/proc/self/exe", NULL);
}

static void cut_last_name(char *path) {
  char *slash = strrchr(path, '/');
  if (slash)
    *slash = 0;
}

const char *luna_prefix_path(LunaArena *arena, const char *relative) {
  char *path = own_file();
  if (!path)
    return luna_arena_printf(arena, "%s", relative);
  cut_last_name(path);
  cut_last_name(path);
  const char *joined = luna_arena_printf(arena, "%s/%s", path, relative);
  free(path);
  return joined;
}
