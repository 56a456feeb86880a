#include "luna/context.h"

#include "luna/plugin.h"
#include "mlir-c/RegisterEverything.h"

bool luna_context_create(const char *plugin, LunaArena *arena,
                         MlirContext *context, LunaError *error) {
  mlirRegisterAllPasses();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  // It stays loaded: its registrations are valid until the process ends.
  void *handle = NULL;
  bool is_loaded = luna_plugin_load(plugin, registry, arena, &handle, error);
  if (is_loaded)
    *context =
        mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  return is_loaded;
}
