#include "luna/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "luna/prefix.h"

// The layout that MLIR's plugin loaders expect, in C.
typedef struct DialectPluginInfo {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_dialects)(void *registry);
} DialectPluginInfo;

typedef DialectPluginInfo (*GetInfo)(void);

enum { PLUGIN_API_VERSION = 1 };

static const char *find_plugin(const char *path, LunaArena *arena) {
  if (path)
    return path;
  const char *from_environment = getenv("LUNA_PLUGIN");
  return from_environment && *from_environment
             ? from_environment
             : luna_prefix_path(arena, "lib/LunaMLIR.so");
}

// Looks a function up: POSIX lets an object pointer of dlsym stand for one.
static bool find_entry(void *library, const char *name, void *entry) {
  void *symbol = library ? dlsym(library, name) : NULL;
  memcpy(entry, &symbol, sizeof symbol);
  return symbol != NULL;
}

bool luna_plugin_load(const char *path, MlirDialectRegistry registry,
                      LunaArena *arena, void **handle, LunaError *error) {
  path = find_plugin(path, arena);
  *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!*handle)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "cannot load the plugin: %s; build it, or name it "
                          "with --plugin or $LUNA_PLUGIN",
                          dlerror());
  GetInfo entry = NULL;
  if (!find_entry(*handle, "mlirGetDialectPluginInfo", &entry))
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "'%s' is not an MLIR dialect plugin", path);
  DialectPluginInfo info = entry();
  if (info.api_version != PLUGIN_API_VERSION)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "plugin '%s' has API version %u, lunac needs %d",
                          path, (unsigned)info.api_version, PLUGIN_API_VERSION);
  if (!info.name || strcmp(info.name, "luna") != 0 || !info.version ||
      strcmp(info.version, LUNA_VERSION) != 0)
    return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                          "plugin '%s' is '%s' %s, lunac needs 'luna' %s", path,
                          info.name ? info.name : "",
                          info.version ? info.version : "", LUNA_VERSION);
  info.register_dialects(registry.ptr);
  return true;
}

void luna_plugin_set_plan_source(const char *path, LunaArena *arena,
                                 MlirContext context,
                                 const struct LunaPlanSource *source) {
  void (*set)(MlirContext, const struct LunaPlanSource *) = NULL;
  void *library = dlopen(find_plugin(path, arena), RTLD_NOW | RTLD_NOLOAD);
  if (find_entry(library, "luna_plugin_set_plan_source", &set))
    set(context, source);
}
